"""A node through all of a session: what it was called at which steps, since a renamed source is the same one.

A file that takes the place of another gets the heat of both, because both were meant by that name; its history as a
source is its own. What one look at a tree renames has its new name for all of that look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.values.ids import escape, file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

END = 1 << 31
"""Behind every step."""


class Rename(NamedTuple):
    """A source got another path."""

    step: int
    path: str
    to: str
    moment: int
    """The first step of its moment, under which the journal has what it changed."""


class Name(NamedTuple):
    """What a node was called, and between which steps."""

    node: str
    first: int
    last: int


class Origin(NamedTuple):
    """A name whose heat has become that of a node: what it has been from the end of one moment on, and up to the end
    of another, in which it was given up."""

    node: str
    after: int
    upto: int


class Renames:
    """The renames of some steps, in order."""

    def __init__(self, done: Sequence[Rename]) -> None:
        self.done = done
        self._away: dict[str, list[int]] = {}
        """Path → which renames took a file away from there, ..."""
        self._here: dict[str, list[int]] = {}
        """... and which brought one there."""
        for at, rename in enumerate(done):
            self._away.setdefault(rename.path, []).append(at)
            self._here.setdefault(rename.to, []).append(at)
        self.paths = dict.fromkeys((*self._away, *self._here))
        """Every path that was taken or left."""
        self._origins = lru_cache(maxsize=None)(self._traced)

    def later(self, node: str) -> str:
        """What a node is called after them."""
        path = path_of(node)
        return respelled(node, path, self.later_path(path)) if path in self._away else node

    def later_path(self, path: str) -> str:
        """What a path is after them."""
        now = -1
        while (left := next((at for at in self._away.get(path, ()) if at > now), None)) is not None:
            path, now = self.done[left].to, left
        return path

    def earlier(self, node: str) -> str:
        """What it was called before them."""
        return self.names(node, END)[-1].node

    def names(self, node: str, step: int) -> list[Name]:
        """What a node was called up to a step, its last name first."""
        found, path, before, last = [], path_of(node) or "", len(self.done), step
        while (came := next((at for at in reversed(self._here.get(path, ())) if at < before), None)) is not None:
            rename = self.done[came]
            found.append(Name(node, rename.step, last))
            node, path, before, last = respelled(node, path, rename.path), rename.path, came, rename.step - 1
        return [*found, Name(node, 1, last)]

    def origins(self, node: str) -> list[Origin]:
        """All names whose heat has become that of a node: its own, those it had, and of files whose place it took. By
        the first steps of moments, up to and with the one in which a name was given up."""
        path = path_of(node)
        if path not in self._here and path not in self._away:
            return [Origin(node, 0, END)]
        return [Origin(respelled(node, path, each.node), each.after, each.upto) for each in self._origins(path)]

    def _traced(self, path: str) -> tuple[Origin, ...]:
        return tuple(self._trace(path, len(self.done), END))

    def _trace(self, path: str, before: int, upto: int) -> Iterator[Origin]:
        """The paths that have led to one by then."""
        left = next((at for at in reversed(self._away.get(path, ())) if at < before), -1)
        yield Origin(path, self.done[left].moment if left >= 0 else 0, upto)
        for at in reversed(self._here.get(path, ())):
            if left < at < before:
                yield from self._trace(self.done[at].path, at, self.done[at].moment)


def renames(timeline: Timeline, after: int, upto: int) -> list[Rename]:
    """All of some steps; those of sources that weren't there renamed nothing."""
    steps = timeline.journal.steps
    found = (np.nonzero(steps["kind"][after:upto] == KIND_CODES["renamed"])[0] + after + 1).tolist()
    told = [(step, timeline.op(step)) for step in found]
    return [
        Rename(step, op["path"], op["to"], int(steps["look"][step - 1]) or step)
        for step, op in told
        if op["path"] != op["to"] and _left(timeline, step, op["path"])
    ]


def all_renames(timeline: Timeline) -> list[Rename]:
    """Those of a whole session."""
    found: list[Rename] = timeline.journal.once("renames", lambda: renames(timeline, 0, timeline.head))
    return found


def names(timeline: Timeline, node: str, step: int) -> list[Name]:
    """What a node was called up to a step, its last name first."""
    return Renames(renames(timeline, 0, step)).names(node, step)


def respelled(node: str, path: str | None, to: str) -> str:
    """A node once its file has another path; others keep their names."""
    if path_of(node) != path or not node.startswith(("file:", "sym:")):
        return node
    name = node.partition("#")[2]
    return f"sym:{escape(to)}#{name}" if node.startswith("sym:") else file_node(to)


def _left(timeline: Timeline, step: int, path: str) -> bool:
    """Whether a file went away under that name at a step."""
    journal = timeline.journal
    versions = journal.versions
    begin, end = versions.upto(step - 1), versions.upto(step)
    here = versions["path"][begin:end] == journal.id(file_node(path))
    return bool(np.any(here & (versions["why"][begin:end] == journal.id("gone"))))


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
