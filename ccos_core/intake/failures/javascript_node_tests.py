"""node's own test runner, as it reports to people (`spec`): which tests failed and where, and what passes.

The tree has the names with all the suites they are in, the section at its end the places; a line of both is the same
to the last digit of its time. No line says which file a test that passes is in: so it is known by name only where the
command gave a single file, and else the run passes as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import javascript_node
from ccos_core.intake.failures.javascript_commands import NODE_TEST, only_file, scope_of
from ccos_core.intake.failures.javascript_node import Crashes
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.javascript_stacks import SEPARATOR, SOURCE, frame_of, spelt, told
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.python_scopes import Scope
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Pass

SIGNS = ("ℹ tests ", "✖ failing tests:", "Failed tests:")
_LINE = re.compile(r"(?P<indent> *)(?P<mark>[✔✖﹣⚠]) (?P<name>\S.*) \(\d[\d.]*ms\)(?P<note> # .*)?$")
_SUITE = re.compile(r"(?P<indent> *)▶ (?P<name>\S.*)$")
_MARKS = ("✔", "✖", "﹣", "⚠")
_SECTION = re.compile(r"✖ failing tests:$|Failed tests:$")
_AT = re.compile(r"test at (?P<path>\S.*):\d{1,9}:\d{1,9}$")
_SUM = re.compile(r"ℹ (?P<what>tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (?P<number>\d{1,9})")
_BODY = ("TestContext.<anonymous>", "SuiteContext.<anonymous>")
_FILE = re.compile(rf"{SOURCE}$")
_SUBTESTS = re.compile(r"'\d+ subtests? failed'$")
_NEAR = 3
"""Lines between the sum and the section of what failed."""
_STEP = 2
"""Columns a test stands further in than its suite."""
UNSEEN = "…"
"""Stands for the suites of a test where the tree that would name them is missing."""


@dataclass(slots=True)
class Test:
    """One line of the tree, or of the section below it."""

    at: int
    names: tuple[str, ...]
    """With its suites, outermost first."""
    passed: bool
    note: str = ""
    """Why it was skipped, or is still to be done."""
    suite: bool = False
    path: str = ""
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    tests: list[Test] = field(default_factory=list)
    failing: list[Test] | None = None
    counts: dict[str, int] = field(default_factory=dict)
    keys: dict[str, Test] = field(default_factory=dict)
    """Each failed line of the tree, by its words and its time."""


def read(page: Page) -> Findings:
    """Every run of it in the output."""
    reader = _Reader()
    for at, line in enumerate(page.lines):
        reader.take(at, line)
    found = Findings()
    runs = [run for run in reader.runs if "tests" in run.counts or run.failing is not None]
    scope = scope_of(page, NODE_TEST) if len(runs) == 1 else None
    crashes = Crashes(javascript_node.traces(page.lines) if runs else [])
    for run in runs:
        tests = run.tests if run.failing is None else run.failing
        failures = failures_of(tests, only_file(scope), crashes)
        found.failures += failures
        passes = passes_of(run.tests, run.counts, {failure.test for _, failure in failures}, scope)
        found.passes += [(run.last, each) for each in passes]
        found.claimed.append((run.first, run.last + 1))
        for crash in [crashes.of(failure.test) for _, failure in failures if SEPARATOR not in failure.test]:
            found.claimed += [(crash.first, crash.last + 1)] if crash is not None else []
    return moved(found, page, NODE_TEST)


class _Reader:
    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self.now: _Run | None = None
        self.open: list[tuple[int, str]] = []
        """(indent, name) of the suites that have begun."""
        self.test: Test | None = None
        self.path = ""

    def take(self, at: int, line: str) -> None:
        if line in (CLAIMED, CUT):
            self.test, self.open = None, []
        elif line[:1] == "ℹ" and (total := _SUM.match(line)) is not None:
            self.test = None
            self._run(at).counts[total["what"]] = int(total["number"])
        elif _SECTION.match(line):
            self._run(at).failing = []
            self.test, self.open = None, []
        elif line.startswith("test at ") and (place := _AT.match(line)) is not None:
            self.path, self.test = place["path"], None
            if self.now is not None:
                self.now.last = at
        elif line.lstrip(" ")[:1] in _MARKS and (found := _LINE.match(line)) is not None:
            self._line(at, found)
        elif "▶ " in line and (suite := _SUITE.match(line)) is not None:
            self._suite(at, suite)
        elif self.test is not None:
            self._below(self.test, at, line)

    def _run(self, at: int) -> _Run:
        if self.now is None or self._is_over(self.now, at):
            self.now = _Run(at, at)
            self.runs.append(self.now)
        self.now.last = at
        return self.now

    def _is_over(self, run: _Run, at: int) -> bool:
        """Whether the run has told its sum, and the section of what failed doesn't follow."""
        return "duration_ms" in run.counts and run.failing is None and at - run.last > _NEAR

    def _suite(self, at: int, found: re.Match[str]) -> None:
        self._run(at)
        self._out_to(len(found["indent"]))
        self.open.append((len(found["indent"]), found["name"]))
        self.test = None

    def _line(self, at: int, found: re.Match[str]) -> None:
        run = self._run(at)
        indent, name = len(found["indent"]), found["name"]
        suite = bool(self.open) and self.open[-1] == (indent, name)
        if not suite:
            self._out_to(indent)
        names = named([each for _, each in self.open[: -1 if suite else None]], name, indent // _STEP)
        self.test = Test(at, names, found["mark"] == "✔", found["note"] or "", suite, self.path)
        if run.failing is not None:
            self._failing(run, self.test, found)
        else:
            self._tree(run, self.test, found)
        if suite:
            self.open.pop()
        self.path = ""

    def _tree(self, run: _Run, test: Test, found: re.Match[str]) -> None:
        run.tests.append(test)
        if found["mark"] == "✖":
            run.keys[found[0].strip()] = test

    def _failing(self, run: _Run, test: Test, found: re.Match[str]) -> None:
        """The same test as in the tree, now with its place."""
        assert run.failing is not None
        before = run.keys.get(found[0].strip())
        if before is not None:
            test.names, test.suite = before.names, before.suite
        elif not _is_file(test):
            test.names = (UNSEEN, *test.names)
        run.failing.append(test)

    def _out_to(self, indent: int) -> None:
        while self.open and self.open[-1][0] >= indent:
            self.open.pop()

    def _below(self, test: Test, at: int, line: str) -> None:
        if line and not line.startswith(" "):
            self.test = None
            return
        test.lines.append(line)
        if line and self.now is not None:
            self.now.last = at


def named(suites: list[str], name: str, deep: int) -> tuple[str, ...]:
    """The whole name of a test that stands so deep; where its suites were not seen, a mark in their stead."""
    return (*suites, name) if len(suites) == deep else (UNSEEN, name)


def failures_of(tests: list[Test], file: str, crashes: Crashes, bare: bool = False) -> list[tuple[int, Failure]]:
    """What failed by itself: neither for what it holds, nor although it was expected to."""
    found: list[tuple[int, Failure]] = []
    for test in tests:
        said = [line.strip() for line in test.lines if line.strip()]
        if test.passed or test.note or (said and _SUBTESTS.match(said[0])) or (test.suite and not said):
            continue
        found.append((test.at, _failure(test, file, crashes, bare)))
    return found


def passes_of(tests: list[Test], counts: dict[str, int], failed: set[str], scope: Scope | None) -> list[Pass]:
    """By name where there is but one file to be in, as a whole where nothing failed."""
    file = only_file(scope)
    untold = counts.get("skipped", 0) + counts.get("todo", 0)
    sound = "fail" in counts and not failed and not counts["fail"] and not counts.get("cancelled")
    whole = sound and bool(counts.get("pass")) and scope is not None and not scope.narrowed
    if file and not (whole and not untold):
        plain = [test for test in tests if test.passed and not test.note and not test.suite]
        names = [_name(file, test.names) for test in plain if UNSEEN not in test.names]
        passed = tuple(dict.fromkeys(name for name in names if name not in failed))
        return [Pass(NODE_TEST, TESTS, passed)] if passed else []
    if not sound or not counts.get("pass"):
        return []
    return scope.passes(NODE_TEST, untold) if scope is not None else [Pass(NODE_TEST, UNKNOWN)]


def _failure(test: Test, file: str, crashes: Crashes, bare: bool) -> Failure:
    frames, message = told(test.lines, bare)
    if _is_file(test):
        crash = crashes.of(test.names[0]) if not frames else None
        frames, message = crash.told() if crash is not None else (frames, message)
        return Failure(NODE_TEST, test.names[0], frames, _unquoted(message))
    path = test.path or file or _path_of_body(test.lines, bare)
    return Failure(NODE_TEST, _name(path, test.names) if path else "", frames, _unquoted(message))


def _name(path: str, names: tuple[str, ...]) -> str:
    return SEPARATOR.join((path, *(spelt(each) for each in names)))


def _is_file(test: Test) -> bool:
    """Whether what failed is a whole file: then that is the name."""
    name = test.names[0]
    if len(test.names) > 1 or _FILE.search(name) is None:
        return False
    return "/" in name or "\\" in name or name == test.path


def _path_of_body(lines: list[str], bare: bool) -> str:
    """The file of the test's own function, where its stack reaches down to it."""
    bodies = [frame for line in lines if any(b in line for b in _BODY) and (frame := frame_of(line, bare)) is not None]
    return bodies[-1].path if bodies else ""


def _unquoted(message: str) -> str:
    quoted = len(message) > 1 and message[0] in "'\"`" and message[-1] == message[0]
    return message[1:-1] if quoted else message
