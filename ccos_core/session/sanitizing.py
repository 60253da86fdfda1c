"""Read files and say what in them is hidden or spelt to be mistaken.

looked_at(["src", "README.md"])    # an iterator of Looked and LeftOut
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ccos_core.errors import NotFound
from ccos_core.session.scan import LeftOut, Reason, scan
from ccos_core.text.injection import Flagged, judge
from ccos_core.text.sanitize.anomalies import Anomaly, anomalies

LARGEST_FILE = 16 * 2**20
"""Bytes of a file that is looked at."""
SNIFFED = 8_000
"""Bytes in which a NUL says that a file is binary."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One file, and what was found in it."""

    path: str
    found: tuple[Anomaly, ...]
    signals: tuple[Flagged, ...] = ()
    """Sentences that read as instructions to a model where data should be."""


def looked_at(paths: Iterable[str]) -> Iterator[Looked | LeftOut]:
    """Look at each file, and at what `ingest` reads below each folder. NotFound if a path isn't there."""
    for path in paths:
        if os.path.isdir(path):
            for item in scan(path, max_bytes=LARGEST_FILE):
                place = os.path.join(path, item.path) if path != "." else item.path
                if isinstance(item, LeftOut):
                    yield LeftOut(place, item.reason, item.is_folder)
                elif item.data is not None:
                    yield look(place, item.data)
        else:
            yield _file(path)


def _file(path: str) -> Looked | LeftOut:
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise NotFound("there is no such file", place=path) from None
    except OSError:
        return LeftOut(path, Reason.UNREADABLE)
    if len(content) > LARGEST_FILE:
        return LeftOut(path, Reason.LARGE)
    return LeftOut(path, Reason.BINARY) if b"\0" in content[:SNIFFED] else look(path, content)


def look(path: str, content: bytes) -> Looked:
    """Look at some content; bytes that are no UTF-8 are noted."""
    text = content.decode("utf-8", "surrogateescape")
    return Looked(path, anomalies(text), judge(text).flagged)
