"""Composition: the parts add up to what the agent's program counted, and say what they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotUnderstood
from ccos_core.present.rows import View
from ccos_core.query.composition import Composition
from ccos_core.query.composition_columns import Balance
from ccos_core.query.contexts import contexts_of
from ccos_core.replay.timeline import Timeline
from ccos_core.session.journaling import timeline_of as opened
from ccos_core.session.named import import_transcript
from ccos_core.storage.opening import open_record
from ccos_core.values.tokens import by_size
from tests.core.query.asked import ask
from tests.core.query.hosts import number_of
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale
from tests.laws.test_host import stories
from tests.laws.test_hosted import NAMED, Story
from tests.laws.test_hosted import told as told_story

RECORDINGS = Path(__file__).resolve().parents[4] / "shared" / "sessions"
FILES = sorted(
    path
    for folder in ("claude-code", "codex", "opencode", "mini-swe-agent", "real-hosts", "more-formats")
    for path in (RECORDINGS / folder).glob("*.json*")
    if path.name not in ("ground_truth.json",)
)
HOST = {"host": "claude-code", "session": "s1"}
LINES = "\n".join(f"def function_{number}(row): return row + {number}" for number in range(60))
BASE = 9_000
WIDE = View(400)


class Session:
    """A conversation, told op by op; counts are what its program says."""

    def __init__(self) -> None:
        self.tale = Tale()
        self.calls = 0

    def tell(self, **op: Any) -> Session:
        for field in ("said", "result", "content", "summary"):
            if isinstance(op.get(field), str):
                op[field] = self.tale.facts.keep(op[field])
        if "arguments" in op:
            op["arguments"] = self.tale.facts.keep(json.dumps(op["arguments"]))
        self.tale.tell({**HOST, **op})
        return self

    def prompt(self, said: str) -> Session:
        return self.tell(kind="prompt", said=said, source="user")

    def text(self, said: str) -> Session:
        return self.tell(kind="turn", said=said)

    def count(self, window: int, **more: Any) -> Session:
        return self.tell(kind="usage", window=window, **more)

    def tool(self, name: str, arguments: Any, result: str, outcome: str = "ok") -> Session:
        self.calls += 1
        call = f"call{self.calls}"
        return self.tell(kind="tool", name=name, arguments=arguments, result=result, outcome=outcome, call=call)

    def read(self, path: str, text: str, first: int = 1) -> Session:
        """A call that shows a file, or its lines from one on."""
        self.tool("Read", {"file_path": path}, text)
        part = {"slice": [first, first + text.count("\n")]} if first > 1 else {}
        return self.tell(kind="seen", how="read", path=path, content=text, call=f"call{self.calls}", **part)

    def edit(self, path: str, text: str) -> Session:
        self.tool("Edit", {"file_path": path}, "done")
        return self.tell(kind="seen", how="edit", path=path, content=text, call=f"call{self.calls}")

    def talk(self, times: int) -> Session:
        for number in range(times):
            self.text(f"nothing to see here {number}")
        return self

    def asked(self, at: int | None = None, **said: Any) -> Composition:
        timeline = timeline_of(self.tale)
        answer: Composition = ask(timeline, "composition", timeline.head if at is None else at, **said)
        return answer


def parts(answer: Composition) -> dict[str, int]:
    assert sum(part.tokens for part in answer.parts) == answer.tokens
    return {part.kind: part.tokens for part in answer.parts}


@settings(deadline=None, max_examples=40)
@given(stories, st.sampled_from(NAMED))
def test_the_parts_add_up_at_every_step(story: Story, context: tuple[str, str, str]) -> None:
    _, timeline = told_story(story)
    assume(number_of(timeline, context) >= 0)
    for at in range(timeline.head + 1):
        answer = ask(timeline, "composition", at, session="s", context=context[2] or "main")
        assert sum(part.tokens for part in answer.parts) == answer.tokens
        if answer.counted is not None:
            op = timeline.op(answer.counted)
            assert answer.tokens == op["window" if op["kind"] == "usage" else "after"]
        pressed = ask(timeline, "pressure", at, session="s", context=context[2] or "main")
        assert pressed.context_used == answer.tokens
        assert (pressed.source == "counted") == (answer.counted is not None)


def test_what_stood_there_first_is_the_system_prompt_and_the_tools() -> None:
    prompt, result, text = "Fix the invoices. " * 20, "1 failed, 3 passed " * 40, "I will look at the dates. " * 9
    session = Session().prompt(prompt).count(BASE).text(text).tool("Bash", {"command": "pytest"}, result)
    said = by_size(len(prompt))
    spoken = by_size(len(text)) + by_size(len(result))
    session.count(BASE + spoken + 500)
    found = parts(session.asked())
    assert found["system"] == BASE - said
    assert found["prompt"] == said
    assert found["text"] == by_size(len(text))
    assert found["rest"] == BASE + spoken + 500 - sum(each for kind, each in found.items() if kind != "rest")
    assert 400 <= found["rest"] <= 500
    assert "not explained: what the counts grew by" in "\n".join(row.text for row in session.asked().as_rows(WIDE))


def test_a_command_that_shows_a_file_is_a_file_that_was_read() -> None:
    session = Session().prompt("Go.").count(BASE).tool("Bash", {"command": "cat a.py"}, LINES)
    session.tell(kind="seen", how="read", path="a.py", content=LINES, call="call1")
    session.tool("Bash", {"command": "ls"}, "a.py\n" * 90).count(BASE + 2_000)
    found = {part.kind: part for part in session.asked().parts}
    assert (found["read"].items, found["command"].items) == (1, 1)


def test_what_comes_back_after_a_compaction_is_told_apart() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES).count(BASE + 900)
    session.tell(kind="compaction", trigger="auto", exact=False, summary="what was done " * 30)
    before = parts(session.asked())
    assert before["system"] == BASE - by_size(len("Go.")), "as it was counted before"
    assert before["restored"] == by_size(len(LINES)) // 2, "a.py may be shown again, or not"
    assert set(before) == {"summary", "system", "restored"}
    session.count(BASE + 700)
    found = parts(session.asked())
    assert found["system"] == BASE - by_size(len("Go."))
    assert found["restored"] == BASE + 700 - found["system"] - found["summary"]
    assert "read" not in found
    assert parts(session.asked(at=6))["read"] > 0


def test_a_fall_without_a_compaction_is_a_part_of_its_own() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES * 8).count(BASE + 6_000).count(BASE + 200)
    found = parts(session.asked())
    assert found["left"] < -4_000
    assert "rest" not in found
    assert parts(session.asked(at=len(session.tale.ops) - 1)).get("left") is None


def test_sizes_are_scaled_by_what_large_results_were_counted_as() -> None:
    session, window = Session().prompt("Go.").count(BASE), BASE
    for number in range(6):
        text = f"line {number} of much output\n" * 200
        window += by_size(len(text)) * 3 // 2
        session.tool("Bash", {"command": f"run {number}"}, text).count(window)
    answer = session.asked()
    assert 140 <= answer.scale <= 150
    assert answer.samples == 6
    assert abs(parts(answer).get("rest", 0)) * 20 < answer.tokens
    few = Session().prompt("Go.").count(BASE).tool("Bash", {"command": "x"}, "y " * 3_000).count(BASE + 3_000)
    assert (few.asked().scale, few.asked().samples) == (100, 0)


def test_a_file_that_was_read_again_is_dead_weight() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES).read("b.py", LINES).talk(2).read("a.py", LINES)
    session.count(BASE + 3_000)
    dead = session.asked().dead
    assert dead is not None
    (item,) = dead.items
    assert (item.says, item.why, item.kind) == ("a.py", "read again", "read")
    assert item.by == len(session.tale.ops) - 1
    assert dead.tokens == item.tokens == by_size(len(LINES))


def test_reads_are_said_to_count_each_time() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES).read("a.py", LINES).count(BASE + 3_000)
    said = [row.text for row in session.asked().as_rows(View(160))]
    (part,) = (line for line in said if line.startswith("  files read, each time  "))
    assert part.endswith("2 items")
    assert any("the window lists a file once" in line for line in said)


def test_lines_that_were_edited_since_are_dead_weight_in_part() -> None:
    edited = LINES.replace("row + 3", "row - 3")
    session = (
        Session().prompt("Go.").count(BASE).read("a.py", LINES).edit("a.py", edited).text("a.py").count(BASE + 900)
    )
    dead = session.asked().dead
    assert dead is not None
    (item,) = dead.items
    assert item.why == "edited"
    whole = by_size(len(LINES))
    assert whole // 12 < item.tokens < whole // 3, "eleven lines of sixty"


def test_a_file_nothing_of_which_was_named_again_is_dead_weight() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES).read("b.py", LINES.replace("function", "method"))
    session.talk(20).text("so function_7 is the one").talk(5).count(BASE + 3_000)
    dead = session.asked().dead
    assert dead is not None
    assert [(item.says, item.why) for item in dead.items] == [("b.py", "not named again")]
    early = session.asked(at=7).dead
    assert early is not None
    assert [item.says for item in early.items] == ["b.py"], "with hindsight"


def test_growth_names_what_came() -> None:
    session = (
        Session().prompt("Go.").count(BASE).text("small").count(BASE + 50).tool("Bash", {"command": "make"}, LINES)
    )
    session.count(BASE + 1_000)
    first, second = session.asked().growth
    assert (first.tokens, first.says, first.since, first.step) == (950, "Bash make", 5, 7)
    assert (second.tokens, second.item) == (50, "text:4")


def test_columns_are_the_parts_at_their_last_steps() -> None:
    session = Session().prompt("Go.").count(BASE).read("a.py", LINES).count(BASE + 900).text("done").count(BASE + 950)
    course = session.asked(columns=4).course
    assert course is not None
    ends = [begin - 1 for begin in course.begins[1:]] + [len(session.tale.ops)]
    for column, end in enumerate(ends):
        whole = parts(session.asked(at=end))
        told = {kind: course.tokens[place][column] for place, kind in enumerate(course.kinds)}
        assert {kind: tokens for kind, tokens in told.items() if tokens} == {k: v for k, v in whole.items() if v}


@pytest.mark.slow
@pytest.mark.skipif(not FILES, reason=f"no recorded sessions in {RECORDINGS}")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_adds_up_to_every_count_of_a_recording(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And of Claude Code's recordings, whose counts are real, little is left unexplained."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    try:
        workspace = import_transcript(str(path))
    except NotUnderstood:
        pytest.skip("no reader for this format yet")
    with open_record(workspace) as record:
        timeline: Timeline = opened(record)
        checked = [_check(timeline, number, path) for number in contexts_of(timeline)]
        if not any(checked):
            pytest.skip("this recording has no counts")


UNEXPLAINED_PERCENT = 10
"""What may stay unexplained at the median of a recording's counts."""


