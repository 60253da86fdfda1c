"""node's own test runner, as it reports to people (`spec`) and in TAP: which tests failed and where, and what passes.

The tree has the names with all the suites they are in, the section at its end the places; a line of both is the same
to the last digit of its time. In TAP each test has what it has to say in a block below. No line says which file a test
that passes is in: so it is known by name only where the command gave a single file, and else the run passes as a whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import javascript_node
from ccos_core.intake.failures.arguments import Scope, passes_of_scope
from ccos_core.intake.failures.javascript_commands import NODE_TEST, only_file
from ccos_core.intake.failures.javascript_node import Crashes
from ccos_core.intake.failures.javascript_runs import path_of_body, read_runs
from ccos_core.intake.failures.javascript_stacks import SOURCE, name_test, parse_stack
from ccos_core.intake.failures.page import Findings, Page, Span, Walk
from ccos_core.values.outcome import ARROW, TESTS, Failure, Pass

SIGNS = ("ℹ tests ", "✖ failing tests:", "Failed tests:")
TAP_SIGNS = ("# Subtest: ",)

_LINE = re.compile(r"(?P<indent> *)(?P<mark>[✔✖﹣⚠]) (?P<name>\S.*) \(\d[\d.]*ms\)(?P<note> # .*)?$")
_SUITE = re.compile(r"(?P<indent> *)▶ (?P<name>\S.*)$")
_MARKS = ("✔", "✖", "﹣", "⚠")
_SECTION = re.compile(r"✖ failing tests:$|Failed tests:$")
_AT = re.compile(r"test at (?P<path>\S.*):\d{1,9}:\d{1,9}$")
_SUMS = "(?P<what>tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (?P<number>\\d{1,9})"
_SUM, _TAP_SUM = re.compile("ℹ " + _SUMS), re.compile("# " + _SUMS)
_BODY = ("TestContext.<anonymous>", "SuiteContext.<anonymous>")
_FILE = re.compile(rf"{SOURCE}$")
_SUBTESTS = re.compile(r"'\d+ subtests? failed'$")
_SECTION_DISTANCE = 3  # lines between the sum and the section of what failed
_STEP, _TAP_STEP = 2, 4  # columns a test stands further in than its suite
_UNSEEN = "…"  # stands for the suites of a test where the tree that would name them is missing
_TAP_BEGIN = re.compile(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_TAP_LINE = re.compile(r"(?P<indent> *)(?P<word>ok|not ok) \d+(?: - (?P<name>.*?))?(?P<note> # (?:SKIP|TODO)\b.*)?$")
_TAP_FIELD = re.compile(r" *(?P<key>\w+): (?P<value>.*)$")
_TAP_ESCAPED = re.compile(r"\\([\\#])")
_TAP_PLACE = re.compile(r"(?P<path>.*?)(?::\d{1,9}){2}$")


@dataclass(slots=True)
class _Test:
    """One line of the tree, or of the section below it."""

    at: int
    names: tuple[str, ...]  # with its suites, outermost first
    passed: bool
    note: str = ""  # why it was skipped, or is still to be done
    suite: bool = False
    path: str = ""
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Run(Span):
    tests: list[_Test] = field(default_factory=list)
    failing: list[_Test] | None = None
    counts: dict[str, int] = field(default_factory=dict)
    failed_lines: dict[str, _Test] = field(default_factory=dict)  # of the tree, by their words and time
    timed: bool = False
    holding: set[int] = field(default_factory=set)  # which of the open suites hold tests, in TAP


def read(page: Page) -> Findings:
    """Every run of it in the output."""
    walked = _Spec(page.lines, _Run).walk()
    runs = [run for run in walked if "tests" in run.counts or run.failing is not None]
    crashes = Crashes(javascript_node.find_traces(page.lines) if runs else [])
    claimed: list[tuple[int, int]] = []

    def failures_of(run: _Run, scope: Scope | None) -> list[tuple[int, Failure]]:
        failures = _failures(run.tests if run.failing is None else run.failing, only_file(scope), crashes)
        told = [crashes.of(failure.test) for _, failure in failures if ARROW not in failure.test]
        claimed.extend((crash.first, crash.last + 1) for crash in told if crash is not None)
        return failures

    found = read_runs(page, NODE_TEST, runs, failures_of, _passes)
    found.claimed += claimed
    return found


def read_tap(page: Page) -> Findings:
    """The one run of it in the output, where the lines have node's own marks: others speak TAP too."""
    if not any(line.startswith("# Subtest: ") for line in page.lines):
        return Findings()

    def failures_of(run: _Run, scope: Scope | None) -> list[tuple[int, Failure]]:
        commented = [line.removeprefix("# ") for line in page.lines[run.first : run.last + 1]]
        return _failures(run.tests, only_file(scope), Crashes(javascript_node.find_traces(commented)), bare=True)

    runs = [run for run in _Tap(page.lines, _Run).walk() if run.timed]
    return read_runs(page, NODE_TEST, runs, failures_of, _passes)


