"""The tests of Go as their output tells them: package by package, each closed by a line with its path.

This takes the text apart and says what failed; only with `-v` is each test named that passed. The failure of a subtest
fails those it stands in, so the innermost counts, and an outer one only where it has something to say of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import go_names, go_traces
from ccos_core.intake.failures.go_scopes import GO
from ccos_core.intake.failures.go_traces import Crash
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import MOST_FRAMES, short
from ccos_core.values.outcome import Failure, Frame

_PACKAGE = re.compile(
    r"(?P<word>ok|FAIL|\?)\s+(?P<package>[\w./~@+%-]+)\s+"
    r"(?:\d+\.\d+s|\(cached\)|\[(?P<why>build failed|setup failed|no test files)\])(?P<more>.*)$"
)
_NOW = re.compile(r"=== (?:RUN|CONT|NAME) +(?P<test>\S{1,500})$")
_RESULT = re.compile(r"(?P<indent> *)--- (?P<word>PASS|FAIL|SKIP|BENCH): (?P<test>\S{1,500})(?: \([\d.]+s\))?$")
_MESSAGE = re.compile(r" {4,}(?P<file>[^\s:][^:]{0,1000}?\.go):(?P<line>\d{1,9}): ?(?P<text>.*)$")
_TRACED = re.compile(r"[\s,]*(?P<file>\S+?\.go):(?P<line>\d{1,9})(?=$|[\s,])")
_LABEL = re.compile(r"\s*(?P<label>Error Trace|Error|Test|Messages):\s*(?P<text>.*)$")
_LABELS = {"Error Trace": "trace", "Error": "error", "Test": "told", "Messages": "told"}
_WORDS = ("", "BENCH", "PASS", "SKIP", "FAIL")
"""How a test may end, the worse the later."""
_RACED = "race detected during execution of test"
_EXITED = re.compile(r"(?:exit status \d+|signal: .*)$")
_MOST_CRASHES = 20
"""Of one package, races among them."""
_MOST_LINES = 4
"""Of what an assertion says."""


@dataclass(slots=True)
class Said:
    """One message of a test: where it was made, innermost first, and what it says."""

    frames: list[Frame] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Test:
    """One test of a package."""

    word: str = ""
    at: int = -1
    messages: list[Said] = field(default_factory=list)
    """In the order of the text. Nothing tells a log from an error; what ends a test comes last."""
    raced: bool = False
    label: str = ""
    """What an assertion is telling now: `trace`, `error`, `told`."""


@dataclass(slots=True)
class Block:
    """One package."""

    first: int
    last: int
    package: str = ""
    word: str = ""
    why: str = ""
    """`build failed`, `no test files`, ..."""
    more: str = ""
    tests: dict[str, Test] = field(default_factory=dict)
    verbose: bool = False
    exited: str = ""
    crashes: list[Crash] = field(default_factory=list)


def blocks(lines: list[str]) -> list[Block]:
    """Every package in the output; what no package's line follows has none."""
    reader = _Reader(lines)
    at = 0
    while at < len(lines):
        at = reader.take(at, lines[at])
    reader.close(False)
    return [block for block in reader.blocks if block.word or block.tests or block.crashes]


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.crashes = {crash.first: crash for crash in go_traces.crashes(lines)}
        self.blocks: list[Block] = []
        self.now: Block | None = None
        self.test: Test | None = None
        """Whose messages these are."""

    def take(self, at: int, line: str) -> int:
        """Reads a line, or several that go together; gives the next one."""
        if (crash := self.crashes.get(at)) is not None:
            self._block(at).crashes.append(crash)
            self._block(crash.last)
            return crash.last + 1
        if line in (CUT, CLAIMED):
            self.close(False)
        elif line.startswith("=== ") and (now := _NOW.match(line)) is not None:
            block = self._block(at)
            block.verbose = True
            self.test = block.tests.setdefault(now["test"], Test())
        elif "--- " in line and (result := _RESULT.match(line)) is not None:
            self._result(at, result)
        elif line.startswith(("ok", "FAIL", "?")) and (package := _PACKAGE.match(line)) is not None:
            self._package(at, package)
        elif _EXITED.match(line):
            self._block(at).exited = line
        elif self.test is not None and line.startswith(" "):
            self._said(self.test, at, line)
        elif line == "got:" and self.test is not None:
            self.test.messages.append(Said([], self.lines[at : at + _MOST_LINES]))
        return at + 1

    def close(self, told: bool) -> None:
        block, self.now, self.test = self.now, None, None
        if block is not None and not told:
            named = (crash.package() for crash in block.crashes)
            block.package = next((package for package in named if package), "")

    def _block(self, at: int) -> Block:
        if self.now is None:
            self.now = Block(at, at)
            self.blocks.append(self.now)
        self.now.last = max(self.now.last, at)
        return self.now

    def _package(self, at: int, found: re.Match[str]) -> None:
        block = self._block(at)
        block.package, block.word = found["package"].replace("%2e", "."), found["word"]
        block.why, block.more = found["why"] or "", found["more"]
        for said in (said for test in block.tests.values() for said in test.messages):
            said.frames = [_within(frame, block.package) for frame in said.frames]
        self.close(True)

    def _result(self, at: int, result: re.Match[str]) -> None:
        block = self._block(at)
        test = block.tests.setdefault(result["test"], Test())
        if _WORDS.index(result["word"]) >= _WORDS.index(test.word):  # it may run several times, `-count=3`
            test.word, test.at = result["word"], at
        self.test, test.label = test, ""

    def _said(self, test: Test, at: int, line: str) -> None:
        """A line of a message, or of what an assertion tells below one."""
        self._block(at)
        message = _MESSAGE.match(line) if ".go:" in line and test.label != "trace" else None
        if message is not None:
            _begin(test, message)
            return
        if not test.messages:
            return
        said = test.messages[-1]
        label = _LABEL.match(line)
        if label is not None and (test.label or label["label"] == "Error Trace"):
            test.label = _LABELS[label["label"]]
            line = label["text"]
        if test.label == "trace":
            _traced(said, line)
        elif (test.label == "error" or (not test.label and not any(said.text))) and len(said.text) < _MOST_LINES:
            said.text.append(line)


