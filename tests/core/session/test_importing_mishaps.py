"""Files that are none, files that go away, and names no file system has: whatever lies there, an import ends, and what
could be read is recorded."""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Unavailable
from ccos_core.intake.importers.record import Observation
from ccos_core.session import importing as module
from ccos_core.session.imported import Imported
from ccos_core.session.importing import ANOTHER, Importing
from ccos_core.session.transcripts import Story, Tail, stories
from tests.core.intake.importers.claude_code_fixtures import CWD, Talk, everything, listed, read_of, use
from tests.core.session.test_importing import chain, imported, ops, with_subagent, written


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s.jsonl")
    with pytest.raises(Unavailable, match="isn't a file"):
        imported(tmp_path / "s.jsonl", tmp_path / "w.ccos")
    assert list(stories([str(tmp_path)])) == []


@pytest.mark.parametrize(
    ("begins", "by", "unpack"),
    [
        (b"\x1f\x8b\x08\x00", "gzip", "gzip -dc"),
        (b"\x28\xb5\x2f\xfd\x24", "zstd", "zstd -dc"),
        (b"\xfd7zXZ\x00\x00", "xz", "xz -dc"),
        (b"BZh91AY", "bzip2", "bzip2 -dc"),
        (b"PK\x03\x04\x14", "zip", "unzip -p"),
    ],
)
def test_what_is_packed_up_is_said_with_how_to_unpack_it(tmp_path: Path, begins: bytes, by: str, unpack: str) -> None:
    path = tmp_path / "a session.jsonl"
    path.write_bytes(begins + b"\0" * 100)
    with pytest.raises(Unavailable, match=f"is compressed with {by}") as caught:
        imported(path, tmp_path / "w.ccos")
    assert f"{unpack} '{path}' | ccos-tui import - -o WS" in (caught.value.hint or "")
    with pytest.raises(Unavailable) as caught:
        list(Tail("-", io.BytesIO(begins)).read())
    assert f"{unpack} FILE |" in (caught.value.hint or "")
    assert list(stories([str(tmp_path)])) == []
    assert not (tmp_path / "w.ccos").exists()


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
        ("agent-pipe.jsonl", "isn't a file"),
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


def named_by_its_file(path: Path, *words: str, at: int | None = 1) -> Path:
    """A transcript in our own format that says nothing of which session it is."""
    timed = {} if at is None else {"at": f"2026-03-01T10:00:0{at}Z"}
    begun = {"kind": "session", "agent": "demo", "cwd": CWD}
    return written(path, [begun, *({"kind": "prompt", "text": word, **timed} for word in words)])


@pytest.mark.parametrize("times", [(1, 2), (None, None), (None, 5)])
def test_two_sessions_whose_files_are_called_the_same_stay_two(tmp_path: Path, times: tuple[Any, Any]) -> None:
    """Whoever imports them again, or one that has grown, adds what is new of each."""
    one = named_by_its_file(tmp_path / "one" / "session.jsonl", "Hello.", "Look at the till.", at=times[0])
    two = named_by_its_file(tmp_path / "two" / "session.jsonl", "Hallo.", "Look at the shop.", at=times[1])
    told = [imported(path, tmp_path / "w.ccos") for path in (one, two, one, two)]
    assert [each.added for each in told] == [2, 2, 0, 0]
    assert [each.session for each in told] == [told[0].session, told[1].session] * 2
    assert told[1].session.startswith("session~")
    assert not any(each.unread for each in told)
    named_by_its_file(two, "Hallo.", "Look at the shop.", "And mend it.", at=times[1])
    assert imported(two, tmp_path / "w.ccos").added == 1
    assert [op["session"] for op in ops(tmp_path / "w.ccos", "prompt")] == [told[n].session for n in (0, 0, 1, 1, 1)]


def test_a_copy_of_a_session_is_that_session(tmp_path: Path) -> None:
    one = written(tmp_path / "one" / "s.jsonl", everything().values)
    assert imported(one, tmp_path / "w.ccos").added
    other = written(tmp_path / "two" / "s.jsonl", everything().values)
    assert imported(other, tmp_path / "w.ccos").added == 0


def test_two_sessions_that_call_themselves_the_same_are_told_so(tmp_path: Path) -> None:
    """Nobody can say which is meant; nothing is left out without a word."""
    talks = Talk(), Talk()
    for number, talk in enumerate(talks):
        for second in range(3):
            talk.prompt(f"Look at {number}.{second}.")["timestamp"] = f"2026-03-0{number + 1}T10:00:00Z"
    told = [imported(written(tmp_path / f"{n}.jsonl", t.values), tmp_path / "w.ccos") for n, t in enumerate(talks)]
    assert told[0].unread == ()
    assert [each.kind for each in told[1].unread] == [ANOTHER]
    assert told[1].added == 0


def test_no_name_in_a_transcript_shows_a_secret(tmp_path: Path) -> None:
    """Neither that of a kind of record, nor what it calls a session, a model or a tool; nor one that is cut."""
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    talk = Talk()
    talk.says(use("c1", f"tool {key}", {}), message="m1")
    for kind in (key, "x" * 190 + " " + key, f"hook/{key}"):
        talk.note({"type": kind, "sessionId": "5e55-0001"})
    talk.note({"type": "ai-title", "aiTitle": f"Use {key}"})
    told = imported(written(tmp_path / "s.jsonl", talk.values), tmp_path / "w.ccos")
    assert len(told.unknown) == 3
    assert len(told.pending) == 1
    assert "ghp_" not in repr(told)
    assert repr(told).count("REDACTED") == 5
    assert all(len(each.kind) <= 201 for each in told.unknown)


class _GoesAway(Tail):
    """A file that can't be read any further."""

    def read(self, *given: object) -> Iterator[Observation]:
        yield from super().read()
        raise Unavailable("can't be read: gone", place=self.path)
