"""Which recorded paths may become files: a record can come from anybody, and names can do harm where they are written.

A path is refused on every system alike, so that a tree that was written on one may be copied to another. Two paths that
a file system without case (or with its own Unicode form) takes for one are not both written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ccos_core.values.paths import inside

LONGEST_NAME_BYTES, LONGEST_PATH_BYTES = 255, 4_096
OUTSIDE = "outside the project"
_DEVICE = re.compile(r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])[ ]*(?:\..*)?", re.DOTALL)
_GIT = re.compile(r"\.git|git~[0-9]+", re.DOTALL)


def why_unsafe(path: str) -> str:
    """Return why no file may be written at a recorded path; empty where one may."""
    if not path or path == "." or not inside(path):
        return OUTSIDE
    if len(_bytes(path)) > LONGEST_PATH_BYTES:
        return "its path is too long"
    return next(filter(None, map(_why_unsafe_name, path.split("/"))), "")


def conflicts(paths: Iterable[str]) -> dict[str, str]:
    """Return why paths can't be written beside the others: path → reason. The first spelling of each name stays.

    A path that others lie below can't be a file either; there the folder stays."""
    ordered = sorted(paths)
    found: dict[str, str] = {}
    folders = {folder for path in ordered for folder in _folders(path)}
    spelled: dict[str, str] = {}
    """Name as any file system may know it → the path that has it."""
    for folder in sorted(folders):
        spelled.setdefault(same_name(folder), folder)
    for path in ordered:
        taken = next((each for each in (*_folders(path), path) if spelled.get(same_name(each), each) != each), None)
        if path in folders:
            found[path] = "other files lie below it"
        elif taken is not None:
            found[path] = f"{spelled[same_name(taken)]} has the same name but for its case"
        else:
            spelled[same_name(path)] = path
    return found


def same_name(path: str) -> str:
    """Return a path as the least particular file system knows it: two that are alike may be one file there."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path.casefold()).casefold())


def _why_unsafe_name(name: str) -> str:
    plain = _plain(name)
    if name in ("", ".", "..") or not plain.strip(". "):
        return "it isn't a plain path"
    if any(ord(char) < 32 or ord(char) == 127 for char in name) or "\\" in name:
        return "its name holds a character that separates or controls"
    stem = plain.partition(":")[0].rstrip(". ")  # behind a colon NTFS names a stream of the same file
    if _GIT.fullmatch(stem):
        return "it belongs to a repository's own folder"
    if _DEVICE.fullmatch(stem) or name[1:2] == ":":
        return "it is the name of a device on some systems"
    if name[-1] in ". ":
        return "some systems drop the end of its name"
    if len(_bytes(name)) > LONGEST_NAME_BYTES:
        return "its name is too long"
    return ""


def _plain(name: str) -> str:
    """A name without what some file systems ignore in it, in its plainest form and in small letters."""
    visible = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", visible).casefold()


def _folders(path: str) -> list[str]:
    """The folders that a path lies in, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
