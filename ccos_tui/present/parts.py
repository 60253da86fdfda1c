"""What rows of many panes are made of: a node's name, an op in a few words, the sign of a state, a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Row, Span, clean, row
from ccos_core.present.words import STATES, count, node_words

if TYPE_CHECKING:
    from ccos_core.query.telling import Told

EIGHTHS = " ▏▎▍▌▋▊▉█"


def node_name(node: str) -> str:
    """A node as people name it: `src/db.py`, `src/db.py#load`, harmless and on one line."""
    return clean(node_words(node))


def op_words(op: Told, longest: int = 60) -> str:
    """An op inside of a sentence: `step 42, edit src/db.py`."""
    return f"step {op.step:,}, {clean(op.kind)} {clip(clean(op.says), longest)}".rstrip()


def by_words(op: Told | None, step: int) -> str:
    """Behind something that happened: `, by step 42, edit src/db.py`; of the step that is looked at, that it was it."""
    if op is None:
        return ""
    return ", by this step" if op.step == step else f", by {op_words(op, 40)}"


def op_row(op: Told, *before: str | Span, longest: int = 60) -> Row:
    """A row about an op, which leads to its step."""
    return row(*before, Span(op_words(op, longest), "link"), leads=Moment(op.step))


def state_span(state: str) -> Span:
    """`● in`; a role of the state's own name says how it looks."""
    sign, word = STATES[state]
    return Span(f"{sign} {word}", state)


def bar(value: int, most: int, cells: int) -> str:
    """A bar as long as a value's share of the most, in eighths of a cell; what isn't nothing can be seen."""
    eighths = max(value * cells * 8 // max(most, 1), 1 if value > 0 else 0)
    full, rest = divmod(min(eighths, cells * 8), 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(cells)


def and_more(left_out: int, one: str, many: str = "") -> list[Row]:
    """How many are left out, if any."""
    said = count(left_out, f"more {one}", f"more {many or one + 's'}")
    return [row(Span(f"  and {said}", "quiet"))] if left_out > 0 else []
