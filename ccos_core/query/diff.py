"""`diff A B`: what a window gained and lost between two steps, and what became of the code and its failures meanwhile.

The later window is compared with the earlier one, whichever was said first; what has another name since is the same.
For what left, a word says why it isn't in any more; the very step at which it left is what `missing` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ccos_core.query.departures import Departures, Seen
from ccos_core.query.diff_rows import diff_rows
from ccos_core.query.hosted.both import Overlap, overlap
from ccos_core.query.hosted.diff import AgentDiff, agent_diff
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.question import BOTH, THEIRS, Argument, Question
from ccos_core.query.telling import Told, one_line
from ccos_core.query.whereby import Telling
from ccos_core.query.windows import AROUND, window_at
from ccos_core.replay.between import Fate, Some, Turn, edges_between, failures_between, files_between
from ccos_core.replay.moment import places_at
from ccos_core.replay.past import failure_told
from ccos_core.replay.renames import Renames, renames
from ccos_core.replay.residency.lens import WORKING_SET
from ccos_core.replay.searching import Progress
from ccos_core.window.linearize import DEFAULT_BUDGET, Item, Place

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.source import Source

Each = TypeVar("Each")

LIMIT = 20
"""Edges, files and failures that are listed of each sort by default."""


@dataclass(frozen=True, slots=True)
class Entered:
    """What is in now and wasn't before."""

    node: str
    level: str
    tokens: int
    reason: str
    """Why it is in."""

    op: Told | None
    """The last op that gave it more heat, or a better tier; none where nothing did, and only others made room."""


@dataclass(frozen=True, slots=True)
class Left:
    """What was in before and isn't now."""

    node: str
    """Its name now, or the last it had."""

    level: str
    """How it was shown, ..."""

    tokens: int
    """... and what that took."""

    why: str
    """One of `query.departures.WHY`."""

    short: int | None
    """Tokens the budget lacks for it now, where it is only room that is lacking, and that was worked out."""

    op: Told | None
    """What took it away by itself: it went, was sent away, or what pressed on it ended."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What is in at both steps, and isn't shown alike."""

    node: str
    was: str
    """Its name before, where that was another."""

    before: str
    level: str
    tokens_before: int
    tokens: int
    edited: bool
    """Whether its own lines are others than before."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """An edge: one node depends on another."""

    owner: str
    target: str
    role: str


@dataclass(frozen=True, slots=True)
class FileTurn:
    """A file that is another than before."""

    path: str
    how: str
    """`new`, `gone`, `renamed` or `changed`."""

    was: str
    """Its path before, where it was there."""

    versions: int
    """How many it has had in between."""

    op: Told
    """What gave it the last of them."""


@dataclass(frozen=True, slots=True)
class FailureTurn:
    """A failure that began or ended."""

    runner: str
    test: str
    """Empty if none is named."""

    message: str
    anchor: str
    """The node it is felt at; empty if it isn't known."""

    op: Told
    """What told it last, or ended it."""


@dataclass(frozen=True, slots=True)
class SuggestedDiff:
    """What a suggested window gained and lost, and what became of the code and its failures."""

    lens: str
    budget: int
    tokens_before: int
    """What the window's text took at the first step, ..."""

    tokens: int
    """... and takes at the last."""

    items_before: int
    items: int
    entered: tuple[Entered, ...]
    """In the order of the window."""

    left: tuple[Left, ...]
    """In the order of the window they were in."""

    changed: tuple[Changed, ...]
    edges_begun: tuple[Dependence, ...]
    edges_ended: tuple[Dependence, ...]
    files: tuple[FileTurn, ...]
    failures_begun: tuple[FailureTurn, ...]
    failures_ended: tuple[FailureTurn, ...]
    more: dict[str, int]
    """Which of these lists had more than are told, and how many more."""


@dataclass(frozen=True, slots=True)
class Diff:
    """The answer to `diff`: about a suggested window, about the agent's, or about both."""

    schema: ClassVar[str] = "ccos.diff/2"
    first: int
    last: int
    suggested: SuggestedDiff | None
    agent: AgentDiff | None
    before: Overlap | None
    """If both were asked about: the suggested window at the first step, by what the agent held of it then, ..."""

    after: Overlap | None
    """... and at the last."""

    def as_rows(self, view: View) -> list[Row]:
        return diff_rows(self, view)


def diff(
    timeline: Timeline,
    at: int,
    *,
    span: tuple[int, int],
    lens: str,
    budget: int,
    limit: int,
    progress: Progress,
    session: str | None = None,
    context: str | None = None,
) -> Diff:
    """Compare the windows of two steps, in order, whichever was said first."""
    first, last = min(span), max(span)
    suggested, agent = None, None
    overlaps: list[Overlap | None] = [None, None]
    if not is_theirs(lens) or lens == BOTH:
        suggested = _suggested(timeline, first, last, WORKING_SET if lens == BOTH else lens, budget, limit, progress)
    if is_theirs(lens):
        agent = agent_diff(timeline, first, last, lens=lens, limit=limit, session=session, context=context)
    if lens == BOTH:
        items = [window_at(timeline, step, WORKING_SET, budget).items for step in (first, last)]
        overlaps = [
            overlap(timeline, step, each, session=session, context=context)
            for step, each in zip((first, last), items, strict=True)
        ]
    return Diff(first, last, suggested, agent, *overlaps)


