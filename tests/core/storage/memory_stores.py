"""Stores of entries for tests, by their names. A real Postgres is started for those that need one, once a run."""

import os
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import pytest

from ccos_core.memory.backend import Backend
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_postgres import MemoryPostgres
from ccos_core.storage.memory_qdrant import MemoryQdrant
from ccos_core.storage.memory_sqlite import MemorySqlite

Opening = Callable[[], Backend]
SERVED = "CCOS_POSTGRES"
"""A Postgres that is there already: its address; else the one of the wheel `pgserver` is started."""

POSTGRES = pytest.param(
    "postgres",
    marks=pytest.mark.skipif(
        not find_spec("psycopg") or not (find_spec("pgserver") or os.environ.get(SERVED)),
        reason="no Postgres: the wheels psycopg and pgserver aren't installed",
    ),
)
QDRANT = pytest.param(
    "qdrant", marks=pytest.mark.skipif(not find_spec("qdrant_client"), reason="the wheel qdrant-client isn't installed")
)
KINDS = ("lines", "sqlite", POSTGRES, QDRANT)


def opening_of(kind: str, place: str) -> Opening:
    """Return what opens a store; `place` is a folder of its own, or the address and schema of a server."""
    if kind == "lines":
        return lambda: MemoryLines(str(Path(place) / "memo.jsonl"))
    if kind == "sqlite":
        return lambda: MemorySqlite(str(Path(place) / "memo.cache"))
    if kind == "qdrant":
        return lambda: MemoryQdrant(str(Path(place) / "qdrant"))
    url, _, schema = place.rpartition(" ")
    return lambda: MemoryPostgres(url, schema)


def place_for(kind: str, folder: Path) -> str:
    """Return a place that no other test uses."""
    return f"{postgres_url()} t{uuid4().hex}" if kind == "postgres" else str(folder)


@cache
def postgres_url() -> str:
    """Return the address of a Postgres; the workers of a run start one together, and the last to leave stops it."""
    if SERVED in os.environ:
        return os.environ[SERVED]
    with warnings.catch_warnings():  # about folders that the wheel would like to have
        warnings.simplefilter("ignore")
        from pgserver import get_server

        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
        folder = Path("/tmp", f"ccos-postgres-{run[:16]}")
        url = get_server(folder, cleanup_mode="delete").get_uri()
    assert isinstance(url, str)
    return url
