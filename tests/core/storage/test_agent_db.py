"""Sessions in the databases of agents: found, given as documents, and never in a writer's way."""

import contextlib
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import NotFound, NotUnderstood, Unavailable
from ccos_core.intake.importers.formats import Transcript
from ccos_core.session.listing import listed
from ccos_core.session.named import find_record
from ccos_core.session.search_texts import read_transcript
from ccos_core.session.transcripts import Story, Tail, stories
from ccos_core.storage import agent_db
from ccos_core.storage.files import is_record
from tests.core.intake.importers import chats_as_text, test_crush, test_opencode
from tests.core.intake.importers.foreign import RECORDINGS

OPENCODE = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, time_created INT, time_updated INT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INT, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
"""  # noqa: E501
CRUSH = """
CREATE TABLE goose_db_version (id INT);
CREATE TABLE files (id TEXT);
CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, prompt_tokens INT, completion_tokens INT, cost REAL,
                       created_at INT, updated_at INT, summary_message_id TEXT);
CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INT);
"""
GOOSE = """
CREATE TABLE schema_version (version INT);
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT, created_at TIMESTAMP,
                       updated_at TIMESTAMP, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INT,
                       metadata_json TEXT);
"""


def opencode(path: Path, session: str = "ses_1", parent: str | None = None, wal: bool = False) -> str:
    """Put the session that has everything into a database; returns its address."""
    made = test_opencode.everything()
    new = not path.exists()
    with sqlite3.connect(path) as db:
        if wal:
            db.execute("PRAGMA journal_mode = WAL")
        if new:
            db.executescript(OPENCODE)
        begun = made["info"]["time"]["created"] + len(session)
        row = (session, parent, made["info"]["directory"], made["info"]["title"], begun, begun)
        db.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", row)
        for number, message in enumerate(made["messages"]):
            info = {name: value for name, value in message["info"].items() if name not in ("id", "sessionID")}
            name = f"{session}.{message['info']['id']}"
            db.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, number, json.dumps(info)))
            for part in message["parts"]:
                data = {key: value for key, value in part.items() if key not in ("id", "messageID")}
                db.execute(
                    "INSERT INTO part VALUES (?, ?, ?, ?)", (f"{session}.{part['id']}", name, session, json.dumps(data))
                )
    db.close()
    return f"{path}#{session}"


def crush(path: Path) -> str:
    made: dict[str, Any] = test_crush.document()
    with sqlite3.connect(path) as db:
        db.executescript(CRUSH)
        row = [value for name, value in made["crush"].items() if name != "directory"]
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        for each in made["messages"]:
            values = (each["id"], "s1", each["role"], json.dumps(each["parts"]), each["model"], each["created_at"])
            db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", values)
    db.close()
    return f"{path}#s1"


def goose(path: Path) -> str:
    made: dict[str, Any] = chats_as_text.goose()
    with sqlite3.connect(path) as db:
        db.executescript(GOOSE)
        row = made["goose"]
        values = (row["id"], row["name"], row["working_dir"], row["created_at"], json.dumps(row["model_config"]))
        db.execute("INSERT INTO sessions VALUES (?, ?, '', ?, ?, '2026-01-02 03:05:00', ?)", values)
        for each in made["messages"]:
            shown = (json.dumps(each["content"]), each["created_timestamp"], json.dumps(each["metadata"]))
            db.execute("INSERT INTO messages VALUES (?, 's1', ?, ?, ?, ?)", (each["id"], each["role"], *shown))
    db.close()
    return f"{path}#s1"


def kinds(raw: bytes) -> list[str]:
    return [each["kind"] for each in Transcript("s").feed(raw)]


def test_a_document_says_what_the_export_says(tmp_path: Path) -> None:
    address = opencode(tmp_path / "opencode.db")
    assert kinds(agent_db.document(address)) == kinds(json.dumps(test_opencode.everything()).encode())
    assert [each.address for each in agent_db.sessions_in(str(tmp_path / "opencode.db"))] == [address]


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings beside the checkout")
def test_a_document_is_the_export_of_the_host_itself() -> None:
    folder = RECORDINGS / "real-hosts"
    export = json.loads((folder / "opencode-1.18.33-export.json").read_text())
    session = export["info"]["id"]
    found = json.loads(agent_db.document(f"{folder / 'opencode-1.18.33.db'}#{session}"))
    assert [each["info"] for each in found["messages"]] == [each["info"] for each in export["messages"]]
    for one, other in zip(found["messages"], export["messages"], strict=True):
        named = [
            {name: value for name, value in part.items() if name not in ("sessionID", "messageID")}
            for part in other["parts"]
        ]
        assert one["parts"] == named


def test_crush_is_read_and_its_folder_is_the_project(tmp_path: Path) -> None:
    folder = tmp_path / ".crush"
    folder.mkdir()
    found = json.loads(agent_db.document(crush(folder / "crush.db")))
    assert found["crush"]["directory"] == str(tmp_path)
    assert found["messages"][0]["parts"] == test_crush.document()["messages"][0]["parts"]


def test_goose_is_read_and_listed(tmp_path: Path) -> None:
    address = goose(tmp_path / "sessions.db")
    assert json.loads(agent_db.document(address)) == chats_as_text.goose()
    found = listed([str(tmp_path)]).sessions
    assert [(each.path, each.agent, each.project, each.calls) for each in found] == [(address, "goose", "/w", 3)]


def test_sessions_are_listed_without_those_that_others_started(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    first, second = opencode(path), opencode(path, "ses_22")
    opencode(path, "ses_333", parent="ses_1")
    orphan = opencode(path, "ses_4444", parent="gone")
    found = listed([str(path)]).sessions
    assert {each.path for each in found} == {first, second, orphan}
    alone, with_subagent = (next(each for each in found if each.path == path) for path in (second, first))
    assert with_subagent.calls == 2 * alone.calls
    assert (alone.agent, alone.project) == ("opencode", "/w")
    assert [each.path for each in listed([str(tmp_path)]).sessions] == [each.path for each in found]


def test_a_story_has_the_sessions_that_it_started(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    first = opencode(path)
    inner = opencode(path, "ses_22", parent="ses_1")
    innermost = opencode(path, "ses_333", parent="ses_22")
    story = Story(Tail(first))
    contexts = {each.get("context") for each in story.read()}
    assert story.paths == [first, inner, innermost]
    assert len(contexts) == 3
    assert [each.main.path for each in stories([str(path)])] == [first]


def test_the_only_session_of_a_database_comes_with_those_that_it_started(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    first = opencode(path)
    inner = opencode(path, "ses_22", parent="ses_1")
    story = Story(Tail(str(path)))
    assert {each.get("context") for each in story.read()} == {None, "ses_22"}
    assert story.paths == [str(path), inner]
    assert story.main.address == first


def test_an_unchanged_database_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tail = Tail(opencode(tmp_path / "opencode.db"))
    assert list(tail.read())
    monkeypatch.setattr(agent_db, "document", lambda _: pytest.fail("it was read again"))
    assert not list(tail.read())


def test_a_damaged_database_keeps_no_other_session_of_a_folder_out(tmp_path: Path) -> None:
    opencode(tmp_path / "a.db")
    raw = bytearray(Path(tmp_path / "a.db").read_bytes())
    raw[100:] = b"\xff" * (len(raw) - 100)
    (tmp_path / "a.db").write_bytes(raw)
    opencode(tmp_path / "b.db")
    assert [each.main.path for each in stories([str(tmp_path)])] == [f"{tmp_path / 'b.db'}#ses_1"]


def test_an_address_is_taken_where_a_transcript_is(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    address = opencode(path)
    assert not is_record(address)
    assert not is_record(str(path))
    ws = find_record(address)
    assert find_record(str(path)) != ws  # the only one there is meant
    assert read_transcript(address, {}).texts
    assert find_record(address) == ws


def test_what_is_written_later_is_read_and_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    tail = Tail(opencode(path))
    first = list(tail.read())
    assert list(tail.read()) == []
    data = json.dumps({"role": "user", "time": {"created": 1}})
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO message VALUES ('m99', 'ses_1', 999, ?)", (data,))
        part = json.dumps({"type": "text", "text": "More."})
        db.execute("INSERT INTO part VALUES ('p99', 'm99', 'ses_1', ?)", (part,))
    db.close()
    again = list(tail.read())
    assert again[: len(first)] == first
    assert [each["said"] for each in again[len(first) :] if each["kind"] == "prompt"] == ["More."]


def test_a_path_with_several_sessions_asks_for_one(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    opencode(path)
    opencode(path, "ses_22")
    with pytest.raises(NotUnderstood, match="holds 2 sessions"):
        find_record(str(path))
    with pytest.raises(NotFound, match="no such session"):
        find_record(f"{path}#nobody")


def test_a_writer_is_never_kept_waiting_and_what_it_committed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    address = opencode(path, wal=True)
    writer = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE session SET title = 'New'")
        before = json.loads(agent_db.document(address))["info"]["title"]
        writer.execute("COMMIT")
        assert json.loads(agent_db.document(address))["info"]["title"] == "New" != before
        writer.execute("UPDATE session SET title = 'Newer'")
    finally:
        writer.close()


def test_nothing_is_left_beside_it_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    address = opencode(path, wal=True)
    before = path.read_bytes()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        assert kinds(agent_db.document(address))
    finally:
        tmp_path.chmod(0o700)
    assert (os.listdir(tmp_path), path.read_bytes()) == ([path.name], before)


def test_a_database_of_another_program_holds_no_session(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE session (id TEXT)")
    db.close()
    assert agent_db.sessions_in(str(path)) == []
    assert list(listed([str(tmp_path)]).sessions) == []
    with pytest.raises(NotUnderstood, match="no session"):
        find_record(str(path))


@pytest.mark.parametrize("at", [20, 100, 5_000, 9_000])
def test_a_damaged_database_is_said_in_one_sentence(tmp_path: Path, at: int) -> None:
    path = tmp_path / "opencode.db"
    address = opencode(path)
    raw = bytearray(path.read_bytes())
    raw[at : at + 4_000] = b"\xff" * 4_000
    path.write_bytes(raw)
    for ask in (lambda: agent_db.sessions_in(str(path)), lambda: agent_db.document(address)):
        with contextlib.suppress(Unavailable, NotFound):
            ask()
    listed([str(tmp_path)])


def test_values_that_are_not_what_they_should_be_keep_nothing_else_out(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    address = opencode(path)
    with sqlite3.connect(path) as db:
        for number, data in enumerate([None, 7, b"\xff\xfe", "{", "[]", '{"role": 3}']):
            db.execute("INSERT INTO message VALUES (?, 'ses_1', ?, ?)", (f"m{number}x", 100 + number, data))
    db.close()
    whole = kinds(json.dumps(test_opencode.everything()).encode())
    assert kinds(agent_db.document(address))[: len(whole) - 1] == whole[:-1]
