"""What a host's own window held of a file at a step: the one place where `autopsy` asks that.

The journal has it, as the fold of the host's ops gives it. Two things are added. A file that was shown in part is held
where what matters in it was shown. And what a user changes no context is told of, though the host says it in its name.
A compaction that doesn't say what it kept took everything by inference; a fall of the recorded context leaves it open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import STATES
from ccos_core.state import holding
from ccos_core.values.ids import escape, file_node, path_of

UNSEEN, IN, STALE, OUT, UNCERTAIN = "unseen", "in", holding.STALE, holding.OUT, holding.UNCERTAIN
BLIND = (STALE, OUT, UNCERTAIN)
"""States of a file that an agent knew and doesn't know any more."""
SHOWN = ("body",)
"""Levels of a window we handed out at which a file is shown."""


class Standing(NamedTuple):
    """What a context holds of a file."""

    state: str
    shown: int
    """The step at which it was shown or changed there last; 0 for never."""
    by: int
    """The step that made it stale, out or uncertain; 0 where none did."""
    recorded: bool
    """Whether that is recorded, and not inferred."""


NEVER = Standing(UNSEEN, 0, 0, True)


class Held:
    """What every context held, at every step."""

    def __init__(self, deeds: Deeds) -> None:
        self.deeds = deeds
        self.shown: dict[tuple[int, int], list[int]] = {}
        """Context and file → the steps at which it was shown or changed there."""
        for deed in [*deeds.reads, *deeds.edits, *self._recalled()]:
            self.shown.setdefault((deed[2], deed[1]), []).append(deed[0])
        for steps in self.shown.values():
            steps.sort()
        rows = deeds.journal.held
        upto = rows.upto(deeds.upto)
        self._steps, self._contexts, items = (rows[name][:upto] for name in ("step", "context", "item"))
        self._order = np.argsort(items, kind="stable")
        every, begins = np.unique(items[self._order], return_index=True)
        self._places = dict(zip(every.tolist(), pairwise([*begins.tolist(), upto]), strict=True))
        self._rows: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def at(self, context: int, file: int, step: int, inside: Iterable[str] = ()) -> Standing:
        """What a context holds of a file after a step; of these symbols in it, where it was shown in part."""
        shown = self._last_shown(context, file, step)
        if not shown:
            return NEVER
        found = self._held(context, file, shown, step, inside)
        if found.state == IN and (change := self._unheard(context, file, shown, step)):
            before = self._held(context, file, shown, change - 1, inside)
            same = self.deeds.content(file, shown) == self.deeds.content(file, step)
            return before if before.state != IN else found if same else Standing(STALE, shown, change, True)
        return found

    def is_known(self, context: int, file: int, after: int, upto: int) -> bool:
        """Whether a context was shown a file, or changed it, between two steps."""
        steps = self.shown.get((context, file), [])
        return bisect_right(steps, after) < bisect_right(steps, upto)

    def next_shown(self, context: int, file: int, after: int, upto: int) -> int:
        """The first step between two at which a context is shown a file; 0 if there is none."""
        steps = self.shown.get((context, file), [])
        for step in steps[bisect_right(steps, after) : bisect_right(steps, upto)]:
            if not self.deeds.is_edit(step):
                return step
        return 0

    # -- helpers --------------------------------------------------------------------------------------------------

    def _held(self, context: int, file: int, shown: int, step: int, inside: Iterable[str]) -> Standing:
        found = self._standing(context, "", file, shown, step)
        return self._inside(context, file, shown, step, inside) if found.state == holding.PARTIAL else found

    def _standing(self, context: int, symbol: str, file: int, shown: int, step: int) -> Standing:
        """How the journal says a symbol of a file is held, or the file itself."""
        journal = self.deeds.journal
        names = ((self._item(number, symbol), last) for number, last in self.deeds.files.called(file, step))
        row = next((row for item, last in names if (row := self._row(context, item, last)) >= 0), -1)
        state = STATES[int(journal.held["state"][row])] if row >= 0 else UNSEEN
        by = int(self._steps[row]) if row >= 0 else 0
        if state in (holding.IN, holding.PATCHED):
            return Standing(IN, shown, 0, True)
        if state == STALE and self.deeds.deleted_by(by) == context:
            return Standing(IN, shown, 0, True)  # it deleted the file itself, and knows
        if state == STALE:
            return Standing(STALE, shown, self._changed(context, file, shown, step) or by, True)
        if state == OUT:
            return self._dropped(context, shown, by)
        return Standing(state, shown, by if state == UNCERTAIN else 0, False)

    def _inside(self, context: int, file: int, shown: int, step: int, inside: Iterable[str]) -> Standing:
        """How the best held of some symbols is, where a file was shown in part."""
        found = [self._standing(context, symbol.partition("#")[2], file, shown, step) for symbol in inside]
        found = [each._replace(state=IN) if each.state == holding.PARTIAL else each for each in found]
        best = (IN, UNCERTAIN, STALE, OUT, UNSEEN)
        return min(found, key=lambda each: best.index(each.state), default=Standing(IN, shown, 0, True))

    def _item(self, file: int, symbol: str) -> int:
        """The number of a symbol in a file, or of the file."""
        journal = self.deeds.journal
        path = path_of(journal.name(file)) or ""
        return journal.id(f"sym:{escape(path)}#{symbol}") if symbol else file

    def _dropped(self, context: int, shown: int, step: int) -> Standing:
        """It is out because the host shortened the context; else it isn't there any more, and can't be held."""
        cuts = self.deeds.cuts.get(context, [])
        at = bisect_right(cuts, (step, True)) - 1
        if at < 0 or cuts[at][0] != step:
            return NEVER
        op = self.deeds.op(step)
        return Standing(OUT, shown, step, op["kind"] == "cleared" or bool(op.get("exact")))

    def _row(self, context: int, item: int, step: int) -> int:
        """The last row of the journal that says how a context holds an item; -1 for none."""
        if (context, item) not in self._rows:
            begin, end = self._places.get(item, (0, 0))
            rows = self._order[begin:end]
            rows = rows[self._contexts[rows] == context]
            self._rows[context, item] = self._steps[rows].tolist(), rows.tolist()
        steps, mine = self._rows[context, item]
        at = bisect_right(steps, step)
        return mine[at - 1] if at else -1

    def _last_shown(self, context: int, file: int, step: int) -> int:
        steps = self.shown.get((context, file), [])
        at = bisect_right(steps, step)
        while at and self._is_foreign(steps[at - 1]):
            at -= 1
        return steps[at - 1] if at else 0

    def _is_foreign(self, step: int) -> bool:
        """Whether it is a change that a user made, which no context is told of."""
        return self.deeds.is_edit(step) and self.deeds.by_user(step)

    def _unheard(self, context: int, file: int, shown: int, step: int) -> int:
        """Where a user changed it since, in the name of this context; 0 if none did."""
        changes = self.deeds.changes_in(file, shown, step)
        users = (each.step for each in changes if each.context == context and self.deeds.by_user(each.step))
        return next(users, 0)

    def _changed(self, context: int, file: int, shown: int, step: int) -> int:
        """Return where others changed it first since; 0 if that isn't known."""
        changes = self.deeds.changes_in(file, shown, step)
        others = [each.step for each in changes if each.context != context or self.deeds.by_user(each.step)]
        return others[0] if others else 0

    def _recalled(self) -> list[tuple[int, int, int]]:
        """(step, file, context) of what we handed out ourselves."""
        journal, deeds = self.deeds.journal, self.deeds
        kinds = journal.steps["kind"][: deeds.upto]
        found: dict[tuple[int, int, int], None] = {}
        for step in (np.nonzero(kinds == KIND_CODES["recall"])[0] + 1).tolist():
            for node, level, _ in deeds.op(step)["items"]:
                path = path_of(node) if level in SHOWN else None
                number = journal.id(file_node(path)) if path is not None else -1
                if number >= 0:
                    found[step, deeds.files.file_of(number, step), deeds.context(step)] = None
        return list(found)
