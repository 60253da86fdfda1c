"""What somebody writes to keep a reader busy: the work stays in proportion to what was read, and so does what is told.

Work is counted, not timed.
"""

from __future__ import annotations

from typing import Any

import pytest

from ccos_core.intake.calls.effects import Effect, Hunk, Patched, Removed, Shown
from ccos_core.intake.importers import telling as module
from ccos_core.intake.importers.claude_code import compactions
from ccos_core.intake.importers.claude_code.reader import ClaudeCode
from ccos_core.intake.importers.codex.reader import CodexReader
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import CROWDED, KEPT_EACH, KEPT_FIRST, MOST_TOLD, Call, Telling, Where
from ccos_core.session.admit import admit
from tests.core.intake.importers.claude_code_fixtures import Talk
from tests.core.intake.importers.codex_fixtures import Rollout, read
from tests.core.intake.importers.foreign import of_kind

HERE = Where("s", "c1", 5)


# ---- what a call did to files ----


def told_of(effects: list[Effect], before: list[Effect] = []) -> list[Observation]:  # noqa: B006
    telling = Telling("demo")
    list(telling.brought(HERE, before))
    telling.asked(Call(HERE, "run", {}))
    return list(telling.answered(HERE, "", "ok", effects))[1:]


def test_a_call_tells_of_so_many_stretches_and_counts_the_others() -> None:
    shown: list[Effect] = [Shown("a.py", f"line {line}", line) for line in range(1, 2 * MOST_TOLD, 2)]
    assert len(told_of(shown)) == MOST_TOLD
    *told, note = told_of([*shown, *(Shown(f"{name}.py", "x\n", whole=True) for name in "bcd")])
    assert [each["phase"] for each in told] == [f"file.{number}" for number in range(MOST_TOLD)]
    assert note["kind"] == "annotation"
    assert note["note"].startswith("3 more stretches of files")
    assert all(admit(each).body for each in (*told, note))


def test_what_a_call_changed_is_told_of_every_file() -> None:
    """Each once, without what it is now: nobody may take a file for what it was."""
    places = [Hunk((f"old {line}",), (f"new {line}",), line) for line in range(1, 2 * MOST_TOLD, 2)]
    effects: list[Effect] = [Patched("a.py", places), Patched("b.py", places[:4]), Removed("c.py"), Shown("d.py", "x")]
    known: list[Effect] = [Shown("b.py", f"old {line}", line) for line in (1, 3)]
    told = told_of(effects, known)
    assert len(told) == MOST_TOLD + 3
    edit, gone, note = told[MOST_TOLD:]
    assert (edit["path"], edit["how"], edit["withheld"], edit["content"]) == ("b.py", "edit", CROWDED, None)
    assert (gone["kind"], gone["path"]) == ("gone", "c.py")
    assert note["note"].startswith("5 more stretches of files")
    assert all(admit(each).body for each in told)


# ---- what a compaction kept ----


def entries(told: list[Observation]) -> int:
    return sum(len(each["kept"]) for each in of_kind(told, "compaction"))


def rollbacks(messages: int, times: int, turns: int = 0) -> list[Observation]:
    rollout = Rollout()
    for number in range(messages):
        rollout.user(f"Look at {number}.")
    for _ in range(times):
        rollout.event("thread_rolled_back", num_turns=turns)
    for number, line in enumerate(rollout.lines):
        line["timestamp"] = f"2026-01-02T03:{number // 60 % 60:02}:{number % 60:02}.{number // 3600:03}Z"
    return read(rollout.records)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_FIRST", 100)
    monkeypatch.setattr(module, "KEPT_EACH", 2)
    monkeypatch.setattr(compactions, "STEPS_FIRST", 100)
    monkeypatch.setattr(compactions, "STEPS_EACH", 2)


