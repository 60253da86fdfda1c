"""The tests of Go as their output tells them: package by package, each closed by a line with its path.

Only with `-v` is each test named that passed. The failure of a subtest fails those it stands in, so the innermost
counts, and an outer one only where it has something to say of its own. A package's `ok` says nothing of tests that
skipped themselves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ccos_core.intake.failures import go_traces
from ccos_core.intake.failures.go_scopes import BUILD, GO, GoRun
from ccos_core.intake.failures.go_traces import Crash, tests_above
from ccos_core.intake.failures.page import MOST_FRAMES, Span, Walk, short
from ccos_core.values.outcome import TESTS, UNKNOWN, WITHIN, Failure, Frame, Pass

_PACKAGE = re.compile(
    r"(?P<word>ok|FAIL|\?)\s+(?P<package>[\w./~@+%-]+)\s+"
    r"(?:\d+\.\d+s|\(cached\)|\[(?P<why>build failed|setup failed|no test files)\])(?P<more>.*)$"
)
_NOW = re.compile(r"=== (?:RUN|CONT|NAME) +(?P<test>\S{1,500})$")
_RESULT = re.compile(r"(?P<indent> *)--- (?P<word>PASS|FAIL|SKIP|BENCH): (?P<test>\S{1,500})(?: \([\d.]+s\))?$")
_MESSAGE = re.compile(r" {4,}(?P<file>[^\s:][^:]{0,1000}?\.go):(?P<line>\d{1,9}): ?(?P<text>.*)$")
_TRACED = re.compile(r"[\s,]*(?P<file>\S+?\.go):(?P<line>\d{1,9})(?=$|[\s,])")
_LABEL = re.compile(r"\s*(?P<label>Error Trace|Error|Test|Messages):\s*(?P<text>.*)$")
_WORDS = ("", "BENCH", "PASS", "SKIP", "FAIL")  # how a test may end, the worse the later
_RACED = "race detected during execution of test"
_EXITED = re.compile(r"(?:exit status \d+|signal: .*)$")
_NOTHING = "no tests to run"
_MOST_CRASHES = 20  # of one package, races among them
_MOST_LINES = 4  # of what an assertion says


@dataclass(slots=True)
class _Message:
    """Where a message of a test was made, innermost first, and what it says."""

    frames: list[Frame] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Test:
    word: str = ""
    at: int = -1
    messages: list[_Message] = field(default_factory=list)  # nothing tells a log from an error; what ends it comes last
    raced: bool = False
    label: str = ""  # what an assertion is telling now: `Error Trace`, `Error`, `Test`, `Messages`


@dataclass(slots=True)
class Block(Span):
    """One package."""

    package: str = ""
    word: str = ""
    why: str = ""  # `build failed`, `no test files`, ...
    more: str = ""
    tests: dict[str, _Test] = field(default_factory=dict)
    verbose: bool = False
    exited: str = ""
    crashes: list[Crash] = field(default_factory=list)


def parse_packages(lines: list[str]) -> list[Block]:
    """Every package in the output; what no package's line follows has none."""
    reader = _Packages(lines, Block)
    reader.crashes = {crash.first: crash for crash in go_traces.find_crashes(lines)}
    reader.walk()
    reader.interrupt(len(lines))
    return [block for block in reader.runs if block.word or block.tests or block.crashes]


class _Packages(Walk[Block]):
    test: _Test | None = None  # whose messages these are
    crashes: dict[int, Crash]
    crash_end = -1

    def interrupt(self, at: int) -> None:
        """End a package of which only a test in the stack of a crash tells the name."""
        block, self.now, self.test = self.now, None, None
        if block is not None:
            block.package = next((package for crash in block.crashes if (package := crash.test()[0])), "")

    def take(self, at: int, line: str) -> None:
        if at <= self.crash_end:
            return
        if (crash := self.crashes.get(at)) is not None:
            self.run(at).crashes.append(crash)
            self.run(crash.last)
            self.crash_end = crash.last
        elif line.startswith("=== ") and (now := _NOW.match(line)) is not None:
            block = self.run(at)
            block.verbose = True
            self.test = block.tests.setdefault(now["test"], _Test())
        elif "--- " in line and (result := _RESULT.match(line)) is not None:
            self.test = test = self.run(at).tests.setdefault(result["test"], _Test())
            if _WORDS.index(result["word"]) >= _WORDS.index(test.word):  # it may run several times, `-count=3`
                test.word, test.at = result["word"], at
            test.label = ""
        elif line.startswith(("ok", "FAIL", "?")) and (package := _PACKAGE.match(line)) is not None:
            self._end_package(self.run(at), package)
        elif _EXITED.match(line):
            self.run(at).exited = line
        elif self.test is not None and line.startswith(" "):
            self.run(at)
            self._in_test(self.test, line)
        elif line == "got:" and self.test is not None:
            self.test.messages.append(_Message([], self.lines[at : at + _MOST_LINES]))

    def _end_package(self, block: Block, found: re.Match[str]) -> None:
        block.package, block.word = found["package"].replace("%2e", "."), found["word"]
        block.why, block.more = found["why"] or "", found["more"]
        # files stand there without their folder; the package's path takes its place, so that the known file is found
        for message in (message for test in block.tests.values() for message in test.messages):
            frames = [at if "/" in at.path else replace(at, path=f"{block.package}/{at.path}") for at in message.frames]
            message.frames = frames
        self.now, self.test = None, None

    def _in_test(self, test: _Test, line: str) -> None:
        """A line of a message, or of what an assertion tells below one."""
        begun = _MESSAGE.match(line) if ".go:" in line and test.label != "Error Trace" else None
        if begun is not None:
            test.label = ""
            if _RACED in begun["text"]:
                test.raced = True
                test.messages.append(_Message([], ["DATA RACE"]))
            elif len(test.messages) < MOST_FRAMES:
                test.messages.append(_Message([_place(begun)], [begun["text"]]))
            return
        if not test.messages:
            return
        message = test.messages[-1]
        label = _LABEL.match(line)
        if label is not None and (test.label or label["label"] == "Error Trace"):
            test.label, line = label["label"], label["text"]
        if test.label == "Error Trace":
            _read_trace(message, line)
        elif test.label == "Error" or (not test.label and not any(message.text)):
            message.text += [line] if len(message.text) < _MOST_LINES else []


