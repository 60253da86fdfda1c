"""Texts by number: one text has one number, so what is asked of a text is asked once, however often it comes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple, TypeVar

import numpy as np

from ccos_core.replay.columns import Numbers, ranges

Each = TypeVar("Each", bound=Hashable)


class Passages(NamedTuple):
    """Texts of many, by their numbers: those of one behind those of the other."""

    texts: Numbers
    ends: Numbers

    @property
    def sizes(self) -> Numbers:
        return np.diff(self.ends, prepend=0)

    @property
    def begins(self) -> Numbers:
        return self.ends - self.sizes

    def of(self, some: Numbers) -> Passages:
        """What some of them say."""
        return Passages(self.texts[ranges(self.begins[some], self.ends[some])], np.cumsum(self.sizes[some]))

    def told_by(self, texts: Passages) -> Passages:
        """The same in what each of the texts says."""
        said = texts.of(self.texts)
        return Passages(said.texts, np.append(0, said.ends)[self.ends])

    def in_full(self, texts: Sequence[str]) -> Iterator[str]:
        """The lines of each, written out."""
        lines = list(map(texts.__getitem__, self.texts.tolist()))
        for begin, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True):
            yield "\n".join(lines[begin:end])

    def are_alike(self, some: Numbers, others: Numbers) -> Numbers:
        """Whether each of some says what another one does."""
        alike: Numbers = self.sizes[some] == self.sizes[others]
        one, other = self.of(some[alike]), self.of(others[alike])
        alike[np.repeat(np.flatnonzero(alike), one.sizes)[one.texts != other.texts]] = False
        return alike


def by_number() -> defaultdict[Each, int]:
    """Gives whatever it is asked for a number, in the order in which that is met."""
    return defaultdict(count().__next__)


def numbered(values: Iterable[Each]) -> tuple[list[Each], Numbers]:
    """(the different ones of some values in the order they are met, the number that each value has among them)."""
    numbers: defaultdict[Each, int] = by_number()
    found = np.fromiter(map(numbers.__getitem__, values), np.int64)
    return list(numbers), found
