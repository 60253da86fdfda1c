"""A node through all of a session: which name it had at which steps, since a renamed source is the same one.

What a look at a tree renames has its new name for all of that look, for nobody saw what came first in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.renames import Name, all_renames, respelled

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline


def life(timeline: Timeline, node: str, step: int) -> list[Name]:
    """The names of the node that somebody at a step calls so, from step 0 to the head, its first name first. Where
    nothing has that name then, the one is meant that had it last, or else will have it first."""
    journal = timeline.journal
    known = all_renames(timeline)
    since = _there(journal, node, step)
    earlier, before, last = [], node, since
    for rename in reversed([each for each in known if each.moment <= since]):
        if (was := respelled(before, rename.to, rename.path)) != before:
            earlier.append(Name(before, rename.moment, last))
            before, last = was, rename.moment - 1
    found = [Name(before, 0, last), *reversed(earlier)]
    for rename in known:
        if rename.moment > since and (now := respelled(found[-1].node, rename.path, rename.to)) != found[-1].node:
            found.append(Name(now, rename.moment, rename.moment))
    ends = [after.first - 1 for _, after in pairwise(found)]
    named = [Name(name.node, name.first, end) for name, end in zip(found, [*ends, journal.head], strict=True)]
    return [name for name in named if name.first <= name.last]


def name_at(names: Sequence[Name], step: int) -> str:
    """What it was called at a step."""
    return next(name.node for name in names if name.first <= step <= name.last)


def _there(journal: Journal, node: str, step: int) -> int:
    """The step at which a name means what somebody at `step` means by it: the last at which something had it."""
    rows = np.nonzero(journal.there["node"] == journal.id(node))[0]
    steps, flags = (journal.there[name][rows].tolist() for name in ("step", "there"))
    last = journal.last_moment(step)
    came = [at for at, there in zip(steps, flags, strict=True) if there]
    left = [at - 1 for at, there in zip(steps, flags, strict=True) if not there and at <= last]
    if not came or came[0] > last:
        return came[0] if came else last
    return last if sum(at <= last for at in came) > len(left) else left[-1]
