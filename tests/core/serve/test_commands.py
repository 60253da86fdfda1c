"""Each command does what it says, tells people on stderr, and gives data on stdout."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path

import pytest

from ccos_core.ops import epoch
from ccos_core.ops.plain import delivery_key
from ccos_core.query.stats import tally
from ccos_core.serve.cli.main import COMMANDS
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.values.canon import canonical, chained
from tests.core.serve.calling import Caller, demo


def head(path: Path) -> tuple[int, str]:
    with open_record(str(path)) as record:
        step, hash_ = record.head()
        return step, hash_.hex()


# ---- making ----


def test_init_makes_and_says_what_next(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("init", "my work.ccos")
    assert (done.code, done.out) == (0, "")
    assert "Next: ccos-tui ingest 'my work.ccos' ." in done.err
    assert run("init", "my work.ccos").code == 1
    assert head(tmp_path / "my work.ccos")[0] == 1
    assert oct((tmp_path / "my work.ccos").stat().st_mode & 0o777) == "0o600"


def test_init_wants_a_name_that_says_what_it_is(run: Caller, tmp_path: Path) -> None:
    assert run("init").code == 2
    done = run("init", tmp_path / "work")
    assert done.code == 2
    assert f"ccos-tui init {tmp_path / 'work'}.ccos" in done.err


def test_init_of_another_root(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    (tmp_path / "proj" / "a.py").write_text("x\n")
    assert run("init", tmp_path / "deep" / "work.ccos", "--root", tmp_path / "proj").code == 0
    assert run("ingest", tmp_path / "deep" / "work.ccos", tmp_path / "proj").code == 0
    assert run("log", tmp_path / "deep" / "work.ccos", "--json").lines()[-1]["path"] == "a.py"
    assert run("init", tmp_path / "b.ccos", "--root", tmp_path / "nonesuch").code == 2


def test_init_here_is_found_by_the_folder(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proj" / "sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "proj")
    assert run("init", "--here").code == 0
    assert head(tmp_path / "proj" / ".ccos" / "work.ccos")[0] == 1
    (tmp_path / "proj" / "sub" / "a.py").write_text("x\n")
    assert run("ingest", ".", ".").code == 0
    assert run("stats", "sub", "--json").json()["paths"] == 1
    assert run("ingest", ".", ".").err.startswith("0 files recorded, 1 unchanged")
    (tmp_path / "elsewhere").mkdir()
    done = run("log", tmp_path / "elsewhere")
    assert done.code == 1
    assert "ccos-tui init --here --root" in done.err


# ---- recording ----


def test_ingest_says_what_it_left_out_and_why(run: Caller, tmp_path: Path) -> None:
    run("init", tmp_path / "work.ccos")
    (tmp_path / "a.py").write_text("x\n")
    (tmp_path / ".env").write_text("A=1\n")
    (tmp_path / "b.py").write_text("y\n")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    (tmp_path / ".gitignore").write_text("b.py\n")
    done = run("ingest", tmp_path / "work.ccos", tmp_path)
    assert done.out == ""
    assert done.err.splitlines() == [
        "3 files recorded, 0 unchanged  (1 without text: secret by name)",
        "left out: 1 ignored by .gitignore, 1 binary",
    ]
    again = run("ingest", tmp_path / "work.ccos", tmp_path, "--json").json()
    assert again["schema"] == "ccos.ingest/1"
    assert (again["recorded"], again["unchanged"], again["gone"]) == (0, 3, 0)
    assert (again["step"], again["head"]) == head(tmp_path / "work.ccos")
    assert again["left_out"][0] == {"reason": "ignored by .gitignore", "files": 1, "folders": 0}


@pytest.mark.parametrize("off", ["1", "yes"])
def test_recording_can_be_switched_off(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: str) -> None:
    run("init", tmp_path / "work.ccos")
    (tmp_path / "a.py").write_text("x\n")
    monkeypatch.setenv("CCOS_OFF", off)
    assert run("ingest", tmp_path / "work.ccos", tmp_path).code == 1
    monkeypatch.setenv("CCOS_OFF", "0")
    assert run("pause", tmp_path / "work.ccos").err == "Paused\n"
    assert run("pause", tmp_path / "work.ccos").err == "Recording was paused already\n"
    done = run("ingest", tmp_path / "work.ccos", tmp_path)
    assert done.code == 1
    assert f"ccos-tui resume {tmp_path / 'work.ccos'}" in done.err
    assert "(paused)" in run("stats", tmp_path / "work.ccos").out
    assert run("resume", tmp_path / "work.ccos").err == "Recording\n"
    assert run("resume", tmp_path / "work.ccos").err == "Recording was not paused\n"
    assert run("ingest", tmp_path / "work.ccos", tmp_path).code == 0


def test_who_pauses_a_folder_is_told_which_workspace_that_was(run: Caller, tmp_path: Path) -> None:
    """Hooks record into the project's own, which may be another one."""
    path = tmp_path / "work.ccos"
    run("init", path)
    assert run("pause", tmp_path).err == f"Paused: {path}\n"
    assert run("resume", tmp_path).err == f"Recording: {path}\n"


