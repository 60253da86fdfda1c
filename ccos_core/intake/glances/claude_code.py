"""Claude Code's transcripts at a glance.

A quote inside of a text is escaped, so `"tool_use_id":"` stands only where a record has such a field. What a tool gave
the program besides (`toolUseResult`) may hold anything, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ccos_core.intake.glances.figures import Figures, last_value, line_at, lines_in
from ccos_core.intake.importers.fields import millis
from ccos_core.intake.importers.record import Record

MARK = re.compile(
    rb'"(?:tool_use_id": ?"([^"]+)"|is_error": ?(true)|type": ?"tool_use"(?:, ?"id": ?"([^"]+)")?|(toolUseResult)"'
    rb'|subtype": ?"(compact_boundary)"|model": ?"([^"<]+)")'
)
RESULT, WRONG, ASKED, BESIDE, BOUNDARY, MODEL = range(1, 7)
"""The groups of a mark."""


AGENT = re.compile(rb'"agentId": ?"([^"]{1,200})"')
PROGRESS = b'"agent_progress"'
ELSEWHERE = (PROGRESS, b'"isSidechain":true', b'"isSidechain": true')
"""In lines of a subagent's conversation."""


class ClaudeCodeGlance:
    """Looks at one transcript."""

    def __init__(self, head: list[Record]) -> None:
        self._figures = _introduced(head)
        self._asked: set[bytes] = set()
        self._failed: set[bytes] = set()
        self._inner: dict[str, set[bytes]] = {}
        """Subagent → its calls that are told here."""

    def feed(self, block: bytes) -> None:
        """Whole lines of it."""
        self._figures.records += lines_in(block)
        end, beside = -1, False
        results: list[bytes] = []
        models: list[re.Match[bytes]] = []
        for mark in MARK.finditer(block):
            at, what = mark.start(), mark.lastindex
            if at > end:
                results, beside = [], False
                end = block.find(b"\n", at)
                end = len(block) if end < 0 else end
            if beside:
                continue
            if what == RESULT:
                results.append(mark[RESULT])
            elif what == ASKED:
                self._ask(block, at, end, [mark[ASKED]])
            elif what == WRONG:
                self._wrong(block, mark, end, results)
            elif what == BESIDE:
                beside = True
            elif what == BOUNDARY:
                self._figures.compactions += 1
            elif what == MODEL:
                models.append(mark)
            else:  # its id stands somewhere else
                self._ask(block, at, end, _ids(line_at(block, at), "tool_use", "id"))
        self._last(block, models)

    def figures(self) -> Figures:
        """What it amounts to."""
        self._figures.calls = len(self._asked)
        self._figures.failures = len(self._failed & self._asked)
        inner = sorted(self._inner.items())
        self._figures.inner = {agent: [len(asked), len(asked & self._failed)] for agent, asked in inner}
        return self._figures

    # -- helpers --------------------------------------------------------------------------------------------------

    def _ask(self, block: bytes, at: int, end: int, calls: Iterable[bytes]) -> None:
        """Calls that were made in the line a mark lies in, by whom it says."""
        found = list(calls)
        self._asked.update(found)
        start = block.rfind(b"\n", 0, at) + 1
        if block.find(PROGRESS, start, end) >= 0 and (agent := AGENT.search(block, start, end)) is not None:
            self._inner.setdefault(agent[1].decode("utf-8", "replace"), set()).update(found)

    def _wrong(self, block: bytes, mark: re.Match[bytes], end: int, results: list[bytes]) -> None:
        """A result is an error: the only one in its line, or one that must be looked for."""
        others = block.find(b'"tool_use_id"', mark.end(), end)
        beside = block.find(b'"toolUseResult"', mark.end(), end)
        if len(results) == 1 and (others < 0 or 0 <= beside < others):
            self._failed.add(results[0])
        else:
            self._failed.update(_ids(line_at(block, mark.start()), "tool_result", "tool_use_id", wrong=True))

    def _last(self, block: bytes, models: list[re.Match[bytes]]) -> None:
        """Where the conversation stands at the end of a block."""
        for mark in reversed(models):
            end = block.find(b"\n", mark.start())
            start = block.rfind(b"\n", 0, mark.start()) + 1
            if not any(block.find(each, start, end if end >= 0 else len(block)) >= 0 for each in ELSEWHERE):
                self._figures.model = mark[MODEL].decode("utf-8", "replace")
                break
        told = last_value(block, "timestamp")
        if told is not None:
            self._figures.ended = millis(told["timestamp"])


def _introduced(head: list[Record]) -> Figures:
    """What its first records say of it."""
    figures = Figures()
    for value in (record.value for record in head if isinstance(record.value, dict)):
        session, cwd = value.get("sessionId"), value.get("cwd")
        figures.session = figures.session or (session if isinstance(session, str) else "")
        figures.cwd = figures.cwd or (cwd if isinstance(cwd, str) else "")
        if figures.started is None:
            figures.started = millis(value.get("timestamp"))
    return figures


def _ids(record: Any, kind: str, name: str, *, wrong: bool = False) -> Iterator[bytes]:
    """The ids of blocks of a kind, wherever a message has them."""
    if isinstance(record, dict):
        if str(record.get("type")).endswith(kind) and isinstance(record.get(name), str):
            if not wrong or record.get("is_error") is True:
                yield record[name].encode("utf-8", "surrogatepass")
            return
        for field in ("message", "content", "data"):
            yield from _ids(record.get(field), kind, name, wrong=wrong)
    elif isinstance(record, list):
        for each in record:
            yield from _ids(each, kind, name, wrong=wrong)
