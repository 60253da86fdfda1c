"""Why a node is in a window of ours, or not: the verdict, where it stands in the order and with whom it competes there,
and what made it warm. In the host's window: `host_why`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import CAUSES, reads, signed
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import STATES, count, room
from ccos_tui.keys import BY_THEMSELVES, Keys
from ccos_tui.present.parts import bar, node_name, op_row, state_span
from ccos_tui.present.unselected import unselected

if TYPE_CHECKING:
    from ccos_core.query.why import Heat, Neighbour, Standing, Why

NOTHING = "{why} there tells why that is in the window, or why not."
BARS_FROM = 60
"""Columns from which on figures have bars."""
BAR = 10
FIGURE = 8
"""Columns of a figure in reads."""
VERDICTS = {
    "sent away": "somebody sent it away",
    "gone": "it isn't in the graph any more",
    "cold": "nothing makes it warm",
}


def nothing(keys: Keys = BY_THEMSELVES) -> list[Row]:
    """What is shown where no node is selected."""
    return unselected(NOTHING, keys)


def title(node: str, step: int, width: int) -> Row:
    """Who it is about, and when."""
    at = f"step {step:,}"
    return heading(clip_path(node_name(node), max(width - len(at) - 2, 8)), Span(at, "quiet"))


def rows_of(answer: Why, width: int) -> list[Row]:
    """The verdict first, then what it rests on."""
    return [title(answer.node, answer.at, width), Row(tuple(verdict(answer))), *grounds(answer, width)]


def verdict(answer: Why) -> list[Span]:
    """In or out, as what, and why."""
    if answer.shown is None:
        return [state_span(answer.state), Span(f"  {_window(answer)}", "quiet")]
    shown = answer.shown
    reason = Span(f": {clip(clean(shown.reason), 80)}", "quiet")
    return [state_span(answer.state), Span(f" as {shown.level}, {room(shown.tokens, answer.node)}", "strong"), reason]


def grounds(answer: Why, width: int) -> list[Row]:
    """What the verdict rests on."""
    return [
        *_distance(answer),
        *(_order(answer.node, answer.standing, width) if answer.standing is not None else ()),
        *_heats(answer.heats, width),
        *_known_by(answer),
    ]


def _window(answer: Why) -> str:
    return f"{clip(clean(answer.lens), 40)}, budget {answer.budget:,}"


def _distance(answer: Why) -> Iterator[Row]:
    """How far it is from being in, or out."""
    standing = answer.standing
    if standing is None:
        return
    if standing.entry is None:
        said = VERDICTS.get(standing.tier, "its score is below the stop rule")
        if answer.state not in ("unborn", "in", "partial"):
            yield row(Span(f"  {said}", "note"))
    elif standing.short:
        yield row(
            Span(f"  {count(standing.short, 'token')} short", "out"), f", in from a budget of {standing.entry:,} on"
        )
    else:
        yield row(Span("  in from a budget of ", "quiet"), Span(f"{standing.entry:,}", "number"), Span(" on", "quiet"))


# ---- the order ----


def _order(node: str, standing: Standing, width: int) -> Iterator[Row]:
    place = f"rank {standing.rank:,} of {standing.candidates:,}" if standing.rank else "in no place"
    yield Row()
    yield heading(f"the order: {standing.tier}, {place}", Span("score", "quiet"))
    for rank, who, said in _around(node, standing):
        yield _place(rank, who, said, standing, width)
    best = f"the best has {reads(standing.best)}, the window stops below {reads(standing.least)}"
    members = f"{count(standing.members, 'node')} in, {count(standing.tokens, 'token')} as they came in"
    yield row(Span(f"  {best}", "quiet"))
    yield row(Span(f"  {members}", "quiet"))


def _around(node: str, standing: Standing) -> list[tuple[int, Neighbour | None, str]]:
    """Those around it by rank, itself among them as nobody; somebody who is two things once."""
    found: dict[int, tuple[Neighbour | None, str]] = {}
    others = (("above it", standing.above), ("below it", standing.below), ("the last one in", standing.last_in))
    for said, who in others:
        if who is not None:
            found[who.rank] = who, f"{found[who.rank][1]}, {said}" if who.rank in found else said
    if standing.rank is not None:
        also = f", {found[standing.rank][1]}" if standing.rank in found else ""
        found[standing.rank] = None, ("this" if standing.node == node else "of this") + also
    return [(rank, *found[rank]) for rank in sorted(found)]


def _place(rank: int, who: Neighbour | None, said: str, standing: Standing, width: int) -> Row:
    node, score = (who.node, who.score) if who is not None else (standing.node, standing.score)
    here = who is None
    held = rank <= standing.members
    name = Span(clip_path(node_name(node), max(width // 2, 8)), "strong" if here else "link")
    return Row(
        (
            Span("▸ " if here else "  ", "cursor"),
            Span(f"{rank:>4,} ", "quiet"),
            Span(f"{STATES['in' if held else 'out'][0]} ", "in" if held else "out"),
            name,
            Span(f"  {said}", "quiet"),
        ),
        _figure(score, standing.best, width),
        Moment(node=node),
    )


def _figure(value: int, most: int, width: int) -> tuple[Span, ...]:
    figure = Span(f" {reads(value):>{FIGURE}}", "number")
    return (Span(bar(value, most, BAR), _hot(value, most)), figure) if width >= BARS_FROM else (figure,)


def _hot(value: int, most: int) -> str:
    """A role by the share of the most: the more the hotter."""
    return f"hot-{min(1 + 5 * value // max(most, 1), 5)}"


# ---- what made it warm ----


def _heats(heats: tuple[Heat, ...], width: int) -> Iterator[Row]:
    if not heats:
        return
    yield Row()
    yield heading("heat, in reads of this step", Span(f"{reads(sum(heat.reads for heat in heats))}", "number"))
    most = max(heat.reads for heat in heats)
    for heat in heats:
        yield Row((Span(f"  {CAUSES[heat.cause]}", "strong"),), _figure(heat.reads, most, width))
        for given in heat.ops:
            role = "entered" if given.moved > 0 else "left"
            yield op_row(given.op, Span(f"    {signed(given.moved):>{FIGURE}}  ", role))
        if heat.more:
            yield row(Span(f"    {'':>{FIGURE}}  and {count(heat.more, 'more op')}", "quiet"))


def _known_by(answer: Why) -> Iterator[Row]:
    if answer.known_by is not None:
        yield Row()
        yield op_row(answer.known_by, Span("its text is that of ", "quiet"))
