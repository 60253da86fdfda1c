"""How Go ends when it must: panics and fatal errors with the stacks of goroutines, and the races that were detected.

The stack of the goroutine that panicked comes first and is the one that counts; of a test that took too long it is the
stacks of those that wait in the project's code. Frames of Go itself are left away, for where it lies is anywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, short
from ccos_core.values.outcome import Frame

_STANDARD = words_of(
    "archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar flag"
    " fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices"
    " sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak"
)
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_INNER = re.compile(r"^(?:func\d+|gowrap\d+|deferwrap\d+|\d+|init|glob|)$")
_TEST = re.compile(r"(?:Test|Fuzz|Benchmark|Example)(?:$|[^a-z])")
_OPENS = ("panic: ", "fatal error: ", "SIGQUIT: ")
_AGAIN = re.compile(r" \[recovered(?:, repanicked)?\]$")
_GOROUTINE = re.compile(r"\s*(?:goroutine \d+ (?:gp=\S+ )?(?:m=\S+ )?(?:mp=\S+ )?\[[^\]]*\]|runtime stack):$")
_PLACE = re.compile(r"\s+(?P<path>\S.{0,1000}?\.(?:go|s|c|h)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]+)?(?: fp=.*)?$")
_CREATED = re.compile(r"created by (?P<name>\S+?)(?: in goroutine \d+)?$")
_RUNNING = re.compile(r"\s+(?P<test>\S+) \([\d.hms]+\)$")
_TIMED_OUT = "panic: test timed out after "
_BLOCKED = "testing.(*T).Run"
_RACE = "WARNING: DATA RACE"
_RULE = "=================="
_SECTION = re.compile(r"(?:(?:Previous )?(?:atomic )?(?:[Rr]ead|[Ww]rite) at |Goroutine \d+ \()")
_MOST_FUNCTIONS = 1_000
_MOST_LINES = 400  # of a panic's message before its first goroutine, and of one race


@dataclass(slots=True)
class Crash:
    """A panic, a fatal error, a test that took too long, or a race."""

    first: int
    last: int
    message: str
    race: bool = False
    running: list[str] = field(default_factory=list)  # the tests that ran when the time was over
    functions: list[str] = field(default_factory=list)  # all of the stack that counts, Go's own too
    frames: list[Frame] = field(default_factory=list)

    def test(self) -> tuple[str, str]:
        """(package, test) that stands in the stack."""
        found = (enclosing_test(function) for function in self.functions)
        return next(((package, test) for package, test in found if test), ("", ""))


def find_crashes(lines: list[str]) -> list[Crash]:
    found: list[Crash] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        crash = _crash(lines, at) if line.startswith(_OPENS) else _race(lines, at) if line.lstrip() == _RACE else None
        if crash is not None:
            found.append(crash)
        at = crash.last + 1 if crash is not None else at + 1
    return found


def _crash(lines: list[str], at: int) -> Crash | None:
    """None if no goroutine follows: then the line is another program's."""
    crash = Crash(at, at, short(_AGAIN.sub("", lines[at])))
    for ahead in range(at + 1, min(len(lines), at + _MOST_LINES)):
        line = lines[ahead]
        if _GOROUTINE.match(line):
            _read_goroutines(lines, crash, ahead)
            return crash
        if line in (CLAIMED, CUT) or (line.startswith(_OPENS) and not line.startswith("fatal")):
            return None
        if lines[at].startswith(_TIMED_OUT) and (running := _RUNNING.match(line)) is not None:
            crash.running.append(running["test"])
    return None


def _read_goroutines(lines: list[str], crash: Crash, at: int) -> None:
    """Take the stacks, of which the first counts; of a test out of time all that wait in the project's code."""
    late = crash.message.startswith(_TIMED_OUT)
    count = 0
    while at < len(lines):
        line = lines[at]
        if _GOROUTINE.match(line):
            own = line.strip() != "runtime stack:"
            functions, frames, at = _stack(lines, at + 1)
            if (late and functions[:1] != [_BLOCKED]) or (not late and own and count == 0):
                crash.functions += functions[: _MOST_FUNCTIONS - len(crash.functions)]
                crash.frames += frames[: MOST_FRAMES - len(crash.frames)]
            count += own
            crash.last = at - 1
        elif not line:
            at += 1
        else:
            return


