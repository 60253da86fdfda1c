"""A session with shortened results: what was saved, and which of the lines that the agent used it would have seen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccos_core.errors import Usage
from ccos_core.query.squeezing import course
from ccos_core.query.squeezing.answer import SqueezedSession
from ccos_core.query.squeezing.compactions import moved_compactions
from ccos_core.query.squeezing.course import Course, Growth, SqueezedResult, squeezed_course
from ccos_core.text.compress.shortened import Shortened
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

PATH = "src/app.py"
LINES = [f"    total_{number} = compute(total_{number - 1}, {number})" for number in range(1, 61)]
LOG = "\n".join([*(f"2024-01-02 10:00:{at % 60:02} INFO served /item/{at} in {at}ms" for at in range(90)), "done"])


class Session:
    """A tale of calls and their results, as a host shows them."""

    def __init__(self, host: str = "h") -> None:
        self.who = {"host": host, "session": "s"}
        self.tale = Tale()
        self.calls = 0

    def op(self, **op: Any) -> None:
        self.tale.tell({**self.who, **op})

    def call(self, name: str, result: str, **arguments: Any) -> str:
        self.calls += 1
        keep = self.tale.facts.keep
        call = f"call-{self.calls}"
        said = {"arguments": keep(json.dumps(arguments)), "result": keep(result)}
        self.op(kind="tool", name=name, outcome="ok", call=call, **said)
        return call

    def read(self, lines: list[str], first: int = 1, last: int = 0) -> None:
        part = lines[first - 1 : last or len(lines)]
        shown = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(part, first))
        span = {"slice": [first, last]} if last else {}
        call = self.call("Read", shown, file_path=PATH)
        text = "\n".join(part) + "\n"
        self.op(kind="seen", how="read", path=PATH, content=self.tale.facts.keep(text), call=call, **span)

    def edit(self, before: list[str], after: list[str], **arguments: str) -> None:
        call = self.call("Edit", "done", **arguments)
        assert before != after
        self.op(kind="seen", how="edit", path=PATH, content=self.tale.facts.keep("\n".join(after) + "\n"), call=call)

    def say(self, words: str) -> None:
        self.op(kind="turn", said=self.tale.facts.keep(words))

    def compact(self) -> None:
        self.op(kind="compaction", trigger="auto", exact=False)

    def course(self) -> Course:
        timeline = timeline_of(self.tale)
        return squeezed_course(timeline, timeline.head)


def fates(found: Course) -> list[tuple[str, str]]:
    return [(need.what, need.fate) for need in found.needs]


def edited(number: int) -> list[str]:
    return [*LINES[: number - 1], "    other()", *LINES[number:]]


def test_a_line_of_the_first_read_is_still_shown_after_a_shortened_one() -> None:
    session = Session()
    session.read(LINES)
    session.read(LINES)
    session.edit(LINES, edited(30), old_string=LINES[29])
    found = session.course()
    assert found.saved_by_kind()["reread"] * 10 > found.results[1].tokens * 9
    assert fates(found) == [(f"{PATH}: {LINES[29].strip()}", "shown")]


def test_a_shortened_read_counts_as_the_lines_it_shows() -> None:
    """After the compaction the first lines are read, then all: the third read has to show what the second left out."""
    session = Session()
    session.read(LINES)
    session.compact()
    session.read(LINES, 1, 20)
    session.read(LINES)
    session.compact()
    session.read(LINES, 21, 60)
    session.read(LINES, 1, 30)
    session.edit(LINES, edited(5), old_string=LINES[4])
    found = session.course()
    kinds = [(each.kind, each.left < each.tokens) for each in found.results[:5]]
    assert kinds == [("read", False), ("read", False), ("reread", True), ("read", False), ("reread", True)]
    assert fates(found) == [(f"{PATH}: {LINES[4].strip()}", "shown")]


def test_an_edit_that_the_host_accepts_brings_no_lines_back() -> None:
    """Hosts let an agent edit what it read in part: that says nothing of lines from before a compaction."""
    session = Session("claude-code")
    session.read(LINES)
    session.compact()
    session.read(LINES, 1, 5)
    session.edit(LINES, edited(3), old_string=LINES[2])
    session.read(edited(3), 20, 60)
    assert session.course().results[-1].left == session.course().results[-1].tokens


def test_cited_places_and_quotes_are_found() -> None:
    session = Session()
    session.read(LINES)
    session.call("Bash", LOG, command="tail -100 app.log")
    session.say(f"See app.py:12-13 and `served /item/40 in 40ms`, but not `nothing of that`, nor `{'x' * 400}`.")
    assert fates(session.course()) == [
        (f"{PATH}: {LINES[11].strip()}", "shown"),
        (f"{PATH}: {LINES[12].strip()}", "shown"),
        ("served /item/40 in 40ms", "fetchable"),
    ]


def test_what_was_shown_long_ago_is_no_need() -> None:
    session = Session()
    session.read(LINES)
    for number in range(41):
        session.call("Bash", f"ok {number}")
    session.edit(LINES, edited(30), old_string=LINES[29])
    assert fates(session.course()) == []


def test_lines_dropped_without_a_marker_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "shorten", lambda text, ref: Shortened("log", text[:40]))
    session = Session()
    session.call("Bash", LOG)
    session.say("It says `served /item/40 in 40ms`.")
    assert fates(session.course()) == [("served /item/40 in 40ms", "missing")]


def test_what_the_agent_wrote_itself_needs_no_result() -> None:
    session = Session()
    session.call("Bash", LOG, command="grep 'served /item/40 in 40ms' app.log")
    session.say("It says `served /item/40 in 40ms`.")
    assert fates(session.course()) == [("served /item/40 in 40ms", "shown")]


def test_a_first_read_is_shortened_and_a_later_one_shows_the_rest() -> None:
    functions = [f"def part_number_{at}(text):\n" + "    value = compute(text, 'some words')\n" * 8 for at in range(20)]
    lines = "\n".join(functions).split("\n")
    session = Session()
    session.read(lines)
    session.say("Look at part_number_4.")
    session.read(lines)
    first, second = session.course().results
    assert (first.kind, second.kind) == ("source", "reread")
    assert first.left * 2 < first.tokens
    assert second.left * 10 > second.tokens * 7, "it shows what the first one left out"


def test_lines_shown_before_a_compaction_are_missing_after_it() -> None:
    session = Session()
    session.call("Bash", LOG)
    session.compact()
    session.say("It says `served /item/40 in 40ms`.")
    assert fates(session.course()) == []


MAIN = ("h", "s", "")


def windows(*growths: Growth, saved: dict[int, int]) -> tuple[int, ...]:
    results = [SqueezedResult(step, MAIN, "log", size, 0, "") for step, size in saved.items()]
    (found,) = moved_compactions(Course(results, growths={MAIN: list(growths)}))
    return found.then


def test_a_compaction_comes_when_the_smaller_window_is_as_full() -> None:
    """It cut at 100 tokens, to 20; 30 tokens fewer are made up for by step 9, where it would have had 101."""
    recorded = [Growth(1, 40), Growth(3, 90), Growth(4, 100, is_cut=True, is_auto=True), Growth(5, 20), Growth(9, 61)]
    assert windows(*recorded, saved={2: 30}) == (9,)
    assert windows(*recorded, saved={2: 50}) == ()
    assert windows(*recorded, saved={2: 29, 8: 3}) == ()


def test_without_savings_compactions_come_as_recorded() -> None:
    grown = [Growth(1, 40), Growth(3, 100), Growth(4, 0, is_cut=True, is_auto=True), Growth(5, 20), Growth(6, 100)]
    assert windows(*grown, Growth(7, 0, is_cut=True, is_auto=True), saved={}) == (4, 7)


def test_a_compaction_that_the_user_asked_for_stays() -> None:
    grown = [Growth(1, 40), Growth(4, 0, is_cut=True), Growth(5, 20), Growth(6, 30)]
    assert windows(*grown, saved={1: 10}) == (4,)


def test_whatif_squeeze_answers_for_the_session() -> None:
    session = Session()
    session.read(LINES)
    session.read(LINES)
    session.call("Bash", LOG)
    session.say("See app.py:12 and `served /item/40 in 40ms`.")
    timeline = timeline_of(session.tale)
    answer = ask(timeline, "whatif", timeline.head, squeeze=True)
    assert isinstance(answer, SqueezedSession)
    assert [each.kind for each in answer.kinds] == ["log", "reread", "read"]
    assert answer.tokens - answer.left == sum(each.tokens - each.left for each in answer.kinds) > 0
    assert (answer.shown, answer.fetchable, answer.missing) == (1, 1, 0)
    assert [each.what for each in answer.absent] == ["served /item/40 in 40ms"]
    earlier = ask(timeline, "whatif", timeline.head - 1, squeeze=True)
    assert (earlier.shown, earlier.absent) == (0, ())
    with pytest.raises(Usage):
        ask(timeline, "whatif", timeline.head, squeeze=True, budget=300)
