"""Words of a record's versions, kept beside it: learning them takes far longer than most questions about texts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ccos_core.replay.journal import Journal
from ccos_core.replay.residency.learnt import VERSION, Words
from ccos_core.replay.residency.shared import Heard, Work
from ccos_core.session.facts import Facts
from ccos_core.session.interpreters import FOLD
from ccos_core.session.workers import processors, spread
from ccos_core.storage import journals
from ccos_core.storage.record import Record

if TYPE_CHECKING:  # what it takes to learn is loaded by whoever does
    from ccos_core.replay.residency.laid import Read
    from ccos_core.replay.residency.learning import Learnt, Share

WORTH_A_PROCESS = 1_000
"""Versions from which starting another process pays."""
WORTH_ANOTHER = 3_000
"""Moments from which making another process of this one pays. Only Linux has such processes that are safe."""
HEAVY = 16_000_000
"""Characters of a share that isn't handed to anybody: read and learnt lot by lot it takes less memory."""


class Remembering:
    """The words in a record's cache, for a journal that reaches its head."""

    def __init__(self, record: Record, journal: Journal, facts: Facts, forgotten: int) -> None:
        self.record = record
        self.journal = journal
        self.facts = facts
        self.forgotten = forgotten

    def words(self) -> Words:
        """What was kept that still holds; maybe nothing. Numbers a journal has given it goes on giving, so a longer one
        serves as well."""
        words = Words()
        if not self._is_partial():
            kept = journals.load_words(self.record, words.tables(), VERSION, FOLD, self.journal.head)
            if kept is not None:
                words.lies_on(*kept)
        return words

    def keep(self, words: Words, since: Mapping[str, int]) -> None:
        """Keep more. In the middle of a look the numbers may yet be others."""
        if not self._is_partial() and not self.journal.solid:
            at = self.journal.head, self.forgotten
            journals.save_words(self.record, words.tables(), since, VERSION, FOLD, at)

    def spread(
        self, learn: Callable[[Share], Learnt], shares: Iterable[Share], versions: int
    ) -> Generator[Learnt, None, None]:
        """Have so many versions learnt, share after share; by other processes, too, where that pays. They end when this
        is closed."""
        if versions < WORTH_A_PROCESS or processors() == 1:
            yield from map(learn, shares)
            return
        here: list[Learnt] = []
        yield from spread(learn, _light(shares, lambda heavy: here.append(learn(heavy))), worth_it=True)
        yield from here

    def share(self, work: Work, pieces: int, moments: int, heard: Heard) -> list[bytes] | None:
        """What comes of each of some pieces of so many moments; by another process, too, where that pays. None, where
        that one came to nothing."""
        if moments < WORTH_ANOTHER or processors() == 1 or not sys.platform.startswith("linux"):
            return [work(at, heard) for at in range(pieces)]
        from ccos_core.session.beside import shared  # there alone is what it is made of

        return shared(work, pieces, heard, moments)

    def _is_partial(self) -> bool:
        """Whether this machine can't know all that others could."""
        return bool(self.journal.partial or self.facts.missing)


def _light(shares: Iterable[Share], heavy: Callable[[Share], None]) -> Iterator[Share]:
    """Shares that were read whole; those that hold too much for that are somebody else's, as far as they are read."""
    for share in shares:
        versions: list[Read] = []
        coming, held = iter(share.versions), 0
        for version in coming:
            versions.append(version)
            held += len(version.text)
            if held > HEAVY:
                heavy(replace(share, versions=chain(versions, coming)))
                break
        else:
            yield replace(share, versions=versions)
