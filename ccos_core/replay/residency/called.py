"""Who is called what at one step after another, for texts that name something outright.

Names are put together anew only when a version says other things of names that are asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.text.retrieval.mentions import Mentions
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.window.naming import Names

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


class Called:
    """The names of a step that moves on."""

    def __init__(self, timeline: Timeline, told: Mentions) -> None:
        self.timeline = timeline
        self._by_line = bool(told.spots)
        self._asked = frozenset([*told.names, *told.quoted, *(part for parts in told.dotted for part in parts)])
        self._outlines: dict[str, Outline] = {}
        self._names: Names | None = None
        self._upto = 0

    def move(self, upto: int) -> None:
        """Go on to where so many versions have been."""
        journal, sources = self.timeline.journal, self.timeline.sources
        last = dict.fromkeys(journal.versions["path"][self._upto : upto].tolist())
        rows = {number: row for row, number in enumerate(journal.versions["path"][:upto].tolist()) if number in last}
        for number, row in rows.items():
            path, version = path_of(journal.name(number)) or "", sources.version(row)
            outline = sources.source(path, version).outline if version.why != "gone" else Outline()
            self._put(path, Outline(outline.symbols), language_of(path) is not None and outline != Outline())
        self._upto = upto

    def names(self) -> Names:
        """Who is called what now."""
        if self._names is None:
            self._names = Names(dict(sorted(self._outlines.items())))
        return self._names

    def outline(self, path: str) -> Outline:
        """What stands in a file, by name."""
        return self._outlines[path]

    def _put(self, path: str, outline: Outline, is_there: bool) -> None:
        before = self._outlines.get(path)
        if is_there:
            self._outlines[path] = outline
        else:
            self._outlines.pop(path, None)
        if (before is None) == is_there or (before is not None and self._told(before) != self._told(outline)):
            self._names = None

    def _told(self, outline: Outline) -> object:
        """What a file says of the names that are asked about."""
        if self._by_line:
            return outline.symbols
        symbols = enumerate(outline.symbols)
        return [(at, each.name, each.kind) for at, each in symbols if each.name.rpartition(".")[2] in self._asked]
