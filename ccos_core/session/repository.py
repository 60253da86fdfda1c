"""A project's sources beside a session that was recorded elsewhere: the tree that lies in a folder, or a commit's.

They complete the graph where the session saw only parts. They go in ahead of the session, as looked at and not as read
by the agent; and of a path the session itself speaks of, what it says stays.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Unavailable, Usage
from ccos_core.session.admit import admit, recorded_path
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.known import TELLING
from ccos_core.session.scan import MAX_BYTES, SNIFFED, Found, Listed, never_opened, read, walk
from ccos_core.text.withheld import withheld
from ccos_core.values.paths import NOWHERE

if TYPE_CHECKING:
    from ccos_core.session.admit import Admitted
    from ccos_core.session.session import Session

BATCH_FILES, BATCH_BYTES = 200, 4 * 2**20


class Repository:
    """Where a project's sources are at hand, and what was taken of them."""

    def __init__(self, folder: str, revision: str = "") -> None:
        self.folder = folder
        self.revision = revision
        """A commit, as git understands it; without one, what lies in the folder."""
        self.commit = ""
        """Its hash, once it was read."""
        self.paths: dict[str, None] = {}
        """The files there are, as the record spells them."""
        self.put = 0
        """How many of them the record didn't have."""

    def look(self) -> None:
        """Whether what is meant is there. Asked before anything is made."""
        if not os.path.isdir(self.folder):
            there = os.path.lexists(self.folder)
            raise NotFound("isn't a folder" if there else "there is no such folder", place=self.folder)
        if self.revision:
            self.commit = commit_of(self.folder, self.revision)

    def put_before(self, session: Session, at: int | None) -> None:
        """Record the sources that aren't recorded yet, as of a moment."""
        self.look()
        spoken, before = _spoken_of(session), session.added
        ignored = CcosIgnore(os.path.abspath(self.folder))
        batch: list[Admitted] = []
        size = 0
        for found in _committed(self.folder, self.revision) if self.revision else _lying(self.folder):
            path = recorded_path(_exactly(found.path))
            self.paths[path] = None
            if path in spoken:
                continue
            told = {"kind": "seen", "how": "ingest", "actor": "user", "path": _exactly(found.path), "at": at}
            batch.append(admit({**told, "content": found.data}, NOWHERE, ignored))
            size += len(found.data or b"")
            if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
                session.append(batch)
                batch, size = [], 0
        session.append(batch)
        self.put = session.added - before


def _lying(folder: str) -> Iterator[Found]:
    for item in walk(folder):
        if isinstance(item, Listed) and isinstance(found := read(folder, item), Found):
            yield found


def _committed(folder: str, revision: str) -> Iterator[Found]:
    batch: list[tuple[str, str]] = []
    size = 0
    for path, blob, length in _listed(folder, revision):
        batch.append((path, blob))
        size += length
        if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
            yield from _contents(folder, batch)
            batch, size = [], 0
    yield from _contents(folder, batch)


def _listed(folder: str, revision: str) -> Iterator[tuple[str, str, int]]:
    """(path, blob, size) of what a commit has below a folder and is worth opening."""
    entries = _git(folder, "ls-tree", "-r", "-z", "-l", revision).decode("utf-8", "surrogateescape").split("\0")
    for entry in sorted(filter(None, entries), key=lambda each: os.fsencode(each.partition("\t")[2])):
        head, _, path = entry.partition("\t")
        mode, kind, blob, size = head.split()
        plain = kind == "blob" and mode.startswith("100") and path.isprintable()
        if plain and int(size) <= MAX_BYTES and not never_opened(path):
            yield path, blob, int(size)


def commit_of(folder: str, revision: str) -> str:
    """Return the hash of the commit that a revision means in a repository."""
    if revision.startswith("-"):
        raise Usage("isn't a commit", place=revision)
    try:
        _git(folder, "rev-parse", "--git-dir")
    except NotFound:
        hint = "Leave out --rev to use the current files."
        raise NotFound("isn't a git repository, so it has no commits", place=folder, hint=hint) from None
    try:
        return _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except NotFound:
        hint = f"List commits: git -C {shlex.quote(folder)} log --oneline"
        raise NotFound(f"has no commit {revision}", place=folder, hint=hint) from None


def line_commit(folder: str, name: str, line: int) -> tuple[str, str]:
    """Return (hash, subject) of the commit from which a file has a line; empty where it is in none."""
    try:
        told = _git(folder, "blame", "--porcelain", "-L", f"{line},{line}", "--", name).decode("utf-8", "replace")
    except (NotFound, Unavailable):
        return "", ""
    sha = told.partition(" ")[0]
    subject = next((each.partition(" ")[2] for each in told.split("\n") if each.startswith("summary ")), "")
    return ("", "") if not sha.strip("0") else (sha, subject)


def _contents(folder: str, batch: list[tuple[str, str]]) -> Iterator[Found]:
    wanted = [blob for path, blob in batch if not withheld(path)]
    told = _git(folder, "cat-file", "--batch", given="\n".join(wanted).encode() + b"\n") if wanted else b""
    at = 0
    for path, _ in batch:
        if withheld(path):
            yield Found(path, None)
            continue
        end = told.index(b"\n", at)
        length = int(told[at:end].split()[2])
        data = told[end + 1 : end + 1 + length]
        at = end + 1 + length + 1
        if b"\0" not in data[:SNIFFED]:
            yield Found(path, data)


def _git(folder: str, *words: str, given: bytes = b"") -> bytes:
    program = shutil.which("git")
    if program is None:
        raise Unavailable(
            "git isn't installed, so no commit can be read", place=folder, hint="Leave out --rev, or install git."
        )
    done = subprocess.run(  # noqa: S603  (no shell, and none of the words is an option)
        [program, "-C", folder, *words], input=given, capture_output=True, check=False
    )
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NotFound(f"git has no such tree: {said}", place=folder)
    return done.stdout


def _spoken_of(session: Session) -> set[str]:
    """Paths of which the record says something already."""
    spoken: set[str] = set()
    for _, _, body in session.recorded.rows():
        if any(mark in body for mark in TELLING):
            op = json.loads(body)
            spoken.update(op[name] for name in ("path", "to") if name in op)
    return spoken


def _exactly(path: str) -> str:
    """A path that is the file system's own word, so that no backslash in it is taken for a slash."""
    return "./" + path
