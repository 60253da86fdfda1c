"""Codex's rollouts at a glance.

The fields that are looked for are those of a record's payload, so each line is judged by the first mark it has. How a
call ended is in its output, which is read as an import reads it, unless it says plainly that all went well.
"""

from __future__ import annotations

import re

from ccos_core.intake.glances.figures import Figures, last_value, line_at, lines_in
from ccos_core.intake.importers.codex.outputs import answer_of
from ccos_core.intake.importers.fields import at, millis, text
from ccos_core.intake.importers.record import Record

MARK = re.compile(
    rb'"(?:type": ?"(?:(\w+_call)|(\w+_call_output|tool_search_output)|(compacted|thread_rolled_back)'
    rb'|(context_compacted)|(response_item|turn_context|event_msg|session_meta))"|call_id": ?"([^"]+)")'
)
CALL, OUTPUT, CUT, ANNOUNCED, KIND, ID = range(1, 7)
"""The groups of a mark."""
WELL = re.compile(rb'"output": ?"(?:Exit code: 0\\n|\{\\"output\\":.*\\"metadata\\":\{\\"exit_code\\":0\b)')


class CodexGlance:
    """Looks at one rollout."""

    def __init__(self, head: list[Record]) -> None:
        self._figures = _introduced(head)
        self._asked: set[bytes] = set()
        self._failed: set[bytes] = set()
        self._alone = 0
        """Calls without an id to wait for a result by."""
        self._announced = self._cut = False
        """Whether an event told of a compaction that has no record yet, and whether its event is still to come."""

    def feed(self, block: bytes) -> None:
        """Whole lines of it."""
        self._figures.records += lines_in(block)
        end = -1
        kind, what, call = b"", None, b""
        for mark in MARK.finditer(block):
            if mark.start() > end:
                self._line(block, end, kind, what, call)
                kind, what, call = b"", None, b""
                end = block.find(b"\n", mark.start())
                end = len(block) if end < 0 else end
            if mark.lastindex == KIND:
                kind = kind or mark[KIND]
            elif mark.lastindex == ID:
                call = call or mark[ID]
            elif what is None:
                what = mark
        self._line(block, end, kind, what, call)
        self._last(block)

    def figures(self) -> Figures:
        """What it amounts to."""
        self._figures.calls = len(self._asked) + self._alone
        self._figures.failures = len(self._failed & self._asked)
        return self._figures

    # -- helpers --------------------------------------------------------------------------------------------------

    def _line(self, block: bytes, end: int, kind: bytes, what: re.Match[bytes] | None, call: bytes) -> None:
        group = what.lastindex if what is not None else None
        of_item = kind in (b"", b"response_item")
        if self._announced and group != CUT and kind != b"event_msg":
            self._announced = False
            self._figures.compactions += 1
        if group == CALL and of_item:
            self._asked.update([call] if call else ())
            self._alone += not call
        elif group == OUTPUT and of_item and what is not None and _failed(block, what.start(), end):
            self._failed.add(call)
        elif group == CUT and kind in (b"", b"event_msg"):
            self._figures.compactions += 1
            self._announced, self._cut = False, kind == b""
        elif group == ANNOUNCED and kind == b"event_msg":
            self._announced, self._cut = not self._cut, False

    def _last(self, block: bytes) -> None:
        """Where the conversation stands at the end of a block."""
        told = last_value(block, "timestamp")
        if told is not None:
            self._figures.ended = millis(told["timestamp"])
        turn = block.rfind(b'"turn_context"')
        if turn >= 0:
            model = text(line_at(block, turn), "payload", "model")
            self._figures.model = model or self._figures.model


def _introduced(head: list[Record]) -> Figures:
    """What its first records say of it."""
    figures = Figures()
    for value in (record.value for record in head):
        payload = at(value, "payload") or value
        if text(value, "type") == "session_meta" and not figures.session:
            figures.session = text(payload, "id")
            figures.started = millis(at(payload, "timestamp"))
        if text(value, "type") in ("session_meta", "turn_context"):
            figures.cwd = figures.cwd or text(payload, "cwd")
        if figures.started is None:
            figures.started = millis(at(value, "timestamp"))
    return figures


def _failed(block: bytes, start: int, end: int) -> bool:
    if WELL.search(block, block.rfind(b"\n", 0, start) + 1, end):
        return False
    value = line_at(block, start)
    item = at(value, "payload") or value
    return answer_of(at(item, "output")).outcome == "error"
