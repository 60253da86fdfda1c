"""A whole source tree into a fresh workspace, against a bare loop that stores the same files.

The tree is made of the interpreter's own library, cut to the measures of a web framework: 2,800 files, 18 MB.
The bare loop reads, decodes, hashes and compresses each file and inserts it into one SQLite table, all in one durable
transaction; it keeps no chain, looks for no secret, and asks no ignore file.
"""

import contextlib
import shutil
import sqlite3
import sysconfig
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from blake3 import blake3

from ccos_core.session import lifecycle
from ccos_core.session.ingest import ingest
from ccos_core.session.session import open_session
from tests.bench.harness import Result, paired

FILES, BYTES = 2_800, 18_000_000
LIMIT = 3.0


def lines(smoke: bool) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        project = Path(folder, "proj")
        files = grow(project, 20 if smoke else FILES, BYTES)
        runs = Runs(Path(folder), project, files)
        name = f"ingest {len(files):,} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB"
        yield paired(runs.ours, runs.bare, 1 if smoke else 7).result(name, LIMIT)
        yield paired(runs.again, runs.bare, 1 if smoke else 7).result("ingest again, nothing changed", LIMIT)


class Runs:
    """Both ways of storing the tree, each time into a fresh file."""

    def __init__(self, folder: Path, project: Path, files: list[Path]) -> None:
        self.folder, self.project, self.files = folder, project, files

    def ours(self) -> None:
        for left in self.folder.glob("work.ccos*"):
            left.unlink()
        path = str(self.folder / "work.ccos")
        lifecycle.init(path, str(self.project))
        with open_session(path) as session:
            report = ingest(session, [str(self.project)])
        assert report.recorded == len(self.files), report

    def again(self) -> None:
        with open_session(str(self.folder / "work.ccos")) as session:
            assert ingest(session, [str(self.project)]).unchanged == len(self.files)

    def bare(self) -> None:
        path = self.folder / "bare.db"
        path.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
            store.execute("PRAGMA synchronous = FULL")
            store.execute("CREATE TABLE file (path TEXT PRIMARY KEY, hash BLOB, body BLOB)")
            store.execute("BEGIN IMMEDIATE")
            for file in self.files:
                content = file.read_bytes().decode("utf-8", "replace").encode()
                row = (str(file), blake3(content).digest(), zlib.compress(content, 1))
                store.execute("INSERT INTO file VALUES (?, ?, ?)", row)
            store.execute("COMMIT")


def grow(project: Path, count: int, size: int) -> list[Path]:
    """A tree of `count` sources that come to about `size` bytes, in folders as the originals are."""
    home = Path(sysconfig.get_path("stdlib"))
    originals = [path for path in sorted(home.rglob("*.py")) if 0 < path.stat().st_size < 200_000]
    made: list[Path] = []
    left = size
    for number in range(count):
        original = originals[number % len(originals)]
        name = original.relative_to(home)
        target = (
            project / f"part{number // len(originals)}" / Path(*(f"d_{part}" for part in name.parts[:-1])) / name.name
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, target)
        # A copy is not the original, or it would be stored once; and the sizes come out as asked.
        content = original.read_bytes()[: 2 * left // (count - number)]
        target.write_bytes(content[: content.rfind(b"\n") + 1] + f"# {number}\n".encode())
        left -= target.stat().st_size
        made.append(target)
    return made
