"""The regions a folder's code falls into: files that have more to do with each other than with the rest.

They are found by the ties between files (`communities`), and what a community doesn't hold together by itself is parted
again. Tests tie together what has nothing else in common, so regions are made of the code alone, and each test is
counted with the region it uses most. A region is named by the folder most of it lies in and its most central file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ccos_core.query.structure.communities import communities
from ccos_core.query.structure.components import islands
from ccos_core.query.structure.graph import Codebase, Files, files
from ccos_core.query.structure.rank import ranks
from ccos_core.query.structure.roles import tests, without

MOST_USES = 8
"""Uses between two files that still tie them closer: a large file isn't nearer to all others."""
PARTS = 4
"""Folders of a region that are named."""


@dataclass(frozen=True, slots=True)
class Part:
    """A folder of a region, or a file that lies in none."""

    path: str
    files: int


@dataclass(frozen=True, slots=True)
class Lean:
    """A region another one depends on."""

    region: int
    files: int
    """How many of its files depend on it, ..."""

    uses: int
    """... and how many different uses they make of it."""


@dataclass(frozen=True, slots=True)
class Region:
    """Files that belong together."""

    number: int
    """From 1, the largest first."""

    folder: str
    """The deepest folder more than half of it lies in; empty for the top."""

    center: str
    """The file that is most central among them."""

    parts: tuple[Part, ...]
    """Where most of it lies below that folder, one level down."""

    files: tuple[str, ...]
    symbols: int
    inside: int
    """Dependencies between its files."""

    tests: int
    """Tests that use this region more than any other."""

    leans_on: tuple[Lean, ...]
    """The one most used first."""


@dataclass(frozen=True, slots=True)
class Regions:
    """All of them."""

    regions: tuple[Region, ...]
    alone: tuple[str, ...]
    """Files, no tests, that have no tie to another one."""

    islands: int
    """Groups of regions that have nothing to do with each other."""


@dataclass(frozen=True, slots=True)
class Activation:
    """The region a file lies in, in the order in which its files are worth loading."""

    region: Region
    leaned_on_by: tuple[Lean, ...]
    """The regions that depend on it, the one with the most uses first."""

    files: tuple[str, ...]
    """The file itself, then the others by their centrality in the region."""


def activate(code: Codebase, path: str) -> Activation | None:
    """Return the region that the file at `path` lies in; None where it lies in none: a test, or without any tie."""
    found = regions(code).regions
    region = next((each for each in found if path in each.files), None)
    if region is None:
        return None
    inner = files(without(code, tests(code)))
    place = {each: node for node, each in enumerate(inner.paths)}
    rank = ranks(inner.graph.within([place[each] for each in region.files]))
    others = sorted(
        (each for each in region.files if each != path), key=lambda each: (-rank[region.files.index(each)], each)
    )
    leans = [
        Lean(each.number, lean.files, lean.uses)
        for each in found
        for lean in each.leans_on
        if lean.region == region.number
    ]
    leans.sort(key=lambda lean: (-lean.uses, lean.region))
    return Activation(region, tuple(leans), (path, *others))


def regions(code: Codebase) -> Regions:
    """Which parts the code falls into, and how they depend on each other."""
    apart = tests(code)
    inner = files(without(code, apart))
    parted = islands(inner.graph)
    found = sorted(_pieces(inner), key=lambda piece: (-len(piece), piece))
    region_of = {inner.paths[node]: number for number, piece in enumerate(found, 1) for node in piece}
    whole = files(code)
    leans, tested = _leans(whole, region_of), _tested(whole, region_of, apart)
    return Regions(
        tuple(
            _region(code, inner, number, piece, tested.get(number, 0), leans.get(number, {}))
            for number, piece in enumerate(found, 1)
        ),
        tuple(inner.paths[part[0]] for part in parted if len(part) == 1),
        sum(len(part) > 1 for part in parted),
    )


