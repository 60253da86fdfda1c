"""What hooks heard, taken in: by whoever opens the workspace, one at a time, and never at the cost of an answer."""

import errno
import json
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.intake.hooks.heard import Told
from ccos_core.ops.plain import unseal
from ccos_core.serve.hook import hear
from ccos_core.session import heard, heard_events, hearing, trouble_log
from ccos_core.session.heard_events import Taking
from ccos_core.session.hearing import ASIDE, TAKEN, is_heard, take_in, waiting
from ccos_core.session.lifecycle import init
from ccos_core.session.named import find_record
from ccos_core.session.session import open_session
from ccos_core.session.trouble_log import note_trouble, read_troubles, trouble_path
from ccos_core.storage.locate import default_path, heard_path
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from tests.core.intake.importers.claude_code_fixtures import read_of


@pytest.fixture
def project(shop: Path) -> Path:
    return shop


def bash(project: Path, number: int, command: str = "true", stdout: str = "", **more: Any) -> None:
    event = {
        "session_id": "s1", "cwd": str(project), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_use_id": f"t{number}", "tool_input": {"command": command},
        "tool_response": {"stdout": stdout, "stderr": "", "interrupted": False},
    }  # fmt: skip
    hear([], json.dumps({**event, **more}).encode())


def read(project: Path, number: int, path: str, text: str, first: int, total: int) -> None:
    place = str(project / path)
    told = read_of(place, text, first, total)
    bash(project, number, tool_name="Read", tool_input={"file_path": place, "offset": first}, tool_response=told)


def ops(ws: str, *kinds: str) -> list[dict[str, Any]]:
    with open_record(ws) as record:
        told = [unseal(body) for _, _, body in record.rows()]
    return [op for op in told if op["kind"] in kinds or not kinds]


def last_content(ws: str) -> str:
    with open_record(ws) as record:
        return record.content(bytes.fromhex(ops(ws, "seen")[-1]["content"]["blob"])).decode()


def test_a_project_of_which_there_is_only_what_was_heard(project: Path) -> None:
    with pytest.raises(NotFound):
        find_record(str(project))
    bash(project, 1)
    ws = find_record(str(project / "..") + "/shop")
    assert ws == default_path(str(project))
    assert [op["call"] for op in ops(ws, "tool")] == ["t1"]
    with open_record(ws) as record:
        assert is_heard(record, "claude-code", "s1")
        assert not is_heard(record, "claude-code", "s")


def test_nobody_is_kept_from_an_answer(project: Path) -> None:
    ws = default_path(str(project))
    os.makedirs(os.path.dirname(ws))
    init(ws, str(project))
    bash(project, 1)
    with open_record(ws, write=True, stay=False) as other, other.write():
        taken = take_in(ws, patience=0.05)
    assert taken.waiting == 1
    assert "busy" in taken.why or "locked" in taken.why or "another" in taken.why, taken.why
    assert ops(ws, "tool") == []
    assert os.path.exists(heard_path(ws) + TAKEN)
    bash(project, 2)
    assert waiting(ws) == 2
    taken = take_in(ws)
    assert (taken.events, taken.waiting) == (2, 0)
    assert [op["call"] for op in ops(ws, "tool")] == ["t1", "t2"]


def test_where_two_take_in_one_waits(project: Path) -> None:
    ws = default_path(str(project))
    for number in range(200):
        bash(project, number)
    added = []
    takers = [threading.Thread(target=lambda: added.append(take_in(ws).added)) for _ in range(4)]
    for taker in takers:
        taker.start()
    for taker in takers:
        taker.join()
    assert sorted(added) == [0, 0, 0, 200]
    assert [op["call"] for op in ops(ws, "tool")] == [f"t{number}" for number in range(200)]


