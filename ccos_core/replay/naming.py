"""How people name nodes: by id, by path, by symbol, each as far from its end as it takes to be the only one.

Goes through the names of the journal, not through sources, so that what is gone can be asked for as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

import numpy as np

from ccos_core.errors import NotFound, Usage
from ccos_core.replay.journal import Journal
from ccos_core.values.ids import escape, is_node, path_of, symbol_of

MOST_TOLD = 8
"""Candidates listed where a name means several things."""
NEAR = 3
"""Near names told where nothing has that name."""


def named(said: str, journal: Journal, step: int) -> str:
    """The node somebody means at a step."""
    if is_node(said) and journal.id(said) in _known(journal, journal.head):
        return said
    known = _known(journal, journal.head)
    here = _meant(said, journal, _known(journal, step)) or _meant(said, journal, known)
    found = here or _meant(said, journal, dict.fromkeys(known, 1))  # what is gone can be asked for as well
    if not found:
        raise _unknown(said, journal)
    if len(found) > 1:
        told = "  ".join(found[:MOST_TOLD]) + ("  ..." if len(found) > MOST_TOLD else "")
        raise Usage("means several things", place=said, hint="One of: " + told)
    return found[0]


def there(journal: Journal, step: int) -> list[str]:
    """The nodes of the code that are there at a step."""
    return [journal.name(number) for number, is_there in _known(journal, step).items() if is_there]


def _known(journal: Journal, step: int) -> dict[int, int]:
    """Numbers of nodes that have been in the graph up to a step → whether they are there."""
    upto = int(np.searchsorted(journal.there["step"], journal.last_moment(step), side="right"))
    nodes, there = (journal.there[name][:upto].tolist() for name in ("node", "there"))
    return dict(zip(nodes, there, strict=True))


def _meant(said: str, journal: Journal, known: dict[int, int]) -> list[str]:
    """Nodes that are there and are called that."""
    there = [journal.name(number) for number, is_there in known.items() if is_there]
    if is_node(said):
        path, told = path_of(said) or "", symbol_of(said)
        name = said.partition("#")[2] if told is not None else ""
    else:
        mark = "#" if "#" in said else "::"
        path, _, name = said.partition(mark)
        path, name = path.removeprefix("./"), name.replace("::", ".")
    if path and not name:
        files = [node for node in there if node.startswith("file:")]
        if found := _by_end(files, "file:", escape(path), "/"):
            return found
        path, name = "", path
    return _symbols(there, escape(path), name.replace("::", "."))


def _symbols(there: Iterable[str], path: str, name: str) -> list[str]:
    parts = [(node, *node.removeprefix("sym:").split("#", 1)) for node in there if node.startswith("sym:")]
    inside = [each for each in parts if not path or each[1] == path or each[1].endswith("/" + path)]
    whole = [node for node, _, symbol in inside if symbol == name]
    return sorted(whole or [node for node, _, symbol in inside if symbol.endswith("." + name)])


def _by_end(nodes: list[str], prefix: str, end: str, joint: str) -> list[str]:
    whole = prefix + end
    return [whole] if whole in nodes else sorted(node for node in nodes if node.endswith(joint + end))


def _unknown(said: str, journal: Journal) -> NotFound:
    names = [journal.name(number) for number in _known(journal, journal.head)]
    plain = [path_of(name) or name for name in names if name.startswith("file:")]
    plain += [name.partition("#")[2] for name in names if name.startswith("sym:")]
    near = get_close_matches(said, list(dict.fromkeys(plain)), NEAR)
    return NotFound("there is nothing of that name", place=said, hint="Near: " + "  ".join(near) if near else "")
