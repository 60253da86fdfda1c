"""The format for agents nobody wrote an importer for."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.formats import Transcript, recognised
from ccos_core.intake.importers.generic import FORMAT, KINDS
from ccos_core.intake.importers.record import Observation, Record
from tests.core.intake.importers.foreign import deliveries, fed, keep_the_laws, mangled, of_kind, told

PAGE = Path(__file__).resolve().parents[4] / "docs" / "TRANSCRIPTS.md"
TEXT = "one\ntwo\nthree\n"
SESSION = {"kind": "session", "id": "run-1", "agent": "my-agent", "cwd": "/w", "model": "m", "title": "Fix"}


def lines(*said: dict[str, Any]) -> list[Record]:
    return [Record(number, line) for number, line in enumerate(said, 1)]


def found(*said: dict[str, Any]) -> list[Observation]:
    return told(FORMAT, lines(SESSION, *said))


def everything() -> list[Record]:
    """One line of each kind."""
    return lines(
        SESSION,
        {"kind": "prompt", "text": "Fix it.", "at": "2026-01-02T03:04:05Z"},
        {"kind": "prompt", "text": "Be brief.", "from": "host", "id": "p2"},
        {"kind": "turn", "text": "Yes.", "model": "m2", "stop": "tool"},
        {"kind": "call", "id": "c1", "name": "read", "arguments": {"path": "a.py"}, "at": 1_700_000_000},
        {"kind": "read", "call": "c1", "path": "a.py", "text": TEXT, "whole": True},
        {"kind": "result", "call": "c1", "text": TEXT, "outcome": "ok", "millis": 4},
        {"kind": "edit", "path": "a.py", "old": "two", "new": "2"},
        {"kind": "edit", "path": "a.py", "diff": "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-one\n+1\n"},
        {"kind": "edit", "path": "a.py", "first": 3, "last": 3, "text": "3"},
        {"kind": "append", "path": "a.py", "text": "four\n"},
        {"kind": "patch", "text": "*** Begin Patch\n*** Add File: b.py\n+b\n*** End Patch"},
        {"kind": "read", "path": "c.py", "text": "x", "first": 7},
        {"kind": "write", "path": "d.py", "text": "d\n", "before": ""},
        {"kind": "renamed", "path": "d.py", "to": "e.py"},
        {"kind": "gone", "path": "e.py"},
        {"kind": "usage", "window": 900, "fresh": 100, "cached": 800, "limit": 1000},
        {"kind": "compaction", "trigger": "auto", "before": 900, "after": 90, "summary": "s", "kept": ["p2", "c1"],
         "exact": True},
        {"kind": "clear", "reason": "asked"},
        {"kind": "call", "id": "c2", "name": "shell", "arguments": {"command": "cat f.py"}, "context": "sub"},
        {"kind": "result", "call": "c2", "text": "f\n", "outcome": "ok"},
        {"kind": "call", "id": "c3", "name": "shell", "arguments": {"command": "make"}},
    )  # fmt: skip


def test_everything_is_told_in_order() -> None:
    all_told = told(FORMAT, everything())
    assert [each["kind"] for each in all_told] == [
        *["prompt", "prompt", "turn", "tool", "seen"],
        *["seen"] * 7,
        *["renamed", "gone", "usage", "compaction", "cleared", "tool", "seen"],
    ]
    assert {each["host"] for each in all_told} == {"my-agent"}
    assert {each["session"] for each in all_told} == {"run-1"}


def test_a_file_is_what_the_lines_about_it_leave() -> None:
    seen = [each["content"] for each in of_kind(told(FORMAT, everything()), "seen") if each["path"] == "/w/a.py"]
    assert seen == [TEXT, "one\n2\nthree\n", "1\n2\nthree\n", "1\n2\n3\n", "1\n2\n3\nfour\n"]


def test_a_call_is_told_when_it_ended_with_what_it_did() -> None:
    tool, seen = told(FORMAT, everything())[3:5]
    assert (tool["name"], tool["arguments"], tool["outcome"]) == ("read", {"path": "a.py"}, "ok")
    assert (tool["result"], tool["millis"], tool["cwd"], tool["at"]) == (TEXT, 4, "/w", 1_700_000_000_000)
    assert (seen["call"], seen["path"], seen["content"]) == ("c1", "/w/a.py", TEXT)


def test_what_a_command_did_is_concluded_where_no_line_says_it() -> None:
    seen = told(FORMAT, everything())[-1]
    assert (seen["path"], seen["content"], seen["inferred"], seen["context"]) == ("/w/f.py", "f\n", True, "sub")
    listing = "Here's the result of running `cat -n` on /w/a.py:\n     1\tone\n"
    arguments = {"command": "view", "path": "/w/a.py"}
    call = {"kind": "call", "id": "c1", "name": "str_replace_editor", "arguments": arguments}
    assert found(call, {"kind": "result", "call": "c1", "text": listing})[1]["content"] == "one"


def test_a_compaction_says_what_stayed() -> None:
    [compaction] = of_kind(told(FORMAT, everything()), "compaction")
    assert (compaction["kept"], compaction["exact"], compaction["trigger"]) == (["p2", "c1"], True, "auto")
    assert (compaction["before"], compaction["after"], compaction["summary"]) == (900, 90, "s")


def test_a_call_without_an_end_waits() -> None:
    reader = fed(FORMAT, everything())
    assert [(each["call"], each["line"]) for each in reader.pending()] == [("c3", 22)]
    assert (reader.origin.session, reader.origin.cwd, reader.origin.models) == ("run-1", "/w", ["m", "m2"])


def test_a_line_without_a_name_is_known_by_its_place() -> None:
    [one, two] = found({"kind": "prompt", "text": "a"}, {"kind": "prompt", "text": "b", "id": "mine"})
    assert (one["call"], two["call"]) == ("record:2", "mine")


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ({"kind": "dance"}, "kind dance"),
        ({"no": "kind"}, "no kind"),
        (["a list"], "no kind"),
        ({"kind": "prompt"}, "prompt without text"),
        ({"kind": "usage", "window": "many"}, "usage without window"),
        ({"kind": "call", "id": "", "name": "x"}, "call without id"),
        ({"kind": "result", "call": "c9"}, "result without a call"),
        ({"kind": "edit", "path": "a.py"}, "edit that says nothing"),
        ({"kind": "patch", "text": "?"}, "patch that says nothing"),
    ],
)
def test_what_is_not_understood_is_counted_and_left_out(line: Any, trouble: str) -> None:
    reader = FORMAT.reader("s")
    assert [each for record in lines(SESSION, line) for each in reader.feed(record)] == []
    assert reader.tally.unknown == {trouble: [2]}


def test_it_is_known_by_what_it_says() -> None:
    assert recognised(b'{"kind": "session"}\n') is FORMAT
    assert recognised(b'{"kind": "prompt", "text": "Fix it."}\n') is FORMAT
    assert recognised(b'{"kind": "prompt"}\n{"kind": "dance"}\n') is None


def test_every_delivery_has_a_key_of_its_own() -> None:
    keys = deliveries(told(FORMAT, everything()))
    assert len(set(keys)) == len(keys)


@given(st.data())
def test_the_laws_hold_whatever_it_says(data: st.DataObject) -> None:
    keep_the_laws(FORMAT, mangled(everything(), data))


def test_the_page_has_every_kind_and_what_it_needs() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE.read_text("utf-8").partition("## Kinds")[2], re.MULTILINE)
    assert {kind: tuple(re.findall(r"\*\*`(\w+)`\*\*", needed)) for kind, needed in rows} == KINDS


def test_what_the_page_shows_is_read_as_it_says() -> None:
    [example] = re.findall(r"```jsonl\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    transcript = Transcript("s")
    all_told = [*transcript.feed(example.encode()), *transcript.finish()]
    assert transcript.format is FORMAT
    assert transcript.reader is not None
    assert (transcript.reader.tally.times, list(transcript.reader.pending())) == ({}, [])
    assert [(each["kind"], each.get("outcome")) for each in all_told] == [
        ("prompt", None),
        ("thought", None),
        ("turn", None),
        ("tool", "ok"),
        ("seen", None),
        ("usage", None),
        ("tool", "ok"),
        ("seen", None),
        ("tool", "error"),
    ]
    assert all_told[7]["content"] == "def total(items):\n    return sum(items)\n"
    assert [json.loads(line)["kind"] for line in example.splitlines()].count("call") == 3
