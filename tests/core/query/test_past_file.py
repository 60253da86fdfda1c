"""A file as it is put together at a step: the text that the engine shows, and every line with how it is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.past_file import PARTIAL, UNSURE, WHOLE, Lines, PastFile, past_files
from ccos_core.replay.timeline import Timeline
from ccos_core.session import lifecycle
from ccos_core.session.journaling import timeline_of as opened
from ccos_core.session.named import import_transcript
from ccos_core.session.session import open_session
from ccos_core.storage import segments
from ccos_core.storage.opening import open_record
from ccos_core.values.sheet import UNKNOWN
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

RECORDINGS = Path(__file__).resolve().parents[4] / "shared" / "sessions"
LINES = st.lists(st.sampled_from(["a", "b", "", "é"]), min_size=1, max_size=5).map("\n".join)
SPLICES = st.lists(st.tuples(st.sampled_from(["read", "whole", "edit", "doubt", "move"]), st.integers(1, 6), LINES))


def file_of(timeline: Timeline, path: str, at: int | None = None) -> PastFile:
    at = timeline.head if at is None else at
    return next(each for each in past_files(timeline, at) if each.path == path)


def told(splices: list[tuple[str, int, str]]) -> Tale:
    tale, path = Tale(), "a.txt"
    for kind, first, text in splices:
        if kind == "whole":
            tale.read(path, text)
        elif kind == "read":
            tale.read(path, text, first, first + text.count("\n"))
        elif kind == "doubt":
            tale.tell({"kind": "seen", "how": "edit", "path": path, "withheld": "uncertain", "inferred": True})
        elif kind == "move":
            other = "b.txt" if path == "a.txt" else "a.txt"
            tale.tell({"kind": "renamed", "path": path, "to": other})
            path = other if path in tale.world.graph.files or other in tale.world.graph.files else path
        else:
            part = {"content": tale.facts.keep(text), "slice": [first, first + text.count("\n")], "took": 1}
            tale.tell({"kind": "seen", "how": "edit", "path": path, **part})
    return tale


@given(SPLICES)
def test_the_lines_are_those_that_the_fold_knows(splices: list[tuple[str, int, str]]) -> None:
    tale = told(splices)
    world, timeline = tale.world, timeline_of(tale)
    for file in past_files(timeline, timeline.head):
        sheet = world.sheets.get(file.path)
        if sheet is not None and file.has_text:
            assert file.sheet.lines == sheet.lines
            assert file.sheet.runs == sheet.runs
        spans = {number for each in file.unknown for number in range(each.first, each.last + 1)}
        assert all(not file.sheet.lines[number - 1] for number in spans)


def test_a_guess_is_a_guess_until_the_file_is_shown_again() -> None:
    tale = told([("whole", 1, "a\nb\n"), ("doubt", 1, ""), ("read", 1, "a"), ("whole", 1, "a\nc\n")])
    timeline = timeline_of(tale)
    states = [file_of(timeline, "a.txt", step).state for step in range(2, timeline.head + 1)]
    assert states == [WHOLE, UNSURE, UNSURE, WHOLE]
    assert file_of(timeline, "a.txt", 4).doubted == (Lines(2, 3),)


def test_lines_that_were_too_many_to_keep_leave_room() -> None:
    tale = Tale()
    blob = tale.facts.keep("one\n[... lines left out: 3 ...]\nfive\n")
    cut = {**blob, "whole": "0" * 64, "whole_bytes": 99, "head": 1, "dropped": 3}
    tale.tell({"kind": "seen", "how": "read", "path": "big.txt", "content": cut})
    file = file_of(timeline_of(tale), "big.txt")
    assert (file.state, file.unknown) == (PARTIAL, (Lines(2, 4),))
    assert file.content == b"one\n\n\n\nfive\n"


def test_an_edit_whose_text_was_erased_leaves_a_guess() -> None:
    tale = told([("whole", 1, "a\nb\n"), ("edit", 1, "new")])
    edit = tale.ops[-1]["content"]["blob"]
    timeline = timeline_of(tale)
    del tale.facts.contents[edit]
    file = file_of(timeline, "a.txt")
    assert file.state == UNSURE
    assert any("step 3" in note for note in file.notes)


def test_the_question_counts_them() -> None:
    tale = told([("whole", 1, "a\nb\n")]).read("part.py", "x\ny", 3, 4)
    answer = ask(timeline_of(tale), "files", len(tale.ops))
    assert [(each.path, each.state, each.lines, each.unknown) for each in answer.files] == [
        ("a.txt", "whole", 2, ()), ("part.py", "partial", 4, (Lines(1, 2),))
    ]  # fmt: skip
    assert ask(timeline_of(tale), "files", 1).files == ()


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="NO RECORDINGS HERE: files were not put together from real ones")
@pytest.mark.parametrize(
    "name",
    ["claude-code/entire-cli_adff0201aecb_198tools_11fail.jsonl", "codex/rtchess_019aad50.jsonl",
     "mini-swe-agent/astroid-1333_188steps.traj.json"],
)  # fmt: skip
def test_of_recordings_the_text_is_the_one_that_the_engine_shows(name: str) -> None:
    with open_record(import_transcript(str(RECORDINGS / name))) as record:
        timeline = opened(record)
        compared = 0
        for at in range(timeline.head, 0, -97):
            for file in past_files(timeline, at):
                version = timeline.sources.at(file.path, timeline.at(at).last)
                assert version is not None
                text = timeline.sources.text(file.path, version)
                if text is not None and file.has_text:
                    compared += 1
                    assert file.sheet.text == text
                    assert (file.state == PARTIAL) >= any(run[2] == UNKNOWN for run in file.sheet.runs)
        assert compared > 20


def test_files_of_archived_steps_are_put_together_without_unpacking_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "w.ccos")
    lifecycle.init(path, str(tmp_path))
    with open_session(path) as session:
        session.record({"kind": "seen", "how": "read", "path": f"{n}.txt", "content": f"{n}\n"} for n in range(20))
    with open_record(path) as record:
        before = list(past_files(opened(record), 20))
    lifecycle.compact(path, most=0, keep=0)
    read: list[int] = []
    monkeypatch.setattr(segments, "packed", lambda *of, as_it_is=segments.packed: read.append(1) or as_it_is(*of))
    with open_record(path) as record:
        timeline = opened(record)
        read.clear()
        assert list(past_files(timeline, 20)) == before
    assert len(read) == 1
