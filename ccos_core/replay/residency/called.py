"""Who is called what at one step after another, for texts that name something outright.

Names are kept up with, file by file, from when somebody asks first. Of most files it is enough that they are there:
symbols are looked at where a version says anything of the names that are asked about, and in files of which the text
tells lines. Which files those are follows from which are there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.mentions import Mentions
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.window.naming import Names

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


class Called:
    """The names of a step that moves on."""

    def __init__(self, timeline: Timeline, wordings: Wordings, told: Mentions) -> None:
        self.timeline = timeline
        self.wordings = wordings
        self._spots = tuple(dict.fromkeys(spot.path for spot in told.spots))
        """The paths, as the text spells them, of which it tells lines."""
        asked = dict.fromkeys([*told.names, *told.quoted, *(part for parts in told.dotted for part in parts)])
        self._telling = frozenset(row for name in asked for row in wordings.called.get(name, ()))
        """The versions that say anything of the names that are asked about."""
        self._outlines: dict[str, Outline] = {}
        self._rows: dict[str, int] = {}
        """Path → the version that was there last."""
        self._by_line: set[str] = set()
        """The files that such a path meant at any step up to now."""
        self._names: Names | None = None
        self._upto = 0
        self.turns = 0
        """How often any of it became another."""
        self._looked = -1
        """The turn after which somebody looked which files the text tells lines of."""

    def move(self, upto: int) -> None:
        """Go on to where so many versions have been."""
        journal, begin = self.timeline.journal, self._upto
        last = {number: row for row, number in enumerate(journal.versions["path"][begin:upto].tolist(), begin)}
        for number, row in last.items():
            path = path_of(journal.name(number)) or ""
            self._rows[path] = row
            self._put(path, self._read(path, row))
        self._upto = upto

    def names(self) -> Names:
        """Who is called what now."""
        if self._names is None:
            self._names = Names(self._outlines)
        if self._looked != self.turns:
            self._look_by_line(self._names)
        return self._names

    def outline(self, path: str) -> Outline:
        """What a file says of the names that are asked about, and all around it; nothing where it says nothing."""
        return self._outlines[path]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _look_by_line(self, names: Names) -> None:
        """Have the symbols of the files of which the text tells lines."""
        for path in dict.fromkeys(map(names.path, self._spots)):
            if path is not None and path not in self._by_line:
                self._by_line.add(path)
                self._put(path, self._read(path, self._rows[path]))
        self._looked = self.turns

    def _read(self, path: str, row: int) -> Outline | None:
        if not self.wordings.says[row]:
            return None
        if path not in self._by_line and row not in self._telling:
            return Outline()
        sources = self.timeline.sources
        return Outline(sources.source(path, sources.version(row)).outline.symbols)

    def _put(self, path: str, outline: Outline | None) -> None:
        if self._outlines.get(path) == outline:
            return
        self.turns += 1
        if outline is not None:
            self._outlines[path] = outline
        else:
            del self._outlines[path]
        if self._names is not None:
            if outline is not None:
                self._names.put(path, outline)
            else:
                self._names.drop(path)
