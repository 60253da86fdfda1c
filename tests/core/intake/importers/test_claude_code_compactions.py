"""Compactions of Claude Code: where they are, what they say survived, and what comes back afterwards."""

from typing import Any

import pytest

from ccos_core.intake.importers.record import Observation
from tests.core.intake.importers.claude_code_fixtures import CWD, SHOP, Talk, read_of, text, use
from tests.core.intake.importers.foreign import of_kind

PATH = f"{CWD}/shop.py"


def cuts(talk: Talk) -> list[Observation]:
    return of_kind(talk.told(), "compaction")


def test_a_compaction_is_told_at_its_boundary_with_its_summary() -> None:
    talk = Talk()
    talk.prompt("begin")
    boundary = talk.compact("So far.", before=167_471, postTokens=9_000, trigger="manual")
    (cut,) = cuts(talk)
    assert cut["call"] == boundary["uuid"]
    assert (cut["trigger"], cut["before"], cut["after"], cut["summary"]) == ("manual", 167_471, 9_000, "So far.")
    assert (cut["kept"], cut["exact"]) == ([], False)
    assert len(of_kind(talk.told(), "prompt")) == 1


def test_a_boundary_waits_for_the_record_that_follows_it() -> None:
    talk = Talk()
    talk.compact(None)
    talk.note({"type": "file-history-snapshot", "snapshot": {}})
    talk.system("turn_duration", durationMs=5)
    assert cuts(talk) == []
    talk.prompt("go on")
    assert [(each["kind"], each.get("summary")) for each in talk.told()] == [("compaction", None), ("prompt", None)]


def test_a_summary_that_comes_late_is_something_the_agent_was_told() -> None:
    talk = Talk()
    boundary = talk.compact(None)
    talk.attach("hook_additional_context", content=["branch: main"])
    talk.prompt("So far.", isCompactSummary=True, parentUuid=boundary["uuid"])
    assert [each["kind"] for each in talk.told()] == ["compaction", "prompt", "prompt"]


def test_a_summary_without_a_boundary_is_a_compaction() -> None:
    talk = Talk()
    talk.prompt("begin")
    talk.prompt([text("So far.")], isCompactSummary=True, isVisibleInTranscriptOnly=True)
    assert [(each["summary"], each["trigger"], each["before"]) for each in cuts(talk)] == [("So far.", "unknown", None)]


def test_two_boundaries_are_two_compactions() -> None:
    talk = Talk()
    talk.compact(None)
    talk.compact("Again.", before=5)
    assert [(each["before"], each["summary"]) for each in cuts(talk)] == [(160_000, None), (5, "Again.")]


def worked() -> tuple[Talk, list[str]]:
    """A talk with three calls, and the records their results stand in."""
    talk = Talk()
    talk.prompt("begin")
    records = []
    for number in range(3):
        talk.call(f"t{number}", "Read", {"file_path": PATH}, "", read_of(PATH, SHOP))
        records.append(talk.values[-1]["uuid"])
    return talk, records


@pytest.mark.parametrize("name", ["allUuids", "uuids"])
def test_messages_that_survived_are_named_by_what_they_delivered(name: str) -> None:
    talk, records = worked()
    talk.compact(preservedMessages={name: [talk.values[0]["uuid"], records[2], "never heard of"]})
    (cut,) = cuts(talk)
    assert (cut["kept"], cut["exact"]) == ([talk.values[0]["uuid"], "t2"], True)


def test_a_stretch_that_survived_is_followed_from_its_end_to_its_beginning() -> None:
    talk, records = worked()
    talk.compact(preservedSegment={"headUuid": records[1], "anchorUuid": "a", "tailUuid": records[2]})
    (cut,) = cuts(talk)
    assert (cut["kept"], cut["exact"]) == (["t1", "t2"], True)


def test_a_stretch_whose_beginning_is_lost_says_nothing() -> None:
    talk, records = worked()
    talk.compact(preservedSegment={"headUuid": "lost", "tailUuid": records[2]})
    assert [(each["kept"], each["exact"]) for each in cuts(talk)] == [([], False)]


def test_what_one_compaction_dropped_the_next_does_not_keep() -> None:
    talk, records = worked()
    talk.compact()
    talk.compact(preservedMessages={"uuids": [records[0]]})
    assert [each["kept"] for each in cuts(talk)] == [[], []]


def test_a_summary_may_survive_as_well() -> None:
    talk, _ = worked()
    boundary = talk.compact("First.")
    talk.compact("Second.", preservedMessages={"uuids": [talk.last]})
    assert cuts(talk)[1]["kept"] == [boundary["uuid"]]


def test_results_that_are_taken_out_one_by_one() -> None:
    talk, _ = worked()
    told = {"trigger": "auto", "preTokens": 90_000, "tokensSaved": 30_000, "compactedToolIds": ["t0", "t1"]}
    talk.system("microcompact_boundary", microcompactMetadata=told)
    (cut,) = cuts(talk)
    assert (cut["kept"], cut["exact"]) == ([talk.values[0]["uuid"], "t2"], True)
    assert (cut["trigger"], cut["before"], cut["after"]) == ("auto", 90_000, 60_000)


