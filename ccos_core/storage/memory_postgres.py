"""Entries in Postgres, with pgvector: for programs on several machines. Needs the extra `postgres`.

A mirror like any other: it can be dropped and filled anew. All tables lie in one schema. Entries are copied in by the
batch, in one transaction with the cursor.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ccos_core.errors import Unavailable, Usage
from ccos_core.memory.backend import Cursor, Moved, Result, Search, Stats, stats_of
from ccos_core.memory.deriving import VERSION
from ccos_core.memory.entry import Entry, entry_bytes, entry_of
from ccos_core.memory.index import facet_of
from ccos_core.memory.remote import Candidate, counted_terms, remote_query

MIGRATIONS = (
    """
    CREATE TABLE facet (number INTEGER PRIMARY KEY GENERATED ALWAYS AS IDENTITY, body BYTEA NOT NULL UNIQUE);
    CREATE TABLE memo (
      id BYTEA PRIMARY KEY, facet INTEGER NOT NULL, last BIGINT NOT NULL, length INTEGER NOT NULL,
      terms TEXT[] NOT NULL, often INTEGER[] NOT NULL, body BYTEA NOT NULL
    );
    CREATE INDEX memo_terms ON memo USING gin (terms);
    CREATE INDEX memo_facet ON memo (facet);
    CREATE TABLE follows (
      single BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (single), step BIGINT NOT NULL, head TEXT NOT NULL,
      course TEXT NOT NULL, erased BIGINT NOT NULL, changes BIGINT NOT NULL
    );
    INSERT INTO follows VALUES (TRUE, 0, '', '', 0, 0);
    """,
    """
    CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
    ALTER TABLE memo ADD COLUMN embedding public.vector;
    """,
)
"""What brings a schema from one layout to the next."""
PUT = """
INSERT INTO memo SELECT * FROM incoming ON CONFLICT (id) DO UPDATE SET
  facet = excluded.facet, last = excluded.last, length = excluded.length, terms = excluded.terms,
  often = excluded.often, body = excluded.body, embedding = excluded.embedding
