"""The journal: every change of every node, in columns, so that any question about the past is a search or one pass.

It says nothing a replay of the ops wouldn't say; it says it at once. A moment is one op, or one whole look at a tree
(`docs/decisions/0005`): what a look changes stands under its first step. Names (nodes, tools, contexts) are numbers in
the columns, given in the order in which they came up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ccos_core.replay.columns import Allocate, Numbers, Shelf, Table, Texts, in_memory, lie_on, sizes_of
from ccos_core.state.holding import IN, OUT, PARTIAL, PATCHED, STALE, UNCERTAIN
from ccos_core.state.rules import CAUSES
from ccos_core.values.canon import canonical, parse

GONE = 4
"""The tier of a node that isn't in the graph; the others are those of `state.world`."""
NO_CAUSE = len(CAUSES)
"""The cause of a change that is none of heat: of prior, cost or tier."""

CHANGES: Mapping[str, str] = {
    "node": "<i4",
    "cause": "|u1",
    "value": "<i8",
    "prior": "<i4",
    "cost": "<i4",
    "tier": "|u1",
    "score": "<i8",
    "before": "<i4",
}
"""A change of a warm node: which heat it changed (one row for each) and what that is now; what the node is worth by
itself, what it takes to show it at all, its tier and its score from here on; the row of its change before, or -1."""
STEPS: Mapping[str, str] = {
    "rows": "<i4",
    "best": "<i8",
    "clock": "<i4",
    "look": "<i4",
    "kind": "|u1",
    "how": "|u1",
    "name": "<i4",
    "outcome": "|u1",
    "at": "<i8",
    "size": "<i8",
    "context": "<i4",
    "tokens": "<i8",
}
"""An op: how many changes there are up to here, the best score, the clock, the first step of the look it belongs to (0
for none), and what a search wants to know of it without reading it."""
THERE: Mapping[str, str] = {"step": "<i4", "node": "<i4", "there": "|u1"}
"""A node came into the graph, or left it."""
USES: Mapping[str, str] = {
    "step": "<i4",
    "file": "<i4",
    "owner": "<i4",
    "target": "<i4",
    "role": "<i4",
    "count": "<i4",
}
"""From a step on, a node in a file uses another that often in that role; 0 where it doesn't any more."""
VERSIONS: Mapping[str, str] = {"step": "<i4", "path": "<i4", "content": "|V32", "why": "<i4"}
"""From a step on, a file is the text of that hash, a content of the record or pieced together; or `why` there is
none."""
FAILURES: Mapping[str, str] = {
    "step": "<i4",
    "key": "<i4",
    "told": "<i4",
    "since": "<i4",
    "last": "<i4",
    "unit": "<i8",
    "begin": "<i4",
    "end": "<i4",
}
"""From a step on, a failure is what `told` says (-1 where it has ended): it failed first at `since` and last at `last`,
an impulse counts for `unit` since then, and it reaches these rows of `reached`."""
REACHED: Mapping[str, str] = {"node": "<i4", "strength": "<i4"}
PAGES: Mapping[str, str] = {"step": "<i4", "node": "<i4", "pinned": "<i4", "away": "<i4"}
"""From a step on, a node is pinned since a step, or sent away since one; 0 where it is not."""
HELD: Mapping[str, str] = {
    "step": "<i4",
    "context": "<i4",
    "item": "<i4",
    "state": "|u1",
    "tokens": "<i4",
    "delivered": "<i4",
}
"""From a step on, a context of the host holds an item so, by the delivery of that step."""
RULES: Mapping[str, str] = {"step": "<i4", "told": "<i4"}
"""From a step on, these rules hold, and what is seen is read by these interpreters."""

STATES = (OUT, IN, PATCHED, PARTIAL, STALE, UNCERTAIN)
"""How a context may hold an item."""
NEVER = (1 << 31) - 1
"""Stands for a change that never came: behind all there are."""
PLACES = 1 << 17
"""Changes between two places at which it is remembered what held there: fewer than that are looked through."""


class Growing(Protocol):
    """What goes on with a journal."""

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first rows of each table are what they were."""


class _Following:
    """Of each change the next one of the same node, which goes on with the journal."""

    def __init__(self) -> None:
        self._room: Numbers = np.empty(0, np.int32)
        self._size = 0

    def of(self, before: Numbers) -> Numbers:
        """The same for the changes that have these before them, of which the first are known."""
        begin, size = self._size, len(before)
        if size > len(self._room):
            room = np.full(size + size // 4, NEVER, np.int32)
            room[:begin] = self._room[:begin]
            self._room = room
        new = before[begin:]
        later = np.nonzero(new >= 0)[0]
        self._room[new[later]] = later + begin
        self._size = size
        return self._room[:size]

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first changes are what they were."""
        self._size = min(self._size, sizes["changes"])
        self._room[self._size :] = NEVER
        self._room[self._room >= self._size] = NEVER


