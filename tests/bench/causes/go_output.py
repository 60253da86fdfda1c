"""What `go test` prints of a failure: a mismatch told by the test, or a panic with its goroutine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.bench.causes.model import Story
from tests.bench.causes.render import ROOT, Frame

ELSEWHERE = ("/app", "/go/src/app", "/home/runner/build", "/builds/team/project")
TOOLCHAIN = "/usr/local/go/src"


@dataclass(frozen=True)
class Run:
    """Which packages there are, which one fails, and which have tests."""

    packages: Sequence[str]
    failing: str
    tested: set[str]
    outside: str
    """What is added to the name of the failing test's package."""


def told(story: Story, rng: Random, frames: Sequence[Frame], run: Run) -> tuple[tuple[str, ...], str, str]:
    root = rng.choice((ROOT, ROOT, *ELSEWHERE))
    name = frames[0].function
    verbose = rng.random() < 0.3
    lines: list[str] = []
    for package in run.packages:
        if package == run.failing:
            lines += [f"=== RUN   {name}"] if verbose else []
            lines += mismatch(story, frames[0]) if story.mode == "mismatch" else panic(story, rng, frames, run, root)
            lines += [f"FAIL\t{package}\t0.00{rng.randint(2, 9)}s"]
        elif package in run.tested:
            lines += [f"ok  \t{package}\t{rng.choice(('(cached)', '0.003s', '0.002s'))}"]
        else:
            lines += [f"?   \t{package}\t[no test files]"]
    text = "\n".join([*lines, "FAIL"]) + "\n"
    style = "mismatch" if story.mode == "mismatch" else "panic"
    return (
        ("go", "test", *(["-v"] if verbose else []), "./..."),
        style,
        text.replace("\n", "\r\n") if rng.random() < 0.1 else text,
    )


def mismatch(story: Story, frame: Frame) -> list[str]:
    said = f"{' '.join(story.test[1:3])} = 0, want {story.expected}"
    base = frame.path.rpartition("/")[2]
    return [f"--- FAIL: {frame.function} (0.00s)", f"    {base}:{frame.line}: {said}", "FAIL"]


def panic(story: Story, rng: Random, frames: Sequence[Frame], run: Run, root: str) -> list[str]:
    message = {
        "divide": "runtime error: integer divide by zero",
        "index": "runtime error: index out of range [0] with length 0",
        "lookup": "runtime error: invalid memory address or nil pointer dereference",
        "library": "strings: negative Repeat count",
        "guard": story.message,
    }[story.mode]
    pointer = [f"0xc0000{rng.randrange(16**5):05x}" for _ in range(4)]
    lines = [f"--- FAIL: {frames[0].function} (0.00s)", *_message(message, rng)]
    if story.mode == "lookup":
        lines.append(f"[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x{rng.randrange(16**6):06x}]")
    lines += ["", f"goroutine {rng.randint(5, 40)} [running]:"]
    lines += _frame("testing.tRunner.func1.2({0x5381a0, 0x6355e0})", f"{TOOLCHAIN}/testing/testing.go:1632", "0x230")
    lines += _frame("testing.tRunner.func1()", f"{TOOLCHAIN}/testing/testing.go:1635", "0x35e")
    lines += _frame("panic({0x5381a0?, 0x6355e0?})", f"{TOOLCHAIN}/runtime/panic.go:785", "0x132")
    if story.mode == "library":
        call = "strings.Repeat({0x54a1f2?, 0x1?}, 0xffffffffffffffff)"
        lines += _frame(call, f"{TOOLCHAIN}/strings/strings.go:624", "0x5a8")
    for number, frame in enumerate(reversed(frames)):
        place = f"{root}/{frame.path}:{frame.line}"
        if number == len(frames) - 1:
            lines += _frame(f"{run.failing}{run.outside}.{frame.function}({pointer[1]})", place, "0x25")
        else:
            receiver = f"{pointer[2]}, " if "(*" in frame.function else ""
            arguments = rng.choice((f"({receiver}{story.amount:#x})", "(...)"))
            lines += _frame(
                frame.function + arguments, place, "" if arguments == "(...)" else f"{rng.randint(20, 200):#x}"
            )
    lines += _frame(f"testing.tRunner({pointer[1]}, 0x54e2d8)", f"{TOOLCHAIN}/testing/testing.go:1690", "0xf4")
    return [
        *lines,
        *_frame("created by testing.(*T).Run in goroutine 1", f"{TOOLCHAIN}/testing/testing.go:1743", "0x390"),
    ]


def _message(message: str, rng: Random) -> list[str]:
    """One line since repeated panics are told in one; two before."""
    if rng.random() < 0.5:
        return [f"panic: {message} [recovered, repanicked]"]
    return [f"panic: {message} [recovered]", f"\tpanic: {message}"]


def _frame(function: str, place: str, offset: str) -> list[str]:
    return [function, f"\t{place}{f' +{offset}' if offset else ''}"]
