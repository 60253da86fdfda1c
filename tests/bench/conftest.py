"""The benchmarks' own tests take as long as all others: they run when a benchmark has changed, and in a deep run.

`tested.txt` is a hash of this folder from the last time its tests passed; `python tests/bench/conftest.py` makes it.
"""

from __future__ import annotations

import os
from pathlib import Path

import blake3
import pytest

HERE = Path(__file__).resolve().parent
TESTED = HERE / "tested.txt"


def hash_of_folder() -> str:
    """A hash of every source file below this folder, names included."""
    found = blake3.blake3()
    for path in sorted(HERE.rglob("*.py")):
        found.update(path.relative_to(HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("CCOS_DEEP") == "1" or not TESTED.exists() or TESTED.read_text().strip() != hash_of_folder():
        return
    skip = pytest.mark.skip(reason="no benchmark has changed since these passed; start.py test --deep runs them")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(skip)


if __name__ == "__main__":
    TESTED.write_text(hash_of_folder() + "\n")
