"""How a configuration is put on disk: whole or not at all, through links, with the rights it had, a backup beside it.

Before a file is replaced it is read once more: an agent that is running may have written to it while somebody was
looking at the changes. Then nothing is replaced.
"""

from __future__ import annotations

import contextlib
import os
import stat

from ccos_core.errors import NotUnderstood, Refused, Unavailable

LARGEST = 64 * 2**20
"""Bytes of a configuration; some agents keep the history of every project in theirs."""
BACKUP = ".ccos-backup"


def read(path: str) -> bytes | None:
    """What is in a file; None where there is none."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            raise NotUnderstood("is no file of configuration", place=path)
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


def replace(path: str, before: bytes | None, after: bytes, private: bool = True) -> None:
    """Put `after` in place of `before`. `private` is who may read a new file: its owner, or whom the umask lets."""
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the folder can't be made: {error.strerror}", place=folder) from error
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


def forget(backup: str) -> None:
    """Take away a backup that nobody needs any more."""
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
    with contextlib.suppress(OSError):  # it is somebody else's, and only root may give it back
        status = os.stat(like)
        os.fchown(file, status.st_uid, status.st_gid)


def _changed(path: str) -> Refused:
    return Refused("was written to meanwhile, so it stays as it is", place=path, hint="Run the same command again.")


def _rights(path: str) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return 0o600


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
