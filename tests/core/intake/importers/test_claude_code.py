"""Prompts, turns, calls, tokens and subagents in transcripts of Claude Code."""

from typing import Any

import pytest

from ccos_core.intake.importers.claude_code.reader import FORMAT, MOST_EARLY, ClaudeCode
from ccos_core.intake.importers.record import Record
from tests.core.intake.importers.claude_code_fixtures import (
    CWD,
    SESSION,
    Talk,
    everything,
    observed,
    read_of,
    text,
    thinking,
    use,
)
from tests.core.intake.importers.foreign import of_kind


def read(talk: Talk) -> ClaudeCode:
    reader = ClaudeCode("file-name")
    for record in talk.records():
        list(reader.feed(record))
    return reader


# -- who spoke --------------------------------------------------------------------------------------------------------


def test_a_prompt_of_the_user() -> None:
    talk = Talk()
    talk.prompt("Why?")
    told = {"kind": "prompt", "said": "Why?", "source": "user", "actor": "user", "host": "claude-code"}
    assert talk.told() == [{**told, "session": SESSION, "call": f"{SESSION}/0", "at": 1_772_359_200_250}]


@pytest.mark.parametrize(
    ("words", "more", "source"),
    [
        ("go on", {}, "user"),
        ("go on", {"origin": {"kind": "human"}}, "user"),
        ("go on", {"isMeta": True}, "host"),
        ("go on", {"origin": {"kind": "task-notification"}}, "host"),
        ("<command-name>/ide</command-name>", {}, "host"),
        ("<command-message>review</command-message>\n<command-name>/review</command-name>", {}, "host"),
        ("<local-command-stdout>ok</local-command-stdout>", {}, "host"),
        ("<bash-input>git pull</bash-input>", {}, "host"),
        ("[Request interrupted by user]", {}, "host"),
        ("what does <command-name> mean?", {}, "user"),
        ("<teammate-message from='b'>done</teammate-message>", {}, "agent"),
        ("Find the callers", {"isSidechain": True, "agentId": "a1"}, "agent"),
        ("remember", {"isSidechain": True, "agentId": "a1", "isMeta": True}, "host"),
    ],
)
def test_whose_words_they_are(words: str, more: dict[str, Any], source: str) -> None:
    talk = Talk()
    talk.prompt(words, **more)
    assert [each["source"] for each in of_kind(talk.told(), "prompt")] == [source]


def test_what_only_people_see_of_a_transcript_is_not_told() -> None:
    talk = Talk()
    talk.prompt("shown in the transcript", isVisibleInTranscriptOnly=True)
    assert talk.told() == []


def test_images_are_named() -> None:
    talk = Talk()
    talk.prompt([text("What is wrong here?"), {"type": "image", "source": {"type": "base64", "data": "aaaa"}}])
    assert talk.told()[0]["said"] == "What is wrong here?\n[image, 3 bytes, blake3 06f640fc59c9d1c5…]"


def test_thoughts_stand_where_they_were_thought() -> None:
    talk = Talk()
    talk.says(thinking("hm"))
    talk.says(
        thinking("first"), text("So"), thinking("then"), text("there."), {"type": "redacted_thinking", "data": "x"}
    )
    told = [(each["kind"], each.get("said"), each.get("sealed"), each.get("phase")) for each in talk.told()]
    assert told == [
        ("usage", None, None, None),
        ("thought", "hm", None, None),
        ("thought", "first", None, None),
        ("turn", "So\nthere.", None, None),
        ("thought", "then", None, "thought.1"),
        ("thought", None, True, "thought.2"),
    ]
    assert read(talk).tally.unknown == {}


def test_a_thought_of_which_only_a_signature_is_left_is_sealed() -> None:
    talk = Talk()
    talk.says(thinking(""))
    (thought,) = of_kind(talk.told(), "thought")
    assert thought["sealed"] is True
    assert "said" not in thought


