"""Search over all sessions of a machine: what is found, where it leads, and what the index may hold."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import Unavailable, Usage
from ccos_core.ops.plain import unseal
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.forget import forget
from ccos_core.session.named import import_transcript
from ccos_core.session.search import Asked, Searched, bring_up_to_date, search, step_of
from ccos_core.session.search_texts import FIELDS, KINDS, OVERLAP, read_transcript, texts_of
from ccos_core.storage import search_index
from ccos_core.storage.opening import open_record
from ccos_core.storage.search_index import Reading
from tests.core.intake.importers import claude_code_fixtures, codex_fixtures
from tests.core.text.sanitize.secret_samples import samples

SHARED = Path(__file__).resolve().parents[4] / "shared" / "sessions"
CLAUDE = claude_code_fixtures.everything().values
CODEX = codex_fixtures.everything().lines
CWD = "/home/kim/till"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of Claude Code's transcripts on a machine where nothing else is."""
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    folder = tmp_path / "claude" / "projects" / "till"
    folder.mkdir(parents=True)
    return folder


def found(words: str, **asked: Any) -> Searched:
    return search(Asked(words, **asked), bring_up_to_date(asked.get("paths", ())))


class Told:
    """A transcript of Claude Code in the making."""

    def __init__(self, path: Path, minute: int = 0) -> None:
        self.path = path
        self.session = path.stem
        self.minute = minute
        self.number = 0

    def user(self, content: Any, **more: Any) -> Told:
        return self._add("user", {"role": "user", "content": content}, more)

    def agent(self, *blocks: dict[str, Any]) -> Told:
        content = [{"type": "text", **each} if "text" in each else each for each in blocks]
        return self._add("assistant", {"id": f"m{self.number}", "role": "assistant", "content": content}, {})

    def call(self, id_: str, name: str, arguments: dict[str, Any], result: str) -> Told:
        self.agent({"type": "tool_use", "id": id_, "name": name, "input": arguments})
        return self.user([{"type": "tool_result", "tool_use_id": id_, "content": result}])

    def _add(self, kind: str, message: dict[str, Any], more: dict[str, Any]) -> Told:
        at = f"2026-03-01T09:{self.minute:02}:{self.number % 60:02}.000Z"
        told = {"type": kind, "uuid": f"{self.session}-{self.number}", "sessionId": self.session, "cwd": CWD}
        with self.path.open("a") as file:
            file.write(json.dumps({**told, "timestamp": at, "message": message, **more}) + "\n")
        self.number += 1
        return self


def a_session(path: Path, minute: int = 0) -> Told:
    told = Told(path, minute).user("Why is the tax a cent too low?")
    told.agent({"type": "thinking", "thinking": "Perhaps rounding is to blame."}, {"text": "Let me look at the taxes."})
    told.call("t1", "Bash", {"command": "pytest -q till"}, "E  assert 19 == 20\nmigration pending")
    return told.user("<system-reminder>todo is empty</system-reminder>", isMeta=True)


# -- what is found ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("prompt", "cent too low"),
        ("thinking", "rounding blame"),
        ("text", "look taxes"),
        ("input", '"pytest -q till"'),
        ("result", "assert 19"),
        ("host", "todo empty"),
    ],
)
def test_a_text_is_found_by_its_words_and_kind(home: Path, kind: str, words: str) -> None:
    told = a_session(home / "one.jsonl")
    answer = found(words, kinds=(kind,))
    assert [(hit.kind, hit.path, hit.session, hit.agent) for hit in answer.hits] == [
        (kind, str(told.path), "one", "claude-code")
    ]
    assert (answer.hits[0].project, answer.hits[0].title) == (CWD, "Why is the tax a cent too low?")
    assert (answer.texts, answer.sessions, answer.searched) == (1, 1, 1)
    for other in set(KINDS) - {kind}:
        assert not found(words, kinds=(other,)).hits


def test_all_words_stand_in_one_text(home: Path) -> None:
    a_session(home / "one.jsonl")
    assert found("tax cent").texts == 1
    assert found("tax rounding").texts == 0
    assert found('"a cent too"').texts == 1
    assert found('"cent a too"').texts == 0
    assert found("migr*").texts == 1
    assert found("migr").texts == 0
    assert found("migr", unfinished=True).texts == 1
    with pytest.raises(Usage):
        found("***")


def test_the_newest_come_first_and_the_limit_counts(home: Path) -> None:
    for number, name in enumerate(("one", "two", "three")):
        a_session(home / f"{name}.jsonl", minute=number)
    answer = found("cent", limit=2)
    assert [hit.session for hit in answer.hits] == ["three", "two"]
    assert (answer.texts, answer.sessions) == (3, 3)
    assert [hit.session for hit in found("cent", since=answer.hits[0].at).hits] == ["three"]


