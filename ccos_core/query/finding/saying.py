"""Conditions about what was said: the steps that say a statement which fits all of them.

    Sayings(timeline, user).steps((Compared("class", "=", ("preference",)), Compared("standing", "=", ("live",))))

A statement stands at each step as it stands at the end of the record: `find` looks at the whole of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.memory.entry import SAID_CLASS
from ccos_core.query.contexts import contexts_of
from ccos_core.query.finding import atoms
from ccos_core.query.finding.columns import nothing
from ccos_core.query.finding.tree import Compared, Tree
from ccos_core.query.said import Said, said_until
from ccos_core.query.saying.utterance import AUTHORS
from ccos_core.text.boolean import Every

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline


class Sayings:
    """What one question asks of statements."""

    def __init__(self, timeline: Timeline, user: Timeline | None) -> None:
        self._timeline = timeline
        self._user = user
        self.fitting: dict[tuple[int, str], Said] = {}
        """(step, id) → each statement that fitted a condition."""

    def steps(self, asked: Sequence[Compared]) -> Numbers:
        """The steps at which a statement was said that fits all of these."""
        found = nothing(self._timeline)
        for said in self._every():
            if all(_fits(said, each) for each in asked):
                for step in dict.fromkeys(place.step for place in said.places if place.step):
                    self.fitting[step, said.memo] = said
                    found[step - 1] = True
        return found

    def _every(self) -> Iterator[Said]:
        timeline = self._timeline
        for session in dict.fromkeys((each.host, each.session) for each in contexts_of(timeline).values()):
            yield from said_until(timeline, timeline.head, session, AUTHORS, self._user)


def is_about_statements(tree: Tree) -> bool:
    """Whether it is a condition that a statement fits, or several that one must fit together."""
    if isinstance(tree, Every):
        return all(map(is_about_statements, tree.parts))
    return isinstance(tree, Compared) and tree.name in atoms.OF_STATEMENTS


def conditions_of(tree: Tree) -> list[Compared]:
    """The conditions of a tree that is about statements."""
    if isinstance(tree, Every):
        return [each for part in tree.parts for each in conditions_of(part)]
    assert isinstance(tree, Compared)
    return [tree]


def _fits(said: Said, asked: Compared) -> bool:
    classes = said.classes or (SAID_CLASS,)
    known: Collection[str] = {"class": classes, "author": (said.author,), "standing": (said.standing,)}[asked.name]
    return set(known).isdisjoint(asked.values) == (asked.mark == "!=")
