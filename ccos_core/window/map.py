"""MindMark: a map of what a session works with, in three sizes, for an agent that decides itself what to load.

    drawn = draw(state, 3)      # at most 80 tokens: "@MM1|143K/200K:high|14:05|lru\n@A96K:{src/db{,_test}}.py\n..."
    nodes_in(drawn.text, paths) # the ids it names

A map is drawn from a `MapState` alone, the state of one step: the same step gives the same bytes. What is in is the
first part of an order, and what is dropped from its end is counted. See decision 29.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ccos_core.text.braces import expand, fold
from ccos_core.values.ids import file_node, is_node, path_of
from ccos_core.values.tokens import estimate

VERSION = 1
LEVELS = (1, 2, 3)
MOST_TOKENS = {1: 1_500, 2: 350, 3: 80}
MOST_CHARACTERS = {1: 6_000, 2: 999, 3: 299}
ACTIVE, INDEXED, COLD, OFFLINE = REGIONS = ("ACTIVE", "INDEXED", "COLD", "OFFLINE")
LOADED, HOT, CONNECTED, ASKED, LOST, UNLOADED, MISSING = (
    "loaded", "hot", "connected", "asked", "lost", "cold", "offline"
)  # fmt: skip
SIGNS = {LOADED: "✓", HOT: "◆", CONNECTED: "●", ASKED: "○", LOST: "○", UNLOADED: "○", MISSING: "✗"}
FILE_SHARE = {1: (1, 2), 2: (3, 5), 3: (1, 1)}
"""Of the room that header and notes leave, what files take before identifiers; they get what those leave, too."""
NOTE_SHARE = {1: (1, 5), 2: (1, 8), 3: (1, 8)}
DETAILED = 24
"""Files of which level 1 tells size and step; the others stand together."""
MOST_STEPS = {1: 40, 2: 6, 3: 1}
"""Prompts whose steps a map names of those that it doesn't quote: the last request, then those of rules."""
MOST_ITEMS, MOST_WORDS, MOST_LINKS = 200, 600, 12
LONGEST_NOTE = 120  # characters
CRITICAL = "critical"

_COUNT = re.compile(r"\+[0-9]+")
_REGION = re.compile(r"@[AICO][0-9KM]*:")


@dataclass(frozen=True, slots=True)
class MapNote:
    """A note on an item."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class MapItem:
    """A resource: a file, a symbol or a statement."""

    node: str
    region: str
    """`ACTIVE` in the agent's window, `INDEXED` paged out with a valid summary, `COLD` known, `OFFLINE` not there."""

    status: str
    """`loaded`, `hot`, `connected`, `asked`, `lost`, `cold` or `offline`."""

    tokens: int
    """What the window holds of it; of another, what it would take."""

    last: int
    """The step at which it came up last."""

    notes: tuple[MapNote, ...] = ()


@dataclass(frozen=True, slots=True)
class MapWords:
    """Words of the user that a map has to keep."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class MapState:
    """Everything a map is drawn from."""

    step: int
    items: tuple[MapItem, ...] = ()
    """The most likely to be needed first."""

    known: Collection[str] = ()
    """All paths there are, among which a short name has to be unique."""

    words: tuple[str, ...] = ()
    """Identifiers, likewise."""

    request: tuple[MapWords, ...] = ()
    """What the user asked for last."""

    rules: tuple[MapWords, ...] = ()
    """What else the user said that still counts."""

    links: tuple[tuple[str, str], ...] = ()
    """(path, path it depends on)."""

    used: int | None = None
    limit: int | None = None
    pressure: str = "?"
    clock: str = "--:--"
    """When the step was, UTC."""

    policy: str = "lru"
    evict: str = ""
    """What should be dropped first, if pressure is critical."""


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map as text."""

    level: int
    text: str
    tokens: int
    nodes: tuple[str, ...]
    """The ids it names, in its order."""

    dropped: int
    """Resources it has no room for."""

    words: tuple[str, ...]
    """The identifiers it names."""

    words_dropped: int


