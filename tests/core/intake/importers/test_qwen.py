"""Qwen Code: what a session's records tell, and what its tree leaves in the window."""

import json
from typing import Any

import pytest

from ccos_core.intake.importers.formats import recognised
from ccos_core.intake.importers.qwen import FORMAT
from ccos_core.intake.importers.record import Observation, Record
from tests.core.intake.importers.foreign import fed, of_kind, told


class Tree:
    """A session in the making: each record follows the one before it."""

    def __init__(self) -> None:
        self.values: list[dict[str, Any]] = []

    def add(self, kind: str, *parts: dict[str, Any], **more: Any) -> "Tree":
        number = len(self.values)
        parent = self.values[-1]["uuid"] if self.values else None
        stamp = f"2026-01-02T03:04:{number:02}.000Z"
        named = {"uuid": f"u{number}", "parentUuid": parent, "sessionId": "s1", "timestamp": stamp, "cwd": "/w"}
        message = {"message": {"parts": list(parts)}} if parts else {}
        self.values.append({**named, "type": kind, "version": "0.15.10", **message, **more})
        return self

    def user(self, said: str, **more: Any) -> "Tree":
        return self.add("user", {"text": said}, **more)

    def reply(self, *parts: dict[str, Any], **more: Any) -> "Tree":
        return self.add("assistant", *parts, model="q-3", **more)

    def result(self, call: str, output: str, display: Any = "", status: str = "success") -> "Tree":
        response = {"output": output} if status == "success" else {"error": output}
        ended = {"callId": call, "status": status, "resultDisplay": display}
        return self.add("tool_result", {"functionResponse": {"id": call, "response": response}}, toolCallResult=ended)

    def system(self, subtype: str, **payload: Any) -> "Tree":
        return self.add("system", subtype=subtype, systemPayload=payload)

    def records(self) -> list[Record]:
        return [Record(number, value) for number, value in enumerate(self.values, 1)]


def asks(name: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"functionCall": {"id": name, "name": tool, "args": given}}


USAGE = {"promptTokenCount": 100, "candidatesTokenCount": 9, "totalTokenCount": 113, "cachedContentTokenCount": 60,
         "thoughtsTokenCount": 4}  # fmt: skip
SHELL = "Command: pytest\nDirectory: (root)\nOutput: boom\nError: (none)\nExit Code: 1\nSignal: 0"
PART = "Showing lines 1-2 of 9 total lines.\n\n---\n\none\ntwo"


def everything() -> list[Record]:
    """One of each kind of record and part."""
    tree = Tree().user("Fix it.").system("ui_telemetry", uiEvent={})
    tree.reply(
        {"text": "First look.", "thought": True},
        {"text": "I look."},
        asks("c1", "read_file", file_path="/w/a.py", limit=2),
        asks("c2", "run_shell_command", command="pytest"),
        asks("c3", "grep_search", pattern="o"),
        usageMetadata=USAGE,
    )
    tree.result("c1", PART).result("c2", SHELL)
    tree.result("c3", "Found 3 matches\n---\n/w/c.py:1:o\n/w/c.py:2:p\n/w/c.py:3:o")
    noted = {"fileDiff": "", "originalContent": "one\ntwo\n", "newContent": "1\ntwo\n"}
    tree.reply(
        asks("c4", "edit", file_path="/w/a.py", old_string="one", new_string="1"), asks("c5", "web_fetch", url="x")
    )
    tree.result("c4", "ok", noted).result("c5", "no net", status="error")
    tree.user("Faster.", subtype="mid_turn_user_message").user("@n.txt\nbody", systemPayload={"displayText": "@n.txt"})
    tree.system("slash_command", phase="invocation", rawCommand="/stats")
    tree.system("slash_command", phase="result", rawCommand="/stats", outputHistoryItems=[{"text": "3 turns"}])
    tree.system("custom_title", customTitle="Mending").reply({"text": "Wrong way."})
    tree.system("rewind", targetUuid="u6").values[-1]["parentUuid"] = "u6"
    tree.user("Try again.").reply({"text": "I try."})
    kept = tree.values[-1]["message"]["parts"]
    tree.system(
        "chat_compression",
        info={"originalTokenCount": 900, "newTokenCount": 90},
        compressedHistory=[{"role": "user", "parts": [{"text": "All so far."}]}, {"role": "model", "parts": kept}],
    )
    return tree.reply({"text": "On."}, asks("c6", "run_shell_command", command="make")).records()


