"""`stats` from the journal's columns, against a walk over all ops."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.catalogue import BY_NAME
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.bodies import opened
from ccos_core.storage.census import census
from ccos_core.storage.record import Record

PATHS = ("src/a.py", "src/b.py", "a file: with # signs.py")
TEXTS = st.sampled_from(["", "x = 1\n", "y\n" * 40, "long " * 200, "long! " * 200])
AT = st.fixed_dictionaries({}, optional={"at": st.integers(-5, 5)})
WHOSE = st.sampled_from([{}, {"host": "h", "session": "s"}, {"host": "h", "session": "t"}, {"session": "s"}]) | st.just(
    {"host": "h", "session": "s", "context": "scout"}
)
WHAT = st.one_of(
    st.fixed_dictionaries(
        {
            "kind": st.just("seen"),
            "how": st.sampled_from(["read", "write", "ingest"]),
            "path": st.sampled_from(PATHS),
            "content": TEXTS,
        }
    ),
    st.fixed_dictionaries({"kind": st.just("gone"), "path": st.sampled_from(PATHS)}),
    st.fixed_dictionaries({"kind": st.just("renamed"), "path": st.just(PATHS[0]), "to": st.sampled_from(PATHS[1:])}),
    st.fixed_dictionaries({"kind": st.just("prompt"), "said": TEXTS, "source": st.just("user")}),
    st.fixed_dictionaries(
        {
            "kind": st.just("tool"),
            "name": st.just("run"),
            "outcome": st.just("ok"),
            "result": TEXTS,
            "cwd": st.just("."),
        }
    ),
    st.just({"kind": "usage", "window": 9}),
)
SAID = st.lists(st.builds(lambda what, whose, at: {**what, **whose, **at}, WHAT, WHOSE, AT), max_size=12)


@settings(max_examples=40, deadline=None)
@given(SAID, SAID)
def test_it_is_what_a_walk_over_the_ops_counts(before: list[dict[str, Any]], later: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "work.ccos")
        lifecycle.init(path)
        with open_session(path) as session:
            session.record(before)
            desk = Desk(session.recorded)
            assert desk.ask(BY_NAME["stats"], {}).answer == census(session.recorded)
            session.record(later)  # steps the timeline doesn't know of
            found = desk.ask(BY_NAME["stats"], {}).answer
            assert found == census(session.recorded)
            assert found.steps == session.recorded.head()[0] >= desk.timeline.head


def test_ops_that_are_known_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But those that brought one of the largest contents."""
    path = str(tmp_path / "work.ccos")
    lifecycle.init(path)
    read: list[int] = []

    def counted(record: Record, step: int, body: bytes) -> dict[str, Any]:
        read.append(step)
        return opened(record, step, body)

    with open_session(path) as session:
        session.record([{"kind": "seen", "how": "read", "path": f"{at}.py", "content": "x\n" * at} for at in range(50)])
        desk = Desk(session.recorded)
        head = desk.timeline.head
        monkeypatch.setattr("ccos_core.storage.census.opened", counted)
        found = desk.ask(BY_NAME["stats"], {}).answer
    assert [each.step for each in found.largest] == [head, head - 1, head - 2, head - 3, head - 4]
    assert set(read) == set(range(head - 4, head + 1))