@pytest.mark.parametrize(
    ("reason", "stop", "detail"),
    [
        ("end_turn", "end", None),
        ("refusal", "error", "refusal"),
        ("pause_turn", "tool", "pause_turn"),
        (None, None, None),
    ],
)
def test_why_a_message_ended(reason: str | None, stop: str | None, detail: str | None) -> None:
    talk = Talk()
    talk.says(text("Well."), stop_reason=reason)
    (turn,) = of_kind(talk.told(), "turn")
    assert (turn["stop"], turn["detail"]) == (stop, detail)


def test_the_error_of_the_model_s_service_is_the_reason_of_the_end() -> None:
    talk = Talk()
    talk.says(text("API Error: 529 overloaded"), isApiErrorMessage=True, error="overloaded")
    (turn,) = talk.told()
    assert (turn["stop"], turn["detail"]) == ("error", "overloaded")


def test_a_turn_has_what_was_said() -> None:
    talk = Talk()
    talk.says(thinking("hm"))
    talk.says(text("Because."), stop_reason="end_turn")
    (turn,) = of_kind(talk.told(), "turn")
    assert (turn["said"], turn["model"], turn["stop"]) == ("Because.", "claude-opus-4-6", "end")
    assert read(talk).tally.unknown == {}


def test_what_no_model_wrote_has_no_model_and_no_tokens() -> None:
    talk = Talk()
    talk.says(text("API Error: 529 overloaded"), isApiErrorMessage=True)
    none = {"id": "m", "model": "<synthetic>", "content": [text("No response requested.")]}
    talk.add("assistant", message={**none, "usage": {"input_tokens": 0, "output_tokens": 0}})
    told = talk.told()
    assert [(each["kind"], each["stop"], each["model"]) for each in told] == [
        ("turn", "error", None),
        ("turn", None, None),
    ]


def test_a_prompt_taken_out_of_the_queue_while_the_agent_works() -> None:
    talk = Talk()
    talk.queue("enqueue", content="mind the cents")
    talk.queue("enqueue", content="taken back")
    talk.queue("remove")
    talk.queue("popAll", content="taken back")
    talk.queue("enqueue", content="comes as a record of its own")
    talk.queue("dequeue")
    talk.queue("enqueue", content="/skills")
    talk.queue("remove")
    talk.queue("enqueue", content="<task-notification>done</task-notification>")
    talk.queue("remove")
    told = [(each["said"], each["source"]) for each in talk.told()]
    assert told == [("mind the cents", "user"), ("<task-notification>done</task-notification>", "host")]


@pytest.mark.parametrize("attachment_first", [False, True])
def test_a_queued_prompt_is_told_once(attachment_first: bool) -> None:
    talk = Talk()
    talk.queue("enqueue", content="mind the cents")
    ways = [lambda: talk.queue("remove"), lambda: talk.attach("queued_command", prompt="mind the cents")]
    for way in reversed(ways) if attachment_first else ways:
        way()
    assert [each["said"] for each in talk.told()] == ["mind the cents"]


def test_the_same_prompt_queued_twice_is_told_twice() -> None:
    talk = Talk()
    for _ in range(2):
        talk.queue("enqueue", content="go on")
        talk.queue("remove")
    assert [each["said"] for each in talk.told()] == ["go on", "go on"]


def test_words_that_were_queued_say_so() -> None:
    talk = Talk()
    talk.queue("enqueue", content="mind the cents")
    talk.queue("remove")
    talk.attach("queued_command", prompt="and the tax")
    talk.prompt("go on")
    assert [(each["said"], each.get("channel")) for each in talk.told()] == [
        ("mind the cents", "queued"),
        ("and the tax", "queued"),
        ("go on", None),
    ]


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
APPROVED = "User has approved your plan. You can now start coding.\n\n## Approved Plan"


