"""Events that real hosts sent to a hook, where they are at hand: all are known, and they say what the rollout says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.hook import hear
from ccos_core.session.hearing import take_in
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from tests.core.intake.importers.foreign import RECORDINGS
from tests.laws.test_hooked import ops, without

FOLDER = RECORDINGS / "real-hosts"
EVENTS = {"codex-hook-events": "codex", "codex-hook-events-gpt55": "codex", "gemini-hook-events": "gemini"}
ROLLOUTS = {
    "codex-hook-events": "codex-0.169.0-compacted-hooks.jsonl",
    "codex-hook-events-gpt55": "codex-0.169.0-gpt55-applypatch-resume.jsonl",
}

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"NO RECORDED EVENTS IN {FOLDER}: nothing was judged")


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_known(name: str, tmp_path: Path) -> None:
    ws = heard(name, tmp_path)
    kinds = [op["kind"] for op in ops(ws)]
    calls = [event for event in events_of(name) if event["hook_event_name"] in ("PostToolUse", "AfterTool")]
    assert kinds.count("tool") == len(calls)
    assert kinds.count("prompt") == sum("prompt" in each and "prompt_response" not in each for each in events_of(name))


@pytest.mark.parametrize("name", ROLLOUTS)
def test_the_rollout_says_the_same_of_files(name: str, tmp_path: Path) -> None:
    """Of the calls that had an event; and afterwards nothing of what was heard is imported again."""
    ws = heard(name, tmp_path)
    imported = tmp_path / "imported.ccos"
    imports(imported, name)
    had = {op["call"] for op in ops(ws) if op["kind"] == "tool"}
    assert filed(ws) == [op for op in filed(imported) if op["call"] in had] != []
    before = [op for op in ops(ws) if op["kind"] in ("tool", "prompt")]
    imports(ws, name)
    after = [op for op in ops(ws) if op["kind"] in ("tool", "prompt")]
    assert after[: len(before)] == before
    assert not {op["call"] for op in before} & {op["call"] for op in after[len(before) :]}


# -- helpers ----------------------------------------------------------------------------------------------------------


def events_of(name: str) -> list[dict[str, Any]]:
    """In the order they came."""
    paths = sorted((FOLDER / name).glob("*.json"), key=lambda path: int(re.findall(r"\d{15,}", path.name)[0]))
    return [json.loads(path.read_bytes()) for path in paths]


def heard(name: str, folder: Path) -> Path:
    ws = folder / "heard.ccos"
    for event in events_of(name):
        hear(["--ws", str(ws), "--host", EVENTS[name]], json.dumps(event).encode())
    taken = take_in(str(ws))
    assert (taken.waiting, taken.aside, taken.unknown) == (0, 0, 0), taken.why
    return ws


def imports(ws: Path, name: str) -> None:
    with Importing(str(ws)) as importing:
        importing.take(Story(Tail(str(FOLDER / ROLLOUTS[name]))))


def filed(ws: Path) -> list[dict[str, Any]]:
    """What was told of files, call by call: calls that ran at once end in another order."""
    found = [without(op, "at", "before") for op in ops(ws) if op["kind"] in ("seen", "gone", "renamed")]
    return sorted(found, key=lambda op: (op["call"], op.get("phase", "")))