def test_attachments_that_are_taken_out() -> None:
    talk, _ = worked()
    talk.attach("file", filename=PATH, content={"type": "text", "file": read_of(PATH, SHOP)["file"]})
    talk.system("microcompact_boundary", microcompactMetadata={"clearedAttachmentUUIDs": [talk.last]})
    assert cuts(talk)[0]["kept"] == [talk.values[0]["uuid"], "t0", "t1", "t2"]


def test_taking_nothing_out_is_no_compaction() -> None:
    talk, _ = worked()
    talk.system("microcompact_boundary", microcompactMetadata={"compactedToolIds": []})
    assert cuts(talk) == []


def test_a_subagents_compaction_is_its_own() -> None:
    talk = Talk()
    talk.prompt("begin")
    agent = Talk(isSidechain=True, agentId="a1")
    agent.prompt("find")
    agent.compact("Found.")
    talk.values += agent.values
    assert [(each["context"], each["summary"]) for each in cuts(talk)] == [("a1", "Found.")]


def test_files_that_are_brought_back_come_after_it() -> None:
    talk, _ = worked()
    talk.compact()
    talk.attach("file", filename=PATH, content={"type": "text", "file": read_of(PATH, SHOP)["file"]})
    told = talk.told()
    assert [each["kind"] for each in told[-2:]] == ["compaction", "seen"]


CLEAR: dict[str, Any] = {"content": "<command-name>/clear</command-name>\n<command-message>clear</command-message>"}


def test_a_window_is_cleared_when_something_is_in_it() -> None:
    talk = Talk()
    talk.prompt(CLEAR["content"])
    talk.prompt("begin")
    talk.prompt(CLEAR["content"])
    assert [each["kind"] for each in talk.told()] == ["prompt", "prompt", "cleared", "prompt"]


def test_a_window_is_cleared_by_what_the_program_notes() -> None:
    talk = Talk()
    talk.prompt("begin")
    talk.system("local_command", **CLEAR)
    assert [each["kind"] for each in talk.told()] == ["prompt", "cleared", "prompt"]


def test_words_about_clearing_clear_nothing() -> None:
    talk = Talk()
    talk.prompt("begin")
    talk.prompt("what does <command-name>/clear</command-name> do?")
    assert of_kind(talk.told(), "cleared") == []


CONTINUED = "This session is being continued from a previous conversation that ran out of context. So far: nothing."


def test_a_summary_may_come_without_its_mark() -> None:
    talk = Talk()
    talk.prompt("begin")
    boundary = talk.compact(None)
    talk.prompt(CONTINUED)
    talk.prompt("go on")
    (cut,) = cuts(talk)
    assert (cut["call"], cut["summary"]) == (boundary["uuid"], CONTINUED)
    assert [each["said"] for each in of_kind(talk.told(), "prompt")] == ["begin", "go on"]


def test_what_a_user_says_behind_a_boundary_is_no_summary() -> None:
    talk = Talk()
    talk.compact(None)
    talk.prompt("begin again")
    talk.prompt(CONTINUED)
    assert [each["summary"] for each in cuts(talk)] == [None]
    assert len(of_kind(talk.told(), "prompt")) == 2


def test_rows_that_a_second_compaction_appends_again_are_nothing_new() -> None:
    talk = Talk()
    talk.prompt("begin")
    talk.call("t1", "Read", {"file_path": PATH}, "", read_of(PATH, SHOP))
    talk.compact("So far.")
    once = list(talk.values)
    talk.compact("Further.")
    told = talk.told()
    talk.values += once
    talk.prompt("go on")
    again = talk.told()
    assert again[: len(told)] == told
    assert [each["kind"] for each in again[len(told) :]] == ["prompt"]


def test_contents_that_were_blanked_say_nothing_of_their_files() -> None:
    talk = Talk()
    blank = {"type": "text", "file": {"filePath": PATH, "content": "", "numLines": 6, "startLine": 1, "totalLines": 6}}
    talk.call("t1", "Read", {"file_path": PATH}, "[Old tool result content cleared]", blank)
    edit = {"file_path": PATH, "old_string": "sum", "new_string": "max"}
    blanked = {"filePath": PATH, "oldString": "", "newString": "", "originalFile": "", "structuredPatch": []}
    talk.call("t2", "Edit", edit, "updated", blanked)
    talk.call("t3", "Write", {"file_path": PATH, "content": SHOP}, "written", {"filePath": PATH, "content": ""})
    seen = of_kind(talk.told(), "seen")
    assert [(each["how"], each.get("content"), each.get("withheld")) for each in seen] == [
        ("edit", None, "unplaced"),
        ("write", SHOP, None),
    ]
    empty = {"type": "text", "file": {"filePath": PATH, "content": "", "numLines": 1, "startLine": 1, "totalLines": 1}}
    talk.call("t4", "Read", {"file_path": PATH}, "", empty)
    assert of_kind(talk.told(), "seen")[-1]["content"] == ""


def test_a_call_that_waits_when_the_history_is_summed_up_ended_before_that() -> None:
    talk = Talk()
    talk.says(use("t1", "Bash", {}))
    talk.compact("So far.")
    talk.says(text("Yes."), message="msg_2")
    kinds = [each["kind"] for each in talk.told() if each["kind"] in ("tool", "compaction", "turn")]
    assert kinds == ["tool", "compaction", "turn"]
