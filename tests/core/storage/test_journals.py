"""A kept journal is what was saved or it isn't there: whatever happens to the file, the same is answered."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ccos_core.replay.columns import Column
from ccos_core.replay.journal import Journal
from ccos_core.session.interpreters import FOLD
from ccos_core.session.journaling import Journaling, timeline_of
from ccos_core.session.session import open_session
from ccos_core.storage import cache, journals
from ccos_core.storage.facts import tombstones
from ccos_core.storage.opening import open_record
from tests.core.replay.told import written
from tests.core.session.kept import asked
from tests.depth import at_depth
from tests.story import START, Story, new_session

TALE = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    see src/db.py 1-2
    fail test_x at src/api.py:5
    edit src/db.py "return x" -> "return x + 1"
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    story = Story(new_session(tmp_path)).tell(TALE)
    story.put("src/more.py", "from src.api import handle\n")
    return story.tell("ingest").session.recorded.path


def kept(path: str) -> sqlite3.Connection:
    return sqlite3.connect(cache.cache_path(path), isolation_level=None)


def test_any_bit_of_any_piece_may_fall_over(path: str) -> None:
    before = asked(path)
    with closing(kept(path)) as connection:
        pieces = connection.execute("SELECT rowid, * FROM piece").fetchall()
    chance = random.Random(1)
    for rowid, table, name, first, size, packed, check, body in chance.sample(pieces, at_depth(3, 12)):
        changed = bytearray(body)
        changed[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
        for column, value in (
            ("body", bytes(changed)), ("body", body[:-1]), ("body", "text"), ("check", check[::-1]),
            ("packed", 1 - packed), ("first", first + 2**40), ("first", -1), ("col", name[:-1] + "~"),
            ("tab", table + "s"),
        ):  # fmt: skip
            with closing(kept(path)) as connection:
                changes = connection.execute(f'UPDATE piece SET "{column}" = ? WHERE rowid = ?', (value, rowid))
                assert changes.rowcount == 1
            assert asked(path) == before, (table, name, column)
            assert asked(path) == before
            with closing(kept(path)) as connection:
                found = connection.execute("SELECT rowid, * FROM piece").fetchall()
            assert [each[1:] for each in found] == [each[1:] for each in pieces], "it is kept again as it was"
            rowid = next(each[0] for each in found if each[1:4] == (table, name, first) and each[4] == size)


def test_columns_may_not_change_places(path: str) -> None:
    before = asked(path)
    with closing(kept(path)) as connection:
        swap = "CASE col WHEN 'prior' THEN 'cost' ELSE 'prior' END || '~'"
        connection.execute(f"UPDATE piece SET col = {swap} WHERE tab = 'changes' AND col IN ('prior', 'cost')")
        connection.execute("UPDATE piece SET col = rtrim(col, '~') WHERE tab = 'changes'")
    assert asked(path) == before


@pytest.mark.parametrize("spoil", [
    "UPDATE journal SET told = replace(CAST(told AS TEXT), '\"steps\":', '\"steps\":1')",
    "UPDATE journal SET told = CAST(replace(CAST(told AS TEXT), '\"partial\":0', '\"partial\":9') AS BLOB)",
    "UPDATE journal SET step = step - 1",
    "UPDATE journal SET step = 'three'",
    "UPDATE journal SET fold = 'x'",
    "UPDATE journal SET erased = erased + 1",
    "UPDATE journal SET version = NULL",
    "UPDATE journal SET hash = 'x'",
    "UPDATE state SET step = step - 1",
    "DELETE FROM journal",
    "DELETE FROM piece WHERE tab = 'told.text'",
    "DROP TABLE journal",
    "DROP TABLE state",
    "ALTER TABLE piece RENAME COLUMN packed TO folded",
])  # fmt: skip
def test_what_is_told_of_it_is_held_to_account(path: str, spoil: str) -> None:
    before = asked(path)
    with closing(kept(path)) as connection:
        try:
            connection.execute(spoil)
        except sqlite3.IntegrityError:
            return  # the table itself refuses it
    assert asked(path) == before
    assert asked(path) == before


def test_any_bit_of_the_file_may_fall_over(path: str) -> None:
    before = asked(path)
    place = Path(cache.cache_path(path))
    chance = random.Random(2)
    for _ in range(60):
        content = bytearray(place.read_bytes())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        place.write_bytes(bytes(content))
        assert asked(path) == before
    for size in (0, 10, 100, 4_096, len(content) // 2, len(content) - 1):
        place.write_bytes(place.read_bytes()[:size])
        assert asked(path) == before


INSTEAD: dict[str, Callable[[Path], object]] = {
    "a folder": lambda place: place.mkdir(),
    "a full folder": lambda place: (place.mkdir(), (place / "x").touch()),
    "a link": lambda place: place.symlink_to("elsewhere"),
    "a pipe": lambda place: os.mkfifo(place),
    "another program's": lambda place: sqlite3.connect(place).executescript("CREATE TABLE mine (x)").close(),
}


@pytest.mark.parametrize("how", INSTEAD)
def test_whatever_lies_in_its_place(path: str, how: str) -> None:
    before = asked(path)
    place = Path(cache.cache_path(path))
    place.unlink()
    INSTEAD[how](place)
    assert asked(path) == before
    assert asked(path) == before
    assert not (place.parent / "elsewhere").exists()


def test_it_is_read_as_far_as_somebody_asks(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(path)
    fetched: list[str] = []
    real = Column._fetch

    def noting(column: Column) -> None:
        if column._shelf is not None:
            fetched.append(".".join(column._shelf[1:]))
        real(column)

    monkeypatch.setattr(Column, "_fetch", noting)
    with open_record(path) as record:
        timeline = timeline_of(record)
        assert fetched == []
        assert timeline.time(2) is not None
        assert fetched == ["steps.at"]
        timeline.at(3).window("working-set", 100)
        assert not [name for name in fetched if name.startswith(("held.", "uses.", "there."))]


def test_a_reader_sees_what_was_when_it_came(path: str) -> None:
    """Somebody else goes on with the look, and what was written of it is written otherwise."""
    before = asked(path)
    with open_record(path) as record:
        reading = Journaling(record)
        assert reading.journal.solid
        story = Story(open_session(path, clock=lambda: START), name="story-2")
        story.put("src/late.py", "from src.db import load\n\n\nlate = load(1)\n")
        story.tell("ingest")
        later = asked(path)
        assert later != before
        assert written(reading.timeline()) == before
        assert reading.catch_up()
        assert written(reading.timeline()) == later


def test_a_journal_begun_before_something_was_forgotten_is_not_kept(path: str) -> None:
    with open_record(path) as record:
        live = Journaling(record)
        forgotten = tombstones(record)
        place = Path(cache.cache_path(path))
        place.unlink()
        journals.save(record, live.journal, FOLD, 0, forgotten + 1)
        assert journals.load(record, FOLD, lambda: live.journal, Journal) is None
        journals.save(record, live.journal, FOLD, 0, forgotten)
        assert journals.load(record, FOLD, lambda: live.journal, Journal) is not None
