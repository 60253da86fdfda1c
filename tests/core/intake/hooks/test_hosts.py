"""What the events of Codex, Gemini CLI and OpenCode say, each by itself."""

from typing import Any

import pytest

from ccos_core.intake.hooks.heard import Course, Heard
from ccos_core.intake.hooks.readers import READERS, kind_of, told_by
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Telling
from ccos_core.session.setup.hosts import BY_NAME

CWD = "/home/kim/shop"
SHOP = "def total(rows):\n    return sum(rows)\n"
PATCH = """*** Begin Patch
*** Update File: shop.py
@@
-    return sum(rows)
+    return 0
*** Add File: fee.py
+FEE = 3
*** End Patch
"""


def observed(host: str, event: dict[str, Any]) -> list[Observation]:
    """All an event says, to somebody who knows nothing."""
    told = told_by(Heard(event, 5, "heard:1", host))
    assert told is not None
    found: list[Observation] = []
    for each in told:
        said = list(each.observe(Course(Telling(each.host), each.cwd)))
        assert bool(said) == (each.first is not None)
        if each.first is not None:  # by what is told first it is known
            first = {**said[0], "kind": said[0].get("phase", said[0]["kind"])}
            assert {name: first[name] for name in each.first} == each.first
        found += said
    return found


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "s1", "cwd": CWD, "hook_event_name": kind, **fields}


def files(said: list[Observation]) -> list[tuple[str, str, str | None]]:
    return [(each.get("how", each["kind"]), each["path"], each.get("content")) for each in said if "path" in each]


def outcome(host: str, told: dict[str, Any]) -> str:
    return str(observed(host, told)[0]["outcome"])


def test_every_reader_is_a_host_that_setup_knows() -> None:
    assert set(READERS) <= set(BY_NAME)


@pytest.mark.parametrize("host", READERS)
def test_an_event_nobody_has_heard_of_is_not_known(host: str) -> None:
    heard = Heard(event("SomethingNew"), 5, "heard:1", host)
    assert told_by(heard) is None
    assert kind_of(heard) == "SomethingNew"


@pytest.mark.parametrize("host", READERS)
def test_events_of_any_shape_are_read(host: str) -> None:
    for kind in ("PostToolUse", "AfterTool", "tool", "turn", "prompt", "summary", "changed", "Stop", "PreCompress"):
        for odd in (None, 5, "x", [], {}, [{}], {"llmContent": 5, "status": []}):
            wrong = event(kind, tool_name=odd, tool_input=odd, tool_response=odd, prompt=odd, files=odd, tool_calls=odd)
            for each in told_by(Heard(wrong, 5, "heard:1", host)) or ():
                list(each.observe(Course(Telling(each.host), each.cwd)))


# -- Codex ------------------------------------------------------------------------------------------------------------


def codex(tool: str, given: Any, response: Any) -> dict[str, Any]:
    return event(
        "PostToolUse", tool_name=tool, tool_use_id="c1", tool_input=given, tool_response=response, turn_id="t1"
    )


def test_a_command_of_codex_has_no_outcome() -> None:
    call, file = observed("codex", codex("Bash", {"command": "cat shop.py"}, SHOP))
    assert (call["name"], call["outcome"], call["call"], call["result"]) == ("Bash", "unknown", "c1", SHOP)
    assert files([file]) == [("read", f"{CWD}/shop.py", SHOP)]


def test_a_command_whose_output_looks_like_headers_is_an_output() -> None:
    said = "Exit code: 1\nWall time: 2 seconds\nOutput:\nx\n"
    (call,) = observed("codex", codex("Bash", {"command": "cat log"}, said))[:1]
    assert (call["result"], call["outcome"], call.get("millis")) == (said, "unknown", None)


def test_a_patch_of_codex_is_its_command() -> None:
    told = observed("codex", codex("apply_patch", {"command": PATCH}, "Exit code: 0\nOutput:\nSuccess.\n"))
    assert (told[0]["arguments"], told[0]["outcome"]) == (PATCH, "ok")
    assert [each[:2] for each in files(told)] == [("edit", f"{CWD}/shop.py"), ("write", f"{CWD}/fee.py")]
    failed = codex("apply_patch", {"command": PATCH}, "Exit code: 1\nOutput:\nno such line\n")
    assert [(each["kind"], each["outcome"]) for each in observed("codex", failed)] == [("tool", "error")]


