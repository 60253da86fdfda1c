"""mocha, as it reports by default: which tests failed and where, and what passes.

Its list names no files. A test that failed is found through its own function in the stack; one that passes is known by
its name, and as in any of the files the command named. No run passes as a whole: one `only` in a file leaves all other
tests out, and nothing says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.javascript_commands import only_file
from ccos_core.intake.failures.javascript_runs import Block, path_of_body, read_runs
from ccos_core.intake.failures.javascript_stacks import SOURCE, name_test, parse_stack
from ccos_core.intake.failures.page import Findings, Page, Span, Walk
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Pass

MOCHA = "mocha"
SIGNS = (" passing",)

_PASSING = re.compile(r" {2}(?P<number>\d{1,9}) passing(?: \(\d+m?[sm]?\))?$")
_OTHERS = re.compile(r" {2}(?P<number>\d{1,9}) (?P<what>pending|failing)$")
_NUMBERED = re.compile(r" {2}(?P<number>\d{1,6}\)) (?P<name>\S.*)$")
_TITLE = re.compile(r"(?P<indent> {7,80})(?P<name>\S.*)$")
_LISTED = re.compile(r"(?P<indent> {2,80})(?P<mark>[✔✓√]|-|\d{1,6}\)) (?P<name>\S.*?)(?: \(\d+m?s\))?$")
_PASSED = "✔✓√"
_SUITE = re.compile(r"(?P<indent> {2,80})(?P<name>\S.*)$")
_HOOK = re.compile(r'"(?:before|after) each" hook(?:: [^"]{1,80})? for "(?P<name>.*)"$')
_BODY = ("Context.",)
_TIMEOUT = re.compile(rf"\((?P<path>[^()]{{1,400}}{SOURCE})\)$")
_MOST_TITLES = 20
_FIRST, _STEP = 5, 2  # columns the titles of a failure stand in, and how much each is further in


@dataclass(slots=True)
class _Run(Span):
    passed: list[tuple[str, ...]] = field(default_factory=list)
    others: set[tuple[str, ...]] = field(default_factory=set)  # what its list has as failed or pending
    passing: int = -1  # how many, once it says so
    failing: int = 0
    blocks: list[Block] = field(default_factory=list)  # the last name has a colon


def read(page: Page) -> Findings:
    """Every run of mocha in the output."""
    runs = [run for run in _Mocha(page.lines, _Run).walk() if run.passing >= 0]
    return read_runs(page, MOCHA, runs, _failures, _passes)


class _Mocha(Walk[_Run]):
    telling = False  # whether the failures of the current run are being told; else tests are being listed

    def interrupt(self, at: int) -> None:
        self.suites.clear()
        self.now, self.telling = (None if self.telling else self.now), False

    def take(self, at: int, line: str) -> None:
        if (passing := _PASSING.match(line)) is not None:
            self.now = None if self.telling else self.now
            self.run(at).passing = int(passing["number"])
            self.telling = True
            self.suites.clear()
        elif self.telling and self.now is not None:
            self._below(self.now, at, line)
        elif line.startswith("  "):
            self._list(at, line)

    def _list(self, at: int, line: str) -> None:
        found = _LISTED.match(line)
        suite = _SUITE.match(line) if found is None else None
        if found is not None:
            names = (*self.suites.above(len(found["indent"])), found["name"])
            run = self.run(at)
            if found["mark"] not in _PASSED:
                run.others.add(names)
            elif len(names) * _STEP == len(found["indent"]):
                run.passed.append(names)
        elif suite is not None:
            self.suites.open(len(suite["indent"]), suite["name"])

    def _below(self, run: _Run, at: int, line: str) -> None:
        """What stands below the number of those that pass."""
        other = _OTHERS.match(line)
        if other is not None and not run.blocks:
            run.failing = int(other["number"]) if other["what"] == "failing" else run.failing
            run.last = at
            return
        begun = _NUMBERED.match(line)
        if begun is not None and begun["number"] == f"{len(run.blocks) + 1})" and len(run.blocks) < run.failing:
            run.blocks.append(Block(at, [begun["name"]]))
        elif run.blocks:
            # titles, each further in than the one before, then what is told of the failure
            block = run.blocks[-1]
            title = _TITLE.match(line) if not block.lines and len(block.names) < _MOST_TITLES else None
            if title is None or len(title["indent"]) != _FIRST + _STEP * len(block.names):
                block.lines.append(line)
            else:
                block.names.append(title["name"])
        if run.blocks and line:
            run.last = at


def _failures(run: _Run, scope: Scope | None) -> list[tuple[int, Failure]]:
    found: list[tuple[int, Failure]] = []
    for block in run.blocks:
        if block.names[-1].endswith(":"):
            frames, message = parse_stack(block.lines)
            last = block.names[-1].removesuffix(":")
            hook = _HOOK.match(last)
            names = (*block.names[:-1], hook["name"] if hook is not None else last)
            path = only_file(scope) or path_of_body(block.lines, _BODY) or _path_of_timeout(block.lines)
            found.append((block.at, Failure(MOCHA, name_test(path, *names) if path else "", frames, message)))
    return found


def _path_of_timeout(lines: list[str]) -> str:
    over = (found["path"] for line in lines[:6] if "Timeout of " in line and (found := _TIMEOUT.search(line[:1_000])))
    return next(over, "")


def _passes(run: _Run, failures: list[Failure], scope: Scope | None) -> list[Pass]:
    failed = {failure.test for failure in failures}
    file = only_file(scope)
    if not file and (scope is None or scope.narrowed):
        return [Pass(MOCHA, UNKNOWN)] if run.passing and not run.failing else []
    names = dict.fromkeys(name_test(file, *names) for names in run.passed if names not in run.others)
    passed = tuple(name for name in names if name not in failed)
    paths = () if file or scope is None else scope.paths or (".",)
    return [Pass(MOCHA, TESTS, passed, paths)] if passed else []
