"""Thoughts, tokens and words of the user in the transcripts of all hosts but Claude Code."""

import base64
from typing import Any

import pytest

from ccos_core.intake.importers import generic, mini_swe_agent, swe_agent
from ccos_core.intake.importers.codex import reader as codex
from ccos_core.intake.importers.images import placeholder
from ccos_core.intake.importers.opencode import reader as opencode
from ccos_core.intake.importers.record import Format, Observation, Record
from tests.core.intake.importers import test_mini_swe_agent as mini_runs
from tests.core.intake.importers import test_opencode as opencode_runs
from tests.core.intake.importers import test_swe_agent as swe_runs
from tests.core.intake.importers.codex_fixtures import Rollout, message, read
from tests.core.intake.importers.foreign import of_kind, recorded, told

PICTURE = base64.b64encode(b"a picture").decode()
LINE = placeholder("image", "image/png", PICTURE)


def said(observations: list[Observation], *kinds: str) -> list[tuple[Any, ...]]:
    return [(each["kind"], each.get("said"), each.get("sealed")) for each in of_kind(observations, *kinds)]


def in_codex(*items: dict[str, Any]) -> list[Observation]:
    rollout = Rollout().turn()
    for item in items:
        rollout.line("response_item", item)
    return read(rollout.records)


def reasoning(*summary: str, content: str = "", **more: Any) -> dict[str, Any]:
    whole = [{"type": "reasoning_text", "text": content}] if content else None
    parts = [{"type": "summary_text", "text": each} for each in summary]
    return {"type": "reasoning", "summary": parts, "content": whole, **more}


# -- thoughts ---------------------------------------------------------------------------------------------------------


def test_thoughts_of_codex_stand_before_what_followed() -> None:
    found = in_codex(
        reasoning("**Look**", encrypted_content="gAAA"),
        message("assistant", "I look."),
        reasoning(encrypted_content="gBBB"),
        reasoning("a", "b"),
        reasoning("a", content="all of it"),
    )
    assert said(found, "thought", "turn") == [
        ("thought", "**Look**", True),
        ("turn", "I look.", None),
        ("thought", None, True),
        ("thought", "a\n\nb", None),
        ("thought", "all of it", None),
    ]


def test_a_thought_of_codex_that_comes_again_is_told_once() -> None:
    one = reasoning("a", id="rs_1")
    assert [each["call"] for each in of_kind(in_codex(one, one), "thought")] == ["rs_1"]


def test_thoughts_of_opencode() -> None:
    first = {"type": "reasoning", "text": "hm", "id": "r1"}
    parts = opencode_runs.text("So.", time={"start": 1, "end": 2}), {"type": "reasoning", "text": "then"}
    found = told(
        opencode.FORMAT,
        recorded(opencode_runs.export(opencode_runs.says("m1", first, *parts))),
    )
    assert said(found, "thought", "turn") == [("thought", "hm", None), ("turn", "So.", None), ("thought", "then", None)]
    assert [each["call"] for each in of_kind(found, "thought")] == ["r1", "m1.2"]


@pytest.mark.parametrize(
    ("fields", "words", "sealed"),
    [
        ({"reasoning_content": "hm"}, "hm", None),
        ({"thinking_blocks": [{"type": "thinking", "thinking": "hm"}], "reasoning_content": "hm"}, "hm", None),
        ({"thinking_blocks": [{"type": "redacted_thinking", "data": "x"}]}, None, True),
    ],
)
def test_thoughts_of_chat_messages(fields: dict[str, Any], words: str | None, sealed: bool | None) -> None:
    asks = {**mini_runs.asks(("c1", "ls")), **fields}
    run = mini_runs.run(asks, mini_runs.prints("c1", "a.py\n"))
    assert said(told(mini_swe_agent.FORMAT, recorded(run)), "thought") == [("thought", words, sealed)]
    trajectory = swe_runs.run(swe_runs.step("ls", "a.py\n", **fields))
    assert said(told(swe_agent.FORMAT, recorded(trajectory)), "thought") == [("thought", words, sealed)]


def of_lines(*values: dict[str, Any]) -> list[Observation]:
    return told(generic.FORMAT, [Record(number, value) for number, value in enumerate(values, 1)])


def test_thoughts_of_any_agent() -> None:
    found = of_lines(
        {"kind": "thought", "text": "hm", "tokens": 3},
        {"kind": "thought", "sealed": True},
        {"kind": "thought", "text": "in short", "sealed": True},
    )
    assert said(found, "thought") == [("thought", "hm", None), ("thought", None, True), ("thought", "in short", True)]
    assert found[0]["tokens"] == 3


# -- tokens and cost --------------------------------------------------------------------------------------------------


def test_tokens_of_codex_have_their_model_and_its_thinking() -> None:
    last = {"input_tokens": 100, "cached_input_tokens": 80, "output_tokens": 9, "reasoning_output_tokens": 4}
    rollout = Rollout().turn(model="model-one").event("token_count", info={"last_token_usage": last})
    (usage,) = of_kind(read(rollout.records), "usage")
    assert (usage["model"], usage["written"], usage["thinking"]) == ("model-one", 9, 4)


def test_tokens_of_opencode_have_their_cost() -> None:
    tokens = {"input": 10, "output": 5, "reasoning": 7, "cache": {"read": 1, "write": 2}}
    finish = {"type": "step-finish", "reason": "stop", "tokens": tokens, "cost": 0.00123456}
    found = told(
        opencode.FORMAT, recorded(opencode_runs.export(opencode_runs.says("m1", opencode_runs.text("Hi."), finish)))
    )
    (usage,) = of_kind(found, "usage")
    assert (usage["written"], usage["thinking"], usage["cost"], usage["model"]) == (12, 7, 1_235, "some-model")


