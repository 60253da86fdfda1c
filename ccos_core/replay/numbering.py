"""Names as the numbers a journal has for them; a new name gets the next one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal


class Numbering:
    """The names of one journal."""

    def __init__(self, journal: Journal) -> None:
        self._names = journal.names
        self._ids = journal.ids
        self._spelled = list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def number(self, name: str) -> int:
        """The number of a name, a new one if it has none."""
        at = self._ids.get(name)
        if at is None:
            at = self._ids[name] = self._names.add(name.encode("utf-8", "surrogatepass"))
            self._spelled.append(name)
        return at

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The numbers of many, which as a rule are known."""
        names, ids = list(names), self._ids
        try:
            return list(map(ids.__getitem__, names))
        except KeyError:
            return [self.number(name) for name in names]

    def column(self, names: Iterable[str]) -> Numbers:
        """The same, as a column."""
        return np.array(self.numbers(names), np.int64)

    def names(self, numbers: Iterable[int]) -> list[str]:
        """The names of these numbers."""
        return list(map(self._spelled.__getitem__, numbers))
