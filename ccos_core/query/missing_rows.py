"""The rows of `missing`: a strip over the session, the node's state, each time it left and came back, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip
from ccos_core.present.parts import legend, looked, node_name, op_link, op_words, since_look, skipped, strip, times
from ccos_core.present.rows import Moment, Row, Span, View, note, row, title
from ccos_core.present.words import STATES, count
from ccos_core.query.hosted.both_rows import gap_rows, two_strips
from ccos_core.query.hosted.rows import (
    LONGEST,
    UNSAID,
    agent_state,
    counted_words,
    details,
    item_title,
    often,
    state_words,
    window_words,
)
from ccos_core.query.hosted.rows import legend as agent_legend

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Happening
    from ccos_core.query.hosted.missing import AgentMissing
    from ccos_core.query.leaving import Entrance, Eviction
    from ccos_core.query.missing import Missing, SuggestedMissing

LEFT = {
    "crowded out": "crowded out",
    "cooled": "its score became too low for any budget",
    "fell": "fell, because heat was taken from it",
    "grew": "grew",
    "squeezed": "squeezed out, because those above it take more",
    "reweighed": "reweighed",
    "sent away": "sent away",
    "gone": "gone",
    "left": "left",
}
"""What happened to a node that left → how that is said."""
CAME = {
    "rose": "rose",
    "back": "back",
    "made room": "others made room",
    "warm again": "its score is high enough again",
    "reweighed": "reweighed",
    "came": "came",
}
EVICTIONS, HAPPENINGS = 4, 8
"""Changes that a terminal shows of a suggested and of the agent's window, if the user doesn't say how many."""


def missing_rows(answer: Missing, view: View) -> list[Row]:
    """Show the strip of each window that was asked about, and what happened, one by one."""
    windows = Span(window_words(answer.suggested, answer.agent), "quiet")
    rows = [title(f"{item_title(answer.node, answer.item)}  ", windows), *_called(answer)]
    if answer.suggested is not None and answer.agent is not None and answer.compared is not None:
        suggested, agent = answer.suggested, answer.agent
        rows += two_strips(suggested.runs, agent.runs, view)
        rows += gap_rows(answer.compared, view)
    else:
        rows += _suggested(answer, answer.suggested, view) if answer.suggested is not None else ()
        rows += _agent(answer, answer.agent, view) if answer.agent is not None else ()
    return rows


def _called(answer: Missing) -> Iterator[Row]:
    if len(answer.names) > 1:
        was = [f"{node_name(each.node)} until step {each.last:,}" for each in answer.names[:-1]]
        yield note(f"  called {', then '.join(was)}, then {node_name(answer.names[-1].node)}")


# ---- a suggested window ----


def _suggested(answer: Missing, side: SuggestedMissing, view: View) -> Iterator[Row]:
    if side.born is None:
        yield note("  never in the graph")
    else:
        since = op_link(side.born, LONGEST)
        yield row(Span("  in the graph since ", "quiet"), since, leads=Moment(side.born.step))
    yield row("  ", *strip(side.runs, _room(view)))
    yield row("  ", legend(side.runs))
    yield row(f"  step {answer.at:,}: {STATES[side.state][1]}, since step {side.since:,}; {_often(side)}")
    if side.looked is not None:
        yield note(f"  {looked(side.looked)}")
    shown, _ = view.some(side.evictions, EVICTIONS, last=True) if answer.limit == DEFAULT_LIMIT else (side.evictions, 0)
    if len(shown) < side.evicted:
        yield note(f"  the last {len(shown):,} of {side.evicted:,} times it left; --limit 0 shows all:")
    first = shown[0].step if shown and len(shown) < side.evicted else 0
    entrances = [each for each in side.entrances if each.step >= first]
    events: list[tuple[Eviction | Entrance, bool]] = [(each, True) for each in shown]
    events += [(each, False) for each in entrances]
    for each, left in sorted(events, key=lambda event: event[0].step):
        yield from event_rows(each, left=left)


def event_rows(each: Eviction | Entrance, *, left: bool) -> Iterator[Row]:
    """Show how a node left, or came in: by which op, and why."""
    sign, word = STATES[each.state]
    said = Span(f"{sign} {word}", "bad" if left else "good", word)
    at = op_link(each.op, LONGEST)
    yield row(said, " at ", at, since_look(each.after), leads=Moment(each.op.step))
    reasons = _why_left(each) if left else [_why_came(each)]  # type: ignore[arg-type]
    yield from (row(f"    {line}", leads=Moment(each.op.step)) for line in reasons)


def _why_left(each: Eviction) -> Iterator[str]:
    """Say why it left, and what took its place."""
    said = [f"{clip(node_name(each.node), LONGEST)} {LEFT[each.what]}"]
    if each.what == "fell" and each.rank is None:
        said.append("its score is too low for any budget")
    if each.rank is not None and each.entry is not None and each.short is not None:
        said.append(f"rank {each.rank:,}, {count(each.short, 'token')} short of the {each.entry:,} it needs")
    if each.kept is not None and each.kept_tokens is not None:
        said.append(f"the window kept {count(each.kept, 'node')}, {count(each.kept_tokens, 'token')} as they came in")
    yield "; ".join(said)
    if each.takers:
        takers = ", ".join(f"{clip(node_name(taker.node), LONGEST)} ({taker.tokens:,})" for taker in each.takers)
        yield f"above it now: {takers}{f' and {each.more_takers:,} more' if each.more_takers else ''}"


def _why_came(each: Entrance) -> str:
    rank = f" to rank {each.rank:,}" if each.what == "rose" and each.rank else ""
    needs = f"; in from a budget of {each.entry:,} on" if each.entry is not None else ""
    return f"{clip(node_name(each.node), LONGEST)} {CAME[each.what]}{rank}{needs}"


def _often(side: SuggestedMissing) -> str:
    seen = " as far as was looked" if skipped(side.looked) else ""
    if not side.entered:
        return f"it never was in the window{seen}"
    if not side.evicted:
        return f"it never left the window{seen}"
    return f"it came in {times(side.entered)} and left {times(side.evicted)}"


# ---- the agent's window ----


def _agent(answer: Missing, side: AgentMissing, view: View) -> Iterator[Row]:
    if len(side.runs) > 1 and side.runs[0].state == "unborn":
        yield note(f"  known there since step {side.runs[1].first:,}")
    if side.unsaid:
        yield note(UNSAID)
    yield row("  ", *strip(side.runs, _room(view), state_words))
    yield row("  ", agent_legend(side.runs))
    held = f", {count(side.tokens, 'token')} of it delivered last at step {side.delivered:,}" if side.delivered else ""
    state = state_words(side.state, patched=side.patched)
    yield row(f"  step {answer.at:,}: {state}, since step {side.since:,}{held}; {often(side.came, side.lost)}")
    yield note(f"  {counted_words(side.counted)}")
    shown: Sequence[Happening] = side.happenings
    if answer.limit == DEFAULT_LIMIT:
        shown, _ = view.some(side.happenings, HAPPENINGS, last=True)
    if len(shown) < (every := len(side.runs) - 1):
        yield note(f"  the last {len(shown):,} of {every:,} changes; --limit 0 shows all:")
    for each in shown:
        state_there = agent_state(each.state, patched=each.patched)
        yield row(state_there, f" at {op_words(each.op, LONGEST)}", leads=Moment(each.op.step))
        yield from details(each, view.width)


def _room(view: View) -> int | None:
    return view.columns - 4 if view.columns is not None else None


DEFAULT_LIMIT = 20
"""Changes that are told in full if the user doesn't say how many."""
