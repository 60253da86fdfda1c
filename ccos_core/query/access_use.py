"""Whether what an agent was handed was used, and what was used together: labels for `access`.

A node is used when, within a number of turns, its file is read or changed, or a call or text of
the agent names its file or symbol. What was paged out is regretted when it is paged in or read again within them. A
turn is a call or a text of the agent. A label is open, None, where the record ends before those turns have passed.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count
from ccos_core.query.dead_weight import SHORTEST_NAME, words_of_agent
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.query.remembered import assertions_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.values.ids import path_of, symbol_of

if TYPE_CHECKING:
    from ccos_core.query.access import Access
    from ccos_core.replay.timeline import Timeline

TURNS = 30
TURN_KINDS = ("tool", "turn")
MOST_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class AccessLabel:
    """One node that was handed out, paged in or paged out at one access."""

    step: int
    ts: int | None
    """Milliseconds since 1970, UTC; None if the record doesn't say."""

    resource: str
    """The node."""

    action: str
    """As in `access`."""

    query: str
    """What was asked for: the window, or the words that were looked for."""

    session: str
    pressure_before: str
    """As in `access`, ..."""

    pressure_after: str
    """... and after it."""

    tokens_delta: int
    """Tokens of the node that were handed out; 0 where the op doesn't say them."""

    used: bool | None
    """Whether it was used within the turns; of what was paged out whether it was needed again. None if the record
    ends too early to say."""

    by: int
    """The step of the first use; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class AccessLabels:
    """The answer to `access --jsonl`."""

    schema: ClassVar[str] = "ccos.access-labels/1"
    at: int
    turns: int
    """Turns within which a use counts."""

    labels: tuple[AccessLabel, ...]
    verbatim: ClassVar[bool] = True
    """Its rows are lines of JSON."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One line of JSON for each."""
        return [row(json.dumps(asdict(each), ensure_ascii=True, separators=(",", ":"))) for each in self.labels]


@dataclass(frozen=True, slots=True)
class CoUse:
    """How often a node was handed out, and used."""

    resource: str
    """The node."""

    times: int
    """Deliveries."""

    used: int
    """Those after which it was used."""

    last: int
    """The step of the last one."""

    weight: int
    """The attention it was given, in thousandths."""

    together: tuple[tuple[str, int], ...]
    """Nodes that were used after the same deliveries, and how often: at most three."""


@dataclass(frozen=True, slots=True)
class CoUses:
    """The answer to `access --together`."""

    schema: ClassVar[str] = "ccos.co-use/1"
    at: int
    turns: int
    """Turns within which a use counts."""

    nodes: tuple[CoUse, ...]
    """The most used first."""

    more: int
    """Nodes that aren't listed."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each node."""
        head = title(f"{count(len(self.nodes) + self.more, 'node')} handed out, used within {self.turns} turns:")
        return [head, *map(_co_use_row, self.nodes), *and_more(self.more, "node")]


def _co_use_row(each: CoUse) -> Row:
    beside = ", ".join(f"{clean(node)} {times:,}" for node, times in each.together)
    with_ = Span(f"  with {beside}" if beside else "", "quiet")
    return row(f"{each.used:>4,} of {each.times:>4,}  {clean(each.resource)}", with_, leads=Moment(each.last))


def labelled(timeline: Timeline, at: int, accesses: Iterable[Access], turns: int) -> list[AccessLabel]:
    """Return a label for each node of each access."""
    rows = [(access, node, tokens) for access in accesses for node, tokens in _nodes(timeline.op(access.step))]
    uses = Uses(timeline, at, turns, [(access.step, node) for access, node, _ in rows])
    found = []
    for access, node, tokens in rows:
        by = uses.first(access.step, node, out=access.action == "page_out")
        used = True if by else None if uses.end(access.step) is None else False
        query = access.query or (access.resource if access.resource != node else "")
        found.append(
            AccessLabel(
                access.step, access.ts, node, access.action, query, access.session, access.pressure_before,
                access.pressure_after, tokens, used, by,
            )
        )  # fmt: skip
    return found


