"""Who read and changed which file, and when a host shortened what it held: from the journal's columns, for all steps.

A file has a number, that of its name as it is called last, so that renames part no history. What a step was in detail
is asked of its op, and only for the few steps that matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.intake.failures.files import Files as Paths
from ccos_core.intake.failures.paths import is_test
from ccos_core.intake.tools import command_of
from ccos_core.query.falls import Fall, falls
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.renames import renames
from ccos_core.replay.sources import Version
from ccos_core.state.rules import CAUSES
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.outcome import Pass
    from ccos_core.window.source import Source

KEPT = 10_000
"""Ops that are cached."""
EDIT = CAUSES.index("edit")
MOST_SYMBOLS = 3
"""Symbols listed for one change."""


class Deed(NamedTuple):
    """A file was read or changed."""

    step: int
    file: int
    context: int


class Change(NamedTuple):
    """A file became another text."""

    step: int
    context: int
    """The context that edited it; -1 if it was only seen to differ."""
    row: int
    """The row of the journal's versions."""


class Deeds:
    """Everything that was done to files up to a step."""

    def __init__(self, timeline: Timeline, upto: int) -> None:
        self.timeline = timeline
        self.journal = timeline.journal
        self.upto = upto
        self.files = Files(timeline, upto)
        steps = self.journal.steps
        self._kind, self._how = steps["kind"][:upto], steps["how"][:upto]
        self._op = lru_cache(maxsize=KEPT)(timeline.op)
        self._altered: dict[int, bool] = {}
        self.passes: dict[int, tuple[Pass, ...]] = {}
        """Step → what a run reported as passing; a cache."""
        self.commands: dict[int, tuple[tuple[str, tuple[str, ...], str], ...]] = {}
        """Step → the command a call ran; a cache."""

    @cached_property
    def reads(self) -> list[Deed]:
        """The reads: files shown to an agent, in order."""
        return self._deeds(self._how == HOW_CODES["read"])

    @cached_property
    def edits(self) -> list[Deed]:
        """The edits: files that an agent changed or wrote, in order."""
        return self._deeds((self._how == HOW_CODES["edit"]) | (self._how == HOW_CODES["write"]))

    @cached_property
    def every_path(self) -> Paths:
        """All files ever recorded, searchable by how an output spells their paths."""
        numbers = np.unique(self.journal.versions["path"])
        return Paths(path_of(self.journal.name(int(number))) or "" for number in numbers)

    @cached_property
    def turns(self) -> int:
        """The number of turns of agents."""
        return int(np.count_nonzero(self._kind == KIND_CODES["turn"]))

    @cached_property
    def edit_steps(self) -> list[int]:
        """The steps of all edits."""
        return [deed.step for deed in self.edits]

    def reads_in(self, after: int, upto: int) -> list[Deed]:
        """Return the reads after one step and up to another."""
        return self.reads[bisect_left(self.reads, (after + 1,)) : bisect_left(self.reads, (upto + 1,))]

    def edits_in(self, after: int, upto: int) -> list[Deed]:
        """Return the edits of agents after one step and up to another. Edits of the user don't count."""
        begin, end = bisect_right(self.edit_steps, after), bisect_right(self.edit_steps, upto)
        return [deed for deed in self.edits[begin:end] if not self.by_user(deed.step)]

    def is_edit(self, step: int) -> bool:
        """Return whether the op of a step is an edit or a write."""
        return int(self._how[step - 1]) in (HOW_CODES["edit"], HOW_CODES["write"])

    def by_user(self, step: int) -> bool:
        """Return whether the user did it."""
        return self.op(step).get("actor") == "user"

    @cached_property
    def cuts(self) -> dict[int, list[tuple[int, bool]]]:
        """Context → (step, whether it is recorded as a cut) of each time it was shortened."""
        found: dict[int, list[tuple[int, bool]]] = {}
        for kind in ("compaction", "cleared"):
            steps = np.nonzero(self._kind == KIND_CODES[kind])[0]
            for at, context in zip(steps.tolist(), self.journal.steps["context"][steps].tolist(), strict=True):
                found.setdefault(context, []).append((at + 1, True))
        for fall in self.falls:
            found.setdefault(fall.context, []).append((fall.step, False))
        return {context: sorted(cuts) for context, cuts in sorted(found.items())}

    @cached_property
    def falls(self) -> list[Fall]:
        """The steps at which a recorded context is smaller than before and no cut explains it."""
        return falls(self.journal, self.upto)

    @cached_property
    def changes(self) -> dict[int, list[Change]]:
        """File → each version that may be another text than the one before, in order."""
        versions = self.journal.versions
        upto = versions.upto(self.upto)
        steps = versions["step"][:upto]
        files = self.files.settled(steps, versions["path"][:upto]).tolist()
        whys, gone = versions["why"][:upto].tolist(), self.journal.id("gone")
        doubted = self.journal.id("uncertain")
        doubts: dict[int, int] = {}
        moved = self.files.moves
        last: dict[int, tuple[int, bytes]] = {}
        found: dict[int, list[Change]] = {}
        for row, (step, file, why) in enumerate(zip(steps.tolist(), files, whys, strict=True)):
            if why == gone and step in moved:
                continue  # it went on under another name
            content = b"" if why == gone else bytes(versions["content"][row])
            before = last.get(file)
            last[file] = row, content
            if before is not None and before[1] != content:  # seen to be another: what may have changed it has
                by = step if self.is_edit(step) else doubts.get(file, step)
                found.setdefault(file, []).append(Change(by, self._changer(by), row))
                self._before[row] = before[0]
            if why != doubted:
                doubts.pop(file, None)
            elif self.is_edit(step):
                doubts.setdefault(file, step)
        return found

    def altered(self, change: Change) -> bool:
        """Return whether the text surely changed: seeing more of a file is no change."""
        if change.context >= 0:
            return True
        if change.row not in self._altered:
            self._altered[change.row] = self._differs(self._before[change.row], change.row)
        return self._altered[change.row]

    def is_certain(self, file: int, step: int) -> bool:
        """Whether an edit surely changed a file: a command that may have done so counts once the file was seen to be
        another one."""
        if self.op(step).get("withheld") != "uncertain":
            return True
        return any(change.step == step for change in self.changes.get(file, ()))

    def is_whole(self, change: Change) -> bool:
        """Return whether the whole text after a change is known."""
        source = self._source(change.row)
        return source is not None and not source.unknown

    def row_before(self, change: Change) -> int:
        """Return the row of the version that a change took the place of."""
        return self._before[change.row]

    def changes_in(self, file: int, after: int, upto: int) -> list[Change]:
        """Return the changes of a file after one step and up to another."""
        changes = self.changes.get(file, [])
        begin = bisect_left(changes, (after + 1,))
        end = bisect_left(changes, (upto + 1,))
        return [change for change in changes[begin:end] if self.altered(change)]

    def changed_in(self, after: int, upto: int) -> list[int]:
        """Return the files that may have changed after one step and up to another, in the order of their changes."""
        changed = self._changed
        found = changed[bisect_left(changed, (after + 1,)) : bisect_left(changed, (upto + 1,))]
        return list(dict.fromkeys(file for _, file in found))

    def edited(self, file: int, step: int) -> tuple[str, ...]:
        """Return the first symbols of a file that a change gave heat."""
        begin, end = self.journal.rows(step - 1), self.journal.rows(step)
        nodes, causes = (self.journal.changes[name][begin:end].tolist() for name in ("node", "cause"))
        edited = [node for node, cause in zip(nodes, causes, strict=True) if cause == EDIT]
        names = [self.journal.name(node) for node in edited if self.files.file_of(node, step) == file]
        return tuple([name for name in names if name.startswith("sym:")][:MOST_SYMBOLS])

    def is_test(self, file: int) -> bool:
        """Return whether a file is a test."""
        return is_test(self.files.path(file))

    def first_seen(self, file: int) -> int:
        """Return the first step at which anything of a file was known; 0 if none."""
        rows = self._rows_of.get(file, [])
        return int(self.journal.versions["step"][rows[0]]) if rows else 0

    def context(self, step: int) -> int:
        """Return the context of a step."""
        return int(self.journal.steps["context"][step - 1])

    def op(self, step: int) -> Plain:
        """Return the op of a step; cached."""
        return self._op(step)

    def command(self, step: int) -> str:
        """Return the command line of the call at a step; empty if there is none or it was erased."""
        op = self.op(step)
        if op["kind"] != "tool" or "arguments" not in op:
            return ""
        try:
            return command_of(self.timeline.content(op["arguments"]["blob"]).decode("utf-8", "replace"))
        except CcosError:
            return ""

    def content(self, file: int, step: int) -> bytes:
        """Return the hash of a file's text at a step; empty if the file isn't there or isn't known."""
        versions = self.journal.versions
        rows = self._rows_of.get(file, [])
        at = bisect_right(rows, step, key=lambda row: int(versions["step"][row]))
        return bytes(versions["content"][rows[at - 1]]) if at else b""

    # -- helpers --------------------------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> Numbers:
        """Of each step from 0 on, how many steps up to it are no thoughts."""
        return np.concatenate(([0], np.cumsum(self._kind != KIND_CODES["thought"])))

    @cached_property
    def _changed(self) -> list[tuple[int, ...]]:
        return sorted((change.step, file) for file, changes in self.changes.items() for change in changes)

    @cached_property
    def _before(self) -> dict[int, int]:
        return {}

    @cached_property
    def _rows_of(self) -> dict[int, list[int]]:
        versions = self.journal.versions
        upto = versions.upto(self.upto)
        files = self.files.settled(versions["step"][:upto], versions["path"][:upto]).tolist()
        found: dict[int, list[int]] = {}
        for row, file in enumerate(files):
            found.setdefault(file, []).append(row)
        return found

    def _deeds(self, meant: Numbers) -> list[Deed]:
        at = np.nonzero(meant)[0]
        steps = self.journal.steps
        files = self.files.settled(at + 1, steps["name"][at])
        return list(map(Deed, (at + 1).tolist(), files.tolist(), steps["context"][at].tolist()))

    def distance(self, step: int, later: int) -> int:
        """Return the distance of two steps without thoughts: hosts differ in how many of them they record."""
        return int(self._counted[later] - self._counted[step])

    def after(self, step: int, count: int) -> int:
        """Return the last step at most `distance` steps later, without thoughts."""
        return int(np.searchsorted(self._counted, self._counted[min(step, self.upto)] + count, side="right")) - 1

    def before(self, step: int, count: int) -> int:
        """Return the first step at most that many steps earlier, without thoughts; 0 if there are fewer."""
        return int(np.searchsorted(self._counted, self._counted[min(step, self.upto)] - count))

    def deleted_by(self, step: int) -> int:
        """Return the context whose call deleted a file at a step; -1 if none did."""
        op = self.op(step)
        return self.context(step) if op["kind"] == "gone" and "call" in op and not self.by_user(step) else -1

    def _changer(self, step: int) -> int:
        return self.context(step) if self.is_edit(step) else self.deleted_by(step)

    def _differs(self, before: int, after: int) -> bool:
        """Return whether two versions differ in a line that both know."""
        old, new = self._source(before), self._source(after)
        if old is None or new is None:
            return new is None  # it is gone, or came back
        if not old.unknown and not new.unknown:
            return old.text != new.text
        unknown = [*old.unknown, *new.unknown]
        lines = zip(old.text.split("\n"), new.text.split("\n"), strict=False)
        return any(
            one != other and not any(first <= number <= last for first, last in unknown)
            for number, (one, other) in enumerate(lines, 1)
        )

    def _source(self, row: int) -> Source | None:
        """Return a version as it was seen; None if nothing of it is known."""
        versions = self.journal.versions
        content = bytes(versions["content"][row])
        path = path_of(self.journal.name(int(versions["path"][row])))
        if path is None or not any(content):
            return None
        why = self.journal.name(int(versions["why"][row]))
        return self.timeline.sources.source(path, Version(row, int(versions["step"][row]), content.hex(), why))


