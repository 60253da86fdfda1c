"""node's test runner again, when it reports in TAP: the same tests, each with what it has to say in a block below.

Only where the lines have node's own marks (subtests, the time in milliseconds) is TAP read at all; others speak it too.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures import javascript_node
from ccos_core.intake.failures.javascript_commands import NODE_TEST, only_file, scope_of
from ccos_core.intake.failures.javascript_node import Crashes
from ccos_core.intake.failures.javascript_node_tests import Test, failures_of, named, passes_of
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page

SIGNS = ("# Subtest: ",)
_BEGIN = re.compile(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_LINE = re.compile(r"(?P<indent> *)(?P<word>ok|not ok) \d+(?: - (?P<name>.*?))?(?P<note> # (?:SKIP|TODO)\b.*)?$")
_SUM = re.compile(r"# (?P<what>tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (?P<number>\d{1,9})")
_FIELD = re.compile(r" *(?P<key>\w+): (?P<value>.*)$")
_ESCAPED = re.compile(r"\\([\\#])")
_STEP = 4
"""Columns a test stands further in than its suite."""
_PLACE = re.compile(r"(?P<path>.*?)(?::\d{1,9}){2}$")


def read(page: Page) -> Findings:
    """The one run of it in the output."""
    found = Findings()
    if not any(line.startswith("# Subtest: ") for line in page.lines):
        return found
    reader = _Reader()
    for at, line in enumerate(page.lines):
        reader.take(at, line)
    if not reader.timed:
        return found
    scope = scope_of(page, NODE_TEST)
    commented = [line.removeprefix("# ") for line in page.lines[reader.first : reader.last + 1]]
    crashes = Crashes(javascript_node.traces(commented))
    found.failures = failures_of(reader.tests, only_file(scope), crashes, bare=True)
    failed = {failure.test for _, failure in found.failures}
    found.passes = [(reader.last, each) for each in passes_of(reader.tests, reader.counts, failed, scope)]
    found.claimed.append((reader.first, reader.last + 1))
    return moved(found, page, NODE_TEST)


class _Reader:
    def __init__(self) -> None:
        self.tests: list[Test] = []
        self.counts: dict[str, int] = {}
        self.first = -1
        self.last = -1
        self.timed = False
        self.open: list[tuple[int, str, bool]] = []
        """(indent, name, whether it holds others) of what has begun."""
        self.block = -1
        """The indent of the block that is being told."""
        self.key = ""

    def take(self, at: int, line: str) -> None:
        if line in (CLAIMED, CUT):
            self.block, self.open = -1, []
        elif self.block >= 0:
            self._in_block(at, line)
        elif (begun := _BEGIN.match(line)) is not None:
            self._begin(at, begun)
        elif (found := _LINE.match(line)) is not None:
            self._line(at, found)
        elif line.strip() == "---" and self.tests and at == self.tests[-1].at + 1:
            self.block, self.key = len(line) - 3, ""
        elif (total := _SUM.match(line)) is not None and self.first >= 0:
            self.counts[total["what"]] = int(total["number"])
            self.last = at
        elif line.startswith("TAP version "):
            self._touch(at)

    def _touch(self, at: int) -> None:
        self.first = at if self.first < 0 else self.first
        self.last = at

    def _begin(self, at: int, begun: re.Match[str]) -> None:
        self._touch(at)
        indent = len(begun["indent"])
        self._out_to(indent)
        if self.open:
            outer, name, _ = self.open[-1]
            self.open[-1] = (outer, name, True)
        self.open.append((indent, _plain(begun["name"]), False))

    def _out_to(self, indent: int) -> None:
        while self.open and self.open[-1][0] >= indent:
            self.open.pop()

    def _line(self, at: int, found: re.Match[str]) -> None:
        if self.first < 0 or found["name"] is None:
            return
        self._touch(at)
        indent, name = len(found["indent"]), _plain(found["name"])
        holds = any(each[0] == indent and each[2] for each in self.open[-1:])
        self._out_to(indent)
        names = named([outer for _, outer, _ in self.open], name, indent // _STEP)
        self.tests.append(Test(at, names, found["word"] == "ok", found["note"] or "", holds))

    def _in_block(self, at: int, line: str) -> None:
        """The fields of a test; its error and its stack are kept, in the order they are told."""
        test = self.tests[-1]
        self.last = at
        indent = len(line) - len(line.lstrip())
        if indent <= self.block and line.strip() == "...":
            self.block = -1
            return
        found = _FIELD.match(line) if indent == self.block else None
        if found is None:
            test.lines += [line] if self.key in ("error", "stack") and line else []
            return
        self.key, value = found["key"], found["value"]
        self.timed = self.timed or self.key == "duration_ms"
        if self.key == "location" and (place := _PLACE.match(value.strip("'"))) is not None:
            test.path = place["path"]
        elif self.key == "error" and not value.startswith(("|", ">")):
            test.lines.append(value)


def _plain(name: str) -> str:
    return _ESCAPED.sub(r"\1", name).strip()
