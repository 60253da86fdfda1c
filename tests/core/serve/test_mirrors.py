"""`mirror`: what is added, filled, behind, filled anew and removed, at the command line."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ccos_core.errors import NotFound, Refused, Usage
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve import exits
from ccos_core.serve.cli.main import main
from ccos_core.session import mirrors
from ccos_core.session.asking import Desk
from ccos_core.session.doctor.machine import _mirrors
from ccos_core.session.session import Session
from ccos_core.storage.memory_lines import MemoryLines
from tests.story import new_session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with new_session(tmp_path) as found:
        say(found, "Never push.")
        yield found


def say(session: Session, words: str) -> None:
    session.record([{"kind": "prompt", "said": words, "source": "user", "host": "story", "session": "s"}])


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, object]], str]:
    """(exit code, what it gave as JSON, what it told)"""
    capsys.readouterr()
    code = main(["mirror", *words])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines() if line.startswith("{")], err


def test_a_mirror_is_added_filled_and_removed(
    session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ws, place = session.recorded.path, str(tmp_path / "memo.jsonl")
    assert ran(capsys, "add", ws, "lines", place)[0] == exits.DONE
    _, (listed,), _ = ran(capsys, "list", ws, "--json")
    assert [(each["name"], each["lag"], each["entries"]) for each in listed["mirrors"]] == [  # type: ignore[attr-defined]
        ("index", 2, 0),
        ("lines", 2, 0),
    ]
    code, told, _ = ran(capsys, "run", ws, "--json")
    assert (code, [each["mirror"] for each in told], told[1]["ops"]) == (exits.DONE, ["index", "lines"], 2)
    with closing(MemoryLines(place)) as store:
        assert "Never push." in {entry.words for entry in store.entries()}
    say(session, "Be brief.")
    _, _, err = ran(capsys, "run", ws, "lines")
    assert err == "lines: 1 step read, 2 entries stored\n"
    code, told, _ = ran(capsys, "rebuild", ws, "lines", "--json")
    assert (code, told[0]["ops"]) == (exits.DONE, 3)
    assert ran(capsys, "remove", ws, "lines")[0] == exits.DONE
    assert [each.name for each in mirrors.mirrors_of(ws)] == ["index"]
    assert Path(place).exists()


def test_the_doctor_says_how_far_a_mirror_is_behind(session: Session, tmp_path: Path) -> None:
    ws = session.recorded.path
    assert list(_mirrors(ws)) == []
    mirrors.add(ws, "lines", str(tmp_path / "memo.jsonl"))
    mirrors.add(ws, "sqlite", str(tmp_path / "broken"), "broken")
    (tmp_path / "broken").mkdir()
    behind, broken = _mirrors(ws)
    assert (behind.state, behind.said) == ("note", "lines is 2 steps behind")
    assert broken.state == "wrong"
    mirrors.follower(ws, mirrors.named(ws, "lines")).catch_up()
    assert next(iter(_mirrors(ws))).said == "lines is up to date"


def test_stats_tell_how_far_the_memory_is_behind(
    session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ws = session.recorded.path
    mirrors.add(ws, "sqlite", str(tmp_path / "memo.cache"), "beside")

    def lags() -> tuple[dict[str, int], str]:
        capsys.readouterr()
        main(["stats", ws, "--json"])
        told = json.loads(capsys.readouterr().out)["memory_lag"]
        with Desk(session.recorded) as desk:
            answer = desk.ask(BY_NAME["stats"], {}).answer  # as the debugger asks it
        assert answer.memory_lag == told
        rows = "\n".join(str(each) for each in answer.as_rows(View(80)))
        return told, rows

    assert lags()[0] == {}  # nothing was filled yet
    for name in ("index", "beside"):
        mirrors.follower(ws, mirrors.named(ws, name)).catch_up()
    assert lags()[0] == {"index": 0, "beside": 0}
    say(session, "Be brief.")
    mirrors.follower(ws, mirrors.named(ws, "index")).catch_up()
    told, rows = lags()
    assert told == {"index": 0, "beside": 1}
    assert "index up to date, beside 1 behind" in rows
    (tmp_path / "memo.cache").write_bytes(b"spoilt")
    assert lags()[0] == {"index": 0, "beside": 3}


def test_one_that_is_away_keeps_none_from_the_others(
    session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ws = session.recorded.path
    mirrors.add(ws, "lines", str(tmp_path / "broken"), "broken")
    (tmp_path / "broken").mkdir()
    mirrors.add(ws, "lines", str(tmp_path / "memo.jsonl"))
    code, told, err = ran(capsys, "run", ws, "--json")
    assert (code != exits.DONE, [each["mirror"] for each in told]) == (True, ["index", "lines"])
    assert err.startswith("ccos-tui: broken: ")
    _, (listed,), _ = ran(capsys, "list", ws, "--json")
    assert [bool(each["trouble"]) for each in listed["mirrors"]] == [False, True, False]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "place", ["postgres://u:secret@host/db", "host=h password=secret", "http://q:6333/?api_key=secret"]
)
def test_no_password_is_written_down(session: Session, place: str) -> None:
    with pytest.raises(Refused, match="password"):
        mirrors.add(session.recorded.path, "postgres", place)
    assert len(mirrors.mirrors_of(session.recorded.path)) == 1


def test_what_does_not_fit_is_refused(session: Session, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ws, place = session.recorded.path, str(tmp_path / "x")
    with pytest.raises(Usage):
        mirrors.add(ws, "lines", place, "Bad name")
    (tmp_path / "mine.db").write_bytes(b"mine")
    for kind in ("sqlite", "lines"):
        with pytest.raises(Refused, match="is there already"):
            mirrors.add(ws, kind, str(tmp_path / "mine.db"))
    mirrors.add(ws, "lines", place)
    for name in ("lines", "index"):
        with pytest.raises(Refused):
            mirrors.add(ws, "lines", place, name)
    with pytest.raises(NotFound):
        mirrors.named(ws, "nothing")
    with pytest.raises(Refused):
        mirrors.remove(ws, "index")
    for words in (["add", ws, "lines"], ["remove", ws], ["list", ws, "lines"], ["run", ws, "a", "b"]):
        assert ran(capsys, *words)[0] == exits.USAGE
    assert session.recorded.head()[0] == 2