def _check(timeline: Timeline, context: int, path: Path) -> bool:
    balance = Balance(timeline, context)
    counts = balance.counts
    if not len(counts):
        return False
    filled = balance.at(counts)
    assert (filled.stacked.sum(axis=1) == timeline.journal.steps["tokens"][counts - 1]).all()
    assert (filled.kinds >= 0).all()
    assert (filled.system >= 0).all()
    if path.parent.name == "claude-code" and len(counts) >= 5:
        unexplained = np.abs(filled.rest) * 100 // filled.counted
        assert np.median(unexplained) <= UNEXPLAINED_PERCENT, unexplained
    return True


def test_the_course_of_a_session_reads_no_op_but_that_of_the_last_count(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session().prompt("Go.").count(BASE)
    for number in range(60):
        session.text(f"step {number}").tool("Bash", {"command": f"run {number}"}, LINES).count(BASE + 900 * number)
    timeline = timeline_of(session.tale)
    read: list[int] = []
    op = type(timeline).op
    monkeypatch.setattr(type(timeline), "op", lambda self, step: read.append(step) or op(self, step))
    monkeypatch.setattr("ccos_core.query.hosted.item_names.read_ops", lambda *_: pytest.fail("ops were read"))
    answer = ask(timeline, "composition", timeline.head, columns=40)
    assert answer.course is not None
    assert len(read) <= 1
