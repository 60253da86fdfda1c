"""Marks of an agent in its own text: `[ccos: helpful memo:1f0c…]` and `[ccos: harmful memo:1f0c…]`, or `[cass: …]`.

Only what the agent says itself counts. Code, quotes and text between quotation marks don't, for they may be from
others, nor does what it repeats of what ccos-tui delivered; results and thoughts aren't read at all. A mark counts
once for each turn. What names a rule otherwise than by its whole id (`b-1f0c`) is kept as `mark:b-1f0c`;
`playbook/feedback_marks.py` tells which it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.node_ops import NodeOps
from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import AGAINST, FOR
from ccos_core.text.delivered import without_delivered
from ccos_core.text.quoted import unquoted_lines

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.node_ops import OpsByNode
    from ccos_core.replay.timeline import Timeline

INLINE = "inline"
INLINE_WEIGHT = 500  # thousandths: half of explicit feedback
KINDS = {"helpful": FOR, "harmful": AGAINST}
UNRESOLVED = "mark:"
"""What the name of a mark begins with that isn't a statement's whole id."""
MARK = re.compile(r"\[(?:ccos|cass): (helpful|harmful) ([\w.:-]{3,64})\]")
_ID = re.compile(r"memo:[0-9a-f]{16}")


def marks_in(text: str) -> tuple[tuple[str, str], ...]:
    """Return (kind of op, node) of each mark, in order."""
    lines = unquoted_lines(without_delivered(text)) if MARK.search(text) else ()
    return tuple(dict.fromkeys(each for line in lines for each in marks_of_line(line)))


def marks_of_line(line: str) -> Iterator[tuple[str, str]]:
    """Yield (kind of op, node) of each mark in a line."""
    for word, name in MARK.findall(line):
        yield KINDS[word], name if _ID.fullmatch(name) else UNRESOLVED + name


def inline_marks(timeline: Timeline, at: int) -> OpsByNode:
    """Node → evidence that agents' texts give up to a step, and for some until later, as ops would."""
    known: NodeOps = timeline.journal.growing("inline marks", lambda: NodeOps(["turn"], _evidence))
    return known.until(timeline, at)


def _evidence(timeline: Timeline, turn: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield the evidence that a turn gives for or against nodes, as ops would."""
    where: Plain = {name: turn[name] for name in ("host", "session", "context") if name in turn}
    for kind, node in marks_in(text_of(timeline, turn.get("said"))):
        yield node, {"kind": kind, "claim": node, "weight": INLINE_WEIGHT, "way": INLINE, "actor": "agent", **where}