@pytest.mark.parametrize(
    ("tool", "printed", "told", "channel", "words"),
    [
        ("Edit", REFUSED + "…). To tell you how to proceed, the user said:\nuse a map", None, "refusal", "use a map"),
        ("Edit", REFUSED + "…). STOP what you are doing and wait for the user.", None, "", ""),
        ("AskUserQuestion", "…", {"answers": {"Which?": "both", "Why?": "speed"}}, "answer", "both\nspeed"),
        (
            "AskUserQuestion",
            "…",
            {"answers": {"Which?": "both"}, "annotations": {"Which?": {"notes": "tests first"}}},
            "answer",
            "both\ntests first",
        ),
        ("AskUserQuestion", "…", None, "", ""),
        ("ExitPlanMode", APPROVED + " (edited by user):\n1. Read it.", None, "plan", "1. Read it."),
        ("ExitPlanMode", APPROVED + ":\n1. Write it.", None, "", ""),
    ],
)
def test_what_the_user_says_through_a_result(tool: str, printed: str, told: Any, channel: str, words: str) -> None:
    talk = Talk()
    talk.call("t1", tool, {}, printed, told, is_error=printed.startswith(REFUSED))
    said = [(each["channel"], each["said"], each["call"]) for each in of_kind(talk.told(), "prompt")]
    assert said == ([(channel, words, "t1")] if words else [])
    assert of_kind(talk.told(), "tool")[0]["result"] == printed


@pytest.mark.parametrize(
    ("told", "ran", "is_said"),
    [
        ("Error: {}", False, True),
        ("User rejected tool use", False, True),
        ("Error: {}", True, False),
        ("Error: The user doesn't want to proceed", False, False),
        ({"stdout": "{}", "stderr": ""}, False, False),
    ],
)
def test_a_refusal_is_what_the_host_tells_of_one(told: Any, ran: bool, is_said: bool) -> None:
    printed = REFUSED + "…). To tell you how to proceed, the user said:\nuse a map"
    talk = Talk()
    if ran:
        talk.add("progress", data={"type": "bash_progress"}, parentToolUseID="t1")
    talk.call("t1", "Bash", {}, printed, told.format(printed) if isinstance(told, str) else told, is_error=True)
    assert [each["said"] for each in of_kind(talk.told(), "prompt")] == ["use a map"] * is_said


# -- tokens -----------------------------------------------------------------------------------------------------------


def test_usage_is_told_once_for_a_message() -> None:
    talk = Talk()
    for block in (thinking("a"), text("b"), use("t", "Bash", {})):
        talk.says(block, window=5_000)
    talk.says(text("c"), message="msg_2", window=6_000, stop_reason="end_turn", written=77)
    first, second = of_kind(talk.told(), "usage")
    assert (first["call"], first["window"], first["fresh"], first["cached"], first["stored"]) == (
        ("msg_1", 5_000, 3, 4_897, 100)
    )
    assert (second["call"], second["window"]) == ("msg_2", 6_000)
    assert (first["written"], second["written"]) == (1, 77)


def test_what_a_message_wrote_adds_up_to_its_last_count() -> None:
    talk = Talk()
    for block, written in ((thinking("a"), 2), (text("b"), 2), (use("t", "Bash", {}), 160), (text("c"), 90)):
        talk.says(block, window=5_000, written=written)
    told = of_kind(talk.told(), "usage")
    assert [(each["call"], each.get("phase"), each["window"], each["written"]) for each in told] == [
        ("msg_1", None, 5_000, 2),
        ("msg_1", "usage.160", 5_000, 158),
    ]
    assert "fresh" not in told[1]


def test_tokens_are_told_as_they_are_billed() -> None:
    talk = Talk()
    usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 100, "output_tokens": 7}
    usage["cache_creation"] = {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 90}
    message = {"id": "m", "model": "claude-x", "content": [text("hi")], "usage": usage}
    talk.add("assistant", message=message, costUSD=0.012345678, durationMs=321)
    usage_op, turn = talk.told()
    assert (usage_op["model"], usage_op["stored"], usage_op["stored_hour"], usage_op["cost"]) == (
        ("claude-x", 100, 90, 12_346)
    )
    assert turn["millis"] == 321


