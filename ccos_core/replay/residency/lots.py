"""Which units of many versions are documents, and which wording each of them is.

A wording stays for as long as a symbol says the same from one version of its file to the next: its own words, what it
is called, and what it takes to show it at all. What was learnt earlier is told by a digest of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.laid import Laid, Read
from ccos_core.replay.residency.pricing import costs
from ccos_core.values.canon import digest

Said = dict[int, tuple[bytes, int]]
"""Symbol → what its wording is made of, and the wording."""
NONE = -1
"""In place of a version, a unit or a wording: there is none."""


class Lot:
    """Versions that are learnt together, each file's in order."""

    def __init__(self, versions: Sequence[Read], said: Mapping[int, Said], made: int) -> None:
        self.laid = laid = Laid(versions)
        self.takes = costs(laid)
        """Unit → what it takes at most to show it at all."""
        self.rows = np.array([version.row for version in versions], np.int32)
        """Version → its row in the journal."""
        self.is_there = (laid.own.sizes > 0) & np.array([version.says for version in versions])[laid.version]
        """Unit → whether it is a document, ..."""
        self.wording = np.full(len(laid.version), NONE)
        """... and its wording."""
        self._said = {version.file: said[version.file] for version in versions if version.file in said}
        self._made = made
        self._before, self._next = self._neighbours()
        self._stays = self._staying()
        self._find_earlier()
        self.new = np.flatnonzero(self.is_there & (self._stays == NONE) & (self.wording == NONE))
        """The units that are the first to have theirs, ..."""
        self.made_of = self._digests(self.new)
        """... and what those are made of."""
        self.wording[self.new] = made + np.arange(len(self.new))
        self._hand_on()

    def holder(self) -> Numbers:
        """Unit → the innermost document around it, or its file."""
        found = np.arange(len(self.wording))
        while len(out := np.flatnonzero(~self.is_there[found] & (self.laid.place[found] > 0))):
            found[out] = self.laid.parent[found[out]]
        return found

    def died(self) -> tuple[Numbers, Numbers]:
        """(wordings, the versions that are the first of their files without them)."""
        follows = self._next[self.laid.version]
        stayed = np.zeros(len(self.wording), bool)
        stayed[self._stays[self._stays != NONE]] = True
        gone = np.flatnonzero(self.is_there & (follows != NONE) & ~stayed)
        earlier = [(wording, at) for at, said in self._firsts() for _, (_, wording) in sorted(said.items())]
        wordings, versions = np.array(earlier, np.int64).reshape(-1, 2).T
        gone_since = ~np.isin(wordings, self.wording)
        wordings = np.concatenate([wordings[gone_since], self.wording[gone]])
        versions = np.concatenate([versions[gone_since], follows[gone]])
        order = np.argsort(versions, kind="stable")
        return wordings[order], versions[order]

    def said(self) -> dict[int, Said]:
        """Number of a file's node → what its last version says."""
        return {
            version.file: dict(self._told(at, self._said.get(version.file, {})))
            for at, version in enumerate(self.laid.versions)
            if self._next[at] == NONE
        }

    # -- helpers --------------------------------------------------------------------------------------------------

    def _neighbours(self) -> tuple[Numbers, Numbers]:
        """(version → the one before of its file, the one behind it)."""
        latest: dict[int, int] = {}
        before = np.full(len(self.laid.versions), NONE)
        for at, version in enumerate(self.laid.versions):
            before[at] = latest.get(version.file, NONE)
            latest[version.file] = at
        behind = np.full(len(before), NONE)
        others = np.flatnonzero(before != NONE)
        behind[before[others]] = others
        return before, behind

    def _firsts(self) -> Iterator[tuple[int, Said]]:
        """The first versions of files of which something was learnt earlier, with what they said last."""
        for at in np.flatnonzero(self._before == NONE).tolist() if self._said else ():
            if (said := self._said.get(self.laid.versions[at].file)) is not None:
                yield at, said

    def _staying(self) -> Numbers:
        """Unit → the same symbol of the version before, where it is a document that says the same."""
        laid = self.laid
        before = self._before[laid.version]
        some = np.flatnonzero(self.is_there & (before != NONE))
        counts = laid.unit_ends - laid.unit_begins
        some = some[laid.place[some] < counts[before[some]]]
        others = laid.unit_begins[before[some]] + laid.place[some]
        alike = self.is_there[others]
        for column in (self.takes, laid.is_minor, laid.name):
            alike &= column[some] == column[others]
        for said in (laid.described, laid.own):
            some, others = some[alike], others[alike]
            alike = said.are_alike(some, others)
        found = np.full(len(before), NONE)
        found[some[alike]] = others[alike]
        return found

    def _find_earlier(self) -> None:
        """Which wordings that were learnt earlier stay."""
        laid, known = self.laid, dict(self._firsts())
        units = np.flatnonzero(self.is_there & np.isin(laid.version, list(known)))
        told = zip(units.tolist(), laid.version[units].tolist(), laid.symbol(units), self._digests(units), strict=True)
        for unit, version, symbol, made_of in told:
            said, wording = known[version].get(symbol, (b"", NONE))
            if said == made_of:
                self.wording[unit] = wording

    def _hand_on(self) -> None:
        """Give those that stay the wordings of the first that were like them."""
        first = np.where(self._stays == NONE, np.arange(len(self._stays)), self._stays)
        while not np.array_equal(first, further := first[first]):
            first = further
        self.wording = self.wording[first]

    def _digests(self, units: Numbers) -> list[bytes]:
        """What the wordings of some units are made of."""
        laid, found = self.laid, []
        described, own = laid.described.of(units), laid.own.of(units)
        numbers = zip(laid.is_minor[units].tolist(), self.takes[units].tolist(), described.sizes.tolist(), strict=True)
        names = map(laid.called.__getitem__, laid.name[units].tolist())
        texts = zip(names, described.in_full(laid.texts), own.in_full(laid.texts), strict=True)
        for (minor, takes, lines), (name, head, body) in zip(numbers, texts, strict=True):
            made_of = "\n".join((f"{int(minor)} {takes} {lines}", name, head, "", body))
            found.append(digest(made_of.encode("utf-8", "surrogatepass")))
        return found

    def _told(self, version: int, earlier: Said) -> Iterator[tuple[int, tuple[bytes, int]]]:
        """What the symbols of a version say."""
        begin, end = self.laid.unit_begins[version], self.laid.unit_ends[version]
        units = begin + np.flatnonzero(self.is_there[begin:end])
        for symbol, wording in zip(self.laid.symbol(units), self.wording[units].tolist(), strict=True):
            is_new = wording >= self._made
            yield symbol, (self.made_of[wording - self._made] if is_new else earlier[symbol][0], wording)
