"""A record at every step: what all questions are asked of.

A question takes a timeline and gives a frozen answer. A timeline has the ops as they were recorded, and the journal of
what they changed; it reads, and never writes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ccos_core.errors import CcosError, NotFound
from ccos_core.ops.plain import unseal
from ccos_core.replay.codes import KIND_CODES, NO_TIME
from ccos_core.replay.journal import Journal
from ccos_core.replay.moment import Moment
from ccos_core.replay.naming import named, there
from ccos_core.replay.sources import Measures, Orders, Sources, unmeasured
from ccos_core.state.fold import Facts

if TYPE_CHECKING:
    from ccos_core.log.facts import Key
    from ccos_core.ops.plain import Plain

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
