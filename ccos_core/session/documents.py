"""Documents with a role (soul, user, memory, impressions, daily): found by a policy, read, and appended to.

    shelf = Documents(root)
    shelf.get_section("build")                       # of MEMORY.md, by slug or title
    shelf.append_section("build", "- run make first")

Files stay ordinary files: nothing else is kept about them. Nothing outside the root is read or written, whatever a
name, a link or a setting says. An append is a new file that takes the place of the old one; writers wait for each
other, and a file that another program changed meanwhile is read again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from ccos_core.errors import NotFound, Refused, Unavailable
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.storage import file_lock
from ccos_core.storage.locate import state_home, user_path
from ccos_core.storage.replacing import replacing
from ccos_core.text.compress.prose import summarized
from ccos_core.text.sections import Section, append_section, read_section
from ccos_core.text.withheld import withheld
from ccos_core.values.canon import digest
from ccos_core.values.roles import DAILY, DATE, MEMORY, USER, Roles
from ccos_core.values.safe_paths import why_unsafe
from ccos_core.values.tokens import estimate

MOST_BYTES = 1_000_000
ATTEMPTS = 20
"""How often an append begins anew because another program changed the file."""
MOST_LISTED = 10_000
"""Entries of the folder of daily notes that are looked at."""
FILE_MODE = 0o666
"""Of a new file, less what the umask takes."""


class Document(NamedTuple):
    """A file with a role."""

    role: str
    path: str
    """Relative to the root; of a file of the user's own after `~/`."""

    text: str
    """Empty if there is no such file yet."""

    exists: bool


class DailyLog(NamedTuple):
    """The notes of one day."""

    day: str
    path: str
    text: str


@dataclass(frozen=True)
class Documents:
    """The documents of one project."""

    root: str
    roles: Roles = field(default_factory=Roles)

    # -- files ----------------------------------------------------------------------------------------------------

    def load(self, path: str) -> str:
        """The text of a file, as it stands."""
        return _read(self.place(path), path)[0]

    def store(self, path: str, content: str) -> bool:
        """Replace the text of a file, or make it; gives whether anything changed."""
        return self._change(path, lambda text: content)

    def exists(self, path: str) -> bool:
        """Whether there is such a file inside the root."""
        return os.path.isfile(self.place(path))

    def size(self, path: str) -> int:
        """About how many tokens a file takes."""
        return estimate(self.load(path))

    def health(self) -> bool:
        """Whether the project's folder can be read."""
        return os.access(self.root, os.R_OK | os.X_OK) and os.path.isdir(self.root)

    def summarize(self, path: str, target_tokens: int) -> str:
        """Shorten the text of a file to its most telling lines."""
        return summarized(self.load(path), target_tokens).text

    # -- roles ----------------------------------------------------------------------------------------------------

    def path_of(self, role: str, day: str = "") -> str:
        """The path of a role's document, whether it is there or not."""
        paths = self.roles.paths(role, day)
        return next((path for path in paths if self.exists(path)), paths[0])

    def read(self, role: str, day: str = "") -> Document:
        """A role's document; `day` is the date of a daily one."""
        path = self.path_of(role, day)
        there = self.exists(path)
        return Document(role, path, self.load(path) if there else "", there)

    def read_users(self) -> list[Document]:
        """What is said of the user: in the file of the user's own, then in the project's."""
        own = Documents(os.path.dirname(user_path()), Roles(user=(os.path.basename(self.roles.user[0]),)))
        found = [own.read(USER)._replace(path=f"~/{own.roles.user[0]}"), self.read(USER)]
        return [each for each in found if each.exists]

    def days(self) -> list[str]:
        """The days of which there are notes, the last one first."""
        folder = self.roles.daily.rpartition("/")[0]
        if DATE in folder:
            return []
        try:
            with os.scandir(self.place(folder) if folder else os.path.realpath(self.root)) as entries:
                names = [entry.name for entry, _ in zip(entries, range(MOST_LISTED), strict=False)]
        except OSError:
            return []
        days = (self.roles.day_in(f"{folder}/{name}" if folder else name) for name in names)
        return sorted(filter(None, days), reverse=True)

    def get_recent(self, days: int, until: str = "") -> list[DailyLog]:
        """The notes of the last days of which there are any, the last one first."""
        known = [day for day in self.days() if not until or day <= until][: max(days, 0)]
        found = [self.read(DAILY, day) for day in known]
        return [DailyLog(day, each.path, each.text) for day, each in zip(known, found, strict=True) if each.exists]

    # -- sections of the memory -----------------------------------------------------------------------------------

    def get_section(self, name: str) -> str:
        """A section of the memory, by slug or title; raises `NotFound` with those there are."""
        return self.section(MEMORY, name).text

    def append_section(self, name: str, content: str) -> bool:
        """Append to a section of the memory, which is made if it is missing; gives whether anything changed."""
        return self.append(MEMORY, name, content)

    def section(self, role: str, name: str, day: str = "") -> Section:
        """A section of a role's document."""
        return read_section(self.read(role, day).text, name)

    def append(self, role: str, name: str, content: str, day: str = "") -> bool:
        """Append to a section of a role's document."""
        return self._change(self.path_of(role, day), lambda text: append_section(text, name, content))

    # -- helpers --------------------------------------------------------------------------------------------------

    def place(self, path: str) -> str:
        """Where a path lies on the disk, links followed; raises where that isn't inside the root."""
        why = why_unsafe(path)
        if not why and withheld(path):
            why = "files of its name usually hold secrets"
        root = os.path.realpath(self.root)
        real = os.path.realpath(os.path.join(root, path)) if not why else ""
        below = real.removeprefix(os.path.join(root, ""))
        if not why and below == real:
            why = "it is outside the project"
        why = why or why_unsafe(below.replace(os.sep, "/"))
        if not why and (withheld(below) or CcosIgnore(root).hides(below)):
            why = "its content is kept out of the record"
        if why:
            raise Refused(f"isn't read or written: {why}", place=path, hint=f"The root is: {self.root}")
        return real

    def _change(self, path: str, changed: Callable[[str], str]) -> bool:
        """Replace a file by what `changed` makes of its text; gives whether that is different."""
        real = self.place(path)
        try:
            os.makedirs(os.path.dirname(real), exist_ok=True)
        except OSError as error:
            raise Unavailable(f"can't be written: {error.strerror}", place=path) from error
        with _writing(real):
            for _ in range(ATTEMPTS):
                text, before = _read(real, path) if os.path.exists(real) else ("", None)
                grown = changed(text)
                if grown == text:
                    return False
                if len(grown.encode("utf-8", "surrogateescape")) > MOST_BYTES:
                    raise Refused("would be too large", place=path, hint=f"At most {MOST_BYTES:,} bytes.")
                try:
                    if self.place(path) == real and _replace(real, grown, before):
                        return True
                except OSError as error:
                    raise Unavailable(f"can't be written: {error.strerror}", place=path) from error
        raise Unavailable("is changed by another program all the time", place=path)


