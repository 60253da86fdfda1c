"""What recording costs beyond the disk: one admitted op of about 1 kB, appended durably to a workspace kept open.

The baseline is a bare transaction that puts the same bytes into two plain SQLite tables, in the same folder and the
same mode (WAL, synchronous=FULL). Both wait for the disk once; ours also reads the head, extends the chain, knows a
delivery from a new event, keeps contents once and checks what it stores.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ccos_core.session.admit import Admitted
from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session
from tests.bench.harness import Result, paired

LIMIT = 1.6
HASH = bytes(range(32))
BARE = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE op (step INTEGER PRIMARY KEY, hash BLOB NOT NULL, body BLOB NOT NULL);
CREATE TABLE blob (hash BLOB PRIMARY KEY, body BLOB NOT NULL);
"""


def lines(smoke: bool) -> Iterator[Result]:
    runs = 3 if smoke else 401
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        yield appended(Path(folder), "append 1 kB, text in a content", {"content": "x = compute(1)\n" * 45}, runs)
        yield appended(Path(folder), "append 1 kB, all in the op", {"withheld": "ccosignore"}, runs, long="d/" * 400)


def appended(folder: Path, name: str, what: dict[str, str], runs: int, long: str = "") -> Result:
    path = str(folder / f"{len(list(folder.iterdir()))}.ccos")
    init(path)
    bare = sqlite3.connect(path + ".bare", isolation_level=None)
    bare.executescript(BARE)
    with open_session(path, clock=lambda: 1_771_061_460_000) as session:
        admitted = iter(
            [
                session.admit(
                    {
                        "kind": "seen",
                        "how": "read",
                        "path": f"{long}src/module_{number}.py",
                        "call": f"call-{number}",
                        "host": "bench",
                        "session": "one",
                        **({"content": f"# {number}\n{what['content']}"} if "content" in what else what),
                    }
                )
                for number in range(2 * runs + 4)
            ]
        )
        steps = count(1)

        def ours() -> None:
            session.append([next(admitted)])

        def plainly() -> None:
            insert(bare, next(steps), next(admitted))

        measured = paired(ours, plainly, runs)
    bare.close()
    return measured.result(name, LIMIT)


def insert(bare: sqlite3.Connection, step: int, op: Admitted) -> None:
    """The same bytes, and no more than that: the op in one table, its content (or else its key) in the other."""
    assert op.key is not None
    bare.execute("BEGIN IMMEDIATE")
    bare.execute("INSERT INTO op VALUES (?, ?, ?)", (step, HASH, op.body))
    for row in op.blobs or [(op.key, b"")]:
        bare.execute("INSERT INTO blob VALUES (?, ?)", row)
    bare.execute("COMMIT")
