"""OpenCode: what a session's messages and their parts tell."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.formats import recognised
from ccos_core.intake.importers.opencode.reader import FORMAT
from ccos_core.intake.importers.record import Observation
from tests.core.intake.importers.foreign import (
    deliveries,
    fed,
    keep_the_laws,
    mangled,
    of_kind,
    read_recording,
    recorded,
    told,
)

AT = 1_700_000_000_000
DIFF = "Index: /w/a.py\n===\n--- /w/a.py\n+++ /w/a.py\n@@ -3,2 +3,2 @@\n same\n-old\n+new\n"


def session(**more: Any) -> dict[str, Any]:
    return {"id": "ses_1", "directory": "/w", "title": "Fix it", "version": "1.2.3", "time": {"created": AT}, **more}


def message(name: str, role: str, *parts: dict[str, Any], at: int = 0, **info: Any) -> dict[str, Any]:
    time = {"created": AT + at, **({"completed": AT + at + 50} if role == "assistant" else {})}
    info = {"id": name, "sessionID": "ses_1", "role": role, "time": time, **info}
    named = [{"id": f"{name}.{place}", "messageID": name, **part} for place, part in enumerate(parts)]
    return {"info": info, "parts": named}


def asks(name: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return message(name, "user", *parts, **more)


def says(name: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return message(name, "assistant", *parts, **{"modelID": "some-model", "path": {"cwd": "/w", "root": "/w"}, **more})


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def tool(call: str, name: str, given: dict[str, Any], output: str = "", **state: Any) -> dict[str, Any]:
    told = {"status": "completed", "input": given, "output": output, "time": {"start": AT + 5, "end": AT + 25}, **state}
    return {"type": "tool", "callID": call, "tool": name, "state": told}


def finish(fresh: int, read: int = 0, write: int = 0, output: int = 9, reason: str = "tool-calls") -> dict[str, Any]:
    cache = {"read": read, "write": write}
    return {"type": "step-finish", "reason": reason, "tokens": {"input": fresh, "output": output, "cache": cache}}


def shown(path: str, *lines: str, end: int = 0) -> str:
    listed = "\n".join(f"{number}: {line}" for number, line in enumerate(lines, 1))
    last = f"(End of file - total {end} lines)" if end else "(File has more lines.)"
    return f"<path>{path}</path>\n<type>file</type>\n<content>\n{listed}\n\n{last}\n</content>"


START = {"type": "step-start", "snapshot": "1"}


def export(*messages: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {"info": session(**info), "messages": list(messages)}


def everything() -> dict[str, Any]:
    """One of each kind of message and part."""
    return export(
        asks("m1", text("Fix it."), text("Called the Read tool with the following input: {}", synthetic=True),
             text("<file>\n00001| one\n00002| two\n\n(End of file - total 2 lines)\n</file>", synthetic=True),
             {"type": "file", "mime": "text/plain", "filename": "n.txt", "url": "file:///w/n.txt"}),
        says("m2", START, {"type": "reasoning", "text": "hm"}, text("I look."),
             tool("c1", "read", {"filePath": "/w/a.py"}, shown("/w/a.py", "one", "two", end=2)),
             tool("c2", "bash", {"command": "pytest"}, "boom\n", metadata={"exit": 1, "output": "boom\n"}),
             finish(100, 20, 3)),
        says("m3", START, tool("c3", "edit", {"filePath": "/w/b.py", "oldString": "old", "newString": "new"}, "",
                               metadata={"diff": DIFF}),
             {"type": "patch", "hash": "2", "files": ["/w/b.py", "/w/made.txt"]}, finish(50, 100),
             START, text("Done."), finish(60, 110, reason="stop"), at=100),
        asks("m4", text("Go on."), {"type": "subtask", "prompt": "look there", "agent": "x"}, at=200),
        says("m5", tool("c4", "write", {"filePath": "/w/c.py", "content": "new\n"}, metadata={"exists": False}),
             tool("c5", "webfetch", {"url": "x"}, status="error", error="no net"),
             tool("c6", "bash", {"command": "sleep 1"}, status="error", error="Tool execution aborted"),
             at=300, error={"name": "MessageAbortedError"}, tokens={"input": 7, "output": 1, "cache": {}}),
        asks("m6", {"type": "compaction", "auto": True}, at=400),
        says("m7", text("All so far."), at=500, summary=True, tokens={"input": 900, "output": 3, "cache": {"read": 1}}),
        says("m8", text("On."), tool("c7", "bash", {"command": "make"}, status="running"), at=600),
    )  # fmt: skip


def found(*messages: dict[str, Any]) -> list[Observation]:
    return told(FORMAT, recorded(export(*messages)))


def files(*parts: dict[str, Any]) -> list[Observation]:
    return of_kind(found(says("m1", *parts)), "seen", "gone", "renamed")


def test_a_session_is_told_in_order() -> None:
    all_told = told(FORMAT, recorded(everything()))
    assert [each["kind"] for each in all_told if each["kind"] not in ("seen", "gone")] == [
        *["prompt"] * 3,
        *["thought", "turn", "tool", "tool", "usage"],
        *["turn", "tool", "usage", "turn", "usage"],
        *["prompt"] * 2,
        *["turn", "tool", "tool", "tool", "usage"],
        "compaction",
        "turn",
    ]
    assert [(each["call"], each["outcome"]) for each in of_kind(all_told, "tool")] == [
        ("c1", "ok"),
        ("c2", "error"),
        ("c3", "ok"),
        ("c4", "ok"),
        ("c5", "error"),
        ("c6", "interrupted"),
    ]
    assert [each["source"] for each in of_kind(all_told, "prompt")] == ["user", "host", "host", "user", "user"]
    assert [each["stop"] for each in of_kind(all_told, "turn")] == ["tool", "tool", "end", "interrupted", None]


def test_a_call_says_what_was_asked_and_what_came_back() -> None:
    call = of_kind(told(FORMAT, recorded(everything())), "tool")[1]
    assert (call["arguments"], call["result"]) == ({"command": "pytest"}, "boom\n")
    assert (call["session"], call["cwd"], call["millis"], call["at"]) == ("ses_1", "/w", 20, AT + 25)


def test_the_window_is_what_the_model_was_given() -> None:
    usage = of_kind(told(FORMAT, recorded(everything())), "usage")
    assert [(each["window"], each["call"]) for each in usage] == [
        (123, "m2"),
        (150, "m3"),
        (170, "m3#1"),
        (7, "m5"),
    ]


@pytest.mark.parametrize(
    "output",
    [
        shown("/w/a.py", "one", "two", end=2),
        "<file>\n00001| one\n00002| two\n\n(End of file - total 2 lines)\n</file>",
    ],
)
def test_a_read_to_the_end_shows_the_file(output: str) -> None:
    [seen] = files(tool("c1", "read", {"filePath": "/w/a.py"}, output))
    assert (seen["path"], seen["content"], "slice" in seen) == ("/w/a.py", "one\ntwo\n", False)


def test_a_read_of_some_lines_shows_those() -> None:
    [seen] = files(tool("c1", "read", {"filePath": "/w/a.py"}, shown("/w/a.py", "one", "two")))
    assert (seen["content"], seen["slice"]) == ("one\ntwo", [1, 2])


def test_a_file_read_in_parts_to_its_end_is_known() -> None:
    rest = "<content>\n3: three\n\n(End of file - total 3 lines)\n</content>"
    head = tool("c1", "read", {"filePath": "/w/a.py"}, shown("/w/a.py", "one", "two"))
    tail = tool("c2", "read", {"filePath": "/w/a.py", "offset": 3}, rest)
    edit = tool("c3", "edit", {"filePath": "/w/a.py", "oldString": "three", "newString": "3"})
    assert files(head, tail, edit)[-1]["content"] == "one\ntwo\n3\n"


def test_what_the_host_noted_of_a_read_is_preferred() -> None:
    display = {"type": "file", "path": "/w/a.py", "text": "x\ny", "lineStart": 4, "lineEnd": 5, "totalLines": 9}
    [seen] = files(tool("c1", "read", {"filePath": "/w/a.py"}, "?", metadata={"display": display}))
    assert (seen["content"], seen["slice"]) == ("x\ny", [4, 5])
    whole = {**display, "lineStart": 1, "lineEnd": 2, "totalLines": 2, "truncated": False}
    [seen] = files(tool("c1", "read", {"filePath": "/w/a.py"}, "?", metadata={"display": whole}))
    assert (seen["content"], "slice" in seen) == ("x\ny\n", False)


def test_a_file_the_user_points_at_is_shown() -> None:
    called = 'Called the Read tool with the following input: {"filePath": "/w/n.txt"}'
    listed = "<file>\n00001| one\n00002| two\n\n(End of file - total 2 lines)\n</file>"
    pointed = {"type": "file", "mime": "text/plain", "url": "file:///w/n.txt"}
    told_all = found(
        asks("m1", text("See @n.txt"), text(called, synthetic=True), text(listed, synthetic=True), pointed)
    )
    [seen] = of_kind(told_all, "seen")
    assert (seen["path"], seen["content"], seen["actor"]) == ("/w/n.txt", "one\ntwo\n", "host")


def test_an_edit_is_told_by_the_files_the_difference_or_the_texts() -> None:
    given_to = {"filePath": "/w/a.py", "oldString": "old", "newString": "new"}
    both = {"filediff": {"before": "an old text\n", "after": "an new text\n"}}
    edits = of_kind(files(tool("c1", "edit", given_to, metadata=both)), "seen")
    assert edits[-1]["content"] == "an new text\n"
    [edit] = files(tool("c1", "edit", given_to, metadata={"diff": DIFF}))
    assert (edit["how"], edit["slice"][0], edit["path"]) == ("edit", 3, "/w/a.py")
    assert edit["content"] == "same\nnew"
    read = tool("c0", "read", {"filePath": "/w/a.py"}, shown("/w/a.py", "one old", end=1))
    assert files(read, tool("c1", "edit", given_to))[1]["content"] == "one new\n"
    [unplaced] = files(tool("c1", "edit", given_to))
    assert unplaced["withheld"] == "unplaced"


def test_a_patch_is_told_by_the_files_or_by_itself() -> None:
    patch = "*** Begin Patch\n*** Add File: made.py\n+one\n*** Delete File: old.py\n*** End Patch"
    assert [(each["kind"], each["path"]) for each in files(tool("c1", "apply_patch", {"patchText": patch}))] == [
        ("seen", "/w/made.py"),
        ("gone", "/w/old.py"),
    ]
    noted = {"files": [{"filePath": "/w/made.py", "type": "add", "before": "", "after": "one\n"}]}
    [seen] = files(tool("c1", "apply_patch", {"patchText": "?"}, metadata=noted))
    assert (seen["path"], seen["content"]) == ("/w/made.py", "one\n")


@pytest.mark.usefixtures("every_hit_counts")
def test_search_hits_are_lines_that_were_shown() -> None:
    output = "Found 3 matches\n/w/a.py:\n  Line 3: three\n  Line 4: four\n\n/w/b.py:\n  Line 1: one\n"
    seen = files(tool("c1", "grep", {"pattern": "o"}, output))
    assert [(each["path"], each["slice"], each["content"]) for each in seen] == [
        ("/w/a.py", [3, 4], "three\nfour"),
        ("/w/b.py", [1, 1], "one"),
    ]


def test_files_nobody_said_to_have_changed_are_changed() -> None:
    changed = [each for each in told(FORMAT, recorded(everything())) if each.get("withheld")]
    assert [(each["path"], each["inferred"]) for each in changed] == [("/w/made.txt", True)]


def test_a_call_that_runs_waits() -> None:
    reader = fed(FORMAT, recorded(everything()))
    assert [(each["call"], each["name"]) for each in reader.pending()] == [("c7", "bash")]


def test_what_is_still_being_said_is_told_when_it_is_over() -> None:
    open_ended = says("m1", text("I am say"), time={"created": AT})
    assert found(open_ended) == []
    assert [(each["said"], each["stop"]) for each in found(open_ended, asks("m2", text("Stop.")))[:1]] == [
        ("I am say", "interrupted")
    ]
    ended = says("m1", text("I said.", time={"start": AT, "end": AT}), time={"created": AT})
    assert [each["said"] for each in found(ended)] == ["I said."]


def test_a_compaction_leaves_its_summary_and_what_the_host_kept() -> None:
    [compaction] = of_kind(told(FORMAT, recorded(everything())), "compaction")
    assert (compaction["trigger"], compaction["summary"], compaction["exact"]) == ("auto", "All so far.", True)
    assert compaction["kept"] == []
    kept = found(
        asks("m1", text("One.")),
        says("m2", tool("c1", "bash", {"command": "true"})),
        asks("m3", text("Two.")),
        says("m4", tool("c2", "bash", {"command": "true"})),
        asks("m5", {"type": "compaction", "auto": False, "tail_start_id": "m3"}),
        says("m6", text("So far."), summary=True),
    )
    assert [(each["kept"], each["trigger"]) for each in of_kind(kept, "compaction")] == [
        (["m3.0", "m4", "c2"], "manual")
    ]


def test_outputs_that_were_dropped_are_dropped_when_the_next_message_comes() -> None:
    old = tool("c1", "bash", {"command": "true"}, "long", time={"start": AT, "end": AT + 1, "compacted": AT + 150})
    first = [asks("m1", text("One.")), says("m2", old, tool("c2", "bash", {"command": "true"}), at=10)]
    assert of_kind(found(*first, asks("m3", text("Two."), at=100)), "compaction") == []
    [dropped] = of_kind(
        found(*first, asks("m3", text("Two."), at=100), asks("m4", text("Three."), at=200)), "compaction"
    )
    assert (dropped["kept"], dropped["exact"], dropped["at"]) == (["m1.0", "m2", "c2", "m3.0"], True, AT + 150)


def test_a_session_another_one_started_is_a_context_of_it() -> None:
    child = {"info": session(id="ses_2", parentID="ses_1"), "messages": [asks("m1", text("Look."), sessionID="ses_2")]}
    [prompt] = told(FORMAT, recorded(child))
    assert (prompt["session"], prompt["context"]) == ("ses_1", "ses_2")


def test_a_message_that_stands_twice_is_one() -> None:
    one = says("m1", tool("c1", "bash", {"command": "true"}))
    assert len(of_kind(found(one, one), "tool")) == 1


def test_what_is_unknown_is_counted() -> None:
    document = export(asks("m1", {"type": "odd"}), message("m2", "oracle"))
    reader = fed(FORMAT, recorded({**document, "surprise": 1}))
    assert reader.tally.times == {"part odd": 1, "message of oracle": 1, "field surprise": 1}


def test_it_is_known_by_what_it_says() -> None:
    assert recognised(json.dumps(everything(), indent=2).encode()) is FORMAT
    assert recognised(json.dumps({"messages": [{"info": {}}]}).encode()) is None


def test_every_delivery_has_a_key_of_its_own() -> None:
    keys = deliveries(told(FORMAT, recorded(everything())))
    assert len(set(keys)) == len(keys)


def test_an_export_that_has_grown_tells_again_what_it_told() -> None:
    running = says(
        "m2", text("I try."), tool("c1", "bash", {"command": "make"}, status="running"), time={"created": AT}
    )
    ended = says("m2", text("I try."), tool("c1", "bash", {"command": "make"}, "made", metadata={"exit": 0}), finish(9))
    early, late = (
        found(asks("m1", text("Go.")), running),
        found(asks("m1", text("Go.")), ended, asks("m3", text("On."))),
    )
    assert deliveries(early) == deliveries(late)[: len(early)]
    assert [each["kind"] for each in late[len(early) :]] == ["tool", "usage", "prompt"]


@given(st.data())
def test_the_laws_hold_whatever_it_says(data: st.DataObject) -> None:
    keep_the_laws(FORMAT, mangled(recorded(everything()), data))


def test_the_recording() -> None:
    document, all_told, _ = read_recording(FORMAT, "opencode", "pfm")
    parts = [(each["info"], part) for each in document["messages"] for part in each["parts"]]
    tools = [part for _, part in parts if part["type"] == "tool"]
    calls = of_kind(all_told, "tool")
    assert [each["call"] for each in calls] == [part["callID"] for part in tools]
    assert Counter(each["outcome"] for each in calls) == {"ok": len(tools)}
    reads = [part for part in tools if part["tool"] == "read"]
    whole = {each["call"]: each["path"] for each in of_kind(all_told, "seen") if not each.get("inferred")}
    assert whole == {part["callID"]: part["state"]["input"]["filePath"] for part in reads}
    tokens = [part["tokens"] for _, part in parts if part["type"] == "step-finish"]
    windows = [each["input"] + each["cache"]["read"] + each["cache"]["write"] for each in tokens]
    assert [each["window"] for each in of_kind(all_told, "usage")] == windows
