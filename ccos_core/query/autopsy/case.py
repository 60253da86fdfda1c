"""One trouble with all that bears on it: what was tried, what was held meanwhile, what began it and what ended it."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from ccos_core.query.autopsy.aims import is_aimed
from ccos_core.query.autopsy.asked import Requests
from ccos_core.query.autopsy.attempts import Attempt, attempts, is_code, is_setting, last_changes
from ccos_core.query.autopsy.deeds import Change, Deed, Deeds
from ccos_core.query.autopsy.findings.calls import Calls
from ccos_core.query.autopsy.findings.prompts import Prompts
from ccos_core.query.autopsy.green import last_green
from ccos_core.query.autopsy.held import BLIND, STALE, Held, Standing
from ccos_core.query.autopsy.likeness import Likeness
from ccos_core.query.autopsy.troubles import Trouble, Upstream, names_of, troubles, uses_of

KEPT = 400
"""Upstreams that are cached."""
OTHERS = 24
"""Other failures examined, of those alive at a step."""
MOST_CHANGES = 40
"""Files changed before a trouble began that are examined, the newest."""
ON, SHOWS, ALIKE, APART = "on", "shows", "alike", "apart"
"""Where an attempt went, seen from the failure."""
RECENT = 150
"""Steps before a failure in which something must have been shown to count as known when it began."""
MOST_ATTEMPTS = 8
"""Attempts for which the window is looked at: the first ones, and the last."""


class Work:
    """A session: everything that failed, and everything that was done."""

    def __init__(self, deeds: Deeds) -> None:
        self.deeds = deeds
        self.held = Held(deeds)
        self.requests = Requests(deeds)
        self.prompts = Prompts(deeds)
        self.calls = Calls(deeds)
        self.troubles = troubles(deeds)
        self._begins = [trouble.begin for trouble in self.troubles]
        self._known: OrderedDict[Trouble, Upstream] = OrderedDict()

    def upstream(self, trouble: Trouble) -> Upstream:
        """Return the files and symbols that a trouble may come from."""
        if trouble not in self._known:
            self._known[trouble] = Upstream(self.deeds, trouble)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return self._known[trouble]

    def alive(self, step: int) -> list[Trouble]:
        """Return the troubles alive at a step, the newest first."""
        began = self.troubles[: bisect_right(self._begins, step)]
        return [each for each in reversed(began[-20 * OTHERS :]) if each.lasts(self.deeds.upto) >= step][:OTHERS]


class Before(NamedTuple):
    """A file that was changed before a trouble began."""

    file: int
    change: Change
    """The step of its last change."""


class Case:
    """One trouble, with what bears on it."""

    def __init__(self, work: Work, trouble: Trouble) -> None:
        self.work = work
        self.deeds, self.held = work.deeds, work.held
        self.trouble = trouble
        self.upstream = work.upstream(trouble)
        self._standings: dict[tuple[int, int], Standing] = {}
        self._engaged: dict[int, int] = {}
        self._aimed: dict[int, bool] = {}
        self._symbols: dict[int, tuple[str, ...]] = {}

    @cached_property
    def attempts(self) -> list[Attempt]:
        """The attempts that didn't end it."""
        return attempts(self.deeds, self.trouble, self._is_meant)

    @cached_property
    def last(self) -> dict[int, list[int]]:
        """The files whose change ended it: those it depends on, else all code; tests only if nothing else was
        changed."""
        changed = last_changes(self.deeds, self.trouble)
        ours = [file for file in changed if self.upstream.has(file)]
        if all(map(self.upstream.is_test, self.upstream.reached)):
            ours = []  # the way from the tests to what they test isn't known
        ours = ours or [file for file in changed if is_code(self.deeds, file) and not self.is_tool(file)]
        ours = [file for file in ours if not self.upstream.is_test(file)] or ours or list(changed)
        return {file: changed[file] for file in ours}

    @cached_property
    def green(self) -> int:
        """The last step before it began at which it is known to have passed; 0 if none is."""
        return last_green(self.deeds, self.trouble)

    @cached_property
    def before(self) -> list[Before]:
        """The files it depends on that were changed between then and its beginning, the last change first."""
        found = []
        for file in reversed(self.deeds.changed_in(self.green, self.trouble.begin)):
            if not self.upstream.has(file):
                continue
            if changes := self.deeds.changes_in(file, self.green, self.trouble.begin):
                found.append(Before(file, changes[-1]))
            if len(found) >= MOST_CHANGES:
                break
        return sorted(found, key=lambda each: (-each.change.step, each.file))

    @cached_property
    def watched(self) -> list[Attempt]:
        """The attempts for which the agent's window is looked at."""
        half = MOST_ATTEMPTS // 2
        every = self.attempts
        return every if len(every) <= MOST_ATTEMPTS else [*every[:half], *every[-half:]]

    def standing(self, file: int, attempt: Attempt) -> Standing:
        """Return how the agent's window held a file when an attempt began."""
        key = file, attempt.first
        if key not in self._standings:
            inside = self.symbols(file)
            self._standings[key] = self.held.at(attempt.context, file, attempt.first - 1, inside)
        return self._standings[key]

    def symbols(self, file: int) -> tuple[str, ...]:
        """Return the symbols of a file that were changed when the failure ended or before it began; else those it
        reaches."""
        if file not in self._symbols:
            steps = [self.last[file][-1]] if file in self.last and self.trouble.end else []
            steps += [each.change.step for each in self.before if each.file == file]
            edited = next(filter(None, (self.deeds.edited(file, step) for step in steps)), ())
            self._symbols[file] = edited or self.upstream.strongest(file)
        return self._symbols[file]

    def neglected(self, file: int) -> list[Attempt]:
        """Return the attempts before the first change of a file."""
        found = []
        for attempt in self.attempts:
            if file in attempt.files:
                break
            found.append(attempt)
        return found

    def blind(self, file: int) -> list[Attempt]:
        """Return the attempts among these during which the window had known the file and no longer held its current
        text."""
        watched = {attempt.first for attempt in self.watched}
        return [
            attempt
            for attempt in self.neglected(file)
            if attempt.first in watched
            and self.is_missed(file, attempt)
            and (self.way_of(attempt) != APART or 0 < self.engaged(attempt.context) < attempt.first)
        ]

    def is_missed(self, file: int, attempt: Attempt) -> bool:
        """Return whether the window had known a file by an attempt, or shortly before the failure, and didn't hold its
        current text."""
        standing = self.standing(file, attempt)
        recent = standing.by > self.trouble.begin or standing.shown >= self.deeds.before(self.trouble.begin, RECENT)
        return standing.state in BLIND and (recent or standing.state == STALE)

    def is_tried(self, file: int) -> bool:
        """Return whether a failed attempt changed the file."""
        return any(file in attempt.files for attempt in self.attempts)

    def way_of(self, attempt: Attempt) -> str:
        """Where an attempt went: `on` what the failure depends on, where it `shows`, to something `alike` that it
        doesn't depend on, or `apart`."""
        upstream = self.upstream
        ours = [file for file in attempt.files if upstream.has(file) or upstream.is_test(file)]
        if any(file not in upstream.surface for file in ours):
            return ON
        if ours:
            return SHOWS
        return ALIKE if any(self.likeness.has(file) for file in attempt.files) else APART

    def is_tool(self, file: int) -> bool:
        """Return whether a file was made during the failure and nothing uses it: a script to examine or mend it."""
        first = self.deeds.first_seen(file)
        if first <= self.trouble.begin or not self.deeds.is_edit(first) or self.upstream.has(file):
            return False
        return not is_setting(self.deeds, file) and not uses_of(self.deeds).users(file)

    def is_aimed(self, attempt: Attempt) -> bool:
        """Return whether only this failure was run after an attempt."""
        if attempt.told not in self._aimed:
            names = names_of(self.deeds, self.trouble.keys)
            self._aimed[attempt.told] = attempt.told > 0 and is_aimed(self.deeds, attempt.told, names)
        return self._aimed[attempt.told]

    def astray(self, attempts: Iterable[Attempt]) -> int:
        """Return how far these attempts were from what the failure depends on; those that were run."""
        return sum(self._strays(attempt) for attempt in attempts if attempt.told)

    @cached_property
    def likeness(self) -> Likeness:
        """Find files whose names and places resemble those of what failed."""
        return Likeness(self.deeds, self.upstream, names_of(self.deeds, self.trouble.keys))

    def engaged(self, context: int) -> int:
        """Return the first step during the failure at which a context was shown something it depends on; 0 if none."""
        if context not in self._engaged:
            upto = self.trouble.lasts(self.deeds.upto)
            files = dict.fromkeys([*self.upstream.frames, *self.upstream.strengths])
            steps = [self.held.next_shown(context, file, self.trouble.begin, upto) for file in files]
            self._engaged[context] = min(filter(None, steps), default=0)
        return self._engaged[context]

    @cached_property
    def is_test_first(self) -> bool:
        """Return whether its test was written just before it failed."""
        return any(self.upstream.is_test(each.file) for each in self.before) or self._has_new_test()

    def reread(self, file: int, blind: Sequence[Attempt]) -> int:
        """Return the step at which a file was shown again after it had been missed; 0 if it wasn't."""
        if not blind:
            return 0
        upto = self.trouble.lasts(self.deeds.upto)
        return self.held.next_shown(blind[-1].context, file, blind[-1].first, upto)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _has_new_test(self) -> bool:
        deeds = self.deeds
        for file in self.upstream.felt:
            first = deeds.first_seen(file)
            if self.upstream.is_test(file) and first > self.green and deeds.is_edit(first):
                return True
        return False

    def _strays(self, attempt: Attempt) -> int:
        """Once where it only shows; twice where it turned to what has nothing to do with it. What failed from the start
        may be no business of the agent's, and it goes on with what it was at before, unless it is this that is run
        after it."""
        way = self.way_of(attempt)
        if way in (ON, SHOWS):
            return int(way == SHOWS)
        if self.is_aimed(attempt):
            return 2
        new = not all(self._was_changed(file, attempt.context) for file in attempt.files)
        return 1 + new if way == ALIKE else new + (new and bool(self.before))

    def _was_changed(self, file: int, context: int) -> bool:
        """Return whether a context changed a file shortly before the failure began."""
        steps = self.held.shown.get((context, file), [])
        near = steps[
            bisect_right(steps, self.deeds.before(self.trouble.begin, RECENT)) : bisect_right(steps, self.trouble.begin)
        ]
        return any(self.deeds.is_edit(step) for step in near)

    def _is_meant(self, deed: Deed, told: int) -> bool:
        ours = self.upstream.has(deed.file) or is_code(self.deeds, deed.file) or is_setting(self.deeds, deed.file)
        return ours and not self.is_tool(deed.file) and not self._is_elsewhere(deed, told)

    def _is_elsewhere(self, deed: Deed, told: int) -> bool:
        """Return whether a change was for another failure: that one depends on it and this one doesn't, or it ended."""
        ours = self.upstream.has(deed.file)
        for other in self.work.alive(deed.step):
            if other is self.trouble or (ours and not deed.step < other.end <= told):
                continue
            if self.work.upstream(other).has(deed.file):
                return True
        return False