def test_filters_choose_sessions(home: Path) -> None:
    a_session(home / "one.jsonl")
    assert found("cent", agent="Claude").texts == 1
    assert found("cent", agent="codex").searched == 0
    assert found("cent", project="/home/kim").texts == 1
    assert found("cent", project="/home/ki").texts == 0


def test_snippets_are_harmless_and_marked(home: Path) -> None:
    Told(home / "one.jsonl").user("Why is it \x1b[31mred\x1b[0m\u202e and\nbold\x07?")
    hit = found("red bold").hits[0]
    assert not set("\x1b\x07\u202e\n") & set(hit.snippet)
    assert [hit.snippet[begin:end] for begin, end in hit.marks] == ["red", "bold"]
    assert "[U+001B ESC]" in hit.snippet


def test_a_subagents_text_opens_its_session(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    inner = home / "one" / "subagents" / "agent-7.jsonl"
    inner.parent.mkdir(parents=True)
    Told(inner).user("Count the receipts.", sessionId="one", isSidechain=True, agentId="7")
    hit = found("receipts").hits[0]
    assert (hit.path, hit.title) == (str(told.path), "Why is the tax a cent too low?")


# -- what is new ------------------------------------------------------------------------------------------------------


def test_only_what_is_appended_goes_through_the_gate(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = a_session(home / "one.jsonl")
    for _ in range(40):
        told.agent({"text": "Still looking at the taxes."})
    assert found("cent").texts == 1
    told.user("It rounds down, of course.")
    admitted: list[Any] = []

    def count(*given: Any) -> Admitted:
        admitted.append(given)
        return admit(*given)

    monkeypatch.setattr("ccos_core.session.search_texts.admit", count)
    assert found("rounds course").texts == 1
    assert len(admitted) == OVERLAP + 1
    assert found("cent").texts == 1


def test_a_file_that_was_rewritten_or_deleted_is_forgotten(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    a_session(home / "two.jsonl")
    assert found("cent").texts == 2
    told.path.write_text(told.path.read_text().replace("cent", "penny"))
    assert (found("cent").texts, found("penny").texts) == (1, 1)
    told.path.unlink()
    assert (found("cent").texts, found("penny").texts, found("penny").searched) == (1, 0, 1)


def test_a_large_file_is_read_in_parts_and_an_interrupted_search_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = a_session(home / "one.jsonl")
    for number in range(200):
        told.agent({"text": f"Looking at receipt number {number}, whose tax is fine."})
    monkeypatch.setattr("ccos_core.session.search_texts.AT_A_TIME", 20_000)

    def stop(done: int, total: int) -> None:
        assert 0 < done < total, "it was read in parts"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring_up_to_date(heard=stop)
    heard: list[tuple[int, int]] = []
    bring_up_to_date(heard=lambda done, total: heard.append((done, total)))
    assert len(heard) > 1
    assert heard[-1][0] == heard[-1][1] < told.path.stat().st_size
    assert found("receipt fine").texts == 200
    assert found("cent").texts == 1


def test_a_file_that_cannot_be_read_now_is_read_the_next_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = a_session(home / "one.jsonl")

    def busy(path: str, state: Any) -> None:
        raise Unavailable("is busy", place=path)

    with monkeypatch.context() as patched:
        patched.setattr("ccos_core.session.search_texts.read_transcript", busy)
        assert found("cent").texts == 0
    assert found("cent").hits[0].path == str(told.path)


def texts(reading: Reading) -> dict[tuple[bytes, int], str]:
    return {(each.key, each.kind): zlib.decompress(each.packed).decode() for each in reading.texts}


SILENT = {"claude-code": {"type": "last-prompt"}, "codex": {"type": "state"}}


@pytest.mark.parametrize(("host", "values"), [("claude-code", CLAUDE), ("codex", CODEX)])
def test_reading_on_from_every_record_finds_what_reading_anew_finds(
    tmp_path: Path, host: str, values: list[Any]
) -> None:
    """The silent records at the end make every place one to go on from: the last eight records are read again."""
    path = tmp_path / "session.jsonl"
    lines = [json.dumps(each).encode() + b"\n" for each in [*values, *[SILENT[host]] * (OVERLAP + 1)]]
    path.write_bytes(b"".join(lines))
    whole = texts(read_transcript(str(path), {}))
    for number in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:number]))
        before = read_transcript(str(path), {})
        path.write_bytes(b"".join(lines))
        reading = read_transcript(str(path), before.state)
        assert texts(reading) | ({} if reading.anew else texts(before)) == whole, number


