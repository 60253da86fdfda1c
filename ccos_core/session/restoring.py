"""Write the files of a step into a folder: all of them or none, and nothing outside of it.

A record may hold any path, so each is judged first (`values.safe_paths`). Everything is written into a draft, which
then becomes the folder. Where the folder is there already, files are moved into it one by one, through handles of its
folders, so that no link in it leads elsewhere; if one can't be moved, those before it are taken back. Nothing is
replaced without `force`. Unknown lines are written empty, so that the others keep their numbers.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound, Refused, Unavailable
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import count
from ccos_core.query.files import KINDS, KnownFile, file_words, known_file, refusals
from ccos_core.query.past_file import UNKNOWN, WHOLE, PastFile, past_files

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

NAMED, SHOWN = 5, 40
"""Files named in a refusal; files of each kind that a terminal shows."""
NEW, OLD = "new", "old"
"""Parts of the draft: what is written, and what it replaces."""
FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was written, and what wasn't."""

    schema: ClassVar[str] = "ccos.restore/1"
    workspace: str
    """The workspace whose files they are."""

    at: int
    folder: str
    """Where they were written to."""

    written: tuple[KnownFile, ...]
    left_out: tuple[KnownFile, ...]
    """Files that were there and weren't written: their text isn't known, their name is refused, or only files that are
    known in full were wanted."""

    replaced: tuple[str, ...]
    """Files that stood in the folder before and were replaced."""

    dry_run: bool
    """Whether nothing was written, because it was only asked what would be."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """What isn't as it was comes first: files known in part, then those left out."""
        did = "would write" if self.dry_run else "wrote"
        whole = [each for each in self.written if each.state == WHOLE]
        in_part = [each for each in self.written if each.state != WHOLE]
        said = f"{did} {count(len(self.written), 'file')} of step {self.at:,} to {clean(self.folder)}"
        rows = [title(said), note(f"  {len(whole):,} known in full{self._replaced_words()}")]
        rows += _section("not as they were", in_part, view, "unknown lines are written empty")
        rows += _section("not written", self.left_out, view)
        return rows

    def _replaced_words(self) -> str:
        did = "would be replaced" if self.dry_run else "replaced"
        return f"; {count(len(self.replaced), 'file')} {did}" if self.replaced else ""


def restore(
    timeline: Timeline, at: int, folder: str, *, force: bool = False, only_whole: bool = False, dry_run: bool = False
) -> Restored:
    """Write the files that are known at step `at` into `folder`; `only_whole` those that are known in full."""
    known = list(past_files(timeline, at))
    refused = refusals(known)
    wanted = [
        each for each in known if each.has_text and each.path not in refused and (each.state == WHOLE or not only_whole)
    ]
    if not known:
        raise NotFound(f"no file is known at step {at:,}", place=timeline.name)
    if not wanted:
        hint = f"See what is known of each: ccos-tui files {timeline.name}@{at}"
        raise Refused(f"none of {count(len(known), 'file')} can be written", place=folder, hint=hint)
    target = os.path.abspath(folder)
    replaced = _standing(target, wanted)
    if replaced and not force:
        names = ", ".join(map(clean, replaced[:NAMED])) + (", ..." if len(replaced) > NAMED else "")
        raise Refused(
            f"has {count(len(replaced), 'file')} that would be replaced: {names}",
            place=folder,
            hint="Nothing was written. Name another folder, or add --force.",
        )
    if not dry_run:
        _write(target, wanted, force=force)
    taken = {each.path for each in wanted}
    told = {each.path: known_file(each, refused.get(each.path, "")) for each in known}
    written = tuple(told[path] for path in told if path in taken)
    left_out = tuple(told[path] for path in told if path not in taken)
    return Restored(timeline.name, at, target, written, left_out, tuple(replaced), dry_run)


def _standing(target: str, files: Sequence[PastFile]) -> list[str]:
    """Which of these files' names are taken in the folder already, whatever has them."""
    if not os.path.lexists(target):
        return []
    if not os.path.isdir(target):
        raise Refused("is not a folder", place=target, hint="Name a new folder, or one to write into.")
    return [each.path for each in files if os.path.lexists(os.path.join(target, each.path))]


