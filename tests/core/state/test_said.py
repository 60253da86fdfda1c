"""What the model wrote and thought in its window, rule by rule."""

from typing import Any

import pytest

from ccos_core.values.models import plain_model, thoughts_leave
from ccos_core.values.tokens import by_size
from tests.core.state.small import Tale
from tests.core.state.test_host import MAIN

KEEPS, DROPS = "claude-opus-4-5-20251101", "gpt-5.1-codex-max"


def told(*ops: dict[str, Any]) -> Tale:
    """Ops of one conversation; a text among their fields is kept as a content."""
    tale = Tale()
    for op in ops:
        kept = {name: tale.facts.keep(op[name]) for name in ("said", "arguments", "result", "summary") if name in op}
        tale.tell({**op, **kept, **MAIN})
    return tale


def sizes(tale: Tale) -> dict[str, int]:
    """Item → tokens; its step is counted from the first op behind the epoch."""
    said = tale.world.hosts.held(("h", "s", "")).said
    return {f"{item.partition(':')[0]}:{step - 1}": tokens for item, (step, tokens) in said.items()}


def prompt(words: str = "go on", **more: str) -> dict[str, Any]:
    return {"kind": "prompt", "said": words, "source": "user", **more}


def thought(words: str = "", **more: Any) -> dict[str, Any]:
    return {"kind": "thought", **({"said": words} if words else {"sealed": True}), **more}


def usage(window: int, **more: Any) -> dict[str, Any]:
    return {"kind": "usage", "window": window, **more}


TURN = {"kind": "turn", "said": "I look."}
TOOL = {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": '{"command":"ls"}', "result": "a.py", "call": "c"}


def test_texts_thoughts_and_calls_are_in_the_window_by_their_size() -> None:
    found = sizes(told(prompt(), thought("Where is it?"), TURN, TOOL))
    words = {"prompt:1": "go on", "thought:2": "Where is it?", "text:3": "I look."}
    calls = {"call:4": '{"command":"ls"}', "result:4": "a.py"}
    assert found == {item: by_size(len(said)) for item, said in (words | calls).items()}


def test_a_cut_takes_them_with_all_else_but_what_it_names() -> None:
    message = {**TURN, "call": "m1"}
    cut = {"kind": "compaction", "trigger": "auto", "exact": True, "kept": ["m1"], "summary": "so"}
    assert list(sizes(told(prompt(), thought("hm"), message, TURN, TOOL, cut))) == ["text:3", "summary:6"]
    assert list(sizes(told(TURN, TOOL, {**cut, "kept": ["c"]}))) == ["call:2", "result:2", "summary:3"]


def test_words_in_a_result_count_once() -> None:
    assert "prompt:2" not in sizes(told(TOOL, prompt("a.py", channel="answer", call="c")))
    assert "prompt:2" in sizes(told(TOOL, prompt("a.py", channel="answer", call="d")))
    assert "prompt:2" in sizes(told(TOOL, prompt("a.py", channel="queued", call="c")))


def test_words_that_we_delivered_are_in_the_window_until_it_is_cut() -> None:
    window = {"lens": "lost", "budget": 600, "computed_at": 1, "parameters": {}, "items": [], "window": "00" * 32}
    given = {"kind": "recall", **window, "said": "Never push to main.", "call": "heard"}
    cut = {"kind": "compaction", "trigger": "auto", "exact": False}
    assert sizes(told(prompt(), given)) == {"prompt:1": by_size(5), "delivery:2": by_size(19)}
    assert sizes(told(prompt(), given, {**cut, "kept": ["heard"]})) == {"delivery:2": by_size(19)}
    assert sizes(told(prompt(), given, cut)) == {}


def test_a_sealed_thought_takes_what_the_host_counts() -> None:
    counted = usage(900, thinking=11, model=KEEPS)
    assert sizes(told(thought(), thought(), counted)) == {"thought:1": 6, "thought:2": 5}
    assert sizes(told(thought(tokens=40), counted)) == {"thought:1": 40}
    assert sizes(told(thought(), usage(900, model=KEEPS), counted)) == {"thought:1": 0}


def test_thoughts_of_earlier_turns_leave_the_window_of_some_models() -> None:
    before = [prompt(), thought("hm"), usage(900, thinking=300, model=DROPS), prompt(), thought("so")]
    assert "thought:2" in sizes(told(*before))
    assert "thought:2" in sizes(told(*before, usage(650, model=KEEPS)))
    assert "thought:2" in sizes(told(*before, usage(650)))
    after = sizes(told(*before, usage(650, model=DROPS)))
    assert "thought:2" not in after
    assert "thought:5" in after


def test_a_count_without_the_thoughts_that_left_is_no_fall() -> None:
    before = [prompt(), thought("hm"), usage(900, thinking=300, model=DROPS), prompt()]
    assert told(*before, usage(650, model=DROPS)).world.hosts.held(("h", "s", "")).falls == []
    assert told(*before, usage(350, model=DROPS)).world.hosts.held(("h", "s", "")).falls == [(6, 600, 350)]


@pytest.mark.parametrize(
    ("name", "plain", "leave"),
    [
        ("claude-opus-4-5-20251101", "claude-opus-4-5-20251101", False),
        ("claude-opus-4-6", "claude-opus-4-6", False),
        ("claude-opus-4-20250514", "claude-opus-4-20250514", True),
        ("anthropic/claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929", True),
        ("us.anthropic.claude-3-7-sonnet-20250219-v1:0", "claude-3-7-sonnet-20250219-v1:0", True),
        ("openrouter/openai/gpt-5.1-codex", "gpt-5.1-codex", True),
        ("GPT-4o", "gpt-4o", False),
        ("gemini-2.5-pro", "gemini-2.5-pro", False),
        ("", "", False),
    ],
)
def test_whose_thoughts_leave(name: str, plain: str, leave: bool) -> None:
    assert plain_model(name) == plain
    assert thoughts_leave(name) is leave
