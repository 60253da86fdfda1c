"""Recording: each event once, whatever is delivered how often; and what may not be kept is nowhere in the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, Refused
from ccos_core.session import lifecycle
from ccos_core.session.ingest import ingest
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from tests import story

unhurried = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
SESSION = """
    prompt "Invoices are wrong"
    write src/db.py "x = 1\\n"
    see src/db.py
    tool Bash pytest -q -> error "1 failed"
    fail test_x at src/api.py:40
    recall 300 around src/db.py
    see src/db.py 1-1
    edit src/db.py "x = 1" -> "x = 2"
    pass test_x
    note "it was the unit"
    usage 167066
    compact 167066
"""
_numbers = iter(range(10**9))


def fresh(tmp_path: Path) -> Path:
    folder = tmp_path / f"run-{next(_numbers)}"
    folder.mkdir()
    return folder


def on_disk(folder: Path) -> bytes:
    """Every byte of a workspace: the record, its log, its cache."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*.ccos*")) if path.is_file())


# ---- stories ----


def test_a_story_is_recorded_as_it_was_told(tmp_path: Path) -> None:
    with story.new_session(tmp_path) as session:
        story.told(
            session,
            SESSION
            + """
            expect 12 steps
            expect log annotation usage compaction
            again
            again
            expect 12 steps
            move src/db.py -> src/store.py
            remove src/store.py
            expect log renamed gone
            pause
            see src/db.py
            expect refused: recording is paused
            expect 14 steps
            resume
            again
            expect 15 steps
            """,
        )


def test_the_same_story_has_the_same_head(tmp_path: Path) -> None:
    def head() -> tuple[int, bytes]:
        folder = fresh(tmp_path)
        story.tell_anew(folder, SESSION)
        with open_record(str(folder / "work.ccos")) as record:
            return record.head()

    assert head() == head()


# ---- deliveries ----


def events(tmp_path: Path) -> list[dict[str, Any]]:
    with story.new_session(fresh(tmp_path)) as session:
        return story.told(session, SESSION).events


@unhurried
@given(st.data())
def test_any_multiset_of_deliveries_gives_the_ops_of_delivering_each_once(tmp_path: Path, data: st.DataObject) -> None:
    once = events(tmp_path)
    order = data.draw(st.permutations(range(len(once))))
    again = data.draw(st.lists(st.sampled_from(range(len(once))), max_size=12))
    deliveries = list(order)
    for number in again:  # a delivery of what was delivered already, anywhere behind it
        first = deliveries.index(number)
        deliveries.insert(data.draw(st.integers(first + 1, len(deliveries))), number)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(deliveries)), max_size=4)))
    batches = [deliveries[at:to] for at, to in zip([0, *cuts], [*cuts, len(deliveries)], strict=True)]

    def told(batches: list[list[int]]) -> list[bytes]:
        with story.new_session(fresh(tmp_path)) as session:
            for batch in batches:
                steps = session.record(once[number] for number in batch)
                assert len(steps) == len(batch)
            return [body for _, _, body in session.recorded.rows()]

    assert told(batches) == told([list(order)])


@unhurried
@given(st.lists(st.integers(0, 2), max_size=9), st.booleans())
def test_a_delivery_gives_the_step_it_has(tmp_path: Path, calls: list[int], together: bool) -> None:
    with story.new_session(fresh(tmp_path)) as session:
        told = [{"kind": "usage", "window": call, "call": f"c{call}"} for call in calls]
        steps = session.record(told) if together else [session.record([each])[0] for each in told]
        first = {call: 2 + place for place, call in enumerate(dict.fromkeys(calls))}
        assert steps == [first[call] for call in calls]


def test_what_makes_two_deliveries_one(tmp_path: Path) -> None:
    """Host, session, call and phase; nothing else of it counts, and without a call nothing is the same."""
    one = {"kind": "usage", "window": 1, "host": "h", "session": "s", "call": "c", "phase": "p"}
    with story.new_session(tmp_path) as session:
        session.record([one, one | {"window": 2, "at": 5, "actor": "tool"}])
        assert session.recorded.head()[0] == 2
        for name in ("host", "session", "call", "phase"):
            session.record([one | {name: "other"}])
        assert session.recorded.head()[0] == 6
        bare = {"kind": "usage", "window": 1}
        session.record([bare, bare])
        assert session.recorded.head()[0] == 8


def test_looking_again_adds_nothing_and_reading_again_does(tmp_path: Path) -> None:
    with story.new_session(tmp_path) as session:
        story.told(
            session,
            """
            write a.py "x = 1\\n"
            expect 1 step
            ingest
            expect 1 step
            see a.py
            see a.py
            expect log write read read
            ingest
            expect 3 steps
            """,
        )
        (tmp_path / "a.py").write_text("x = 2\n")
        story.told(session, "ingest\n expect log read ingest\n ingest\n expect 4 steps")