@pytest.mark.parametrize("values", [CLAUDE, CODEX], ids=["claude-code", "codex"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_reading_on_finds_what_reading_anew_finds(tmp_path: Path, values: list[Any], data: st.DataObject) -> None:
    """A file may grow at any byte, several times."""
    raw = b"".join(json.dumps(each).encode() + b"\n" for each in values)
    path = tmp_path / "session.jsonl"
    ends = sorted(data.draw(st.lists(st.integers(1, len(raw)), min_size=1, max_size=3)))
    kept: dict[tuple[bytes, int], str] = {}
    state: dict[str, Any] = {}
    for end in (*ends, len(raw)):
        path.write_bytes(raw[:end])
        reading = read_transcript(str(path), state)
        kept, state = texts(reading) | ({} if reading.anew else kept), reading.state
    assert kept == texts(read_transcript(str(path), {}))


# -- where it leads ---------------------------------------------------------------------------------------------------


def assert_every_text_leads_to_its_step(path: Path) -> int:
    reading = read_transcript(str(path), {})
    with open_record(import_transcript(str(path))) as record:
        for each in reading.texts:
            step = record.delivered(each.key)
            assert step is not None
            op = unseal(record.op(step)[2])
            wanted = [bytes.fromhex(op[name]["blob"]) for name, _ in FIELDS[op["kind"]] if name in op]
            told = (KINDS[each.kind], zlib.decompress(each.packed).decode())
            assert told in list(texts_of(op, record.contents(wanted)))
    return len(reading.texts)


@pytest.mark.parametrize("values", [CLAUDE, CODEX], ids=["claude-code", "codex"])
def test_every_text_leads_to_the_step_that_an_import_makes(tmp_path: Path, values: list[Any]) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"".join(json.dumps(each).encode() + b"\n" for each in values))
    assert assert_every_text_leads_to_its_step(path) > 10


@pytest.mark.slow
def test_every_text_of_recorded_sessions_leads_to_its_step() -> None:
    found = [each for end in ("jsonl", "json", "traj") for each in SHARED.glob(f"*/*.{end}")]
    chosen = sorted(each for each in found if 20_000 < each.stat().st_size < 700_000)
    if not chosen:
        pytest.skip("the recorded sessions aren't here")
    told = [each for each in chosen if read_transcript(str(each), {}).texts]
    assert sum(map(assert_every_text_leads_to_its_step, told)) > 500


def test_a_hit_leads_to_its_step(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    hit = found("migration pending").hits[0]
    with open_record(import_transcript(str(told.path))) as record:
        step = step_of(record, hit)
        assert unseal(record.op(step)[2])["kind"] == "tool"


# -- workspaces -------------------------------------------------------------------------------------------------------


def test_a_workspace_is_searched_where_its_transcript_is_gone(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    ws = import_transcript(str(told.path))
    assert [hit.path for hit in found("cent").hits] == [str(told.path)]
    told.path.unlink()
    answer = found("cent")
    assert [hit.path for hit in answer.hits] == [ws]
    assert (answer.hits[0].title, answer.hits[0].agent) == ("Why is the tax a cent too low?", "claude-code")
    with open_record(ws) as record:
        assert unseal(record.op(step_of(record, answer.hits[0]))[2])["kind"] == "prompt"


def test_a_workspace_that_has_grown_is_read_on(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    ws = import_transcript(str(told.path))
    raw = told.path.read_bytes()
    told.path.unlink()
    assert found("cent").texts == 1
    told.path.write_bytes(raw)
    told.user("It rounds down.")
    import_transcript(str(told.path))
    told.path.unlink()
    assert (found("cent").texts, found("rounds").texts) == (1, 1)
    assert found("rounds").hits[0].path == ws


def test_what_is_forgotten_leaves_the_index(home: Path) -> None:
    told = a_session(home / "one.jsonl")
    ws = import_transcript(str(told.path))
    told.path.unlink()
    assert found("migration").texts == 1
    forget(ws, match="migration pending")
    assert b"migration" not in everything_in_the_index()
    assert found("migration").texts == 0
    assert found("cent").texts == 1


# -- what the index holds ---------------------------------------------------------------------------------------------


def everything_in_the_index() -> bytes:
    """Its bytes, every text unpacked, and every word."""
    path = search_index.path()
    if not os.path.exists(path):
        return b""
    held = b"".join(Path(each).read_bytes() for each in (path, path + "-wal") if os.path.exists(each))
    with sqlite3.connect(path) as database:
        database.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, word, row)")
        terms = [term for (term,) in database.execute("SELECT term FROM vocabulary")]
        bodies = [zlib.decompress(packed) for (packed,) in database.execute("SELECT packed FROM body")]
        told = [str(row) for table in ("file", "story") for row in database.execute(f"SELECT * FROM {table}")]
    return b"\n".join([held, " ".join(terms).encode(), *bodies, "\n".join(told).encode()])


def test_no_secret_reaches_the_index(home: Path) -> None:
    """In no kind of text, not in a title, and not in the words alone: where a record masks it, so does the index."""
    made = list(samples(20_263, 1))
    told = Told(home / "one.jsonl")
    for number, each in enumerate(made):
        told.user(f"It fails with this: {each.text}")
        told.agent({"type": "thinking", "thinking": f"So it is {each.text}"}, {"text": f"I see {each.text}"})
        told.call(f"t{number}", "Bash", {"command": each.text}, f"$ cat config\n{each.text}\n[exit 0]\n")
    found("fails")
    held = everything_in_the_index().decode("utf-8", "replace").lower()
    with open_record(import_transcript(str(told.path))) as record:
        kept = "\n".join(
            record.content(bytes.fromhex(op[name]["blob"])).decode()
            for _, _, body in record.rows()
            for op in [unseal(body)]
            for name, _ in FIELDS.get(op["kind"], ())
            if name in op
        ).lower()
    pieces = [piece.lower() for each in made for piece in each.secrets]
    masked = [piece for piece in pieces if piece not in kept]
    assert len(masked) > 0.9 * len(pieces)
    assert not [piece for piece in masked if piece in held]


def test_withheld_files_stay_out(home: Path) -> None:
    told = Told(home / "one.jsonl").user("Look at the settings.")
    told.call("t1", "Read", {"file_path": f"{CWD}/.env"}, "SHOPDB=zwetschgenkuchen")
    told.call("t2", "Bash", {"command": "cat .env"}, "SHOPDB=zwetschgenkuchen")
    told.call("t3", "Bash", {"command": "grep -r SHOP ."}, "./.env:SHOPDB=zwetschgenkuchen\n./shop.py:SHOP = pflaume\n")
    assert found("pflaume").texts == 1
    assert found("zwetschgenkuchen").texts == 0
    assert b"zwetschgenkuchen" not in everything_in_the_index()


def test_only_the_user_may_read_it(home: Path) -> None:
    a_session(home / "one.jsonl")
    found("cent")
    path = search_index.path()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in Path(path).parent.glob("search.ccos-cache*"))


# -- mishaps ----------------------------------------------------------------------------------------------------------


def found_at_last(words: str) -> Searched:
    """An index that is found to be damaged is deleted, and the search after that makes it anew."""
    try:
        return found(words)
    except Unavailable:
        return found(words)


@pytest.mark.parametrize("spoil", ["cut", "zeros", "text", "other"])
def test_a_spoilt_index_is_made_anew(home: Path, spoil: str) -> None:
    for number in range(30):
        a_session(home / f"s{number}.jsonl")
    assert found("cent", limit=100).texts == 30
    path = Path(search_index.path())
    raw = path.read_bytes()
    for each in path.parent.glob("search.ccos-cache-*"):
        each.unlink()
    if spoil == "other":
        path.unlink()
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE mine (x)")
    else:
        half = {"cut": b"", "zeros": bytes(len(raw) // 2), "text": b"x" * (len(raw) // 2)}[spoil]
        path.write_bytes(raw[: len(raw) // 2] + half)
    assert found_at_last("cent").texts == 30


def test_an_index_of_another_version_is_made_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_session(home / "one.jsonl")
    assert found("cent").texts == 1
    monkeypatch.setattr("ccos_core.session.search.VERSION", "another")
    assert found("cent").texts == 1
    with sqlite3.connect(search_index.path()) as database:
        assert database.execute("SELECT version FROM made").fetchone() == ("another",)


def test_a_file_that_cannot_be_read_keeps_nothing_else_out(home: Path) -> None:
    a_session(home / "one.jsonl")
    (home / "two.jsonl").write_bytes(b'{"type": "user", \xff\xff\n[[[[' * 50)
    (home / "three.jsonl").write_bytes(b"\x00" * 5_000)
    os.symlink(home / "nowhere.jsonl", home / "four.jsonl")
    assert found("cent").texts == 1


def test_programs_may_build_and_search_at_once(home: Path) -> None:
    for number in range(60):
        a_session(home / f"s{number}.jsonl", minute=number)
    code = (
        "from ccos_core.session.search import *\n"
        "found = search(Asked('cent', limit=100), bring_up_to_date())\n"
        "print(found.texts, len(found.hits))"
    )
    programs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [each.communicate()[0].split() for each in programs] == [["60", "60"]] * 4
    with sqlite3.connect(search_index.path()) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert (
            database.execute("SELECT count(*) FROM said").fetchone()
            == database.execute("SELECT count(*) FROM body").fetchone()
        )
        database.execute("INSERT INTO word (word) VALUES ('integrity-check')")
