"""The text of a step as rows: nothing is lost, nothing is too wide, long texts are folded, words are marked."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.query.step_text import ROLES, Part
from ccos_tui.present.rows import fitted
from ccos_tui.present.step_rows import FOLD, StepRows
from tests.tui.hostile import WORDS

TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=40), max_size=6).map(" ".join)

LANGUAGES = ("text", "python", "go", "diff", "json", "markdown", "bash", "no such language")
PARTS = st.builds(
    Part, st.sampled_from(ROLES), TEXTS, TEXTS, st.sampled_from(LANGUAGES), st.sampled_from(["", "src/a.py"]),
    st.integers(0, 2_000), st.integers(0, 9_999), st.sampled_from(["", "content 5 was erased"]),
)  # fmt: skip
ESC = "[U+001B ESC]"


def rows_of(*parts: Part, width: int = 60, found: str = "", **unfolded: int) -> StepRows:
    return StepRows(parts, width, {int(name[1:]): level for name, level in unfolded.items()}, found)


def texts(rows: StepRows) -> list[str]:
    return [row.text.rstrip() for row in rows]


# ---- laws ----


@given(st.lists(PARTS, max_size=4), st.integers(8, 100), TEXTS)
def test_rows_fit_whatever_they_say(parts: list[Part], width: int, found: str) -> None:
    rows = StepRows(parts, width, {}, found)
    for at, row in enumerate(rows):
        assert row is rows[at]
        assert not {"\n", "\x1b", "\t"} & set(row.text)
        assert sum(cell_len(span.text) for span in fitted(row, width)) == width
        assert 0 <= rows.part_at(at) < len(parts)


@given(st.text(st.sampled_from("ab cé漢\n"), max_size=300), st.sampled_from(["output", "prompt", "text", "write"]))
def test_wrapping_loses_nothing_but_the_spaces_at_its_breaks(text: str, role: str) -> None:
    rows = rows_of(Part(role, "title", text), width=20)
    shown = "".join(row.text for row in list(rows)[1:])
    assert "".join(shown.split()) == "".join(text.split())


@given(st.text(st.sampled_from("ab \n"), min_size=1, max_size=200), st.sampled_from(["a", "ab", "b a"]))
def test_the_next_match_is_the_next_row_in_which_a_word_begins(text: str, word: str) -> None:
    rows = rows_of(Part("output", "output", text), width=12, found=word)
    at, found = -1, []
    while (match := rows.next_match(at, 1, word)) is not None:
        assert match > at
        found.append(match)
        at = match
    assert bool(found) == any(word in line for line in text.removesuffix("\n").split("\n"))
    back, at = [], len(rows)
    while (match := rows.next_match(at, -1, word)) is not None:
        back.append(match)
        at = match
    assert back[::-1] == found


# ---- parts ----


def test_a_command_is_one_row_and_short_arguments_are_a_table() -> None:
    given_arguments = json.dumps({"description": "List files", "timeout": 5})
    rows = rows_of(Part("command", "Bash", "ls -l", "bash"), Part("arguments", "Bash", given_arguments, "json"))
    assert texts(rows) == [" $ ls -l", " description  List files", " timeout      5"]


def test_an_argument_that_names_the_edited_file_is_not_said_twice() -> None:
    edit = Part("edit", "src/a.py", "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y", "diff", "src/a.py", 1)
    rows = rows_of(edit, Part("arguments", "Edit", '{"file_path": "/w/src/a.py"}', "json"))
    assert texts(rows) == ["edit  src/a.py  +1 −1", " @@ -1 +1 @@", " -x", " +y"]
    assert [rows[at].spans[-1].role for at in (2, 3)] == ["left", "entered"]
    assert rows[0].leads is not None
    assert rows[0].leads.node == "file:src/a.py"


def test_lines_of_a_file_have_their_numbers() -> None:
    rows = rows_of(Part("output", "src/a.py", "x = 1\ny = 2", "python", "src/a.py", 9))
    assert texts(rows)[1:] == [" 9 x = 1", "10 y = 2"]


def test_a_missing_text_says_why() -> None:
    assert texts(rows_of(Part("thinking", "thinking", missing="sealed by the host"))) == [
        "thinking",
        " sealed by the host",
    ]


# ---- colours ----


def test_code_is_highlighted_and_a_terminals_colours_are_shown() -> None:
    code = rows_of(Part("write", "a.py", "def load():  # all", "python", "a.py", 1))[1]
    assert {("def", "syntax-keyword"), ("load", "syntax-name"), ("# all", "syntax-comment")} <= {
        (span.text, span.role) for span in code.spans
    }
    output = Part("output", "output", f"{ESC}[31mred{ESC}[0m plain\n{ESC}[1mbold\nstill{ESC}[2K")
    rows = rows_of(output)
    spans = [[(span.text, span.role) for span in row.spans[1:]] for row in list(rows)[1:]]
    assert spans == [
        [("red", "sgr:error::"), (" plain", "")], [("bold", "sgr:::b")], [("still", "sgr:::b")]
    ]  # fmt: skip


def test_escapes_in_a_prompt_stay_visible() -> None:
    assert ESC in rows_of(Part("prompt", "the user", f"{ESC}[31mred"))[1].text


# ---- folding and searching ----

LONG = "\n".join(f"line {at}" for at in range(1, 1_001))


def test_a_long_output_is_folded_with_a_count_and_unfolds() -> None:
    rows = rows_of(Part("output", "output", LONG))
    (fold,) = [at for at in range(len(rows)) if rows.is_fold(at)]
    assert texts(rows)[fold] == f" {FOLD} 966 lines folded"
    assert (texts(rows)[fold - 1], texts(rows)[fold + 1]) == (" line 24", " line 991")
    assert rows.has_folds(0)
    unfolded = rows_of(Part("output", "output", LONG), _0=1)
    assert len(unfolded) == 1_001
    assert not unfolded.has_folds(0)


def test_a_match_in_a_folded_text_is_shown_with_the_lines_around_it() -> None:
    rows = rows_of(Part("output", "output", LONG), found="line 500")
    shown = texts(rows)
    assert shown[26:31] == [" line 498", " line 499", " line 500", " line 501", " line 502"]
    assert sum(rows.is_fold(at) for at in range(len(rows))) == 2
    match = rows.next_match(-1, 1, "line 500")
    assert match == 28
    assert rows[match].spans[-1].role == "found"


def test_five_megabytes_take_the_time_of_their_lines_not_of_their_rows() -> None:
    """Counted, not timed: a machine may be loaded."""
    part = Part("output", "output", "\n".join(f"line {at} of a long output, in a few words" for at in range(120_000)))
    rows = StepRows([part], 80, {0: 3})
    assert len(rows) == 120_001
    assert rows[-1].text.startswith(" line 119999")
    assert len(rows._made) == 1


@pytest.mark.parametrize("length", [200_000])
def test_one_line_without_an_end_is_cut_in_linear_time(length: int) -> None:
    begin = time.process_time()
    rows = rows_of(Part("output", "output", "x" * length), width=81)
    assert len(rows) == 1 + length // 80
    assert time.process_time() - begin < 2
