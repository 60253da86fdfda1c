"""What `cargo test` prints of a panic: by today's and yesterday's custom, with a backtrace or without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.bench.causes.model import Story
from tests.bench.causes.render import ROOT, Frame

ELSEWHERE = ("/app", "/usr/src/app", "/home/runner/build", "/builds/team/project")
TOOLCHAIN = "/rustc/17067e9ac6d7ecb70e50f92c1944e545188d2359/library"


@dataclass(frozen=True)
class Run:
    crate: str
    home: str
    """The crate's folder in its workspace, with a slash."""
    target: str
    passing: Sequence[str]


def told(story: Story, rng: Random, frames: Sequence[Frame], run: Run) -> tuple[tuple[str, ...], str, str]:
    root = rng.choice((ROOT, ROOT, *ELSEWHERE))
    style = rng.choice(("plain", "plain", "threads", "old", "backtrace"))
    name, last = frames[0].function, frames[-1]
    message = message_of(story, last.text)
    head = [
        f"   Compiling {run.crate.replace('_', '-')} v0.2.0 ({root}{'/' + run.home.rstrip('/') if run.home else ''})"
    ]
    head += ["    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.61s"]
    file = "src/lib.rs" if run.target == "--lib" else f"tests/{run.target.split()[-1]}.rs"
    unit = "unittests " if run.target == "--lib" else ""
    head.append(f"     Running {unit}{file} (target/debug/deps/{run.crate}-{rng.randrange(16**16):016x})")
    tests = sorted([*(f"test {each}_is_positive ... ok" for each in run.passing), f"test {name} ... FAILED"])
    place = f"{last.path}:{last.line}:{column_of(last)}"
    panic = [f"thread '{name}' panicked at {place}:", *message]
    if style == "threads":
        panic[0] = f"thread '{name}' ({rng.randint(1_000, 90_000)}) panicked at {place}:"
    elif style == "old":
        panic = [f"thread '{name}' panicked at '{message[0]}{chr(10).join(['', *message[1:]])}', {place}"]
    if style == "backtrace":
        panic += backtrace(frames, run, root)
    else:
        panic.append("note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace")
    lines = [*head, "", f"running {len(tests)} test{'s' if len(tests) > 1 else ''}", *tests, "", "failures:", ""]
    lines += [
        f"---- {name} stdout ----",
        *([] if style == "old" else [""]),
        *panic,
        "",
        "",
        "failures:",
        f"    {name}",
        "",
    ]
    count = f"{len(run.passing)} passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"
    package = f"-p {run.crate.replace('_', '-')} " if run.home else ""
    lines += [f"test result: FAILED. {count}", "", f"error: test failed, to rerun pass `{package}{run.target}`"]
    text = "\n".join(lines) + "\n"
    return ("cargo", "test"), style, text.replace("\n", "\r\n") if rng.random() < 0.1 else text


def message_of(story: Story, line: str) -> list[str]:
    if story.mode == "mismatch":
        return ["assertion `left == right` failed", "  left: 0", f" right: {story.expected}"]
    if story.mode == "guard" or "expect(" in line:
        return [story.message]
    if story.mode == "library":
        return ["chunk size must be non-zero"]
    if "unwrap()" in line:
        return ["called `Option::unwrap()` on a `None` value"]
    if story.mode == "index":
        return ["index out of bounds: the len is 0 but the index is 0"]
    said = "attempt to calculate the remainder with a divisor of zero" if " % " in line else "attempt to divide by zero"
    return [said]


def backtrace(frames: Sequence[Frame], run: Run, root: str) -> list[str]:
    steps = [
        ("__rustc::rust_begin_unwind", f"{TOOLCHAIN}/std/src/panicking.rs:697:5"),
        ("core::panicking::panic_fmt", f"{TOOLCHAIN}/core/src/panicking.rs:75:14"),
    ]
    for frame in reversed(frames):
        own = frame.path.startswith(run.home)
        place = f"./{frame.path.removeprefix(run.home)}" if own else f"{root}/{frame.path}"
        who = frame.function if frame is not frames[0] else _test(frame, run)
        steps.append((who, f"{place}:{frame.line}:{column_of(frame)}"))
    steps.append((f"{_test(frames[0], run)}::{{{{closure}}}}", steps[-1][1]))
    steps.append(("core::ops::function::FnOnce::call_once", f"{TOOLCHAIN}/core/src/ops/function.rs:250:5"))
    lines = ["stack backtrace:"]
    for number, (function, place) in enumerate(steps):
        lines += [f"{number:>4}: {function}", f"             at {place}"]
    return [*lines, "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace."]


def _test(frame: Frame, run: Run) -> str:
    crate = run.crate if run.target == "--lib" else run.target.split()[-1]
    return f"{crate}::{frame.function}"


def column_of(frame: Frame) -> int:
    for pattern in (
        r"panic!",
        r"assert\w*!",
        r"amount [/%]",
        r"slots\[",
        r"unwrap\(",
        r"expect\(",
        r"(?<=\.)\w+\(",
        r"[\w:]+\(",
    ):
        if found := re.search(pattern, frame.text):
            return found.start() + 1
    return 5
