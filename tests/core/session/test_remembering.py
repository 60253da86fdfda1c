"""Words that were kept are not learnt again, and say what words that are learnt afresh say."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from ccos_core.replay.residency import joining, reading, wordings
from ccos_core.replay.residency.joining import learn_on
from ccos_core.replay.residency.laid import Read
from ccos_core.replay.residency.learning import Learnt, Share
from ccos_core.replay.residency.learnt import Words
from ccos_core.replay.residency.reading import read
from ccos_core.replay.timeline import Timeline
from ccos_core.session import remembering
from ccos_core.session.journaling import timeline_of
from ccos_core.session.workers import spread
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

    def reading(timeline: Timeline, share: list[list[int]]) -> Iterator[Read]:
        for version in read(timeline, share):
            found[-1] += 1
            yield version

    def counted(timeline: Timeline, words: Words, progress: Callable[[int, int], None]) -> None:
        found.append(0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(joining, "read", reading)
            learn_on(timeline, words, progress)

    monkeypatch.setattr(wordings, "learn_on", counted)
    return found


def words(path: str) -> Columns:
    with open_record(path) as record:
        found = wordings._learnt(timeline_of(record), lambda done, total: None)
        return [piece for table in found.tables() for piece in table.pieces(0)]


def afresh(path: str) -> Columns:
    with open_record(path) as record:
        found, timeline = Words(), timeline_of(record)
        timeline.keeper = None  # nobody else learns any of it
        learn_on(timeline, found, lambda done, total: None)
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


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every version is worth a process, and is a share; gives the versions of those that were handed out."""
    found: list[int] = []

    def counted(learn: Callable[[Share], Learnt], jobs: Iterable[Share], *, worth_it: bool) -> Iterator[Learnt]:
        for learnt in spread(learn, jobs, worth_it=worth_it):
            found.extend(learnt.rows)
            yield learnt

    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(reading, "SHARE", 1)
    monkeypatch.setattr(remembering, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(remembering, "spread", counted)
    return found


@pytest.mark.parametrize(("heavy", "handed"), [(0, []), (65, [1, 4]), (10**6, [0, 1, 2, 3, 4])])
def test_words_that_others_learn_are_those_learnt_here(
    story: Story, others: list[int], monkeypatch: pytest.MonkeyPatch, heavy: int, handed: list[int]
) -> None:
    """However many shares are too heavy to be handed out."""
    path = story.session.recorded.path
    story.tell('edit src/db.py "x + 1" -> "x + 2"\nwrite src/more.py "late = 1\\n"')
    monkeypatch.setattr(remembering, "HEAVY", heavy)
    assert words(path) == afresh(path)
    assert sorted(others) == handed


def test_whoever_stops_it_has_learnt_nothing(story: Story, others: list[int]) -> None:
    heard: list[int] = []

    def progress(done: int, total: int) -> None:
        heard.append(done)
        if len(heard) > after:
            raise KeyboardInterrupt

    with open_record(story.session.recorded.path) as record:
        timeline, begun, after = timeline_of(record), Words(), 0
        while not len(begun.versions):
            try:
                learn_on(timeline, begun, progress)
            except KeyboardInterrupt:
                assert begun.sizes() == Words().sizes()
                after += 1
                heard.clear()
    assert after
    assert heard == sorted(heard)
    assert heard[-1] == len(begun.versions) == 3


@pytest.mark.parametrize("said", range(4))
def test_whoever_stops_it_leaves_nobody_at_work(story: Story, others: list[int], said: int) -> None:
    """Even as long as somebody holds what stopped it, and with it all that was going on."""
    heard: list[int] = []

    def progress(done: int, total: int) -> None:
        heard.append(done)
        if len(heard) > said:
            raise KeyboardInterrupt

    before = active_children()
    with open_record(story.session.recorded.path) as record:
        timeline = timeline_of(record)
        with pytest.raises(KeyboardInterrupt) as stopped:
            learn_on(timeline, Words(), progress)
        assert [each for each in active_children() if each not in before] == []
        assert stopped.value.__traceback__
