"""unittest and all that speak like it: Django's test runner, nose, scripts that run their own tests.

They share one form and one kind of name, `module.Class.test`, so they are one runner here: what fails in one passes in
the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import python, python_doctest
from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.python_scopes import unittest_scope
from ccos_core.values.outcome import TESTS, UNKNOWN, Failure, Frame, Pass

UNITTEST = "unittest"
SIGNS = ("FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: ", "Ran ", "... ok", "ok\n")

_HEAD = re.compile(r"\s*(FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$")
_THIN = re.compile(r"\s*-{60,}$")
_THICK = re.compile(r"\s*={60,}$")
_RAN = re.compile(r"\s*Ran (\d{1,9}) tests? in [\d.]+ ?s$")
_VERDICT = re.compile(r"\s*(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$")
_NAME = re.compile(r"(?P<name>[^\s(]+) \((?P<owner>[\w.<>]+)\)(?P<part> (?:\[.*\]|\(.*\)).*)?$")
_NOSE = re.compile(r"[A-Za-z_][\w]*(?:\.\w+)+(?:\(.*\))?$")
_OUTCOME = re.compile(r"(.*?) ?\.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)$")
_ALONE = {"ok", "FAIL", "ERROR"}
_LOADER = "unittest.loader._FailedTest"
_WHOLES = {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}
_NEAR = 4
"""Lines between the name of a failure and the rule below it."""
_COUNT = re.compile(r"([a-z ]+)=(\d{1,9})")


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    ran: int | None = None
    verdict: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def read(page: Page) -> Findings:
    """Every run of such a kind in the output."""
    reader = _Reader(page)
    while reader.at < len(page.lines):
        reader.step()
    found = Findings()
    runs = reader.runs
    scope = unittest_scope(page.command) if len(runs) == 1 else None
    for run in runs:
        found.failures += run.failures
        found.passes += [(run.last, each) for each in _passes(run, scope)]
        found.claimed.append((run.first, run.last + 1))
    return found


class _Reader:
    def __init__(self, page: Page) -> None:
        self.lines = page.lines
        scope = unittest_scope(page.command)
        self.labels = scope.tests if scope is not None else ()
        self.runs: list[_Run] = []
        self.now: _Run | None = None
        self.pending = ""
        self.at = 0

    def step(self) -> None:
        line = self.lines[self.at]
        if line in ("", CLAIMED, CUT):
            self.pending = "" if line else self.pending
            self.at += 1
        elif (head := _HEAD.match(line)) is not None and self._is_ruled():
            self._failure(head)
        elif (ran := _RAN.match(line)) is not None:
            self._closing(int(ran[1]))
        else:
            self._result(line)
            self.at += 1

    def _run(self) -> _Run:
        if self.now is None:
            self.now = _Run(self.at, self.at)
            self.runs.append(self.now)
        self.now.last = max(self.now.last, self.at)
        return self.now

    def _is_ruled(self) -> bool:
        """Whether a rule stands below this name, before or after its description."""
        near = self.lines[self.at + 1 : self.at + 1 + _NEAR]
        return any(_THIN.match(line) or _THICK.match(line) for line in near)

    def _failure(self, head: re.Match[str]) -> None:
        run, start = self._run(), self.at
        end = self._end_of_block(start + 1)
        frames, message = _body(self.lines, start + 1, end)
        test, part = _named(head[2], self.labels)
        if head[1] == "UNEXPECTED SUCCESS":
            message = "unexpected success"
        run.failures.append((start, Failure(UNITTEST, test, frames, message, part)))
        self.at = end
        run.last = end - 1

    def _end_of_block(self, start: int) -> int:
        lines = self.lines
        for at in range(start, len(lines)):
            if _THICK.match(lines[at]) or _RAN.match(lines[at]) or lines[at] == CLAIMED:
                ruled = at > start and _RAN.match(lines[at]) and _THIN.match(lines[at - 1])
                return at - 1 if ruled else at
            if _HEAD.match(lines[at]) and at + 1 < len(lines) and _THIN.match(lines[at + 1]):
                return at
        return len(lines)

    def _closing(self, ran: int) -> None:
        run = self._run()
        run.ran = ran
        self.at += 1
        for ahead in range(self.at, min(self.at + _NEAR, len(self.lines))):
            verdict = _VERDICT.match(self.lines[ahead])
            if verdict is not None:
                run.verdict = verdict[1]
                run.counts = {word.strip(): int(number) for word, number in _COUNT.findall(verdict[2] or "")}
                self.at = ahead
                self._run()
                self.at += 1
                break
        self.now, self.pending = None, ""

    def _result(self, line: str) -> None:
        """`test_a (m.T.test_a) ... ok`, also with a description or something printed in between."""
        text = line.strip()
        outcome = _OUTCOME.match(text) if "... " in text else None
        if outcome is not None:
            test = _test_in(outcome[1]) or self.pending
            if outcome[2] == "ok" and test:
                self._run().passed.append(test)
            self.pending = ""
        elif text in _ALONE:
            if text == "ok" and self.pending:
                self._run().passed.append(self.pending)
            self.pending = ""
        elif " (" in text and text[:1].isidentifier():
            self.pending = _test_in(text.partition(" ... ")[0]) or self.pending


def _body(lines: list[str], start: int, end: int) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the first traceback; of a doctest, those of its example."""
    examples = python_doctest.starts(lines, start, end)
    if examples:
        return python_doctest.told(lines, examples[0], end)
    found = python.traces(lines, start, end)
    return (found[0].frames, found[0].message) if found else ((), "")


def _named(said: str, given: tuple[str, ...]) -> tuple[str, str]:
    """(test, part) of what stands behind FAIL."""
    found = _NAME.match(said.strip())
    if found is None:
        return (said.strip() if _NOSE.match(said.strip()) else "", "")
    name, owner, part = found["name"], found["owner"], (found["part"] or "").strip()
    if owner.startswith(_LOADER):
        return _loaded(name, given), ""
    if name in _WHOLES:
        return owner, ""
    whole = owner if owner == name or owner.endswith("." + name) else f"{owner}.{name}"
    return whole, part


def _loaded(name: str, given: tuple[str, ...]) -> str:
    """A module that can't be imported is called by its last name alone; the command knows the others."""
    for label in given:
        parts = label.split(".")
        if "." not in name and name in parts:
            return ".".join(parts[: parts.index(name) + 1])
    return name


def _test_in(said: str) -> str:
    said = said.strip()
    found = _NAME.match(said)
    if found is None:
        return said if _NOSE.match(said) else ""
    return "" if found["part"] else _named(said, ())[0]


def _passes(run: _Run, scope: Scope | None) -> list[Pass]:
    failed = {failure.test for _, failure in run.failures}
    tests = tuple(dict.fromkeys(test for test in run.passed if test not in failed))
    told = [Pass(UNITTEST, TESTS, tests)] if tests else []
    if run.verdict != "OK" or failed or not run.ran:
        return told
    untold = run.counts.get("skipped", 0) + run.counts.get("expected failures", 0)
    if len(tests) >= run.ran - untold:
        return told
    return told + (scope.passes(UNITTEST, untold) if scope is not None else [Pass(UNITTEST, UNKNOWN)])