def test_a_message_without_usage_makes_no_point() -> None:
    talk = Talk()
    talk.add("assistant", message={"id": "m", "model": "claude-x", "content": [text("hi")]})
    talk.add("assistant", message={"id": "n", "model": "claude-x", "content": [], "usage": {"input_tokens": 0}})
    talk.add("assistant", message={"id": "o", "model": "claude-x", "content": [], "usage": {"input_tokens": -5}})
    assert of_kind(talk.told(), "usage") == []


# -- calls ------------------------------------------------------------------------------------------------------------


def test_a_call_is_told_with_its_end() -> None:
    talk = Talk()
    talk.says(use("t1", "Glob", {"pattern": "*.py"}))
    assert of_kind(talk.told(), "tool") == []
    talk.result("t1", "shop.py", {"filenames": ["shop.py"], "durationMs": 12})
    (tool,) = of_kind(talk.told(), "tool")
    asked = {"name": "Glob", "arguments": {"pattern": "*.py"}, "cwd": CWD, "call": "t1", "session": SESSION}
    assert asked.items() <= tool.items()
    assert (tool["result"], tool["outcome"], tool["millis"]) == ("shop.py", "ok", 12)


@pytest.mark.parametrize(
    ("told", "is_error", "outcome"),
    [
        ({"stdout": "", "interrupted": False}, False, "ok"),
        ({"stdout": "", "interrupted": True}, False, "interrupted"),
        ("Error: Exit code 1", True, "error"),
        (None, False, "ok"),
    ],
)
def test_how_a_call_ended(told: Any, is_error: bool, outcome: str) -> None:
    talk = Talk()
    talk.call("t1", "Bash", {"command": "make"}, "made", told, is_error=is_error)
    assert [each["outcome"] for each in of_kind(talk.told(), "tool")] == [outcome]


def test_an_interruption_ends_the_calls_that_wait() -> None:
    talk = Talk()
    talk.says(use("t1", "Bash", {}))
    talk.says(use("s1", "Bash", {}), isSidechain=True, agentId="a1", message="msg_s")
    talk.prompt([text("[Request interrupted by user for tool use]")])
    ended = [(each["call"], each["outcome"], each["result"]) for each in of_kind(talk.told(), "tool")]
    assert ended == [("t1", "interrupted", None)]
    assert [each["call"] for each in read(talk).pending()] == ["s1"]


def test_a_prompt_leaves_calls_waiting_and_the_next_message_of_the_model_does_not() -> None:
    talk = Talk()
    talk.says(use("t1", "Bash", {}))
    talk.prompt("still there?")
    assert [dict(each) for each in read(talk).pending()] == [{"call": "t1", "name": "Bash", "line": 1}]
    talk.says(text("Yes."), message="msg_2")
    assert [(each["call"], each["outcome"]) for each in of_kind(talk.told(), "tool")] == [("t1", "unknown")]
    assert list(read(talk).pending()) == []


def test_calls_of_one_message_wait_for_each_other() -> None:
    talk = Talk()
    talk.says(use("t1", "Bash", {}))
    talk.says(use("t2", "Bash", {}))
    talk.result("t1", "one")
    talk.says(text("while it runs"))
    talk.result("t2", "two")
    assert [each["result"] for each in of_kind(talk.told(), "tool")] == ["one", "two"]


def test_a_tool_the_models_host_runs() -> None:
    talk = Talk()
    asked = {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "tax"}}
    talk.says(asked, {"type": "web_search_tool_result", "tool_use_id": "srv", "content": [text("a page")]})
    assert [(each["name"], each["result"]) for each in of_kind(talk.told(), "tool")] == [("web_search", "a page")]


