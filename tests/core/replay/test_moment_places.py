"""A working set without its text is the one with it, whatever has become of the record since it was folded."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from ccos_core.serve.cli import demo
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record

BUDGETS = (100, 300, 800, 2_048)


@pytest.mark.parametrize("processors", [1, 3])
@pytest.mark.parametrize(
    "loss", ["SELECT ?", "DELETE FROM blob WHERE hash = ?", "UPDATE blob SET body = zeroblob(size) WHERE hash = ?"]
)
def test_they_have_the_same_in_them(
    tmp_path: Path, loss: str, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccos_core.session.deriving.WORTH_A_PROCESS", 0)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    path = str(tmp_path / "demo.ccos")
    demo.build(path)
    with open_record(path) as record, Desk(record) as desk:
        assert desk.timeline.head  # folded while everything is there
    with closing(sqlite3.connect(path + "-cache")) as connection:
        measured = connection.execute("SELECT count(*) FROM measure").fetchone()[0]
        assert (measured > 0) == (processors > 1), "who makes outlines for others measures what they are of"
    with closing(sqlite3.connect(path)) as connection, connection:
        contents = sorted(row[0] for row in connection.execute("SELECT hash FROM blob"))
        for content in Random(1).sample(contents, len(contents) // 2):
            connection.execute(loss, (content,))
    with open_record(path) as record, Desk(record) as desk:
        for step in range(desk.timeline.head + 1):
            for budget in BUDGETS:
                places = desk.timeline.at(step).places(budget)
                window = desk.timeline.at(step).window("working-set", budget)
                found = [(each.uri, each.level, each.tokens) for each in places.items]
                assert found == [(each.uri, each.level, each.tokens) for each in window.items]
                assert places.tokens == window.tokens