def draw(state: MapState, level: int) -> DrawnMap:
    """Draw a map: as many resources and identifiers, from the first on, as its size allows."""
    drawing = _Drawing(state, level)
    items = _most(len(drawing.items), lambda many: drawing.fits(many, 0, FILE_SHARE[level]))
    words = _most(len(drawing.words(items)), lambda many: drawing.fits(items, many)) if level < max(LEVELS) else 0
    items = items + _most(len(drawing.items) - items, lambda more: drawing.fits(items + more, words))
    links = _most(len(state.links), lambda many: drawing.fits(items, words, links=many)) if level != 2 else 0
    text = drawing.text(items, words, links)
    every = drawing.words(items)
    nodes = tuple(item.node for item in state.items[:items])
    return DrawnMap(level, text, estimate(text), nodes, len(state.items) - items, every[:words], len(every) - words)


def nodes_in(text: str, known: Iterable[str], named: Iterable[str] = ()) -> list[str]:
    """Return the ids that a map of level 3 names, sorted: given the paths there are, and those that only came up."""
    by_end, others = _by_end(known), _by_end(named)
    found = []
    for line in text.splitlines():
        head = _REGION.match(line)
        if head is None:
            continue
        words = [word for word in line[head.end() :].split(" ") if not _COUNT.fullmatch(word)]
        found += [_node(name, by_end, others) for name in expand(" ".join(words))]
    return sorted(found)


# ---- helpers ----


