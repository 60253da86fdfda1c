"""The words of `why`: in or out, where that stands in the order, and what made it warm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.parts import CAUSES, reads, signed
from ccos_core.present.words import count, room
from ccos_core.serve.says import parts
from ccos_core.serve.says.missing import window
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.why import Heat, Neighbour, Standing, Why

LONGEST = 60


def says(answer: Why, columns: int | None) -> Iterator[str]:
    """The verdict first, then what it rests on."""
    sign, said = parts.STATES[answer.state]
    yield f"{parts.node(answer.node)}  step {answer.at:,}, {window(answer.lens, answer.budget)}"
    role = "good" if answer.state in ("in", "partial") else "bad"
    yield f"  {coloured(f'{sign} {said}', role)}{_shown(answer)}{_verdict(answer)}"
    if answer.standing is not None:
        yield from (f"  {line}" for line in _standing(answer.standing))
        yield from parts.table(_order(answer.node, answer.standing), left={1, 2}, indent="    ")
    if answer.heats:
        yield "  heat, in reads of this step:"
        yield from parts.table([row for heat in answer.heats for row in _heat(heat)], left={0, 2}, indent="    ")
    if answer.known_by is not None:
        yield f"  its text is that of {parts.step_words(answer.known_by, LONGEST)}"


def plain(answer: Why) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, at step {answer.at:,}, in the window of {window(answer.lens, answer.budget)}."
    yield f"It is {parts.STATES[answer.state][1]}{_shown(answer)}{_verdict(answer)}."
    if answer.standing is not None:
        yield from parts.sentences(_standing(answer.standing))
        for said, who in _others(answer.standing):
            yield f"{said.capitalize()}: {parts.node(who.node, LONGEST)}, rank {who.rank:,}, score {reads(who.score)}."
    for heat in answer.heats:
        yield f"Heat of {CAUSES[heat.cause]}: {reads(heat.reads)} reads."
        for each in heat.ops:
            yield f"{signed(each.moved)} by {parts.step_words(each.op, LONGEST)}."
        yield from parts.aloud(parts.more(heat.more, "op"))
    if answer.known_by is not None:
        yield f"Its text is that of {parts.step_words(answer.known_by, LONGEST)}."


def _shown(answer: Why) -> str:
    if answer.shown is None:
        return ""
    reason = words.clipped(words.visible(answer.shown.reason), LONGEST)
    return f" as {answer.shown.level}, {room(answer.shown.tokens, answer.node)}: {reason}"


def _verdict(answer: Why) -> str:
    """Why it is out, or how far it is from that."""
    standing = answer.standing
    if standing is None:
        return ""
    if standing.entry is None:
        return {
            "sent away": ": somebody sent it away",
            "gone": ": it isn't in the graph" if answer.state != "unborn" else "",
            "cold": ": nothing makes it warm" if answer.state == "out" else "",
        }.get(standing.tier, ": its score is below the stop rule")
    if standing.short:
        return f": {count(standing.short, 'token')} short, it is in from a budget of {standing.entry:,} on"
    return f"; in from a budget of {standing.entry:,} on"


def _standing(standing: Standing) -> Iterator[str]:
    place = (
        f"rank {standing.rank:,} of {standing.candidates:,}" if standing.rank else f"{standing.candidates:,} candidates"
    )
    yield f"{standing.tier}, {place}; score {reads(standing.score)}, the best {reads(standing.best)}"
    yield f"the window stops below a score of {reads(standing.least)}; it has {count(standing.members, 'node')}, " + (
        f"{count(standing.tokens, 'token')} as they came in"
    )


def _others(standing: Standing) -> list[tuple[str, Neighbour]]:
    named = (("above it", standing.above), ("below it", standing.below), ("the last one in", standing.last_in))
    return [(said, who) for said, who in named if who is not None]


def _order(node: str, standing: Standing) -> list[tuple[str, str, str, str]]:
    """Those around it, with itself among them."""
    found: dict[int, tuple[str, str, str, str]] = {}
    for said, who in _others(standing):
        before = found[who.rank][2] + ", " if who.rank in found else ""
        found[who.rank] = f"{who.rank:,}", parts.node(who.node, LONGEST), before + said, f"{reads(who.score)}"
    if standing.rank is not None:
        also = ", " + found[standing.rank][2] if standing.rank in found else ""
        this = "this" if standing.node == node else "of this"
        found[standing.rank] = (
            f"{standing.rank:,}",
            parts.node(standing.node, LONGEST),
            this + also,
            reads(standing.score),
        )
    return [found[rank] for rank in sorted(found)]


def _heat(heat: Heat) -> Sequence[tuple[str, str, str]]:
    rows = [(CAUSES[heat.cause], reads(heat.reads), "")]
    rows += [("", signed(each.moved), parts.step_words(each.op, LONGEST)) for each in heat.ops]
    return [*rows, *([("", "", f"and {heat.more:,} more")] if heat.more else [])]
