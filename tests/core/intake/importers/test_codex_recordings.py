"""Recorded rollouts of real agents, where they are at hand, against counts made over the raw JSON."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.codex.reader import FORMAT, CodexReader
from ccos_core.intake.importers.record import Observation, Record
from tests.core.intake.importers.codex_fixtures import folded, read
from tests.core.intake.importers.foreign import RECORDINGS, of_kind

FILES = sorted((RECORDINGS / "codex").glob("*.jsonl"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recordings in {RECORDINGS / 'codex'}")
each_recording = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)

CHANGED = re.compile(r"^[AMD] (.+)$", re.MULTILINE)
ERROR = re.compile(r"(?:Exit code:|exited with code) [1-9]|apply_patch verification failed|\"exit_code\":[1-9]")


@cache
def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def records_of(path: Path) -> list[Record]:
    return [Record(number, line) for number, line in enumerate(lines_of(path), 1)]


@cache
def told_of(path: Path) -> list[Observation]:
    return read(records_of(path))


def items_of(path: Path, *kinds: str) -> Iterator[dict[str, Any]]:
    for line in lines_of(path):
        if line["type"] == "response_item" and line["payload"]["type"] in kinds:
            yield line["payload"]


CALLS = "function_call", "custom_tool_call"
OUTPUTS = "function_call_output", "custom_tool_call_output"


def shown(output: Any) -> str:
    return output if isinstance(output, str) else "".join(part.get("text", "") for part in output)


@each_recording
def test_every_call_with_an_output_is_told_with_it(path: Path) -> None:
    outputs = {item["call_id"]: shown(item["output"]) for item in items_of(path, *OUTPUTS)}
    calls = [item["call_id"] for item in items_of(path, *CALLS)]
    tools = of_kind(told_of(path), "tool")
    assert sorted(each["call"] for each in tools) == sorted(call for call in calls if call in outputs)
    assert [each["result"] for each in tools] == [outputs[each["call"]] for each in tools]
    reader = CodexReader("")
    read(records_of(path), reader)
    assert [each["call"] for each in reader.pending()] == [call for call in calls if call not in outputs]
    assert set(reader.tally.times) <= {"world_state"}


@each_recording
def test_errors_are_those_whose_output_says_so(path: Path) -> None:
    wrong = {item["call_id"] for item in items_of(path, *OUTPUTS) if ERROR.search(shown(item["output"])[:200])}
    ended = {item["call_id"] for item in items_of(path, *OUTPUTS) if '"exit_code":' in shown(item["output"])[-80:]}
    wrong |= {
        item["call_id"]
        for item in items_of(path, *OUTPUTS)
        if item["call_id"] in ended and not shown(item["output"])[-80:].count('"exit_code":0')
    }
    found = {each["call"] for each in of_kind(told_of(path), "tool") if each["outcome"] == "error"}
    assert found == wrong


@each_recording
def test_files_that_patches_changed_are_those_the_host_lists(path: Path) -> None:
    patches = {item["call_id"] for item in items_of(path, *CALLS) if item["name"] == "apply_patch"}
    listed = {
        item["call_id"]: set(CHANGED.findall(json.loads(item["output"])["output"]))
        for item in items_of(path, *OUTPUTS)
        if item["call_id"] in patches and item["output"].startswith("{")
    }
    cwd = lines_of(path)[0]["payload"]["cwd"]
    told: dict[str, set[str]] = {}
    for each in of_kind(told_of(path), "seen", "gone", "renamed"):
        if each["call"] in patches:
            told.setdefault(each["call"], set()).add(each.get("to", each["path"]).removeprefix(f"{cwd}/"))
    assert told == listed


def is_typed(prompt: dict[str, Any]) -> bool:
    """Whether a prompt is one of the user's that came by no other channel."""
    return prompt["source"] == "user" and "channel" not in prompt


@each_recording
def test_prompts_turns_and_usage(path: Path) -> None:
    told = told_of(path)
    users = [line["payload"]["message"] for line in lines_of(path) if line["payload"].get("type") == "user_message"]
    assert [each["said"] for each in of_kind(told, "prompt") if is_typed(each)] == users
    turns = [item for item in items_of(path, "message") if item["role"] == "assistant"]
    assert [each["said"] for each in of_kind(told, "turn")] == [item["content"][0]["text"] for item in turns]
    counted = [line["payload"].get("info") for line in lines_of(path) if line["payload"].get("type") == "token_count"]
    distinct = {
        info["total_token_usage"]["total_tokens"]: info["last_token_usage"]["input_tokens"] for info in counted if info
    }
    assert [each["window"] for each in of_kind(told, "usage")] == list(distinct.values())


@each_recording
def test_what_is_told_can_be_folded(path: Path) -> None:
    assert FORMAT.looks(records_of(path)[:1])
    tale = folded(told_of(path))
    assert tale.world.hosts.contexts[("codex", lines_of(path)[0]["payload"]["id"], "")].said
