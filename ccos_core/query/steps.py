"""Steps as people say them: by number, by place, by time, by a mark's name, by the start of a hash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import NotFound, Usage
from ccos_core.replay.codes import NO_TIME
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

START, END = "start", "end"
SHORTEST_HASH = 4
"""Characters of a hash that are taken for one."""
LONGEST = 100
"""Characters of a step; a longer word is none."""

_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,18}")
_RELATIVE = re.compile(r"[+-][0-9]{1,18}")
_PERCENT = re.compile(r"([0-9]{1,3})(?:\.([0-9]))?%")
_TIME = re.compile(r"(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s)?")
_HASH = re.compile(rf"[0-9a-f]{{{SHORTEST_HASH},64}}")
HINT = "Write a step as 40, start, end, 57%, +3, -3, @12m30s, a mark's name or the start of a hash."


def step_of(said: str, timeline: Timeline, at: int, marks: Iterable[Mark] = ()) -> int:
    """Return the step that a user means who stands at `at`."""
    if len(said) > LONGEST:
        raise Usage("isn't a step", place=said[:40] + "…", hint=HINT)
    word = said.strip().removeprefix("@")
    named = {mark.name: mark.step for mark in marks if mark.name}
    places = {START: 0, END: timeline.head, **named}
    if word in places:
        return places[word]
    if found := _PERCENT.fullmatch(word):
        return _share(timeline, said, int(found[1]) * 10 + int(found[2] or 0))
    if _NUMBER.fullmatch(word):
        return _checked(timeline, int(word.replace(",", "")))
    if _RELATIVE.fullmatch(word):
        return min(max(at + int(word), 0), timeline.head)
    if word and (found := _TIME.fullmatch(word)):
        hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return _after(timeline, said, (hours * 3_600 + minutes * 60 + seconds) * 1_000)
    if _HASH.fullmatch(word):
        return _with_hash(timeline, word)
    near = get_close_matches(word, list(places), 1)
    raise NotFound("isn't a step", place=said, hint=f"Did you mean {near[0]}?" if near else HINT)


def span_of(said: str, timeline: Timeline, at: int, marks: Sequence[Mark] = ()) -> tuple[int, int]:
    """Two steps, in the order in which they were said."""
    first, mark, last = said.partition("..")
    begin = step_of(first or START, timeline, at, marks)
    return begin, step_of(last or END, timeline, at, marks) if mark else at


def is_free(name: str) -> bool:
    """Whether a step can be called so, and found again."""
    forms = (_NUMBER, _RELATIVE, _PERCENT, _TIME)
    taken = name in (START, END) or name != name.strip() or name.startswith("@") or ".." in name or len(name) >= LONGEST
    return bool(name) and not taken and not any(form.fullmatch(name) for form in forms)


def _checked(timeline: Timeline, step: int) -> int:
    if step > timeline.head:
        raise NotFound(f"there is no step {step:,}", hint=f"The last step is {timeline.head:,}.")
    return step


def _share(timeline: Timeline, said: str, thousandths: int) -> int:
    if thousandths > 1_000:
        raise NotFound("the highest percentage is 100%", place=said)
    return thousandths * timeline.head // 1_000


def _after(timeline: Timeline, said: str, millis: int) -> int:
    """The first step so long after the first op."""
    times = timeline.journal.steps["at"]
    known = np.nonzero(times != NO_TIME)[0]
    if not len(known):
        raise NotFound("no step has a recorded time", place=said)
    late = known[times[known] >= times[known[0]] + millis]
    if not len(late):
        length = int(times[known].max() - times[known[0]]) // 1_000
        raise NotFound("the session ended before", place=said, hint=f"It lasted {length // 60:,}m{length % 60}s.")
    return int(late[0]) + 1


def _with_hash(timeline: Timeline, start: str) -> int:
    found = [step for step, hash_, _ in timeline.ops.rows(1, timeline.head) if hash_.hex().startswith(start)]
    if len(found) > 1:
        steps = ", ".join(f"{step:,}" for step in found[:4])
        raise Usage(
            "several hashes begin with it", place=start, hint=f"They belong to steps {steps}{' …' * (len(found) > 4)}"
        )
    if not found and start.isdigit():
        raise NotFound("there is no such step", place=start, hint=f"The last step is {timeline.head:,}.")
    if not found:
        raise NotFound("no hash begins with it", place=start, hint=HINT)
    return found[0]