def _begin(test: Test, message: re.Match[str]) -> None:
    test.label = ""
    if _RACED in message["text"]:
        test.raced = True
        test.messages.append(Said([], ["DATA RACE"]))
    elif len(test.messages) < MOST_FRAMES:
        place = Frame(message["file"].replace("\\", "/"), int(message["line"]))
        test.messages.append(Said([place], [message["text"]]))


def _traced(said: Said, rest: str) -> None:
    """Where an assertion was reached, innermost first; its own line, which stands above, is the first of these."""
    for each in _TRACED.finditer(rest):
        place = Frame(each["file"].replace("\\", "/"), int(each["line"]))
        last = said.frames[-1]
        if last.line == place.line and ("/" + place.path).endswith("/" + last.path):
            said.frames[-1] = place
        elif len(said.frames) < MOST_FRAMES:
            said.frames.append(place)


def _within(frame: Frame, package: str) -> Frame:
    return go_names.message_frame(frame.path, str(frame.line), package)


# ---- what failed ----


def failures(block: Block) -> list[tuple[int, Failure]]:
    """Of one package: a failing test counts if it says more than that one of its subtests failed."""
    for crash in block.crashes[:_MOST_CRASHES]:
        name = _crashed(block, crash)
        test = block.tests.setdefault(name, Test()) if name else None
        if test is not None:
            test.word, test.at = "FAIL", crash.first if test.at < 0 else test.at
            test.messages.append(Said(list(crash.frames), [crash.message]))
    failed = {name: test for name, test in block.tests.items() if test.word == "FAIL"}
    holders = {above for name in failed for above in go_names.above(name)}
    told = {name: test for name, test in failed.items() if test.messages or name not in holders}
    found = [(test.at, _failure(block, name, test)) for name, test in told.items()]
    owned = {failure.message for _, failure in found}
    for crash in block.crashes:
        if crash.message not in owned and crash.frames and not (crash.race and found):
            found.append((crash.first, _of_package(block, tuple(crash.frames), crash.message)))
    if not found and block.word == "FAIL" and not block.why:
        found.append((block.last, _of_package(block, (), block.exited or "test failed")))
    return found


def _failure(block: Block, name: str, test: Test) -> Failure:
    whole = f"{block.package}.{name}" if block.package else name
    frames = tuple(dict.fromkeys(frame for said in reversed(test.messages) for frame in said.frames))[:MOST_FRAMES]
    text = test.messages[-1].text if test.messages else []
    return Failure(GO, whole, frames, short(" ".join(" ".join(text).split())))


def _of_package(block: Block, frames: tuple[Frame, ...], message: str) -> Failure:
    return Failure(GO, block.package, frames, message)


def _crashed(block: Block, crash: Crash) -> str:
    """The test that brought it down, or that met itself in a race."""
    if crash.running:
        return _innermost(crash.running)
    _, named = crash.test()
    failed = [name for name, test in block.tests.items() if test.word == "FAIL" and test.at < crash.first]
    if crash.race:
        raced = [name for name, test in block.tests.items() if test.raced]
        own = [name for name in raced if name.partition("/")[0] == named]
        return _innermost(own) if own else raced[0] if len(raced) == 1 else ""
    near = _near(block, failed, crash.first)
    if named:
        same = [name for name in near if name.partition("/")[0] == named]
        return _innermost(same) if same else named
    if near:
        return _innermost(near)
    begun = [name for name, test in block.tests.items() if not test.word] if block.verbose else []
    return _innermost(begun) if len({name.partition("/")[0] for name in begun}) == 1 else ""


def _near(block: Block, failed: list[str], at: int) -> list[str]:
    """Those whose results stand directly above."""
    near: list[str] = []
    for name in sorted(failed, key=lambda each: block.tests[each].at, reverse=True):
        if block.tests[name].at != at - 1 - len(near):
            break
        near.append(name)
    return near


def _innermost(names: list[str]) -> str:
    return max(names, key=lambda name: name.count("/"))
