"""What each kind of record of a Codex rollout is told as."""

import pytest

from ccos_core.intake.importers.codex.reader import FORMAT, LEGACY, CodexReader
from ccos_core.intake.importers.record import Record
from ccos_core.session.admit import admit
from tests.core.intake.importers.codex_fixtures import CWD, SESSION, Rollout, add, everything, message, read, update
from tests.core.intake.importers.foreign import of_kind


def test_a_session_with_every_kind_of_record() -> None:
    reader = CodexReader("named")
    told = read(everything().records, reader)
    assert [(each["source"], each["said"].splitlines()[0]) for each in of_kind(told, "prompt")] == [
        ("host", "<permissions instructions>"),
        ("host", f"# AGENTS.md instructions for {CWD}"),
        ("user", "Why is the due date wrong?"),
        ("user", "Go on."),
        ("user", "And now?"),
    ]
    assert [(each["said"], each["model"], each["stop"]) for each in of_kind(told, "turn")] == [
        ("I look.", "model-one", None),
        ("It is fourteen days now.", "model-two", "end"),
    ]
    assert [(each["call"], each["name"], each["outcome"], each["millis"]) for each in of_kind(told, "tool")] == [
        ("c1", "shell_command", "ok", 100),
        ("c2", "apply_patch", "ok", 250),
        ("c3", "shell", "error", 1_500),
        ("c4", "apply_patch", "error", None),
        ("c5", "update_plan", "ok", None),
        ("c6", "local_shell", "ok", None),
        ("ws_1", "web_search", "ok", None),
        ("c7", "mcp__books.find", "ok", None),
        ("c8", "exec_command", "unknown", 1_001),
        ("c9", "write_stdin", "ok", 100),
        ("c10", "shell_command", "interrupted", None),
    ]
    assert [(each["window"], each["cached"], each["fresh"]) for each in of_kind(told, "usage")] == [
        (900, 100, 800),
        (1_000, 0, 1_000),
        (300, 0, 300),
    ]
    assert {(each["host"], each["session"]) for each in told} == {("codex", SESSION)}
    assert reader.origin.models == ["model-one", "model-two"]
    assert (reader.origin.title, reader.origin.cwd, reader.origin.session) == ("Due dates", CWD, SESSION)
    assert reader.tally.times == {
        "event_msg something_new": 1,
        "response_item other_thing": 1,
        "whatever": 1,
    }
    assert list(reader.pending()) == [{"call": "c11", "name": "shell_command", "line": len(everything().lines)}]


def test_where_a_call_ran_and_what_it_was_given() -> None:
    told = {each["call"]: each for each in of_kind(read(everything().records), "tool")}
    assert [told[call].get("cwd") for call in ("c1", "c2", "c3", "c8", "c10")] == [
        CWD,
        CWD,
        CWD,
        "/tmp",
        f"{CWD}/src",
    ]
    assert told["c3"]["arguments"] == {"command": ["bash", "-lc", "pytest -q"], "workdir": CWD}
    assert told["c7"]["arguments"] == "not json"
    assert told["c2"]["arguments"].startswith("*** Begin Patch")
    assert told["c3"]["result"].startswith('{"output"')
    assert told["c7"]["result"] == "one\n[image]"


def test_files_by_patches() -> None:
    told = Rollout().turn().patched("p1", add("dates.py", "DAYS = 30\nx = 1\n"))
    told.patched("p2", update("dates.py", "-DAYS = 30\n+DAYS = 14\n x = 1\n"))
    told.patched("p3", "*** Begin Patch\n*** Update File: dates.py\n*** Move to: due.py\n*** End Patch")
    told.patched("p4", "*** Begin Patch\n*** Delete File: due.py\n*** End Patch")
    found = of_kind(read(told.records), "seen", "gone", "renamed")
    assert [(each["kind"], each["call"], each["path"]) for each in found] == [
        ("seen", "p1", f"{CWD}/dates.py"),
        ("seen", "p2", f"{CWD}/dates.py"),
        ("renamed", "p3", f"{CWD}/dates.py"),
        ("gone", "p4", f"{CWD}/due.py"),
    ]
    assert found[1]["content"] == "DAYS = 14\nx = 1\n"


