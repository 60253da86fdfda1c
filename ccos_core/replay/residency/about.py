"""Residency in the windows of `task:TEXT` and `hybrid:TEXT`: what a text was about, at every step.

Any file may put any other in another place, for words are weighed by how rare they are among all. So these windows are
decided anew at every step at which a source or a failure became another. That is the slow way, and takes what it takes;
it says how far it has come, and can be stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.identity import name_at
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, presence
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.window.lenses import live
from ccos_core.window.lexicon import Lexicon, View
from ccos_core.window.ranking import Ranking, ranked
from ccos_core.window.source import Source
from ccos_core.window.task import admitted, by_text, for_hybrid, for_task

if TYPE_CHECKING:
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.renames import Name
    from ccos_core.replay.residency.lens import Progress
    from ccos_core.replay.timeline import Timeline

HYBRID = "hybrid"
OFTEN = 50
"""Files between two words about how far it has come."""


@dataclass(frozen=True)
class About:
    """The residency of a node in the windows about a text."""

    timeline: Timeline
    names: Sequence[Name]
    """What the node was called, from step 0 to the head."""
    lens: str
    """`task` or `hybrid`."""
    text: str
    progress: Progress

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        found = presence(self.timeline.journal, self.names)[first : last + 1]
        if not (found == OUT).any():
            return found
        about = np.full(len(found), OUT, np.uint8)
        reader = _Reader(self, first)
        for step in [first, *self._changed(first, last)]:
            self.progress(step - first, last - first)
            about[step - first :] = reader.state(step, budget)
        found[found == OUT] = about[found == OUT]
        return found

    def _changed(self, first: int, last: int) -> list[int]:
        """The first steps of all moments that changed a source, a failure or a link."""
        journal = self.timeline.journal
        tables = [journal.versions, journal.failures, *([journal.uses] if self.lens == HYBRID else [])]
        steps = np.unique(np.concatenate([table["step"] for table in tables]))
        looks = journal.steps["look"][steps - 1]
        begun: Numbers = np.unique(np.where(looks > 0, looks, steps))
        found: list[int] = begun[(begun > first) & (begun <= last)].tolist()
        return found


class _Reader:
    """Whoever has read all files, and reads again what has changed."""

    def __init__(self, about: About, step: int) -> None:
        self.about = about
        self.code = _Going(about)
        self.code.moment = about.timeline.at(step)
        self._last = self.code.moment.last
        self._lexicon = Lexicon(self.code)
        self._ranked: tuple[View | None, Ranking | None] = (None, None)

    def state(self, step: int, budget: int) -> int:
        """What the node is at a step, not before the last one that was asked for."""
        self._read(step)
        members = self._members(budget)
        node = name_at(self.about.names, step)
        if node in members:
            return IN
        return PARTIAL if node.startswith("file:") and path_of(node) in map(path_of, members) else OUT

    def _read(self, step: int) -> None:
        moment = self.code.moment = self.about.timeline.at(step)
        versions, journal = self.about.timeline.journal.versions, self.about.timeline.journal
        begin, end = np.searchsorted(versions["step"], [self._last, moment.last], side="right").tolist()
        self._last = moment.last
        for number in np.unique(versions["path"][begin:end]).tolist():
            path = path_of(journal.name(number)) or ""
            if moment.version(path) is not None:
                self._lexicon.put(path)
            else:
                self._lexicon.drop(path)

    def _members(self, budget: int) -> list[str]:
        view, fails = self._lexicon.view(), live(self.code.moment)
        if self.about.lens == HYBRID:
            view = View(self.code, view.collection, view.outlines)  # what is linked may be others than before
            candidates = for_hybrid(view, ranked(self.about.text, view, fails))
        else:
            candidates = for_task(view, self._by_text(view), fails)
        found = admitted(candidates, budget).members
        return [each.candidate.source.node(each.candidate.symbol) for each in found]

    def _by_text(self, view: View) -> Ranking:
        known, ranking = self._ranked
        if ranking is None or known is not view:
            ranking = by_text(self.about.text, view)
            self._ranked = view, ranking
        return ranking


class _Going:
    """The code of a moment, and then of a later one."""

    moment: Moment

    def __init__(self, about: About) -> None:
        self._progress = about.progress
        self._asked = 0

    def paths(self) -> Sequence[str]:
        return self.moment.paths()

    def outline(self, path: str) -> Outline:
        self._asked += 1
        if self._asked % OFTEN == 0:
            self._progress(0, 1)
        return self.moment.outline(path)

    def source(self, path: str) -> Source:
        return self.moment.source(path)

    def links(self, path: str) -> tuple[Link, ...]:
        return self.moment.links(path)
