"""`retold`: what the agent would be told again, at any step, without recording anything."""

from ccos_core.present.rows import View
from ccos_core.query.retold import ToldAgain
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.query.test_statements import RULE, Story

OTHER = "Always answer in plain English."


def retold(timeline: Timeline, at: int, **more: int) -> ToldAgain:
    answer = ask(timeline, "retold", at, **more)
    assert isinstance(answer, ToldAgain)
    return answer


def test_it_tells_what_was_lost_at_any_step() -> None:
    timeline = Story().say(RULE).say(OTHER).say("Fix the parser now.").compact("They fix a parser.").timeline
    assert not retold(timeline, 4).lost
    answer = retold(timeline, 5)
    assert [(each.kind, each.text, each.step) for each in answer.lost] == [
        ("request", "Fix the parser now.", 4),
        ("said", RULE, 2),
        ("said", OTHER, 3),
    ]
    assert all(each.told and each.text in answer.text for each in answer.lost)


def test_a_note_that_an_agent_left_for_itself_is_told_after_a_cut() -> None:
    story = Story().say("Fix the parser now.")
    note = {"kind": "annotation", "node": "file:src/parse.py", "note": story.tale.facts.keep("Ask before step seven.")}
    story.tell({**note, "actor": "agent"}, "")
    assert not retold(story.timeline, 3).lost, "the agent has just written it"
    story.compact("They fix a parser now.")
    (found,) = [each for each in retold(story.timeline, 4).lost if each.kind == "todo"]
    assert (found.text, found.step, found.told) == ("(note on src/parse.py) Ask before step seven.", 3, True)
    assert "- [3] (note on src/parse.py) Ask before step seven." in retold(story.timeline, 4).text
    story.compact("They fix a parser. Ask before step seven.")
    assert not [each for each in retold(story.timeline, 5).lost if each.kind == "todo"], "the summary repeats it"


def test_it_says_what_is_left_out() -> None:
    timeline = Story().say(RULE).say(OTHER).say("Fix the parser now.").compact("They fix a parser.").timeline
    answer = retold(timeline, 5, budget=60)
    left_out = [each for each in answer.lost if not each.told]
    assert left_out
    shown = "\n".join(each.text for each in answer.as_rows(View()))
    assert "left out, over the budget of 60 tokens" in shown
    assert all(each.text in shown for each in left_out)


def test_where_nothing_is_lost_it_says_which_command_has_more() -> None:
    timeline = Story().say(RULE).timeline
    assert "`statements` lists" in "\n".join(each.text for each in retold(timeline, 2).as_rows(View()))
    remembered = ask(timeline, "context", 2)
    assert "`retold` shows" in "\n".join(each.text for each in remembered.as_rows(View()))
