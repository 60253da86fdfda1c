"""mocha, as it reports by default: which tests failed and where, and what passes.

Its list names no files. A test that failed is found through its own function in the stack; one that passes is known by
its name, and as in any of the files the command named. No run passes as a whole: one `only` in a file leaves all other
tests out, and nothing says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.javascript_commands import only_file, scope_of
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.javascript_stacks import SEPARATOR, SOURCE, frame_of, spelt, told
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.python_scopes import Scope
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Pass

MOCHA = "mocha"
SIGNS = (" passing",)

_PASSING = re.compile(r" {2}(?P<number>\d{1,9}) passing(?: \(\d+m?[sm]?\))?$")
_OTHERS = re.compile(r" {2}(?P<number>\d{1,9}) (?P<what>pending|failing)$")
_NUMBERED = re.compile(r" {2}(?P<number>\d{1,6}\)) (?P<name>\S.*)$")
_TITLE = re.compile(r"(?P<indent> {7,80})(?P<name>\S.*)$")
_LISTED = re.compile(r"(?P<indent> {2,80})(?P<mark>[✔✓√]|-|\d{1,6}\)) (?P<name>\S.*?)(?: \(\d+m?s\))?$")
_SUITE = re.compile(r"(?P<indent> {2,80})(?P<name>\S.*)$")
_HOOK = re.compile(r'"(?:before|after) each" hook(?:: [^"]{1,80})? for "(?P<name>.*)"$')
_BODY = "Context."
_TIMEOUT = re.compile(rf"\((?P<path>[^()]{{1,400}}{SOURCE})\)$")
_MOST_TITLES = 20
_FIRST, _STEP = 5, 2
"""Columns the titles of a failure stand in, and how much each is further in."""
_PASSED = "✔✓√"


@dataclass(slots=True)
class _Block:
    at: int
    names: list[str]
    """The last of them with a colon."""
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    passing: int
    passed: list[tuple[str, ...]]
    others: set[tuple[str, ...]]
    """What its list has as failed or pending."""
    failing: int = 0
    blocks: list[_Block] = field(default_factory=list)


def read(page: Page) -> Findings:
    """Every run of mocha in the output."""
    found = Findings()
    if not any(_PASSING.match(line) for line in page.lines):
        return found
    reader = _Reader()
    for at, line in enumerate(page.lines):
        reader.take(at, line)
    scope = scope_of(page, MOCHA) if len(reader.runs) == 1 else None
    for run in reader.runs:
        failures = [_failure(block, only_file(scope)) for block in run.blocks if block.names[-1].endswith(":")]
        found.failures += failures
        failed = {failure.test for _, failure in failures}
        found.passes += [(run.last, each) for each in _passes(run, failed, scope)]
        found.claimed.append((run.first, run.last + 1))
    return moved(found, page, MOCHA)


class _Reader:
    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self.now: _Run | None = None
        """The run whose failures are being told."""
        self.suites: list[tuple[int, str]] = []
        self.passed: list[tuple[str, ...]] = []
        self.others: set[tuple[str, ...]] = set()
        self.first = -1
        """Where its list began."""

    def take(self, at: int, line: str) -> None:
        if line in (CLAIMED, CUT):
            self.suites, self.now = [], None
        elif (passing := _PASSING.match(line)) is not None:
            first = self.first if self.first >= 0 else at
            self.now = _Run(first, at, int(passing["number"]), self.passed, self.others)
            self.runs.append(self.now)
            self.passed, self.others, self.suites, self.first = [], set(), [], -1
        elif self.now is None:
            self._list(at, line)
        else:
            self._below(self.now, at, line)

    def _list(self, at: int, line: str) -> None:
        if not line.startswith("  "):
            return
        found = _LISTED.match(line)
        suite = _SUITE.match(line) if found is None else None
        if found is not None:
            self._out_to(len(found["indent"]))
            self.first = at if self.first < 0 else self.first
            names = (*(name for _, name in self.suites), found["name"])
            if found["mark"] not in _PASSED:
                self.others.add(names)
            elif len(names) * _STEP == len(found["indent"]):
                self.passed.append(names)
        elif suite is not None:
            self._out_to(len(suite["indent"]))
            self.suites.append((len(suite["indent"]), suite["name"]))

    def _out_to(self, indent: int) -> None:
        while self.suites and self.suites[-1][0] >= indent:
            self.suites.pop()

    def _below(self, run: _Run, at: int, line: str) -> None:
        """What stands below the number of those that pass."""
        other = _OTHERS.match(line)
        if other is not None and not run.blocks:
            run.failing = int(other["number"]) if other["what"] == "failing" else run.failing
            run.last = at
            return
        begun = _NUMBERED.match(line)
        if begun is not None and begun["number"] == f"{len(run.blocks) + 1})" and len(run.blocks) < run.failing:
            run.blocks.append(_Block(at, [begun["name"]]))
        elif run.blocks:
            self._in_block(run.blocks[-1], line)
        if run.blocks and line:
            run.last = at

    def _in_block(self, block: _Block, line: str) -> None:
        """Its titles, each further in than the one before, then what is told of it."""
        title = _TITLE.match(line) if not block.lines and len(block.names) < _MOST_TITLES else None
        if title is None or len(title["indent"]) != _FIRST + _STEP * len(block.names):
            block.lines.append(line)
        else:
            block.names.append(title["name"])


def _failure(block: _Block, file: str) -> tuple[int, Failure]:
    frames, message = told(block.lines)
    last = block.names[-1].removesuffix(":")
    hook = _HOOK.match(last)
    names = [*block.names[:-1], hook["name"] if hook is not None else last]
    path = file or _path_of(block.lines)
    return block.at, Failure(MOCHA, _name(path, tuple(names)) if path else "", frames, message)


def _path_of(lines: list[str]) -> str:
    """The file of the test's own function, where its stack reaches down to it or its time was over."""
    bodies = [frame for line in lines if _BODY in line and (frame := frame_of(line)) is not None]
    over = [found["path"] for line in lines[:6] if "Timeout of " in line and (found := _TIMEOUT.search(line[:1_000]))]
    return bodies[-1].path if bodies else over[0] if over else ""


def _name(path: str, names: tuple[str, ...]) -> str:
    return SEPARATOR.join((path, *(spelt(each) for each in names)))


def _passes(run: _Run, failed: set[str], scope: Scope | None) -> list[Pass]:
    file = only_file(scope)
    known = scope is not None and not scope.narrowed
    if not file and not known:
        return [Pass(MOCHA, UNKNOWN)] if run.passing and not run.failing else []
    names = dict.fromkeys(_name(file, names) for names in run.passed if names not in run.others)
    passed = tuple(name for name in names if name not in failed)
    paths = () if file or scope is None else scope.paths or (".",)
    return [Pass(MOCHA, TESTS, passed, paths)] if passed else []