class Files:
    """Files by number: a renamed file has the number of its last name."""

    def __init__(self, timeline: Timeline, upto: int) -> None:
        self.journal = timeline.journal
        done = renames(timeline, 0, upto)
        id_ = self.journal.id
        self.renames = [(each.step, id_(file_node(each.path)), id_(file_node(each.to))) for each in done]
        self.moves = {step: to for step, _, to in self.renames}
        self._left = dict.fromkeys(path for _, path, _ in self.renames)
        self._paths: dict[int, str] = {}
        self._of: dict[int, int] = {}

    def settled(self, steps: Numbers, files: Numbers) -> Numbers:
        """Return the numbers of the last names of files, given their names at these steps."""
        found = files.astype(np.int64)
        for step, path, to in self.renames:
            found[(found == path) & (steps < step)] = to
        return found

    def file_of(self, node: int, step: int) -> int:
        """Return the file that contained a node at a step; -1 if none did."""
        if node not in self._of:
            path = path_of(self.journal.name(node))
            self._of[node] = self.journal.id(file_node(path)) if path is not None else -1
        file = self._of[node]
        if file in self._left:
            for moved, path_, to in self.renames:
                file = to if moved > step and file == path_ else file
        return file

    def called(self, file: int, step: int) -> Iterator[tuple[int, int]]:
        """Return (number, last step with it) of each name a file had up to a step, the newest first."""
        last = step
        for moved, path, to in reversed(self.renames):
            if file == to:
                if moved <= step:
                    yield file, last
                file, last = path, min(moved - 1, step)
        yield file, last

    def path(self, file: int) -> str:
        """Return the last path of a file."""
        if file not in self._paths:
            self._paths[file] = path_of(self.journal.name(file)) or ""
        return self._paths[file]
