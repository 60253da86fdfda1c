"""Sessions that agents keep in SQLite: which there are, and each as the JSON document that its reader knows.

    sessions_in("opencode.db")              # their addresses: "opencode.db#ses_1", the oldest first
    document("opencode.db#ses_1")           # the bytes of the document

A database is opened read-only; a writer is never kept waiting. An agent is one entry of `AGENTS`.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ccos_core.errors import NotFound, NotUnderstood, Unavailable
from ccos_core.storage.files import MAGIC, TROUBLE

SEPARATOR = "#"
"""Between a database's path and the session's id in an address."""
WAIT_SECONDS = 5.0
ID = "id"


@dataclass(frozen=True, slots=True)
class Stored:
    """One session of a database."""

    address: str
    parent: str
    """The id of the session that started it, if that is there; empty otherwise."""
    size: int
    """Characters of its messages."""
    changed: int
    """When it was written last, in nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Agent:
    """How one agent keeps sessions."""

    tables: frozenset[str]
    """The tables by which a database of the agent's is known."""
    sessions: str
    """A query for (id, the parent's id or none, when it was written last, characters), the oldest first."""
    document: Callable[[sqlite3.Connection, str], dict[str, Any] | None]
    """Makes the document of a session; None if there is no such session."""
    parents: str = ""
    """A query for (id, the parent's id), the oldest first; empty if no session starts another."""
    unit: int = 1_000_000
    """Nanoseconds of one unit of its times."""


def split(address: str) -> tuple[str, str]:
    """Return (the path, the session's id); the id is empty for a path of its own."""
    path, found, session = address.rpartition(SEPARATOR)
    if found and session and not os.path.exists(address) and is_database(path):
        return path, session
    return address, ""


