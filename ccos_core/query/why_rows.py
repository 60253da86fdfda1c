"""The rows of `why`: the verdict first, then what it rests on: the order, the heat, what was delivered and dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path, width_of, wrap
from ccos_core.present.parts import (
    CAUSES,
    and_more,
    bar,
    hot,
    node_name,
    op_link,
    op_row,
    op_words,
    reads,
    signed,
    state_span,
)
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import STATES, count, room
from ccos_core.query.hosted.rows import WHAT, agent_state, carrier_words, counted_rows, happened, window_words

if TYPE_CHECKING:
    from ccos_core.query.hosted.loss import Loss
    from ccos_core.query.hosted.why import AgentWhy, Delivery
    from ccos_core.query.why import Heat, Neighbour, Standing, SuggestedWhy, Why

BARS_FROM = 60
"""Columns from which on figures have bars."""
BAR = 10
FIGURE = 8
"""Columns of a figure."""
LONGEST = 48
"""Columns of an op."""
VERDICTS = {
    "sent away": "it was sent away",
    "gone": "it isn't in the graph any more",
    "cold": "nothing makes it warm",
}
AGAIN = {
    "file": "the file still has this text: reading it again brings it back",
    "old": "the file has changed since: what was shown of it is in no file any more",
    "run": "no file has this text: only running the call again would bring it, or something like it",
    "record": "no file has this text: only this record would have it",
}
"""Where the text of an item could be had again → how that is said."""
CODE = ("file:", "sym:")
SUMMARY = "it is all that is left here of what came up to step {:,}"
WITH = {
    "depends on it": "with code that depends on it",
    "answers it": "came in answer to it",
    "belongs to it": "the other half of the call",
}
"""How items go with another → how that is said."""
FATES = {
    "there": ("●", "still there", "in"),
    "dropped": ("○", "dropped since", "out"),
    "uncertain": ("?", "uncertain since", "uncertain"),
}
"""What became of a delivery → sign, words and role."""


def why_rows(answer: Why, view: View) -> list[Row]:
    """Show the verdict of each window that was asked about, then what each rests on."""
    width, suggested, agent = view.width, answer.suggested, answer.agent
    at = f"step {answer.at:,}"
    windows = window_words(suggested, agent)
    loss = agent.loss if agent is not None else None
    name = node_name(answer.node) if loss is None or answer.node.startswith(CODE) else clean(loss.says)
    shorten = clip_path if answer.node.startswith(CODE) else clip
    name = shorten(name, max(width - len(at) - 2, 8))
    about = [] if view.full else [Span(f"  {windows}", "quiet")]  # a pane's border tells the window
    rows = [title(name, *about, right=[Span(at, "quiet")])]
    if suggested is not None and agent is not None:
        step = agent.happening.step if agent.happening is not None else None
        rows += [
            row(Span("suggested ", "quiet"), *_verdict(answer.node, suggested)),
            row(Span("agent     ", "quiet"), *_short(agent), leads=Moment(step)),
        ]
    if suggested is not None:
        if agent is not None:
            rows += [Row(), heading("Suggested window")]
        else:
            rows.append(Row(tuple(_verdict(answer.node, suggested))))
        rows += _grounds(answer.node, suggested, width)
    if agent is not None:
        if suggested is not None:
            rows += [Row(), heading("Agent's window")]
        rows += _agent(agent, width, is_pane=view.full)
    return rows


# ---- a suggested window ----


def _verdict(node: str, answer: SuggestedWhy) -> Iterator[Span]:
    """In or out, as what, and why."""
    yield state_span(answer.state)
    if answer.shown is not None:
        yield Span(f" as {answer.shown.level}, {room(answer.shown.tokens, node)}", "strong")
        yield Span(f": {clip(clean(answer.shown.reason), 80)}", "quiet")


def _grounds(node: str, answer: SuggestedWhy, width: int) -> Iterator[Row]:
    if answer.standing is not None:
        yield from _distance(answer.state, answer.standing)
        yield from _order(node, answer.standing, width)
    yield from _heats(answer.heats, width)
    if answer.known_by is not None:
        yield Row()
        yield op_row(answer.known_by, Span("its text is that of ", "quiet"))


def _distance(state: str, standing: Standing) -> Iterator[Row]:
    """How far the node is from being in, or out."""
    if standing.entry is None:
        if state not in ("unborn", "in", "partial"):
            yield note(f"  {VERDICTS.get(standing.tier, 'its score is too low for any budget')}", "note")
    elif standing.short:
        short = Span(f"  {count(standing.short, 'token')} short", "out")
        yield row(short, f", in from a budget of {standing.entry:,} on")
    else:
        yield row(Span("  in from a budget of ", "quiet"), Span(f"{standing.entry:,}", "number"), Span(" on", "quiet"))


def _order(node: str, standing: Standing, width: int) -> Iterator[Row]:
    place = f"rank {standing.rank:,} of {standing.candidates:,}" if standing.rank else "no rank"
    yield Row()
    yield heading(f"the order: {standing.tier}, {place}", Span("score", "quiet", ""))
    for rank, who, said in _around(node, standing):
        yield _place(rank, who, said, standing, width)
    yield note(f"  the best has {reads(standing.best)}, the window stops below {reads(standing.least)}")
    yield note(f"  {count(standing.members, 'node')} in, {count(standing.tokens, 'token')} before any is shown in full")


def _around(node: str, standing: Standing) -> list[tuple[int, Neighbour | None, str]]:
    """The neighbours by rank, the node itself among them as None; a neighbour in two places appears once."""
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
    state = "in" if rank <= standing.members else "out"
    spans = (
        Span("▸ " if who is None else "  ", "cursor"),
        Span(f"{rank:>4,} ", "quiet"),
        Span(f"{STATES[state][0]} ", state),
        Span(clip_path(node_name(node), max(width // 2, 8)), "strong" if who is None else "link"),
        Span(f"  {said}", "quiet"),
    )
    return Row(spans, _figure(score, standing.best, width), Moment(node=node))


def _figure(value: int, most: int, width: int) -> tuple[Span, ...]:
    figure = Span(f" {reads(value):>{FIGURE}}", "number")
    return (Span(bar(value, most, BAR), hot(value, most), ""), figure) if width >= BARS_FROM else (figure,)


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
            yield note(f"    {'':>{FIGURE}}  and {count(heat.more, 'more op')}")


# ---- the agent's window ----


def _short(answer: AgentWhy) -> Iterator[Span]:
    """What it is there, and since when."""
    yield agent_state(answer.state, patched=answer.patched)
    if answer.happening is not None:
        yield Span(f": {WHAT[answer.happening.what]}, ", "strong")
        yield Span(f"step {answer.happening.step:,}", "link")


def _agent(answer: AgentWhy, width: int, *, is_pane: bool) -> Iterator[Row]:
    yield from _held(answer, width if is_pane else None)
    if answer.loss is not None:
        yield from _loss(answer.loss, width)
    if answer.happening is not None:
        yield Row()
        yield heading("last change")
        yield from happened(answer.happening, width)
    if answer.deliveries:
        times = len(answer.deliveries) + answer.more
        last = f", the last {len(answer.deliveries):,} times of {times:,}" if answer.more else ""
        yield Row()
        carries = any(each.item for each in answer.deliveries)
        yield heading(f"{'what brought it into' if carries else 'its file was shown to'} this context{last}")
        yield from map(_delivery, answer.deliveries)
    yield Row()
    yield from counted_rows(answer.counted, answer.whose, width)


def _loss(loss: Loss, width: int) -> Iterator[Row]:
    """What would be lost with it."""
    yield Row()
    yield heading("what would be lost with it", Span(f"{loss.tokens:,}", "number"))
    yield note(f"  {AGAIN[loss.again]}" if not loss.stands_for else f"  {SUMMARY.format(loss.stands_for - 1)}", "note")
    if loss.dependants:
        number = count(len(loss.dependants) + loss.more, "other item")
        yield row(f"  {number} here, {count(loss.with_it, 'token')}, {WITH.get(loss.dependants[0].how, 'with it')}:")
    for each in loss.dependants:
        says = clean(each.says)
        room = max(width - 16, 12)
        name = clip_path(says, room) if each.node.startswith("file:") else clip(says, room)
        yield row("    ", Span(name), right=(f"{each.tokens:,}",), leads=Moment(each.step, each.node))
    yield from and_more(loss.more, "item")


def _held(answer: AgentWhy, width: int | None) -> Iterator[Row]:
    """What it is there, and since when: in a pane of a width as many rows as that takes."""
    state = agent_state(answer.state, patched=answer.patched)
    if answer.happening is not None and answer.happening.carrier_names:
        said = f"since {answer.happening.step:,}: {carrier_words(answer.happening)}{_told_by_us(answer)}"
        first, *others = wrap(said, max(width - width_of(state.text) - 1, 16)) if width is not None else (said,)
        leads = Moment(answer.happening.step)
        yield row(state, Span(f" {first}", "strong"), leads=leads)
        yield from (row(Span(f"  {each}", "strong"), leads=leads) for each in others)
        return
    lines = f"; it is lines {answer.lines.first:,}–{answer.lines.last:,}" if answer.lines is not None else ""
    if answer.by is None:
        held = "nothing of it was ever shown there" if answer.state == "unborn" else "nothing of it is held"
        yield row(state, Span(f": {held}{lines}", "quiet"))
        return
    by = Span(f", the last by {op_words(answer.by, LONGEST)}{lines}", "quiet")
    yield row(state, Span(f": {count(answer.tokens, 'token')} of it", "strong"), by, leads=Moment(answer.by.step))


def _told_by_us(answer: AgentWhy) -> str:
    """Say when ccos-tui told these words last."""
    ours = [each for each in answer.deliveries if each.item.startswith("delivery:")]
    if not ours:
        return ""
    gone = f", dropped at {ours[-1].gone:,}" if ours[-1].gone else ""
    return f"; last told by us at {ours[-1].op.step:,}{gone}"


def _delivery(each: Delivery) -> Row:
    sign, said, role = FATES[each.fate]
    spans = (Span("  "), op_link(each.op, LONGEST), Span(f"  {_part(each)}", "quiet"))
    return Row(spans, (Span(f"{sign} {said}", role, said),), Moment(each.op.step))


def _part(each: Delivery) -> str:
    if each.item:
        return "word for word" if each.whole else "in part"
    if each.level:
        return f"by its {clean(each.level)}"
    if each.lines is None:
        return "what it changed" if each.op.kind == "edit" else "whole"
    first, last = each.lines.first, each.lines.last
    return f"lines {first:,}–{last:,}" if first < last else f"line {first:,}"
