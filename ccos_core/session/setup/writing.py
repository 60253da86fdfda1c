"""Write a configuration whole or not at all, and remember what was written, so that it can be undone.

Files are written through links, keep their mode and get a backup beside them. Before a file is replaced it is read
once more: an agent may have written to it while the user looked at the changes; then nothing is replaced.

What setup did is kept in one small file under the user's state folder. An entry is put down before its file is
written, and its hashes tell whether that happened. Without the file setup still recognises its own lines by what they
say, but cannot restore the original bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from dataclasses import asdict, dataclass, replace
from typing import Any

from ccos_core.errors import CcosError, NotUnderstood, Refused, Unavailable
from ccos_core.session.setup.hosts import Form, Scope, Target
from ccos_core.storage.locate import state_home
from ccos_core.values.canon import digest

LARGEST = 64 * 2**20
"""Bytes of a configuration; some agents keep the history of every project in theirs."""
BACKUP = ".ccos-backup"


def read(path: str) -> bytes | None:
    """What is in a file; None where there is none."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            raise NotUnderstood("isn't a configuration file", place=path)
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=path) from error


def backup_of(path: str) -> str:
    """A name beside the file that nothing has yet."""
    real = os.path.realpath(path)
    names = (f"{real}{BACKUP}{'-' + str(number) if number else ''}" for number in range(1_000))
    return next(name for name in names if not os.path.lexists(name))


def keep(path: str, data: bytes) -> str:
    """A copy of what is in a file, beside it and with its rights; gives its name."""
    backup = backup_of(path)
    _replace(backup, data, _rights(path), like=path, must_be=None)
    return backup


def replace_file(path: str, before: bytes | None, after: bytes, private: bool = True) -> None:
    """Put `after` in place of `before`. `private` is who may read a new file: its owner, or whom the umask lets."""
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"can't create the folder: {error.strerror}", place=folder) from error
    rights = _rights(real) if before is not None else (0o600 if private else 0o666 & ~_umask())
    _replace(real, after, rights, like=real, must_be=before)


def folders_missing(path: str) -> tuple[str, ...]:
    """The folders that have to be made for a file, outermost first."""
    missing: list[str] = []
    above = os.path.dirname(os.path.realpath(path))
    while not os.path.isdir(above) and above != os.path.dirname(above):
        missing.insert(0, above)
        above = os.path.dirname(above)
    return tuple(missing)


def remove(path: str, before: bytes, folders: tuple[str, ...] = ()) -> None:
    """Take away a file that we made, and the folders we made for it where nothing else is in them."""
    if read(path) != before:
        raise _changed(path)
    try:
        os.unlink(os.path.realpath(path))
    except OSError as error:
        raise Unavailable(f"can't be removed: {error.strerror}", place=path) from error
    tidy(folders)


def tidy(folders: tuple[str, ...]) -> None:
    """Take away those folders in which nothing is; the innermost first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def drop_backup(backup: str) -> None:
    """Remove a backup that isn't needed any more."""
    if backup:
        with contextlib.suppress(OSError):
            os.unlink(backup)


def _replace(path: str, data: bytes, rights: int, *, like: str, must_be: bytes | None) -> None:
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.ccos-{os.getpid()}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            _as_before(file.fileno(), like, rights)
            file.flush()
            os.fsync(file.fileno())
        if read(path) != must_be:
            raise _changed(path)
        os.replace(draft, path)
    except OSError as error:
        raise Unavailable(f"can't be written: {error.strerror}", place=path) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def _as_before(file: int, like: str, rights: int) -> None:
    if os.name == "nt":
        return
    os.fchmod(file, rights)
    with contextlib.suppress(OSError):  # it is another user's, and only root may give it back
        status = os.stat(like)
        os.fchown(file, status.st_uid, status.st_gid)


def _changed(path: str) -> Refused:
    return Refused(
        "was changed by another program meanwhile, so it is left unchanged",
        place=path,
        hint="Run the same command again.",
    )


def _rights(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return 0o600


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


SCHEMA = "ccos.setup-kept/1"
ABSENT = ""
"""The hash of no file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that was written, and how it was before."""

    path: str
    host: str
    scope: Scope
    project: str
    """Its root; empty for what is the user's everywhere."""
    form: Form
    keys: tuple[str, ...]
    before: str
    """Hash of what it held; empty where it wasn't there."""
    after: str
    backup: str
    """Where what it held is kept."""
    made: tuple[tuple[str, ...], ...]
    """Containers in it that were made for ours."""
    folders: tuple[str, ...]
    """Folders that were made for it."""
    exact: bool
    """Whether what it held before had nothing of ours in it, so that putting it back undoes all."""

    def target(self) -> Target:
        """What was written, as far as taking it out needs it."""
        return Target(self.host, self.scope, self.path, self.form, self.keys, {})


def path() -> str:
    return os.path.join(state_home(), "setup.json")


def entries() -> list[Entry]:
    """What is remembered, in the order it was done."""
    try:
        told = json.loads(read(path()) or b"{}")
        return [_entry(each) for each in told.get("files", [])]
    except (ValueError, TypeError, AttributeError, KeyError, CcosError):
        return []


def remember(entry: Entry) -> None:
    """Put an entry down, in its old place if its file has one."""
    known = entries()
    places = [each.path for each in known]
    if entry.path in places:
        known[places.index(entry.path)] = entry
    _write(known if entry.path in places else [*known, entry])


def forget(entry: Entry) -> None:
    """Drop an entry. Folders of it that aren't empty yet go over to the entries in them."""
    left = [folder for folder in entry.folders if os.path.isdir(folder)]
    _write([_heir(each, left) for each in entries() if each.path != entry.path])


def _heir(entry: Entry, left: list[str]) -> Entry:
    around = [folder for folder in left if os.path.realpath(entry.path).startswith(folder + os.sep)]
    return replace(entry, folders=tuple(dict.fromkeys((*around, *entry.folders))))


def hash_of(data: bytes | None) -> str:
    return ABSENT if data is None else digest(data).hex()


def _write(files: list[Entry]) -> None:
    try:
        os.makedirs(os.path.dirname(path()), mode=0o700, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"can't create the folder: {error.strerror}", place=os.path.dirname(path())) from error
    told = {"schema": SCHEMA, "files": [asdict(each) for each in files]}
    replace_file(path(), read(path()), json.dumps(told, indent=1).encode())


def _entry(told: dict[str, Any]) -> Entry:
    made = tuple(tuple(keys) for keys in told["made"])
    return Entry(**{**told, "keys": tuple(told["keys"]), "made": made, "folders": tuple(told["folders"])})
