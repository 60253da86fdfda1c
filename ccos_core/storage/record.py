"""The open record: ops, contents, facts and deliveries of one workspace, read in short steps, written in transactions.

Knows rows and bytes, not what they mean. Every append extends the chain from the head it reads inside the same
immediate transaction, so any number of processes may write; what `Writing` has committed is on disk. Reads are
chunked, so that a long read never holds a lock a writer waits for. On the hook's path.
"""

from __future__ import annotations

import sqlite3

from ccos_core.errors import CcosError, Damaged, Erased, NotFound, Unavailable
from ccos_core.log.chain import GENESIS
from ccos_core.log.facts import drawn_from, fact_body, packed_fact
from ccos_core.log.packing import Spoiled, is_whole, pack, row_check, row_holds, unpack, unpacked
from ccos_core.storage import files, row_sums
from ccos_core.values.canon import DIGEST_BYTES, chained, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Any, TypeAlias

    from ccos_core.log.facts import Key, Packed

    Row: TypeAlias = tuple[int, bytes, bytes]

CHUNK = 500
"""Ops read at a time: large enough to be fast, small enough that a reader's lock is gone again at once."""
GIVE_UP = 2_000
"""Steps without a readable op after which a damaged record counts as read to its end."""
LAST_STEP = 2**63 - 1
ANY_ERASED = "SELECT 1 FROM erased WHERE hash IN"
ERASED = 'SELECT size, step, at, why, "check" FROM erased WHERE hash = ?'


