"""What a folder's code looks like from far away: how much there is, how it hangs together, what isn't known of it.

Tests count as files and in cycles. Entry points, hubs and layers are told without them, since every test would be the
first, and on top of everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ccos_core.query.structure.components import layers
from ccos_core.query.structure.cycles import Cycles, cycles
from ccos_core.query.structure.graph import Codebase, Files, files
from ccos_core.query.structure.reach import dependencies
from ccos_core.query.structure.roles import tests, without
from ccos_core.text.syntax.languages import language_of

ROLES = ("import", "call", "type", "base", "decorator", "name")
"""In which one symbol may depend on another."""
COUNTED = ("call", "type", "base", "decorator")
"""Of which it is told how many lead into this code. Of plain names most are local, so their share would say nothing."""
HUBS = 10


@dataclass(frozen=True, slots=True)
class Language:
    """The part that is written in one language."""

    name: str
    files: int
    tests: int
    symbols: int
    edges: dict[str, int]
    """Role → how many dependencies."""

    told: int
    """Calls, types, bases and decorators in the text, ..."""

    led: int
    """... and how many of them lead to something in this code, for certain."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A file that isn't wholly understood."""

    path: str
    why: tuple[str, ...]
    """As its outline says it: `syntax`, `deep`, `hostile`, `crashed`, `large`, `no grammar`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that depends on others and that nothing depends on."""

    path: str
    reach: int
    """How many files it depends on, over however many others."""


@dataclass(frozen=True, slots=True)
class Hub:
    """A file much goes through."""

    path: str
    dependents: int
    dependencies: int


@dataclass(frozen=True, slots=True)
class Layer:
    """Files whose longest way down is equally long; those in circles count as one."""

    files: int
    first: str


@dataclass(frozen=True, slots=True)
class Summary:
    """All of it."""

    files: int
    tests: int
    symbols: int
    edges: int
    languages: tuple[Language, ...]
    """The one with the most files first."""

    flaws: tuple[Flaw, ...]
    entries: tuple[Entry, ...]
    """The one that reaches the most first."""

    alone: int
    """Files without tests that neither depend on another one nor are depended on."""

    hubs: tuple[Hub, ...]
    """By the product of its two numbers."""

    cycles: Cycles
    layers: tuple[Layer, ...]
    """From those that depend on nothing upwards."""


def summarise(code: Codebase) -> Summary:
    """The code from far away."""
    apart = tests(code)
    bare = without(code, apart)
    graph, inner = files(code), files(bare)
    languages = _languages(code, apart)
    return Summary(
        files=len(graph.paths),
        tests=len(apart),
        symbols=sum(language.symbols for language in languages),
        edges=sum(sum(language.edges.values()) for language in languages),
        languages=languages,
        flaws=tuple(Flaw(path, code.outlines[path].flaws) for path in graph.paths if code.outlines[path].flaws),
        entries=_entries(inner),
        alone=sum(not below and not above for below, above in zip(inner.graph.out, inner.graph.into, strict=True)),
        hubs=_hubs(inner),
        cycles=cycles(code, graph),
        layers=tuple(Layer(len(layer), inner.paths[layer[0]]) for layer in layers(inner.graph)),
    )


def _languages(code: Codebase, apart: frozenset[str]) -> tuple[Language, ...]:
    by_name: dict[str, list[str]] = {}
    for path in code.paths():
        language = language_of(path)
        by_name.setdefault(language.name if language is not None else "other", []).append(path)
    found = [_language(code, name, paths, apart) for name, paths in by_name.items()]
    return tuple(sorted(found, key=lambda language: (-language.files, language.name)))


def _language(code: Codebase, name: str, paths: list[str], apart: frozenset[str]) -> Language:
    edges = dict.fromkeys(ROLES, 0)
    told = led = 0
    for path in paths:
        for link in code.links.get(path, ()):
            edges[link.role] = edges.get(link.role, 0) + 1
        said = _uses((each.owner, each.role, each.count) for each in code.outlines[path].references)
        known = _uses((each.owner, each.role, each.count) for each in code.links.get(path, ()))
        told += sum(said.values())
        led += sum(min(count, known.get(use, 0)) for use, count in said.items())
    symbols = sum(len(code.outlines[path].symbols) for path in paths)
    return Language(name, len(paths), sum(path in apart for path in paths), symbols, edges, told, led)


def _uses(found: Iterable[tuple[int, str, int]]) -> dict[tuple[int, str], int]:
    """(Owner, role) → how often. One use may lead to several symbols; it is counted with its owner's and role's."""
    uses: dict[tuple[int, str], int] = {}
    for owner, role, count in found:
        if role in COUNTED:
            uses[owner, role] = uses.get((owner, role), 0) + count
    return uses


def _entries(inner: Files) -> tuple[Entry, ...]:
    reach = dependencies(inner.graph)
    first = [node for node, above in enumerate(inner.graph.into) if not above and inner.graph.out[node]]
    first.sort(key=lambda node: (-reach[node], node))
    return tuple(Entry(inner.paths[node], reach[node]) for node in first)


def _hubs(inner: Files) -> tuple[Hub, ...]:
    both = zip(inner.paths, inner.graph.into, inner.graph.out, strict=True)
    found = [Hub(path, len(above), len(below)) for path, above, below in both if above and below]
    found.sort(key=lambda hub: (-hub.dependents * hub.dependencies, hub.path))
    return tuple(found[:HUBS])
