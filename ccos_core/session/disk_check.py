"""Whether recorded sources still read the same on the disk, for text that is handed out as current.

    check = DiskCheck(session_root)
    check.stands(source)    # every known line is on the disk, at its place
    check.differing         # paths that didn't pass, in the order they were asked for

Reads files and changes nothing. Each path is read once.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccos_core.session.bounds import bounded_blob
from ccos_core.session.scan import Found, Listed, read
from ccos_core.session.session import ELSEWHERE, root_of
from ccos_core.text.sanitize import clean
from ccos_core.values.canon import digest
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from ccos_core.storage.record import Record
    from ccos_core.window.source import Source

LARGEST_BYTES = 16 * 2**20
"""Bytes of a file that is compared; a larger one counts as different."""


class DiskCheck:
    """Compares sources with the files below `root`. With root None nothing is compared, and everything passes."""

    def __init__(self, root: str | None) -> None:
        self.root = root
        self.differing: dict[str, None] = {}
        self._known: dict[str, bool] = {}

    @classmethod
    def of(cls, record: Record) -> DiskCheck:
        """The check for a record's project; it compares nothing where the project isn't on this machine."""
        root = root_of(record)
        return cls(root if record.local(ELSEWHERE) is None and os.path.isdir(root) else None)

    def stands(self, source: Source) -> bool:
        """Whether every known line of a source is on the disk, at its place."""
        if self.root is None:
            return True
        if source.path not in self._known:
            self._known[source.path] = _reads_the_same(os.path.join(self.root, _local(source.path)), source)
            if not self._known[source.path]:
                self.differing[source.path] = None
        return self._known[source.path]

    def present(self) -> list[str]:
        """The differing files that are still in the project, as full paths."""
        full = [os.path.join(self.root or "", path) for path in self.differing if inside(path)]
        return [path for path in full if os.path.isfile(path)]


def _local(path: str) -> str:
    """A recorded path as this machine opens it."""
    return os.path.expanduser(path) if path.startswith("~/") else path


def _reads_the_same(full: str, source: Source) -> bool:
    folder, name = os.path.split(os.path.realpath(full))
    found = read(folder, Listed(name), max_bytes=LARGEST_BYTES)
    if not isinstance(found, Found) or found.data is None:
        return False
    if digest(found.data).hex() == source.blob:
        return True
    text = bounded_blob(found.data.decode("utf-8", "surrogateescape"), clean)[0].decode()
    if text == source.text:
        return True
    unseen = {line for first, last in source.unknown for line in range(first, last + 1)}
    there = text.split("\n")
    return len(there) >= source.size and all(
        line in unseen or known == there[line - 1] for line, known in enumerate(source.lines, 1)
    )
