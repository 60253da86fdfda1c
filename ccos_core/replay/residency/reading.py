"""The versions of a record in shares of files, read many at a time: as `learning` takes them.

Within a share the first few versions of all its files are read, then the next ones, so that a sweep doesn't hold many
of a file that may be large; the versions of a file stay in order, and that is all anybody needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.laid import NOWHERE, Read
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.source import Source

SHARE = 400
"""Versions of a share, if not a single file has more."""
SWEEP = 200
"""Versions that are read at one go, ..."""
ROUND = 8
"""... and how many of them may be of one file."""


def in_shares(files: Sequence[int], begin: int) -> Iterator[list[list[int]]]:
    """The rows of versions from one on, given the file of each, in shares: the rows of one file after the other."""
    rows: dict[int, list[int]] = {}
    for row, file in enumerate(files[begin:], begin):
        rows.setdefault(file, []).append(row)
    share: list[list[int]] = []
    held = 0
    for each in rows.values():
        if share and held + len(each) > SHARE:
            yield share
            share, held = [], 0
        share.append(each)
        held += len(each)
    if share:
        yield share


def read(timeline: Timeline, share: Iterable[Sequence[int]]) -> Iterator[Read]:
    """The versions of a share."""
    reading = _Reading(timeline)
    waiting = [iter(rows) for rows in share]
    while some := [row for rows in waiting for row in islice(rows, ROUND)]:
        for at in range(0, len(some), SWEEP):
            yield from reading.swept(some[at : at + SWEEP])


class _Reading:
    """Whoever reads versions."""

    def __init__(self, timeline: Timeline) -> None:
        self.journal = timeline.journal
        self.sources = timeline.sources
        self._files: list[int] = self.journal.once("files of versions", lambda: self.journal.versions["path"].tolist())
        self._named: dict[int, tuple[list[str], list[int]]] = {}
        """Number of a file's node → the names of its symbols as it was read last, and the numbers of its nodes."""
        self._passed: Numbers = self.journal.once("versions nobody sees", lambda: _passed(self.journal))

    def swept(self, rows: Sequence[int]) -> Iterator[Read]:
        """Some versions, those of a file in order."""
        versions = [(path_of(self.journal.name(self._files[row])) or "", self.sources.version(row)) for row in rows]
        self.sources.have_ready(versions)
        for path, version in versions:
            yield self._read(path, version)

    def _read(self, path: str, version: Version) -> Read:
        file = self._files[version.row]
        if version.why == "gone":
            return Read(version.row, file, path, False)
        source = self.sources.source(path, version)
        symbols = source.outline.symbols
        says = language_of(path) is not None and (bool(symbols) or source.outline != Outline())
        plain: list[tuple[str | int, ...]] = [tuple(symbol) for symbol in symbols]  # handed over faster than with names
        nodes = self._nodes(file, source)
        if self._passed[version.row]:  # what got a number since then is to be told apart from what never did
            nodes = [NOWHERE] * len(nodes)
        return Read(version.row, file, path, says, nodes, source.text, plain, source.unknown)

    def _nodes(self, file: int, source: Source) -> list[int]:
        """The numbers of its nodes; most versions have those of the one before."""
        names = [symbol.name for symbol in source.outline.symbols]
        known = self._named.get(file)
        if known is None or known[0] != names:
            own = source.nesting.names  # that of the file is the last
            known = self._named[file] = names, list(map(self.journal.id, (own[MODULE], *own[:MODULE])))
        return known[1]


def _passed(journal: Journal) -> Numbers:
    """Whether each version is replaced within its own moment, so that at no step anybody sees it."""
    files, steps = journal.versions["path"], journal.versions["step"]
    moments = journal.begun(steps)
    order = np.argsort(files, kind="stable")
    one, other = order[:-1], order[1:]
    passed = np.zeros(len(files), bool)
    passed[one] = (files[one] == files[other]) & (moments[one] == moments[other])
    return passed
