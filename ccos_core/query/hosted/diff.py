"""`diff A B --lens host`: what a context was given between two steps, what it lost, and what it holds as it isn't any
more. A symbol is told where its file isn't."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.hosted.happening import Counted, Cut, Fell, Witness
from ccos_core.query.hosted.item_names import item_names
from ccos_core.query.hosted.whose import Whose, chosen, names_of
from ccos_core.query.question import DELIVERED
from ccos_core.query.remembered import LIVE
from ccos_core.query.said import said_until
from ccos_core.query.telling import Told
from ccos_core.query.window_words import window_words
from ccos_core.replay.measure import held_at
from ccos_core.replay.renames import Renames, renames
from ccos_core.replay.residency.hosted import SEEN_AS, Delivered, Graph, Hosted
from ccos_core.replay.residency.runs import GONE, OUT, STATES, WITHIN, turns
from ccos_core.state.holding import ABSENT, IN, PATCHED, Standing
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

KINDS = ("entered", "left", "turned")


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """Something a context holds otherwise than before."""

    node: str
    was: str
    """Its name before, where that was another."""

    before: str
    state: str
    """What it was, and is: `in`, `partial`, `stale`, `uncertain`, `out`, `gone`."""

    patched: bool
    """Whether an edit is what showed it, or part of it."""

    tokens_before: int
    tokens: int

    what: str
    """What made it so last, as in `missing`."""

    op: Told
    """By which op."""

    says: str = ""
    """What it is called; empty of code, which its node names."""


@dataclass(frozen=True, slots=True)
class LostStatement:
    """Something the user said that the window had before, and hasn't any more, in whole or in part."""

    memo: str
    """Its id."""

    text: str
    step: int
    """Where it was said last."""


@dataclass(frozen=True, slots=True)
class AgentDiff:
    """What the agent's window gained and lost."""

    whose: Whose
    tokens_before: int
    """What was held at the first step, as we estimate it, ..."""

    tokens: int
    """... and at the last."""

    counted_before: Counted | None
    """How full it was at the first step, as the host said, ..."""

    counted: Counted | None
    """... and at the last."""

    items_before: int
    items: int
    """Files, prompts, results and summaries; a symbol doesn't count beside its file."""

    entered: tuple[HeldTurn, ...]
    """What wasn't held at all before, the oldest delivery first."""

    left: tuple[HeldTurn, ...]
    """What isn't held at all any more."""

    turned: tuple[HeldTurn, ...]
    """What is held otherwise: stale, uncertain, in part; or as it is so now again."""

    cuts: tuple[Cut, ...]
    """Where the host shortened or emptied the context in between, ..."""

    falls: tuple[Fell, ...]
    """... and where it held far less than before, and nothing said why."""

    more: dict[str, int]
    """Which of these lists had more than are told, and how many more."""

    unsaid: tuple[LostStatement, ...] = ()
    """The user's statements that nothing in the window says any more, the last said first."""


def agent_diff(
    timeline: Timeline, begin: int, end: int, *, lens: str, limit: int, session: str | None, context: str | None
) -> AgentDiff:
    """Tell what a context of the agent holds otherwise at the later of two steps."""
    number, whose = chosen(timeline, end, lens, session, context)
    first, last = timeline.at(begin).last, timeline.at(end).last
    witness = Witness(timeline, number)
    old, new = (_held(witness, lens, step) for step in (first, last))
    done = Renames(renames(timeline, first, last))
    was = {done.later(node): (node, each) for node, each in old.items()}
    compared = _Compared(timeline, witness, lens, first, last)
    lists: dict[str, list[_Turn]] = {kind: [] for kind in KINDS}
    for turn in compared.turns(was, new):
        lists[_kind(turn)].append(turn)
    more = {name: len(rows) - limit for name, rows in lists.items() if limit and len(rows) > limit}
    shown = {name: rows[:limit] if limit else rows for name, rows in lists.items()}
    unsaid = [] if lens == DELIVERED else _unsaid(timeline, number, whose, first, last)
    if limit and len(unsaid) > limit:
        more["unsaid"] = len(unsaid) - limit
    names = item_names(timeline, [turn.node for rows in shown.values() for turn in rows])
    told = {
        name: tuple(compared.told(turn, names[turn.node].says if turn.node in names else "") for turn in rows)
        for name, rows in shown.items()
    }
    return AgentDiff(
        whose=whose,
        tokens_before=_tokens(old),
        tokens=_tokens(new),
        counted_before=witness.counted(first),
        counted=witness.counted(last),
        items_before=_count(old),
        items=_count(new),
        entered=told["entered"],
        left=told["left"],
        turned=told["turned"],
        cuts=tuple(witness.cut(step) for step in witness.cuts(first + 1, last)),
        falls=witness.falls(first + 1, last),
        more=more,
        unsaid=tuple(unsaid[: limit or None]),
    )


