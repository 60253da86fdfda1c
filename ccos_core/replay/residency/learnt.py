"""The words of versions as they were learnt, row behind row: what comes later goes behind, so it can be kept.

Numbers of nodes are those of the journal. Nothing here is in the order of documents; `wordings` puts it there. They are
learnt in shares of files by `learning`, and put in the order of versions by `joining`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from ccos_core.replay.columns import Shelf, Table, Texts, lie_on, sizes_of
from ccos_core.replay.residency.shared import Helper

if TYPE_CHECKING:
    from ccos_core.replay.residency.learning import Learnt, Share

VERSION = 3
"""Of what the rows say: it goes up whenever the same versions would be learnt otherwise."""
WORDLESS = -2
"""In place of a wording: such a node is there, and no document holds it."""
WORDINGS: Mapping[str, str] = {
    "born": "<i4",
    "symbol": "<i4",
    "minor": "|u1",
    "cost": "<i8",
    "size": "<i4",
    "said": "|V32",
}
"""A wording: its first version, which symbol of it that is, whether it is a mere value, what it takes to show it at
all, how many terms it has, and a digest of all that it is made of: with another one it is another wording."""
DIED: Mapping[str, str] = {"wording": "<i4", "version": "<i4"}
"""The first version of its file that doesn't have a wording any more."""
PAIRS: Mapping[str, str] = {"term": "<i4", "head": "<u2", "body": "<u2"}
"""The terms of one wording after the other, and how often each is in head and body."""
VERSIONS: Mapping[str, str] = {"says": "|u1", "end": "<i4"}
"""A version: whether it is code that says anything, and where its nodes end."""
NODES: Mapping[str, str] = {"node": "<i4", "wording": "<i4", "own": "|u1"}
"""The nodes of each version, which wording holds each, and whether that is of itself."""
CALLED: Mapping[str, str] = {"name": "<i4", "version": "<i4"}
"""The last parts of the names of symbols, and in which versions something is called so."""


class Words:
    """All that was learnt of the versions up to one."""

    def __init__(self) -> None:
        self.wordings = Table("words", WORDINGS)
        self.died = Table("words.died", DIED)
        self.pairs = Table("words.pairs", PAIRS)
        self.versions = Table("words.versions", VERSIONS)
        self.nodes = Table("words.nodes", NODES)
        self.called = Table("words.called", CALLED)
        self.terms = Texts("words.terms")
        self.names = Texts("words.names")

    def tables(self) -> Iterator[Table]:
        """All of them, in one order."""
        yield from (self.wordings, self.died, self.pairs, self.versions, self.nodes, self.called)
        for texts in (self.terms, self.names):
            yield texts.ends
            yield texts.body

    def sizes(self) -> dict[str, int]:
        """Rows of each table."""
        return sizes_of(self.tables())

    def lies_on(self, shelf: Shelf, sizes: Mapping[str, int]) -> None:
        """It was kept there, so many rows of each table."""
        lie_on(shelf, self.tables(), sizes)


class Keeper(Helper, Protocol):
    """Whoever keeps words from one process to the next, and has other processes help."""

    def words(self) -> Words:
        """What was kept that still holds; maybe nothing."""

    def keep(self, words: Words, since: Mapping[str, int]) -> None:
        """Keep more; so many rows of each table were kept already."""

    def spread(
        self, learn: Callable[[Share], Learnt], shares: Iterable[Share], versions: int
    ) -> Generator[Learnt, None, None]:
        """Have so many versions learnt, share after share; by other processes, too, where that pays. They end when this
        is closed."""
