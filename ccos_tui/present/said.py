"""What the user said, as the window pane and the timeline show it, at any step of one answer.

The answer to `statements --course` covers a whole session, so moving the cursor asks nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ccos_core.present.cells import clip, width_of
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.sentences import words_node
from ccos_core.present.words import STATES, count

if TYPE_CHECKING:
    from ccos_core.query.statements import Statements
    from ccos_core.query.told import ToldAbout

FOLD = "⋯"
HELD_SHOWN, LOST_SHOWN = 3, 3
"""Statements that a folded group shows: the last said of those that are held, and the last lost."""
NAMED_FROM = 60
"""Columns from which on there is room for the step at which a statement was said."""
STEP_COLUMNS, NARROWEST = 11, 8
HELD_STATES = ("in", "partial", "stale", "uncertain")
BEFORE_CARRIER = {"in": "", "partial": "in part: ", "stale": "superseded: ", "uncertain": "perhaps: "}
SAID, AGAIN, LOST, SUPERSEDED = "said", "said again", "lost", "superseded"


def lanes_of(answer: Statements) -> Mapping[str, Sequence[int]]:
    """Return the steps at which something was said, said again, lost by the agent's window, and superseded."""
    steps: dict[str, set[int]] = {SAID: set(), AGAIN: set(), LOST: set(), SUPERSEDED: set()}
    for each in answer.statements:
        first, *others = [place.step for place in each.places]
        steps[SAID].add(first)
        steps[AGAIN].update(step for step in others if step != first)
        steps[LOST].update(
            after.first
            for before, after in pairwise(each.runs)
            if before.state in HELD_STATES and after.state not in HELD_STATES
        )
        if each.standing == SUPERSEDED and each.changed:
            steps[SUPERSEDED].add(each.changed)
    return {name: sorted(found - {0}) for name, found in steps.items()}


def group_rows(answer: Statements, step: int, width: int, *, unfolded: bool) -> list[Row]:
    """Return the group of what was said up to a step: what the window holds first, the last said before the others;
    then what it lost, the last lost first. Pasted blocks come behind sentences. No rows if nothing was said."""
    known = [(each, *_standing(each, step)) for each in answer.statements if each.places[0].step <= step]
    held = [each for each in known if each[1] in HELD_STATES]
    lost = [each for each in known if each[1] not in HELD_STATES]
    if not known:
        return []
    held.sort(key=lambda each: (each[0].pasted, -_said(each[0], step)))
    lost.sort(key=lambda each: (each[0].pasted, -each[2], -_said(each[0], step)))
    rows = [heading(f"what you said ({len(known):,})", *_counts([state for _, state, _ in known]))]
    is_long = len(known) > HELD_SHOWN + LOST_SHOWN + 1
    if is_long and not unfolded:
        held, lost = held[:HELD_SHOWN], lost[:LOST_SHOWN]
    rows += [_row(each, state, since, step, width) for each, state, since in (*held, *lost)]
    if is_long:
        hidden = len(known) - len(held) - len(lost)
        rows.append(row(Span(f"  {FOLD} {hidden:,} more" if hidden else f"  {FOLD} show fewer", "link")))
    return rows


def told_words(answer: ToldAbout) -> str:
    """Return how much had been said about a step: `2 statements about this: 1 broken, 1 lost at 840 · `."""
    if not answer.statements:
        return ""
    lost = [each for each in answer.statements if each.state == "out"]
    said = [f"{answer.violated:,} broken"] if answer.violated else []
    if lost:
        steps = sorted({each.since for each in lost})
        where = f"at {steps[0]:,}" if len(steps) == 1 else f"since {steps[0]:,}"
        said.append(f"{len(lost):,} lost {where}")
    about = f"{count(len(answer.statements), 'statement')} about this"
    return f"{about}{': ' if said else ''}{', '.join(said)} · "


def is_fold(shown: Row | None) -> bool:
    """Whether a row stands for statements that aren't shown, or folds those that are."""
    return shown is not None and shown.leads is None and shown.text.lstrip().startswith(FOLD)


def _standing(each: Any, step: int) -> tuple[str, int]:
    """Return (how a statement stands at a step, since when)."""
    run = each.runs[max(bisect_right(each.runs, step, key=lambda run: run.first) - 1, 0)]
    return run.state, run.first


def _said(each: Any, step: int) -> int:
    """Return the step at which it was said last up to a step."""
    return max((place.step for place in each.places if place.step <= step), default=0)


def _counts(states: Sequence[str]) -> Iterator[Span]:
    for state, (sign, word) in STATES.items():
        if number := states.count(state):
            yield Span(f" {sign} {number:,}", state, f" {number:,} {word}")


def _row(each: Any, state: str, since: int, step: int, width: int) -> Row:
    sign, said = STATES[state][0], _said(each, step)
    is_lost = state not in HELD_STATES
    what = clip(f"  {_carried(each, state, since, step)}", max(width // 2, NARROWEST))
    right = [Span(what, "out" if is_lost and since else "quiet")]
    right += [Span(f"{f'step {said:,}':>{STEP_COLUMNS}}", "quiet")] if width >= NAMED_FROM else []
    room = width - 5 - sum(width_of(span.text) for span in right) - len(right)
    text = Span(clip(clean(each.text), max(room, NARROWEST)), "quiet" if each.standing != "live" else "")
    return row(
        Span(f"  {sign} ", state, f"  {STATES[state][1]} "),
        text,
        right=right,
        leads=Moment(said, words_node(each.text)),
    )


def _carried(each: Any, state: str, since: int, step: int) -> str:
    """Say what carries a statement, or since when nothing does."""
    if state not in HELD_STATES:
        return f"since {since:,}" if since else "never in this window"
    there = [held for held in each.held if held.first <= step <= held.last]
    best = [held for held in there if held.state == "in"] or there
    names = list(dict.fromkeys(_item(held.item) for held in reversed(best)))
    more = f" +{len(names) - 1:,}" if len(names) > 1 else ""
    return BEFORE_CARRIER[state] + clean(names[0] if names else "") + more


def _item(item: str) -> str:
    """Return how a carrier is called: `prompt 43`, `CLAUDE.md`."""
    kind, _, name = item.partition(":")
    return name.rpartition("/")[2] if kind in ("file", "sym") else f"{kind} {name}"
