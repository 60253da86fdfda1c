"""The causal graph: which node depends on which, and since which step. The journal has the edges that held once.

Files come and go and change; a resolver per language family says what the names in them mean. Asking it is put off
until somebody needs to know, so that a burst of sightings (one look at a whole tree) costs one resolution: what the
burst changed holds from its first step on. So the graph at a step doesn't depend on when anybody looked at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ccos_core.state.spreads import Spreads
from ccos_core.text.syntax.resolution import LINK, Link, Resolver, Target, is_config
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import path_of
from ccos_core.values.nesting import Nesting

Edge = tuple[str, str, str]
"""(node, node it depends on, role of the use)."""


class Graph:
    """All files that are there, what is in them, and what they depend on."""

    def __init__(self, resolvers: Mapping[str, Resolver], family_of: Callable[[str], str | None]) -> None:
        self.resolvers = resolvers
        self.family_of = family_of
        self.files: dict[str, Nesting] = {}
        self.links: dict[str, tuple[Link, ...]] = {}
        """What each file depends on, as of the last settling."""
        self.edges: dict[str, dict[Edge, int]] = {}
        """Path → its edges that hold → the step since which they do."""
        self.ended: dict[Edge, int] = {}
        """Edges that the last look has ended, and since when they held: as long as it goes on, they may come back."""
        self.degrees: dict[str, int] = {}
        """Node → how many edges lead to it."""
        self.unsettled: dict[str, None] = {}
        """Files to be resolved again."""
        self.since = 0
        """The step from which what is unsettled holds."""
        self.recalled = False
        """Whether links were taken from an earlier settling, so that nobody knows yet what they rest on."""
        self.counts: dict[str, dict[Edge, int]] = {}
        """Path → its edges → how often each is used there."""
        self.recounted: dict[str, None] = {}
        """Nodes that more or fewer depend on since somebody last looked here, and emptied it."""
        self.rewired: dict[str, None] = {}
        """Paths whose edges have changed since then."""
        self.ways: dict[str, dict[int, Any]] = {}
        """What somebody worked out about the places of a file, as long as it and its links stay what they are."""
        self.spreads = Spreads()
        self._forgotten = [each.memory.forgotten for each in resolvers.values()]
        """What each resolver has to be asked again."""
        self._owned: dict[str, dict[int, list[Link]]] = {}

    def put(self, nesting: Nesting, since: int) -> None:
        """A file, or what it has become, from a step on."""
        path = nesting.path
        known = self.files.get(path)
        self.files[path] = nesting
        if known is not None and known.outline == nesting.outline:
            return
        if known is not None and _built_alike(known.outline, nesting.outline):
            nesting.go_on_from(known)
        else:
            self._outdate(path)
        self._unsettle(path, since)
        self.tell(path, nesting.outline, known is None)

    def drop(self, path: str, since: int) -> None:
        """A file isn't there any more."""
        if self.files.pop(path, None) is not None:
            self._outdate(path)
            self._unsettle(path, since)
            if (family := self.family_of(path)) is not None:
                self.resolvers[family].drop(path)
            for resolver in self._watching(family):
                resolver.watch(path, False)

    def tell(self, path: str, outline: Outline, is_new: bool) -> None:
        """Tell the resolvers of a file that is there."""
        if (family := self.family_of(path)) is not None:
            self.resolvers[family].put(path, outline)
        for resolver in self._watching(family) if is_new else ():
            resolver.watch(path, True)

    def configure(self, path: str, text: str | None, since: int) -> None:
        """A file that says how names are to be read changed, or went away."""
        for resolver in self.resolvers.values():
            if is_config(path, resolver):
                self._unsettle(path, since)
                resolver.configure(path, text)

    def settle(self, heard: Callable[[], None] = lambda: None) -> None:
        """Bring the edges up to what the files say now. `heard` is called before each file: what raises there leaves
        those behind it unsettled, and nothing else."""
        if not self.unsettled and not any(self._forgotten):
            return
        waiting = sorted(self._waiting())
        while waiting:
            for at, path in enumerate(waiting):
                try:
                    heard()
                except BaseException:
                    self.unsettled.update(dict.fromkeys(waiting[at:]))
                    raise
                self._resolve(path)
            waiting = sorted(self._waiting())

    def resume(self, ended: dict[Edge, int], since: int) -> None:
        """Go on with a look that began at a step, and has ended these edges."""
        self.ended = ended
        self.since = since
        self.recalled = True

    def recall(self, path: str, links: tuple[Link, ...], since: Sequence[int]) -> None:
        """Take what a file depends on from an earlier settling, instead of asking for it."""
        self.links[path] = links
        edges = self._edges(path, links)
        self._note(path, edges)
        self.edges[path] = dict(zip(edges, since, strict=True))
        for edge in edges:
            self._count(edge, 1)

    def depends(self, path: str, symbol: int) -> Sequence[Link]:
        """What a symbol with all that is inside of it depends on; a file itself only by what stands outside of any."""
        if path not in self._owned:
            owned = self._owned[path] = {}
            for link in self.links.get(path, ()):
                owned.setdefault(link.owner, []).append(link)
        owned = self._owned[path]
        if not owned or symbol == MODULE or symbol not in self.files[path].members:
            return owned.get(symbol, ())
        return [link for owner in sorted(self.files[path].inside(symbol)) for link in owned.get(owner, ())]

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""
        path = path_of(node)
        at = self.place(node, path) if path is not None else None
        return Target(path, at) if path is not None and at is not None else None

    def place(self, node: str, path: str) -> int | None:
        """Which symbol of a file a node is, if the file has it."""
        nesting = self.files.get(path)
        return None if nesting is None else nesting.places.get(node)

    def _watching(self, family: str | None) -> list[Resolver]:
        """The resolvers that are told of a file of another family."""
        return [each for name, each in self.resolvers.items() if each.watches and name != family]

    def _unsettle(self, path: str, since: int) -> None:
        self.unsettled[path] = None
        if since != self.since:
            self.ended.clear()
            self.since = since
        if self.recalled:  # any of them may rest on this file; once asked for again, that is known
            self.unsettled.update(dict.fromkeys(self.files))
            self.recalled = False

    def _waiting(self) -> list[str]:
        waiting = dict(self.unsettled)
        self.unsettled.clear()
        for family in sorted(self.resolvers):
            waiting.update(dict.fromkeys(self.resolvers[family].memory.take_forgotten()))
        return list(waiting)

    def _resolve(self, path: str) -> None:
        links: tuple[Link, ...] = ()
        if path in self.files and (family := self.family_of(path)) is not None:
            links = self.resolvers[family].links(path)
        before, counts = self.edges.get(path, {}), self.counts.get(path, {})
        alike = _lead_alike(self.links.get(path, ()), links)
        self._owned.pop(path, None)
        if links:
            self.links[path] = links
        else:
            self.links.pop(path, None)
        now = self._edges(path, links)
        if not alike or now.keys() != counts.keys():
            self._outdate(path)
        if now == counts:
            return
        self._note(path, now)
        for edge in before:
            if edge not in now:
                self._close(edge, before[edge])
        edges = {edge: before[edge] if edge in before else self._open(edge) for edge in now}
        if edges:
            self.edges[path] = edges
        else:
            self.edges.pop(path, None)

    def _edges(self, path: str, links: Sequence[Link]) -> dict[Edge, int]:
        """What a file's links are between nodes, and how often; those to what isn't there are none."""
        found: dict[Edge, int] = {}
        if not links:
            return found
        files, owners = self.files, self.files[path].names
        for owner, (to, symbol), role, _, count in links:
            there = files.get(to)
            if there is not None and symbol + 1 < len(names := there.names):
                found[owners[owner], names[symbol], role] = count
        return found

    def _outdate(self, path: str) -> None:
        self.ways.pop(path, None)
        self.spreads.outdate(path)

    def _note(self, path: str, counts: dict[Edge, int]) -> None:
        self.rewired[path] = None
        if counts:
            self.counts[path] = counts
        else:
            self.counts.pop(path, None)

    def _open(self, edge: Edge) -> int:
        """An edge begins to hold; gives since when. One that the same look has ended never ended."""
        self._count(edge, 1)
        return self.ended.pop(edge, self.since)

    def _close(self, edge: Edge, since: int) -> None:
        self._count(edge, -1)
        if since < self.since:  # what came and went within one look was never there
            self.ended[edge] = since

    def _count(self, edge: Edge, more: int) -> None:
        _, node, role = edge
        if role == LINK:
            return
        self.recounted[node] = None
        before = self.degrees.get(node, 0)
        count = before + more
        if self.spreads and before.bit_length() != count.bit_length():
            self.spreads.outdate(path_of(node) or "")
        if count:
            self.degrees[node] = count
        else:
            self.degrees.pop(node, None)


def _built_alike(one: Outline, other: Outline) -> bool:
    """Whether two outlines have the same symbols, wherever they stand: most edits change what is inside of them."""
    if len(one.symbols) != len(other.symbols):
        return False
    pairs = zip(one.symbols, other.symbols, strict=True)
    return all(first.name == second.name and first.kind == second.kind for first, second in pairs)


def _lead_alike(some: Sequence[Link], others: Sequence[Link]) -> bool:
    """Whether links lead from the same places to the same, in the same order, whatever lines they stand on."""
    if len(some) != len(others):
        return False
    pairs = zip(some, others, strict=True)
    return all((a.owner, a.role, a.target) == (b.owner, b.role, b.target) for a, b in pairs)
