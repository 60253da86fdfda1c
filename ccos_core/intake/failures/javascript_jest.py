"""jest, with or without `--verbose`: which tests failed and where, and which files and tests pass.

A run is a list of files, each with its failures below it. Without the tests by name, a file that passes does so as a
whole, unless tests were skipped somewhere in the run and nobody says where. What a test printed is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ccos_core.intake.failures.javascript_commands import scope_of
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.javascript_stacks import SEPARATOR, SOURCE, spelt, told
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.python_scopes import Scope
from ccos_core.values.outcome import FILES, TESTS, UNKNOWN, Failure, Frame, Pass

JEST = "jest"
SIGNS = ("PASS ", "FAIL ", "Tests: ")

_FILE = re.compile(
    rf" ?(?P<word>PASS|FAIL) +(?P<project>\S.{{0,80}}? +)?(?P<path>\S+{SOURCE})(?: \([^()]{{1,60}}\)){{0,2}}$"
)
_HEAD = re.compile(r"  ● (.*\S)$")
_LISTED = re.compile(r"(?P<indent> {2,80})(?P<mark>[✓√✕×○✎]) (?P<name>.*\S)$")
_SPENT = re.compile(r" \(\d+(?:\.\d+)? m?s\)$")
_SUITE = re.compile(r"(?P<indent> {2,80})(?P<name>\S.*)$")
_SUITES = re.compile(r"Test Suites: +(?:\d+ \w+, )*\d+ (?:of \d+ )?total$")
_TESTS = re.compile(r"Tests: +(?P<counts>(?:\d+ \w+, )*\d+ total)$")
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_RAN = "Ran all test suites"
_PRINTED = re.compile(r"  console\.(?:log|error|warn|info|debug|trace|dir|time|assert|count)\b")
_SECTIONS = ("Test Suites: ", "Snapshot Summary", "Summary of all failing tests", "Ran all test suites", " › ")
_BROKEN = "Test suite failed to run"
_CONSOLE = "Console"
_AFTER = "afterAll"
"""How a file's own failure is called when its tests ran all the same."""
_PASSED, _SKIPPED = "✓√", "○✎"


@dataclass(slots=True)
class _File:
    path: str
    runner: str
    passes: bool
    heads: list[tuple[int, str, list[str]]] = field(default_factory=list)
    """(line, title, what is told below it)."""
    passed: list[str] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)
    """(line, test) of those listed as failed."""
    listed: bool = False
    untold: bool = False
    """Whether one of its tests is listed as skipped."""


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    files: list[_File] = field(default_factory=list)
    counts: dict[str, int] | None = None
    matching: bool = False
    """Whether it says that it was given a pattern."""


def read(page: Page) -> Findings:
    """Every run of jest in the output."""
    reader = _Reader(page.lines)
    for at, line in enumerate(page.lines):
        reader.take(at, line)
    found = Findings()
    runs = [run for run in reader.runs if run.counts is not None or any(_speaks(file) for file in run.files)]
    scope = scope_of(page, JEST) if len(runs) == 1 else None
    for run in runs:
        for file in run.files:
            found.failures += _failures(file)
        found.passes += [(run.last, each) for each in _passes(run, scope)]
        found.claimed.append((run.first, run.last + 1))
    return moved(found, page, JEST)


def _speaks(file: _File) -> bool:
    return bool(file.heads) or file.listed