def _stack(lines: list[str], at: int) -> tuple[list[str], list[Frame], int]:
    """(functions, frames, the line behind them) of one goroutine."""
    functions: list[str] = []
    frames: dict[Frame, None] = {}
    name, seen = "", 0
    while at < len(lines):
        line = lines[at]
        place = _PLACE.match(line)
        if place is not None and name:
            functions.append(name)
            if seen < MOST_FRAMES and not is_standard(name, place["path"]):
                path = place["path"].replace("\\", "/")
                frames[Frame(path, int(place["line"]), short_name(name))] = None
                seen += 1
            name = ""
        elif (function := _function(line)) or (not name and line.startswith("...") and line.endswith("elided...")):
            name = function
        else:
            break
        at += 1
    return functions, list(frames), at


def _function(line: str) -> str:
    line = line.strip()
    if line.startswith("created by "):
        created = _CREATED.match(line)
        return created["name"] if created is not None else ""
    name, bracket, _ = line.rpartition("(")
    return name if bracket and line.endswith(")") and " " not in name else ""


def _race(lines: list[str], at: int) -> Crash:
    """The stacks of both who met, and of where they were started."""
    crash = Crash(at, at, "DATA RACE", race=True)
    ahead = at + 1
    while ahead < min(len(lines), at + _MOST_LINES):
        if _goes_on(lines[ahead]):
            ahead += 1
            continue
        functions, frames, ahead = _stack(lines, ahead)
        crash.functions += functions
        crash.frames += frames
        if ahead >= len(lines) or not _goes_on(lines[ahead]):
            ahead += ahead < len(lines) and lines[ahead].strip() == _RULE
            break
    crash.last = min(ahead, len(lines)) - 1
    crash.frames = list(dict.fromkeys(crash.frames))[:MOST_FRAMES]
    crash.functions = crash.functions[:_MOST_FUNCTIONS]
    return crash


def _goes_on(line: str) -> bool:
    return not line or _SECTION.match(line.lstrip()) is not None


# ---- names: `example.com/shop/cart.(*Cart).First`, a test's inner one `example.com/shop/cart.TestFirst.func1` ----


def parts(function: str) -> tuple[str, str]:
    """(package, the rest) of a function."""
    plain = function.replace("%2e", "\0")
    slash = plain.rfind("/", 0, plain.find("[") if "[" in plain else len(plain)) + 1
    dot = plain.find(".", slash)
    package, rest = (plain[:dot], plain[dot + 1 :]) if dot >= 0 else ("", plain)
    return package.replace("\0", "."), rest.replace("\0", ".")


def short_name(function: str) -> str:
    """`First` for `example.com/shop/cart.(*Cart).First.func1`."""
    _, rest = parts(function)
    names = _BRACKETS.sub("", rest.replace("[...]", "")).replace("(*", "").replace(")", "").split(".")
    kept = [name for name in names if not _INNER.match(name)]
    return kept[-1].removesuffix("-fm") if kept else ""


def enclosing_test(function: str) -> tuple[str, str]:
    """(package, test) if the function is one, or stands in one; else empty."""
    package, rest = parts(function)
    name = rest.partition(".")[0].partition("[")[0]
    return (package.removesuffix("_test"), name) if _TEST.match(name) else ("", "")


def tests_above(test: str) -> list[str]:
    """The tests a subtest stands in: `TestA` and `TestA/b` of `TestA/b/c`."""
    steps = test.split("/")
    return ["/".join(steps[:size]) for size in range(1, len(steps))]


def is_standard(function: str, path: str) -> bool:
    """Whether it is Go's own, wherever it was installed."""
    if function == "panic" or path == "_testmain.go":
        return True
    package, _ = parts(function)
    _, mark, below = path.replace("\\", "/").rpartition("/src/")
    top = (below if mark or not path.startswith("/") else "").partition("/")[0]
    return package.partition("/")[0] in _STANDARD and top in _STANDARD
