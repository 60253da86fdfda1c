"""Find the sessions and steps that made a commit, over all sessions of a project or in the workspaces that are named.

Of the transcripts of a project only those are imported in whose bytes the hash stands; a project can have hundreds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.intake.git_deeds import MAKING, SHORTEST_HASH
from ccos_core.present.rows import Row, Span, View, clean, heading, note, title
from ccos_core.present.words import count
from ccos_core.query.commits import Commit, commit_rows, commits
from ccos_core.session.journaling import timeline_of
from ccos_core.session.listing import listed
from ccos_core.session.named import find_record
from ccos_core.session.places import beside, once_beside
from ccos_core.session.repository import commit_of
from ccos_core.storage.locate import own_workspace, project_root
from ccos_core.storage.opening import open_record

COMPARED_DIGITS = 7
"""Digits of a hash that git prints at least, so that a transcript with the commit holds them."""
BLOCK_BYTES = 1 << 20
_HASH = re.compile(r"[0-9a-fA-F]{4,64}")
Heard = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A step of a session that made the commit, or pushed it."""

    workspace: str
    """The workspace, by its path."""

    source: str
    """The transcript it was imported from; the workspace where it was named."""

    commit: Commit


@dataclass(frozen=True, slots=True)
class BlamedCommit:
    """The sessions that a commit comes from."""

    schema: ClassVar[str] = "ccos.blame-commit/1"
    sha: str
    """The hash that was searched for."""

    sessions: int
    """Sessions that were looked through."""

    made: tuple[Made, ...]
    """Steps that made it: commits, amendments, merges."""

    pushed: tuple[Made, ...]
    """Steps that pushed it."""

    skipped: tuple[str, ...]
    """Sessions that couldn't be read, each with the reason."""

    def as_rows(self, view: View) -> Sequence[Row]:
        looked = f"{count(self.sessions, 'session')} searched"
        if not self.made and not self.pushed:
            rows = [title(f"no session made commit {clean(self.sha)}"), note(f"  {looked}")]
        else:
            of = count(len({each.workspace for each in self.made}), "session")
            rows = [title(f"commit {clean(self.sha)} was made in {of}", Span(f", {looked}", "quiet"))]
        for each in (*self.made, *self.pushed):
            rows += [Row(), heading(clean(each.source)), *commit_rows(each.commit, view, with_steps=True)]
            rows.append(note(f"      ccos-tui show {clean(each.workspace)}@{each.commit.step}"))
        return [*rows, *(note(f"  not read: {clean(each)}") for each in self.skipped)]


def blame_commit(said: str, named: Sequence[str], folder: str, heard: Heard = lambda done, total: None) -> BlamedCommit:
    """Search the workspaces or transcripts that are named, else all sessions of the project that `folder` is in."""
    sha = _hash_of(said, folder)
    every = list(named) or sources_of(folder, "ccos-tui blame-commit SHA WORKSPACE...")
    sources = every if named else [each for each in every if is_worth_reading(each, sha[:COMPARED_DIGITS].encode())]
    made: list[Made] = []
    skipped: list[str] = []
    for done, source in enumerate(sources):
        heard(done, len(sources))
        try:
            made += _in_session(source, sha)
        except CcosError as error:
            if named:
                raise
            skipped.append(f"{source}: {error.fact}")
    order = sorted(made, key=lambda each: (each.commit.at or 0, each.workspace, each.commit.step))
    return BlamedCommit(
        sha=sha,
        sessions=len(every),
        made=tuple(each for each in order if each.commit.kind in MAKING),
        pushed=tuple(each for each in order if each.commit.kind not in MAKING),
        skipped=tuple(skipped),
    )


def _hash_of(said: str, folder: str) -> str:
    """The hash that is meant; a revision such as `HEAD~1` is asked of git."""
    if _HASH.fullmatch(said):
        return said.lower()
    try:
        return commit_of(folder, said)
    except CcosError:
        hint = f"Give {SHORTEST_HASH} to 64 hex digits, or a revision of the repository in this folder."
        raise Usage("isn't a commit", place=said[:60], hint=hint) from None


def _in_session(source: str, sha: str) -> Iterator[Made]:
    with open_record(find_record(source)) as record:
        timeline = timeline_of(record)
        answer = commits(timeline, timeline.head, sha=sha, progress=lambda done, total: None)
        yield from [Made(record.path, source, each) for each in answer.commits]


def sources_of(folder: str, usage: str) -> list[str]:
    """Return the workspace of a project, and the transcripts of all sessions that began in it."""
    root = project_root(folder)
    below = os.path.join(os.path.realpath(root), "")
    own = own_workspace(root)
    found = [
        each.path for each in listed().sessions if os.path.join(os.path.realpath(each.project), "").startswith(below)
    ]
    if not own and not found:
        raise NotFound(
            "this project has no session on this machine",
            place=root,
            hint=f"Name workspaces or transcripts: {usage}",
        )
    return [*([own] if own else []), *found]


def is_worth_reading(path: str, wanted: bytes) -> bool:
    """Whether these bytes stand in a transcript, or in that of one of its subagents."""
    if _may_hold(path, wanted):
        return True
    name = os.path.splitext(os.path.basename(path))[0].encode()  # by which those of older versions name their session
    return any(_may_hold(each, wanted) for each in beside(path)) or any(
        _may_hold(each, wanted) and _may_hold(each, name) for each in once_beside(path)
    )


def _may_hold(path: str, wanted: bytes) -> bool:
    """Whether these bytes stand anywhere in a transcript; of what is no text it isn't known."""
    if not path.endswith((".jsonl", ".json")):
        return True
    try:
        with open(path, "rb") as file:
            before = b""
            while block := file.read(BLOCK_BYTES):
                if wanted in before + block:
                    return True
                before = block[-len(wanted) :]
    except OSError:
        return False
    return False
