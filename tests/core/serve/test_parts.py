"""What the words of answers are made of."""

from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.telling import STATES, Run, Told
from ccos_core.serve.says import parts

TOLD = Told(7, "edit", 1_771_061_460_000, "src/db.py → src/store.py", "", 40, ("1 secret masked",))
states = st.sampled_from(STATES)


@st.composite
def runs(draw: Any) -> list[Run]:
    found, at = [], draw(st.integers(0, 3))
    for size, state in draw(st.lists(st.tuples(st.integers(1, 400), states), max_size=12)):
        found.append(Run(at, at + size - 1, state))
        at += size
    return found


def test_every_state_has_a_sign_and_words() -> None:
    assert set(parts.STATES) == set(STATES)
    assert len({glyph for glyph, _ in parts.STATES.values()}) == len(STATES)


@given(runs(), st.none() | st.integers(1, 200))
def test_a_strip_fits_and_leaves_no_state_out_that_has_room(told: list[Run], columns: int | None) -> None:
    strip = parts.strip(told, columns)
    size = told[-1].last - told[0].first + 1 if told else 0
    assert len(strip) <= (max(columns - 20, 8) if columns else parts.WIDEST)
    assert set(strip) <= {parts.STATES[run.state][0] for run in told}
    if size == len(strip):
        assert strip == "".join(parts.STATES[run.state][0] * (run.last - run.first + 1) for run in told)
    if told and columns is None:
        lengths: dict[str, int] = {}
        for run in told:
            lengths[run.state] = lengths.get(run.state, 0) + run.last - run.first + 1
        rarest = min(lengths.values())
        assert any(parts.STATES[state][0] in strip for state, length in lengths.items() if length == rarest)


def test_a_strip_shows_a_short_absence() -> None:
    told = [Run(1, 40_000, "in"), Run(40_001, 40_002, "out"), Run(40_003, 100_000, "in")]
    assert parts.strip(told).count("○") == 1
    assert parts.legend(told) == "● in  ○ out"
    assert parts.strip([Run(1, 1, "unborn"), Run(2, 6, "in"), Run(7, 8, "out"), Run(9, 10, "in")]) == "·●●●●●○○●●"


def test_columns_stand_below_each_other() -> None:
    rows = [("step", "what", ""), ("7", click.style("größe", fg="red"), "a"), ("1,234", "日本", "long name")]
    lines = [click.unstyle(line) for line in parts.table(rows, left=[1])]
    assert lines == ["   step  what", "      7  größe  a", "  1,234  日本   long name"]
    assert parts.table([]) == []


@given(st.lists(st.lists(st.text("ab \t", max_size=6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_no_cell_is_lost(rows: list[list[str]]) -> None:
    for row, line in zip(rows, parts.table(rows), strict=True):
        assert "".join(line.split()) == "".join("".join(row).split())


def test_nodes_are_named_as_people_name_them() -> None:
    assert parts.node("file:src/a%23b.py") == "src/a#b.py"
    assert parts.node("sym:src/db.py#Store.load~2") == "src/db.py#Store.load~2"
    assert parts.node("prompt:12") == "prompt:12"
    assert parts.node("file:" + "x" * 50, 10) == "x" * 9 + "…"
    assert "\x1b" not in parts.node("file:a\x1b[31m\nb")
    assert "\n" not in parts.node("file:a\x1b[31m\nb")


def test_aloud_signs_are_words_and_columns_commas() -> None:
    said = list(parts.aloud(["  ✗ pytest  test_x   ◐", "", "   ", click.style("a→b", fg="red"), "1–2…"]))
    assert said == ["failed pytest, test_x, in part", "a to b", "1 to 2..."]
    assert parts.spoken("● in at step 3; ◐ in part; ✗ pytest") == "in at step 3; in part; failed pytest"
    assert parts.op_aloud(TOLD) == "edit, src/db.py to src/store.py, 1 secret masked, 40 bytes"


@given(st.lists(st.text(max_size=30), max_size=4))
def test_nothing_is_said_aloud_that_is_a_sign(lines: list[str]) -> None:
    for said in parts.aloud(lines):
        assert not set(said) & set(parts.SPOKEN)
        assert said == said.strip() != ""


def test_what_is_left_out_is_counted() -> None:
    assert parts.more(0, "node") == parts.more(-3, "node") == []
    assert [click.unstyle(line) for line in parts.more(1, "node")] == ["  and 1 more node"]
    assert [click.unstyle(line) for line in parts.more(1_200, "loss", "losses")] == ["  and 1,200 more losses"]


def test_an_op_inside_of_a_sentence() -> None:
    assert parts.step_words(TOLD) == "step 7, edit src/db.py → src/store.py"
    assert parts.step_words(TOLD, 8) == "step 7, edit src/db.…"


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=60)
gaps = st.integers(1, 4)


@given(st.integers(0, 9), st.lists(st.tuples(words, gaps), max_size=20), st.integers(1, 200))
def test_a_line_is_broken_between_words_and_nothing_is_lost(
    indent: int, told: list[tuple[str, int]], columns: int
) -> None:
    line = (" " * indent + "".join(word + " " * gap for word, gap in told)).rstrip()
    found = list(parts.fitted(line, columns))
    room = max(columns, parts.NARROWEST)
    assert " ".join(found).split() == line.split()
    assert found == [line] or all(part == part.rstrip() for part in found)
    for part in found:
        assert parts._width(part) <= room or len(part.split()) == 1


def test_columns_that_do_not_fit_stand_below() -> None:
    line = f"  {'src/db.py#load':<40}  0.00 to 7.66  +7.66 by step 67, a run of tests"
    assert list(parts.fitted(line, 60)) == [
        f"  {'src/db.py#load':<40}  0.00 to 7.66",
        "      +7.66 by step 67, a run of tests",
    ]
    assert list(parts.fitted(line, 200)) == [line]


def test_colours_take_no_room() -> None:
    line = click.style("a" * 50, fg="red") + "  " + click.style("b" * 20, fg="green")
    assert list(parts.fitted(line, 72)) == [line]
    assert [click.unstyle(part) for part in parts.fitted(line, 71)] == ["a" * 50, "    " + "b" * 20]


@pytest.mark.parametrize(("said", "heard"), [
    ("It was told so.", "It was told so."),
    ("Prompt: what is it?.", "Prompt: what is it?"),
    ("Prompt: it is late..", "Prompt: it is late."),
    ("Edit src/a…, and so on….", "Edit src/a..., and so on..."),
])  # fmt: skip
def test_a_sentence_ends_once(said: str, heard: str) -> None:
    assert parts.sentence(said) == heard