def test_ingest_archives_by_itself(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("init", tmp_path / "work.ccos")
    for number in range(9):
        (tmp_path / f"m{number}.py").write_text(f"{number}\n")
    monkeypatch.setenv("CCOS_OPLOG_MAX", "2")
    monkeypatch.setenv("CCOS_OPLOG_KEEP", "3")
    done = run("ingest", tmp_path / "work.ccos", tmp_path)
    assert done.code == 2
    assert "CCOS_OPLOG_KEEP" in done.err
    assert head(tmp_path / "work.ccos")[0] == 1  # said before anything was done
    monkeypatch.setenv("CCOS_OPLOG_KEEP", "1")
    assert run("ingest", tmp_path / "work.ccos", tmp_path).code == 0
    assert run("stats", tmp_path / "work.ccos", "--json").json()["floor"] == 9
    monkeypatch.setenv("CCOS_OPLOG_MAX", "many")
    assert run("ingest", tmp_path / "work.ccos", tmp_path).code == 2


# ---- reading ----


def test_log_has_a_line_for_each_op_and_its_fields_by_name(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    told = run("log", path, "--json").lines()
    assert [line["step"] for line in told] == list(range(1, 14))
    assert told[-1]["hash"] == head(path)[1]
    assert told[2] == {
        "step": 3, "hash": told[2]["hash"], "kind": "tool", "v": 1, "name": "Read", "outcome": "ok", "host": "demo",
        "session": "demo-0001", "actor": "agent", "call": "call-2", "at": 1_771_061_478_000,
        "arguments": told[2]["arguments"], "result": told[2]["result"],
    }  # fmt: skip
    for line in told:
        body = canonical({key: value for key, value in line.items() if key not in ("step", "hash")})
        before = bytes.fromhex(told[line["step"] - 2]["hash"]) if line["step"] > 1 else None
        assert before is None or chained(before, body).hex() == line["hash"]
    assert len(run("log", path, "--steps").out.splitlines()) == 13


@pytest.mark.parametrize(("since", "left"), [(0, 13), (1, 12), (12, 1), (13, 0), (99, 0)])
def test_log_since_a_step(run: Caller, tmp_path: Path, since: int, left: int) -> None:
    path = demo(tmp_path)
    for archived in (False, True):
        if archived:
            run("compact", path, "--max", 4, "--keep", 4)
        done = run("log", path, "--since", since, "--json")
        assert done.code == 0
        assert [line["step"] for line in done.lines()] == list(range(since + 1, since + left + 1))


def test_the_columns_of_log_line_up(run: Caller, tmp_path: Path) -> None:
    lines = run("log", demo(tmp_path), "--steps").out.splitlines()
    assert {line[6:9] + line[28:30] + line[31] + line[42] for line in lines} == {" " * 7}
    assert {line.rpartition("  ")[2] for line in lines if "Bash pytest" in line} == {"403 B", "404 B"}
    assert [line[43:45] for line in lines if "Bash pytest" in line] == ["✗ ", "✗ "]


def test_what_log_prints_cannot_steer_a_terminal(run: Caller, tmp_path: Path) -> None:
    """Ops made by somebody else's program may hold what our gate would not have let in."""
    path = demo(tmp_path)
    with open_session(str(path)) as session, session.recorded.write() as writing:
        writing.append(canonical({"kind": "gone", "v": 1, "path": "a\x1b[2J\u202eb"}))
    assert "a[U+001B ESC][2J[U+202E RLO]b" in run("log", path).out


def test_stats_are_the_same_from_the_journal_of_a_long_record(
    run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = demo(tmp_path)
    run("goto", path, "1")  # folds it
    read = [run("stats", path, "--json").out, run("stats", path).out]
    monkeypatch.setattr("ccos_core.serve.cli.reading.LONG", 0)
    counted: list[int] = []
    monkeypatch.setattr(
        "ccos_core.query.stats.tally", lambda timeline: (counted.append(timeline.head), tally(timeline))[1]
    )
    assert [run("stats", path, "--json").out, run("stats", path).out] == read
    assert counted == [13, 13]


def test_stats_of_a_long_record_that_nobody_folded_leave_nothing_behind(
    run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = demo(tmp_path)
    read = run("stats", path, "--json").out
    there = sorted(each.name for each in tmp_path.iterdir())
    monkeypatch.setattr("ccos_core.serve.cli.reading.LONG", 0)
    assert run("stats", path, "--json").out == read
    assert sorted(each.name for each in tmp_path.iterdir()) == there


def test_stats_count_what_is_there(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    told = run("stats", path, "--json").json()
    assert told["schema"] == "ccos.stats/1"
    assert told["steps"] == 13
    assert told["kinds"]["tool"] == 8
    assert told["head"] == head(path)[1]
    assert told["space"]["file"] == path.stat().st_size
    assert run("stats", path).out.startswith("steps      13, head ")


# ---- proving ----


def test_verify_says_ok_and_where_it_breaks(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    assert run("verify", path).out.endswith("OK: nothing was changed since it was recorded.\n")
    told = run("verify", path, "--json").json()
    assert (told["valid"], told["proven"], told["first_break"]) == (True, 13, None)
    with sqlite3.connect(path) as store:
        store.execute("UPDATE op SET body = replace(body, 'call-5', 'call-6') WHERE step = 6")
    store.close()
    done = run("verify", path)
    assert done.code == 4
    assert "BROKEN at step 6" in done.out
    told = run("verify", path, "--json")
    assert told.code == 4
    assert told.json()["first_break"]["step"] == 6
    done = run("log", path, "--json")
    assert done.code == 4
    assert [line.get("step") for line in done.lines()] == [*range(1, 14), None]
    assert done.lines()[-1]["schema"] == "ccos.error/1"
    assert "step 6" in done.err


def test_an_anchor_tells_a_record_from_one_computed_anew(run: Caller, tmp_path: Path) -> None:
    path, anchor = demo(tmp_path), tmp_path / "heads.txt"
    assert "added to" in run("verify", path, "--anchor", anchor).err
    assert run("verify", path, "--anchor", anchor).err == ""
    assert anchor.read_text() == f"13 {head(path)[1]}\n"
    with open_session(str(path)) as session:
        rows = list(session.recorded.rows())
        with session.recorded.write() as writing:
            writing.run("DELETE FROM op WHERE step > 4")
            writing.run("DELETE FROM delivery WHERE step > 4")
            writing.set_local("sums", None)
            writing.step, writing.hash = rows[3][:2]
            for _, _, body in rows[4:]:
                op = json.loads(body)
                writing.append(canonical(op | {"at": op["at"] + 1}), delivery_key(op))
    assert run("verify", path).code == 0
    done = run("verify", path, "--anchor", anchor)
    assert done.code == 4
    assert "BROKEN at step 13" in done.out
    assert anchor.read_text().count("\n") == 1


def test_an_anchor_file_without_a_head_is_not_understood(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    assert run("verify", demo(tmp_path), "--anchor", tmp_path / "notes.txt").code == 3
    assert run("verify", tmp_path / "demo.ccos", "--anchor", tmp_path).code == 2
    assert run("verify", tmp_path / "demo.ccos", "--anchor", tmp_path / "no" / "such").code == 5


# ---- copies, archives, forgetting ----


def test_copy_while_somebody_writes(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    stop = threading.Event()

    def write() -> None:
        with open_session(str(path)) as session:
            while not stop.is_set():
                session.record([{"kind": "usage", "window": 1}] * 20)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(4):
            assert run("copy", path, tmp_path / f"copy{number}.ccos").code == 0
    finally:
        stop.set()
        writer.join()
    for number in range(4):
        copied = tmp_path / f"copy{number}.ccos"
        assert run("verify", copied).code == 0
        assert head(copied)[0] >= 13
    (tmp_path / "folder").mkdir()
    assert run("copy", path, tmp_path / "folder").code == 0
    assert head(tmp_path / "folder" / "demo.ccos") == head(path)
    assert run("copy", path, tmp_path / "folder").code == 1
    assert run("copy", path, path).code == 1
    assert run("copy", path, tmp_path / "no" / "such.ccos").code == 5


def test_compact_moves_and_nothing_is_lost(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    before = run("log", path, "--json").out
    assert run("compact", path).err == "Nothing to move yet\n"
    assert run("compact", path, "--max", 5, "--keep", 5).err == "8 steps moved into the archive\n"
    assert run("log", path, "--json").out == before
    assert run("verify", path).code == 0
    assert run("compact", path, "--max", 1, "--keep", 5).code == 2
    assert run("compact", path, "--keep", -1).code == 2


def test_an_archive_outside_is_missed_by_name(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    before = run("log", path, "--json").out
    assert run("compact", path, "--max", 5, "--keep", 5, "--archive", tmp_path / "old").code == 0
    assert run("log", path, "--json").out == before
    assert run("copy", path, tmp_path / "whole.ccos").code == 0
    (segment,) = (tmp_path / "old").iterdir()
    segment.rename(tmp_path / "away")
    done = run("log", path)
    assert done.code != 0
    assert segment.name in done.err + run("verify", path).out
    assert run("log", path, "--since", 8).code == 0
    assert run("log", tmp_path / "whole.ccos", "--json").out == before


def test_forget_wants_one_way_of_saying_what(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    assert run("forget", path).code == 2
    assert run("forget", path, "0" * 8, "--match", "x").code == 2
    assert run("forget", path, "0" * 8).code == 1
    assert run("forget", path, "--match", "(").code == 2
    assert run("forget", path, "--path", "no/such").code == 1
    done = run("forget", path, "--path", "src/db.py", "--json")
    assert done.json() == {
        "schema": "ccos.forget/1",
        "contents": 2,
        "bytes": 300,
        "facts": 0,
        "lingering": False,
        "inline": 0,
    } | {"bytes": done.json()["bytes"]}
    assert done.err.startswith("Erased 2 texts, ")
    assert "erased at step 13" in run("verify", path).out
    assert run("log", path).code == 0


def test_upgrade_has_nothing_to_do(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    assert run("upgrade", path).err == "Its epoch is current already\n"
    assert head(path)[0] == 13


def test_upgrade_begins_a_new_epoch_where_this_version_has_another(
    run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = demo(tmp_path)
    later = {**epoch.current(), "ticks": {"prompt": 2}}
    monkeypatch.setattr(epoch, "current", lambda interpreters, at: {**later, "at": at})
    assert run("upgrade", path).err == "Started a new epoch\n"
    assert run("log", path, "--json").lines()[-1]["ticks"] == {"prompt": 2}
    assert run("upgrade", path).err == "Its epoch is current already\n"
    assert run("verify", path).code == 0


# ---- leaving and arriving ----


def test_export_and_import_give_the_same_head_and_bytes(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    run("forget", path, "--path", "src/db.py")
    assert run("export", path, "-o", tmp_path / "a.jsonl").err == "13 steps written\n"
    assert run("import", tmp_path / "a.jsonl", "-o", tmp_path / "other.ccos").code == 0
    assert head(tmp_path / "other.ccos") == head(path)
    assert run("verify", tmp_path / "other.ccos").code == 0
    run("export", tmp_path / "other.ccos", "-o", tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert run("import", tmp_path / "a.jsonl", "-o", tmp_path / "other.ccos").code == 1


@pytest.mark.parametrize("line", [0, 1, 7, -1])
@pytest.mark.parametrize("how", ["missing", "twice", "cut", "changed", "garbage"])
def test_an_export_that_was_tampered_with_makes_nothing(run: Caller, tmp_path: Path, line: int, how: str) -> None:
    run("export", demo(tmp_path), "-o", tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    changed = {
        "missing": [],
        "twice": [lines[line], lines[line]],
        "cut": [lines[line][: len(lines[line]) // 2]],
        "changed": [lines[line].replace(b"1", b"2").replace(b"e", b"f")],
        "garbage": [b'\xff\x00{"is":[]}\n'],
    }
    lines[line : line + 1 or None] = changed[how]
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines))
    done = run("import", tmp_path / "b.jsonl", "-o", tmp_path / "b.ccos")
    assert done.code in (3, 4)
    assert "b.jsonl" in done.err
    assert [path.name for path in tmp_path.iterdir() if "b.ccos" in path.name] == []


def test_import_says_what_is_wrong_with_its_file(run: Caller, tmp_path: Path) -> None:
    ws = tmp_path / "a.ccos"
    assert run("import", tmp_path / "no.jsonl", "-o", ws).code == 3
    assert run("import", tmp_path, "-o", ws).code == 3
    (tmp_path / "empty").write_bytes(b"")
    assert run("import", tmp_path / "empty", "-o", ws).code == 3
    assert run("import", tmp_path / "empty", "-o", tmp_path / "a.db").code == 2
    assert not ws.exists()


def test_a_command_that_is_nearly_right(run: Caller) -> None:
    assert "Did you mean verify" in run("verfy").err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Caller, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: ccos-tui {command}")
    assert done.err == ""


def test_without_words_it_says_what_it_can_do(run: Caller) -> None:
    for words in ((), ("--help",)):
        done = run(*words)
        assert done.code == 0
        assert all(f"  {command} " in done.out for command in COMMANDS)


def test_the_demonstration_is_valid(run: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("demo", "evicted")
    assert done.code == 0
    (path,) = tmp_path.rglob("demo.ccos")
    assert str(path) in done.out
    with open_record(str(path)) as record:
        assert prove(record).valid
        assert b"unter2" not in path.read_bytes()
        assert b"orders.db" not in b"".join(record.content(row[0]) for row in record.ask("SELECT hash FROM blob"))
