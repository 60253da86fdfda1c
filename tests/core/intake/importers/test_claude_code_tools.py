"""What Claude Code's tools did to files."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.intake.importers.record import Observation
from tests.core.intake.importers.claude_code_fixtures import CWD, SHOP, Talk, edit_of, listed, read_of, text
from tests.core.intake.importers.foreign import of_kind

PATH = f"{CWD}/shop.py"


def seen(name: str, arguments: Any, printed: Any = "done", told: Any = None, **more: Any) -> list[Observation]:
    """What one call is said to have done to files; not what they were before."""
    talk = Talk()
    talk.call("t1", name, arguments, printed, told, **more)
    return [each for each in of_kind(talk.told(), "seen", "gone", "renamed") if each.get("how") != "ingest"]


def brief(observations: list[Observation]) -> list[tuple[Any, ...]]:
    return [(each["how"], each["path"], each.get("content"), each.get("slice")) for each in observations]


# -- reads ------------------------------------------------------------------------------------------------------------


def test_a_read_of_all_lines_gives_the_file() -> None:
    found = seen("Read", {"file_path": PATH}, listed(SHOP), read_of(PATH, SHOP))
    assert brief(found) == [("read", PATH, SHOP, None)]
    assert (found[0]["call"], found[0]["phase"]) == ("t1", "file.0")


def test_a_read_of_some_lines_gives_these() -> None:
    part = "def tax(rows):\n    return total(rows) // 5"
    found = seen("Read", {"file_path": PATH, "offset": 5}, listed(part, 5), read_of(PATH, part, 5, 7))
    assert brief(found) == [("read", PATH, part, [5, 6])]


def test_a_blank_line_at_the_end_of_a_part_is_one_of_its_lines() -> None:
    found = seen("Read", {"file_path": PATH}, "", read_of(PATH, "def total(rows):\n    return sum(rows)\n", 1, 7))
    assert found[0]["slice"] == [1, 3]


@pytest.mark.parametrize("mark", ["→", "\t"])
def test_a_read_is_taken_from_its_listing_where_it_has_no_fields(mark: str) -> None:
    reminder = "\n\n<system-reminder>\nBe careful with  7→this.\n</system-reminder>"
    found = seen("Read", {"file_path": PATH}, listed(SHOP, mark=mark) + reminder)
    assert brief(found) == [("read", PATH, SHOP, None)]
    part = seen("Read", {"file_path": PATH, "offset": 2, "limit": 2}, listed("    return sum(rows)\n", 2, mark))
    assert [each["slice"] for each in part] == [[2, 3]]


def test_as_many_lines_as_a_read_gives_at_most_may_not_be_all() -> None:
    found = seen("Read", {"file_path": PATH}, listed("\n".join(["x"] * 2_000)))
    assert [each["slice"] for each in found] == [[1, 2_000]]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("File unchanged since last read.", {"type": "file_unchanged", "file": {"filePath": PATH}}),
        ([{"type": "image"}], {"type": "image", "file": {"base64": "aaaa", "originalSize": 3}}),
        ("<system-reminder>shorter than the offset</system-reminder>", read_of(PATH, "", 90, 7)),
        ("3 cells", {"type": "notebook", "file": {"filePath": PATH, "cells": []}}),
    ],
)
def test_reads_that_show_no_lines(printed: Any, told: Any) -> None:
    assert seen("Read", {"file_path": PATH}, printed, told) == []


def test_calls_that_failed_did_nothing() -> None:
    error = "<tool_use_error>String to replace not found</tool_use_error>"
    arguments = {"file_path": PATH, "old_string": "a", "new_string": "b"}
    assert seen("Edit", arguments, error, "Error: not found", is_error=True) == []
    assert seen("Write", {"file_path": PATH, "content": "x"}, error, is_error=True) == []
    assert seen("Read", {"file_path": PATH}, error, is_error=True) == []


# -- edits ------------------------------------------------------------------------------------------------------------


def test_an_edit_of_a_file_that_is_given_as_it_was() -> None:
    found = seen("Edit", {}, "updated", edit_of(PATH, SHOP, "// 5", "// 4"))
    assert brief(found) == [("edit", PATH, SHOP.replace("// 5", "// 4"), None)]


def test_what_a_file_was_is_told_where_nobody_was_shown_it() -> None:
    """Else an edit of one line would have shown all of it."""
    talk = Talk()
    talk.call("t1", "Read", {}, "", read_of(PATH, "def tax(rows):", 5, 7))
    talk.call("t2", "Edit", {}, "updated", edit_of(PATH, SHOP, "// 5", "// 4"))
    after = SHOP.replace("// 5", "// 4")
    talk.call("t3", "Edit", {}, "updated", edit_of(PATH, after, "// 4", "// 3"))
    told = [(each["how"], each["call"], each["phase"]) for each in of_kind(talk.told(), "seen")]
    assert told == [
        ("read", "t1", "file.0"), ("ingest", "t2", "file.0"), ("edit", "t2", "file.1"), ("edit", "t3", "file.0"),
    ]  # fmt: skip


def test_an_edit_everywhere() -> None:
    found = seen("Edit", {}, "updated", edit_of(PATH, SHOP, "rows", "lines", everywhere=True))
    assert brief(found) == [("edit", PATH, SHOP.replace("rows", "lines"), None)]


def test_whole_lines_are_taken_away_with_their_end() -> None:
    found = seen("Edit", {}, "updated", edit_of(PATH, SHOP, "    return sum(rows)", ""))
    assert brief(found) == [("edit", PATH, SHOP.replace("    return sum(rows)\n", ""), None)]


def test_an_edit_of_nothing_makes_a_file() -> None:
    found = seen("Edit", {}, "created", edit_of(PATH, "", "", "x = 1\n"))
    assert brief(found) == [("write", PATH, "x = 1\n", None)]


def test_an_edit_the_user_changed_is_what_its_patch_says() -> None:
    lines = [" def tax(rows):", "-    return total(rows) // 5", "+    return total(rows) // 3"]
    told = edit_of(PATH, SHOP, "// 5", "// 4")
    patch = [{"oldStart": 5, "oldLines": 2, "newStart": 5, "newLines": 2, "lines": lines}]
    found = seen("Edit", {}, "updated", {**told, "userModified": True, "structuredPatch": patch})
    assert [each["content"] for each in found] == [SHOP.replace("// 5", "// 3")]


def test_an_edit_of_a_big_file_is_placed_by_its_patch() -> None:
    lines = [" def tax(rows):", "-    return total(rows) // 5", "+    return total(rows) // 4"]
    patch = [{"oldStart": 905, "oldLines": 2, "newStart": 905, "newLines": 2, "lines": lines}]
    found = seen("Edit", {}, "updated", {**edit_of(PATH, None, "// 5", "// 4"), "structuredPatch": patch})
    assert [(each["slice"], each["took"]) for each in found] == [([905, 906], 2)]


def test_a_patch_that_shows_tabs_as_blanks_places_nothing() -> None:
    patch = [{"oldStart": 9, "lines": ["-    return 5", "+    return 4"]}]
    told = {**edit_of(PATH, None, "\treturn 5", "\treturn 4"), "structuredPatch": patch}
    assert [each["withheld"] for each in seen("Edit", {}, "updated", told)] == ["unplaced"]


def test_an_edit_without_fields_is_placed_in_what_was_read() -> None:
    talk = Talk(isSidechain=True, agentId="a1")
    talk.call("t1", "Read", {"file_path": PATH}, listed(SHOP))
    talk.call("t2", "Edit", {"file_path": PATH, "old_string": "// 5", "new_string": "// 4"}, "updated")
    assert [each["content"] for each in of_kind(talk.told(), "seen")] == [SHOP, SHOP.replace("// 5", "// 4")]


def test_a_file_read_in_two_parts_is_known_to_its_end() -> None:
    head, tail = SHOP.split("def tax")
    talk = Talk()
    talk.call("t1", "Read", {}, "", read_of(PATH, head.removesuffix("\n"), 1, 7))
    talk.call("t2", "Read", {}, "", read_of(PATH, "def tax" + tail, 5, 7))
    talk.call("t3", "Edit", {"file_path": PATH, "old_string": "// 5", "new_string": "// 4"}, "updated")
    assert [each["content"] for each in of_kind(talk.told(), "seen")][-1] == SHOP.replace("// 5", "// 4")


def test_several_edits_of_one_file() -> None:
    edits = [
        {"old_string": "// 5", "new_string": "// 4"},
        {"old_string": "rows", "new_string": "lines", "replace_all": True},
        {"old_string": "def tax(lines):\n", "new_string": "def tax(lines: list) -> int:\n"},
    ]
    told = {"filePath": PATH, "originalFileContents": SHOP, "edits": edits}
    found = seen("MultiEdit", {"file_path": PATH, "edits": edits}, "updated", told)
    after = SHOP.replace("// 5", "// 4").replace("rows", "lines").replace("tax(lines):", "tax(lines: list) -> int:")
    assert (len(found), found[-1]["content"]) == (3, after)


texts = st.text("ab\n", max_size=12)


@example(before="aaaa", old="aaa", new="", everywhere=False)
@given(before=texts, old=st.text("ab\n", min_size=1, max_size=3), new=texts, everywhere=st.booleans())
@example(before="aaaa", old="aaa", new="", everywhere=False)
def test_an_edit_leaves_what_the_tool_leaves(before: str, old: str, new: str, everywhere: bool) -> None:
    """The tool takes a line that it empties out with its end, and refuses a text that stands there more than once."""
    if before.count(old) != 1 and not (everywhere and old in before):
        return
    gone = old + "\n" if not new and not old.endswith("\n") and old + "\n" in before else old
    if before.count(gone) > 1 and not everywhere:
        return
    after = before.replace(gone, new)
    assert [each["content"] for each in seen("Edit", {}, "ok", edit_of(PATH, before, old, new, everywhere))] == [after]


# -- writes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told",
    [
        None,
        {"type": "create", "filePath": PATH, "content": SHOP, "originalFile": None, "structuredPatch": []},
        {"type": "update", "filePath": PATH, "content": SHOP, "originalFile": "x\n", "structuredPatch": []},
    ],
)
def test_a_write(told: Any) -> None:
    assert brief(seen("Write", {"file_path": PATH, "content": SHOP}, "ok", told)) == [("write", PATH, SHOP, None)]


def test_a_notebook_that_is_given_as_it_is_now() -> None:
    told = {"new_source": "1", "edit_mode": "replace", "original_file": "{}", "updated_file": '{"cells": []}'}
    arguments = {"notebook_path": "n.ipynb", "new_source": "1"}
    assert brief(seen("NotebookEdit", arguments, "ok", told)) == [("write", f"{CWD}/n.ipynb", '{"cells": []}', None)]
    assert [each["withheld"] for each in seen("NotebookEdit", arguments, "ok")] == ["unplaced"]


# -- searches ---------------------------------------------------------------------------------------------------------


def grep(printed: str, **arguments: Any) -> list[tuple[Any, ...]]:
    told = {"mode": "content", "numFiles": 0, "filenames": [], "content": printed}
    asked = {"pattern": "x", "output_mode": "content", "path": CWD, **arguments}
    return [(each["path"], each["slice"], each["content"]) for each in seen("Grep", asked, printed, told)]


@pytest.mark.usefixtures("every_hit_counts")
def test_hits_in_files() -> None:
    printed = "shop.py:1:def total(rows):\nshop.py:2:    return sum(rows)\nlib/a.py:40:x: 12:y"
    assert grep(printed) == [
        (PATH, [1, 2], "def total(rows):\n    return sum(rows)"),
        (f"{CWD}/lib/a.py", [40, 40], "x: 12:y"),
    ]


@pytest.mark.usefixtures("every_hit_counts")
def test_lines_beside_a_hit_may_name_their_file_in_full() -> None:
    printed = (
        f"{PATH}-4-\nshop.py:5:def tax(rows):\n{PATH}-6-    return total(rows) // 5\n--\nb-2-c.py:1:x\nb-2-c.py-2-y:3:z"
    )
    assert grep(printed) == [
        (PATH, [4, 6], "\ndef tax(rows):\n    return total(rows) // 5"),
        (f"{CWD}/b-2-c.py", [1, 2], "x\ny:3:z"),
    ]


@pytest.mark.usefixtures("every_hit_counts")
def test_a_search_in_one_file_names_none() -> None:
    printed = "1:def total(rows):\n2-    return sum(rows)\n--\n5:def tax(rows):"
    assert [(path, lines) for path, lines, _ in grep(printed, path=PATH)] == [(PATH, [1, 2]), (PATH, [5, 5])]


@pytest.mark.usefixtures("every_hit_counts")
def test_lines_that_were_too_long_to_print_were_not_shown() -> None:
    printed = "shop.py:1:x\nshop.py:2:[Omitted long matching line]\nshop.py:3:y"
    assert [lines for _, lines, _ in grep(printed)] == [[1, 1], [3, 3]]


@pytest.mark.parametrize(
    ("printed", "arguments"),
    [
        ("No matches found", {}),
        ("shop.py:def tax(rows):\nlib/a.py:x = {1: 2}", {}),
        ("shop.py:5:def tax(rows):", {"-n": False}),
        ("Found 2 files\nshop.py\nlib/a.py", {"output_mode": "files_with_matches"}),
        ("shop.py:3", {"output_mode": "count"}),
        ("", {}),
    ],
)
def test_searches_that_show_no_lines(printed: str, arguments: dict[str, Any]) -> None:
    assert grep(printed, **arguments) == []


@pytest.mark.usefixtures("every_hit_counts")
def test_a_line_the_tool_took_for_a_path_is_not_exact() -> None:
    """Of `// a: b` beside a hit the tool makes `/ a: b`; of a hit, and of a line without a colon, it makes nothing."""
    printed = "7-/ what it is: a tax\n8:// see: below\n9-\treturn a // b\n10-\tlabel: a / b"
    assert [(lines, text) for _, lines, text in grep(printed, path=PATH)] == [
        ([8, 10], "// see: below\n\treturn a // b\n\tlabel: a / b")
    ]
    printed = f"shop.py-7-/ what it is: a tax\nshop.py:8:// see: below\n{PATH}-9-\treturn a // b"
    assert [lines for _, lines, _ in grep(printed)] == [[8, 9]]


@pytest.mark.usefixtures("every_hit_counts")
def test_a_note_below_the_hits_is_no_hit() -> None:
    note = "\n\n[Showing results with pagination = limit: 1, offset: 0]"
    assert [each["slice"] for each in seen("Grep", {"output_mode": "content"}, "shop.py:5:def tax(rows):" + note)] == [
        [5, 5]
    ]


# -- commands ---------------------------------------------------------------------------------------------------------


def bash(command: str, stdout: str, **told: Any) -> list[tuple[Any, ...]]:
    fields = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False, **told}
    return brief(seen("Bash", {"command": command}, stdout, fields))


def test_a_command_that_shows_a_file() -> None:
    assert bash(f"cat {PATH}", SHOP.removesuffix("\n")) == [("read", PATH, SHOP, None)]


def test_what_was_shown_of_a_large_output_is_a_preview() -> None:
    assert bash(f"cat {PATH}", SHOP, persistedOutputPath="/tmp/out.txt") == []


def test_what_runs_in_the_background_has_not_happened_yet() -> None:
    assert bash("echo x > a.txt", "", backgroundTaskId="b1") == []


def test_what_a_tool_nobody_knows_did_is_not_guessed() -> None:
    assert seen("mcp__files__read", {"path": PATH}, [text(SHOP)]) == []