def _write(target: str, files: Sequence[PastFile], *, force: bool) -> None:
    """Write all files into a draft, and then bring them to the folder."""
    is_new = not os.path.lexists(target)
    mark = f"{os.getpid()}-{os.urandom(4).hex()}.new"
    draft = f"{target}.{mark}" if is_new else os.path.join(target, f".ccos-restore.{mark}")
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.mkdir(draft, 0o700)
        try:
            os.mkdir(os.path.join(draft, NEW))
            for each in files:
                _write_one(os.path.join(draft, NEW, *each.path.split("/")), each.content)
            if is_new:
                os.rename(os.path.join(draft, NEW), target)
            else:
                _move_in(target, draft, [each.path for each in files], force=force)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Unavailable(f"can't be written: {why}", place=target, hint="Nothing was changed.") from error


def _write_one(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()


def _move_in(target: str, draft: str, paths: Sequence[str], *, force: bool) -> None:
    """Move files from the draft to their places in a folder that is there; take all back if one can't be moved."""
    done: list[tuple[str, bool]] = []
    made: list[str] = []
    old = os.path.join(draft, OLD)
    os.mkdir(old)
    try:
        for number, path in enumerate(paths):
            folder = _open_folder(target, path, made)
            try:
                done.append((path, _place(folder, os.path.basename(path), draft, path, number, force=force)))
            finally:
                os.close(folder)
    except BaseException:
        for number, (path, was_there) in reversed(list(enumerate(done))):
            with contextlib.suppress(OSError):
                if was_there:
                    os.replace(os.path.join(old, str(number)), os.path.join(target, path))
                else:
                    os.unlink(os.path.join(target, path))
        for each in reversed(made):
            with contextlib.suppress(OSError):
                os.rmdir(each)
        raise


def _open_folder(target: str, path: str, made: list[str]) -> int:
    """Open the folder of a path below the target, making what is missing of it; no part of the way may be a link."""
    handle = os.open(target, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    way = target
    try:
        for name in path.split("/")[:-1]:
            way = os.path.join(way, name)
            try:
                os.mkdir(name, dir_fd=handle)
                made.append(way)
            except FileExistsError:
                pass
            try:
                deeper = os.open(name, FOLDER_FLAGS, dir_fd=handle)
            except OSError as error:
                raise Refused(
                    "is a link or a file, where a folder is needed",
                    place=way,
                    hint="Nothing was changed. Name another folder.",
                ) from error
            os.close(handle)
            handle = deeper
    except BaseException:
        os.close(handle)
        raise
    return handle


def _place(folder: int, name: str, draft: str, path: str, number: int, *, force: bool) -> bool:
    """Give a written file its name in an open folder; gives whether another had it, which then lies in the draft."""
    written, kept = os.path.join(draft, NEW, *path.split("/")), os.path.join(draft, OLD, str(number))
    try:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600, dir_fd=folder))  # the name is ours now
        was_there = False
    except FileExistsError:
        if not force:
            raise
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise Refused("is a folder, where a file is to be", place=path, hint="Nothing was changed.") from None
        os.rename(name, kept, src_dir_fd=folder)
        was_there = True
    try:
        os.rename(written, name, dst_dir_fd=folder)
    except BaseException:
        if was_there:
            os.rename(kept, name, dst_dir_fd=folder)
        else:
            os.unlink(name, dir_fd=folder)
        raise
    return was_there


# ---- its rows ----


def _section(name: str, files: Sequence[KnownFile], view: View, remark: str = "") -> list[Row]:
    if not files:
        return []
    some, more = view.some(files, SHOWN)
    rows = [Row(), heading(f"{name} ({len(files):,})" + (f": {remark}" if remark else ""))]
    for each in some:
        sign, words, role = KINDS.get(each.state, KINDS[UNKNOWN])
        rows.append(row("  ", Span(sign, role, ""), f" {clean(each.path)}", Span(f"  {_said(each, words)}", "quiet")))
    return [*rows, *and_more(more, "file")]


def _said(file: KnownFile, words: str) -> str:
    return f"{words}: {file_words(file)}"