def test_results_nobody_asked_for_and_results_given_twice_are_counted() -> None:
    talk = Talk()
    talk.call("t1", "Bash", {}, "one")
    talk.result("t1", "one")
    talk.result("nobody", "two")
    reader = read(talk)
    assert len(of_kind(talk.told(), "tool")) == 1
    assert reader.tally.unknown == {"result given again": [3], "result without a call": [4]}


# -- conversations ----------------------------------------------------------------------------------------------------


def test_a_subagent_has_a_context_of_its_own() -> None:
    talk = everything()
    inner = [each for each in talk.told() if each.get("context")]
    assert {each["context"] for each in inner} == {"a1b2"}
    assert [each["kind"] for each in inner] == ["prompt", "usage", "tool", "seen"]
    assert (inner[2]["call"], inner[3]["call"], inner[3]["slice"]) == ("s1", "s1", [5, 6])


def test_a_subagents_own_file_tells_what_its_progress_did() -> None:
    told = [each for each in everything().told() if each.get("context")]
    file = Talk(isSidechain=True, agentId="a1b2")
    for value in everything().values:
        if value["type"] == "progress":
            inner = value["data"]["message"]
            file.add(inner["type"], uuid=inner["uuid"], message=inner["message"], timestamp=inner["timestamp"])
    assert file.told() == told


def test_a_sidechain_without_a_name_is_called_after_its_first_record() -> None:
    talk = Talk(isSidechain=True)
    first = talk.prompt("one", parentUuid=None)
    other = talk.prompt("two", parentUuid=None)
    talk.prompt("one, still", parentUuid=first["uuid"])
    talk.prompt("two, still", parentUuid=other["uuid"])
    contexts = [each["context"] for each in talk.told()]
    assert contexts == [first["uuid"], other["uuid"], first["uuid"], other["uuid"]]


def test_records_copied_from_another_session_are_told_once_and_under_their_own() -> None:
    before = Talk("old")
    before.prompt("first")
    before.call("t1", "Bash", {}, "one")
    after = Talk("new")
    after.values = [*before.values, *before.values]
    after.prompt("second")
    told = after.told()
    assert [(each["session"], each["kind"]) for each in told] == [
        ("old", "prompt"), ("old", "usage"), ("old", "tool"), ("new", "prompt"),
    ]  # fmt: skip


def test_what_a_transcript_says_of_itself() -> None:
    origin = read(everything()).origin
    assert (origin.session, origin.cwd, origin.title) == (SESSION, CWD, "The tax of the shop")
    assert (origin.models, origin.started) == (["claude-opus-4-6", "claude-haiku-4-5"], 1_772_359_202_250)
    assert read(Talk()).origin.session == "file-name"