def _pieces(graph: Files) -> list[tuple[int, ...]]:
    """The communities, each in one piece; without the nodes that have no tie."""
    groups: dict[int, list[int]] = {}
    for node, group in enumerate(communities(_ties(graph))):
        if graph.graph.out[node] or graph.graph.into[node]:
            groups.setdefault(group, []).append(node)
    return [
        tuple(members[at] for at in piece)
        for members in groups.values()
        for piece in islands(graph.graph.within(members))
    ]


def _ties(graph: Files) -> list[dict[int, int]]:
    found: list[dict[int, int]] = [{} for _ in graph.paths]
    for (start, end), uses in graph.uses.items():
        for node, to in ((start, end), (end, start)):
            found[node][to] = found[node].get(to, 0) + min(uses, MOST_USES)
    return found


def _leans(graph: Files, region_of: Mapping[str, int]) -> dict[int, dict[int, list[int]]]:
    """Region → region → of each file of the one that depends on the other, how many uses it makes of it."""
    found: dict[int, dict[int, list[int]]] = {}
    for node, below in enumerate(graph.graph.out):
        by = region_of.get(graph.paths[node], 0)
        uses: dict[int, int] = {}
        for to in below:
            on = region_of.get(graph.paths[to], 0)
            uses[on] = uses.get(on, 0) + graph.uses[node, to]
        for on, count in uses.items():
            if by and on and by != on:
                found.setdefault(by, {}).setdefault(on, []).append(count)
    return found


def _tested(graph: Files, region_of: Mapping[str, int], apart: frozenset[str]) -> dict[int, int]:
    """Region → tests that use it most."""
    found: dict[int, int] = {}
    for node, below in enumerate(graph.graph.out):
        uses: dict[int, int] = {}
        for to in below if graph.paths[node] in apart else ():
            on = region_of.get(graph.paths[to], 0)
            if on:
                uses[on] = uses.get(on, 0) + min(graph.uses[node, to], MOST_USES)
        if uses:
            most = min(uses, key=lambda region: (-uses[region], region))
            found[most] = found.get(most, 0) + 1
    return found


def _region(
    code: Codebase, inner: Files, number: int, piece: Sequence[int], tested: int, leans: Mapping[int, Sequence[int]]
) -> Region:
    graph = inner.graph.within(piece)
    rank = ranks(graph)
    paths = tuple(inner.paths[node] for node in piece)
    folder = _folder(paths)
    ways = [Lean(on, len(uses), sum(uses)) for on, uses in leans.items()]
    return Region(
        number=number,
        folder=folder,
        center=paths[min(range(len(piece)), key=lambda at: (-rank[at], at))],
        parts=_parts(folder, paths),
        files=paths,
        symbols=sum(len(code.outlines[path].symbols) for path in paths),
        inside=sum(map(len, graph.out)),
        tests=tested,
        leans_on=tuple(sorted(ways, key=lambda way: (-way.uses, way.region))),
    )


def _folder(paths: Sequence[str]) -> str:
    """The deepest folder more than half of the paths lie in."""
    counts: dict[str, int] = {"": len(paths)}
    for path in paths:
        while "/" in path:
            path = path.rpartition("/")[0]
            counts[path] = counts.get(path, 0) + 1
    return max(
        (folder for folder, held in counts.items() if 2 * held > len(paths)),
        key=lambda folder: folder.count("/") + bool(folder),
    )


def _parts(folder: str, paths: Sequence[str]) -> tuple[Part, ...]:
    """What a folder's files lie in one level below, the fullest first."""
    below = folder + "/" if folder else ""
    counts: dict[str, int] = {}
    for path in paths:
        if path.startswith(below):
            part = below + path.removeprefix(below).partition("/")[0]
            counts[part] = counts.get(part, 0) + 1
    found = [Part(part, held) for part, held in counts.items()]
    return tuple(sorted(found, key=lambda part: (-part.files, part.path))[:PARTS])