def test_what_is_taken_between_a_look_and_a_lock_is_taken_in_first(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = default_path(str(project))
    bash(project, 1)
    real = hearing._locked
    paths: list[str] = []

    def locked(path: str) -> int:
        if not paths:  # another one takes the file now and is killed, and a hook begins a new one
            os.rename(heard_path(ws), heard_path(ws) + TAKEN)
            bash(project, 2)
        paths.append(path)
        return real(path)

    monkeypatch.setattr(hearing, "_locked", locked)
    taken = take_in(ws)
    assert (taken.events, taken.why) == (2, "")
    assert [op["call"] for op in ops(ws, "tool")] == ["t1", "t2"]
    assert paths == [heard_path(ws), heard_path(ws) + TAKEN, heard_path(ws)]


def test_a_line_that_is_just_being_written_is_waited_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = default_path(str(project))
    bash(project, 1)
    bash(project, 2, stdout="x" * 1_000)
    path = Path(heard_path(ws))
    whole = path.read_bytes()
    path.write_bytes(whole[:-700])
    left = [whole[-700:-300], whole[-300:]]

    def sleep(_: float) -> None:
        if left:
            with open(heard_path(ws) + TAKEN, "ab") as file:
                file.write(left.pop(0))

    monkeypatch.setattr("ccos_core.session.hearing.time.sleep", sleep)
    taken = take_in(ws)
    assert (taken.events, taken.aside, taken.why) == (2, 0, "")


def test_who_writes_meanwhile_loses_nothing(project: Path) -> None:
    ws = default_path(str(project))
    bash(project, 0)
    take_in(ws)
    with open_session(ws) as other:
        for number in range(1, 20):
            other.record([{"kind": "prompt", "said": f"prompt {number}", "source": "user"}])
            bash(project, number)
            assert take_in(ws).added == 1
            assert unseal(other.recorded.op(other.recorded.head()[0])[2])["call"] == f"t{number}"
    with open_record(ws) as record:
        assert prove(record).valid
    assert [op["kind"] for op in ops(ws)] == ["epoch", "tool", *["prompt", "tool"] * 19]


def test_an_edit_is_placed_among_lines_another_process_was_shown(project: Path) -> None:
    ws = default_path(str(project))
    read(project, 1, "a.txt", "one\ntwo", 1, 4)
    take_in(ws)
    read(project, 2, "a.txt", "three\nfour", 3, 4)
    take_in(ws)
    bash(project, 3, "mv a.txt b.txt")
    take_in(ws)
    bash(project, 4, "cat >> b.txt <<'EOF'\nfive\nEOF")
    take_in(ws)
    told = ops(ws, "seen")[-1]
    assert (told["how"], told["path"]) == ("edit", "b.txt")
    assert last_content(ws).split() == ["one", "two", "three", "fourfive"]


def test_a_history_of_any_length_is_looked_through(project: Path) -> None:
    ws = default_path(str(project))
    read(project, 0, "a.txt", "one\ntwo\nthree\nfour\n", 1, 5)
    for number in range(1, 90):
        read(project, number, "a.txt", "two", 2, 5)
    take_in(ws)
    bash(project, 99, "cat >> a.txt <<'EOF'\nfive\nEOF")
    take_in(ws)
    assert last_content(ws) == "one\ntwo\nthree\nfour\nfive\n"


def test_other_conversations_know_nothing_of_it(project: Path) -> None:
    ws = default_path(str(project))
    read(project, 1, "a.txt", "one\n", 1, 2)
    bash(project, 2, "cat >> a.txt <<'EOF'\ntwo\nEOF", session_id="s2")
    bash(project, 3, "cat >> a.txt <<'EOF'\ntwo\nEOF", agent_id="a1")
    take_in(ws)
    assert [op.get("withheld", "") for op in ops(ws, "seen")] == ["", "unplaced", "unplaced"]


def test_a_file_that_is_full_takes_no_more(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bash(project, 1)
    monkeypatch.setattr(heard, "LARGEST", 10)
    with pytest.raises(Exception, match="no more events are written"):
        bash(project, 2)
    assert take_in(default_path(str(project))).events == 1


def test_a_link_in_its_place_is_not_followed(project: Path, tmp_path: Path) -> None:
    ws = default_path(str(project))
    os.makedirs(os.path.dirname(ws))
    (tmp_path / "victim").write_text("mine")
    os.symlink(tmp_path / "victim", heard_path(ws))
    with pytest.raises(OSError, match="symbolic"):
        bash(project, 1)
    assert take_in(ws).why
    assert (tmp_path / "victim").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
@pytest.mark.parametrize("added", ["", TAKEN, ASIDE])
def test_a_pipe_in_place_of_a_file_keeps_nobody_waiting(project: Path, added: str) -> None:
    bash(project, 1)
    ws = default_path(str(project))
    if added != ASIDE:
        os.replace(heard_path(ws), heard_path(ws) + ".kept")
    with open(heard_path(ws) + (".kept" if added != ASIDE else ""), "ab") as file:
        file.write(b"torn\n")
    os.mkfifo(heard_path(ws) + added)
    assert take_in(ws, 0.1).why
    waiting(ws)
    os.unlink(heard_path(ws) + added)
    if added != ASIDE:
        os.replace(heard_path(ws) + ".kept", heard_path(ws))
    assert (take_in(ws).events, len(ops(ws, "tool"))) == (1, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_a_pipe_in_place_of_the_log_keeps_nobody_waiting(project: Path) -> None:
    note_trouble("makes the folder")
    os.unlink(trouble_path())
    os.mkfifo(trouble_path())
    note_trouble("nobody hears this")
    assert read_troubles() == []


def test_an_event_nobody_can_take_in_is_set_aside(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = default_path(str(project))
    for number in range(3):
        bash(project, number)
    real = Taking._tell

    def tell(taking: Taking, told: Told) -> None:
        if told.first is not None and told.first["call"] == "t1":
            raise TypeError("what nobody has thought of")
        real(taking, told)

    monkeypatch.setattr(Taking, "_tell", tell)
    taken = take_in(ws)
    assert (taken.events, taken.aside, taken.why) == (2, 1, "")
    assert [op["call"] for op in ops(ws, "tool")] == ["t0", "t2"]
    assert "what nobody has thought of" in read_troubles()[0].said


def test_a_batch_that_cannot_be_put_on_disk_stays_where_it_was_heard(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = default_path(str(project))
    for number in range(3):
        bash(project, number)

    def keep(*_: object) -> None:
        raise TypeError("what nobody has thought of")

    with monkeypatch.context() as broken:
        broken.setattr(heard_events, "BATCH", 2)
        broken.setattr(Taking, "_keep", keep)
        taken = take_in(ws)
    assert (taken.aside, taken.waiting, taken.why) == (0, 3, "TypeError: what nobody has thought of")
    assert "couldn't be taken in: TypeError" in read_troubles()[0].said
    taken = take_in(ws)
    assert (taken.events, taken.aside, taken.why) == (3, 0, "")
    assert [op["call"] for op in ops(ws, "tool")] == ["t0", "t1", "t2"]


KEYS = [
    "hook_event_name", "session_id", "agent_id", "tool_name", "tool_input", "tool_response", "tool_use_id",
    "tool_calls", "prompt", "prompt_id", "error", "cwd", "source", "file", "filePath", "content", "stdout",
    "command", "file_path", "kind", "name", "arguments", "files", "text", "path", "to", "first", "window",
    "kept", "summary", "id", "session", "at",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
EVENTS = st.sampled_from(
    ["PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "PostCompact", "Stop", "X"]
)
TOOLS = st.sampled_from(["Read", "Edit", "MultiEdit", "Write", "Bash", "Grep", "NotebookEdit", "X"])
KINDS = st.sampled_from(
    ["tool", "prompt", "turn", "usage", "compaction", "clear", "read", "edit", "patch", "renamed", "session"]
)
WILD = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(KEYS, JSON),
        "hook_event_name": EVENTS | JSON,
        "tool_name": TOOLS | JSON,
        "kind": KINDS | JSON,
    },
)


@settings(max_examples=60)
@given(st.lists(WILD, max_size=5))
def test_whatever_comes_in_is_taken_in(events: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ws = f"{folder}/work.ccos"
        for event in events:
            hear(["--ws", ws], json.dumps(event).encode())
        taken = take_in(ws)
        assert (taken.events, taken.aside, taken.why) == (len(events), 0, "")
        if events:
            with open_record(ws) as record:
                assert prove(record).valid
        assert take_in(ws).waiting == 0


# -- troubles ---------------------------------------------------------------------------------------------------------


def test_troubles_are_kept_and_bounded(project: Path) -> None:
    assert read_troubles() == []
    for number in range(600):
        note_trouble(f"{number} " + "x" * 1_000)
    assert os.path.getsize(trouble_path()) <= trouble_log.LARGEST
    kept = [trouble.said.split()[0] for trouble in read_troubles()]
    assert kept == [str(number) for number in range(600 - len(kept), 600)]
    assert len(kept) > 50
    with open(trouble_path(), "ab") as file:
        file.write(b"half a li")
    assert len(read_troubles()) == len(kept)


def test_where_troubles_cannot_be_bounded_nothing_else_is_left(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(os, "replace", full)
    for number in range(300):
        note_trouble(f"{number} " + "x" * 1_000)
    assert os.path.getsize(trouble_path()) > trouble_log.LARGEST
    assert os.listdir(os.path.dirname(trouble_path())) == [trouble_log.NAME]


def test_a_trouble_that_cannot_be_kept_is_no_trouble(project: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    note_trouble("nobody hears this")
    assert read_troubles() == []


def test_files_are_noted_for_the_next_process(project: Path) -> None:
    """Only where somebody is shown one; what was kept and can't be read is noted anew."""
    bash(project, 1)
    ws = find_record(str(project))
    with open_record(ws) as record:
        assert heard_events.noted_in(record) == {}
    read(project, 2, "src/store.py", "a\nb\n", 1, 2)
    take_in(ws)
    with open_record(ws, write=True) as record:
        (noted,) = heard_events.noted_in(record).values()
        assert noted.upto >= 1
        with record.write() as writing:
            writing.set_local(heard_events.FILES, '{"x": 7}')
        assert heard_events.noted_in(record) == {}
    read(project, 3, "src/store.py", "a\nb\n", 1, 2)
    take_in(ws)
    with open_record(ws) as record:
        (noted,) = heard_events.noted_in(record).values()
        seen = [step for step, _, body in record.rows() if unseal(body)["kind"] == "seen"]
        assert list(noted.steps.values()) == [[step for step in seen if step <= noted.upto]] != [[]]
