"""Who is called what at one step after another, for texts that name something outright.

Names are kept up with, file by file, from when somebody asks first.
"""

from __future__ import annotations

from collections.abc import Container
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
        self._by_line = bool(told.spots)
        asked = dict.fromkeys([*told.names, *told.quoted, *(part for parts in told.dotted for part in parts)])
        self._telling = frozenset(row for name in asked for row in wordings.called.get(name, ()))
        """The versions that say anything of the names that are asked about."""
        self._outlines: dict[str, Outline] = {}
        self._names: Names | None = None
        self._upto = 0
        self.turns = 0
        """How often any of it became another."""

    def tells_of(self, files: Container[int]) -> bool:
        """Whether any version of these files, given by their nodes, says anything of what is asked about."""
        rows = self.timeline.journal.versions["path"]
        return any(int(rows[row]) in files for row in self._telling)

    def move(self, upto: int) -> None:
        """Go on to where so many versions have been."""
        journal, begin = self.timeline.journal, self._upto
        last = {number: row for row, number in enumerate(journal.versions["path"][begin:upto].tolist(), begin)}
        for number, row in last.items():
            self._put(path_of(journal.name(number)) or "", self._read(row, number))
        self._upto = upto

    def names(self) -> Names:
        """Who is called what now."""
        if self._names is None:
            self._names = Names(self._outlines)
        return self._names

    def outline(self, path: str) -> Outline:
        """What a file says of the names that are asked about, and all around it; nothing where it says nothing."""
        return self._outlines[path]

    def _read(self, row: int, number: int) -> Outline | None:
        if not self.wordings.says[row]:
            return None
        if not self._by_line and row not in self._telling:
            return Outline()
        sources = self.timeline.sources
        source = sources.source(path_of(self.timeline.journal.name(number)) or "", sources.version(row))
        return Outline(source.outline.symbols)

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