def test_where_the_host_says_which_lines_a_patch_changed() -> None:
    changes = {
        f"{CWD}/dates.py": {
            "type": "update",
            "unified_diff": "@@ -7 +7 @@\n-DAYS = 30\n+DAYS = 14\n",
            "move_path": None,
        },
        f"{CWD}/new.py": {"add": {"content": "x = 1\n"}},
        f"{CWD}/old.py": {"type": "delete", "content": "y\n"},
    }
    told = Rollout().turn().custom("p1", "apply_patch", update("dates.py", "-DAYS = 30\n+DAYS = 14\n"))
    told.event("patch_apply_end", call_id="p1", success=True, changes=changes)
    told.output("p1", "Success.", "custom_tool_call_output")
    edit, write, gone = of_kind(read(told.records), "seen", "gone")
    assert (edit["content"], edit["slice"], edit["took"]) == ("DAYS = 14", [7, 7], 1)
    assert (write["how"], write["content"], gone["path"]) == ("write", "x = 1\n", f"{CWD}/old.py")


def test_what_newer_versions_say_of_a_change_of_files() -> None:
    diff = "@@ -7 +7 @@\n-DAYS = 30\n+DAYS = 14\n"
    changes = {f"{CWD}/due.py": {"type": "update", "unified_diff": diff, "move_path": None}}
    told = Rollout().custom("p1", "apply_patch", "*** Begin Patch\n*** End Patch")
    item = {"type": "FileChange", "id": "p1", "changes": changes, "status": "completed"}
    told.event("item_completed", item=item).output("p1", "Success.", "custom_tool_call_output")
    told.custom("p2", "apply_patch", "*** Begin Patch\n*** End Patch")
    told.event("item_completed", item={**item, "id": "p2", "status": "declined"})
    told.output("p2", "patch rejected by user", "custom_tool_call_output")
    told.event("item_completed", item={"type": "Plan", "id": "x", "text": "First this."})
    (edit,) = of_kind(read(told.records), "seen")
    assert (edit["content"], edit["slice"], edit["took"]) == ("DAYS = 14", [7, 7], 1)


def test_a_subagent_whose_parent_stands_beside_its_source() -> None:
    told = Rollout(meta=False)
    meta = {"id": "sub", "cwd": CWD, "parent_thread_id": SESSION, "source": {"subagent": {"other": "review"}}}
    told.line("session_meta", meta).user("Look at it.")
    (prompt,) = of_kind(read(told.records), "prompt")
    assert (prompt["session"], prompt["context"], prompt["source"]) == (SESSION, "sub", "agent")


def test_what_the_user_said_counts_once() -> None:
    told = Rollout().event("user_message", message="By an event alone.").agent("Yes.")
    told.event("user_message", message="Event first.").user("Event first.").agent("Yes.")
    told.user("Item first.").event("user_message", message="Item first.").agent("Yes.")
    told.event("user_message", message="At the end.")
    assert [each["said"] for each in of_kind(read(told.records), "prompt")] == [
        "By an event alone.",
        "Event first.",
        "Item first.",
    ]


def test_a_subagent_is_a_context_of_its_parent() -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "parent", "depth": 1}}}
    told = read(Rollout(source=spawn).user("Look for callers.").ran("c1", "ls", "a\n").records)
    assert [(each["session"], each["context"], each.get("source")) for each in told[:2]] == [
        ("parent", SESSION, "agent"),
        ("parent", SESSION, None),
    ]
    alone = read(Rollout(source={"subagent": "review"}).user("Review it.").records)
    assert [(each["session"], each.get("context")) for each in alone] == [(SESSION, None)]


def test_what_agents_say_to_each_other() -> None:
    told = Rollout().line("inter_agent_communication", {"author": "/root", "recipient": "/a", "content": "Look."})
    told.item("agent_message", author="/a", recipient="/root", content=[{"type": "input_text", "text": "Found."}])
    told.line("inter_agent_communication_metadata", {"trigger_turn": True})
    reader = CodexReader("")
    assert [(each["source"], each["said"]) for each in read(told.records, reader)] == [
        ("agent", "Look."),
        ("agent", "Found."),
    ]
    assert reader.tally.times == {}


def test_a_fork_tells_what_it_was_forked_from_as_its_own() -> None:
    told = Rollout(forked_from_id="0198").line("session_meta", {"id": "0198", "cwd": CWD}).user("Hello.")
    assert [each["session"] for each in read(told.records)] == [SESSION]


def test_a_turn_that_ends_leaves_no_call_waiting() -> None:
    told = Rollout().call("c1", "shell_command", {"command": "ls"}).event("task_complete", turn_id="t")
    told.output("c1", "late")
    reader = CodexReader("")
    assert [(each["call"], each["outcome"]) for each in of_kind(read(told.records, reader), "tool")] == [
        ("c1", "unknown"),
    ]
    assert reader.tally.times == {"result without a call": 1}
    assert list(reader.pending()) == []