"""
COPY = "COPY incoming (id, facet, last, length, terms, often, body, embedding) FROM STDIN"
PATIENCE_SECONDS = 10
READ_AT_ONCE = 1_000


class MemoryPostgres:
    """One schema of a database; `url` is as libpq reads it."""

    name = "postgres"

    def __init__(self, url: str, schema: str = "ccos") -> None:
        if not schema.isidentifier():
            raise Usage("isn't a name for a schema", place=schema[:40])
        self._driver = _driver()
        self.place = f"schema {schema} of the Postgres database"  # an address may hold a password
        self._schema = f"{schema}_{VERSION}"
        with self._troubled():
            self._connection = self._driver.connect(url, connect_timeout=PATIENCE_SECONDS, autocommit=True)
            try:
                self._migrate()
            except BaseException:
                self.close()
                raise

    # ---- what is stored ----

    def store(self, entry: Entry) -> str:
        return self.store_batch([entry])[0]

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        latest = {entry.id: entry for entry in entries}
        bodies = {id_: entry_bytes(entry) for id_, entry in latest.items()}
        with self._writing() as connection:
            known = Cursor(*connection.execute("SELECT step, head, course, erased FROM follows FOR UPDATE").fetchone())
            if after is not None and after != known:
                raise Moved("was filled by another program meanwhile", place=self.place)
            numbers = self._numbered(latest.values())
            connection.execute("CREATE TEMP TABLE incoming (LIKE memo) ON COMMIT DROP")
            with connection.cursor().copy(COPY) as copy:
                for id_, entry in latest.items():
                    counts = counted_terms(entry)
                    terms = (list(counts), list(counts.values()))
                    length = sum(counts.values())
                    vector = entry.more("embedding")
                    row = (id_.encode(), numbers[facet_of(entry)], entry.last, length, *terms, bodies[id_])
                    copy.write_row((*row, json.dumps(vector) if vector else None))
            connection.execute(PUT)
            connection.execute("UPDATE follows SET changes = changes + 1")
            if cursor is not None:
                told = (cursor.step, cursor.head, cursor.course, cursor.erased)
                connection.execute("UPDATE follows SET step = %s, head = %s, course = %s, erased = %s", told)
        return [entry.id for entry in entries]

    def remove(self, ids: Iterable[str]) -> int:
        with self._writing() as connection:
            connection.execute("UPDATE follows SET changes = changes + 1")
            return int(connection.execute("DELETE FROM memo WHERE id = ANY(%s)", (_keys(ids),)).rowcount)

    def clear(self) -> None:
        with self._writing() as connection:
            connection.execute("TRUNCATE memo, facet")
            emptied = "UPDATE follows SET step = 0, head = '', course = '', erased = 0, changes = changes + 1"
            connection.execute(emptied)

    # ---- what is asked ----

    def retrieve(self, id_: str) -> Entry | None:
        return self.retrieve_batch([id_]).get(id_)

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        rows = self._ask("SELECT body FROM memo WHERE id = ANY(%s)", _keys(ids))
        return {entry.id: entry for entry in (entry_of(body) for (body,) in rows)}

    def entries(self) -> Iterator[Entry]:
        last = b""
        while rows := self._ask(f"SELECT id, body FROM memo WHERE id > %s ORDER BY id LIMIT {READ_AT_ONCE}", last):  # noqa: S608 (ours)
            yield from (entry_of(body) for _, body in rows)
            last = rows[-1][0]

    def query(self, search: Search) -> Result:
        return remote_query(self, search)

    def nearest(self, vector: Sequence[int | float], limit: int, max_privacy: int) -> list[Entry]:
        """Return the entries whose `embedding` is nearest to a vector of the same model, by cosine."""
        facets = [number for number, facet in self.facets().items() if facet.privacy <= max_privacy]
        asked = """
            SELECT body FROM memo WHERE facet = ANY(%s) AND embedding IS NOT NULL
            ORDER BY embedding OPERATOR(public.<=>) %s::public.vector, id LIMIT %s
        """
        return [entry_of(body) for (body,) in self._ask(asked, facets, json.dumps(list(vector)), limit)]

    def get_stats(self) -> Stats:
        return stats_of(self.name, self.entries(), self.cursor())

    def cursor(self) -> Cursor:
        return Cursor(*self._ask("SELECT step, head, course, erased FROM follows")[0])

    def version(self) -> int:
        return int(self._ask("SELECT changes FROM follows")[0][0])

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        self._connection.close()

    # ---- as a server ----

    def facets(self) -> dict[int, Entry]:
        return {number: entry_of(body) for number, body in self._ask("SELECT number, body FROM facet")}

    def totals(self, facets: Collection[int]) -> tuple[int, int]:
        asked = "SELECT count(*), coalesce(sum(length), 0) FROM memo WHERE facet = ANY(%s)"
        count, total = self._ask(asked, list(facets))[0]
        return int(count), int(total)

    def candidates(self, facets: Collection[int], terms: Collection[str], since: int) -> Iterator[Candidate]:
        asked = "SELECT id, last, length, terms, often FROM memo WHERE facet = ANY(%s) AND last > %s"
        having = (" AND terms && %s", list(terms)) if terms else ("",)
        for id_, last, length, known, often in self._ask(asked + having[0], list(facets), since, *having[1:]):
            yield Candidate(bytes(id_).decode(), last, length, dict(zip(known, often, strict=True)) if terms else {})

    # ---- helpers ----

    def _ask(self, sql: str, *values: Any) -> list[Any]:
        with self._troubled():
            found: list[Any] = self._connection.execute(sql, values).fetchall()
            return found

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        with self._troubled(), self._connection.transaction():
            yield self._connection

    @contextmanager
    def _troubled(self) -> Iterator[None]:
        try:
            yield
        except self._driver.Error as error:
            hint = "It is tried again; the record has everything."
            told = str(error).strip().partition("\n")[0]
            raise Unavailable(f"can't be reached or used: {told}", place=self.place, hint=hint) from error

    def _migrate(self) -> None:
        """Bring the schema to the newest layout."""
        connection = self._connection
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(0x63636f73)")
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
            connection.execute(f"SET search_path TO {self._schema}, public")
            connection.execute("CREATE TABLE IF NOT EXISTS layout (number INTEGER NOT NULL)")
            done = connection.execute("SELECT coalesce(max(number), 0) FROM layout").fetchone()[0]
            for number, migration in enumerate(MIGRATIONS[done:], done + 1):
                connection.execute(migration)
                connection.execute("INSERT INTO layout VALUES (%s)", (number,))

    def _numbered(self, entries: Iterable[Entry]) -> dict[Entry, int]:
        """Return the numbers of the labels of entries; new labels get one."""
        bodies = {entry_bytes(facet): facet for facet in map(facet_of, entries)}
        put = "INSERT INTO facet (body) SELECT unnest(%s::bytea[]) ON CONFLICT DO NOTHING"
        self._connection.execute(put, (list(bodies),))
        rows = self._connection.execute("SELECT body, number FROM facet WHERE body = ANY(%s)", (list(bodies),))
        return {bodies[bytes(body)]: number for body, number in rows}


def _keys(ids: Iterable[str]) -> list[bytes]:
    """Return ids as they are stored: a text of Postgres can't have every character."""
    return [id_.encode() for id_ in ids]


def _driver() -> Any:
    try:
        return import_module("psycopg")
    except ImportError as error:
        hint = "Install it with: pip install 'ccos-tui[postgres]'"
        raise Unavailable("needs psycopg, which isn't installed", place="postgres", hint=hint) from error
