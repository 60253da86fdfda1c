"""A workspace somebody else made, with endless views, triggers or huge rows: it opens, or is refused, soon."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.errors import CcosError, NotUnderstood
from ccos_core.serve.cli.main import main
from ccos_core.storage import schema
from ccos_core.storage.cache import cache_path, load_known
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from tests.core.serve.calling import ROOT, demo

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
KINDS = {
    "op is an endless view": (
        f"ALTER TABLE op RENAME TO o; CREATE VIEW op AS {ENDLESS} SELECT i step, x'' hash, x'' body FROM n"
    ),
    "blob is an endless view": f"DROP TABLE blob; CREATE VIEW blob AS {ENDLESS} SELECT i hash, 1 size, 0 form FROM n",
    "fact is an endless view": f"DROP TABLE fact; CREATE VIEW fact AS {ENDLESS} SELECT i key, '' interpreter FROM n",
    "local is an endless view": f"DROP TABLE local; CREATE VIEW local AS {ENDLESS} SELECT i name, i value FROM n",
    "delivery is an endless view": f"DROP TABLE delivery; CREATE VIEW delivery AS {ENDLESS} SELECT i key FROM n",
    "appends are swallowed": "CREATE TRIGGER t BEFORE INSERT ON op BEGIN SELECT RAISE(IGNORE); END",
    "contents are deleted": "CREATE TRIGGER t AFTER INSERT ON op BEGIN DELETE FROM blob; END",
    "contents are changed": "CREATE TRIGGER t AFTER INSERT ON fact BEGIN UPDATE blob SET body = x''; END",
    "a virtual table": "CREATE VIRTUAL TABLE v USING fts5(x)",
    "another table": "CREATE TABLE more (x)",
    "another index": 'CREATE INDEX more ON fact ("check")',
    "an index of an expression": "CREATE INDEX more ON op (hex(hash))",
    "a table with a check": (
        "DROP TABLE local; CREATE TABLE local (name TEXT PRIMARY KEY CHECK (length(name)), value) WITHOUT ROWID"
    ),
    "a made column": "ALTER TABLE op ADD COLUMN x AS (hex(zeroblob(99999999)))",
    "statistics": "ANALYZE",
}
COMMANDS = (
    ["stats"], ["verify"], ["log"], ["verify", "--json"], ["timeline"], ["recall"], ["pause"], ["compact"],
    ["export", "-o", "-"], ["failure", "src/db.py"], ["upgrade"], ["postmortem", "--json"],
)  # fmt: skip


@pytest.fixture(scope="module")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def path(_whole: Path, tmp_path: Path) -> str:
    return str(shutil.copy(_whole, tmp_path / "w.ccos"))


def change(path: str, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.executescript(statement)


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Processor time of this process, for the machine may be busy."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < seconds


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_refused_by_every_command(kind: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(path, KINDS[kind])
    before = Path(path).read_bytes()
    with at_most(5):
        for command in COMMANDS:
            assert main([command[0], path, *command[1:]]) == 3, command
    assert "which ccos-tui never writes" in capsys.readouterr().err
    assert Path(path).read_bytes() == before, "nothing was written"


def test_what_it_is_about_is_named(path: str) -> None:
    change(path, KINDS["appends are swallowed"])
    for write in (False, True):
        with pytest.raises(NotUnderstood, match='contains the trigger "t"'):
            open_record(path, write=write)


def test_a_record_of_ours_is_opened_as_before(path: str) -> None:
    for write in (False, True):
        with open_record(path, write=write) as record:
            assert schema.foreign(record.connection) is None
            assert record.ask("PRAGMA trusted_schema") == [(0,)]


@pytest.mark.parametrize("also", ["damage", "none"])
def test_a_damaged_one_doesnt_get_through_by_its_damage(path: str, also: str) -> None:
    """A rescue believes no header; it must not believe a view either."""
    change(path, KINDS["op is an endless view"])
    if also == "damage":
        change(
            path,
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE local(' WHERE name = 'local'",
        )
    with at_most(5), pytest.raises(CcosError), open_record(path) as record:
        list(record.rows(tolerant=True))


def test_a_definition_with_a_flipped_bit_is_read_as_far_as_it_can(path: str) -> None:
    data = bytearray(Path(path).read_bytes())
    data[data.index(b"hash BLOB NOT NULL,\n  body") + 5] ^= 1
    Path(path).write_bytes(data)
    assert main(["verify", path]) == 4


def test_a_row_of_any_size_is_not_read(path: str) -> None:
    change(path, f"INSERT INTO op SELECT max(step) + 1, zeroblob(32), zeroblob({schema.ROW_BYTES + 1}) FROM op")
    with at_most(5):
        assert main(["stats", path]) == 4
        assert main(["verify", path]) == 4


def test_a_cache_somebody_else_made_is_made_anew(path: str) -> None:
    assert main(["recall", path]) == 0
    change(
        cache_path(path),
        f"DROP TABLE known; CREATE VIEW known AS {ENDLESS} SELECT i path, i content, 0 reported FROM n",
    )
    with at_most(5), open_record(path) as record:
        assert load_known(record) == (0, {})
    assert main(["recall", path]) == 0


INTERRUPTED = """
import sys
sys.path.insert(0, sys.argv[1])
from ccos_core.storage import schema
from ccos_core.storage.opening import open_record
looks = []
def look_up():
    if not looks:
        print("asking", flush=True)
    looks.append(1)
    return 0
schema._look_up = look_up
with open_record(sys.argv[2]) as record:
    try:
        record.ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_query(path: str) -> None:
    words = [sys.executable, "-c", INTERRUPTED, str(ROOT), path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asking\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_an_empty_file_of_sqlite_holds_nothing_foreign() -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        assert schema.foreign(connection) is None
        schema.create(connection)
        assert schema.foreign(connection) is None
        assert isinstance(Record(connection, "", writable=False).head(), tuple)
