"""What a reference means: the resolver that every language family extends, and the links that come out of it.

A resolver knows all outlines of its family and nothing else: no file is opened, no path is asked for. It resolves
uniquely or says nothing; a wrong edge costs a window more than a missing one. It is incremental: what was resolved for
a file stays until a file it looked at (or looked for) changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Set
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ccos_core.values.code import MODULE, Outline

VERSION = 1
"""Of all resolvers together: it goes up whenever the same outlines may give other links. An epoch pins it."""
LINK = "link"
"""The role of a link in prose. Nothing breaks along it, so it carries no failure and makes nothing more important."""
KEPT_LOOKS = 512
"""Files whose last look is kept: many more than are edited at a time."""


class Target(NamedTuple):
    """A symbol, or a whole file where `symbol` is MODULE."""

    path: str
    symbol: int = MODULE


class Link(NamedTuple):
    """`owner` in the asked file depends on `target`."""

    owner: int
    target: Target
    role: str
    """import, link, or the role of the reference: call, type, base, decorator, name."""
    line: int
    count: int = 1  # type: ignore[assignment]  # nobody asks a link what a tuple can be asked


def in_order(link: Link) -> tuple[int, int, Target, str]:
    """The order of a file's links: that of its text."""
    return link.line, link.owner, link.target, link.role


Use = tuple[int, Target, str]
"""Owner, what it depends on, role."""
_LINK = partial(tuple.__new__, Link)


class Read(Protocol):
    """A file as a family's resolver keeps it: its outline, and tables made from that."""

    @property
    def outline(self) -> Outline:
        """What the file says about itself."""


File = TypeVar("File", bound=Read)
Key = TypeVar("Key")
Value = TypeVar("Value")


class Index(dict[Key, dict[str, Value]]):
    """Key → path (or another name of a file) → what the file has under that key. A key without files is gone."""

    def add(self, key: Key, path: str, value: Value) -> None:
        self.setdefault(key, {})[path] = value

    def remove(self, key: Key, path: str) -> None:
        files = self[key]
        del files[path]
        if not files:
            del self[key]


class Look(ABC):
    """One file's imports and references on their way to symbols."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        """Every key that was asked for on the way, found or not."""

    @abstractmethod
    def uses(self) -> Iterator[tuple[Use, int, int]]:
        """Yield what the file depends on, with a line and a count; the same may come several times."""

    def links(self) -> tuple[Link, ...]:
        """The links of the file, in the order of its text. There are dozens in each of thousands of files, so no
        function is called for one of them."""
        found: dict[Use, list[int]] = {}
        for use, line, count in self.uses():
            known = found.get(use)
            if known is None:
                found[use] = [line, count]
                continue
            if line < known[0]:
                known[0] = line
            known[1] += count
        rows = [(line, owner, target, role, count) for (owner, target, role), (line, count) in found.items()]
        rows.sort()
        return tuple(map(_LINK, [(owner, target, role, line, count) for line, owner, target, role, count in rows]))


class FamilyResolver(ABC, Generic[File]):
    """One language family's way from names to symbols."""

    configs: tuple[str, ...] = ()
    """Names of the files, beside sources, that say how names are to be read: `go.mod`, `tsconfig.json`."""
    watches = False
    """Whether it is told of the files of other families."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.memory = Memory()
        """What it has resolved; a caller that keeps links of its own asks there which of them are outdated."""

    def configure(self, path: str, text: str | None) -> None:
        """Learn a configuration file, or with None that it is gone."""

    def watch(self, path: str, is_there: bool) -> None:
        """Learn that a file that isn't of this family came or went."""

    def put(self, path: str, outline: Outline) -> None:
        """Learn a file, or what it has become."""
        before = self.files.get(path)
        if before is None or before.outline != outline:
            self.files[path] = after = self.read(path, outline)
            self._exchange(path, before, after)

    def drop(self, path: str) -> None:
        """Forget a file."""
        if (before := self.files.pop(path, None)) is not None:
            self._exchange(path, before, None)
            self.memory.looks.pop(path, None)

    def links(self, path: str) -> tuple[Link, ...]:
        """Everything `path` depends on, as far as it can be told; in the order of its text."""
        if path not in self.files:
            return ()
        if path not in self.memory.links:
            look = self.look(path)
            self.memory.keep(path, look.links(), look.asked)
        return self.memory.links[path]

    def _exchange(self, path: str, before: File | None, after: File | None) -> None:
        keys, places = self.reindex(path, before, after)
        if before is not None:
            self.memory.forget(path)
        self.memory.changed(keys)
        self.memory.moved(path, places)

    @abstractmethod
    def read(self, path: str, outline: Outline) -> File:
        """Make the tables of a file."""

    @abstractmethod
    def reindex(self, path: str, before: File | None, after: File | None) -> tuple[Set[str], Mapping[int, int]]:
        """Bring the indexes up to date with a file that is new, edited or gone.

        Returns the keys whose answers may have changed, and for symbols that mean what they meant but stand elsewhere
        in the outline: old place → new place. `files` is up to date already.
        """

    @abstractmethod
    def look(self, path: str) -> Look:
        """Start to resolve a file."""


Resolver = FamilyResolver[Any]
"""A resolver of any family."""


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


def shared_folders(one: str, other: str) -> int:
    """How many folders two folders' paths have in common from the top."""
    count = 0
    for mine, its in zip(one.split("/") if one else (), other.split("/") if other else (), strict=False):
        if mine != its:
            break
        count += 1
    return count


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
        self.looks: OrderedDict[str, Look] = OrderedDict()
        """Looks at the files that were edited last, to go on from at the next edit; those that still hold."""

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

    def keep_look(self, path: str, look: Look) -> None:
        self.looks[path] = look
        if len(self.looks) > KEPT_LOOKS:
            self.looks.popitem(last=False)

    def forget(self, path: str) -> None:
        """Forget a file's answer. What it asked stays known, for as a rule it will ask that again."""
        if self.links.pop(path, None) is not None:
            self.forgotten[path] = None

    def changed(self, keys: Set[str]) -> None:
        """Forget what may depend on these keys."""
        for path in sorted({path for key in keys for path in self.askers.get(key, ())}):
            self.looks.pop(path, None)
            self.forget(path)

    def moved(self, path: str, places: Mapping[int, int]) -> None:
        """The symbols of a file stand at other places, and mean what they meant: answers go along with them."""
        moves = {Target(path, old): Target(path, new) for old, new in places.items() if old != new}
        for asker in sorted(self.askers.get(path, ())) if moves else ():  # no symbol is found without asking its file
            self.looks.pop(asker, None)
            links = self.links.get(asker, ())
            if not moves.keys().isdisjoint([link.target for link in links]):
                now = [link._replace(target=moves[link.target]) if link.target in moves else link for link in links]
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