def test_a_call_of_a_server_has_its_text_and_its_error() -> None:
    response = {"content": [{"type": "text", "text": "4 rows"}], "structuredContent": {"rows": 4}, "isError": False}
    (call,) = observed("codex", codex("mcp__db__count", {"table": "a"}, response))
    assert (call["name"], call["result"], call["outcome"]) == ("mcp__db__count", "4 rows", "ok")
    assert outcome("codex", codex("mcp__db__count", {}, {**response, "isError": True})) == "error"


def test_a_prompt_of_codex_is_known_by_its_turn_and_words() -> None:
    first, again, other = (
        observed("codex", event("UserPromptSubmit", turn_id=turn, prompt=said))[0]["call"]
        for turn, said in (("t1", "go on"), ("t1", "go on"), ("t2", "go on"))
    )
    assert first == again != other


def test_what_codex_says_at_an_end_and_of_its_window() -> None:
    (turn,) = observed("codex", event("Stop", last_assistant_message="Done.", model="m"))
    assert (turn["kind"], turn["said"], turn["model"]) == ("turn", "Done.", "m")
    (cut,) = observed("codex", event("PostCompact", trigger="auto"))
    assert (cut["kind"], cut["trigger"], cut["exact"]) == ("compaction", "auto", False)
    assert observed("codex", event("SessionStart", source="clear"))[0]["kind"] == "cleared"
    assert observed("codex", event("SessionStart", source="compact")) == []
    assert observed("codex", event("PreToolUse", tool_name="Bash")) == []


# -- Gemini CLI -------------------------------------------------------------------------------------------------------


def gemini(tool: str, given: Any, content: Any, **more: Any) -> dict[str, Any]:
    return event("AfterTool", tool_name=tool, tool_input=given, tool_response={"llmContent": content, **more})


def shell(said: str) -> str:
    return f"<untrusted_context>\nOutput: {said}\nProcess Group PGID: 7\n</untrusted_context>"


def test_a_command_of_gemini_has_its_code() -> None:
    call, file = observed("gemini", gemini("run_shell_command", {"command": "cat shop.py"}, shell(SHOP.rstrip())))
    assert (call["kind"], call["outcome"], call["call"]) == ("tool", "ok", "heard:1")
    assert files([file]) == [("read", f"{CWD}/shop.py", SHOP)]
    failed = gemini("run_shell_command", {"command": "make"}, shell("no rule\nExit Code: 2"))
    assert outcome("gemini", failed) == "error"
    assert (
        outcome("gemini", gemini("run_shell_command", {"command": "cat log"}, shell("Exit Code: 2 was it\nx"))) == "ok"
    )


def test_a_read_of_gemini_is_whole_or_a_part_that_says_so() -> None:
    given = {"file_path": f"{CWD}/shop.py"}
    (_, whole) = observed("gemini", gemini("read_file", given, SHOP))
    assert (whole["content"], whole.get("slice")) == (SHOP, None)
    head = (
        "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 2-2 of 9 total lines.\nAction: To"
        " read more of the file, use start_line: 3.\n\n--- FILE CONTENT (truncated) ---\n"
    )
    (_, part) = observed("gemini", gemini("read_file", given, head + "    return sum(rows)"))
    assert (part["content"], part["slice"]) == ("    return sum(rows)", [2, 2])
    assert files(observed("gemini", gemini("read_file", given, "x ... [truncated]\n"))) == []
    missing = gemini("read_file", given, "Could not read file.", error={"message": "File not found"})
    assert [(each["kind"], each["outcome"]) for each in observed("gemini", missing)] == [("tool", "error")]


def test_edits_of_gemini_are_what_the_host_shows() -> None:
    new = SHOP.replace("sum(rows)", "0")
    given = {"file_path": f"{CWD}/shop.py", "old_string": "sum(rows)", "new_string": "0"}
    noted = {"originalContent": SHOP, "newContent": new, "fileDiff": "..."}
    told = observed("gemini", gemini("replace", given, "Successfully modified file", returnDisplay=noted))
    assert [each[:2] for each in files(told)][-1] == ("edit", f"{CWD}/shop.py")
    changed = {**noted, "newContent": f"# by hand\n{new}"}
    told = observed("gemini", gemini("replace", given, "modified", returnDisplay=changed))
    assert files(told)[-1][2] == f"# by hand\n{new}"
    wrote = {"file_path": f"{CWD}/new.py", "content": "x = 1\n"}
    noted = {"originalContent": "", "newContent": "x = 2\n", "isNewFile": True}
    assert files(observed("gemini", gemini("write_file", wrote, "wrote", returnDisplay=noted)))[-1][2] == "x = 2\n"


