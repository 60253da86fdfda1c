"""Files that a reader takes along: what was copied, what was exported, what another program is to show.

Whoever they are for, they may hold what an agent saw, so nobody but the reader may read them (0600). An export never
takes the place of a file; what was copied last takes the place of what was copied before.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MODE = 0o600
NEW = 0o666
"""Of which the reader's own mask takes what nobody gets."""
COPIED = "copied.txt"
MOST = 10_000
"""Files of one name that are told apart by a number."""
LONGEST = 60
"""Characters of a name."""
NO_SPACE = re.compile(r"[^A-Za-z0-9._-]+")


def here() -> str:
    """The current folder with a stroke at its end; empty where somebody removed it."""
    try:
        return os.path.join(os.getcwd(), "")
    except OSError:
        return ""


def keep_copy(text: str) -> str:
    """Write what was copied to where it is found without a clipboard; gives the file. Raises OSError."""
    path = os.path.join(state_folder(), COPIED)
    write_over(path, text)
    return path


def export(name: str, ending: str, text: str) -> str:
    """Write a file into the current folder, or where that can't be written into the state folder; gives which."""
    try:
        return _numbered(os.getcwd(), name, ending, text)
    except OSError:
        return _numbered(state_folder("exports"), name, ending, text)


@contextmanager
def shown_as_file(text: str, name: str) -> Iterator[str]:
    """A file for another program to show, gone again when that has ended; `name` is what it would be called."""
    handle, path = tempfile.mkstemp(prefix="ccos-", suffix="-" + plain_name(os.path.basename(name)))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


def write_over(path: str, text: str, *, keeps_rights: bool = False) -> None:
    """Write a file of the reader's own, whole or not at all, in the place of one that may be there. Nobody else may
    read it, unless it `keeps_rights`: those the file has, or those any new one gets. Raises OSError."""
    rights = _rights(path) if keeps_rights else MODE
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        os.unlink(draft)  # of a process of that number that was ended in the middle
    _write_new(draft, text, NEW if rights is None else MODE)
    try:
        if rights not in (None, MODE):
            os.chmod(draft, rights)
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise


def state_folder(*below: str) -> str:
    """A folder of the reader's own, made where there is none. Raises OSError."""
    from ccos_core.storage.locate import state_home

    folder = os.path.join(state_home(), *below)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def plain_name(said: str) -> str:
    """A name of a file without anything that a shell would want quoted; the end stays, for it says what it is."""
    return NO_SPACE.sub("-", said)[-LONGEST:].lstrip("-.") or "text"


def _numbered(folder: str, name: str, ending: str, text: str) -> str:
    for number in range(1, MOST):
        path = os.path.join(folder, f"{plain_name(name)}{f'-{number}' if number > 1 else ''}.{ending}")
        try:
            _write_new(path, text)
        except FileExistsError:
            continue
        return path
    raise OSError(f"too many files are named {name}")


def _rights(path: str) -> int | None:
    """Who may do what with a file; None where there is none."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None


def _write_new(path: str, text: str, mode: int = MODE) -> None:
    """Write a file that isn't there yet; a half of one isn't left behind."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError:
        os.unlink(path)
        raise