def test_a_stream_of_the_program_is_read_as_well() -> None:
    talk = Talk(session_id=SESSION)
    del talk.always["sessionId"]
    talk.always["sessionId"] = None
    talk.values = [
        {"type": "system", "subtype": "init", "session_id": SESSION, "cwd": CWD},
        {"type": "assistant", "session_id": SESSION, "message": {"id": "m", "content": [use("t", "Bash", {})]}},
        {"type": "user", "session_id": SESSION, "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "done"}]}},
        {"type": "result", "subtype": "success", "session_id": SESSION},
    ]  # fmt: skip
    assert [(each["kind"], each["session"], each["cwd"]) for each in talk.told()] == [("tool", SESSION, CWD)]
    assert read(talk).tally.unknown == {}


def test_an_export_that_only_has_what_was_said() -> None:
    lines = [
        {"type": "sanitization_notice", "source": "Claude Code session"},
        {"type": "message", "role": "user", "text": "Make it fun", "timestamp": "2026-03-01T10:00:00Z"},
        {"type": "title", "title": "Fun"},
        {"type": "message", "role": "assistant", "text": "[tool_use:Bash {}]"},
    ]
    records = [Record(line, value) for line, value in enumerate(lines, 1)]
    assert FORMAT.looks(records)
    told = [(each["kind"], each["said"], each["session"], each["call"]) for each in observed(records)]
    assert told == [
        ("prompt", "Make it fun", "file-name", "record:2"),
        ("turn", "[tool_use:Bash {}]", "file-name", "record:4"),
    ]


# -- what isn't understood --------------------------------------------------------------------------------------------


def test_kinds_nobody_has_heard_of_are_counted() -> None:
    talk = Talk()
    talk.note({"type": "hologram"})
    talk.note({"no": "type"})
    talk.system("levitated")
    talk.attach("smell")
    talk.says({"type": "dream"})
    talk.note({"type": "hologram"})
    reader = read(talk)
    list(reader.feed(Record(7, ["not", "an", "object"])))
    assert reader.tally.unknown == {
        "hologram": [1, 6], "no type": [2], "system/levitated": [3], "attachment/smell": [4], "block/dream": [5],
        "not an object": [7],
    }  # fmt: skip
    assert (reader.tally.records, reader.tally.times["hologram"]) == (7, 2)


def test_records_that_say_nothing_are_known() -> None:
    talk = everything()
    talk.system("turn_duration", durationMs=12)
    talk.system("stop_hook_summary", hookCount=1)
    talk.system("api_error", error={}, retryInMs=500)
    talk.add("progress", data={"type": "hook_progress", "hookEvent": "Stop"})
    talk.attach("todo_reminder", content=[])
    talk.attach("compact_file_reference", filename="a", displayPath="a")
    for kind in ("last-prompt", "mode", "pr-link", "custom-title", "file-history-snapshot"):
        talk.note({"type": kind})
    assert read(talk).tally.unknown == {}


# -- which files are of this format -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {"type": "user", "message": {"role": "user", "content": "hi"}},
        {"type": "user", "sessionId": "s", "message": {"role": "user", "parts": [{"text": "hi"}]}},
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "message", "message": {"role": "user", "content": "hi"}},
        {"type": "system", "subtype": "chat_compression", "sessionId": "s"},
        {"type": 7, "sessionId": "s"},
        {"kind": "prompt"},
        [],
        None,
    ],
)
def test_other_formats_are_not_taken_for_it(value: Any) -> None:
    assert not FORMAT.looks([Record(1, value)])


def test_its_own_records_are_known() -> None:
    for record in everything().records():
        assert FORMAT.looks([record]) or record.value["type"] in ("ai-title", "last-prompt")


def test_paths_are_as_the_host_spells_them() -> None:
    talk = Talk()
    talk.call("t1", "Read", {"file_path": "src/a.py"}, "", read_of("src/a.py", "x\n"))
    assert of_kind(talk.told(), "seen")[0]["path"] == f"{CWD}/src/a.py"


# -- what is said in other words --------------------------------------------------------------------------------------


def test_a_block_may_stand_alone() -> None:
    talk = Talk()
    talk.prompt(text("alone"))
    assert [each["said"] for each in talk.told()] == ["alone"]


def test_a_record_without_a_message_is_counted() -> None:
    talk = Talk()
    talk.add("user", message="bare words")
    talk.add("assistant", message=None)
    reader = read(talk)
    assert reader.tally.times == {"user without a message": 1, "assistant without a message": 1}


def test_records_that_name_no_session_are_known_by_their_messages() -> None:
    talk = Talk()
    talk.prompt("Why?")
    talk.says(text("Because."))
    for value in talk.values:
        del value["sessionId"]
    assert FORMAT.looks(talk.records())
    assert {each["session"] for each in talk.told()} == {"file-name"}
    assert not FORMAT.looks([Record(1, {"type": "user", "message": {"role": "user", "content": "Why?"}})])