def test_a_keyed_look_that_added_nothing_stays_nothing_when_the_file_has_changed(tmp_path: Path) -> None:
    look = {"kind": "seen", "how": "ingest", "path": "a.py", "content": "1\n", "call": "look-1"}
    with story.new_session(tmp_path) as session:
        session.record([look | {"call": "look-0"}])
        (step,) = session.record([look])
        session.record([look | {"how": "write", "content": "2\n", "call": "write-1"}])
        head = session.recorded.head()
        assert session.record([look]) == [step]
        assert session.record([look | {"content": "3\n"}]) == [step]
        assert session.recorded.head() == head
    with open_session(session.recorded.path) as later:
        assert later.record([look]) == [step]
        assert prove(later.recorded).valid


def test_what_another_program_recorded_is_known(tmp_path: Path) -> None:
    look = {"kind": "seen", "how": "ingest", "path": "a.py", "content": "1\n"}
    with story.new_session(tmp_path) as one, open_session(one.recorded.path) as other:
        one.record([look])
        other.record([look])
        other.record([look | {"content": "2\n"}])
        one.record([look | {"content": "2\n"}])
        one.record([{"kind": "gone", "path": "a.py"}])
        other.record([look | {"content": "2\n"}])
        assert one.recorded.head()[0] == 5


def test_a_slice_says_nothing_of_the_whole(tmp_path: Path) -> None:
    look = {"kind": "seen", "how": "ingest", "path": "a.py", "content": "1\n"}
    with story.new_session(tmp_path) as session:
        session.record([look, look | {"how": "read", "content": "9\n", "slice": [1, 1]}, look])
        assert session.recorded.head()[0] == 3


def test_nothing_of_a_refused_batch_is_recorded(tmp_path: Path) -> None:
    good = {"kind": "seen", "how": "ingest", "path": "a.py", "content": "1\n"}
    with story.new_session(tmp_path) as session:
        with pytest.raises(ValueError, match="seen needs path"):
            session.record([good, {"kind": "seen", "how": "ingest"}])
        assert session.recorded.head()[0] == 1
        lifecycle.pause(session.recorded.path, True)
        with pytest.raises(Refused):
            session.record([good])
        lifecycle.pause(session.recorded.path, False)
        session.record([good])
        assert session.recorded.head()[0] == 2
        assert session.added == 1


def test_a_session_that_cannot_begin_leaves_the_file_alone(tmp_path: Path) -> None:
    with pytest.raises(CcosError):
        open_session(str(tmp_path / "missing.ccos"))
    assert list(tmp_path.iterdir()) == []


# ---- what may not be kept ----

WORD = "correct-horse-battery"
BASH = {"kind": "tool", "name": "Bash", "outcome": "ok", "result": WORD}


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    return {"kind": "tool", "name": name, "outcome": "ok", "arguments": arguments, "result": WORD}


def absolute(path: str) -> str:
    return f"/home/ann/proj/{path}"


PATCH = f"*** Begin Patch\n*** Add File: .env\n+{WORD}\n*** End Patch"
WITHHELD: list[dict[str, Any]] = [
    {"kind": "seen", "how": "read", "path": ".env", "content": WORD},
    {"kind": "seen", "how": "write", "path": "deep/.env.local", "content": WORD},
    {"kind": "seen", "how": "ingest", "path": "keys/server.pem", "content": WORD, "slice": [1, 2]},
    {"kind": "seen", "how": "read", "path": "private/notes.txt", "content": WORD},
    {"kind": "seen", "how": "read", "path": absolute("private/notes.txt"), "content": WORD},
    {"kind": "seen", "how": "read", "path": "pkg/local.txt", "content": WORD},
    tool("Read", file_path=".env"),
    tool("Read", file_path=absolute("private/deep/x")),
    tool("Read", path="./private/../private/x"),
    tool("Read", uri="file:///home/ann/proj/private/x"),
    tool("Read", files=["README.md", ".env"]),
    tool("Read", filename="my folder/.env"),
    tool("Write", file_path=".env", content=f"A={WORD}", mode=[WORD], more={"x": WORD, "n": 5}),
    tool("Edit", file_path="private/x", old_string=WORD, new_string=WORD),
    tool("Bash", command="cat .env"),
    tool("Bash", command=["bash", "-lc", "cat .env"]),
    tool("Bash", cmd="cat private/x"),
    tool("Bash", command=f"echo A={WORD} >> .env"),
    tool("Bash", command=f"cat > .env <<EOF\nA={WORD}\nEOF"),
    tool("Bash", command=f"cat {absolute('private/x')}"),
    tool("Bash", command="cat x") | {"cwd": "/home/ann/proj/private"},
    tool("Bash", command="cat x") | {"cwd": "private"},
    tool("Bash", command="cat ../private/x") | {"cwd": "/home/ann/proj/src"},
    tool("Bash", command="cat local.txt") | {"cwd": "/home/ann/proj/pkg"},
    tool("Python", code="print(open('.env').read())"),
    tool("apply_patch", input=PATCH),
    tool("apply_patch", command=["apply_patch", PATCH]),
    tool("apply_patch", patch=f"--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-{WORD}\n+{WORD}\n"),
    BASH | {"arguments": '{"command": "cat .env"}'},
    BASH | {"arguments": "cat .env"},
    BASH | {"arguments": PATCH},
]