class _Reader:
    """Goes through an output once, with the file it is in."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.runs: list[_Run] = []
        self.now: _Run | None = None
        self.file: _File | None = None
        self.told: list[str] | None = None
        """Where the lines below a headline go."""
        self.suites: list[tuple[int, str]] = []
        """(indent, name) of the suites the list of tests is in."""
        self.listing = False
        self.since = -1
        """Where something was printed before the file it belongs to."""

    def take(self, at: int, line: str) -> None:
        if line in (CUT, CLAIMED):
            self._leave()
        elif (found := _FILE.match(line)) is not None:
            self._enter(at, found)
        elif line.startswith(("Test Suites: ", "Tests: ", _RAN)):
            self._sum(at, line)
        elif line.startswith(_SECTIONS):
            self._leave()
        elif self.file is not None:
            self._inside(at, line)
        elif self.since < 0 and _PRINTED.match(line):
            self.since = at

    def _run(self, at: int) -> _Run:
        if self.now is None:
            self.now = _Run(self.since if self.since >= 0 else at, at)
            self.runs.append(self.now)
        self.now.last = at
        self.since = -1
        return self.now

    def _leave(self) -> None:
        self.file, self.told, self.listing = None, None, False

    def _enter(self, at: int, found: re.Match[str]) -> None:
        run = self._run(at)
        if run.counts is not None and found["word"]:
            self.now = None
            run = self._run(at)
        project = (found["project"] or "").strip()
        runner = f"{JEST}:{project}" if project else JEST
        self.file = _File(found["path"], runner, found["word"] == "PASS")
        run.files.append(self.file)
        self.told, self.suites, self.listing = None, [], True

    def _sum(self, at: int, line: str) -> None:
        self._leave()
        if _SUITES.match(line):
            self._run(at)
        elif (tests := _TESTS.match(line)) is not None:
            self._run(at).counts = {word: int(number) for number, word in _COUNT.findall(tests["counts"])}
        elif line.startswith(_RAN) and self.now is not None:
            self._run(at).matching = line != f"{_RAN}."
            self.now = None

    def _inside(self, at: int, line: str) -> None:
        assert self.file is not None
        head = _HEAD.match(line)
        if head is not None:
            self.told, self.listing = [], False
            self.file.heads.append((at, head[1], self.told))
            self._run(at)
        elif self.told is not None:
            self.told.append(line)
            if line:
                self._run(at)
        elif self.listing and (listed := _LISTED.match(line)) is not None:
            self._list(at, listed)
            self._run(at)
        elif self.listing and line:
            suite = _SUITE.match(line)
            self.listing = suite is not None
            if suite is not None:
                self._out_to(len(suite["indent"]))
                self.suites.append((len(suite["indent"]), suite["name"]))

    def _out_to(self, indent: int) -> None:
        while self.suites and self.suites[-1][0] >= indent:
            self.suites.pop()

    def _list(self, at: int, listed: re.Match[str]) -> None:
        assert self.file is not None
        self._out_to(len(listed["indent"]))
        self.file.listed = True
        if listed["mark"] in _SKIPPED:
            self.file.untold = True
            return
        names = [name for _, name in self.suites] + [_SPENT.sub("", listed["name"])]
        test = _test(self.file, SEPARATOR.join(names))
        if listed["mark"] in _PASSED:
            self.file.passed.append(test)
        else:
            self.file.failed.append((at, test))


def _failures(file: _File) -> list[tuple[int, Failure]]:
    """Each headline with what it tells; then what is only listed as failed."""
    found: list[tuple[int, Failure]] = []
    heads = [head for head in file.heads if head[1] != _CONSOLE]
    ran = file.listed or any(title != _BROKEN for _, title, _ in heads)
    for at, title, lines in heads if not file.passes else ():
        frames, message = told(lines)
        test = _test(file, title) if title != _BROKEN else _test(file, _AFTER) if ran else file.path
        found.append((at, Failure(file.runner, test, _nameless(frames), message)))
    told_of = {failure.test for _, failure in found}
    found += [(at, Failure(file.runner, test)) for at, test in file.failed if test not in told_of]
    return found


def _nameless(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Mapped back to the sources, a frame is called by the word at its place, which is no name of a function."""
    return tuple(dict.fromkeys(replace(frame, name="") for frame in frames))


def _test(file: _File, name: str) -> str:
    return f"{file.path}{SEPARATOR}{spelt(name)}"


def _passes(run: _Run, scope: Scope | None) -> list[Pass]:
    """Files that pass as a whole, else the tests they list; where no file is shown, what the command named."""
    failed = {file.path for file in run.files if not file.passes}
    skipped = _untold(run.counts)
    told: list[Pass] = []
    for runner in dict.fromkeys(file.runner for file in run.files):
        files = [file for file in run.files if file.runner == runner]
        sure = [file.path for file in files if file.path not in failed and _is_whole(file, skipped)]
        tests = [test for file in files if file.path not in sure for test in file.passed]
        vague = [file.path for file in files if file.passes and file.path not in sure and not file.listed]
        broken = {failure.test for file in files for _, failure in _failures(file)}
        told += [Pass(runner, FILES, (), tuple(dict.fromkeys(sure)))] if sure else []
        tests = [test for test in dict.fromkeys(tests) if test not in broken]
        told += [Pass(runner, TESTS, tuple(tests))] if tests else []
        told += [Pass(runner, FILES, (), tuple(dict.fromkeys(vague)), skipped)] if vague and skipped else []
    if told or failed or run.counts is None or run.counts.get("failed") or not run.counts.get("passed"):
        return told
    if scope is None or (run.matching and not scope.paths):
        return [Pass(JEST, UNKNOWN)]
    return scope.passes(JEST, skipped or 0)


def _is_whole(file: _File, skipped: int | None) -> bool:
    return not file.untold if file.listed else skipped == 0


def _untold(counts: dict[str, int] | None) -> int | None:
    """How many tests did not run or were expected to fail; None when nobody says."""
    return None if counts is None else counts.get("skipped", 0) + counts.get("todo", 0)