class Journal:
    """Everything that changed, up to a step."""

    def __init__(self, allocate: Allocate = in_memory) -> None:
        self.names = Texts("names", allocate)
        self.told = Texts("told", allocate)
        """Values as canonical bytes, for what is seldom asked for."""
        self.changes = Table("changes", CHANGES, allocate)
        self.steps = Table("steps", STEPS, allocate)
        self.there = Table("there", THERE, allocate)
        self.uses = Table("uses", USES, allocate)
        self.versions = Table("versions", VERSIONS, allocate)
        self.failures = Table("failures", FAILURES, allocate)
        self.reached = Table("reached", REACHED, allocate)
        self.pages = Table("pages", PAGES, allocate)
        self.held = Table("held", HELD, allocate)
        self.rules = Table("rules", RULES, allocate)
        self.partial = 0
        """Contents of which nobody knows what they say."""
        self.solid: dict[str, int] = {}
        """Rows of each table that stay, whatever comes: all but those of a look that may go on."""
        self._made: dict[str, tuple[int, Any]] = {}
        self._growing: dict[str, Growing] = {}

    @property
    def head(self) -> int:
        """The last step it knows."""
        return len(self.steps)

    def tables(self) -> Iterator[Table]:
        """All of them, in one order."""
        for texts in (self.names, self.told):
            yield texts.ends
            yield texts.body
        yield from (self.changes, self.steps, self.there, self.uses, self.versions, self.failures, self.reached)
        yield from (self.pages, self.held, self.rules)

    def lies_on(self, shelf: Shelf, sizes: Mapping[str, int]) -> None:
        """It was kept there, so many rows of each table."""
        lie_on(shelf, self.tables(), sizes)

    def sizes(self) -> dict[str, int]:
        """Rows of each table."""
        return sizes_of(self.tables())

    def column(self, table: str, name: str, size: int) -> bytes:
        """The first bytes of one of its columns: a journal is a shelf itself, for one that was spoilt."""
        found = next(each for each in self.tables() if each.name == table)
        return found.columns[name].tail(0, len(found))[:size]

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Forget what stands behind the first rows of each table."""
        for table in self.tables():
            table.cut(sizes[table.name])
        self._made.clear()
        for growing in self._growing.values():
            growing.cut(sizes)

    # -- names ----------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> dict[str, int]:
        """Name → its number."""
        known: dict[str, int] = self._made.setdefault("ids", (0, {}))[1]
        if len(known) < len(self.names):
            texts = self._texts()
            known.update((texts[at], at) for at in range(len(known), len(texts)))
        return known

    def name(self, at: int) -> str:
        """The name of a number."""
        known = self._made.get("texts")
        found: str = known[1][at] if known is not None and at < known[0] else self._texts()[at]
        return found

    def spelled(self, numbers: Numbers) -> list[str]:
        """The names of many numbers."""
        texts = self._texts()
        return [texts[at] for at in numbers.tolist()]

    def id(self, name: str) -> int:
        """The number of a name; -1 if it never came up."""
        known = self._made.get("ids")
        number: int | None = known[1].get(name) if known is not None else None
        return number if number is not None else self.ids.get(name, -1)

    @property
    def heads(self) -> dict[str, list[str]]:
        """Path, as nodes spell it → all nodes of the code that ever came up in it."""
        found: dict[str, list[str]] = self.once("heads", self._heads)
        return found

    def _heads(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._texts():
            kind, _, rest = name.partition(":")
            if kind in ("file", "sym"):
                found.setdefault(rest.partition("#")[0], []).append(name)
        return found

    def _texts(self) -> list[str]:
        size, texts = self._made.get("texts", (0, []))
        if size < len(self.names):
            if size == 0:
                texts = [text.decode("utf-8", "surrogatepass") for text in self.names.all()]
            else:
                texts += [self.names[at].decode("utf-8", "surrogatepass") for at in range(size, len(self.names))]
            self._made["texts"] = len(texts), texts
        found: list[str] = texts
        return found

    # -- changes --------------------------------------------------------------------------------------------------

    def rows(self, step: int) -> int:
        """How many changes there are up to a step."""
        return int(self.steps["rows"][step - 1]) if step else 0

    @property
    def stamps(self) -> Numbers:
        """The step of each change."""
        return self._once("stamps", len(self.changes), self._stamps)

    @property
    def after(self) -> Numbers:
        """Of each change the next one of the same node; NEVER where there is none."""
        following: _Following = self.growing("after", _Following)
        return following.of(self.changes["before"])

    def latest(self, step: int) -> Numbers:
        """The last change up to a step of every node that had one: looked for behind the last of the places at which
        that is known."""
        upto, after = self.rows(step), self.after
        known: dict[int, tuple[Numbers, Numbers]] = self.once("latest at places", dict)
        place = upto - upto % PLACES
        if place not in known:
            rows = self.lasting(0, place)
            known[place] = rows, after[rows]
        before, ended = known[place]
        return np.concatenate([before[ended >= upto], self.lasting(place, upto)])

    def lasting(self, begin: int, upto: int) -> Numbers:
        """The changes from one on that none of the first so many ended."""
        return (np.nonzero(self.after[begin:upto] >= upto)[0] + begin).astype(np.int32)

    def history(self, node: int) -> Numbers:
        """All changes of a node."""
        return np.nonzero(self.changes["node"] == node)[0]

    def heats(self, step: int) -> Numbers:
        """Number of a node → its heats by cause at a step, in the order of CAUSES."""
        upto = self.rows(step)
        found = np.zeros((len(self.names), len(CAUSES) + 1), np.int64)
        found[self.changes["node"][:upto], self.changes["cause"][:upto]] = self.changes["value"][:upto]
        return found[:, :-1]

    def heats_of(self, nodes: Sequence[int], step: int) -> dict[int, tuple[int, ...]]:
        """The heats by cause of some nodes at a step."""
        changed = self.changes["node"]
        rows = self.among(changed[: self.rows(step)], nodes)
        place = np.zeros(len(self.names), np.int32)
        place[list(nodes)] = np.arange(len(nodes), dtype=np.int32)
        found = np.zeros((len(nodes), len(CAUSES) + 1), np.int64)
        found[place[changed[rows]], self.changes["cause"][rows]] = self.changes["value"][rows]
        return {node: tuple(heats[:-1]) for node, heats in zip(nodes, found.tolist(), strict=True)}

    def among(self, column: Numbers, names: Numbers | Sequence[int]) -> Numbers:
        """The rows of a column of names' numbers that have one of these."""
        wanted = np.zeros(len(self.names), bool)
        wanted[np.asarray(names, np.int64)] = True
        return np.nonzero(wanted.take(column))[0]

    def _stamps(self) -> Numbers:
        return np.repeat(np.arange(1, self.head + 1, dtype=np.int32), np.diff(self.steps["rows"], prepend=np.int32(0)))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Whatever somebody works out of all of it, until more comes behind."""
        size = len(self.steps) + len(self.changes)
        known = self._made.get(name)
        if known is None or known[0] != size:
            known = self._made[name] = size, make()
        return known[1]

    def growing(self, name: str, make: Callable[[], Any]) -> Any:
        """Whatever somebody works out of it row by row: when more comes behind, it goes on from where it is."""
        if name not in self._growing:
            self._growing[name] = make()
        return self._growing[name]

    def _once(self, name: str, size: int, make: Any) -> Numbers:
        known = self._made.get(name)
        if known is None or known[0] != size:
            known = self._made[name] = size, make()
        found: Numbers = known[1]
        return found

    # -- everything else ------------------------------------------------------------------------------------------

    def value(self, at: int) -> Any:
        """One of the values that are told in words."""
        return parse(self.told[at])

    def tell(self, value: Any) -> int:
        """Keep a value in words; gives its number, the same for the same value."""
        known: dict[bytes, int] = self._made.setdefault("told", (0, {}))[1]
        if len(known) != len(self.told):
            known.update((body, at) for at, body in enumerate(self.told.all()))
        body = canonical(value)
        if body not in known:
            known[body] = self.told.add(body)
        return known[body]

    def begun(self, steps: Numbers) -> Numbers:
        """The first step of the moment each of some steps belongs to."""
        looks = self.steps["look"][steps - 1]
        found: Numbers = np.where(looks > 0, looks, steps)
        return found

    def last_moment(self, step: int) -> int:
        """The last step of the moment a step belongs to."""
        looks = self.steps["look"]
        look = looks[step - 1] if step else 0
        if not look:
            return step
        others = np.nonzero(looks[step:] != look)[0]
        return step + int(others[0]) if len(others) else self.head
