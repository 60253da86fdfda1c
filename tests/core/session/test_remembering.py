"""Words that were kept are not learnt again, and say what words that are learnt afresh say."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ccos_core.replay.residency import wordings
from ccos_core.replay.residency.learnt import Learning, Words
from ccos_core.session.journaling import timeline_of
from ccos_core.storage import cache
from ccos_core.storage.opening import open_record
from tests.story import Story, new_session

TALE = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    edit src/db.py "return x" -> "return x + 1"
"""
Columns = list[tuple[str, bytes]]


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(new_session(tmp_path)).tell(TALE)


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many versions were read each time somebody learnt."""
    found: list[int] = []

    class Counting(Learning):
        def _read(self, row: int, number: int) -> None:
            found[-1] += 1
            super()._read(row, number)

        def all(self, progress: object) -> None:
            found.append(0)
            super().all(lambda done, total: None)

    monkeypatch.setattr(wordings, "Learning", Counting)
    return found


def words(path: str) -> Columns:
    with open_record(path) as record:
        found = wordings._learnt(timeline_of(record), lambda done, total: None)
        return [piece for table in found.tables() for piece in table.pieces(0)]


def afresh(path: str) -> Columns:
    with open_record(path) as record:
        found = Words()
        Learning(timeline_of(record), found).all(lambda done, total: None)
        return [piece for table in found.tables() for piece in table.pieces(0)]


def test_what_was_kept_is_not_learnt_again(story: Story, learnt: list[int]) -> None:
    path = story.session.recorded.path
    first = words(path)
    assert learnt == [3]
    assert words(path) == first == afresh(path)
    assert learnt == [3]


def test_it_grows_with_the_record(story: Story, learnt: list[int]) -> None:
    path = story.session.recorded.path
    words(path)
    story.tell('edit src/db.py "x + 1" -> "x + 2"\nwrite src/more.py "late = 1\\n"')
    assert words(path) == afresh(path)
    assert words(path) == afresh(path)
    assert learnt == [3, 2]


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE piece SET body = zeroblob(length(body)) WHERE tab = 'words'",
        "DELETE FROM piece WHERE tab = 'words.pairs'",
        "DELETE FROM piece WHERE tab LIKE 'words%'",
        "UPDATE words SET told = '{}'",
        "UPDATE words SET version = version + 1",
        "UPDATE words SET erased = erased + 1",
        "DELETE FROM words",
        "DELETE FROM journal",
    ],
)
def test_spoilt_words_are_learnt_anew(story: Story, spoil: str) -> None:
    path = story.session.recorded.path
    before = words(path)
    with closing(sqlite3.connect(cache.cache_path(path), isolation_level=None)) as connection:
        assert connection.execute(spoil).rowcount
    story.tell('write src/more.py "late = 1\\n"')
    for _ in range(2):
        assert words(path) == afresh(path) != before
