"""A journal is kept beside the record, brought up to its head, and never believed when it is odd."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.errors import Unavailable
from ccos_core.session import journaling, worlds
from ccos_core.session.facts import Facts
from ccos_core.session.journaling import Journaling, journal_holds, timeline_of
from ccos_core.storage import cache, journals
from ccos_core.storage.opening import open_record
from tests.core.replay.told import written
from tests.core.session.kept import asked, telling
from tests.story import Story

FIRST = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    see src/db.py 1-2
    fail test_x at src/api.py:5
    ingest
"""
MORE = """
    edit src/db.py "return x" -> "return x + 1"
    pass test_x
    see src/api.py
"""


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    yield from telling(tmp_path, FIRST)


def anew(path: str) -> list[tuple[str, bytes]]:
    cache.drop(path)
    return asked(path)


def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where the steps are noted that are folded from here on."""
    steps: list[int] = []
    real = worlds.play

    def noting(world: object, rows: object, *others: object) -> object:
        told = list(rows)  # type: ignore[call-overload]
        steps.extend(step for step, _, _ in told)
        return real(world, told, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(worlds, "play", noting)
    return steps


def test_what_was_kept_is_not_folded_again(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    path = story.session.recorded.path
    before = asked(path)
    steps = folded(monkeypatch)
    assert asked(path) == before
    assert steps == []


def test_it_says_the_same_whoever_made_the_facts(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes count as well what it takes to show what they read."""
    path = story.tell(MORE).session.recorded.path
    alone = anew(path)
    asked_for: list[object] = []
    entries = Facts.entries

    def noting(self: Facts, content: str, path: str) -> object:
        asked_for.append(entries(self, content, path))
        return asked_for[-1]

    monkeypatch.setattr(Facts, "entries", noting)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM fact")
    monkeypatch.setattr("ccos_core.session.deriving.WORTH_A_PROCESS", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert anew(path) == alone
    assert any(asked_for)


def test_it_grows_with_the_record(story: Story) -> None:
    path = story.session.recorded.path
    asked(path)
    for line in MORE.strip().splitlines():
        story.tell(line)
        asked(path)
    assert asked(path) == anew(path)


def test_a_look_that_goes_on_is_written_once(story: Story) -> None:
    path = story.session.recorded.path
    asked(path)
    story.put("src/late.py", "from src.db import load\n\n\nlate = load(1)\n")
    story.tell("ingest")
    assert asked(path) == anew(path)


def test_a_journal_in_memory_keeps_up(story: Story) -> None:
    with open_record(story.session.recorded.path) as record:
        live = Journaling(record)
        assert not live.catch_up()
        story.tell(MORE)
        assert live.catch_up()
        assert written(live.timeline()) == anew(record.path)


def test_it_goes_on_from_a_kept_state(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaling, "STATE_EVERY", 2)
    path = story.session.recorded.path
    story.tell('prompt "go on"')
    asked(path)
    steps = folded(monkeypatch)
    for line in MORE.strip().splitlines():
        story.tell(line)
        asked(path)
    assert steps
    assert min(steps) > 2  # of a look in the middle there is no state
    assert asked(path) == anew(path)


def test_a_spoilt_state_is_none(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journaling, "STATE_EVERY", 2)
    path = story.session.recorded.path
    story.tell('prompt "go on"')
    asked(path)
    with sqlite3.connect(cache.cache_path(path)) as connection:
        connection.execute("UPDATE state SET body = zeroblob(length(body))")
    story.tell(MORE)
    assert asked(path) == anew(path)


def test_a_kept_journal_is_held_to_a_replay(story: Story) -> None:
    path = story.session.recorded.path
    with open_record(path) as record:
        assert journal_holds(record) is None
    asked(path)
    story.tell(MORE)
    asked(path)
    with open_record(path) as record:
        assert journal_holds(record) is True
    with sqlite3.connect(cache.cache_path(path)) as connection:
        (size,) = connection.execute("SELECT size FROM piece WHERE tab = 'changes' AND col = 'score'").fetchone()
        other = bytes(size)
        values = other, journals._check(("changes", "score", 0, 0), other)
        of_scores = "tab = 'changes' AND col = 'score'"
        connection.execute(f'UPDATE piece SET packed = 0, body = ?, "check" = ? WHERE {of_scores}', values)
    with open_record(path) as record:
        assert journal_holds(record) is False


@pytest.mark.parametrize("spoil", [
    "UPDATE piece SET body = substr(body, 2)",
    "UPDATE piece SET body = zeroblob(length(body)) WHERE col = 'score'",
    "DELETE FROM piece WHERE tab = 'changes'",
    "UPDATE journal SET hash = zeroblob(32)",
    "UPDATE journal SET version = version + 1",
    "UPDATE journal SET told = 'nonsense'",
    "DROP TABLE piece",
])  # fmt: skip
def test_a_spoilt_journal_is_made_anew(story: Story, spoil: str) -> None:
    path = story.session.recorded.path
    before = asked(path)
    with sqlite3.connect(cache.cache_path(path)) as connection:
        connection.execute(spoil)
    assert asked(path) == before
    assert asked(path) == before


@pytest.mark.parametrize("version", [1, journals.VERSION - 1, journals.VERSION + 1])
def test_what_another_version_kept_is_dropped(story: Story, monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """Whole as it is, it may say what a fault wrote."""
    path = story.session.recorded.path
    with monkeypatch.context() as then:
        then.setattr(journals, "VERSION", version)
        before = asked(path)
        steps = folded(then)
        assert (asked(path), steps) == (before, [])
    steps = folded(monkeypatch)
    assert asked(path) == before
    assert steps[0] == 1
    steps.clear()
    assert (asked(path), steps) == (before, [])


def test_a_state_another_version_kept_is_dropped(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_record(story.session.recorded.path) as record:
        with monkeypatch.context() as then:
            then.setattr(journals, "VERSION", 1)
            journals.save_state(record, 3, 2, b"{}", 0)
            assert journals.load_state(record, 3, 9) == b"{}"
        assert journals.load_state(record, 3, 9) is None
        journals.save_state(record, 3, 2, b"[]", 0)
        assert journals.load_state(record, 3, 9) == b"[]"
        assert journals.load_state(record, 4, 9) is None


def test_a_broken_chain_is_answered_up_to_its_break(story: Story) -> None:
    path = story.session.recorded.path
    story.session.close()
    with sqlite3.connect(path) as connection:
        changed = connection.execute(
            "UPDATE op SET body = CAST(replace(body, 'read', 'edit') AS BLOB) WHERE step = 4"
        ).rowcount
    assert changed == 1
    with open_record(path) as record:
        timeline = timeline_of(record)
    assert (timeline.head, timeline.broken is not None and timeline.broken.fact) == (3, "the chain breaks at step 4")
    with open_record(path) as record:
        again = timeline_of(record)
    assert (again.head, again.broken is not None and again.broken.fact) == (3, "the chain breaks at step 4"), "as kept"


def many_edits(story: Story) -> str:
    """Tell 30 steps of which each has a text of its own; give the record's path, without any fact."""
    for count in range(30):
        story.tell(f'write src/a{count}.py "def f{count}(x):\\n    return x\\n"')
    path = story.session.recorded.path
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM fact")
    return path


def test_facts_are_recorded_in_the_middle_of_a_long_fold(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    path = many_edits(story)
    before = anew(path)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM fact")
    cache.drop(path)
    waiting: list[int] = []
    recorded: list[int] = []

    def heard(step: int, _: int) -> None:
        waiting.append(len(journal._facts._fresh))
        recorded.append(len(record.ask("SELECT key FROM fact")))

    monkeypatch.setattr("ccos_core.session.facts.MOST_FRESH", 5)
    monkeypatch.setattr(journaling, "OFTEN", 1)
    with open_record(path) as record:
        journal = Journaling(record, at_once=False)
        journal.catch_up(heard)
    assert max(waiting) < 5
    assert recorded[-1] > 20
    assert asked(path) == before


def test_facts_that_cannot_be_recorded_are_tried_seldom(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time another writer may be waited for."""
    path = many_edits(story)
    tried: list[int] = []

    def refuse(record: object, batch: dict[object, object], _: int) -> None:
        tried.append(len(batch))
        raise Unavailable("is written by another process")

    monkeypatch.setattr("ccos_core.storage.facts.add", refuse)
    monkeypatch.setattr("ccos_core.session.facts.MOST_FRESH", 5)
    monkeypatch.setattr(journaling, "OFTEN", 1)
    with open_record(path) as record:
        Journaling(record)
    assert tried[:3] == [5, 10, 20]
    assert len(tried) == 4, "once more in the end"
