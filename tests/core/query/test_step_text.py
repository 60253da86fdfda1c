"""The text of a step: every kind of op, and calls with what they did to files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import Erased
from ccos_core.ops.table import KINDS
from ccos_core.query.step_text import ROLES, Part, row_parts, step_parts
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

BEFORE = "one\ntwo\nthree\n"
AFTER = "one\n2\nthree\n"
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three"


def call(tale: Tale, name: str, arguments: Any = None, result: str | None = None, outcome: str = "ok") -> Tale:
    told: dict[str, Any] = {"kind": "tool", "name": name, "outcome": outcome, "call": "c"}
    if arguments is not None:
        told["arguments"] = tale.facts.keep(json.dumps(arguments))
    if result is not None:
        told["result"] = tale.facts.keep(result)
    return tale.tell(told)


def did(tale: Tale, how: str, path: str, text: str | None = None, **more: Any) -> Tale:
    content = {"content": tale.facts.keep(text)} if text is not None else {}
    return tale.tell({"kind": "seen", "how": how, "path": path, "call": "c", **content, **more})


def parts(tale: Tale, back: int = 0) -> tuple[Part, ...]:
    return step_parts(timeline_of(tale), len(tale.ops) - back)


def texts(found: tuple[Part, ...]) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in found]


# ---- calls ----


def test_a_command_comes_before_its_other_arguments_and_its_output() -> None:
    tale = call(Tale(), "Bash", {"command": "ls -l", "timeout": 5}, "a.py\n")
    assert texts(parts(tale)) == [("command", "ls -l"), ("arguments", '{\n  "timeout": 5\n}'), ("output", "a.py\n")]
    assert [each.language for each in parts(tale)] == ["bash", "json", "text"]


def test_an_edit_is_a_diff_of_the_file_before_and_after_and_says_the_rest_of_its_arguments() -> None:
    tale = Tale().read("a.py", BEFORE)
    asked = {"file_path": "/w/a.py", "old_string": "two", "new_string": "2"}
    did(call(tale, "Edit", asked, "done"), "edit", "a.py", AFTER)
    edit, arguments, output = parts(tale, 1)
    assert (edit.role, edit.text, edit.language, edit.path, edit.line) == ("edit", DIFF, "diff", "a.py", 1)
    assert json.loads(arguments.text) == {"file_path": "/w/a.py"}
    assert output.text == "done"


def test_an_edit_of_lines_that_were_seen_in_part_does_not_invent_the_others() -> None:
    tale = Tale().read("a.py", "five\nsix\nseven\n", 5, 7)
    did(call(tale, "Edit"), "edit", "a.py", "five\n6\nseven\n", slice=[5, 7], took=3)
    (edit,) = parts(tale, 1)
    assert edit.text.split("\n")[2:] == [
        "@@ -3,5 +3,5 @@", " (not seen)", " (not seen)", " five", "-six", "+6", " seven"
    ]  # fmt: skip


def test_an_edit_that_failed_shows_what_was_asked_for() -> None:
    asked = {"file_path": "a.py", "old_string": "two\nlines", "new_string": "2\nlines"}
    edit, arguments, error = parts(call(Tale(), "Edit", asked, "File has not been read yet", "error"))
    assert (edit.role, edit.title) == ("edit", "a.py (not done)")
    assert edit.text == "@@ -1,2 +1,2 @@\n-two\n+2\n lines"
    assert json.loads(arguments.text) == {"file_path": "a.py"}
    assert (error.role, error.text) == ("error", "File has not been read yet")


def test_several_edits_of_one_call_that_failed_are_all_shown() -> None:
    asked = {"edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]}
    edit, error = parts(call(Tale(), "MultiEdit", asked, "no", "error"))
    assert edit.text == "@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-c\n+d"
    assert error.role == "error"


def test_a_new_file_is_its_text() -> None:
    tale = call(Tale(), "Write", {"file_path": "a.py", "content": AFTER}, "created")
    did(tale, "write", "a.py", AFTER)
    write, arguments, _ = parts(tale, 1)
    assert (write.role, write.text, write.language, write.line) == ("write", AFTER.rstrip("\n"), "python", 1)
    assert json.loads(arguments.text) == {"file_path": "a.py"}


def test_a_file_that_is_written_again_is_a_diff() -> None:
    tale = Tale().read("a.py", BEFORE)
    did(call(tale, "Write", {"file_path": "a.py", "content": AFTER}), "write", "a.py", AFTER)
    assert parts(tale, 1)[0].text == DIFF


def test_a_patch_is_what_it_did_to_each_file() -> None:
    tale = Tale().read("a.py", BEFORE).read("b.py", "x\n")
    given_patch = "*** Begin Patch\n*** Update File: a.py\n-two\n+2\n*** Add File: c.py\n+new\n*** End Patch"
    call(tale, "apply_patch", {"input": given_patch}, "ok")
    did(tale, "edit", "a.py", AFTER)
    did(tale, "write", "c.py", "new\n")
    tale.tell({"kind": "gone", "path": "b.py", "call": "c"})
    assert texts(parts(tale, 3)) == [("patch", DIFF), ("write", "new"), ("note", "b.py"), ("output", "ok")]


def test_a_patch_that_is_all_a_call_was_given_is_no_command() -> None:
    given_patch = "*** Begin Patch\n*** Update File: a.py\n-two\n+2\n*** End Patch"
    tale = did(call(Tale().read("a.py", BEFORE), "apply_patch", given_patch, "ok"), "edit", "a.py", AFTER)
    assert texts(parts(tale, 1)) == [("patch", DIFF), ("output", "ok")]
    failed = parts(call(Tale(), "apply_patch", given_patch, "no such file", "error"))
    assert [(each.role, each.title) for each in failed] == [("patch", "patch (not done)"), ("error", "error")]
    assert failed[0].text == given_patch


def test_long_arguments_are_texts_of_their_own() -> None:
    tale = call(Tale(), "Task", {"prompt": "first\nsecond", "model": "m"})
    short, long = parts(tale)
    assert json.loads(short.text) == {"model": "m"}
    assert (long.title, long.text, long.language) == ("prompt", "first\nsecond", "markdown")


def test_a_listing_is_the_lines_of_the_file() -> None:
    listing = "     7→def a():\n     8→    return 1\n\n<system-reminder>note</system-reminder>"
    tale = call(Tale(), "Read", {"file_path": "/w/a.py", "offset": 7}, listing)
    did(tale, "read", "a.py", "def a():\n    return 1\n", slice=[7, 8])
    _, output, below = parts(tale, 1)
    assert (output.text, output.language, output.path, output.line) == ("def a():\n    return 1", "python", "a.py", 7)
    assert below.text == "<system-reminder>note</system-reminder>"


def test_json_is_laid_out_and_its_texts_keep_their_lines() -> None:
    tale = call(Tale(), "shell", {"command": ["bash", "-lc", "ls"]}, '{"output":"a\\nb\\n","metadata":{"exit_code":0}}')
    assert texts(parts(tale)) == [
        ("command", "ls"), ("output", "a\nb\n"), ("output", '{\n  "metadata": {\n    "exit_code": 0\n  }\n}')
    ]  # fmt: skip


def test_several_files_that_a_command_showed_are_named() -> None:
    tale = call(Tale(), "Bash", {"command": "cat a.py b.py"}, "x\ny\n")
    did(tale, "read", "a.py", "x\n")
    did(tale, "read", "b.py", "y\n", slice=[1, 1])
    assert parts(tale, 2)[-1].text == "a.py\nb.py lines 1–1"


def test_an_effect_says_which_call_it_is_part_of() -> None:
    tale = did(call(Tale(), "Read", {"path": "a.py"}, "x"), "read", "a.py", "x\n")
    output, note = parts(tale)
    assert (output.text, note.text) == ("x\n", f"step {len(tale.ops) - 1}, Read")


def test_images_are_parts_of_their_own() -> None:
    placeholder = "[image/png, 34,112 bytes, blake3 3f9a41d2c07be655…]"
    assert texts(parts(call(Tale(), "Read", None, f"{placeholder}\n"))) == [("image", placeholder)]
    tale = call(Tale(), "Shot", None, f"done\n{placeholder}")
    assert [each.role for each in parts(tale)] == ["output", "image"]


def test_what_is_withheld_cut_or_erased_says_so() -> None:
    tale = did(call(Tale(), "Write"), "write", ".env", withheld="secret-path")
    assert parts(tale, 1)[0].missing == "withheld: secret-path"
    tale = did(call(Tale(), "Bash", {"command": "make"}), "edit", "a.o", withheld="uncertain")
    assert texts(parts(tale, 1)) == [("command", "make"), ("note", "a.o")]
    cut = {**tale.facts.keep("head\ntail\n"), "whole": "0" * 64, "whole_bytes": 9_999, "head": 1, "dropped": 1_200}
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "result": cut})
    assert parts(tale)[0].missing == "1,200 lines after line 1 were too many to keep"
    timeline = timeline_of(tale)
    timeline.content = _erased  # type: ignore[method-assign]
    assert [each.missing for each in step_parts(timeline, len(tale.ops))] == ["content 5 was erased"]


def _erased(blob: str) -> bytes:
    raise Erased("content 5 was erased")


# ---- other steps ----


def test_thinking_is_shown_or_said_to_be_sealed() -> None:
    tale = Tale()
    tale.tell({"kind": "thought", "said": tale.facts.keep("Why?"), "tokens": 9})
    (thinking,) = parts(tale)
    assert (thinking.role, thinking.text, thinking.tokens) == ("thinking", "Why?", 9)
    tale.tell({"kind": "thought", "sealed": True, "tokens": 400})
    (sealed,) = parts(tale)
    assert (sealed.role, sealed.text, sealed.missing, sealed.tokens) == ("thinking", "", "sealed by the host", 400)


@pytest.mark.parametrize(
    ("more", "title"),
    [
        ({"source": "user"}, "the user"),
        ({"source": "user", "channel": "refusal"}, "the user's refusal"),
        ({"source": "agent"}, "task for the subagent"),
        ({"source": "host"}, "note from the agent's program"),
        ({"source": "host", "phase": "skill"}, "skill"),
    ],
)
def test_a_prompt_says_who_spoke(more: dict[str, str], title: str) -> None:
    tale = Tale()
    tale.tell({"kind": "prompt", "said": tale.facts.keep("Do it."), **more})
    (prompt,) = parts(tale)
    assert (prompt.role, prompt.title, prompt.text) == ("prompt", title, "Do it.")


def test_a_turn_is_its_text_and_how_it_was_cut_short() -> None:
    tale = Tale()
    tale.tell({"kind": "turn", "model": "m-1", "said": tale.facts.keep("Done."), "stop": "error", "detail": "529"})
    assert texts(parts(tale)) == [("text", "Done."), ("error", "529")]


def test_a_compaction_is_its_summary() -> None:
    tale = Tale()
    tale.tell(
        {"kind": "compaction", "trigger": "auto", "before": 900, "summary": tale.facts.keep("All."), "exact": False}
    )
    assert texts(parts(tale)) == [("note", "automatic, 900 tokens before"), ("summary", "All.")]


def test_a_kind_without_a_form_of_its_own_shows_its_texts_and_fields() -> None:
    tale = Tale()
    told = {"kind": "remembered", "memo": "memo:1", "class": "fact", "words": tale.facts.keep("Use tabs.")}
    text, rest = parts(tale.tell(told))
    assert (text.text, json.loads(rest.text)) == ("Use tabs.", {"class": "fact", "memo": "memo:1"})


def test_before_the_first_step_there_is_nothing() -> None:
    assert step_parts(timeline_of(Tale()), 0) == ()


# ---- rows of several steps ----


def test_a_row_is_told_whole_and_its_effects_once() -> None:
    tale = Tale()
    tale.tell({"kind": "turn", "model": "m", "said": tale.facts.keep("Run it.")})
    did(call(tale, "Read", {"path": "a.py"}, "x"), "read", "a.py", "x\n")
    tale.tell({"kind": "usage", "window": 900, "call": "c"})
    timeline, last = timeline_of(tale), len(tale.ops)
    whole = row_parts(timeline, last - 1)
    assert texts(whole) == [("text", "Run it."), *texts(step_parts(timeline, last - 2))]
    assert all(row_parts(timeline, step) == whole for step in range(last - 3, last + 1))
    assert row_parts(timeline, 0) == ()


def test_a_row_of_a_count_alone_tells_it() -> None:
    tale = Tale().tell({"kind": "usage", "window": 900})
    assert "900 tokens" in row_parts(timeline_of(tale), len(tale.ops))[0].text


# ---- laws ----

TEXTS = st.text(st.sampled_from("abc \n{:1\t"), max_size=40)
VALUES = {"flag": True, "int": 3, "word": "ok", "text": "t", "path": "a.py", "node": "file:a.py", "hash": "0" * 64}
WITH_TEXT = sorted(kind for kind, (_, fields) in KINDS.items() if any(form == "blob" for _, form, _ in fields))


def _op(tale: Tale, kind: str, text: str) -> dict[str, Any]:
    """An op of a kind with every field it can have; all its texts are the same."""
    op: dict[str, Any] = {"kind": kind, "call": "c"}
    for name, form, _ in KINDS[kind][1]:
        if form in ("blob", "json"):
            op[name] = tale.facts.keep(text)
        elif form in VALUES:
            op[name] = VALUES[form]
        elif "|" in form:
            op[name] = form.partition("|")[0]
        else:
            op[name] = {"span": [1, 2], "numbers": {}}.get(form, [])
    return op


@given(st.sampled_from(WITH_TEXT), TEXTS)
def test_no_text_of_an_op_is_lost_whatever_its_kind(kind: str, text: str) -> None:
    tale = Tale()
    op = _op(tale, kind, text)
    timeline = timeline_of(tale)
    timeline.op = lambda step: op  # type: ignore[method-assign]
    timeline.content = lambda blob: tale.facts.contents[blob].encode()  # type: ignore[method-assign]
    found = step_parts(timeline, 1)
    assert found
    assert {each.role for each in found} <= set(ROLES)
    assert any(each.text == text for each in found if each.text or not text)