class _Drawing:
    """One map while it is found out how much fits."""

    def __init__(self, state: MapState, level: int) -> None:
        self.state = replace(state, items=state.items[:MOST_ITEMS], words=state.words[:MOST_WORDS])
        self.level = level
        self.items = self.state.items
        self.evict = fold([state.evict]) if state.pressure == CRITICAL and state.evict else ""
        self.names = short_names([item.node for item in self.items], state.known)
        self._notes = self._fitting_notes()
        self._said = 0
        if not _is_within(self.text(0, 0, 0), level):
            self.evict = ""  # the one name of any length that stands in every map
        self._said = _most(self._quotable(), lambda many: self._fits_said(many))

    def words(self, items: int) -> tuple[str, ...]:
        """The identifiers to name beside the first items, whose own names aren't repeated."""
        named = {part for item in self.items[:items] for part in re.findall(r"\w+", self.names[item.node])}
        return tuple(word for word in self.state.words if word not in named)

    def fits(self, items: int, words: int, share: tuple[int, int] = (1, 1), links: int = 0) -> bool:
        """Whether the map with so much of everything is within its size, or within a share of what the rest leaves."""
        text = self.text(items, words, links)
        if share == (1, 1):
            return _is_within(text, self.level)
        least = self.text(0, 0, 0)
        taken = estimate(text) - estimate(least), len(text) - len(least)
        left = MOST_TOKENS[self.level] - estimate(least), MOST_CHARACTERS[self.level] - len(least)
        return all(took * share[1] <= room * share[0] for took, room in zip(taken, left, strict=True))

    def text(self, items: int, words: int, links: int) -> str:
        """The map with these numbers of items, identifiers and links."""
        lines = {1: self._verbose, 2: self._dense, 3: self._shortest}[self.level](items, words, links)
        return "\n".join(lines) + "\n"

    # -- level 3 ----------------------------------------------------------------------------------------------------

    def _shortest(self, items: int, words: int, links: int) -> Iterator[str]:
        state = self.state
        full = f"{size_words(state.used)}/{size_words(state.limit)}:{state.pressure}"
        yield f"@MM{VERSION}|{full}|{state.clock}|{state.policy}"
        left = len(state.items) - items
        regions = [(region, some) for region in REGIONS if (some := self._of(region, items))]
        for at, (region, some) in enumerate(regions):
            size = size_words(sum(item.tokens for item in some)) if region == ACTIVE else ""
            more = f" +{left}" if left and at == len(regions) - 1 else ""
            yield f"@{region[0]}{size}:{self._folded(some)}{more}"
        if left and not regions:
            yield f"@C:+{left}"
        if links:
            yield "@L:" + "|".join(f"{self._end(one)}→{self._end(other)}" for one, other in state.links[:links])
        if said := self._ids():
            yield f"@N:{said}"

    def _ids(self) -> str:
        """What of the user's words stands beside the map, by the steps of the prompts."""
        steps = dict.fromkeys(str(each.step) for each in (*self.state.request, *self.state.rules) if each.step)
        first = list(steps)[: MOST_STEPS[self.level]]
        more = [f"+{len(steps) - len(first)}"] if len(steps) > len(first) else []
        said = "p" + ",".join([*first, *more]) if first else ""
        evict = f"evict {self.evict}" if self.evict else ""
        return " ".join(filter(None, (evict, said)))

    def _folded(self, items: Sequence[MapItem]) -> str:
        return fold(self.names[item.node] for item in items)

    def _of(self, region: str, items: int) -> list[MapItem]:
        return [item for item in self.items[:items] if item.region == region]

    def _end(self, path: str) -> str:
        return fold([path.rpartition("/")[2]])

    # -- levels 1 and 2 ---------------------------------------------------------------------------------------------

    def _head(self) -> Iterator[str]:
        state = self.state
        yield f"# MindMark {VERSION} · step {state.step}"
        full = f"ctx:{size_words(state.used)}/{size_words(state.limit)}|pressure:{state.pressure}"
        yield f"@state|{full}|updated:{state.clock}|policy:{state.policy}"

    def _dense(self, items: int, words: int, links: int) -> Iterator[str]:
        yield from self._head()
        for (_, folder), some in self._groups(items):
            size = size_words(sum(item.tokens for item in some))
            names = fold(self._inside(item, folder) for item in some)
            signs = "".join(dict.fromkeys(SIGNS[item.status] for item in some))
            yield f"{self._end(folder) or '.'}: {names} [{size}] {signs}"
        yield from self._dropped(items)
        if self._notes:
            yield "Notes: " + " | ".join(f"[{each.step}] {self.names[node]}: {each.text}" for node, each in self._notes)
        if said := self._ids():
            yield f"Said: {said}"
        yield from self._names(items, words)

    def _verbose(self, items: int, words: int, links: int) -> Iterator[str]:
        yield from self._head()
        before = ""
        for (region, folder), some in self._groups(items):
            if region != before:
                tokens = sum(item.tokens for item in self._of(region, items))
                yield f"## {region} {size_words(tokens)}"
                before = region
            yield f"### {fold([folder]) or '.'}"
            detailed = [item for item in some if item in self.items[:DETAILED]]
            yield from (self._bullet(item, folder) for item in detailed)
            if others := [item for item in some if item not in detailed]:
                signs = "".join(dict.fromkeys(SIGNS[item.status] for item in others))
                yield f"- {signs} {fold(self._inside(item, folder) for item in others)}"
        yield from self._dropped(items)
        if links:
            yield "## Links"
            yield " | ".join(f"{self._end(one)} → {self._end(other)}" for one, other in self.state.links[:links])
        if self._notes:
            yield "## Annotations"
            yield from (f"- step {each.step} · {self.names[node]}: {each.text}" for node, each in self._notes)
        if said := self._ids():
            yield f"## Said {said}"
            yield from (f"> {line}" for each in self._quotes() for line in each.text.splitlines())
        yield from self._names(items, words, "## Names\n")

    def _bullet(self, item: MapItem, folder: str) -> str:
        step = f", step {item.last}" if item.last else ""
        name = fold([self._inside(item, folder)])
        size = f" [{size_words(item.tokens)}]" if item.tokens else ""  # of a file never read, no size is known
        return f"- {SIGNS[item.status]} {name}{size} {item.status}{step}"

    def _groups(self, items: int) -> list[tuple[tuple[str, str], list[MapItem]]]:
        """(region, folder) → its items, regions in their order, folders by their first item."""
        groups: dict[tuple[str, str], list[MapItem]] = {}
        for item in self.items[:items]:
            path = path_of(item.node)
            groups.setdefault((item.region, path.rpartition("/")[0] if path else ""), []).append(item)
        return sorted(groups.items(), key=lambda group: REGIONS.index(group[0][0]))

    def _inside(self, item: MapItem, folder: str) -> str:
        """What an item is called below its folder."""
        name = _name_of(item.node)
        return name.removeprefix(folder + "/") if folder else name

    def _dropped(self, items: int) -> Iterator[str]:
        if left := len(self.state.items) - items:
            yield f"+{left} more"

    def _names(self, items: int, words: int, head: str = "Names: ") -> Iterator[str]:
        if words:
            every = self.words(items)
            more = f" +{len(every) - words}" if len(every) > words else ""
            yield head + " ".join(every[:words]) + more

    # -- what has to be said first ----------------------------------------------------------------------------------

    def _fitting_notes(self) -> list[tuple[str, MapNote]]:
        """The newest notes that fit their share; none at level 3."""
        if self.level == max(LEVELS):
            return []
        every = [(item.node, each) for item in self.items for each in item.notes]
        every.sort(key=lambda note: (-note[1].step, note[0]))
        room = MOST_TOKENS[self.level] * NOTE_SHARE[self.level][0] // NOTE_SHARE[self.level][1]
        found = []
        for node, each in every:
            text = " ".join(each.text.split())
            text = text if len(text) <= LONGEST_NOTE else text[: LONGEST_NOTE - 1] + "…"
            room -= estimate(f"[{each.step}] {self.names[node]}: {text}")
            if room < 0:
                break
            found.append((node, MapNote(each.step, text)))
        return found

    def _quotable(self) -> int:
        return len(self.state.request) + len(self.state.rules) if self.level == 1 else 0

    def _quotes(self) -> tuple[MapWords, ...]:
        """The words of the user that level 1 has room for: the request, then rules."""
        return (*self.state.request, *self.state.rules)[: self._said]

    def _fits_said(self, many: int) -> bool:
        taken = sum(estimate(each.text) + 3 for each in (*self.state.request, *self.state.rules)[:many])
        return taken * NOTE_SHARE[1][1] <= MOST_TOKENS[1] * NOTE_SHARE[1][0]


