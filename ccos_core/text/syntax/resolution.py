"""What a reference means: the shape every family's resolver has, and what comes out of it.

A resolver knows all outlines of its family and nothing else: no file is opened, no path is asked for. It resolves
uniquely or says nothing; a wrong edge costs a window more than a missing one. It is incremental: what was resolved for
a file stays until a file it looked at (or looked for) changes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Set
from functools import partial
from typing import NamedTuple, Protocol

from ccos_core.values.code import MODULE, Outline

VERSION = 1
"""Of all resolvers together: it goes up whenever the same outlines may give other links. An epoch pins it."""


class Target(NamedTuple):
    """A symbol, or a whole file where `symbol` is MODULE."""

    path: str
    symbol: int = MODULE


class Link(NamedTuple):
    """`owner` in the asked file depends on `target`."""

    owner: int
    target: Target
    role: str
    """import, or the role of the reference: call, type, base, decorator, name."""
    line: int
    count: int = 1  # type: ignore[assignment]  # nobody asks a link what a tuple can be asked


Use = tuple[int, Target, str]
"""Owner, what it depends on, role."""
Found = dict[Use, list[int]]
"""What a file depends on → the line where first, and how often."""


def linked(found: Found) -> tuple[Link, ...]:
    """The links of a file, in the order of its text. There are dozens in each of thousands of files, so no function is
    called for one of them."""
    rows = [(line, owner, target, role, count) for (owner, target, role), (line, count) in found.items()]
    rows.sort()
    return tuple(map(_LINKED, [(owner, target, role, line, count) for line, owner, target, role, count in rows]))


_LINKED = partial(tuple.__new__, Link)


def in_order(link: Link) -> tuple[int, int, Target, str]:
    """The order of a file's links: that of its text."""
    return link.line, link.owner, link.target, link.role


class Resolver(Protocol):
    """One language family's way from names to symbols."""

    configs: tuple[str, ...]
    """Names of the files, beside sources, that say how names are to be read: `go.mod`, `tsconfig.json`."""

    memory: Memory
    """What it has resolved; whoever keeps links of its own asks there which of them to ask for again."""

    def configure(self, path: str, text: str | None) -> None:
        """Learn such a file, or with None that it is gone."""

    def put(self, path: str, outline: Outline) -> None:
        """Learn a file, or what it has become."""

    def drop(self, path: str) -> None:
        """Forget a file."""

    def links(self, path: str) -> tuple[Link, ...]:
        """Everything `path` depends on, as far as it can be told; in the order of its text."""


Outward = tuple[
    tuple[tuple[str, str], ...], tuple[tuple[str, str, str, int, bool], ...], tuple[tuple[str, str, int], ...]
]


def outward(outline: Outline) -> Outward:
    """What of a file its neighbours can see: all but lines, and what its functions do inside of themselves."""
    inner = {at for at, symbol in enumerate(outline.symbols) if symbol.kind in ("function", "method")}
    return (
        tuple((each.name, each.kind) for each in outline.symbols),
        tuple((each.name, each.module, each.item, each.owner, each.exported) for each in outline.imports),
        tuple(
            (each.chain, each.role, each.owner)
            for each in outline.references
            if each.owner not in inner or each.role in ("base", "decorator", "listed")
        ),
    )


def is_config(path: str, resolver: Resolver) -> bool:
    """Whether a file tells a resolver how names are to be read; `tsconfig.app.json` as much as `tsconfig.json`."""
    name = path.rpartition("/")[2]
    return name in resolver.configs or (
        name.startswith("tsconfig.") and name.endswith(".json") and "tsconfig.json" in resolver.configs
    )


MOST_LOOKS = 512
"""Files of which it is kept what was found out about them: many more than are worked on at a time."""


class Looks:
    """What resolvers found out about the files that were edited last, to go on from when one of them is edited again.

    It holds for as long as nothing that was asked for on the way becomes another."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, object] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._kept)

    def take(self, path: str) -> object:
        """What was found out about a file, for whoever goes on with it; None if nothing of it holds."""
        return self._kept.pop(path, None)

    def keep(self, path: str, look: object) -> None:
        """This holds now."""
        self._kept[path] = look
        if len(self._kept) > MOST_LOOKS:
            self._kept.popitem(last=False)

    def drop(self, path: str) -> None:
        """It doesn't any more."""
        self._kept.pop(path, None)

    def clear(self) -> None:
        """Nothing does."""
        self._kept.clear()


class Memory:
    """What was resolved for which file, and which keys were asked on the way.

    A key is whatever a family looks things up by. When a file changes, the answers that asked for one of its keys are
    forgotten, those that asked in vain included; no other.
    """

    def __init__(self) -> None:
        self.links: dict[str, tuple[Link, ...]] = {}
        self.asked: dict[str, frozenset[str]] = {}
        self.askers: dict[str, set[str]] = {}
        self.forgotten: dict[str, None] = {}
        """Paths whose answer was given once and may be another now."""
        self.looks = Looks()

    def keep(self, path: str, links: tuple[Link, ...], asked: Set[str]) -> None:
        self.links[path] = links
        before = self.asked.get(path, frozenset())
        if before == asked:  # as after most edits
            return
        self.asked[path] = frozenset(asked)
        for key in sorted(before - asked):
            self.askers[key].discard(path)
        for key in sorted(asked - before):
            if key in self.askers:
                self.askers[key].add(path)
            else:
                self.askers[key] = {path}

    def forget(self, path: str) -> None:
        """What it asked stays known, for as a rule it will ask that again; and so does what it found out by that."""
        if self.links.pop(path, None) is not None:
            self.forgotten[path] = None

    def changed(self, keys: frozenset[str]) -> None:
        """Forget what may depend on these keys."""
        for path in sorted({path for key in keys for path in self.askers.get(key, ())}):
            self.looks.drop(path)
            self.forget(path)

    def moved(self, path: str, places: Mapping[int, int]) -> None:
        """The symbols of a file stand at other places, and mean what they meant: answers go along with them."""
        moves = {Target(path, old): Target(path, new) for old, new in places.items() if old != new}
        for asker in sorted(self.askers.get(path, ())):  # nobody finds a symbol without asking for its file
            self.looks.drop(asker)
            links = self.links.get(asker, ())
            if any(link.target.path == path and link.target in moves for link in links):
                now = (_moved(link, moves) if link.target.path == path else link for link in links)
                self.links[asker] = tuple(sorted(now, key=in_order))
                self.forgotten[asker] = None

    def clear(self) -> None:
        """Forget everything."""
        self.looks.clear()
        for path in list(self.links):
            self.forget(path)

    def take_forgotten(self) -> list[str]:
        """The paths whose answers were forgotten since this was asked last."""
        found = sorted(self.forgotten)
        self.forgotten.clear()
        return found


def _moved(link: Link, moves: Mapping[Target, Target]) -> Link:
    return Link(link.owner, moves.get(link.target, link.target), link.role, link.line, link.count)
