"""A record at every step: what all questions are asked of, and how people name its nodes.

A question takes a timeline and gives a frozen answer. A timeline has the ops as they were recorded, and the journal of
what they changed; it reads, and never writes. A node is named by its id, by path or by symbol, with as much of its end
as makes it unique; what is there at the step comes before what is there at the end, and that before what is gone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.ops.plain import unseal
from ccos_core.replay.codes import KIND_CODES, NO_TIME
from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.moment import Moment
from ccos_core.replay.sources import Measures, Orders, Sources, unmeasured
from ccos_core.state.fold import Facts
from ccos_core.values.ids import HELD_PREFIXES, escape, is_node, path_of, unescape

if TYPE_CHECKING:
    from ccos_core.log.facts import Key
    from ccos_core.ops.plain import Plain

MOST_TOLD = 8
"""Candidates listed where a name means several things."""
HELD = (*HELD_PREFIXES, "memory:")
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


KEPT = 16
"""Moments kept at hand: a question looks at two or three, and each holds what there is of every node."""
RENAMED = KIND_CODES["renamed"]


class Ops(Protocol):
    """Where the ops lie."""

    def op(self, step: int) -> tuple[int, bytes, bytes]:
        """(step, hash, body) of one."""

    def rows(self, first: int, last: int) -> Iterator[tuple[int, bytes, bytes]]:
        """The same of many, in order."""

    def content(self, blob: bytes) -> bytes:
        """A content; raises where it was erased."""

    def bodies(self, steps: Iterable[int]) -> dict[int, bytes]:
        """The bodies of many, as far as they are at hand."""

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        """Many contents, as far as they are at hand."""

    def whole(self, blobs: Iterable[bytes]) -> set[bytes]:
        """Those of many contents that are at hand, and as they should be."""

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """What many facts say, as far as they are recorded."""


class Reader:
    """The ops of a record as whoever pieces files together asks for them. It knows no timeline, so that nothing a
    timeline holds leads back to it: a server makes a timeline for each step, and nobody looks for such circles."""

    def __init__(self, ops: Ops, journal: Journal) -> None:
        self._ops = ops
        self._journal = journal
        self._at_hand: dict[int, bytes] = {}
        """Bodies of ops that somebody is going to ask for."""

    def op(self, step: int) -> Plain:
        """The op that made a step."""
        return unseal(self._body(step))

    def have_ready(self, steps: Iterable[int]) -> None:
        """Read these ops in one sweep."""
        self._at_hand = self._ops.bodies(steps)

    def is_piece(self, step: int) -> bool:
        """Whether an op may have shown a part of a file, or gave one another name. Sooner too often than once too
        seldom; that is seen without reading the op: in canonical bytes a quote within a text stands behind a `\\`."""
        return b'"slice":' in self._body(step) or int(self._journal.steps["kind"][step - 1]) == RENAMED

    def _body(self, step: int) -> bytes:
        return self._at_hand.get(step) or self._ops.op(step)[2]


class Timeline:
    """One record, at every step."""

    def __init__(
        self,
        ops: Ops,
        journal: Journal,
        facts: Facts,
        name: str = "",
        broken: CcosError | None = None,
        measured: Measures = unmeasured,
    ) -> None:
        self.ops = ops
        self.journal = journal
        self.facts = facts
        self.name = name
        """What the workspace is called."""
        self.broken = broken
        """What is wrong with the record behind its last step, if anything is."""
        self.measured = measured
        self._orders = Orders()
        self._reader = Reader(ops, journal)
        self.sources = Sources(journal, self._reader, ops, facts, measured, self._orders)
        self._moments: OrderedDict[int, Moment] = OrderedDict()

    @property
    def head(self) -> int:
        """The last step."""
        return self.journal.head

    @property
    def partial(self) -> int:
        """Contents of which nobody knows what they say, so that every answer is partial."""
        return self.journal.partial

    def op(self, step: int) -> Plain:
        """The op that made a step."""
        return self._reader.op(step)

    def have_ready(self, steps: Iterable[int]) -> None:
        """Read these ops in one sweep: somebody is going to ask for each of them."""
        self._reader.have_ready(steps)

    def hash(self, step: int) -> str:
        """The chain's hash after a step, in hex."""
        return self.ops.op(step)[1].hex()

    def content(self, blob: str) -> bytes:
        """A content by its hash in hex; raises `Erased` where somebody had it forgotten."""
        return self.ops.content(bytes.fromhex(blob))

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Many contents by their hashes in hex, as far as they are at hand."""
        return {blob.hex(): content for blob, content in self.ops.contents(map(bytes.fromhex, blobs)).items()}

    def time(self, step: int) -> int | None:
        """The wall-clock time of a step in milliseconds, where anybody knew it."""
        at = int(self.journal.steps["at"][step - 1]) if step else NO_TIME
        return at if at != NO_TIME else None

    def names(self, step: int | None = None) -> list[str]:
        """The nodes of the code that are there at a step, or at the end."""
        return there(self.journal, self.head if step is None else step)

    def between(self, first: int, last: int) -> Iterator[tuple[int, Plain]]:
        """(step, op) of many."""
        for step, _, body in self.ops.rows(first, last):
            yield step, unseal(body)

    def at(self, step: int) -> Moment:
        """Everything as it was at a step."""
        if not 0 <= step <= self.head:
            raise NotFound(f"there is no step {step:,}", place=self.name, hint=f"The steps are 0 to {self.head:,}.")
        if step not in self._moments:
            self._moments[step] = Moment(self.journal, self.sources, step)
            if len(self._moments) > KEPT:
                self._moments.popitem(last=False)
        else:
            self._moments.move_to_end(step)
        return self._moments[step]

    def node(self, said: str, step: int | None = None) -> str:
        """The node a person means: of those that are there at a step (or at the end), else of all there ever were."""
        return named(said, self.journal, self.head if step is None else step)