def test_a_search_of_gemini_shows_lines() -> None:
    said = 'Found 1 match for pattern "rows" in path "x":\n---\nFile: shop.py\n'
    said += "L1: def total(rows):\nL2:     return sum(rows)\nL3- \n---"
    given = {"pattern": "rows", "dir_path": CWD}
    assert files(observed("gemini", gemini("grep_search", given, said))) == [("read", f"{CWD}/shop.py", f"{SHOP}\n")]


def test_gemini_is_about_to_compress_before_each_request() -> None:
    assert observed("gemini", event("PreCompress", trigger="auto")) == []
    assert observed("gemini", event("PreCompress", trigger="manual"))[0]["kind"] == "compaction"
    assert observed("gemini", event("SessionStart", source="clear"))[0]["kind"] == "cleared"
    assert observed("gemini", event("BeforeTool", tool_name="read_file")) == []


def test_what_is_said_to_gemini_and_by_it() -> None:
    (prompt,) = observed("gemini", event("BeforeAgent", prompt="Mend it."))
    (turn,) = observed("gemini", event("AfterAgent", prompt="Mend it.", prompt_response="Done."))
    assert (prompt["kind"], prompt["said"], prompt["source"]) == ("prompt", "Mend it.", "user")
    assert (turn["kind"], turn["said"]) == ("turn", "Done.")


# -- OpenCode ---------------------------------------------------------------------------------------------------------


def opencode(tool: str, given: Any, **state: Any) -> dict[str, Any]:
    response = {"status": "completed", "time": {"start": 10, "end": 35}, **state}
    return event("tool", tool_use_id="c1", tool_name=tool, tool_input=given, tool_response=response)


def test_a_call_of_opencode_is_its_part() -> None:
    path = f"{CWD}/shop.py"
    display = {"type": "file", "path": path, "text": SHOP.rstrip(), "lineStart": 1, "lineEnd": 2, "totalLines": 2}
    told = observed("opencode", opencode("read", {"filePath": path}, output="...", metadata={"display": display}))
    assert (told[0]["name"], told[0]["outcome"], told[0]["millis"], told[0]["call"]) == ("read", "ok", 25, "c1")
    assert files(told) == [("read", path, SHOP)]
    failed = opencode("read", {"filePath": path}, status="error", error="File not found")
    assert [(each["outcome"], each["result"]) for each in observed("opencode", failed)] == [("error", "File not found")]
    assert outcome("opencode", opencode("bash", {"command": "false"}, output="", metadata={"exit": 1})) == "error"


def test_files_that_changed_without_a_call_are_told() -> None:
    calls = [
        {
            "tool_name": "write",
            "tool_input": {"filePath": f"{CWD}/a.py", "content": "x"},
            "tool_response": {"status": "completed"},
        }
    ]
    told = observed(
        "opencode",
        event("changed", id="p1", files=[{"path": f"{CWD}/a.py"}, {"path": f"{CWD}/b.py"}], tool_calls=calls),
    )
    assert [(each["how"], each["path"], each.get("content")) for each in told] == [("edit", f"{CWD}/b.py", None)]
    assert observed("opencode", event("changed", id="p1", files=[{"path": f"{CWD}/a.py"}], tool_calls=calls)) == []


def test_what_is_said_to_opencode_and_by_it() -> None:
    (prompt,) = observed("opencode", event("prompt", id="p1", prompt="Mend it.", source="user"))
    assert (prompt["call"], prompt["source"]) == ("p1", "user")
    counts = {"fresh": 100, "cached": 20, "stored": 3, "written": 9}
    turn, usage = observed("opencode", event("turn", id="m1", last_assistant_message="Done.", reason="stop", **counts))
    assert (turn["said"], turn["stop"], usage["window"], usage["written"]) == ("Done.", "end", 123, 9)
    (cut,) = observed("opencode", event("summary", id="m2", trigger="auto", compact_summary="So far."))
    assert (cut["kind"], cut["trigger"], cut["summary"]) == ("compaction", "auto", "So far.")


def test_a_subagent_of_opencode_is_a_context_of_its_session() -> None:
    (call,) = observed("opencode", {**opencode("bash", {"command": "true"}, output=""), "agent_id": "child"})
    assert (call["session"], call["context"]) == ("s1", "child")
