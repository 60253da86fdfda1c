"""A workspace that stays open answers as one that is opened anew, whatever was recorded in between, by whomever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, Unavailable
from ccos_core.ops.plain import unseal
from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.lifecycle import init, pause
from ccos_core.session.live import Live
from ccos_core.session.session import open_session
from ccos_core.session.trouble_log import read_troubles
from ccos_core.storage import column_files
from ccos_core.window.lexicon import Lexicon

PATHS = ("a.py", "b.py", "c/d.py")
TEXTS = (
    "def one():\n    return 1\n",
    "from b import two\n\n\ndef one():\n    return two()\n",
    "def two():\n    return 2\n\n\nclass Three:\n    def four(self):\n        return two()\n",
    "",
)
SEEN = st.builds(
    lambda path, text, how: {"kind": "seen", "path": path, "content": text, "how": how},
    st.sampled_from(PATHS),
    st.sampled_from(TEXTS),
    st.sampled_from(["read", "edit", "write", "ingest", "ingest"]),
)
SLICED = st.builds(
    lambda path: {"kind": "seen", "path": path, "how": "read", "content": "def two():\n    return 3", "slice": [1, 2]},
    st.sampled_from(PATHS),
)
GONE = st.builds(lambda path: {"kind": "gone", "path": path}, st.sampled_from(PATHS))
RENAMED = st.builds(lambda path: {"kind": "renamed", "path": path, "to": "e.py"}, st.sampled_from(PATHS))
FAILED = st.just({"kind": "failed", "runner": "user", "nodes": ["sym:b.py#two"]})
OPS = st.lists(st.tuples(st.booleans(), SEEN | SEEN | SLICED | GONE | RENAMED | FAILED), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(OPS)
def test_going_on_is_beginning_anew(tmp_path_factory: pytest.TempPathFactory, ops: list[tuple[bool, Any]]) -> None:
    """Law: asked after each op, also in the middle of a look at the tree."""
    tell_and_ask(tmp_path_factory.mktemp("live"), ops)


@settings(max_examples=10, deadline=None)
@given(OPS)
def test_columns_in_files_answer_alike(tmp_path_factory: pytest.TempPathFactory, ops: list[tuple[bool, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_files, "SMALLEST_BYTES", 1)
        tell_and_ask(tmp_path_factory.mktemp("live"), ops)


def tell_and_ask(folder: Path, ops: list[tuple[bool, Any]]) -> None:
    """Record ops in a workspace that stays open, and ask after each what one that is opened anew is asked."""
    path, away = str(folder / "work.ccos"), str(folder / "elsewhere")
    init(path, clock=lambda: 0)
    live = Live(path, away)
    try:
        for by_others, op in ops:
            if by_others:
                with open_session(path, clock=lambda: 0) as session:
                    session.record([op])
            else:
                live.tell([op])
            live.keep_up()
            fresh = Live(path, away)
            fresh.keep_up()
            for at in {live.head, max(1, live.head - 2)}:
                around = [("around", {"node": path}) for path in fresh.desk.timeline.at(at).paths()]
                texts = [("task", {"text": "two one"}), ("hybrid", {"text": "two one", "budget": "64"})]
                for name, said in (("recall", {}), ("recall", {"budget": "90"}), ("failures", {}), *around, *texts):
                    entry = BY_NAME[name]
                    assert live.ask(entry, said, at).answer == fresh.ask(entry, said, at).answer
            fresh.close()
    finally:
        live.close()


def test_memory_is_given_back_after_each_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[str] = []
    monkeypatch.setattr(column_files.ColumnFiles, "release", lambda _: released.append("released"))
    path = str(tmp_path / "work.ccos")
    init(path, clock=lambda: 0)
    live = Live(path, str(tmp_path / "elsewhere"))
    live.tell([{"kind": "seen", "path": "a.py", "content": TEXTS[0], "how": "edit"}])
    live.keep_up()
    assert len(released) == 1, "what is new was folded"
    live.keep_up()
    assert len(released) == 1, "nothing was read"
    live.ask(BY_NAME["recall"], {})
    assert len(released) == 2
    live.close()


@settings(max_examples=30, deadline=None)
@given(OPS)
def test_words_are_learnt_once(tmp_path_factory: pytest.TempPathFactory, ops: list[tuple[bool, Any]]) -> None:
    """Law: of a file that is as it was nothing is read again, whatever came behind it; but for those of a look at the
    tree, which is open until something else is recorded."""
    folder: Path = tmp_path_factory.mktemp("live")
    path = str(folder / "work.ccos")
    init(path, clock=lambda: 0)
    live = Live(path, str(folder / "elsewhere"))
    entry, said = BY_NAME["task"], {"text": "two one"}
    learnt: list[str] = []
    put = Lexicon.put

    def noted(lexicon: Lexicon, path: str) -> None:
        learnt.append(path)
        put(lexicon, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lexicon, "put", noted)
        looked: set[str] = set()
        for _, op in ops:
            live.tell([op])
            live.keep_up()
            live.ask(entry, said)
            before, looked = looked, {"ingest", "gone", "renamed"} & {op.get("how", ""), op["kind"]}
            looking = before | looked
            assert set(learnt) <= ({*PATHS, "e.py"} if looking else {op.get("path"), op.get("to")})
            learnt.clear()
            live.ask(entry, said)
            assert not learnt
    live.close()


def test_what_is_the_same_on_the_disk_is_not_recorded(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(TEXTS[0])
    init(str(tmp_path / "work.ccos"), str(project))
    live = Live(str(tmp_path / "work.ccos"), str(project))
    assert live.look_again(["a.py"])
    assert how(live) == "ingest"  # nobody knows since when it lies there
    head = live.head
    assert not live.look_again(["a.py", "nowhere.py", "../outside.py", "/etc/hostname"])
    (project / "a.py").write_text(TEXTS[2])
    assert live.look_again(["a.py"])
    assert how(live) == "edit"  # this server knew it otherwise
    edited = {"kind": "seen", "path": "a.py", "how": "edit", "withheld": "unplaced", "inferred": True}
    live.tell([{**edited, "actor": "host", "host": "opencode", "session": "s", "call": "p", "phase": "file.0"}])
    assert live.look_again(["a.py"])  # a host told of that edit without its text
    assert how(live) == "ingest"
    assert not live.look_again(["a.py"])
    (project / "a.py").unlink()
    assert live.look_again(["a.py"])
    assert not live.look_again(["a.py"])
    assert live.head == head + 4
    live.close()


def how(live: Live) -> str:
    return str(unseal(live.session.recorded.op(live.head)[2])["how"])


def test_files_that_ops_spoke_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    init(str(tmp_path / "work.ccos"))
    live = Live(str(tmp_path / "work.ccos"), str(tmp_path))
    since = live.head
    for path in ("a.py", "b.py", "a.py", "c.py"):
        live.tell([{"kind": "seen", "path": path, "content": path, "how": "read"}])
    live.tell([{"kind": "passed", "runner": "user", "scope": "all"}])
    assert live.touched(since, 10) == ["b.py", "a.py", "c.py"]
    assert live.touched(since, 2) == ["a.py", "c.py"]
    assert live.touched(live.head, 10) == []
    monkeypatch.setattr("ccos_core.session.live.LOOKED_BACK", 2)
    assert live.touched(since, 10) == ["c.py"]
    live.close()


def test_files_that_cannot_be_looked_at_are_noted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `doctor` reads it: the window is handed out all the same."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text(TEXTS[0])
    path = str(tmp_path / "work.ccos")
    init(path, str(tmp_path / "project"))
    live = Live(path, str(tmp_path / "project"))

    def full(*_: object) -> None:
        raise Unavailable("the disk is full", place="work.ccos")

    with monkeypatch.context() as patch:
        patch.setattr("ccos_core.session.live.ingest", full)
        assert not live.look_again(["a.py"])
        assert not live.look_again(["a.py"])
    (trouble,) = read_troubles()
    assert "disk is full" in trouble.said
    pause(path, True)
    assert not live.look_again(["a.py"])  # as it is meant to be
    pause(path, False)
    assert live.look_again(["a.py"])
    assert len(read_troubles()) == 1
    live.close()


def test_what_cannot_be_written_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "work.ccos")
    init(path)

    def refused(_: str) -> None:
        raise Unavailable("can't be written")

    monkeypatch.setattr("ccos_core.session.live.open_session", refused)
    live = Live(path, str(tmp_path))
    live.keep_up()
    assert live.ask(BY_NAME["stats"], {}).answer.steps == 1
    assert not live.look_again(["a.py"])
    with pytest.raises(CcosError):
        live.tell([{"kind": "passed", "runner": "user", "scope": "all"}])
    live.close()