class Record:
    """An open `NAME.ccos`."""

    def __init__(self, connection: sqlite3.Connection, path: str, *, writable: bool, tidy: bool = False) -> None:
        self.connection = connection
        self.path = path
        self.writable = writable
        self.tidy = tidy or writable
        """Whether it may put the file back into one piece when it is the last to leave."""
        self.held: files.Inode | None = None
        self.notice: CcosError | None = None
        """Something a person should hear before they trust what is read, e.g. that this is a partial copy."""

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Record {self.path} {'writing' if self.writable else 'reading'}>"

    def close(self) -> None:
        """Leave. The last to leave puts the file back into one piece."""
        if self.tidy:
            try:
                self.connection.execute("PRAGMA busy_timeout = 0")
                self.connection.execute("PRAGMA query_only = OFF")
                self.connection.execute("PRAGMA journal_mode = DELETE")
            except files.TROUBLE:
                pass  # somebody else is still in it, and will do the same
        self.connection.close()
        if self.held is not None:
            files.release(self.held)
            self.held = None

    # -- where it stands ------------------------------------------------------------------------------------------

    def head(self) -> tuple[int, bytes]:
        """(step, hash) of the last op."""
        for query in (
            "SELECT step, hash FROM op ORDER BY step DESC LIMIT 1",
            "SELECT last, after FROM segment ORDER BY first DESC LIMIT 1",
        ):
            for step, hash_ in self.ask(query):
                if type(step) is not int or type(hash_) is not bytes or len(hash_) != DIGEST_BYTES:
                    raise files.damaged(f"its last step ({step}) has no hash", self.path)
                return step, hash_
        return 0, GENESIS

    def floor(self) -> int:
        """The last step that was moved into the archive; 0 when none was."""
        for (last,) in self.ask("SELECT last FROM segment ORDER BY first DESC LIMIT 1"):
            if type(last) is not int:
                raise files.damaged("its last archive segment has no end", self.path)
            return last
        return 0

    def local(self, name: str) -> Any:
        """A fact about this file on this machine, which is no part of the record: its root, whether it is paused."""
        rows = self.ask("SELECT value FROM local WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    # -- reading --------------------------------------------------------------------------------------------------

    def rows(self, first: int = 1, last: int = LAST_STEP, *, tolerant: bool = False) -> Iterator[Row]:
        """(step, hash, body) of the ops from `first` to `last`; `tolerant` goes on behind what can't be read."""
        at = max(first, 1)
        while at <= last:
            floor = self._floor(tolerant)
            if at <= floor:
                from ccos_core.storage.segments import archived_rows  # dataclasses, which no append needs

                yield from archived_rows(self, at, min(last, floor), tolerant=tolerant)
                at = min(last, floor) + 1
            for row in self._live_rows(at, last, tolerant):
                if row[0] != at and self._floor(tolerant) >= at:
                    break  # archived while we were reading, so it goes on there
                yield row
                at = row[0] + 1
            else:
                if self._floor(tolerant) < at:
                    return

    def op(self, step: int) -> Row:
        """The op that made `step`."""
        for row in self.ask("SELECT step, hash, body FROM op WHERE step = ?", (step,)):
            return self._whole(row, tolerant=False)
        for row in self.rows(step, step):  # it lies in the archive
            return row
        end = self.head()[0]
        if 1 <= step <= end:
            raise files.damaged(f"step {step} is missing", self.path)
        raise NotFound(
            f"there is no step {step}",
            place=self.path,
            hint=f"Its steps are 1 to {end}." if end else "It has none yet.",
        )

    def content(self, blob: bytes) -> bytes:
        """The content of that hash."""
        rows = self.ask('SELECT form, "check", body, size FROM blob WHERE hash = ?', (blob,))
        if not rows:
            for size, step, at, why, check in self.ask(ERASED, (blob,)):
                if not row_holds(check, blob, size, step, at, why):
                    raise files.damaged(f"the tombstone of content {blob.hex()[:12]} was changed", self.path)
                raise Erased(
                    f"content {blob.hex()[:12]} was erased at step {step} ({why})",
                    place=self.path,
                    hint="It was erased on purpose and can't be restored from this record.",
                )
            raise NotFound(
                f"no content has the hash {blob.hex()}",
                place=self.path,
                hint=f"If an op names it, see: ccos-tui verify {self.path}",
            )
        try:
            content = unpack(*rows[0])
        except Spoiled as error:
            raise files.damaged(f"content {blob.hex()[:12]}: {error}", self.path) from error
        if digest(content) != blob:
            raise files.damaged(f"content {blob.hex()[:12]} doesn't match its hash", self.path)
        return content

    def bodies(self, steps: Iterable[int]) -> dict[int, bytes]:
        """The ops of those of these steps that can be read at once, in one sweep."""
        wanted = set(steps)
        rows = self.among("SELECT step, body FROM op WHERE step IN", sorted(wanted))
        found = {step: body for step, body in rows if type(body) is bytes}
        if archived := sorted(wanted - found.keys()):
            from ccos_core.storage.segments import archived_bodies

            found.update(archived_bodies(self, archived))
        return found

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        """Those of these contents that are here and whole, in one sweep; what is wrong with others `content` says."""
        found = {}
        for row in self.among('SELECT hash, size, form, "check", body FROM blob WHERE hash IN', blobs):
            try:
                found[row[0]] = unpacked(*row)
            except Spoiled:
                continue
        return found

    def whole(self, blobs: Iterable[bytes]) -> set[bytes]:
        """Those of these contents that lie here as they were stored, in one sweep; nothing is unpacked for that."""
        rows = self.among('SELECT hash, "check", body FROM blob WHERE hash IN', blobs)
        return {name for name, check, body in rows if type(body) is bytes and is_whole(check, body)}

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """What those of these facts say that are recorded, in one sweep; one that is spoiled counts as none."""
        wanted = dict.fromkeys(keys)
        query = 'SELECT key, interpreter, version, digest, form, "check", body, size FROM fact WHERE key IN'
        found = {}
        for row in self.among(query, dict.fromkeys(key for key, _, _ in wanted)):
            if row[:3] in wanted:
                try:
                    found[row[:3]] = fact_body(*row)
                except Spoiled:
                    continue
        return found

    def delivered(self, key: bytes) -> int | None:
        """The step an event was recorded as, if it was."""
        for step, check in self.ask('SELECT step, "check" FROM delivery WHERE key = ?', (key,)):
            if type(step) is not int or not row_holds(check, key, step):
                raise files.damaged(f"the note of event {key.hex()} was changed", self.path)
            return step
        return None

    def ask(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of one short query, with SQLite's troubles put into words."""
        try:
            return self.connection.execute(sql, values).fetchall()
        except files.TROUBLE as error:
            raise files.explain(error, self.path) from error

    def among(self, sql: str, keys: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Rows of a query that ends in IN, some hundred keys at a time."""
        left = list(keys)
        for at in range(0, len(left), CHUNK):
            share = left[at : at + CHUNK]
            yield from self.ask(f"{sql} ({', '.join('?' * len(share))})", tuple(share))

    def walk(self, sql: str, start: tuple[Any, ...], chunk: int = CHUNK) -> Iterator[tuple[Any, ...]]:
        """Rows of a long query, a chunk at a time: it takes up after `start`, then after each chunk's last row."""
        ends = {start}
        while rows := self.ask(f"{sql} LIMIT {chunk}", start):
            yield from rows
            start = rows[-1][: len(start)]
            if start in ends:
                raise files.damaged("its rows go round in a circle", self.path)
            ends.add(start)

    # -- writing --------------------------------------------------------------------------------------------------

    def write(self) -> Writing:
        """A transaction: `with record.write() as writing: ...`"""
        return Writing(self)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _floor(self, tolerant: bool) -> int:
        try:
            return self.floor()
        except Damaged:
            if tolerant:
                return 0
            raise

    def _live_rows(self, first: int, last: int, tolerant: bool) -> Iterator[Row]:
        query = "SELECT step, hash, body FROM op WHERE step >= ? AND step <= ? ORDER BY step LIMIT ?"
        unread = 0
        while first <= last and unread < GIVE_UP:
            try:
                rows = self.ask(query, (first, last, CHUNK))
                if not rows:
                    return
                if any(one[0] >= other[0] for one, other in zip([(first - 1,), *rows], rows, strict=False)):
                    raise files.damaged("its steps don't follow each other", self.path)
                upto = rows[-1][0]
            except Damaged:
                if not tolerant:
                    raise
                upto = min(first + CHUNK - 1, last)
                rows = self._one_by_one(first, upto)
            for row in rows:
                yield self._whole(row, tolerant)
            unread = 0 if rows else unread + CHUNK
            first = upto + 1

    def _one_by_one(self, first: int, last: int) -> list[tuple[Any, ...]]:
        """What is left of a chunk that can't be read as a whole."""
        rows: list[tuple[Any, ...]] = []
        for step in range(first, last + 1):
            try:
                rows += self.ask("SELECT step, hash, body FROM op WHERE step = ?", (step,))
            except Damaged:
                continue
        return rows

    def _whole(self, row: tuple[Any, ...], tolerant: bool) -> Row:
        """The row, if it is of bytes; for whoever tolerates that it isn't, one that no chain goes through."""
        step, hash_, body = row
        if type(hash_) is bytes and type(body) is bytes:
            return step, hash_, body
        if tolerant:
            return step, b"", body if type(body) is bytes else b""
        raise files.damaged(f"step {step} isn't what was stored", self.path)


class Writing:
    """One transaction on a record: all of it on disk when the block ends, or none of it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.failed = False
        self.step = 0
        self.hash = GENESIS
        """The head, moving with each append."""
        self._changed: row_sums.Sums = {}

    def __enter__(self) -> Writing:
        self._run("BEGIN IMMEDIATE")
        try:
            self.step, self.hash = self.record.head()
        except BaseException:
            self._roll_back()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._roll_back()
            return
        try:
            self._keep_sums()
            self._run("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def append(self, body: bytes, key: bytes | None = None) -> int:
        """The step of a new op at the end of the chain."""
        after = chained(self.hash, body)
        self._run("INSERT INTO op VALUES (?, ?, ?)", (self.step + 1, after, body))
        self.step, self.hash = self.step + 1, after
        if key is not None:
            self.deliver(key, self.step)
        return self.step

    def deliver(self, key: bytes, step: int) -> None:
        """Note that an event is recorded as `step`, so that it never is again."""
        self._run("INSERT INTO delivery VALUES (?, ?, ?)", (key, step, row_check(key, step)))
        row_sums.add(self._changed, "delivery", key, step)

    def keep(self, blob: bytes, content: bytes) -> None:
        """Store a content under its hash, once; what was forgotten on purpose stays forgotten."""
        if not self._settled(blob):
            self._run("INSERT INTO blob VALUES (?, ?, ?, ?, ?)", (blob, len(content), *pack(content)))

    def keep_packed(self, blob: bytes, size: int, packed: tuple[int, int, bytes]) -> None:
        """The same for a content somebody packed ahead."""
        if not self._settled(blob):
            self._run("INSERT INTO blob VALUES (?, ?, ?, ?, ?)", (blob, size, *packed))

    def _settled(self, blob: bytes) -> bool:
        """Whether a content is here already, or was here and is to stay forgotten."""
        known = "SELECT 1 FROM blob WHERE hash = ? UNION ALL SELECT 1 FROM erased WHERE hash = ?"
        return bool(self.record.ask(known, (blob, blob)))

    def erase(self, blob: bytes, size: int, step: int, at: int, why: str) -> int:
        """Put a tombstone in a content's place; nothing that was found in it stays. Gives how many facts that were."""
        check = row_check(blob, size, step, at, why)
        self._run("INSERT INTO erased VALUES (?, ?, ?, ?, ?, ?)", (blob, size, step, at, why, check))
        self._run("DELETE FROM blob WHERE hash = ?", (blob,))
        # a key that is no row of hashes is of a composed text, which may hold lines of anything
        return self.drop_facts("instr(key, ?) OR length(key) % ?", (blob, DIGEST_BYTES))

    def drop_facts(self, where: str, values: tuple[Any, ...]) -> int:
        """Delete the facts of which that holds; gives how many they were."""
        for (named,) in self.record.ask(f"SELECT digest FROM fact WHERE {where}", values):  # noqa: S608 (ours)
            row_sums.add(self._changed, "fact", named, sign=-1)
        return self._run(f"DELETE FROM fact WHERE {where}", values)  # noqa: S608 (ours)

    def keep_fact(self, key: bytes, interpreter: str, version: int, body: bytes) -> bool:
        """Record what an interpreter found, unless that version of it already has; gives whether it was new."""
        named = (key, interpreter, version)
        return self.keep_packed_fact(named, packed_fact(named, body))

    def keep_packed_fact(self, key: Key, packed: Packed) -> bool:
        """The same for a fact somebody packed ahead. What was forgotten meanwhile isn't said again by its facts."""
        parts = drawn_from(key[0])
        marks = ", ".join("?" * len(parts))
        sql = f"INSERT OR IGNORE INTO fact SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS ({ANY_ERASED} ({marks}))"
        is_new = self._run(sql, (*key, *packed, *parts)) > 0
        if is_new:
            row_sums.add(self._changed, "fact", packed[0])
        return is_new

    def set_local(self, name: str, value: Any) -> None:
        """Note a fact about this file on this machine; None takes it away."""
        if value is None:
            self._run("DELETE FROM local WHERE name = ?", (name,))
        elif isinstance(value, str):  # a folder may be called anything: what is no text in it, is kept as it stands
            said = value.encode("utf-8", "surrogateescape")
            self._run("INSERT OR REPLACE INTO local VALUES (?, CAST(? AS TEXT))", (name, said))
        else:
            self._run("INSERT OR REPLACE INTO local VALUES (?, ?)", (name, value))

    def run(self, sql: str, values: tuple[Any, ...] = ()) -> int:
        """Any other change; gives the number of rows it touched."""
        return self._run(sql, values)

    def _keep_sums(self) -> None:
        """Bring the sums over what no chain proves up to date with what this transaction changed."""
        if self._changed:
            sums = row_sums.renewed(self.record.local(row_sums.NAME), self._changed, self.record)
            if sums is not None:
                self.set_local(row_sums.NAME, sums)

    def _run(self, sql: str, values: tuple[Any, ...] = ()) -> int:
        if self.failed:  # SQLite may have ended the transaction, and what follows would stand on its own
            raise Unavailable(
                "part of this write failed, so nothing was written",
                place=self.record.path,
                hint="Try again; earlier steps are saved.",
            )
        try:
            return self.record.connection.execute(sql, values).rowcount
        except files.TROUBLE as error:
            self.failed = True
            raise files.explain(error, self.record.path) from error

    def _roll_back(self) -> None:
        try:
            if self.record.connection.in_transaction:
                self.record.connection.execute("ROLLBACK")
        except files.TROUBLE:
            pass  # what made us do it is the better story
