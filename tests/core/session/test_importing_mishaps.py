"""Files that are none, files that go away, and names no file system has: whatever lies there, an import ends, and what
could be read is recorded."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Unavailable
from ccos_core.intake.importers.record import Observation
from ccos_core.session import importing as module
from ccos_core.session.imported import Imported
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail, stories
from tests.core.intake.importers.claude_code_fixtures import CWD, Talk, everything, listed, read_of
from tests.core.session.test_importing import chain, imported, ops, with_subagent, written


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s.jsonl")
    with pytest.raises(Unavailable, match="is no file"):
        imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert list(stories([str(tmp_path)])) == []


def test_a_subagent_that_cannot_be_read_keeps_its_session_in(tmp_path: Path) -> None:
    whole = with_subagent(tmp_path / "one", 8)
    imported(whole, tmp_path / "whole.ccos")
    main = with_subagent(tmp_path / "two", 8)
    subagents = tmp_path / "two" / "s" / "subagents"
    (subagents / "agent-gone.jsonl").symlink_to("nowhere")
    os.mkfifo(subagents / "agent-pipe.jsonl")
    told = imported(main, tmp_path / "w.ccos")
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")
    assert {(Path(each.path).name, each.kind) for each in told.unread} == {
        ("agent-gone.jsonl", "there is no such file"),
        ("agent-pipe.jsonl", "is no file"),
    }


@pytest.mark.parametrize("cwd", ["\ud800", "/a\ud800", "/a\0b", "shop", "..", "", "-rf", "~"])
def test_a_folder_that_cannot_be_one_is_none(tmp_path: Path, cwd: str) -> None:
    talk = Talk(cwd=cwd)
    talk.call("c", "Read", {"file_path": f"{CWD}/a.py"}, listed("x\n"), read_of(f"{CWD}/a.py", "x\n"))
    told = imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert told.counts.reads == 1
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == [f"{CWD}/a.py"]
    assert imported(tmp_path / "s.jsonl", tmp_path / "w.ccos").added == 0


@pytest.mark.parametrize(
    ("cwd", "path"), [("C:\\shop", "C:\\shop\\src\\a.go"), ("\\\\srv\\shop", "\\\\srv\\shop\\src/a.go")]
)
def test_a_folder_of_another_system_is_one(tmp_path: Path, cwd: str, path: str) -> None:
    talk = Talk(cwd=cwd)
    talk.call("c", "Read", {"file_path": path}, listed("x\n"), read_of(path, "x\n"))
    imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == ["src/a.go"]


def test_what_was_read_before_a_file_went_away_is_its_own(tmp_path: Path) -> None:
    """And not of the session that comes next, in a folder of another name."""
    first, other = Talk("s1", cwd="/home/ann/shop"), Talk("s2", cwd="/home/ann/till")
    for talk, folder in ((first, "shop"), (other, "till")):
        path = f"/home/ann/{folder}/a.py"
        talk.call(folder, "Read", {"file_path": path}, listed("x\n"), read_of(path, "x\n"))
    gone = Story(_GoesAway(str(written(tmp_path / "1.jsonl", first.values))))
    with Importing(str(tmp_path / "w.ccos")) as importing:
        with pytest.raises(Unavailable):
            importing.take(gone)
        importing.take(Story(Tail(str(written(tmp_path / "2.jsonl", other.values)))))
    assert [op["path"] for op in ops(tmp_path / "w.ccos", "seen")] == ["a.py", "~/till/a.py"]


def test_two_that_make_a_workspace_at_once_share_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is quicker, just when this one has seen that there is none."""
    written(tmp_path / "s.jsonl", everything().values)
    make = module.init_elsewhere

    def overtaken(*given: Any) -> None:
        monkeypatch.setattr(module, "init_elsewhere", make)
        imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
        make(*given)

    monkeypatch.setattr(module, "init_elsewhere", overtaken)
    told = imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert (told.added, told.counts.calls) == (0, 7)


def test_arguments_of_any_depth_are_withheld(tmp_path: Path) -> None:
    deep: object = "hunter2"
    for _ in range(400):
        deep = {"a": [deep]}
    talk = Talk()
    talk.call("c", "Read", {"file_path": f"{CWD}/.env", "more": deep}, "TOKEN=hunter2")
    told: Imported = imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert told.counts.calls == 1
    assert [op["withheld"] for op in ops(tmp_path / "w.ccos", "tool")] == ["secret-path"]


def test_many_files_are_read_in_small_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(with_subagent(tmp_path, 8), tmp_path / "whole.ccos")
    monkeypatch.setattr("ccos_core.session.transcripts.MOST_AT_ONCE", 100)
    monkeypatch.setattr("ccos_core.session.transcripts.SMALLEST_CHUNK", 7)
    imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert chain(tmp_path / "w.ccos") == chain(tmp_path / "whole.ccos")


class _GoesAway(Tail):
    """A file that can't be read any further."""

    def read(self, *given: object) -> Iterator[Observation]:
        yield from super().read()
        raise Unavailable("can't be read: gone", place=self.path)