def co_uses(timeline: Timeline, at: int, labels: Sequence[AccessLabel], limit: int) -> tuple[tuple[CoUse, ...], int]:
    """Return what was handed out, the most used first, and how many nodes aren't listed."""
    given = [each for each in labels if each.action != "page_out"]
    times, used, last = Counter[str](), Counter[str](), dict[str, int]()
    at_step: dict[int, list[str]] = {}
    for each in given:
        times[each.resource] += 1
        last[each.resource] = each.step
        if each.used:
            used[each.resource] += 1
            at_step.setdefault(each.step, []).append(each.resource)
    pairs: dict[str, Counter[str]] = {node: Counter() for node in times}
    for nodes in at_step.values():
        for one, other in combinations(sorted(set(nodes)), 2):
            pairs[one][other] += 1
            pairs[other][one] += 1
    order = sorted(times, key=lambda node: (-used[node], -times[node], node))
    shown = order[: limit or None]
    rows = (
        CoUse(
            node, times[node], used[node], last[node], assertions_of(timeline, node, at).weight,
            tuple(sorted(pairs[node].items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TOGETHER]),
        )
        for node in shown
    )  # fmt: skip
    return tuple(rows), len(order) - len(shown)


# ---- helpers ----


def _nodes(op: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """(node, tokens it took) of what an op hands out or pages; tokens are 0 where it doesn't say them."""
    if op["kind"] == "recall":
        yield from ((uri, tokens) for uri, _, tokens in op["items"])
    elif op["kind"] in ("paged_in", "paged_out"):
        yield from ((node, 0) for node in op["nodes"])


class Uses:
    """The steps at which nodes were used."""

    def __init__(self, timeline: Timeline, at: int, turns: int, rows: Sequence[tuple[int, str]]) -> None:
        steps = timeline.journal.steps
        self.at, self.turns = at, turns
        kinds = steps["kind"][:at]
        self._turns: list[int] = (
            np.flatnonzero(np.isin(kinds, [KIND_CODES[kind] for kind in TURN_KINDS])) + 1
        ).tolist()
        paths = {path for _, node in rows if (path := path_of(node)) is not None}
        self._files: dict[str, list[int]] = {}
        self._paged: dict[str, list[int]] = {}
        wanted = np.isin(kinds, [KIND_CODES["seen"], KIND_CODES["paged_in"]])
        begin = min((step for step, _ in rows), default=at)
        after = [step for step in (np.flatnonzero(wanted) + 1).tolist() if step > begin]
        for step, op in sorted(read_ops(timeline, after).items()):
            if op["kind"] == "paged_in":
                for node in op["nodes"]:
                    self._paged.setdefault(node, []).append(step)
            elif op["how"] != "ingest" and op["path"] in paths:
                self._files.setdefault(op["path"], []).append(step)
        names = {name for _, node in rows for name in _names(node)}
        self._words: dict[str, list[int]] = {}
        for word, step in words_of_agent(timeline, [step for step in self._turns if step > begin]) if names else ():
            if word in names:
                self._words.setdefault(word, []).append(step)

    def end(self, step: int) -> int | None:
        """Return the last step within the turns after a step; None if they haven't all passed."""
        place = bisect_right(self._turns, step) + self.turns - 1
        return self._turns[place] if place < len(self._turns) else None

    def first(self, step: int, node: str, *, out: bool) -> int:
        """Return the step of the first use after a step; 0 if there is none in time."""
        path, end = path_of(node), self.end(step) or self.at
        lists = [self._files.get(path or "", ()), self._paged.get(node, ()) if out else ()]
        lists += [] if out else [self._words.get(name, ()) for name in _names(node)]
        nexts = (each[place] for each in lists if (place := bisect_right(each, step)) < len(each))
        return min((each for each in nexts if each <= end), default=0)


def _names(node: str) -> Iterator[str]:
    """The words by which an agent names a node: of a file its name, of a symbol its own."""
    path, symbol = path_of(node), symbol_of(node)
    name = symbol[0].rpartition(".")[2] if symbol is not None else (path or "").rpartition("/")[2]
    if len(name) >= SHORTEST_NAME:
        yield name