@pytest.mark.usefixtures("small")
def test_who_rolls_back_all_the_time_tells_no_more_than_was_read() -> None:
    for messages, times in ((300, 100), (300, 400)):
        told = rollbacks(messages, times)
        assert len(of_kind(told, "compaction")) == times
        assert entries(told) <= 100 + 2 * (messages + times)
    last = of_kind(told, "compaction")[-1]
    assert not last["exact"]
    assert last["kept"] == [each["call"] for each in of_kind(told, "prompt")][-len(last["kept"]) :]


def test_a_few_times_all_of_it_is_told() -> None:
    told = rollbacks(50, 3)
    assert all(each["exact"] and len(each["kept"]) == 50 for each in of_kind(told, "compaction"))
    assert entries(told) <= KEPT_FIRST + KEPT_EACH * 53


@pytest.mark.usefixtures("small")
def test_taking_turns_back_costs_what_is_taken_back() -> None:
    told = rollbacks(400, 400, 1)
    assert len(of_kind(told, "compaction")[-1]["kept"]) == 0
    assert entries(told) <= 100 + 2 * 800


class Counted(dict[str, str]):
    """Parents of records, and how often somebody asked."""

    asked = 0

    def get(self, *given: Any) -> Any:
        self.asked += 1
        return super().get(*given)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("head", ["first", "nowhere"])
def test_ways_back_are_not_gone_for_ever(head: str) -> None:
    talk = Talk()
    first = talk.prompt("Look at it.")
    for number in range(300):
        talk.prompt(f"And at {number}.")
    tail = talk.last
    segment = {"headUuid": first["uuid"] if head == "first" else head, "tailUuid": tail}
    for _ in range(300):
        talk.compact(preservedSegment=segment)
    reader, parents = ClaudeCode("s"), Counted()
    reader._compactions._courses["5e55-0001", ""] = course = compactions._Course(parents=parents)
    told = [each for record in talk.records() for each in reader.feed(record)]
    assert len(of_kind(told, "compaction")) == 300
    assert parents.asked <= 100 + 3 * len(talk.values)
    assert course.parents is parents
    assert entries(told) <= 100 + 2 * len(talk.values)
    assert [each["exact"] for each in of_kind(told, "compaction")][:1] == [head == "first"]


@pytest.mark.usefixtures("small")
def test_thinning_in_every_line_tells_no_more_than_was_read() -> None:
    talk = Talk()
    for number in range(300):
        talk.prompt(f"Look at {number}.", uuid=f"p{number}")
    for number in range(200):
        talk.system("microcompact_boundary", microcompactMetadata={"compactedToolIds": [f"p{number}"]})
    told = talk.told()
    assert len(of_kind(told, "compaction")) == 200
    assert entries(told) <= 100 + 2 * 500


# ---- calls that wait ----


def test_calls_that_wait_are_not_gone_through_at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """They say of themselves that they are made in a thousand years, so that no end of a turn is theirs."""
    rollout = Rollout()
    for number in range(200):
        rollout.call(f"c{number}", "shell", {"command": "true"})
        rollout.lines[-1]["timestamp"] = "3026-01-01T00:00:00Z"
    for _ in range(200):
        rollout.event("turn_aborted")
    asked = 0
    real = Telling.asked_for

    def counted(*given: Any) -> Call | None:
        nonlocal asked
        asked += 1
        return real(*given)

    monkeypatch.setattr(Telling, "asked_for", counted)
    reader = CodexReader("s")
    told = [each for record in rollout.records for each in reader.feed(record)]
    assert {each["kind"] for each in told} == {"annotation"}
    assert asked == 0
    assert len(list(reader.pending())) == 200


def test_calls_end_in_the_order_in_which_they_were_made() -> None:
    rollout = Rollout()
    for name, second in (("c3", 9), ("c1", 5), ("c2", 7), ("later", 30)):
        rollout.call(name, "shell", {"command": "true"})
        rollout.lines[-1]["timestamp"] = f"2026-01-02T03:04:{second:02}Z"
    rollout.event("turn_aborted")
    rollout.lines[-1]["timestamp"] = "2026-01-02T03:04:20Z"
    assert [each["call"] for each in of_kind(read(rollout.records), "tool")] == ["c3", "c1", "c2"]
