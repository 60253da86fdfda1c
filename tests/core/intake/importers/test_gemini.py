"""Gemini CLI: what a recording tells, as lines and as a document."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from ccos_core.intake.importers.formats import Transcript, recognised
from ccos_core.intake.importers.gemini.reader import FORMAT, OLDER
from ccos_core.intake.importers.record import Observation, Record
from tests.core.intake.importers.foreign import fed, of_kind, recorded, told

HEAD = {"sessionId": "s1", "projectHash": "ab12", "startTime": "2026-01-02T03:04:05.000Z", "kind": "main"}
CONTEXT = "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /w\n</session_context>"
PART = (
    "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 2-3 of 9 total lines.\n"
    "Action: read on.\n\n"
    "--- FILE CONTENT (truncated) ---\ntwo\nthree"
)


FOUND = "Found 3\n---\nFile: c.py\nL1: o\nL2- p\nL3: o"


def user(name: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = [{"text": part} if isinstance(part, str) else part for part in parts]
    return {"id": name, "timestamp": "2026-01-02T03:04:06.000Z", "type": "user", "content": content, **more}


def reply(name: str, said: str = "", *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    message = {"id": name, "timestamp": "2026-01-02T03:04:07.000Z", "type": "gemini", "content": said, "model": "g-3"}
    return {**message, **({"toolCalls": list(calls)} if calls else {}), **more}


def call(name: str, tool: str, given: dict[str, Any], output: str | None = "", **more: Any) -> dict[str, Any]:
    response = {"functionResponse": {"id": name, "name": tool, "response": {"output": output}}}
    ended = {"result": [response], "status": "success"} if output is not None else {"status": "executing"}
    return {"id": name, "name": tool, "args": given, "timestamp": "2026-01-02T03:04:08.000Z", **ended, **more}


def change(before: str, after: str) -> dict[str, Any]:
    return {"resultDisplay": {"fileDiff": "", "originalContent": before, "newContent": after}}


def thought(subject: str, description: str) -> dict[str, Any]:
    return {"subject": subject, "description": description}


TOKENS = {"input": 100, "output": 9, "cached": 60, "thoughts": 4, "tool": 0, "total": 113}
READ = call("c1", "read_file", {"file_path": "/w/a.py"}, "one\ntwo\n")
RAN = call(
    "c2",
    "run_shell_command",
    {"command": "pytest"},
    "<untrusted_context>\nOutput: boom\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>",
)


def messages() -> list[dict[str, Any]]:
    """One of each kind of message and call."""
    return [
        user("m1", CONTEXT),
        user("m2", "Fix it."),
        reply("m3", "I look.", READ, RAN, thoughts=[thought("Plan", "First look.")], tokens=TOKENS),
        reply(
            "m4",
            "I mend it.",
            call("c3", "replace", {"file_path": "/w/a.py", "old_string": "one", "new_string": "1"}, "ok",
                 **change("one\ntwo\n", "1\ntwo\n")),
            call("c4", "write_file", {"file_path": "/w/b.py", "content": "b\n"}, "ok", **change("", "b\n")),
            call("c5", "grep_search", {"pattern": "o", "dir_path": "/w"}, FOUND),
            call("c6", "read_file", {"file_path": "/w/d.py", "start_line": 2}, PART),
            call("c7", "glob", {"pattern": "*"}, None, status="cancelled"),
            call("c8", "web_fetch", {"url": "x"}, None, status="error",
                 result=[{"functionResponse": {"id": "c8", "response": {"error": "no net"}}}]),
        ),
        user("m5", "Read @n.txt\n--- content ---", displayContent=[{"text": "Read @n.txt"}]),
        {"id": "m6", "timestamp": "2026-01-02T03:05:00.000Z", "type": "info", "content": "Model was switched."},
        reply("m7", "Done.", call("c9", "ask_user", {"questions": []}, json.dumps({"answers": {"0": "Yes, go."}}))),
        user("m8", {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
        reply("m9", "Still on it.", call("c10", "run_shell_command", {"command": "make"}, None)),
    ]  # fmt: skip


def everything() -> list[Record]:
    """A recording as lines: messages that grow, a message taken back, and a conversation that was replaced."""
    first, *others = messages()
    lines: list[dict[str, Any]] = [HEAD, {"$set": {"messages": [first], "lastUpdated": "2026-01-02T03:04:05.000Z"}}]
    for message in others:
        if "toolCalls" in message:
            lines.append({name: value for name, value in message.items() if name not in ("toolCalls", "tokens")})
        lines += [message, {"$set": {"lastUpdated": "2026-01-02T03:04:09.000Z"}}]
    lines += [{"$rewindTo": "m8"}, user("m10", "Never mind."), {"$set": {"messages": [others[0], user("m11", "Sum.")]}}]
    return as_records(lines)


def document() -> dict[str, Any]:
    """The same as older versions have it."""
    return {**HEAD, "messages": messages()}


def as_records(lines: Sequence[dict[str, Any]]) -> list[Record]:
    return [Record(number, line) for number, line in enumerate(lines, 1)]


def found(*lines: dict[str, Any]) -> list[Observation]:
    return told(FORMAT, as_records([HEAD, user("m1", CONTEXT), *lines]))[1:]


def test_a_session_is_told_in_order() -> None:
    assert [each["kind"] for each in told(FORMAT, everything()) if each["kind"] not in ("seen", "gone")] == [
        *("prompt", "prompt", "thought", "turn", "usage", "tool", "tool", "turn"), *("tool",) * 6,
        *("prompt", "prompt", "annotation", "turn", "tool", "prompt", "prompt", "turn"),
        *("compaction", "tool", "prompt", "compaction", "prompt"),
    ]  # fmt: skip


def test_a_document_tells_what_lines_tell() -> None:
    lines = told(FORMAT, as_records([HEAD, *messages()]))
    assert told(OLDER, recorded(document())) == lines


def test_who_says_what() -> None:
    prompts = of_kind(told(FORMAT, everything()), "prompt")
    assert [(each["source"], each["said"]) for each in prompts[:4]] == [
        ("host", CONTEXT),
        ("user", "Fix it."),
        ("user", "Read @n.txt"),
        ("host", "Read @n.txt\n--- content ---"),
    ]
    assert (prompts[4]["channel"], prompts[4]["said"]) == ("answer", "Yes, go.")
    assert prompts[5]["said"].startswith("[image/png, 3 bytes, ")


def test_a_message_that_shows_no_words_of_the_user_is_the_hosts() -> None:
    shown = [{"functionResponse": {"id": "c1"}}]
    (prompt,) = of_kind(found(user("m2", "System: Please continue.", displayContent=shown)), "prompt")
    assert prompt["source"] == "host"


def test_the_folder_is_the_one_the_host_says() -> None:
    assert fed(FORMAT, everything()).origin.cwd == "/w"
    assert fed(FORMAT, as_records([HEAD, {"$set": {"directories": ["/v"]}}])).origin.cwd == "/v"


def test_calls_end_as_the_host_says_and_commands_by_their_code() -> None:
    tools = {each["call"]: each for each in of_kind(told(FORMAT, everything()), "tool")}
    assert {name: each["outcome"] for name, each in tools.items()} == {
        **dict.fromkeys(("c1", "c3", "c4", "c5", "c6", "c9"), "ok"), **dict.fromkeys(("c2", "c8"), "error"),
        "c7": "interrupted", "c10": "unknown",
    }  # fmt: skip
    assert tools["c2"]["result"] == "Output: boom\nExit Code: 1\nProcess Group PGID: 7"
    assert tools["c8"]["result"] == "no net"


def test_files_are_what_the_host_noted() -> None:
    seen = [
        (each["call"], each["path"], each["how"], each.get("content"))
        for each in of_kind(told(FORMAT, everything()), "seen")
    ]
    assert seen == [
        ("c1", "/w/a.py", "read", "one\ntwo\n"),
        ("c3", "/w/a.py", "edit", "1\ntwo\n"),
        ("c4", "/w/b.py", "write", "b\n"),
        ("c5", "/w/c.py", "read", "o\np\no"),
        ("c6", "/w/d.py", "read", "two\nthree"),
    ]


def test_tokens_are_split_and_told_once() -> None:
    (usage,) = of_kind(told(FORMAT, everything()), "usage")
    assert [usage[name] for name in ("window", "fresh", "cached", "written", "thinking")] == [100, 40, 60, 13, 4]


def test_a_message_that_says_something_else_later_tells_both() -> None:
    turns = of_kind(found(reply("m2", "Wait"), reply("m2", "Wait for it"), reply("m2", "Wait for it")), "turn")
    assert [(each["call"], each["said"]) for each in turns] == [("m2", "Wait"), ("m2:1", "Wait for it")]


def test_what_is_taken_back_leaves_the_window() -> None:
    cuts = of_kind(told(FORMAT, everything()), "compaction")
    assert [cut["exact"] for cut in cuts] == [True, True]
    assert cuts[0]["kept"][-2:] == ["m7", "c9"]
    assert cuts[1]["kept"] == ["m2"]


def test_a_message_nobody_knows_takes_all_back() -> None:
    (cut,) = of_kind(found(user("m2", "Go."), {"$rewindTo": "m9"}), "compaction")
    assert cut["kept"] == []


def test_a_result_that_only_the_conversation_has_ends_its_call() -> None:
    asked = reply("m2", "", {"id": "c1", "name": "read_file", "args": {"file_path": "/w/a.py"}})
    answer = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "one\n"}}}
    tool, seen = of_kind(found(asked, user("m3", answer)), "tool", "seen")
    assert (tool["outcome"], seen["content"]) == ("ok", "one\n")


def test_a_call_without_an_end_ends_where_the_conversation_goes_on() -> None:
    asked = reply("m2", "", {"id": "c1", "name": "read_file", "args": {"file_path": "/w/a.py"}})
    assert not of_kind(found(asked), "tool")
    (tool,) = of_kind(found(asked, reply("m3", "On.")), "tool")
    assert (tool["outcome"], tool["result"]) == ("unknown", None)


def test_a_subagent_has_a_context_of_its_own() -> None:
    lines = as_records([{**HEAD, "sessionId": "s2", "kind": "subagent"}, user("m1", "Look.")])
    assert [each["context"] for each in told(FORMAT, lines)] == ["s2"]


def test_it_is_known_by_what_it_says() -> None:
    assert recognised(json.dumps(document(), indent=2).encode()) is OLDER
    assert recognised(json.dumps(HEAD).encode() + b"\n") is FORMAT
    assert recognised(json.dumps(reply("m1", "Hi.")).encode() + b"\n") is FORMAT
    assert recognised(json.dumps({"messages": [{"id": "m1", "role": "user", "content": "Hi."}]}).encode()) is None


@pytest.mark.parametrize("line", [{"type": "mystery", "id": "m1"}, {"id": "m1"}, [1], "x"])
def test_what_it_does_not_know_is_counted(line: Any) -> None:
    transcript = Transcript("s")
    raw = b"".join(json.dumps(each).encode() + b"\n" for each in (HEAD, line))
    assert [*transcript.feed(raw), *transcript.finish()] == []
    assert transcript.reader is not None
    assert sum(transcript.reader.tally.times.values()) == 1
