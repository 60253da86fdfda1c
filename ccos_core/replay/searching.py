"""`task:TEXT` and `hybrid:TEXT` at a step: the words of a whole tree, learnt once and kept up with from step to step.

Learning thousands of files takes seconds. Between two steps few of them differ, so what was learnt is kept with the
journal, and only what is another version is learnt anew; what comes out is the same as if all of it had been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.window.lenses import live
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.moment import Moment
    from ccos_core.window.lexicon import Lexicon
    from ccos_core.window.linearize import Window

Progress = Callable[[int, int], None]
"""Hears how much of how much is done; may raise to stop it."""
SEARCHES = ("task", "hybrid")
OFTEN = 50
"""Files between two words about how far it has come."""


def unheard(done: int, total: int) -> None:
    """Nobody wants to know how far it has come."""


def is_search(lens: str) -> bool:
    """Whether a lens goes by words; without any it is no lens."""
    name, _, text = lens.partition(":")
    return name in SEARCHES and bool(text.strip())


def searched(moment: Moment, lens: str, budget: int, progress: Progress = unheard, *, compress: bool = True) -> Window:
    """What a text is about at a moment."""
    from ccos_core.window import task  # all that a search needs, which others do without

    name, _, text = lens.partition(":")
    search = task.task if name == "task" else task.hybrid
    return search(text, _learnt(moment, progress), budget, live(moment), compress=compress)


def learn(moment: Moment, progress: Progress = unheard) -> None:
    """Have the words a search would have to learn first. Whoever stops it has learnt what was done by then."""
    _learnt(moment, progress)


@dataclass(slots=True)
class _Learnt:
    """What was learnt so far."""

    lexicon: Lexicon
    rows: dict[str, int] = field(default_factory=dict)
    """Path → the row of its version that was learnt."""

    def drop(self, path: str) -> None:
        self.lexicon.drop(path)
        del self.rows[path]

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Later versions will be others."""
        for path in [path for path, row in self.rows.items() if row >= sizes["versions"]]:
            self.drop(path)


def _learnt(moment: Moment, progress: Progress) -> Lexicon:
    """The words of all files of a moment."""
    known: _Learnt = moment.journal.growing("learnt", _nothing_yet)
    known.lexicon.moved(moment)
    rows = _versions(moment.journal, moment.last)
    for path in [path for path in known.rows if path not in rows]:
        known.drop(path)
    new = sorted(path for path, row in rows.items() if known.rows.get(path) != row)
    for at, path in enumerate(new):
        if at % OFTEN == 0:
            progress(at, len(new))
        known.lexicon.put(path)
        known.rows[path] = rows[path]
    return known.lexicon


def _nothing_yet() -> _Learnt:
    from ccos_core.window.lexicon import Lexicon

    return _Learnt(Lexicon(_Nowhere()))


def _versions(journal: Journal, step: int) -> dict[str, int]:
    """Path → the row of its version at a step, of the files that are there."""
    versions = journal.versions
    upto = versions.upto(step)
    last = np.full(len(journal.names), -1, np.int32)
    last[versions["path"][:upto]] = np.arange(upto, dtype=np.int32)
    rows = last[last >= 0]
    here = rows[versions["why"][rows] != journal.id("gone")]
    paths = versions["path"][here].tolist()
    return {path_of(journal.name(number)) or "": row for number, row in zip(paths, here.tolist(), strict=True)}


class _Nowhere:
    """A tree without a file."""

    def paths(self) -> Sequence[str]:
        return ()

    def outline(self, path: str) -> Outline:
        return Outline()

    def source(self, path: str) -> Source:
        return Source(path, "", Outline())

    def links(self, path: str) -> tuple[Link, ...]:
        return ()
