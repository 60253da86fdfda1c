"""What today's hosts left behind, run with a scripted model: read without anything unknown, and held against the raw
records."""

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Observation, Reader
from tests.core.intake.importers.foreign import RECORDINGS, of_kind

FOLDER = RECORDINGS / "real-hosts"
CODEX = [*sorted(FOLDER.glob("codex*.jsonl")), *sorted(FOLDER.glob("codex*/**/*.jsonl"))]
CODEX = [path for path in CODEX if "hook-events" not in str(path)]
OPENCODE = sorted(FOLDER.glob("opencode*.json"))
GEMINI = sorted(FOLDER.glob("gemini*.jsonl"))
QWEN = sorted(FOLDER.glob("qwen*.jsonl"))
READABLE = [
    *CODEX,
    *OPENCODE,
    *GEMINI,
    *QWEN,
    *(path for name in ("claude-code", "codex", "opencode") for path in sorted((RECORDINGS / name).glob("*.json*"))),
    *sorted((RECORDINGS / "swe-agent").glob("*.traj")),
    *sorted((RECORDINGS / "mini-swe-agent").glob("*.json")),
]
READABLE = [path for path in READABLE if path.name != "ground_truth.json"]

pytestmark = pytest.mark.skipif(not CODEX, reason=f"no recordings of hosts in {FOLDER}")


def read(path: Path) -> tuple[list[Observation], Reader]:
    transcript = Transcript("s")
    found = [*transcript.feed(path.read_bytes()), *transcript.finish()]
    assert transcript.reader is not None
    return found, transcript.reader


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_every_record_is_understood(path: Path) -> None:
    assert read(path)[1].tally.times == {}


@pytest.mark.parametrize("path", CODEX, ids=lambda path: path.name)
def test_what_the_model_of_codex_said_is_told_but_for_its_summaries(path: Path) -> None:
    lines = lines_of(path)
    summaries = [each["payload"]["message"] for each in lines if each["type"] == "compacted"]
    said = [
        "".join(part["text"] for part in each["payload"]["content"])
        for each in lines
        if each["type"] == "response_item" and each["payload"].get("role") == "assistant"
    ]
    wanted = [each for each in said if not any(summary.endswith(each) for summary in summaries)]
    assert len(said) - len(wanted) == len(summaries)
    told, _ = read(path)
    assert [each["said"] for each in of_kind(told, "turn")] == wanted
    cuts = of_kind(told, "compaction")
    assert [each["summary"] for each in cuts] == summaries
    places = [at for at, each in enumerate(lines) if each["type"] == "compacted"]
    for cut, place in zip(cuts, places, strict=True):
        before = [text_of(each["payload"]) for each in lines[:place] if said_in(each)]
        history = [text_of(item) for item in lines[place]["payload"]["replacement_history"]]
        assert cut["kept"][0] == "instructions"
        kept = [each["said"].replace("\n", "") for each in told if each.get("call") in cut["kept"][1:]]
        assert kept == [each for each in history if each in before]
        assert cut["exact"] is True


def said_in(line: dict[str, Any]) -> bool:
    return line["type"] == "response_item" and line["payload"]["type"] == "message"


def text_of(item: dict[str, Any]) -> str:
    """Its words, without the ends of lines, which the reader puts between parts."""
    return "".join(part["text"] for part in item["content"]).replace("\n", "")


@pytest.mark.parametrize("path", CODEX, ids=lambda path: path.name)
def test_prompts_of_codex_are_what_its_event_or_the_command_line_says(path: Path) -> None:
    told, _ = read(path)
    assert {each["said"] for each in of_kind(told, "prompt") if each["source"] == "user"} <= {
        part["text"]
        for each in lines_of(path)
        if each["payload"].get("role") == "user"
        for part in each["payload"]["content"]
        if not part["text"].startswith("<")
    }


@pytest.mark.parametrize("path", OPENCODE, ids=lambda path: path.name)
def test_times_of_opencode_never_go_back(path: Path) -> None:
    """A step's usage comes with the end of its last call, not with the time its message was begun."""
    told, _ = read(path)
    counted = [(at, each) for at, each in enumerate(told) if each["kind"] == "usage"]
    assert counted
    for at, usage in counted:
        tools = [each["at"] for each in told[:at] if each["kind"] == "tool"]
        assert usage["at"] >= max(tools, default=0)


def test_the_summary_of_opencode_is_counted_by_what_was_before() -> None:
    path = FOLDER / "opencode-1.18.33-compaction-export.json"
    told, _ = read(path)
    messages = json.loads(path.read_text())["messages"]
    at = next(at for at, each in enumerate(messages) if each["info"].get("summary") is True)
    tokens = next(each["info"]["tokens"] for each in reversed(messages[:at]) if each["info"]["role"] == "assistant")
    window = tokens["input"] + tokens["cache"]["read"] + tokens["cache"]["write"]
    (cut,) = of_kind(told, "compaction")
    assert (cut["before"], cut["summary"]) == (window, messages[at]["parts"][1]["text"])
    assert not [each for each in of_kind(told, "usage") if each["call"] == messages[at]["info"]["id"]]


@pytest.mark.parametrize("path", [*GEMINI, *QWEN], ids=lambda path: path.name)
def test_gemini_and_qwen_are_told_as_an_independent_count_has_it(path: Path) -> None:
    """Counted from the raw lines, each message once, as it was written last."""
    messages = {each.get("id") or each.get("uuid"): each for each in lines_of(path)}
    calls: dict[str, str] = {}
    replies = thoughts = window = 0
    for each in messages.values():
        replies += each.get("type") in ("gemini", "assistant")
        thoughts += len(each.get("thoughts", ()))
        window += each.get("tokens", {}).get("input", 0) + each.get("usageMetadata", {}).get("promptTokenCount", 0)
        calls |= {call["id"]: call["name"] for call in each.get("toolCalls", ())}
        parts = each.get("message", {}).get("parts", ())
        calls |= {part["functionCall"]["id"]: part["functionCall"]["name"] for part in parts if "functionCall" in part}
    told, reader = read(path)
    assert {each["call"]: each["name"] for each in of_kind(told, "tool")} == calls
    assert len(of_kind(told, "turn")) == replies
    assert len(of_kind(told, "thought")) == thoughts
    assert sum(each["window"] for each in of_kind(told, "usage")) == window
    assert list(reader.pending()) == []
    assert [each["said"] for each in of_kind(told, "prompt") if each["source"] == "user"] == [
        "One test fails. Mend it."
    ]


@pytest.mark.parametrize("path", [*GEMINI, *QWEN], ids=lambda path: path.name)
def test_files_that_gemini_and_qwen_changed_are_told(path: Path) -> None:
    told, reader = read(path)
    assert reader.origin.cwd
    changed = [(each["how"], each["path"].rpartition("/")[2]) for each in of_kind(told, "seen")]
    assert {("edit", "money.py"), ("write", "new.py"), ("read", "cart.py")} <= set(changed)
    assert [each["path"].rpartition("/")[2] for each in of_kind(told, "gone")] == ["README.md"]
