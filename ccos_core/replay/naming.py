"""How people name nodes: by id, by path, by symbol, each as far from its end as it takes to be the only one.

Goes through the names of the journal, not through sources, so that what is gone can be asked for as well. What is there
at the step in question comes before what is there at the end, and that before what is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ccos_core.errors import NotFound, Usage
from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.values.ids import escape, is_node, path_of, unescape

MOST_TOLD = 8
"""Candidates listed where a name means several things."""
HELD = ("prompt:", "result:", "summary:", "memory:")
"""What isn't in the graph."""
NEAR = 3
"""Near names told where nothing has that name."""


def named(said: str, journal: Journal, step: int) -> str:
    """The node somebody means at a step; of what only a host's window holds, by its id."""
    if is_node(said) and said.startswith(HELD) and journal.id(said) >= 0:
        return said
    for whole, by_end in (reading for path, name in _parts(said) for reading in _readings(journal, path, name)):
        for is_in in _scopes(journal, step):
            found = [number for number in whole if is_in(number)] or [number for number in by_end if is_in(number)]
            if found:
                return _only(said, sorted(journal.name(number) for number in found))
    raise _unknown(said, journal)


def there(journal: Journal, step: int) -> list[str]:
    """The nodes of the code that are there at a step."""
    upto = journal.there.upto(journal.last_moment(step))
    state = np.zeros(len(journal.names), np.int8)
    state[journal.there["node"][:upto]] = journal.there["there"][:upto]
    return [journal.name(number) for number in np.nonzero(state)[0].tolist()]


@dataclass(frozen=True, slots=True)
class Index:
    """The nodes of the code there ever were, by the last part of what they are called."""

    files: dict[str, list[int]] = field(default_factory=dict)
    symbols: dict[str, list[int]] = field(default_factory=dict)


Reading = tuple[list[int], list[int]]
"""Nodes that are called just so; and those whose names end so."""


def _parts(said: str) -> Iterator[tuple[str, str]]:
    """(path, name of a symbol) of what a person typed; only the path where it may be either."""
    if is_node(said) and said.startswith(("file:", "sym:")):
        rest = said.partition(":")[2]
        path, _, name = rest.partition("#") if said.startswith("sym:") else (rest, "", "")
        yield unescape(path), name
        return
    plain, mark = said.removeprefix("./"), "#" if "#" in said else "::"
    path, _, name = plain.partition(mark)
    yield path, name.replace("::", ".")
    if mark == "#":  # which stands in names of files and of symbols as well
        yield plain, ""
        path, _, name = plain.rpartition(mark)
        yield path, name


def _readings(journal: Journal, path: str, name: str) -> Iterator[Reading]:
    """What that may mean: a file, or a symbol."""
    if not name:
        whole = journal.id("file:" + escape(path))
        if whole >= 0:
            yield [whole], []
        end = "/" + escape(path)
        files = _index(journal).files.get(end.rpartition("/")[2], [])
        yield [], [number for number in files if path and journal.name(number).endswith(end)]
        path, name = "", path
    elif (exact := journal.id(f"sym:{escape(path)}#{name}")) >= 0:
        yield [exact], []
    yield _symbols(journal, escape(path), name)


def _symbols(journal: Journal, path: str, name: str) -> Reading:
    whole, by_end = [], []
    for number in _index(journal).symbols.get(name.rpartition(".")[2], ()):
        place, _, symbol = journal.name(number).removeprefix("sym:").partition("#")
        if path and place != path and not place.endswith("/" + path):
            continue
        if symbol == name:
            whole.append(number)
        elif symbol.endswith("." + name):
            by_end.append(number)
    return whole, by_end


def _scopes(journal: Journal, step: int) -> Iterator[Callable[[int], bool]]:
    """There at the step, there at the end, there at any time."""
    for at in (step, journal.head):
        upto = journal.there.upto(journal.last_moment(at))
        nodes, state = journal.there["node"][:upto], journal.there["there"][:upto]
        yield partial(_is_there, nodes, state)
    nodes = journal.there["node"]
    yield partial(_is_there, nodes, np.ones(len(nodes), np.int8))


def _is_there(nodes: Numbers, state: Numbers, number: int) -> bool:
    told = state[nodes == number]
    return bool(len(told) and told[-1])


def _index(journal: Journal) -> Index:
    index: Index = journal.once("names by their ends", lambda: _indexed(journal))
    return index


def _indexed(journal: Journal) -> Index:
    index = Index()
    for number in np.unique(journal.there["node"]).tolist():
        kind, _, rest = journal.name(number).partition(":")
        if kind == "file":
            index.files.setdefault(rest.rpartition("/")[2], []).append(number)
        else:
            index.symbols.setdefault(rest.partition("#")[2].rpartition(".")[2], []).append(number)
    return index


def _only(said: str, found: list[str]) -> str:
    if len(found) > 1:
        told = "  ".join(found[:MOST_TOLD]) + ("  ..." if len(found) > MOST_TOLD else "")
        raise Usage("is ambiguous", place=said, hint="One of: " + told)
    return found[0]


def _unknown(said: str, journal: Journal) -> NotFound:
    from difflib import get_close_matches  # which nobody needs who knows what things are called

    index = _index(journal)
    numbers = [number for group in (*index.files.values(), *index.symbols.values()) for number in group]
    names = [journal.name(number) for number in numbers]
    plain = [path_of(name) or name if name.startswith("file:") else name.partition("#")[2] for name in names]
    wanted = {said[at : at + 3].casefold() for at in range(max(1, len(said) - 2))}
    alike = [
        name
        for name in dict.fromkeys(plain)
        if 2 * abs(len(name) - len(said)) <= len(said) + 2 and any(part in name.casefold() for part in wanted)
    ]
    near = get_close_matches(said, alike, NEAR)
    return NotFound("there is nothing with this name", place=said, hint="Near: " + "  ".join(near) if near else "")