def _unsaid(timeline: Timeline, number: int, whose: Whose, first: int, last: int) -> list[LostStatement]:
    """Return the live statements of the user that the window had at the first step and lost by the last."""
    said = said_until(timeline, first, (whose.host, whose.session))
    before = window_words(timeline, number, first)
    held = [each for each in said if each.standing == LIVE and before.state(each.words) in WITHIN]
    after = window_words(timeline, number, last)
    lost = [each for each in held if after.state(each.words) not in WITHIN]
    lost.sort(key=lambda each: -each.places[-1].step)
    return [LostStatement(each.memo, each.text, each.places[-1].step) for each in lost]


class _Turn(NamedTuple):
    """Something that is held otherwise."""

    node: str
    named: str
    """Its name before."""

    before: Standing
    now: Standing


def _kind(turn: _Turn) -> str:
    """Which of the `KINDS` it is."""
    if (turn.before == ABSENT) == (turn.now == ABSENT):
        return "turned"
    return "entered" if turn.before == ABSENT else "left"


class _Compared:
    """Two steps of one context."""

    def __init__(self, timeline: Timeline, witness: Witness, lens: str, first: int, last: int) -> None:
        self.timeline, self.witness, self.lens = timeline, witness, lens
        self.first, self.last = first, last
        self._graph = Graph(timeline.journal, last)

    def turns(self, was: Mapping[str, tuple[str, Standing]], new: Mapping[str, Standing]) -> Iterator[_Turn]:
        """What is held otherwise; a symbol only where its file isn't held so too."""
        for node in dict.fromkeys((*was, *new)):
            named, before = was.get(node, (node, ABSENT))
            now = new.get(node, ABSENT)
            file = file_node(path_of(node) or "") if node.startswith("sym:") else node
            if SEEN_AS[before.state] == SEEN_AS[now.state]:
                continue
            own = was.get(file, ("", ABSENT))[1], new.get(file, ABSENT)
            if file == node or [SEEN_AS[each.state] for each in own] != [SEEN_AS[each.state] for each in (before, now)]:
                yield _Turn(node, named, before, now)

    def told(self, turn: _Turn, says: str) -> HeldTurn:
        """One of them, with the op that made it so last."""
        node, named, before, now = turn
        codes = SEEN_AS[before.state], SEEN_AS[now.state]
        gone = self._gone_since(node) if self._graph.lacks(node) else 0
        is_gone = gone > self.first  # else it went before, and here the context let go of what it held of it
        state = GONE if is_gone else codes[1]
        step = gone if is_gone else self._step(node)
        what, op = self.witness.what(step, node, codes[0], state)
        if self.lens == DELIVERED and not is_gone:
            what = "handed out" if codes[1] != OUT else "left out"
        name = named if named != node else ""
        patched = now.state == PATCHED
        return HeldTurn(node, name, STATES[codes[0]], STATES[state], patched, before.tokens, now.tokens, what, op, says)

    def _step(self, node: str) -> int:
        """Since which step it is held as it is at the last one."""
        if self.lens == DELIVERED:
            ours = self.witness.handed(self.last)
            assert ours is not None  # else nothing was held otherwise
            return ours.step
        _, step, _ = self._hosted(node).lately(self.last)
        return step

    def _gone_since(self, node: str) -> int:
        """Since which step the graph hasn't it any more."""
        names, delivered = names_of(self.timeline, node, self.last), self.lens == DELIVERED
        seen = Delivered(self.timeline, names, self.witness.context) if delivered else self._hosted(node)
        return int(turns(seen.states(0, 0, self.last))[-1])

    def _hosted(self, node: str) -> Hosted:
        return Hosted(self.timeline.journal, names_of(self.timeline, node, self.last), self.witness.context)


def _held(witness: Witness, lens: str, step: int) -> Mapping[str, Standing]:
    """What a context held; or what the last window of ours showed that it was handed."""
    if lens != DELIVERED:
        return held_at(witness.journal, witness.context, step)
    ours = witness.handed(step)
    return {node: Standing(IN, tokens, ours.step) for node, _, tokens in ours.items} if ours is not None else {}


def _tokens(held: Mapping[str, Standing]) -> int:
    return sum(each.tokens for node, each in held.items() if not node.startswith("sym:"))


def _count(held: Mapping[str, Standing]) -> int:
    return sum(not node.startswith("sym:") for node in held)
