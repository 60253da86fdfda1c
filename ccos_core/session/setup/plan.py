"""What setup would change, file by file: seen as a diff before anything happens, then done, or undone.

Two steps with a person in between: `wiring` and `unwiring` only look; `perform` writes one change. A file that can't
be edited is no error of the others': it comes back with its reason. Instead of editing settings, a folder can be
written that Claude Code installs as a plugin and that is its own marketplace.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ccos_core._version import __version__
from ccos_core.errors import CcosError, Refused
from ccos_core.session.setup import hosts, writing
from ccos_core.session.setup.editing import (
    around_ours,
    containers,
    has_guard,
    has_ours,
    says_nothing,
    with_ours,
    without_ours,
)
from ccos_core.session.setup.hosts import SERVER, Program, Target
from ccos_core.session.setup.writing import Entry, hash_of


@dataclass(frozen=True, slots=True)
class Change:
    """One file, as it is and as it will be."""

    target: Target
    before: bytes | None
    after: bytes | None
    """None where the file is to go."""
    entry: Entry | None
    """What is remembered of it."""
    note: str = ""
    """What a person should know about it besides."""
    undoing: bool = False

    def diff(self) -> str:
        """The change as a unified diff."""
        return "".join(_diff(self.target.path, self.before, self.after))


@dataclass(frozen=True, slots=True)
class Refusal:
    """One file that stays as it is, and why."""

    target: Target
    error: CcosError


CONTEXT = 3
"""Lines of a diff around what changes."""
HUNK = re.compile(r"^@@ -([0-9,]+) \+([0-9,]+) @@")

Plan = tuple[list[Change], list[Refusal]]


def guarding(target: Target, program: Program, guard: bool | None = None) -> Target:
    """Return a target with the guard or without it; by default with it if it is there already."""
    if guard is None:
        data = writing.read(target.path)
        guard = data is not None and has_guard(data, target)
    return hosts.with_guard(target, program) if guard else target


def wiring(targets: Iterable[Target], project: str) -> Plan:
    """What has to change so that each target has what it wants."""
    remembered = {entry.path: entry for entry in writing.entries()}
    return _planned((target, partial(_wired, target, remembered.get(target.path), project)) for target in targets)


def unwiring(targets: Iterable[Target], wanted: Sequence[Entry]) -> Plan:
    """What has to change so that nothing of ours is left in what is remembered, and in these targets.

    What was written last goes first: folders are empty then when their turn comes."""
    known = {entry.path for entry in wanted}
    waiting = [(entry.target(), entry) for entry in wanted]
    targets = {target.path: target for target in targets}.values()  # a user's home may be a project too
    every = [*reversed(waiting), *((target, None) for target in targets if target.path not in known)]
    return _planned((target, partial(_unwired, target, entry)) for target, entry in every)


def _planned(asked: Iterable[tuple[Target, Callable[[], Change | None]]]) -> Plan:
    """Return the changes that are needed, and what was refused for which target."""
    changes: list[Change] = []
    refused: list[Refusal] = []
    for target, change_of in asked:
        try:
            change = change_of()
        except CcosError as error:
            refused.append(Refusal(target, error))
        else:
            changes += [change] if change is not None else []
    return changes, refused


def perform(change: Change, project: str) -> str:
    """Write one change; gives where a copy of what was there before is."""
    return _undo(change) if change.undoing else _do(change, project)


def settle(entries: Iterable[Entry]) -> None:
    """Forget what is remembered of files in which nothing of ours is left."""
    for entry in entries:
        writing.drop_backup(entry.backup)
        writing.forget(entry)


def _wired(target: Target, entry: Entry | None, project: str) -> Change | None:
    before = writing.read(target.path)
    if target.form == "whole" and before is not None and (entry is None or entry.after != hash_of(before)):
        if before == with_ours(before, target):
            return None
        if entry is not None or not has_ours(before, target):
            raise Refused("exists already and wasn't written by setup", hint="Choose an empty folder.")
    after = with_ours(before, target)
    return None if after == before else Change(target, before, after, entry)


def _unwired(target: Target, entry: Entry | None) -> Change | None:
    before = writing.read(target.path)
    if before is None or (entry is None and not has_ours(before, target)):
        return None
    if entry is None and target.form == "whole":
        return Change(target, before, None, None, undoing=True)
    if entry is None:
        left = without_ours(before, target, around_ours(before, target))
        return Change(target, before, left, None, undoing=True)
    if entry.exact and hash_of(before) == entry.before:
        return None
    as_it_was, whole = _as_it_was(entry)
    if whole and entry.exact and hash_of(before) == entry.after:
        return Change(target, before, as_it_was, entry, undoing=True)
    if target.form == "whole":
        if not entry.exact and hash_of(before) in (entry.before, entry.after):
            return Change(target, before, None, entry, undoing=True)  # what was there before was ours too
        raise Refused("was changed since, so it is left in place", hint="Remove it by hand.")
    if not has_ours(before, target):
        return None
    left = without_ours(before, target, entry.made)
    after = None if not entry.before and says_nothing(left, target) else left
    return Change(
        target, before, after, entry, "was changed since: only the entries of setup are removed", undoing=True
    )


def _as_it_was(entry: Entry) -> tuple[bytes | None, bool]:
    """What the file held, and whether that is known to the byte."""
    if not entry.before:
        return None, True
    data = writing.read(entry.backup)
    return data, hash_of(data) == entry.before


def _do(change: Change, project: str) -> str:
    target, known = change.target, change.entry
    assert change.after is not None
    again = known is not None and known.after == hash_of(change.before)
    entry = _again(known, change) if again and known is not None else _entry(change, project)
    try:
        writing.remember(replace(entry, after=hash_of(change.after)))
        writing.replace_file(target.path, change.before, change.after, private=target.scope == "user")
    except CcosError:
        if not again:
            _take_back(entry, known)
        raise
    if not again and known is not None:
        writing.drop_backup(known.backup)
    return entry.backup


def _again(known: Entry, change: Change) -> Entry:
    """What is remembered of a file that only we have changed: what it was stays, what it has of ours may be more."""
    made = dict.fromkeys((*known.made, *containers(change.before, change.target)))
    return replace(known, form=change.target.form, keys=change.target.keys, made=tuple(made))


def _take_back(entry: Entry, known: Entry | None) -> None:
    """As it was, where a file then couldn't be written."""
    writing.drop_backup(entry.backup)
    writing.tidy(entry.folders)
    with contextlib.suppress(CcosError):
        writing.forget(entry) if known is None else writing.remember(known)


