"""Rows of answers about both windows: two strips, and the gap between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip_path
from ccos_core.present.parts import and_more, node_name, op_words, steps, strip
from ccos_core.present.parts import legend as signs_of
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row
from ccos_core.present.words import STATES, count
from ccos_core.query.hosted.rows import LONGEST, WHAT, by_op, details, legend, state_words

if TYPE_CHECKING:
    from ccos_core.query.hosted.both import Compared, Overlap
    from ccos_core.query.telling import Run

STRETCHES = 4
"""Stretches that a terminal shows in full, the last ones."""
LABEL = 12


def two_strips(suggested: Sequence[Run], agent: Sequence[Run], view: View) -> Iterator[Row]:
    """Show two strips, one below the other, sign for sign the same steps."""
    room = view.columns - LABEL - 2 if view.columns is not None else None
    yield row(Span(f"  {'suggested':<{LABEL}}", "quiet"), *strip(suggested, room))
    yield row(Span(f"  {'agent':<{LABEL}}", "quiet"), *strip(agent, room, state_words))
    yield row("  ", signs_of(suggested), "  for the agent ", legend(agent))


def gap_words(gap: Compared) -> str:
    """Return in a line what the suggested window held that the agent's had lost."""
    if gap.lost:
        stretches = count(len(gap.gaps) + gap.more, "stretch", "stretches")
        said = f"suggested, but no longer in the agent's window, at {count(gap.lost, 'step')}, in {stretches}"
    else:
        said = "there is no step where it was suggested, but no longer in the agent's window"
    others = [
        (gap.never, "suggested only, the agent was never shown it"),
        (gap.behind, "with the agent only"),
        (gap.together, "in both"),
    ]
    return "; ".join([said, *(f"{count(number, 'step')} {what}" for number, what in others if number)])


def gap_rows(gap: Compared, view: View) -> Iterator[Row]:
    """Show the gap in a line, and its stretches, one by one. What caused several of them is said once."""
    yield row(f"  {gap_words(gap)}")
    shown, hidden = view.some(gap.gaps, STRETCHES, last=True)
    if before := hidden + gap.more:
        yield note(f"  the last {len(shown):,} of {len(shown) + before:,} stretches:")
    cause = 0
    for each in shown:
        is_new = each.by.step != cause
        cause = each.by.step
        by = op_words(each.by.op, LONGEST) if is_new else f"step {each.by.op.step:,}"
        said = f"  {steps(each.first, each.last)}: the agent's was {state_words(each.state)} since {by}"
        yield row(said, leads=Moment(each.first))
        if is_new:
            yield from details(each.by, view.width)


LOST_ITEMS = 10
"""Lost items that a terminal shows."""


def overlap_words(overlap: Overlap) -> str:
    """Return in numbers what the agent held of a suggested window."""
    return (
        f"of the suggested items the agent had lost {len(overlap.lost):,}, held {overlap.held:,}, "
        f"and was never shown {overlap.never:,}"
    )


def lost_rows(overlap: Overlap, view: View) -> Iterator[Row]:
    """Show what a suggested window holds that the agent had lost."""
    shown, hidden = view.some(overlap.lost, LOST_ITEMS)
    if shown:
        yield heading("Suggested, but no longer in the agent's window")
    for each in shown:
        sign, word = STATES[each.state]
        name = Span(clip_path(node_name(each.node), view.width // 2), "lost")
        why = f"  {clean(each.level)}; {word}: {WHAT[each.what]} ({by_op(each.what, each.op)})"
        tokens = Span(f"{each.tokens:,}", "number")
        mark = Span(f"  {sign} ", each.state, "")
        yield row(mark, name, Span(why, "note"), right=(tokens,), leads=Moment(each.since, each.node))
    yield from and_more(hidden, "that the agent had lost", "that the agent had lost")
