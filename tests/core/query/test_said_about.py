"""`said`: what was said about something."""

from ccos_core.query.said_about import SaidAbout
from ccos_core.query.worth_knowing import KEPT_TALKS
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MAIN = {"host": "claude-code", "session": "s"}


def story(until: int = 7) -> Timeline:
    tale = Tale()
    steps = iter(range(2, until + 1))

    def tell(kind: str, text: str, **more: object) -> None:
        if next(steps, None):
            tale.tell({"kind": kind, "said": tale.facts.keep(text), **MAIN, **more})

    tell("prompt", "Which port does the\nserver listen on?", source="user")
    tell("turn", "It listens on 8080.")
    tell("prompt", "Use 9090 instead.", source="user", channel="queued")
    tell("prompt", "Caveat: The messages below are about a port.", source="user")
    tell("prompt", "Find the port of the database.", source="agent", context="explore")
    tell("turn", "Done, the server uses it now.")
    return timeline_of(tale)


def test_finds_what_was_said_by_whom_and_how() -> None:
    found: SaidAbout = ask(story(), "said", 7, words="which port is the server listening on")
    assert found.turns[0].by == "user"
    assert "It listens on 8080." in [each.text for each in found.turns[:2]]
    assert {each.step for each in found.turns} == {2, 3, 4, 7}
    assert [each.channel for each in found.turns if each.step == 4] == ["queued"]


def test_knows_nothing_of_later_steps_and_only_who_is_asked_for() -> None:
    timeline = story()
    assert {each.step for each in ask(timeline, "said", 3, words="server port").turns} == {2, 3}
    assert {each.by for each in ask(timeline, "said", 7, words="server port", by="user").turns} == {"user"}
    assert ask(timeline, "said", 7, words="done").turns
    assert ask(timeline, "said", 5, words="done") == ask(story(until=5), "said", 5, words="done")
    limited = ask(timeline, "said", 7, words="server port", limit=1)
    assert (len(limited.turns), limited.more) == (1, 3)
    assert ask(timeline, "said", 7, words="kubernetes").turns == ()


def test_asking_for_every_step_keeps_only_the_last_ones() -> None:
    timeline = story()
    for step in range(2, 8):
        ask(timeline, "context", step, query="port")
        ask(timeline, "said", step, words="port")
    for name, most in (("talk of statements", KEPT_TALKS), ("talk", 2)):
        assert 1 <= len(timeline.journal.once(name, dict)) <= most
