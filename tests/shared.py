"""What the processes of one run have in common: things made once, and turns that are taken.

The tests of one file may run in several processes. What is dear to make is made by the first that needs it, and read
by the others.
"""

import fcntl
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

RUN = "CCOS_TEST_RUN"
"""The environment variable that names the run."""


def folder() -> Path:
    """The folder of this run; `conftest.py` removes it at the end."""
    return Path(tempfile.gettempdir()) / f"ccos-tests-{os.environ[RUN]}"


@contextmanager
def turn(name: str) -> Iterator[None]:
    """Wait until no other process of the run is in its turn of that name."""
    folder().mkdir(exist_ok=True)
    with (folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[], T]) -> T:
    """What `make` returns in the first process of the run that asks; it can be pickled."""
    with turn(name):
        path = folder() / f"{name}.pickle"
        if not path.exists():
            path.write_bytes(pickle.dumps(make()))
        return pickle.loads(path.read_bytes())