def _place(found: re.Match[str]) -> Frame:
    return Frame(found["file"].replace("\\", "/"), int(found["line"]))


def _read_trace(message: _Message, rest: str) -> None:
    """Where an assertion was reached, innermost first; its own line, which stands above, is the first of these."""
    for place in map(_place, _TRACED.finditer(rest)):
        last = message.frames[-1]
        if last.line == place.line and ("/" + place.path).endswith("/" + last.path):
            message.frames[-1] = place
        elif len(message.frames) < MOST_FRAMES:
            message.frames.append(place)


# ---- what failed ----


def failures_of(block: Block) -> list[tuple[int, Failure]]:
    """Of one package: a failing test counts if it says more than that one of its subtests failed."""
    for crash in block.crashes[:_MOST_CRASHES]:
        if name := _crashed_test(block, crash):
            test = block.tests.setdefault(name, _Test())
            test.word, test.at = "FAIL", crash.first if test.at < 0 else test.at
            test.messages.append(_Message(list(crash.frames), [crash.message]))
    failed = {name: test for name, test in block.tests.items() if test.word == "FAIL"}
    holders = {holder for name in failed for holder in tests_above(name)}
    found: list[tuple[int, Failure]] = []
    for name, test in failed.items():
        if test.messages or name not in holders:
            frames = tuple(dict.fromkeys(frame for message in reversed(test.messages) for frame in message.frames))
            text = test.messages[-1].text if test.messages else []
            whole = f"{block.package}.{name}" if block.package else name
            found.append((test.at, Failure(GO, whole, frames[:MOST_FRAMES], short(" ".join(" ".join(text).split())))))
    owned = {failure.message for _, failure in found}
    for crash in block.crashes:
        if crash.message not in owned and crash.frames and not (crash.race and found):
            found.append((crash.first, Failure(GO, block.package, tuple(crash.frames), crash.message)))
    if not found and block.word == "FAIL" and not block.why:
        found.append((block.last, Failure(GO, block.package, (), block.exited or "test failed")))
    return found


def _crashed_test(block: Block, crash: Crash) -> str:
    """The test that brought the program down, or that met itself in a race; empty if that isn't certain."""
    if crash.running:
        return _innermost(crash.running)
    _, named = crash.test()
    if crash.race:
        raced = [name for name, test in block.tests.items() if test.raced]
        own = [name for name in raced if name.partition("/")[0] == named]
        return _innermost(own) if own else raced[0] if len(raced) == 1 else ""
    near: list[str] = []  # those whose results stand directly above
    failed = [(test.at, name) for name, test in block.tests.items() if test.word == "FAIL" and test.at < crash.first]
    for at, name in sorted(failed, key=lambda each: each[0], reverse=True):
        if at != crash.first - 1 - len(near):
            break
        near.append(name)
    if named:
        same = [name for name in near if name.partition("/")[0] == named]
        return _innermost(same) if same else named
    begun = [name for name, test in block.tests.items() if not test.word] if block.verbose else []
    if not near and len({name.partition("/")[0] for name in begun}) != 1:
        return ""
    return _innermost(near or begun)


def _innermost(names: list[str]) -> str:
    return max(names, key=lambda name: name.count("/"))


# ---- what passes ----


def passes_of(block: Block, failed: list[str], run: GoRun | None, hidden: GoRun | None) -> list[Pass]:
    """Of one package; `run` is the command's own, `hidden` one that it may have started."""
    if not block.package or block.why.endswith("failed"):
        return []
    if block.word == "?":
        return [Pass(BUILD, TESTS, (block.package,))]
    built = [Pass(BUILD, TESTS, (block.package, f"{block.package} [test]"))] if block.word else []
    tests = tuple(f"{block.package}.{name}" for name in _passed(block, failed, run))
    if tests and any(test.word == "PASS" for test in block.tests.values()):
        return [*built, Pass(GO, TESTS, tests)]
    if block.word != "ok" or _NOTHING in block.more or block.tests:
        return built
    run = run or hidden  # of a package of which only the `ok` stands there
    if run is None or run.narrowed or (run.pattern is not None and not run.chosen()):
        return [*built, Pass(GO, UNKNOWN)]
    names = [""] if run.pattern is None else [f"{name}/" for name in run.chosen()]
    return [*built, Pass(GO, TESTS, tuple(f"{block.package}.{name}" for name in names))]


def _passed(block: Block, failed: list[str], run: GoRun | None) -> list[str]:
    """Each test that passes with all it holds; each single one where some of that may not have run."""
    bad = [name for name, test in block.tests.items() if test.word != "PASS"]
    bad += [name.removeprefix(f"{block.package}.") for name in failed]
    spoilt = {each for name in bad for each in (name, *tests_above(name))}
    good = [name for name in block.tests if name not in spoilt and not name.endswith(WITHIN)]
    if run is None or run.picks_inside:
        holders = {holder for name in block.tests for holder in tests_above(name)}
        return [name for name in good if name not in holders]
    if run.pattern is None and block.word == "ok" and not spoilt:
        return [""]
    whole = set(good)
    return [f"{name}/" for name in good if name.rpartition("/")[0] not in whole]