def test_another_call_by_an_id_that_was_used_is_counted_and_kept() -> None:
    told = Rollout().turn().ran("c1", "ls", "a.py\n").ran("c1", "pwd", "/home\n").ran("c1", "ls", "b.py\n")
    told.lines += told.lines[2:4]  # a record that comes again is no call
    reader = CodexReader("")
    tools = of_kind(read(told.records, reader), "tool")
    assert [(each["call"], each["arguments"]["command"], each["result"].splitlines()[-1]) for each in tools] == [
        ("c1", "ls", "a.py"),
        ("c1#2", "pwd", "/home"),
        ("c1#3", "ls", "b.py"),
    ]
    assert reader.tally.times == {
        "id of a call used again": 2, "call made again": 1, "result without a call": 1
    }  # fmt: skip
    assert list(reader.pending()) == []


def test_a_patch_by_an_id_that_was_used_changes_its_file() -> None:
    told = Rollout().turn().patched("p1", add("a.py", "x = 1\n")).patched("p1", add("b.py", "y = 1\n"))
    found = of_kind(read(told.records), "seen")
    assert [(each["call"], each["path"]) for each in found] == [("p1", f"{CWD}/a.py"), ("p1#2", f"{CWD}/b.py")]


def test_aborted_turns_and_undone_edits_are_told_once() -> None:
    told = Rollout().user("Fix it.").event("turn_aborted", reason="interrupted")
    told.user("Go on.").user("<turn_aborted>\nby the user").event("turn_aborted", reason="interrupted")
    told.event("undo_completed", success=True, message="Undo restored snapshot 12ab.")
    told.event("undo_completed", success=False, message="No ghost snapshot available to undo.")
    told.user("Once more.").event("turn_aborted").event("thread_rolled_back", num_turns=2)
    told.lines += told.lines[-6:]
    reader = CodexReader("")
    every = {admit(each).key: each for each in read(told.records, reader)}.values()
    assert [each["note"] for each in of_kind(list(every), "annotation")] == [
        "turn aborted: interrupted",
        "edits undone: Undo restored snapshot 12ab.",
        "edits not undone: No ghost snapshot available to undo.",
        "turn aborted",
        "2 turns taken back",
    ]
    assert len(of_kind(list(every), "compaction")) == 1
    assert reader.tally.times == {}


def test_the_bare_items_of_the_first_versions() -> None:
    lines = [
        {"id": SESSION, "timestamp": "2025-05-07T17:24:21.123Z", "instructions": None},
        {"record_type": "state"},
        message("user", "Hello."),
        {"type": "function_call", "name": "shell", "call_id": "c1", "arguments": '{"command":["ls"]}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a.py"},
        message("assistant", "There."),
    ]
    reader = CodexReader("named")
    told = read([Record(number, line) for number, line in enumerate(lines, 1)], reader)
    assert [each["kind"] for each in told] == ["prompt", "tool", "turn"]
    assert [each["call"] for each in told] == ["record:3", "c1", "record:6"]
    assert reader.origin.session == SESSION
    assert reader.tally.times == {}
    document = [Record(1, {"id": "old", "timestamp": "2025-04-01T00:00:00Z"}, "session"), Record(9, lines[2], "items")]
    assert [(each["session"], each["said"]) for each in read(document)] == [("old", "Hello.")]
    assert LEGACY.document


@pytest.mark.parametrize(
    ("value", "is_codex"),
    [
        ({"type": "session_meta", "payload": {"id": "x"}}, True),
        ({"type": "response_item", "payload": {"type": "message"}}, True),
        ({"type": "response_item", "payload": "x"}, False),
        ({"record_type": "state"}, True),
        (message("user", "x"), True),
        ({"type": "user", "message": {"role": "user", "content": "x"}}, False),
        ({"type": "message", "content": "x"}, False),
        ([], False),
        (None, False),
    ],
)
def test_known_by_its_content(value: object, is_codex: bool) -> None:
    assert FORMAT.looks([Record(1, value)]) is is_codex


def test_what_codex_says_in_the_users_name_is_no_prompt_of_theirs() -> None:
    told = Rollout().user("<environment_context>\n<cwd>/w</cwd>").user("<turn_aborted>\nby the user").user("Fix it.")
    found = of_kind(read(told.records), "prompt")
    assert [(each["source"], each.get("phase")) for each in found] == [
        ("host", None),
        ("host", "interruption"),
        ("user", None),
    ]
