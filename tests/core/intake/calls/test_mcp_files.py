"""What tools of file servers did, whichever host called them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import Moved, Replaced, Shown, Wrote, effects_of_mcp
from tests.core.intake.importers.claude_code_fixtures import Talk
from tests.core.intake.importers.codex_fixtures import CWD, Rollout, folded, held, read
from tests.core.intake.importers.foreign import of_kind, wild_values

TEXT = "one\ntwo\n"
HEADER = "[Reading 2 lines from line 40 (total: 152 lines, 110 remaining)]\n\n"


@pytest.mark.parametrize("name", ["mcp__files__read_text_file", "mcp__files.read_file", "files_read_text_file"])
def test_a_read_shows_the_file(name: str) -> None:
    assert effects_of_mcp(name, {"path": "/w/a.py"}, TEXT) == [Shown("/w/a.py", TEXT, whole=True)]
    assert effects_of_mcp(name, {"path": "/w/a.py"}, TEXT, cut=True) == [Shown("/w/a.py", TEXT)]
    assert effects_of_mcp(name, {"path": "/w/a.py", "head": 2}, "one\ntwo") == [Shown("/w/a.py", TEXT)]
    assert effects_of_mcp(name, {"path": "/w/a.py", "tail": 2}, TEXT) == []


def test_a_line_in_front_says_which_lines_these_are() -> None:
    (part,) = effects_of_mcp("mcp__desk__read_file", {"path": "a.py", "offset": 40}, HEADER + TEXT)
    assert part == Shown("a.py", TEXT, 41)
    whole = HEADER.replace("line 40", "start").replace("152", "2").replace("110", "0")
    assert effects_of_mcp("mcp__desk__read_file", {"path": "a.py"}, whole + TEXT) == [Shown("a.py", TEXT, whole=True)]


@pytest.mark.parametrize(
    ("name", "arguments", "effect"),
    [
        ("mcp__f__write_file", {"path": "a.py", "content": TEXT}, Wrote("a.py", TEXT)),
        ("f_edit_file", {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}, Replaced("a", "x", "y")),
        ("mcp__f__move_file", {"source": "a", "destination": "b"}, Moved("a", "b")),
        ("mcp__f__edit_file", {"path": "a", "edits": [{"oldText": "x", "newText": "y"}], "dryRun": True}, None),
        ("mcp__tracker__create_issue", {"path": "a"}, None),
        ("read_file", {"path": "a"}, None),
    ],
)
def test_other_tools(name: str, arguments: dict[str, Any], effect: Any) -> None:
    assert effects_of_mcp(name, arguments, "done") == ([effect] if effect else [])


def test_hosts_ask_it() -> None:
    talk = Talk()
    talk.call("t1", "mcp__files__read_text_file", {"path": "/w/a.py"}, [{"type": "text", "text": TEXT}])
    talk.call("t2", "mcp__files__read_text_file", {"path": "/w/b.py"}, "no such file", is_error=True)
    assert [(each["path"], each["content"]) for each in of_kind(talk.told(), "seen")] == [("/w/a.py", TEXT)]
    told = (
        Rollout()
        .turn()
        .item("function_call", name="read_file", namespace="mcp__files", arguments='{"path": "a.py"}', call_id="c")
    )
    told.output("c", f"Wall time: 0.1 seconds\nOutput:\n{TEXT}")
    found = read(told.records)
    assert [(each["path"], each["content"]) for each in of_kind(found, "seen")] == [(f"{CWD}/a.py", TEXT)]
    assert held(folded(found)).state(f"file:{CWD}/a.py").state == "in"


@given(st.sampled_from(["mcp__f__read_file", "f_write_file", "mcp__f__edit_file", "mcp__f__move_file"]), wild_values)
def test_any_arguments(name: str, arguments: Any) -> None:
    effects_of_mcp(name, arguments, TEXT)
    effects_of_mcp(name, {"path": "a", "edits": arguments, "content": arguments, "head": arguments}, TEXT)