@pytest.mark.parametrize("observation", WITHHELD, ids=lambda told: str(told.get("arguments") or told.get("path"))[:40])
def test_what_may_not_be_kept_is_nowhere(
    tmp_path: Path, observation: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".ccosignore").write_text("/private/\n")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / ".ccosignore").write_text("local.txt\n")
    here = str(tmp_path)

    def moved(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("/home/ann/proj", here)
        if isinstance(value, list):
            return [moved(item) for item in value]
        return {key: moved(item) for key, item in value.items()} if isinstance(value, dict) else value

    with story.new_session(tmp_path) as session:
        session.record([moved(observation)])
        assert WORD.encode() not in on_disk(tmp_path)
        ((_, _, body),) = session.recorded.rows(2)
        assert b'"withheld":"' in body
        assert b'"slice"' not in body
        told = [session.recorded.content(row[0]) for row in session.recorded.ask("SELECT hash FROM blob")]
        assert not [content for content in told if WORD.encode() in content]
    assert WORD.encode() not in on_disk(tmp_path)


@pytest.mark.parametrize(
    "observation",
    [
        tool("Read", file_path=".env.example"),
        tool("Bash", command="git commit -m 'ignore .env files'"),
        tool("Read", file_path="public/notes.txt"),
        tool("Bash", command="cat x") | {"cwd": "/elsewhere/private"},
        {"kind": "seen", "how": "read", "path": "/elsewhere/private/x", "content": WORD},
        {"kind": "prompt", "said": f"read .env, it says {WORD}", "source": "user"},
    ],
)
def test_what_only_looks_like_it_is_kept(tmp_path: Path, observation: dict[str, Any]) -> None:
    (tmp_path / ".ccosignore").write_text("/private/\n")
    with story.new_session(tmp_path) as session:
        session.record([observation])
        ((_, _, body),) = session.recorded.rows(2)
        assert b"withheld" not in body


def test_a_withheld_call_still_says_which_path(tmp_path: Path) -> None:
    told = [tool("Write", file_path=".env", content=WORD), tool("Bash", command=f"echo {WORD} | tee .env")]
    with story.new_session(tmp_path) as session:
        session.record([*told, BASH | {"arguments": PATCH}])
        kept = [bytes(session.recorded.content(row[0])) for row in session.recorded.ask("SELECT hash FROM blob")]
    assert len(kept) == 3
    assert all(b".env" in content and b"withheld" in content for content in kept)


def test_an_ignore_file_behind_a_link_or_a_pipe_is_none(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("a.py\n")
    (tmp_path / ".ccosignore").symlink_to(tmp_path / "elsewhere")
    if hasattr(os, "mkfifo"):
        (tmp_path / "pkg").mkdir()
        os.mkfifo(tmp_path / "pkg" / ".ccosignore")
    with story.new_session(tmp_path) as session:
        session.record([{"kind": "seen", "how": "read", "path": path, "content": "x"} for path in ("a.py", "pkg/a.py")])
        assert not [body for _, _, body in session.recorded.rows() if b"withheld" in body]


def test_ingest_and_the_agent_agree_about_what_is_withheld(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(WORD)
    with story.new_session(tmp_path) as session:
        ingest(session, [str(tmp_path)])
        session.record([{"kind": "seen", "how": "ingest", "path": ".env", "content": "changed"}])
        assert session.recorded.head()[0] == 2
    assert WORD.encode() not in on_disk(tmp_path)


def test_a_workspace_opened_through_a_link_is_about_the_same_project(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    (tmp_path / "links").mkdir()
    real = str(tmp_path / "proj" / "work.ccos")
    lifecycle.init(real)
    link = tmp_path / "links" / "work.ccos"
    link.symlink_to(real)
    with open_session(real) as straight, open_session(str(link)) as linked:
        assert linked.root == straight.root == str(tmp_path / "proj")


def test_a_project_whose_name_is_no_text(tmp_path: Path) -> None:
    """Folders may be called anything where bytes make a name."""
    project = os.fsdecode(os.fsencode(tmp_path) + b"/gr\xfcn")
    try:
        os.mkdir(project)
    except OSError:
        pytest.skip("this file system wants names that are text")
    path = os.path.join(project, "work.ccos")
    lifecycle.init(str(tmp_path / "away.ccos"), project)
    lifecycle.init(path, project)
    for each in (str(tmp_path / "away.ccos"), path):
        with open_session(each) as session:
            assert session.root == project
            session.record([{"kind": "gone", "path": os.path.join(project, "a.py")}])
            assert b'"path":"a.py"' in list(session.recorded.rows())[-1][2]
