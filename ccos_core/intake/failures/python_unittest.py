"""unittest and all that speak like it: Django's test runner, nose, scripts that run their own tests.

They share one form and one kind of name, `module.Class.test`, so they are one runner here: what fails in one passes in
the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import python
from ccos_core.intake.failures.arguments import Scope, passes_of_scope
from ccos_core.intake.failures.page import CLAIMED, Findings, Page, Span, Walk
from ccos_core.intake.failures.python_scopes import unittest_scope
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

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
_LOADER = "unittest.loader._FailedTest"
_WHOLES = {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}
_RULE_DISTANCE = 4  # lines between the name of a failure and the rule below it
_COUNT = re.compile(r"([a-z ]+)=(\d{1,9})")


@dataclass(slots=True)
class _Run(Span):
    failures: list[tuple[int, Failure]] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    ran: int | None = None
    verdict: str = ""
    counts: dict[str, int] = field(default_factory=dict)


def read(page: Page) -> Findings:
    """Every run of such a kind in the output."""
    scope = unittest_scope(page.command)
    reader = _Unittest(page.lines, _Run)
    reader.labels = scope.tests if scope is not None else ()
    runs = reader.walk()
    found = Findings()
    for run in runs:
        found.add_run(run, run.failures, _passes(run, scope if len(runs) == 1 else None))
    return found


class _Unittest(Walk[_Run]):
    labels: tuple[str, ...] = ()  # the names the command gave
    pending = ""  # a test that has begun and whose result will follow
    behind = 0  # the line behind what has been read

    def interrupt(self, at: int) -> None:
        self.pending = self.pending if at < self.behind else ""

    def take(self, at: int, line: str) -> None:
        if at < self.behind or not line:
            return
        if (head := _HEAD.match(line)) is not None and self._is_ruled(at):
            self._failure(at, head)
        elif (ran := _RAN.match(line)) is not None:
            self._close(at, int(ran[1]))
        else:
            self._result(at, line.strip())

    def _is_ruled(self, at: int) -> bool:
        """Whether a rule stands below this name, before or after its description."""
        near = self.lines[at + 1 : at + 1 + _RULE_DISTANCE]
        return any(_THIN.match(line) or _THICK.match(line) for line in near)

    def _failure(self, at: int, head: re.Match[str]) -> None:
        run, self.behind = self.run(at), self._end_of_block(at + 1)
        frames, message = _parse_body(self.lines, at + 1, self.behind)
        test, part = _parse_name(head[2], self.labels)
        message = "unexpected success" if head[1] == "UNEXPECTED SUCCESS" else message
        run.failures.append((at, Failure(UNITTEST, test, frames, message, part)))
        run.last = self.behind - 1

    def _end_of_block(self, start: int) -> int:
        lines = self.lines
        for at in range(start, len(lines)):
            if _THICK.match(lines[at]) or _RAN.match(lines[at]) or lines[at] == CLAIMED:
                ruled = at > start and _RAN.match(lines[at]) and _THIN.match(lines[at - 1])
                return at - 1 if ruled else at
            if _HEAD.match(lines[at]) and at + 1 < len(lines) and _THIN.match(lines[at + 1]):
                return at
        return len(lines)

    def _close(self, at: int, ran: int) -> None:
        run = self.run(at)
        run.ran = ran
        for ahead in range(at + 1, min(at + 1 + _RULE_DISTANCE, len(self.lines))):
            verdict = _VERDICT.match(self.lines[ahead])
            if verdict is not None:
                run.verdict = verdict[1]
                run.counts = {word.strip(): int(number) for word, number in _COUNT.findall(verdict[2] or "")}
                run.last, self.behind = max(run.last, ahead), ahead + 1
                break
        self.now, self.pending = None, ""

    def _result(self, at: int, text: str) -> None:
        """`test_a (m.T.test_a) ... ok`, also with a description or something printed in between."""
        outcome = _OUTCOME.match(text) if "... " in text else None
        if outcome is not None or text in ("ok", "FAIL", "ERROR"):
            test = (_test_in(outcome[1]) if outcome is not None else "") or self.pending
            if test and (text if outcome is None else outcome[2]) == "ok":
                self.run(at).passed.append(test)
            self.pending = ""
        elif " (" in text and text[:1].isidentifier():
            self.pending = _test_in(text.partition(" ... ")[0]) or self.pending


def _parse_body(lines: list[str], start: int, end: int) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the first traceback; of a doctest, those of its example."""
    examples = python.find_examples(lines, start, end)
    if examples:
        return python.parse_example(lines, examples[0], end)
    found = python.find_traces(lines, start, end)
    return (found[0].frames, found[0].message) if found else ((), "")


def _parse_name(said: str, labels: tuple[str, ...]) -> tuple[str, str]:
    """(test, part) of what stands behind FAIL."""
    found = _NAME.match(said.strip())
    if found is None:
        return (said.strip() if _NOSE.match(said.strip()) else "", "")
    name, owner, part = found["name"], found["owner"], (found["part"] or "").strip()
    if owner.startswith(_LOADER):  # a module that can't be imported is called by its last name; the command knows more
        steps = next((label.split(".") for label in labels if "." not in name and name in label.split(".")), [name])
        return ".".join(steps[: steps.index(name) + 1]), ""
    if name in _WHOLES:
        return owner, ""
    return owner if owner == name or owner.endswith("." + name) else f"{owner}.{name}", part


def _test_in(said: str) -> str:
    said = said.strip()
    found = _NAME.match(said)
    if found is None:
        return said if _NOSE.match(said) else ""
    return "" if found["part"] else _parse_name(said, ())[0]


def _passes(run: _Run, scope: Scope | None) -> list[Pass]:
    failed = {failure.test for _, failure in run.failures}
    tests = tuple(dict.fromkeys(test for test in run.passed if test not in failed))
    listed = [Pass(UNITTEST, TESTS, tests)] if tests else []
    untold = run.counts.get("skipped", 0) + run.counts.get("expected failures", 0)
    if run.verdict != "OK" or failed or not run.ran or len(tests) >= run.ran - untold:
        return listed
    return listed + passes_of_scope(scope, UNITTEST, untold)
