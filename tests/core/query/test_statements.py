"""`statements` and `statement`: what the user said, and whether the agent's window has it, step by step.

The law compares every step with a plain re-telling: a window is a list of texts, and a compaction replaces them.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.present.rows import View
from ccos_core.query.carriers import LONG_ENOUGH
from ccos_core.query.said import memo_id
from ccos_core.query.statement import Standing
from ccos_core.query.statements import Statements
from ccos_core.replay.timeline import Timeline
from ccos_core.text.statements import MOST_STATEMENTS
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

HELD_STATES = ("in", "partial", "stale", "uncertain")
MAIN = {"host": "claude-code", "session": "s"}
SUB = {**MAIN, "context": "explore"}
RULE = "Never push to main without asking me."


class Story:
    """A conversation, and beside it the texts that each window has."""

    def __init__(self) -> None:
        self.tale = Tale()
        self.texts: dict[str, list[str]] = {"": [], "explore": []}
        self.told: list[dict[str, list[str]]] = [{"": [], "explore": []}] * 2  # before the first step, and the epoch

    def tell(self, op: dict[str, Any], text: str, *, cut: bool = False) -> Story:
        where = op.get("context", "")
        field = "summary" if op["kind"] == "compaction" else "said"
        self.tale.tell({**op, field: self.tale.facts.keep(text)} if text else op)
        kept = [] if cut else self.texts[where]
        self.texts = {**self.texts, where: [*kept, text]}
        self.told.append(self.texts)
        return self

    def say(self, text: str, **more: Any) -> Story:
        return self.tell({"kind": "prompt", "source": "user", **MAIN, **more}, text)

    def task(self, text: str) -> Story:
        return self.tell({"kind": "prompt", "source": "agent", **SUB}, text)

    def compact(self, summary: str, **where: Any) -> Story:
        cut = {"kind": "compaction", "trigger": "auto", "exact": False, **MAIN, **where}
        return self.tell(cut, summary, cut=True)

    def clear(self) -> Story:
        return self.tell({"kind": "cleared", **MAIN}, "", cut=True)

    @property
    def timeline(self) -> Timeline:
        return timeline_of(self.tale)


def listed(timeline: Timeline, **more: Any) -> dict[str, str]:
    answer: Statements = ask(timeline, "statements", timeline.head, **more)
    return {each.text: each.state for each in answer.statements}


def stood(timeline: Timeline, words: str, at: int | None = None, **more: Any) -> Standing:
    answer = ask(timeline, "statement", timeline.head if at is None else at, words=words, **more)
    assert isinstance(answer, Standing)
    return answer


def states(answer: Standing) -> list[str]:
    return [run.state for run in answer.runs for _ in range(run.first, run.last + 1)]


def test_what_a_summary_repeats_is_in_and_what_it_leaves_out_is_not() -> None:
    story = Story().say(f"{RULE} Use Go 1.24.").compact("The user said: never push to main without asking me!")
    assert listed(story.timeline) == {RULE: "in", "Use Go 1.24.": "out"}
    assert listed(story.timeline, which="lost") == {"Use Go 1.24.": "out"}
    assert listed(story.timeline, which="held") == {RULE: "in"}


def test_what_is_said_in_part_is_in_part() -> None:
    timeline = Story().say(RULE).compact("They don't want you to push to main without asking.").timeline
    assert listed(timeline) == {RULE: "partial"}
    assert states(stood(timeline, RULE)) == ["unborn", "unborn", "in", "partial"]


def test_of_few_words_a_part_says_nothing() -> None:
    timeline = Story().say("Never push to main.").compact("Then push to main.").timeline
    assert listed(timeline) == {"Never push to main.": "out"}


def test_when_it_was_lost_and_by_what() -> None:
    story = Story().say(RULE).compact(RULE).say("go on").compact("Nothing of it.")
    answer = stood(story.timeline, RULE)
    assert states(answer) == ["unborn", "unborn", "in", "in", "in", "out"]
    assert [(each.step, each.state, each.lost) for each in answer.changes] == [(2, "in", False), (5, "out", True)]
    assert answer.changes[1].cut is not None
    assert answer.changes[1].cut.carried == "none"
    shown = "\n".join(each.text for each in answer.as_rows(View()))
    assert re.search(r"out: step 5, compaction auto", shown)
    assert "summary 3 carries it word for word" in shown


def test_the_same_said_again_is_one_statement_in_two_places() -> None:
    timeline = Story().say("Use tabs.").compact("none").say("- use `tabs`!", channel="queued").timeline
    (answer,) = ask(timeline, "statements", timeline.head).statements
    assert [(each.step, each.channel) for each in answer.places] == [(2, ""), (4, "queued")]
    assert answer.state == "in"
    assert stood(timeline, answer.memo).places == answer.places


def test_a_subagent_has_only_what_its_task_says() -> None:
    timeline = Story().say(f"{RULE} Use tabs.").task("Look around. Use tabs.").timeline
    assert listed(timeline, context="explore") == {RULE: "unborn", "Use tabs.": "in"}
    assert listed(timeline) == {RULE: "in", "Use tabs.": "in"}


@pytest.mark.parametrize("said", ["let's do this as a separate PR", "no unittest, please"])
def test_a_reason_for_a_refusal_is_in_the_result_of_the_call(said: str) -> None:
    story = Story().say("Begin.")
    story.tale.tell({"kind": "tool", "name": "Edit", "outcome": "error", "call": "c1", **MAIN,
                     "result": story.tale.facts.keep(f"The user doesn't want this: {said}")})  # fmt: skip
    story.told.append(story.texts)
    timeline = story.say(said, channel="refusal", call="c1").timeline
    assert listed(timeline) == {"Begin.": "in", said: "in"}
    assert stood(timeline, "4").text == said
    assert listed(story.compact("none").timeline) == {"Begin.": "out", said: "out"}


def test_a_phrase_is_found_within_statements() -> None:
    answer = stood(Story().say(RULE).timeline, "push to main")
    assert (answer.places, answer.state) == ((), "in")


def test_chance_words_of_the_agent_hold_no_short_statement() -> None:
    story = Story().say("Debug it.").compact("none")
    turn = {"kind": "turn", "model": "m", **MAIN}
    timeline = story.tell(turn, "Let me debug it.").timeline
    answer: Statements = ask(timeline, "statements", timeline.head)
    assert (answer.held, answer.lost, answer.statements[0].state) == (0, 1, "out")


@pytest.mark.parametrize("words", ["memo:0000000000000000", "words nobody said", "..."])
def test_what_was_never_said(words: str) -> None:
    with pytest.raises(NotFound):
        stood(Story().say(RULE).timeline, words)


def test_only_the_user_is_listed() -> None:
    story = Story().say("Use tabs.").tell({"kind": "prompt", "source": "host", **MAIN}, "Be careful.")
    assert list(listed(story.task("Never mind.").timeline)) == ["Use tabs."]


WORDS = st.sampled_from([RULE, "Use tabs.", "Use tabs. " + RULE, "Something else that is long enough.", "tabs"])
TEXTS = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
MOVES = st.one_of(
    st.tuples(st.just("say"), TEXTS),
    st.tuples(st.just("task"), TEXTS),
    st.tuples(st.just("compact"), TEXTS),
    st.tuples(st.just("clear"), st.just("")),
)


@settings(max_examples=60)
@given(st.lists(MOVES, min_size=1, max_size=8), st.sampled_from(["", "explore"]))
def test_at_every_step_it_stands_as_a_plain_reading_says(moves: list[tuple[str, str]], context: str) -> None:
    story = Story().say("Begin.")
    for name, text in moves:
        getattr(story, name)(*[text] if text else [])
    timeline = story.timeline
    if context and not any(name == "task" for name, _ in moves):
        return
    said = ask(timeline, "statements", timeline.head, limit=0, context=context or "main").statements
    for each in said:
        found = states(stood(timeline, each.memo, context=context or "main"))
        for step, windows in enumerate(story.told):
            is_there = any(plain(each.text) in plain(text) for text in windows[context])
            held = is_there and step >= each.places[0].step
            assert (found[step] == "in") == held, (each.text, step)
            assert found[step] != "partial" or len(plain(each.text).split()) >= LONG_ENOUGH
            every: Statements = ask(timeline, "statements", step, limit=0, context=context or "main")
            at_step = {row.text: row.state for row in every.statements}
            assert at_step.get(each.text, found[step]) == found[step]
            held = ask(timeline, "statements", step, limit=1, which="held", context=context or "main")
            assert held.held == every.held == sum(state in HELD_STATES for state in at_step.values())
            assert all(row.state in HELD_STATES for row in held.statements)


def plain(text: str) -> str:
    return " " + " ".join(re.findall(r"\w+", text.lower())) + " "


def printed(story: Conversation, words: str) -> list[str]:
    return states(stood(story.timeline, words))


def test_a_statement_is_not_yet_said_before_it_was_said() -> None:
    story = Conversation().run("cat notes", RULE).say(RULE)
    assert printed(story, RULE) == ["unborn", "unborn", "unborn", "in"]
    assert printed(story, "push to main without asking") == ["unborn", "unborn", "in", "in"]


def test_an_output_does_not_carry_a_statement_of_few_words() -> None:
    story = Conversation().run("make", "debug: use tabs here").say("Debug!").compact("Nothing of it.")
    story.run("make", "debug: use tabs here")
    assert printed(story, "debug")[3:] == ["in", "out", "out"]
    assert printed(story, "use tabs here")[2:] == ["in", "in", "out", "in"]
    story.say("- debug")
    assert printed(story, "debug")[3:] == ["in", "out", "out", "in"]


def test_a_summary_carries_a_statement_of_few_words() -> None:
    assert printed(Conversation().say("Use tabs.").compact('The user: "use tabs"'), "use tabs")[2:] == ["in", "in"]


def test_words_of_an_output_or_a_skill_are_not_the_users() -> None:
    story = Story().say("Go on.")
    story.tell({"kind": "prompt", "source": "host", "phase": "skill", **MAIN}, "Prefer plain prose to lists.")
    call = {"kind": "tool", "name": "Bash", "outcome": "ok", "call": "c1", **MAIN}
    story.tale.tell({**call, "result": story.tale.facts.keep("Already up to date with main.")})
    timeline = story.timeline
    for words, name in (("plain prose", "skill 3"), ("up to date with main", "output of Bash 4")):
        answer = stood(timeline, words)
        shown = "\n".join(each.text for each in answer.as_rows(View()))
        assert "the user never said this" in shown
        assert f"{name} has it" in shown
        assert f"{name} carries it word for word" in shown
        missing = ask(timeline, "missing", timeline.head, node=f"words:{words}", lens="host")
        assert "the user never said this" in "\n".join(each.text for each in missing.as_rows(View()))
    assert "never said" not in "\n".join(each.text for each in stood(timeline, "Go on").as_rows(View()))


def test_the_list_counts_as_held_what_its_rows_say() -> None:
    story = Conversation().say("Debug! Use tabs everywhere in here.").compact("Nothing.").run("make", "debug: a test")
    for which, expected in (("held", []), ("lost", ["out", "out"]), ("all", ["out", "out"])):
        answer: Statements = ask(story.timeline, "statements", story.timeline.head, which=which)
        assert [each.state for each in answer.statements] == expected
        assert (answer.held, answer.lost) == (0, 2)


def test_a_statement_whose_successor_the_window_lacks_is_stale() -> None:
    story = Story().say("All answers must be JSON.")
    old, new = (memo_id(words) for words in (("all", "answers", "must", "be", "json"), ("use", "yaml", "from", "here")))
    story.tale.tell({"kind": "superseded", "claim": old, "by": new, "actor": "user"})
    story.say("Go on.").say("Use YAML from here.")
    stale: Statements = ask(story.timeline, "statements", 4)
    (row,) = [each for each in stale.statements if each.memo == old]
    assert (row.state, row.since, stale.held) == ("stale", 3, 2)
    assert "stale" in str(stale.as_rows(View()))
    assert listed(story.timeline)["All answers must be JSON."] == "in"


def test_two_answers_are_two_statements() -> None:
    answers = "The same instance, with all of the data it holds by now\nKeep it only as a reference for the next one"
    story = Story().say(answers, channel="answer")
    assert set(listed(story.timeline)) == set(answers.split("\n"))


def test_the_title_counts_what_is_held_in_part() -> None:
    story = Story().say(f"{RULE} Use Go 1.24 here.").compact("They don't want you to push to main without asking.")
    (head, *_) = ask(story.timeline, "statements", story.timeline.head).as_rows(View())
    assert "1 in the window (1 of these in part, or uncertain), 1 not" in head.text


def test_it_says_where_a_prompt_was_too_long_to_be_read_whole() -> None:
    story = Story().say(RULE).say("\n".join(f"Rule {number} of the house." for number in range(MOST_STATEMENTS + 5)))
    left_out = f"[... lines left out: 9,000; blake3 of all 7,000,000 bytes: {'ab' * 32} ...]"
    kept = story.tale.facts.keep(f"The start of it.\n{left_out}of a line.\nThe end.")
    story.tale.tell({"kind": "prompt", "source": "user", **MAIN, "said": {**kept, "dropped": 9_000}})
    answer: Statements = ask(story.timeline, "statements", story.timeline.head)
    assert answer.partly_read == (3, 4)
    assert [each.text for each in answer.statements if each.said == 4] == ["The start of it.", "of a line.", "The end."]
    assert "too long to be read whole, so statements are missing: step 3, 4" in answer.as_rows(View(120))[-1].text
    assert ask(story.timeline, "statements", 2).partly_read == ()
