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
"""Ops kept at hand."""
EDIT = CAUSES.index("edit")
MOST_SYMBOLS = 3
"""Symbols that are told of a change."""


class Deed(NamedTuple):
    """A file was read or changed."""

    step: int
    file: int
    context: int


class Change(NamedTuple):
    """A file became another text."""

    step: int
    context: int
    """In which context it was edited; -1 where it only was seen to be another one."""
    row: int
    """Of the journal's versions."""


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
        """What runs say that passes, as far as it was asked for."""
        self.commands: dict[int, tuple[tuple[str, tuple[str, ...], str], ...]] = {}
        """What calls ran, likewise."""

    @cached_property
    def reads(self) -> list[Deed]:
        """Files that were shown to an agent."""
        return self._deeds(self._how == HOW_CODES["read"])

    @cached_property
    def edits(self) -> list[Deed]:
        """Files that an agent changed or wrote."""
        return self._deeds((self._how == HOW_CODES["edit"]) | (self._how == HOW_CODES["write"]))

    @cached_property
    def every_path(self) -> Paths:
        """Every file there ever was, to be found by how an output spells it."""
        numbers = np.unique(self.journal.versions["path"])
        return Paths(path_of(self.journal.name(int(number))) or "" for number in numbers)

    @cached_property
    def turns(self) -> int:
        """How often an agent said something."""
        return int(np.count_nonzero(self._kind == KIND_CODES["turn"]))

    @cached_property
    def edit_steps(self) -> list[int]:
        """The steps of all edits."""
        return [deed.step for deed in self.edits]

    def reads_in(self, after: int, upto: int) -> list[Deed]:
        """What was shown between two steps, the first one left out."""
        return self.reads[bisect_left(self.reads, (after + 1,)) : bisect_left(self.reads, (upto + 1,))]

    def edits_in(self, after: int, upto: int) -> list[Deed]:
        """Edits of an agent between two steps, the first one left out. What a user changes isn't the agent's doing."""
        begin, end = bisect_right(self.edit_steps, after), bisect_right(self.edit_steps, upto)
        return [deed for deed in self.edits[begin:end] if not self.by_user(deed.step)]

    def is_edit(self, step: int) -> bool:
        """Whether a step changed a file, as the op says it."""
        return int(self._how[step - 1]) in (HOW_CODES["edit"], HOW_CODES["write"])

    def by_user(self, step: int) -> bool:
        """Whether a user did it."""
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
        """Where a recorded context is smaller than the last time, and nothing says why."""
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
        """Whether it is known that the text became another one: seeing more of a file doesn't change it."""
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
        """Whether all of the text is known that a file became."""
        source = self._source(change.row)
        return source is not None and not source.unknown

    def changes_in(self, file: int, after: int, upto: int) -> list[Change]:
        """The changes of a file between two steps, the first one left out."""
        changes = self.changes.get(file, [])
        begin = bisect_left(changes, (after + 1,))
        end = bisect_left(changes, (upto + 1,))
        return [change for change in changes[begin:end] if self.altered(change)]

    def changed_in(self, after: int, upto: int) -> list[int]:
        """The files that may have changed between two steps, the first one left out, in the order in which they did."""
        changed = self._changed
        found = changed[bisect_left(changed, (after + 1,)) : bisect_left(changed, (upto + 1,))]
        return list(dict.fromkeys(file for _, file in found))

    def edited(self, file: int, step: int) -> tuple[str, ...]:
        """The first symbols of a file that got heat from a change of it."""
        begin, end = self.journal.rows(step - 1), self.journal.rows(step)
        nodes, causes = (self.journal.changes[name][begin:end].tolist() for name in ("node", "cause"))
        edited = [node for node, cause in zip(nodes, causes, strict=True) if cause == EDIT]
        names = [self.journal.name(node) for node in edited if self.files.file_of(node, step) == file]
        return tuple([name for name in names if name.startswith("sym:")][:MOST_SYMBOLS])

    def is_test(self, file: int) -> bool:
        """Whether a file is one of the tests."""
        return is_test(self.files.path(file))

    def first_seen(self, file: int) -> int:
        """The step at which anything was known of a file first; 0 for never."""
        rows = self._rows_of.get(file, [])
        return int(self.journal.versions["step"][rows[0]]) if rows else 0

    def context(self, step: int) -> int:
        """The context a step belongs to."""
        return int(self.journal.steps["context"][step - 1])

    def op(self, step: int) -> Plain:
        """The op of a step, kept at hand."""
        return self._op(step)

    def command(self, step: int) -> str:
        """The command line of the call at a step; nothing where there is none, or it was erased."""
        op = self.op(step)
        if op["kind"] != "tool" or "arguments" not in op:
            return ""
        try:
            return command_of(self.timeline.content(op["arguments"]["blob"]).decode("utf-8", "replace"))
        except CcosError:
            return ""

    def content(self, file: int, step: int) -> bytes:
        """The hash of what a file is at a step; empty if it isn't there, or isn't known."""
        versions = self.journal.versions
        rows = self._rows_of.get(file, [])
        at = bisect_right(rows, step, key=lambda row: int(versions["step"][row]))
        return bytes(versions["content"][rows[at - 1]]) if at else b""

    # -- helpers --------------------------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> Numbers:
        """How many steps up to each one are no thoughts, from step 0 on."""
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
        """How many steps later a step is, thoughts not counted: hosts differ in how many of them they give away."""
        return int(self._counted[later] - self._counted[step])

    def after(self, step: int, count: int) -> int:
        """The last step that is at most so many steps later, thoughts not counted."""
        return int(np.searchsorted(self._counted, self._counted[min(step, self.upto)] + count, side="right")) - 1

    def before(self, step: int, count: int) -> int:
        """The first step that is at most so many steps earlier, thoughts not counted; 0 if there are fewer."""
        return int(np.searchsorted(self._counted, self._counted[min(step, self.upto)] - count))

    def deleted_by(self, step: int) -> int:
        """The context whose call deleted a file at a step; -1 if none did."""
        op = self.op(step)
        return self.context(step) if op["kind"] == "gone" and "call" in op and not self.by_user(step) else -1

    def _changer(self, step: int) -> int:
        return self.context(step) if self.is_edit(step) else self.deleted_by(step)

    def _differs(self, before: int, after: int) -> bool:
        """Whether two versions disagree about a line both of them know."""
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
        """A version as it was seen; nothing where nothing of it is known."""
        versions = self.journal.versions
        content = bytes(versions["content"][row])
        path = path_of(self.journal.name(int(versions["path"][row])))
        if path is None or not any(content):
            return None
        why = self.journal.name(int(versions["why"][row]))
        return self.timeline.sources.source(path, Version(row, int(versions["step"][row]), content.hex(), why))


class Files:
    """Files by number, each by that of its last name."""

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
        """The numbers of files as they are called last, each as it was called at a step."""
        found = files.astype(np.int64)
        for step, path, to in self.renames:
            found[(found == path) & (steps < step)] = to
        return found

    def file_of(self, node: int, step: int) -> int:
        """The file a node was in at a step; -1 if in none."""
        if node not in self._of:
            path = path_of(self.journal.name(node))
            self._of[node] = self.journal.id(file_node(path)) if path is not None else -1
        file = self._of[node]
        if file in self._left:
            for moved, path_, to in self.renames:
                file = to if moved > step and file == path_ else file
        return file

    def called(self, file: int, step: int) -> Iterator[tuple[int, int]]:
        """The numbers a file had up to a step, the last first, each with the last step at which it had it."""
        last = step
        for moved, path, to in reversed(self.renames):
            if file == to:
                if moved <= step:
                    yield file, last
                file, last = path, min(moved - 1, step)
        yield file, last

    def path(self, file: int) -> str:
        """What a file is called last."""
        if file not in self._paths:
            self._paths[file] = path_of(self.journal.name(file)) or ""
        return self._paths[file]
