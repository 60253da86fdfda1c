"""Many versions side by side, in columns: their lines by number, their units, and what each of those says.

A unit is a symbol, or what no symbol of its file has; which lines are its own, and what is in its head, is as
`text.retrieval.units` tells it of a single file. One line has one number, however many versions have it: so whatever
is asked of a line is asked once, and whether two versions say the same is a comparison of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.residency.passages import Passages, numbered
from ccos_core.text.retrieval.units import NAME_COUNTS, place_of
from ccos_core.values.code import MODULE, Symbol
from ccos_core.values.nesting import parents_of
from ccos_core.window.lexicon import VALUES
from ccos_core.window.source import UNKNOWN

NOWHERE = -1
"""In place of a node's number: it has none, or nobody is to find it."""


class Read(NamedTuple):
    """A version as it was read."""

    row: int
    """Of the journal's versions."""
    file: int
    """The number of the file's node."""
    path: str
    says: bool
    """Whether it is code that says anything."""
    nodes: Sequence[int] = ()
    """The numbers of the nodes of the file and its symbols, or `NOWHERE`; nothing where the file is gone."""
    text: str = ""
    symbols: Sequence[Sequence[str | int]] = ()
    unknown: tuple[tuple[int, int], ...] = ()


class Units:
    """The units of versions, by version: that of the file before those of its symbols."""

    def __init__(self, versions: Sequence[Read]) -> None:
        symbols = list(chain.from_iterable(version.symbols for version in versions))
        names, kinds, *lines = zip(*symbols, strict=True) if symbols else ((),) * len(Symbol._fields)
        counts = np.array([1 + len(version.symbols) for version in versions])
        self.versions = versions
        self.unit_ends = np.cumsum(counts)
        """Version → where its units end, ..."""
        self.unit_begins = self.unit_ends - counts
        """... and begin."""
        self.version = np.repeat(np.arange(len(versions)), counts)
        """Unit → its version, ..."""
        self.place = np.arange(len(self.version)) - self.unit_begins[self.version]
        """... its place within that: 0 for the file, ..."""
        self.symbols = np.flatnonzero(self.place)
        """(those that are symbols)"""
        self.line, self.first, self.signature, self.last, self.doc = map(self._of_symbols, lines)
        """... its lines, ..."""
        different, at = numbered(kinds)
        self.is_minor, self.is_constant, self.is_field = (
            self._of_symbols(np.array([each in which for each in different], bool)[at]).astype(bool)
            for which in (VALUES, ("constant",), ("field",))
        )
        """... of which kind it is, ..."""
        self.is_minor[self.place == 0] = True  # what no symbol has is as little
        self.called, at = numbered(["", *names])
        """(what units are called: a file nothing)"""
        self.name = self._of_symbols(at[1:])
        """... and what it is called, by number."""
        ends = (self.unit_ends - np.arange(1, len(versions) + 1)).tolist()
        self.names = [names[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
        """Version → what its symbols are called."""

    def symbol(self, some: Numbers) -> list[int]:
        """Which symbols of their versions some units are."""
        found: list[int] = (self.place[some] + MODULE).tolist()
        return found

    @cached_property
    def parent(self) -> Numbers:
        """Unit → the one that it stands in; that of a file in itself."""
        known: dict[tuple[str, ...], list[int]] = {}
        for names in self.names:
            if names not in known:
                known[names] = parents_of(names)
        found: Numbers = self.unit_begins[self.version]
        found[self.symbols] += 1 + np.array(list(chain.from_iterable(known[names] for names in self.names)), np.int64)
        return found

    # -- helpers --------------------------------------------------------------------------------------------------

    def _of_symbols(self, values: Sequence[int] | Numbers) -> Numbers:
        """A column of symbols as one of units."""
        found = np.zeros(len(self.version), np.int64)
        found[self.symbols] = values
        return found


class Laid(Units):
    """Versions as they lie, line after line."""

    def __init__(self, versions: Sequence[Read]) -> None:
        super().__init__(versions)
        texts = [version.text if version.says else "" for version in versions]
        sizes = np.array([text.count("\n") + 1 for text in texts])
        self.line_ends = np.cumsum(sizes)
        """Version → where its lines end, ..."""
        self.line_begins = self.line_ends - sizes
        """... and begin."""
        self.size = sizes[self.version]
        """Unit → how many its file has, ..."""
        self.begin = self.line_begins[self.version]
        """... and where these begin."""
        runs = [(at, *run) for at, version in enumerate(versions) for run in version.unknown]
        told = (
            "\n".join(texts).split("\n"),
            [name.replace(".", " ") for name in self.called],
            [place_of(version.path) for version in versions],
            [UNKNOWN.format(first, last) for _, first, last in runs],
        )
        self.texts, numbers = numbered(chain.from_iterable(told))
        """All lines and more there are, by number."""
        ends = np.cumsum([len(texts) for texts in told])
        self.lines, self._words, self._where, never_seen = np.split(numbers, ends[:-1])
        """The lines of all versions, the words of names, and where versions lie, by number."""
        self.shown, self.stands_for = self._shown(runs, never_seen)

    @cached_property
    def own(self) -> Passages:
        """Unit → all its own lines; those without any are no documents."""
        owners = self._owners()
        order = np.argsort(owners, kind="stable")
        return Passages(self.lines[order], np.cumsum(np.bincount(owners, minlength=len(self.version))))

    @cached_property
    def described(self) -> Passages:
        """Unit → its head and its description."""
        begin, has_doc = np.maximum(self.first, 1) - 1, (self.doc >= 1) & (self.doc <= self.size)
        sizes = np.maximum(np.minimum(self.signature, self.size) - begin, 0) + has_doc
        sizes[self.place == 0] = 0
        at = ranges(self.begin + begin, self.begin + begin + sizes)
        at[np.cumsum(sizes)[has_doc] - 1] = (self.begin + self.doc - 1)[has_doc]
        return Passages(self.lines[at], np.cumsum(sizes))

    def heads(self, some: Numbers) -> Passages:
        """What is in the heads of some units: where the file lies, what they are called, and their descriptions;
        nothing for what no symbol has."""
        described = self.described.of(some)
        is_symbol = self.place[some] > 0
        sizes = described.sizes + (1 + NAME_COUNTS) * is_symbol
        ends = np.cumsum(sizes)
        texts = np.empty(int(sizes.sum()), np.int64)
        texts[ranges(ends - described.sizes, ends)] = described.texts
        begins, symbols = (ends - sizes)[is_symbol], some[is_symbol]
        texts[begins] = self._where[self.version[symbols]]
        for at in range(1, 1 + NAME_COUNTS):
            texts[begins + at] = self._words[self.name[symbols]]
        return Passages(texts, ends)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _shown(self, runs: Sequence[tuple[int, int, int]], never_seen: Numbers) -> tuple[Numbers, Numbers]:
        """(the lines as they are shown, by number; line → the one that is shown for it)."""
        shown, stands_for = self.lines.copy(), np.arange(len(self.lines))
        for (version, first, last), number in zip(runs, never_seen.tolist(), strict=True):
            begin, end = int(self.line_begins[version]), int(self.line_ends[version])
            shown[begin + first - 1 : end][:1] = number
            stands_for[begin + first - 1 : min(begin + last, end)] = begin + first - 1
        return shown, stands_for

    def _owners(self) -> Numbers:
        """Line → the unit it belongs to."""
        first, last = np.minimum(self.first, self.line), np.minimum(np.maximum(self.last, self.line), self.size)
        spans = np.flatnonzero((self.place > 0) & ~self.is_field & (first >= 1) & (first <= last))
        spans = spans[np.lexsort((-last[spans], first[spans], self.version[spans]))]
        begins, ends = (self.begin + first - 1)[spans], (self.begin + last)[spans]
        found = np.repeat(self.unit_begins, self.line_ends - self.line_begins)
        found[ranges(begins, ends)] = np.repeat(spans, ends - begins)  # of several given to one the last stays
        return found