def _writing(real: str) -> file_lock.FileLock:
    """The lock held while a file is written; it lies beside the user's workspaces, not in the project."""
    name = digest(b"document " + os.fsencode(real)).hex()[:24]
    lock = file_lock.take(os.path.join(state_home(), "locks", name), wait=True)
    assert lock is not None
    return lock


def _read(real: str, path: str) -> tuple[str, os.stat_result]:
    try:
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise NotFound("there is no such file", place=path) from None
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=path) from error
    told = os.fstat(handle)
    if not stat.S_ISREG(told.st_mode):
        os.close(handle)
        raise Refused("isn't a file", place=path)
    with os.fdopen(handle, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused("is too large", place=path, hint=f"At most {MOST_BYTES:,} bytes.")
    return data.decode("utf-8", "surrogateescape"), told


def _replace(real: str, text: str, before: os.stat_result | None) -> bool:
    """Put a text in the place of the file that was read; gives whether it was still that file. A new file that can't be
    written isn't left behind empty."""
    if before is None:
        try:
            os.close(os.open(real, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
        except FileExistsError:
            return False
    try:
        now = os.stat(real)
    except FileNotFoundError:
        return False
    if before is not None and _mark(now) != _mark(before):
        return False
    try:
        with replacing(real) as handle:
            with os.fdopen(os.dup(handle), "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            if hasattr(os, "fchmod"):
                os.fchmod(handle, stat.S_IMODE(now.st_mode))
            if _mark(os.stat(real)) != _mark(now):
                raise _ChangedError
    except (_ChangedError, FileNotFoundError):
        return False
    except OSError:
        if before is None:
            with suppress(OSError):
                if _mark(os.stat(real)) == _mark(now):
                    os.unlink(real)
        raise
    return True


class _ChangedError(Exception):
    """Another program changed the file."""


def _mark(told: os.stat_result) -> tuple[int, int, int]:
    return told.st_ino, told.st_size, told.st_mtime_ns
