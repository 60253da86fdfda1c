"""Import cycles: which files import each other in a circle, one shortest example of each, and where to cut it.

A knot is a set of files each of which leads to each other one by imports; however many circles it has, one of the
shortest is shown. An import counts for the file that defines what is imported, so one through a re-export leads past
it. What stands inside a function isn't imported when the file is loaded, and what is for a type checker alone never is:
knots that need such an import are told apart. A file that imports from itself (a module inside of it) is in no circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ccos_core.query.structure.components import knots
from ccos_core.query.structure.erased import runs
from ccos_core.query.structure.graph import Codebase, Files, Graph, graph
from ccos_core.query.structure.rings import Edge, best_cut, shortest_ring
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting

RUN_LATER = ("function", "method")


@dataclass(frozen=True, slots=True)
class Step:
    """One import of a circle."""

    path: str
    line: int
    """Where it is imported first."""

    to: str
    uses: int
    """How many different things of the other file this one uses: what it would take to do without."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Files that import each other in circles."""

    files: tuple[str, ...]
    example: tuple[Step, ...]
    """One of the shortest circles; the first file is the first by path."""

    shortest: bool
    """Whether that is proven."""

    cut: Step
    """The import of the example without which the fewest files stay in circles; of several the least used."""

    left: int
    """How many of the files stay in circles without it."""


@dataclass(frozen=True, slots=True)
class Cycles:
    """All of them, the largest first."""

    loading: tuple[Cycle, ...]
    """Closed by what is imported when files are loaded."""

    deferred: tuple[Cycle, ...]
    """Closed only by imports inside functions, or for types alone. Their files may be in circles of the first kind as
    well."""


@dataclass(frozen=True, slots=True)
class _Imports:
    """The graph of imports, and of those that run when a file is loaded."""

    files: Files
    every: Graph
    loading: Graph
    lines: Mapping[Edge, int]


def cycles(code: Codebase, files: Files) -> Cycles:
    """Every knot of imports."""
    imports = _imports(code, files)
    loading = knots(imports.loading)
    known = set(loading)
    deferred = [knot for knot in knots(imports.every) if knot not in known]
    return Cycles(
        _largest_first(_cycle(imports, imports.loading, knot, frozenset()) for knot in loading),
        _largest_first(_cycle(imports, imports.every, knot, _late(imports, knot)) for knot in deferred),
    )


def _imports(code: Codebase, files: Files) -> _Imports:
    number = {path: at for at, path in enumerate(files.paths)}
    lines: dict[Edge, int] = {}
    loaded: dict[Edge, list[Link]] = {}
    for at, path in enumerate(files.paths):
        nesting = Nesting(path, code.outlines[path])
        for link in code.links.get(path, ()):
            if link.role == "import" and link.target.path != path and link.target.path in number:
                edge = at, number[link.target.path]
                lines[edge] = min(link.line, lines.get(edge, link.line))
                if not _runs_later(nesting, link.owner):
                    loaded.setdefault(edge, []).append(link)
    return _Imports(files, graph(len(files.paths), lines), _loading(code, files.paths, loaded), lines)


def _loading(code: Codebase, paths: Sequence[str], loaded: dict[Edge, list[Link]]) -> Graph:
    """The graph of the imports that run when a file is loaded, as far as they could close a circle: only there is it
    worth a look into the text."""
    first = graph(len(paths), loaded)
    if code.text is None:
        return first
    for node in (node for knot in knots(first) for node in knot):
        path = paths[node]
        run, stated = runs(path, code.text(path)), {each.line for each in code.outlines[path].imports if each.module}
        for to in first.out[node]:
            links = loaded[node, to]  # what is taken out of a namespace stands where it is used
            if not any(run(link) for link in [link for link in links if link.line in stated] or links):
                del loaded[node, to]
    return graph(len(paths), loaded)


def _runs_later(nesting: Nesting, owner: int) -> bool:
    while owner != MODULE:
        if nesting.outline.symbols[owner].kind in RUN_LATER:
            return True
        owner = nesting.parents[owner]
    return False


def _late(imports: _Imports, knot: Sequence[int]) -> frozenset[Edge]:
    """The imports within a knot that don't run when a file is loaded, by the places of their files in it."""
    place = {node: at for at, node in enumerate(knot)}
    return frozenset(
        (place[node], place[to])
        for node in knot
        for to in imports.every.out[node]
        if to in place and to not in imports.loading.out[node]
    )


def _cycle(imports: _Imports, whole: Graph, knot: Sequence[int], through: frozenset[Edge]) -> Cycle:
    """One knot, with an example that goes through one of these imports where there are any."""
    part = whole.within(knot)
    ring, shortest = shortest_ring(part, through)
    cut, left = best_cut(part, ring, lambda edge: imports.files.uses[knot[edge[0]], knot[edge[1]]])
    steps = {
        (start, end): _step(imports, (knot[start], knot[end]))
        for start, end in zip(ring, (*ring[1:], ring[0]), strict=True)
    }
    return Cycle(
        files=tuple(imports.files.paths[node] for node in knot),
        example=tuple(steps.values()),
        shortest=shortest,
        cut=steps[cut],
        left=left,
    )


def _step(imports: _Imports, edge: Edge) -> Step:
    paths = imports.files.paths
    return Step(paths[edge[0]], imports.lines[edge], paths[edge[1]], imports.files.uses[edge])


def _largest_first(found: Iterable[Cycle]) -> tuple[Cycle, ...]:
    return tuple(sorted(found, key=lambda cycle: (-len(cycle.files), cycle.files)))
