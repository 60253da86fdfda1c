"""What may happen to a file that is only a cache, whichever it is."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

Mishap = Callable[[Path], object]


def flip_everywhere(place: Path) -> None:
    place.write_bytes(bytes(byte ^ 0x10 for byte in place.read_bytes()))


def run(place: Path, sql: str) -> None:
    connection = sqlite3.connect(place, isolation_level=None)
    connection.execute(sql)
    connection.close()


def sql(statement: str) -> Mishap:
    """Somebody did that to its rows."""
    return lambda place: run(place, statement)


OF_ANY: dict[str, Mishap] = {
    "deleted": lambda place: place.unlink(),
    "emptied": lambda place: place.write_bytes(b""),
    "garbage": lambda place: place.write_bytes(b"garbage" * 100),
    "cut": lambda place: place.write_bytes(place.read_bytes()[:5_000]),
    "flipped": flip_everywhere,
    "folder": lambda place: (place.unlink(), place.mkdir()),
    "dangling link": lambda place: (place.unlink(), place.symlink_to("nowhere")),
    "pipe": lambda place: (place.unlink(), os.mkfifo(place)),
    "another layout": sql("PRAGMA user_version = 99"),
    "another program's": sql("PRAGMA application_id = 5"),
}