@pytest.mark.parametrize("kind", ["atis-latch", "frame-link", "relocated", "started", "worktree-state"])
def test_what_puts_nothing_before_the_agent_is_silent(kind: str) -> None:
    talk = Talk()
    talk.note({"type": kind, "sessionId": SESSION})
    for note in ("api_refusal", "error", "session_start"):
        talk.system(note)
    assert talk.told() == []
    assert read(talk).tally.times == {}


@pytest.mark.parametrize("kind", ["batching_reminder_sent", "silent_turn_reminder", "total_tokens_reminder"])
def test_reminders_whose_words_are_recorded(kind: str) -> None:
    talk = Talk()
    talk.attach(kind, text="Do several at once.")
    assert [(each["said"], each["source"]) for each in talk.told()] == [("Do several at once.", "host")]


def test_a_result_that_was_written_before_its_call() -> None:
    """Of several calls that are made at once."""
    talk, path = Talk(), f"{CWD}/a.py"
    talk.says(use("t1", "Read", {"file_path": path}), message="m1")
    talk.result("t1", "     1\tx", read_of(path, "x"))
    talk.result("t2", "     1\ty", read_of(path, "y"))
    talk.result("t3", "nobody asked")
    talk.says(use("t2", "Read", {"file_path": path}), message="m2")
    talk.result("t2", "again")
    found = talk.told()
    assert [(each["call"], each["outcome"]) for each in of_kind(found, "tool")] == [("t1", "ok"), ("t2", "ok")]
    assert [each["content"] for each in of_kind(found, "seen")] == ["x", "y"]
    reader = read(talk)
    assert reader.tally.times == {"result without a call": 1, "result given again": 1}
    assert reader.tally.unknown["result without a call"] == [4]
    assert list(reader.pending()) == []


def test_only_so_many_results_wait_for_their_calls() -> None:
    talk = Talk()
    for number in range(MOST_EARLY + 1):
        talk.result(f"t{number}", "done")
    for number in range(MOST_EARLY + 1):
        talk.says(use(f"t{number}", "Bash", {"command": "true"}), message="m")
    reader = read(talk)
    assert [each["call"] for each in reader.pending()] == ["t0"]
    assert reader.tally.times == {"result without a call": 1}


def test_a_session_that_was_resumed_says_so_once() -> None:
    talk = Talk()
    talk.prompt("Look.")
    hook = {"type": "hook_progress", "hookEvent": "SessionStart", "hookName": "SessionStart:resume", "command": "x"}
    for _ in range(2):
        talk.add("progress", data=hook)
    talk.prompt("Go on.")
    talk.add("attachment", attachment={**hook, "type": "hook_success", "content": "hello"})
    talk.add("progress", data={**hook, "hookName": "SessionStart:startup"})
    notes = of_kind(talk.told(), "annotation")
    assert [(each["note"], each["phase"]) for each in notes] == [("session resumed", "resumed")] * 2


@pytest.mark.parametrize(
    ("words", "more", "source", "phase"),
    [
        ("Fix it.", {}, "user", None),
        ("[Request interrupted by user for tool use]", {}, "host", "interruption"),
        ("Base directory for this skill: /skills/plan\n\nPlan well.", {"isMeta": True}, "host", "skill"),
        ("<local-command-stdout>done</local-command-stdout>", {}, "host", "output"),
        ("<command-name>/exit</command-name>", {}, "host", "command"),
        ("<system-reminder>Be brief.</system-reminder>", {}, "host", None),
        ("Look for the bug.", {"isSidechain": True, "agentId": "a1"}, "agent", None),
    ],
)
def test_what_nobody_typed_is_of_a_kind_of_its_own(words: str, more: Any, source: str, phase: str | None) -> None:
    talk = Talk()
    talk.prompt(words, **more)
    (said,) = of_kind(talk.told(), "prompt")
    assert (said["source"], said.get("phase")) == (source, phase)
