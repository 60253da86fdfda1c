"""Marks of an agent in its own text: `[ccos: helpful memo:1f0c…]` and `[ccos: harmful memo:1f0c…]`.

Only what the agent says itself counts. Code, quotes and text between quotation marks don't, for they may be somebody
else's; results, thoughts and what ccos-tui delivered aren't read at all. A mark counts once for each turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import AGAINST, FOR
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.remembered import OpsByNode
    from ccos_core.replay.timeline import Timeline

INLINE = "inline"
INLINE_WEIGHT = 500  # thousandths: half of what somebody says explicitly
KINDS = {"helpful": FOR, "harmful": AGAINST}
_MARK = re.compile(r"\[ccos: (helpful|harmful) (memo:[0-9a-f]{16})\]")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)")


def marks_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return (kind of op, node) of each mark, in order."""
    found = (match.groups() for line in _own_lines(text) for match in _MARK.finditer(_QUOTED.sub(" ", line)))
    return tuple(dict.fromkeys((KINDS[word], node) for word, node in found))


def inline_marks(timeline: Timeline, at: int) -> OpsByNode:
    """Node → evidence that agents' texts give up to a step, and for some until later, as ops would."""
    known: _Marks = timeline.journal.growing("inline marks", _Marks)
    known.go_on(timeline, at)
    return known.ops


def _own_lines(text: str) -> Iterator[str]:
    """Yield the lines that are neither code nor quoted."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif mark is not None:
            fence = mark[1]
        elif not line.startswith(("    ", "\t", ">")):
            yield line


class _Marks:
    """The marks of turns, as far as they were read."""

    def __init__(self) -> None:
        self.upto = 0
        self.ops: OpsByNode = {}

    def go_on(self, timeline: Timeline, at: int) -> None:
        """Read what is new up to a step."""
        if at <= self.upto:
            return
        kinds = timeline.journal.steps["kind"][self.upto : at]
        for row in np.flatnonzero(kinds == KIND_CODES["turn"]) + self.upto:
            turn = timeline.op(int(row) + 1)
            for kind, node in marks_in(text_of(timeline, turn.get("said"))):
                where: Plain = {name: turn[name] for name in ("host", "session", "context") if name in turn}
                op: Plain = {"kind": kind, "claim": node, "weight": INLINE_WEIGHT, "way": INLINE, "actor": "agent"}
                self.ops.setdefault(node, []).append((int(row) + 1, {**op, **where}))
            self.upto = int(row) + 1
        self.upto = max(self.upto, min(at, timeline.journal.head))

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Read later steps anew."""
        self.upto = min(self.upto, sizes["steps"])
        kept = {node: [each for each in ops if each[0] <= self.upto] for node, ops in self.ops.items()}
        self.ops = {node: ops for node, ops in kept.items() if ops}