def _entry(change: Change, project: str) -> Entry:
    """What is remembered of a file that is changed for the first time, or that others have changed since.

    What it was isn't to come back where setup had been there already, even if nothing is remembered of that."""
    target, known = change.target, change.entry
    made = containers(change.before, target)
    ours_stays = False
    if change.before is not None and known is not None:
        ours_stays = has_ours(change.before, target)
    elif change.before is not None and _was_wired(change.before, target):
        ours_stays = True
        made += around_ours(change.before, target)
    missing = writing.folders_missing(target.path)
    return Entry(
        path=target.path,
        host=target.host,
        scope=target.scope,
        project=project if target.scope == "project" else "",
        form=target.form,
        keys=target.keys,
        before=hash_of(change.before),
        after="",
        backup="" if change.before is None else writing.keep(target.path, change.before),
        made=tuple(dict.fromkeys((*(known.made if known else ()), *made))),
        folders=tuple(dict.fromkeys((*(known.folders if known else ()), *missing))),
        exact=not ours_stays,
    )


def _was_wired(data: bytes, target: Target) -> bool:
    """Whether setup has been here, as far as the file tells: a server alone may have been put in by hand."""
    if target.form == "both":
        target = replace(target, form="hooks")
    return target.form in ("whole", "hooks") and has_ours(data, target)


def _undo(change: Change) -> str:
    target, entry = change.target, change.entry
    assert change.before is not None
    backup = entry.backup if entry is not None else writing.keep(target.path, change.before)
    if change.after is None:
        writing.remove(target.path, change.before, entry.folders if entry is not None else ())
    else:
        writing.replace_file(target.path, change.before, change.after)
    if entry is not None:
        if not change.note:
            writing.drop_backup(backup)
            backup = ""
        writing.forget(entry)
    return backup


def _diff(path: str, before: bytes | None, after: bytes | None) -> Iterable[str]:
    """Only what lies between the first and the last line that differ is compared: some files are very long."""
    old, new = ((side or b"").decode("utf-8", "replace").splitlines(keepends=True) for side in (before, after))
    there, then = (path if side is not None else "/dev/null" for side in (before, after))
    first = max(0, _alike(old, new) - CONTEXT)
    last = max(0, _alike(old[first:][::-1], new[first:][::-1]) - CONTEXT)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    for line in difflib.unified_diff(old, new, there, then, n=CONTEXT):
        line = HUNK.sub(lambda hunk: f"@@ -{_moved(hunk[1], first)} +{_moved(hunk[2], first)} @@", line)
        yield line if line.endswith("\n") else line + "\n\\ No newline at the end of the file\n"


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines two begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _moved(span: str, by: int) -> str:
    start, comma, length = span.partition(",")
    return f"{int(start) + by}{comma}{length}"


NAME = "ccos-tui"
ABOUT = "The flight recorder for an agent's working memory: records every tool call, and serves the window it needs."
OWNER = {"name": NAME}


def plugin_targets(folder: str, program: Program) -> list[Target]:
    """The files of the folder."""
    plugin = {"name": NAME, "version": __version__, "description": ABOUT, "author": OWNER}
    listed = {"name": NAME, "source": "./", "description": ABOUT}
    files = {
        ".claude-plugin/plugin.json": plugin,
        ".claude-plugin/marketplace.json": {"name": NAME, "owner": OWNER, "plugins": [listed]},
        "hooks/hooks.json": {"description": "Records what the agent does.", "hooks": hosts.claude_hooks(program)},
        ".mcp.json": {"mcpServers": {SERVER: hosts.as_command(program)}},
    }
    return [
        Target(
            "claude-code",
            "user",
            os.path.join(folder, *name.split("/")),
            "whole",
            (),
            json.dumps(said, indent=2) + "\n",
        )
        for name, said in files.items()
    ]


def installing(folder: str) -> list[str]:
    """The commands that make Claude Code take it in."""
    return [f"claude plugin marketplace add {folder}", f"claude plugin install {NAME}@{NAME}"]