def _suggested(
    timeline: Timeline, first: int, last: int, lens: str, budget: int, limit: int, progress: Progress
) -> SuggestedDiff:
    before, now = timeline.at(first), timeline.at(last)
    done = Renames(renames(timeline, before.last, now.last))
    anchor = timeline.node(lens.removeprefix(AROUND), now.step) if lens.startswith(AROUND) else None
    if lens == WORKING_SET:
        old, new = (Seen(lens, budget, each.tokens, each.items, {}) for each in places_at((before, now), budget))
    else:
        old = _window(timeline, before, lens, done.earlier(anchor) if anchor else None, budget, progress)
        new = _window(timeline, now, lens, anchor, budget, progress)
    telling = Telling(timeline)
    departures = Departures(timeline, before, now, new, telling)
    was = {done.later(item.uri): item for item in old.items}
    here = {item.uri: item for item in new.items}
    more: dict[str, int] = {}
    begun, ended = edges_between(timeline.journal, before.last, now.last, done, limit)
    failing, over = failures_between(timeline.journal, before.last, now.last, limit)
    turned = files_between(timeline.journal, before.last, now.last, done, limit)
    fates = [each.step for each in turned.told] + [each.step for some in (failing, over) for each in some.told]
    gone = [node for node in was if node not in here]
    departures.have_ready([node for node in here if node not in was], gone, fates)
    entered = [_entered(item, departures) for item in new.items if item.uri not in was]
    left = [_left(node, was[node], departures) for node in gone]
    changed = [each for node in here if node in was for each in _changed(before, now, was[node], here[node])]
    return SuggestedDiff(
        lens=new.lens,
        budget=budget,
        tokens_before=old.tokens,
        tokens=new.tokens,
        items_before=len(old.items),
        items=len(new.items),
        entered=tuple(entered),
        left=tuple(left),
        changed=tuple(changed),
        edges_begun=tuple(Dependence(*each) for each in _told(begun, "edges_begun", more)),
        edges_ended=tuple(Dependence(*each) for each in _told(ended, "edges_ended", more)),
        files=tuple(_file(each, telling) for each in _told(turned, "files", more)),
        failures_begun=tuple(_failure(each, telling) for each in _told(failing, "failures_begun", more)),
        failures_ended=tuple(_failure(each, telling) for each in _told(over, "failures_ended", more)),
        more=more,
    )


# ---- the two windows ----


def _window(timeline: Timeline, moment: Moment, lens: str, anchor: str | None, budget: int, progress: Progress) -> Seen:
    """A window; an empty one where what it is around isn't there. That is called as it was then, and may have been
    called so only within a look at a tree, so that nothing knows the name."""
    if anchor is not None and moment.find(anchor) is None:
        return Seen(lens, budget, 0, (), {})
    if anchor is not None:
        window = moment.window(AROUND + anchor, budget)
    else:
        window = window_at(timeline, moment.step, lens, budget, progress)
    return Seen(window.lens, budget, window.tokens, window.items, {each.uri: each.short for each in window.missed})


def _entered(item: Item | Place, departures: Departures) -> Entered:
    return Entered(item.uri, item.level, item.tokens, item.reason, departures.mover(item.uri))


def _left(node: str, item: Item | Place, departures: Departures) -> Left:
    why, short, op = departures.why(node)
    return Left(node, item.level, item.tokens, why, short, op)


def _changed(before: Moment, now: Moment, was: Item | Place, item: Item | Place) -> Iterator[Changed]:
    old, new = before.source(was.path), now.source(item.path)
    edited = old is not new and _lines(old, was.uri) != _lines(new, item.uri)
    if edited or was.level != item.level:
        name = was.uri if was.uri != item.uri else ""
        yield Changed(item.uri, name, was.level, item.level, was.tokens, item.tokens, edited)


def _lines(source: Source, node: str) -> list[str]:
    first, last = source.span(source.nesting.places[node])
    return source.lines[first - 1 : last]


# ---- what became of the rest ----


def _file(turn: Turn, telling: Telling) -> FileTurn:
    how = "new" if not turn.was else "gone" if not turn.there else "renamed" if turn.was != turn.path else "changed"
    return FileTurn(turn.path, how, turn.was, turn.versions, telling.at(turn.step))


def _failure(fate: Fate, telling: Telling) -> FailureTurn:
    (runner, _, _), live = failure_told(telling.timeline.journal, fate.row)
    anchor = live.anchors[0] if live.anchors else ""
    return FailureTurn(runner, live.failure.test, one_line(live.failure.message), anchor, telling.at(fate.step))


def _told(found: Some[Each], name: str, more: dict[str, int]) -> Sequence[Each]:
    if found.all > len(found.told):
        more[name] = found.all - len(found.told)
    return found.told


QUESTION = Question(
    ask=diff,
    answers=(Diff,),
    example="diff 40 60",
    arguments=(
        Argument("span", "span", "first and last step", required=True),
        Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=THEIRS),
        Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
        Argument(
            "limit",
            "count",
            "rows of each kind to list: edges, files, failures, items of the agent's window; 0 lists all",
            default=LIMIT,
            flag=True,
        ),
        *WHOSE,
    ),
    needs=("progress",),
    about="A renamed file counts as the same file. `missing` tells the exact step at which a node left the window.",
)