class _Spec(Walk[_Run]):
    test: _Test | None = None
    path = ""

    def interrupt(self, at: int) -> None:
        self.test = None
        self.suites.clear()

    def take(self, at: int, line: str) -> None:
        if line[:1] == "ℹ" and (total := _SUM.match(line)) is not None:
            self.test = None
            self.run(at).counts[total["what"]] = int(total["number"])
        elif _SECTION.match(line):
            self.run(at).failing = []
            self.interrupt(at)
        elif line.startswith("test at ") and (place := _AT.match(line)) is not None:
            self.path, self.test = place["path"], None
            if self.now is not None:
                self.now.last = at
        elif line.lstrip(" ")[:1] in _MARKS and (found := _LINE.match(line)) is not None:
            self._line(at, found)
        elif "▶ " in line and (suite := _SUITE.match(line)) is not None:
            self.run(at)
            self.suites.open(len(suite["indent"]), suite["name"])
            self.test = None
        elif self.test is not None and line and not line.startswith(" "):
            self.test = None
        elif self.test is not None:
            self.test.lines.append(line)
            if line and self.now is not None:
                self.now.last = at

    def run(self, at: int, first: int = -1) -> _Run:
        run = self.now  # it is over when it has told its sum, and the section of what failed doesn't follow
        if run and "duration_ms" in run.counts and run.failing is None and at - run.last > _SECTION_DISTANCE:
            self.now = None
        return super().run(at)

    def _line(self, at: int, found: re.Match[str]) -> None:
        run = self.run(at)
        indent, name = len(found["indent"]), found["name"]
        suite = bool(self.suites) and self.suites[-1] == (indent, name)
        names = _full_name(self.suites.above(indent), name, indent // _STEP)
        self.test = _Test(at, names, found["mark"] == "✔", found["note"] or "", suite, self.path)
        self.path = ""
        if run.failing is None:
            run.tests.append(self.test)
            if found["mark"] == "✖":
                run.failed_lines[found[0].strip()] = self.test
            return
        before = run.failed_lines.get(found[0].strip())  # the same test as in the tree, now with its place
        if before is not None:
            self.test.names, self.test.suite = before.names, before.suite
        elif not _is_file(self.test):
            self.test.names = (_UNSEEN, *self.test.names)
        run.failing.append(self.test)


class _Tap(Walk[_Run]):
    block = -1  # the indent of the block that is being told
    key = ""

    def interrupt(self, at: int) -> None:
        self.block = -1
        self.suites.clear()

    def take(self, at: int, line: str) -> None:
        tests = self.now.tests if self.now is not None else []
        if self.block >= 0:
            self._in_block(self.run(at), line)
        elif (begun := _TAP_BEGIN.match(line)) is not None:
            self._begin(self.run(at), begun)
        elif (found := _TAP_LINE.match(line)) is not None:
            if self.now is not None and found["name"] is not None:
                self._line(at, found)
        elif line.strip() == "---" and tests and at == tests[-1].at + 1:
            self.block, self.key = len(line) - 3, ""
        elif (total := _TAP_SUM.match(line)) is not None and self.now is not None:
            self.run(at).counts[total["what"]] = int(total["number"])
        elif line.startswith("TAP version "):
            self.run(at)

    def _begin(self, run: _Run, begun: re.Match[str]) -> None:
        depth = len(self.suites.above(len(begun["indent"])))
        run.holding = (run.holding | {depth - 1}) - {depth}
        self.suites.append((len(begun["indent"]), _unescape(begun["name"])))

    def _line(self, at: int, found: re.Match[str]) -> None:
        run, indent, name = self.run(at), len(found["indent"]), _unescape(found["name"])
        holds = bool(self.suites) and self.suites[-1][0] == indent and len(self.suites) - 1 in run.holding
        names = _full_name(self.suites.above(indent), name, indent // _TAP_STEP)
        run.tests.append(_Test(at, names, found["word"] == "ok", found["note"] or "", holds))

    def _in_block(self, run: _Run, line: str) -> None:
        """The fields of a test; its error and its stack are kept, in the order they are told."""
        test = run.tests[-1]
        indent = len(line) - len(line.lstrip())
        if indent <= self.block and line.strip() == "...":
            self.block = -1
            return
        found = _TAP_FIELD.match(line) if indent == self.block else None
        if found is None:
            test.lines += [line] if self.key in ("error", "stack") and line else []
            return
        self.key, value = found["key"], found["value"]
        run.timed = run.timed or self.key == "duration_ms"
        if self.key == "location" and (place := _TAP_PLACE.match(value.strip("'"))) is not None:
            test.path = place["path"]
        elif self.key == "error" and not value.startswith(("|", ">")):
            test.lines.append(value)


def _unescape(name: str) -> str:
    return _TAP_ESCAPED.sub(r"\1", name).strip()


def _full_name(suites: list[str], name: str, depth: int) -> tuple[str, ...]:
    """The whole name of a test that stands so deep; where its suites were not seen, a mark in their stead."""
    return (*suites, name) if len(suites) == depth else (_UNSEEN, name)


def _failures(tests: list[_Test], file: str, crashes: Crashes, bare: bool = False) -> list[tuple[int, Failure]]:
    """What failed by itself: neither for what it holds, nor although it was expected to."""
    found: list[tuple[int, Failure]] = []
    for test in tests:
        said = next((line.strip() for line in test.lines if line.strip()), "")
        if not (test.passed or test.note or _SUBTESTS.match(said) or (test.suite and not said)):
            found.append((test.at, _failure(test, file, crashes, bare)))
    return found


def _failure(test: _Test, file: str, crashes: Crashes, bare: bool) -> Failure:
    frames, message = parse_stack(test.lines, bare)
    if _is_file(test):
        name = test.names[0]
        crash = crashes.of(name) if not frames else None
        frames, message = crash.parse() if crash is not None else (frames, message)
    else:
        path = test.path or file or path_of_body(test.lines, _BODY, bare)
        name = name_test(path, *test.names) if path else ""
    quoted = len(message) > 1 and message[0] in "'\"`" and message[-1] == message[0]
    return Failure(NODE_TEST, name, frames, message[1:-1] if quoted else message)


def _is_file(test: _Test) -> bool:
    """Whether what failed is a whole file: then that is the name."""
    name = test.names[0]
    if len(test.names) > 1 or _FILE.search(name) is None:
        return False
    return "/" in name or "\\" in name or name == test.path


def _passes(run: _Run, failures: list[Failure], scope: Scope | None) -> list[Pass]:
    """By name where there is but one file to be in, as a whole where nothing failed."""
    failed = {failure.test for failure in failures}
    file, counts = only_file(scope), run.counts
    untold = counts.get("skipped", 0) + counts.get("todo", 0)
    sound = "fail" in counts and not failed and not counts["fail"] and not counts.get("cancelled")
    whole = sound and bool(counts.get("pass")) and scope is not None and not scope.narrowed
    if file and not (whole and not untold):
        plain = [test for test in run.tests if test.passed and not test.note and not test.suite]
        names = dict.fromkeys(name_test(file, *test.names) for test in plain if _UNSEEN not in test.names)
        passed = tuple(name for name in names if name not in failed)
        return [Pass(NODE_TEST, TESTS, passed)] if passed else []
    return passes_of_scope(scope, NODE_TEST, untold) if sound and counts.get("pass") else []
