"""Whoever writes the journal: looks at a world after each moment, and notes what has become another.

A moment is closed when the next one begins, for only then nobody can add to it. What the last look changed is written
as well when somebody wants to ask now; should the look go on, that is taken back and written anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.replay.codes import Code, code_of
from ccos_core.replay.journal import Journal
from ccos_core.replay.reaches import Numbering, Reaches
from ccos_core.replay.standing import Facts, Standing, Sums
from ccos_core.replay.surroundings import Surroundings
from ccos_core.state.fold import is_looking
from ccos_core.state.rules import Rules
from ccos_core.state.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.ops.plain import Plain

BUFFERED_LOOKS, BUFFERED_STEPS = 20_000, 2_000
"""Looks at nodes that are worked out at a time, and steps: where each looks at few nodes, 13,000 of them took 8 MB."""


class Scribe:
    """One world's journal in the making. The world stands where the journal's solid part ends."""

    def __init__(self, journal: Journal, world: World, facts: Facts) -> None:
        self.journal = journal
        self.world = world
        self.facts = facts
        self._moment: list[Code] = []
        """The ops of the moment that is open, ..."""
        self._waiting: list[tuple[Code, int, int]] = []
        """... and those of closed ones that aren't written: what they are, the clock, the first step of their look."""
        self._sizes: list[int] = []
        """Ops of each of the closed ones."""
        self._provisional: list[Code] = []
        """The ops of a look that was written before its end."""
        if journal.solid:
            journal.cut(journal.solid)
            journal.solid = {}
        self._begin()

    def before(self, op: Plain, heard: Callable[[], None] = lambda: None) -> None:
        """An op is about to be folded: what came before it may be complete. After a look at many files that takes
        long; `heard` is called now and then, and what raises there leaves the moment open."""
        going_on = is_looking(op) and self.world.looking > 0
        if self._provisional:
            if going_on:
                self._take_back()
            self._provisional, self.journal.solid = [], {}
        if self._moment and not going_on:
            self.world.graph.settle(heard)
            self._close(self.world.looking)

    def after(self, op: Plain) -> None:
        """It has been folded."""
        self._moment.append(code_of(op, self._around.number))
        if self._standing.looks.waiting > BUFFERED_LOOKS or len(self._waiting) > BUFFERED_STEPS:
            self._work_out()

    def finish(self) -> None:
        """Somebody wants to ask: everything is written down."""
        self.world.graph.settle()
        if self.world.looking and self._moment:
            self._work_out()
            self.journal.solid = self.journal.sizes()
            self._provisional = list(self._moment)
        self._close(self.world.looking)
        self._work_out()

    def leave(self) -> bool:
        """Somebody has had enough: everything is written down but a look that is open, for what it changed takes long
        to find out. Gives whether the world stands where the journal ends."""
        if self.world.looking and self._moment:
            self._work_out()
            return False
        self.finish()
        return True

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Know what the journal says."""
        numbering = Numbering(self.journal)
        reaches = Reaches(self.journal, self.world.failures, numbering)
        self._around = Surroundings(self.journal, self.world, numbering, reaches)
        self._standing = Standing(self.journal, self.world, self.facts, numbering, reaches)
        self._sums = Sums(self.journal)
        self._rules: Rules = self.world.rules

    def _take_back(self) -> None:
        """A look goes on that was written already: forget it, and remember what it had changed."""
        self._moment = self._provisional
        journal, world = self.journal, self.world
        solid = journal.solid
        for row in journal.changes["node"][solid["changes"] :].tolist():
            node = journal.name(row)
            world.moved[node] = world.graph.recounted[node] = None  # it may have been only its prior
        self._around.note_again(solid)
        journal.cut(solid)
        self._begin()

    def _close(self, look: int) -> None:
        """The moment is over: note what it changed, under its first step."""
        if not self._moment:
            return
        self.world.graph.settle()
        first = self.journal.head + len(self._waiting) + 1
        if self.world.rules is not self._rules:
            self._work_out()
            self._rules = self.world.rules
            self._around.note_rules(first)
            self._standing.reconsider()
        self._standing.note(self._around.note(first))
        self._sizes.append(len(self._moment))
        self._waiting += [(code, self.world.clock, look) for code in self._moment]
        self._moment = []

    def _work_out(self) -> None:
        """Write what was noted."""
        if not self._waiting:
            return
        steps = self.journal.steps
        rows = len(self.journal.changes)
        changes, changed = self._standing.looks.take()
        counts = [each for count, size in zip(changed, self._sizes, strict=True) for each in (count, *[0] * (size - 1))]
        best = self._sums.write(changes, counts, self._rules)
        codes = list(zip(*(code for code, _, _ in self._waiting), strict=True))
        totals = []
        for count in counts:
            rows += count
            totals.append(rows)
        steps.extend(
            rows=totals,
            best=best,
            clock=[clock for _, clock, _ in self._waiting],
            look=[look for _, _, look in self._waiting],
            **dict(zip(Code._fields, codes, strict=True)),
        )
        self._waiting, self._sizes = [], []
