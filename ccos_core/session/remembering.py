"""Words of a record's versions, kept beside it: learning them takes far longer than most questions about texts."""

from __future__ import annotations

from collections.abc import Mapping

from ccos_core.replay.journal import Journal
from ccos_core.replay.residency.learnt import VERSION, Words
from ccos_core.session.facts import Facts
from ccos_core.session.interpreters import FOLD
from ccos_core.storage import journals
from ccos_core.storage.record import Record


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

    def _is_partial(self) -> bool:
        """Whether this machine can't know all that others could."""
        return bool(self.journal.partial or self.facts.missing)