def test_tokens_of_mini_swe_agent_have_their_cost() -> None:
    asks = mini_runs.asks(("c1", "ls"), window=1_000)
    asks["extra"] |= {"cost": 0.0004739}
    asks["extra"]["response"]["usage"]["completion_tokens_details"] = {"reasoning_tokens": 3}
    (usage,) = of_kind(told(mini_swe_agent.FORMAT, recorded(mini_runs.run(asks))), "usage")
    assert (usage["cost"], usage["thinking"], usage["model"]) == (474, 3, "model")


def test_tokens_of_any_agent() -> None:
    counts = {"fresh": 1, "cached": 2, "stored": 3, "stored_hour": 2, "written": 4, "thinking": 1, "cost": 5}
    (usage,) = of_lines({"kind": "usage", "window": 6, "model": "m", **counts})
    assert {**counts, "model": "m"}.items() <= usage.items()


# -- what the user and the service said -------------------------------------------------------------------------------


def test_answers_to_codex() -> None:
    rollout = Rollout().turn().call("c1", codex.ASKS_USER, {"questions": []})
    rollout.output("c1", '{"answers":{"deadline":{"answers":["1 August"]},"scope":{"answers":["both","tests"]}}}')
    (prompt,) = of_kind(read(rollout.records), "prompt")
    assert (prompt["said"], prompt["channel"], prompt["call"]) == ("1 August\nboth\ntests", "answer", "c1")


def test_answers_to_opencode() -> None:
    asked = opencode_runs.tool("c1", "question", {"questions": []}, "…", metadata={"answers": [["A"], ["B", "C"]]})
    found = told(opencode.FORMAT, recorded(opencode_runs.export(opencode_runs.says("m1", asked))))
    (prompt,) = of_kind(found, "prompt")
    assert (prompt["said"], prompt["channel"], prompt["call"]) == ("A\nB\nC", "answer", "c1")


def test_a_channel_in_our_own_format() -> None:
    found = of_lines({"kind": "prompt", "text": "no", "channel": "refusal"}, {"kind": "prompt", "text": "go"})
    assert [each.get("channel") for each in found] == ["refusal", None]


def test_an_error_of_the_model_s_service_ends_a_turn_of_codex() -> None:
    rollout = Rollout().turn().event("error", message="You've hit your usage limit.")
    (turn,) = of_kind(read(rollout.records), "turn")
    assert (turn["stop"], turn["detail"], turn["said"]) == ("error", "You've hit your usage limit.", None)


def test_what_codex_tells_its_model_before_all_else_stays_after_a_compaction() -> None:
    rollout = Rollout(base_instructions={"text": "You are an agent."}).turn().user("Go.").compacted("So far.")
    found = read(rollout.records)
    assert (found[0]["said"], found[0]["source"], found[0]["call"]) == ("You are an agent.", "host", "instructions")
    assert of_kind(found, "compaction")[0]["kept"] == ["instructions"]


# -- images -----------------------------------------------------------------------------------------------------------


def test_images_in_prompts_and_results_are_lines() -> None:
    url = f"data:image/png;base64,{PICTURE}"
    content = [{"type": "input_text", "text": "See:"}, {"type": "input_image", "image_url": url}]
    rollout = Rollout().turn().item("message", role="user", content=content).call("c1", "view_image", {})
    rollout.output("c1", content)
    prompt, tool = read(rollout.records)
    assert prompt["said"] == tool["result"] == f"See:\n{LINE}"


def test_an_image_changes_no_name() -> None:
    """A workspace that holds the prompt with the image's kind alone gets it no second time."""
    names = []
    for url in (f"data:image/png;base64,{PICTURE}", "data:image/png;base64,"):
        content = [{"type": "input_text", "text": "See:"}, {"type": "input_image", "image_url": url}]
        (prompt,) = read(Rollout().turn().item("message", role="user", content=content).records)
        names.append(prompt["call"])
    assert names[0] == names[1]


@pytest.mark.parametrize("image", [{"image_url": {"url": f"data:image/png;base64,{PICTURE}"}}, {"image_url": "data:,"}])
def test_an_image_in_a_chat_message_is_a_line(image: dict[str, Any]) -> None:
    run = mini_runs.run()
    run["messages"][1]["content"] = [{"type": "text", "text": "See:"}, {"type": "image_url", **image}]
    first = [{"role": "system", "content": "You have a shell."}, run["messages"][1]]
    trajectory = swe_runs.run(history=[*first, {"role": "assistant", "content": "I do"}])
    line = LINE if isinstance(image["image_url"], dict) else "[image]"
    for each, value in ((mini_swe_agent.FORMAT, run), (swe_agent.FORMAT, trajectory)):
        assert f"See:\n{line}" in [prompt["said"] for prompt in of_kind(told(each, recorded(value)), "prompt")]


def test_a_file_given_to_opencode_is_a_line() -> None:
    file = {"type": "file", "id": "f1", "mime": "image/png", "url": f"data:image/png;base64,{PICTURE}"}
    found = told(opencode.FORMAT, recorded(opencode_runs.export(opencode_runs.asks("m1", file))))
    assert [(each["said"], each["call"]) for each in found] == [(LINE, "f1")]


@pytest.mark.parametrize("each", [codex.FORMAT, opencode.FORMAT, generic.FORMAT], ids=lambda each: each.name)
def test_nothing_is_said_of_nothing(each: Format) -> None:
    assert told(each, []) == []
