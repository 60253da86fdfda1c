"""Outlines kept for the next run: any of it may be gone or wrong at any time, and nobody is worse off than without."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ccos_core.log.facts import packed_fact
from ccos_core.session.index import outlines
from ccos_core.storage import outline_cache, scratch
from ccos_core.values.canon import digest
from tests.core.storage.mishaps import OF_ANY, sql

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    return Path(outline_cache.path())


@pytest.fixture
def sources(tmp_path: Path) -> tuple[str, list[str]]:
    folder = tmp_path / "src"
    folder.mkdir()
    for number in range(4):
        (folder / f"m{number}.py").write_text(f"import m{number + 1}\n\ndef f{number}():\n    return 1\n")
    return str(folder), [f"m{number}.py" for number in range(4)]


def made(*names: bytes, body: bytes = b"{}") -> dict[Key, Packed]:
    keys: list[Key] = [(digest(name), "python", 1) for name in names]
    return {key: packed_fact(key, body) for key in keys}


def test_kept_and_found(place: Path) -> None:
    known = made(b"a", b"b")
    assert outline_cache.load(known) == {}
    outline_cache.save(known)
    assert outline_cache.load([*known, *made(b"c")]) == known
    assert outline_cache.load((key, "go", version) for key, _, version in known) == {}
    assert outline_cache.load((key, name, 2) for key, name, _ in known) == {}
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700
    assert [each.name for each in place.parent.iterdir()] == [place.name]
    outline_cache.drop()
    assert outline_cache.load(known) == {}


def test_a_second_run_outlines_nothing(sources: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    first = outlines(*sources)
    monkeypatch.setattr("ccos_core.session.deriving._outline", None)
    assert outlines(*sources) == first


def test_what_has_changed_is_outlined_anew(sources: tuple[str, list[str]]) -> None:
    before = outlines(*sources)
    Path(sources[0], "m2.py").write_text("def other():\n    pass\n")
    after = outlines(*sources)
    assert after[2] is not None
    assert [symbol.name for symbol in after[2].symbols] == ["other"]
    assert after[:2] + after[3:] == before[:2] + before[3:]
    Path(sources[0], "m1.py").unlink()
    assert outlines(*sources)[1] is None


def test_another_outliner_does_not_believe_it(sources: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works on an outliner sees what it does, whether its version went up or not."""
    outlines(*sources)
    monkeypatch.setattr("ccos_core.session.index._maker", lambda: b"another")
    monkeypatch.setattr("ccos_core.session.deriving._outline", lambda *_: None)
    assert {outline.flaws for outline in outlines(*sources) if outline} == {("no grammar",)}


MISHAPS = {
    **OF_ANY,
    "no tables": sql("DROP TABLE outline"),
    "another body": sql("UPDATE outline SET body = x'7b7d'"),
    "another's body": sql("UPDATE outline SET body = (SELECT body FROM outline LIMIT 1)"),
    "another digest": sql("UPDATE outline SET digest = x'00'"),
    "no bytes": sql("UPDATE outline SET body = 'text', size = 'large', form = 7"),
}


@pytest.mark.parametrize("mishap", MISHAPS)
def test_whatever_is_in_its_place(place: Path, sources: tuple[str, list[str]], mishap: str) -> None:
    expected = outlines(*sources)
    MISHAPS[mishap](place)
    assert outlines(*sources) == expected
    assert outlines(*sources) == expected


def test_where_it_cannot_be_written_there_is_none(tmp_path: Path, sources: tuple[str, list[str]]) -> None:
    (tmp_path / "xdg").write_text("a file where the folder would be")
    expected = outlines(*sources)
    assert None not in expected
    assert outlines(*sources) == expected
    outline_cache.drop()


def test_in_somebodys_way_it_is_left_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = made(b"a")
    outline_cache.save(known)
    monkeypatch.setattr(scratch, "WAIT", 0.01)
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert outline_cache.load(known) == {}
    outline_cache.save(made(b"b"))
    other.execute("COMMIT")
    other.close()
    assert outline_cache.load([*known, *made(b"b")]) == known


def test_what_was_not_asked_for_longest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outline_cache, "LARGEST", 40_000)
    body = bytes(range(256)) * 8
    days = iter(range(100, 200))
    monkeypatch.setattr(outline_cache, "_today", lambda: day)
    favourite = made(b"favourite", body=body)
    day = next(days)
    outline_cache.save(favourite)
    for number in range(60):
        day = next(days)
        outline_cache.save(made(b"%d" % number, body=body))
        assert outline_cache.load(favourite) == favourite
    assert Path(outline_cache.path()).stat().st_size < 80_000
    assert not outline_cache.load(made(b"0"))
    assert outline_cache.load(made(b"59"))


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.core.storage.test_outline_cache import made
from ccos_core.storage import outline_cache
for number in range(30):
    outline_cache.save(made(*(f"{number}-{part}".encode() for part in range(int(sys.argv[2]), 5))))
    outline_cache.load(made(b"0-4"))
"""


def test_several_programs_at_once() -> None:
    command = [sys.executable, "-c", WRITER, str(ROOT)]
    programs = [subprocess.Popen([*command, str(start)], stderr=subprocess.PIPE) for start in range(3)]
    for program in programs:
        _, trouble = program.communicate(timeout=60)
        assert program.returncode == 0, trouble.decode()
    wanted = made(*(f"{number}-4".encode() for number in range(30)))
    assert outline_cache.load(wanted) == wanted