def is_database(path: str) -> bool:
    """Whether a file begins as SQLite's do."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):
        return False


def sessions_in(path: str) -> list[Stored]:
    """Return the sessions of a database; none if it is of no agent that can be read."""
    with _opened(path) as connection:
        agent = _agent_of(connection)
        if agent is None:
            return []
        rows = connection.execute(agent.sessions).fetchall()
    ids = {str(row[0]) for row in rows}
    return [
        Stored(
            address=f"{path}{SEPARATOR}{row[0]}",
            parent=str(row[1]) if str(row[1]) in ids else "",
            size=_count(row[3]),
            changed=_count(row[2]) * agent.unit,
        )
        for row in rows
    ]


def begun_by(address: str) -> list[str]:
    """Return the addresses of the sessions that a session started, and that those started."""
    path, session = split(address)
    with _opened(path) as connection:
        agent = _agent_of(connection)
        rows = connection.execute(agent.parents).fetchall() if agent is not None and agent.parents else []
    found, parents = [], {session}
    for name, parent in rows:
        if parent in parents:
            parents.add(name)
            found.append(f"{path}{SEPARATOR}{name}")
    return found


def only_session(path: str) -> str:
    """Return the address of the only session that a person began in a database; empty if there is none."""
    found = [each.address for each in sessions_in(path) if not each.parent]
    if len(found) > 1:
        hint = f"Name one of them: {path}{SEPARATOR}ID. They are listed by: ccos-tui sessions {path}"
        raise NotUnderstood(f"holds {len(found):,} sessions", place=path, hint=hint)
    return found[0] if found else ""


def state_of(path: str) -> tuple[int, ...]:
    """Return what changes whenever something is written to a database, or to what lies beside it."""
    found: list[int] = []
    for each in (path, f"{os.path.realpath(path)}-wal"):
        with contextlib.suppress(OSError):
            told = os.stat(each)
            found += [told.st_ino, told.st_size, told.st_mtime_ns]
    return tuple(found)


def document(address: str) -> bytes:
    """Return the document of a session."""
    path, session = split(address)
    with _opened(path) as connection:
        agent = _agent_of(connection)
        found = agent.document(connection, session) if agent is not None else None
    if found is None:
        raise NotFound("there is no such session", place=address, hint=f"List them: ccos-tui sessions {path}")
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")


# -- agents -----------------------------------------------------------------------------------------------------------


def _opencode(connection: sqlite3.Connection, session: str) -> dict[str, Any] | None:
    """As `opencode export` has it."""
    rows = _rows(connection, "SELECT * FROM session WHERE id = ?", session)
    if not rows:
        return None
    row = rows[0]
    info = {"id": session, "parentID": row.get("parent_id"), "directory": row.get("directory")}
    info |= {"title": row.get("title"), "time": {"created": row.get("time_created")}}
    parts: dict[str, list[Any]] = {}
    for part in _rows(connection, "SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id", session):
        parts.setdefault(part["message_id"], []).append({**_object(part["data"]), ID: part[ID]})
    messages = _rows(connection, "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", session)
    named = [{**_object(message["data"]), ID: message[ID], "sessionID": session} for message in messages]
    told = [{"info": message, "parts": parts.get(message[ID], [])} for message in named]
    return {"info": {name: value for name, value in info.items() if value is not None}, "messages": told}


def _crush(connection: sqlite3.Connection, session: str) -> dict[str, Any] | None:
    rows = _rows(connection, "SELECT * FROM sessions WHERE id = ?", session)
    if not rows:
        return None
    query = "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid"
    messages = [{**row, "parts": _decoded(row.get("parts"))} for row in _rows(connection, query, session)]
    return {"crush": {**rows[0], "directory": _project_of(connection)}, "messages": messages}


def _project_of(connection: sqlite3.Connection) -> str:
    """The folder whose `.crush` the database lies in; empty if it lies elsewhere."""
    path = connection.execute("PRAGMA database_list").fetchone()[2] or ""
    folder = os.path.dirname(path)
    return os.path.dirname(folder) if os.path.basename(folder) == ".crush" else ""


def _cursor(connection: sqlite3.Connection, session: str) -> dict[str, Any] | None:
    """A composer, and its bubbles in their order."""
    query = "SELECT value FROM cursorDiskKV WHERE key = ?"
    rows = _rows(connection, query, f"composerData:{session}")
    if not rows:
        return None
    composer = _object(rows[0]["value"])
    headers = composer.pop("fullConversationHeadersOnly", None)
    ids = [each["bubbleId"] for each in headers or () if isinstance(each, dict) and "bubbleId" in each]
    found = (_rows(connection, query, f"bubbleId:{session}:{bubble}") for bubble in ids)
    bubbles = [
        {**_object(row["value"]), "bubbleId": bubble} for bubble, rows in zip(ids, found, strict=True) for row in rows
    ]
    kept = ("composerId", "name", "createdAt", "lastUpdatedAt", "modelConfig", "contextTokensUsed", "contextTokenLimit")
    return {"composer": {name: composer[name] for name in kept if name in composer}, "bubbles": bubbles}


def _goose(connection: sqlite3.Connection, session: str) -> dict[str, Any] | None:
    rows = _rows(connection, "SELECT * FROM sessions WHERE id = ?", session)
    if not rows:
        return None
    kept = ("id", "name", "description", "working_dir", "created_at")
    query = "SELECT * FROM messages WHERE session_id = ? ORDER BY id"
    messages = [
        {
            **{name: row.get(name) for name in (ID, "role", "created_timestamp")},
            "content": _decoded(row.get("content_json")),
            "metadata": _decoded(row.get("metadata_json")),
        }
        for row in _rows(connection, query, session)
    ]
    session_row = {name: rows[0][name] for name in kept if name in rows[0]}
    session_row["model_config"] = _decoded(rows[0].get("model_config_json"))
    return {"goose": session_row, "messages": messages}


AGENTS = (
    Agent(
        frozenset({"session", "message", "part"}),
        "SELECT s.id, s.parent_id, s.time_updated,"
        " (SELECT sum(length(p.data)) FROM part p WHERE p.session_id = s.id)"
        " FROM session s ORDER BY s.time_created, s.id",
        _opencode,
        "SELECT id, parent_id FROM session ORDER BY time_created, id",
    ),
    Agent(
        frozenset({"sessions", "messages", "files", "goose_db_version"}),
        "SELECT s.id, s.parent_session_id, s.updated_at,"
        " (SELECT sum(length(m.parts)) FROM messages m WHERE m.session_id = s.id)"
        " FROM sessions s ORDER BY s.created_at, s.id",
        _crush,
        "SELECT id, parent_session_id FROM sessions ORDER BY created_at, id",
        unit=1_000_000_000,
    ),
    Agent(
        frozenset({"cursorDiskKV", "ItemTable"}),
        "SELECT substr(c.key, 14), NULL, json_extract(CAST(c.value AS TEXT), '$.lastUpdatedAt'), length(c.value)"
        " FROM cursorDiskKV c WHERE c.key >= 'composerData:' AND c.key < 'composerData;' AND EXISTS (SELECT 1 FROM"
        " cursorDiskKV b WHERE b.key >= 'bubbleId:' || substr(c.key, 14) AND b.key < 'bubbleId:' || substr(c.key, 14)"
        " || ';') ORDER BY 3, 1",
        _cursor,
    ),
    Agent(
        frozenset({"sessions", "messages", "schema_version"}),
        "SELECT s.id, NULL, CAST(strftime('%s', s.updated_at) AS INTEGER),"
        " (SELECT sum(length(m.content_json)) FROM messages m WHERE m.session_id = s.id)"
        " FROM sessions s ORDER BY s.created_at, s.id",
        _goose,
        unit=1_000_000_000,
    ),
)
"""OpenCode, Crush, Cursor and Goose."""


# -- helpers ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _opened(path: str) -> Iterator[sqlite3.Connection]:
    """Open for reading. A file in WAL mode without its neighbours is read as it stands: nobody writes to it."""
    real = os.path.realpath(path)
    still = "" if os.path.exists(f"{real}-wal") else "&immutable=1"
    try:
        connection = sqlite3.connect(f"file:{quote(real)}?mode=ro{still}", uri=True, timeout=WAIT_SECONDS)
        try:
            connection.text_factory = _text
            yield connection
        finally:
            connection.close()
    except TROUBLE as error:
        raise Unavailable(f"can't be read: {error}", place=path) from error


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _agent_of(connection: sqlite3.Connection) -> Agent | None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return next((agent for agent in AGENTS if agent.tables <= tables), None)


def _rows(connection: sqlite3.Connection, query: str, session: str) -> list[dict[str, Any]]:
    cursor = connection.execute(query, (session,))
    names = [column[0] for column in cursor.description]
    rows = (dict(zip(names, row, strict=True)) for row in cursor)
    return [{name: _text(value) if isinstance(value, bytes) else value for name, value in row.items()} for row in rows]


def _decoded(said: Any) -> Any:
    try:
        return json.loads(said)
    except (TypeError, ValueError, RecursionError):
        return None


def _object(said: Any) -> dict[str, Any]:
    found = _decoded(said)
    return found if isinstance(found, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
