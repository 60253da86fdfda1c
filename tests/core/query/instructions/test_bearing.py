"""Judging a deed by very many instructions takes time that grows as they do, and not as their square."""

import sys
from itertools import count

from ccos_core.query.instructions.bearing import Instructions
from ccos_core.query.instructions.deeds import deed_of
from tests.core.query.conversations import MAIN, Conversation


def calls_of(rules: int, prompts: int = 1) -> int:
    """How many functions are called to judge a deed by so many rules, all about one subject."""
    each = rules // prompts
    story = Conversation()
    for prompt in range(prompts):
        story.say("\n".join(f"- Never edit src/file{prompt * each + at}.py" for at in range(each)))
    story.run("rm src/file1.py", "")
    timeline, calls = story.timeline, count()
    instructions = Instructions(timeline, (MAIN["host"], MAIN["session"]), story.step)
    assert len(instructions.every) == rules
    deed = deed_of(timeline, story.step)
    sys.setprofile(lambda frame, event, argument: next(calls) and None)
    try:
        instructions.on(deed)
    finally:
        sys.setprofile(None)
    return next(calls)


def test_very_many_rules_take_time_as_they_are_many() -> None:
    calls_of(10)
    assert calls_of(800) < 5 * calls_of(200)


def test_very_many_rules_of_one_subject_said_one_after_the_other_do_too() -> None:
    assert calls_of(800, prompts=80) < 5 * calls_of(200, prompts=20)
