"""What no chain proves is summed up, so that a fact or a note of an event that came or went otherwise is noticed."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from ccos_core.log.packing import row_check
from ccos_core.serve.cli.demo import build
from ccos_core.serve.cli.main import main
from ccos_core.session.deriving import Rederives
from ccos_core.storage import rederiving, row_sums
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import Proof, prove
from tests.core.serve.calling import Caller

KEY = bytes(range(16))


@pytest.fixture(scope="module")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "demo.ccos"
    build(str(path))
    assert main(["recall", str(path)]) == 0  # records facts
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)


@pytest.fixture
def path(_whole: Path, tmp_path: Path) -> str:
    return str(shutil.copy(_whole, tmp_path / "w.ccos"))


def change(path: str, sql: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        assert connection.execute(sql, values).rowcount


def proof(path: str, *, thorough: bool = False) -> Proof:
    with open_record(path) as record:
        return prove(record, rederives=Rederives(), thorough=thorough)


def facts(path: str) -> list[str]:
    return [trouble.fact for trouble in proof(path).troubles]


def test_a_record_of_ours_has_sums_that_hold(path: str) -> None:
    assert proof(path).valid
    with open_record(path) as record:
        sums = row_sums.parsed(record.local(row_sums.NAME))
        assert sums == row_sums.counted(record.ask(row_sums.ROWS))
        assert sums is not None
        assert sums["fact"][0] > 3
        assert sums["delivery"][0] > 3


def test_a_deleted_fact_is_noticed(path: str) -> None:
    count = proof(path).facts
    change(path, "DELETE FROM fact WHERE rowid = (SELECT min(rowid) FROM fact)")
    assert facts(path) == [f"{count - 1} facts are here where {count} were recorded"]
    assert main(["verify", path]) == 4


def test_an_extra_note_of_an_event_is_noticed(path: str) -> None:
    count = proof(path).deliveries
    change(path, "INSERT INTO delivery VALUES (?, 3, ?)", KEY, row_check(KEY, 3))
    assert facts(path) == [f"{count + 1} notes of events are here where {count} were recorded"]


def test_one_for_another_is_noticed(path: str) -> None:
    with open_record(path, write=True) as record, record.write() as writing:
        writing.deliver(KEY, 3)
    assert proof(path).valid
    change(path, 'UPDATE delivery SET step = 4, "check" = ? WHERE key = ?', row_check(KEY, 4), KEY)
    (fact,) = facts(path)
    assert fact.endswith("isn't one that was recorded")


@pytest.mark.parametrize("value", ["", "1:2", "x:y z:w", 7, b"\xff"])
def test_sums_that_are_none_are_noticed(value: object, path: str) -> None:
    change(path, "UPDATE local SET value = ? WHERE name = ?", value, row_sums.NAME)
    assert set(facts(path)) == {"the sum over them can't be read"}
    with open_record(path, write=True) as record, record.write() as writing:
        writing.deliver(KEY, 3)
    assert set(facts(path)) == {"the sum over them can't be read"}, "a write doesn't heal it"


def test_a_record_from_before_gets_them_with_its_next_row(path: str) -> None:
    change(path, "DELETE FROM local WHERE name = ?", row_sums.NAME)
    assert proof(path).valid
    with open_record(path, write=True) as record, record.write() as writing:
        writing.deliver(KEY, 3)
    assert proof(path).valid
    change(path, "DELETE FROM delivery WHERE key = ?", KEY)
    assert len(facts(path)) == 1


def test_they_go_with_a_write_that_fails(path: str) -> None:
    with open_record(path, write=True) as record:
        before = record.local(row_sums.NAME)
        with contextlib.suppress(ZeroDivisionError), record.write() as writing:
            writing.deliver(KEY, 3)
            raise ZeroDivisionError
        assert record.local(row_sums.NAME) == before


def test_commands_keep_them(path: str, tmp_path: Path, run: Caller) -> None:
    exported, again = tmp_path / "e.jsonl", tmp_path / "again.ccos"
    for words in (
        ["failure", path, "src/db.py"],
        ["compact", path, "--max", "3", "--keep", "3"],
        ["recall", path],
        ["forget", path, "--match", "cents"],
        ["recall", path],
        ["copy", path, tmp_path / "copy.ccos"],
        ["verify", tmp_path / "copy.ccos"],
        ["export", path, "-o", exported],
        ["import", exported, "-o", again],
        ["verify", again],
        ["verify", path],
        ["verify", path, "--thorough", "--json"],
    ):
        assert run(*words).code == 0, words


def test_thorough_finds_a_forged_fact_beyond_the_sample(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rederiving, "MOST", 1)
    with open_record(path, write=True) as record, record.write() as writing:
        query = "SELECT key, interpreter, version FROM fact WHERE interpreter = 'python' ORDER BY digest DESC LIMIT 1"
        ((key, interpreter, version),) = record.ask(query)
        assert writing.drop_facts("key = ? AND interpreter = ?", (key, interpreter)) == 1
        assert writing.keep_fact(key, interpreter, version, b'{"flaws":[],"imports":[],"references":[],"symbols":[]}')
    seen = proof(path)
    assert (seen.valid, seen.rederived) == (True, 1)
    whole = proof(path, thorough=True)
    assert whole.rederived > 3
    (trouble,) = whole.troubles
    assert trouble.fact.endswith("isn't what its content gives")
    assert main(["verify", path, "--thorough"]) == 4


@pytest.mark.parametrize("step", [-5, 0])
def test_a_stray_op_is_named_by_its_own_step(step: int, path: str, run: Caller) -> None:
    head = proof(path).proven
    change(path, "INSERT INTO op VALUES (?, x'00', x'00')", step)
    done = run("verify", path)
    assert done.code == 4
    assert f"BROKEN{' at step -5' if step else ''}: an op stands as step {step}, where none can be" in done.out
    assert f"{head} steps proven" in done.out


def test_a_damaged_chain_still_says_what_is_proven(path: str, run: Caller) -> None:
    change(path, "UPDATE op SET body = x'7b7d' WHERE step = 4")
    done = run("verify", path)
    assert done.code == 4
    assert "  chain     3 steps proven of" in done.out
    assert "  head      step 3 " in done.out
    assert "BROKEN at step 4: the op's bytes don't give its hash" in done.out
    assert "about nothing" not in done.out, "behind the break nobody can tell"
