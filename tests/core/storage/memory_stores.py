"""Stores of entries for tests, by their names."""

from collections.abc import Callable
from pathlib import Path

from ccos_core.memory.backend import Backend
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_sqlite import MemorySqlite

Opening = Callable[[], Backend]
FILES = ("lines", "sqlite")


def opening_of(kind: str, place: str) -> Opening:
    """Return what opens a store; `place` is a folder of its own, or where a server is."""
    if kind == "lines":
        return lambda: MemoryLines(str(Path(place) / "memo.jsonl"))
    return lambda: MemorySqlite(str(Path(place) / "memo.cache"))