def short_names(nodes: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Node → what it is called: of a file the shortest end of its path that no other known path has. A file that only
    came up gives way to those that are known."""
    nodes, known = list(nodes), dict.fromkeys(known)
    paths = [path for node in nodes if node.startswith("file:") and (path := path_of(node))]
    by_end, with_others = _by_end(known), _by_end([*known, *paths])
    found = {}
    for node in nodes:
        path = path_of(node) if node.startswith("file:") else None
        found[node] = _short(path, by_end if path in known else with_others) if path else _name_of(node)
    return found


def size_words(tokens: int | None) -> str:
    """Return `143K`, `800`, `1.2M`; `?` of what isn't known."""
    if tokens is None:
        return "?"
    if tokens < 1_000:
        return str(tokens)
    return f"{(tokens + 500) // 1_000}K" if tokens < 999_500 else f"{tokens // 1_000_000}M"


def _most(many: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `many` that fits, by halves; 0 if not even 1 does."""
    low, high = 0, many
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _is_within(text: str, level: int) -> bool:
    return len(text) <= MOST_CHARACTERS[level] and estimate(text) <= MOST_TOKENS[level]


def _by_end(paths: Iterable[str]) -> dict[str, list[str]]:
    """Last part of a path → the paths that end with it."""
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _short(path: str, by_end: dict[str, list[str]]) -> str:
    others = [each for each in by_end.get(path.rpartition("/")[2], ()) if each != path]
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        end = "/".join(parts[-count:])
        if not any(each == end or each.endswith("/" + end) for each in others):
            return _guarded(end)
    return "./" + path


def _guarded(name: str) -> str:
    """A name that can't be taken for a count or an id."""
    return "./" + name if _COUNT.fullmatch(name) or is_node(name) else name


def _name_of(node: str) -> str:
    if node.startswith("file:"):
        return _guarded(path_of(node) or node)
    return node


def _node(name: str, *by_end: dict[str, list[str]]) -> str:
    """The id that a short name stands for, by the paths in which to look first, second, ..."""
    if name.startswith("./") or is_node(name):
        return file_node(name.removeprefix("./")) if name.startswith("./") else name
    for paths in by_end:
        among = paths.get(name.rpartition("/")[2], ())
        found = [each for each in among if each == name] or [each for each in among if each.endswith("/" + name)]
        if found:
            return file_node(found[0])
    return file_node(name)