def found() -> list[Observation]:
    return told(FORMAT, everything())


def test_a_session_is_told_in_order() -> None:
    assert [each["kind"] for each in found() if each["kind"] != "seen"] == [
        *("prompt", "thought", "turn", "usage", "tool", "tool", "tool", "turn", "tool", "tool"),
        *("prompt", "prompt", "prompt", "prompt", "prompt", "turn"),
        *("compaction", "prompt", "turn", "compaction", "turn"),
    ]


def test_who_says_what() -> None:
    prompts = of_kind(found(), "prompt")
    assert [(each["source"], each.get("channel") or each.get("phase"), each["said"]) for each in prompts] == [
        ("user", None, "Fix it."),
        ("user", "queued", "Faster."),
        ("user", None, "@n.txt"),
        ("host", None, "@n.txt\nbody"),
        ("host", "command", "/stats"),
        ("host", "output", "3 turns"),
        ("user", None, "Try again."),
    ][: len(prompts)]


def test_calls_and_files() -> None:
    tools = {each["call"]: each["outcome"] for each in of_kind(found(), "tool")}
    assert tools == {"c1": "ok", "c2": "error", "c3": "ok", "c4": "ok", "c5": "error"}
    seen = [(each["call"], each["path"], each["how"], each["content"]) for each in of_kind(found(), "seen")]
    seen = [each for each in seen if each[2] != "ingest"]
    assert seen == [
        ("c1", "/w/a.py", "read", "one\ntwo"),
        ("c3", "/w/c.py", "read", "o\np\no"),
        ("c4", "/w/a.py", "edit", "1\ntwo\n"),
    ]


def test_tokens_are_split() -> None:
    (usage,) = of_kind(found(), "usage")
    assert [usage[name] for name in ("window", "fresh", "cached", "written", "thinking")] == [100, 40, 60, 13, 4]


def test_a_branch_leaves_what_stood_on_the_other() -> None:
    branch, compressed = of_kind(found(), "compaction")
    assert branch["kept"] == ["u0", "u2:thought:0", "u2", "c1", "c2", "c3", "u6"]
    assert branch["exact"] is True
    assert (compressed["before"], compressed["after"], compressed["summary"]) == (900, 90, "All so far.")
    assert (compressed["kept"], compressed["exact"]) == (["u17"], True)


def test_what_it_says_of_itself() -> None:
    origin = fed(FORMAT, everything()).origin
    assert (origin.session, origin.cwd, origin.title, origin.models) == ("s1", "/w", "Mending", ["q-3"])


def test_one_record_may_be_told_twice_and_two_may_share_a_name() -> None:
    tree = Tree().user("Go.").reply({"text": "Hm.", "thought": True}).reply({"text": "Yes."})
    tree.values[2] |= {"uuid": "u1", "parentUuid": "u0"}
    records = tree.records()
    assert [each["kind"] for each in told(FORMAT, records)] == ["prompt", "thought", "turn", "turn"]
    assert told(FORMAT, [*records, records[1]]) == told(FORMAT, records)


def test_it_is_known_by_what_it_says() -> None:
    raw = b"".join(json.dumps(record.value).encode() + b"\n" for record in everything())
    assert recognised(raw) is FORMAT


@pytest.mark.parametrize("value", [{"type": "mystery"}, {"type": "system", "subtype": "new"}, [1], "x", None])
def test_what_it_does_not_know_is_counted(value: Any) -> None:
    assert sum(fed(FORMAT, [Record(1, value)]).tally.times.values()) == 1
