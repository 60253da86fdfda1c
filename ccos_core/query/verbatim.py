"""`verbatim`: the text of the agent's window at a step, piece by piece in the order in which it came, with its gaps.

A gap is text that the agent's program counted and that wasn't recorded; it stands where it must have come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count, visible
from ccos_core.query.composition_columns import PERCENT, Balance
from ccos_core.query.composition_rows import TITLES
from ccos_core.query.hosted.item_kinds import KINDS
from ccos_core.query.hosted.item_names import ItemName, item_names
from ccos_core.query.hosted.rows import whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Question
from ccos_core.query.step_text import read_blob

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

GAP = "gap"
ONE = {
    "summary": "summary",
    "prompt": "prompt",
    "note": "added by the agent's program",
    "text": "assistant text",
    "thinking": "thinking",
    "call": "call",
    "read": "file read",
    "command": "output",
    "search": "search result",
    "edit": "edit",
    "result": "result",
    "memory": "memory file",
}
"""Kind of a piece → what one of it is called."""
LEAST_GAP = 500
"""Tokens that weren't recorded, between two counts, from which on they are marked as a gap."""
LEAST_SHARE = 25
"""Percent of what came between two counts that a gap must be: sizes are estimates."""
FIELDS = ("said", "summary", "result")
PREFIXES = {"text": "text", "thinking": "thought", "summary": "summary", "prompt": "prompt", "note": "prompt"}
"""Kind → the beginning of its items' ids; all others are results."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something in the window, or a gap."""

    kind: str
    """A kind of item as in `recall`, `call`, or `gap`."""

    item: str
    """Its id; empty of a gap."""

    says: str
    """What it is called; of a gap, what is missing."""

    step: int
    """Since when it is there; of a gap the step before which it came."""

    tokens: int
    text: str
    missing: str
    """Why there is no text, or not all of it; empty where it is whole."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """The answer to `verbatim`."""

    schema: ClassVar[str] = "ccos.verbatim/1"
    whose: Whose
    step: int
    tokens: int
    """What the pieces take, gaps included."""

    gaps: int
    """How much of that is gaps."""

    pieces: tuple[Piece, ...]
    verbatim: ClassVar[bool] = True
    """The texts are printed as they are."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def verbatim(timeline: Timeline, at: int, *, session: str | None, context: str | None) -> Verbatim:
    """Return what a context's window said at a step."""
    number, whose = chosen(timeline, at, HOST, session, context)
    balance = Balance(timeline, number)
    steps = balance.there(at).tolist()
    timeline.have_ready(steps)
    gaps = dict(_gaps(balance, at))
    names = item_names(timeline, [_item(balance, step) for step in steps])
    pieces: list[Piece] = []
    for step in steps:
        pieces += [gaps.pop(before) for before in sorted(gaps) if before <= step]
        pieces += _pieces(timeline, balance, step, names)
    pieces += gaps.values()
    missing = sum(each.tokens for each in pieces if each.kind == GAP)
    return Verbatim(whose, at, sum(each.tokens for each in pieces), missing, tuple(pieces))


def _item(balance: Balance, step: int) -> str:
    return f"{PREFIXES.get(KINDS[int(balance.texts.kinds[step - 1])], 'result')}:{step}"


def _pieces(timeline: Timeline, balance: Balance, step: int, names: dict[str, ItemName]) -> Iterator[Piece]:
    """What one step brought: of a tool its call, then its result."""
    op, item = timeline.op(step), _item(balance, step)
    kind, says = KINDS[int(balance.texts.kinds[step - 1])], names[item].says
    tokens, call = (balance.scaled(int(each[step - 1])) for each in (balance.texts.tokens, balance.texts.calls))
    if "arguments" in op:
        text, missing = read_blob(timeline, op["arguments"])
        yield Piece("call", f"call:{step}", says, step, call, text, missing)
    field = next((name for name in FIELDS if name in op), None)
    if field is not None:
        text, missing = read_blob(timeline, op[field])
        yield Piece(kind, item, says, step, tokens, text, missing)
    elif kind != "result" and op["kind"] != "tool":
        yield Piece(kind, item, says, step, tokens, "", "sealed by the agent's program" if op.get("sealed") else "")


def _gaps(balance: Balance, at: int) -> Iterator[tuple[int, Piece]]:
    """The step before which it came → each gap."""
    count_at = int(balance.last_counts(np.array([at]))[0])
    counts = balance.counts_since_cut(count_at)
    if not len(counts):
        return
    filled = balance.at(np.array([count_at]))
    first = int(counts[0])
    for step, kind, tokens in ((0, "system", filled.system[0]), (first, "restored", filled.restored[0])):
        if tokens > 0:
            yield step, Piece(GAP, "", TITLES[kind], step, int(tokens), "", "not recorded")
    known = balance.known(counts).sum(axis=1)
    grew = np.diff(balance.journal.steps["tokens"][counts - 1])
    unknown = grew - np.diff(known)
    large = (unknown >= LEAST_GAP) & (unknown * PERCENT >= grew * LEAST_SHARE)
    for place in np.nonzero(large)[0].tolist():
        step = int(counts[place + 1])
        yield step, Piece(GAP, "", "not explained", step, int(unknown[place]), "", "not recorded")


# ---- its rows ----


def _rows(answer: Verbatim) -> Iterator[Row]:
    """Each piece below a line that names it."""
    gaps = f", {answer.gaps:,} of them not recorded" if answer.gaps else ""
    said = f"step {answer.step:,}: about {count(answer.tokens, 'token')}{gaps}  "
    yield title(said, Span(whose_words(answer.whose), "quiet"))
    for each in answer.pieces:
        yield piece_heading(each)
        for line in visible(each.text.removesuffix("\n")).split("\n") if each.text else ():
            yield Row((Span(clean(line)),), copies=line)
    if not answer.pieces:
        yield row(Span("Nothing is known to be in it at this step.", "quiet"))


def piece_heading(piece: Piece) -> Row:
    """`-- command output, step 12, 340 tokens: Bash pytest -q`."""
    tokens = f"about {count(piece.tokens, 'token')}"
    if piece.kind == GAP:
        where = f" before step {piece.step:,}" if piece.step else ""
        return row(Span(f"-- gap{where}: {tokens}, {clean(piece.says)}, {clean(piece.missing)}", "note"))
    missing = f" ({clean(piece.missing)})" if piece.missing else ""
    kind = ONE.get(piece.kind) or clean(piece.kind)
    size = f", {tokens}" if piece.tokens else ""
    said = f"{kind}, step {piece.step:,}{size}: {clean(piece.says)}{missing}"
    leads = Moment(piece.step, piece.item or None)
    return Row((Span("-- ", "quiet", ""), Span(said)), leads=leads, role="heading")


QUESTION = Question(
    ask=verbatim,
    answers=(Verbatim,),
    example="verbatim @40",
    arguments=WHOSE,
    nothing=lambda answer: not answer.pieces,
    about="It prints what was recorded, in the order in which it came: secrets stay masked. A gap is text that the "
    "agent's program counted and that nothing records, such as its system prompt.",
)
