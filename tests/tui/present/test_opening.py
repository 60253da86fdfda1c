"""Long work, what is wrong, what can be chosen: any of it fits any width, and says what it is."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.present.rows import Row
from ccos_core.storage.proof import Proof, Trouble
from ccos_tui.present.opening import (
    WORKS,
    Choice,
    alert_rows,
    choice_rows,
    note_rows,
    opening_rows,
    proof_row,
    stopped_row,
    stopped_rows,
    trouble_rows,
    work_row,
)
from ccos_tui.present.rows import fitted

WIDTHS = st.integers(1, 200)
HOSTILE = st.text(st.sampled_from("a 錯é́\x1b[31m\t\0\n[bold]‮🙂/-.,"), max_size=60)
COUNTS = st.integers(0, 10**9)


def fits(rows: list[Row], width: int) -> None:
    for row in rows:
        spans = fitted(row, width)
        assert sum(cell_len(span.text) for span in spans) == width
        assert not any(char in span.text for span in spans for char in "\x1b\0\t\n\r")


@given(st.sampled_from([*WORKS, "something else"]), COUNTS, COUNTS, WIDTHS)
def test_how_far_work_has_come_fits(work: str, done: int, total: int, width: int) -> None:
    fits([work_row(work, done, total, width), stopped_row(work, done, total, "R")], width)


@given(HOSTILE, HOSTILE, HOSTILE, COUNTS, WIDTHS)
@example("", "", "", 0, 1)
def test_whatever_is_said_fits(path: str, fact: str, hint: str, kept: int, width: int) -> None:
    fits(opening_rows(path, "importing", 1, 2, kept, width), width)
    fits(stopped_rows(path, "importing", 1, 2, kept), width)
    fits(trouble_rows(fact, path, hint, width), width)
    fits(alert_rows("damaged", fact, hint, width), width)
    fits(note_rows(fact, width), width)
    fits(choice_rows([Choice("open", "Open it")]), width)


@pytest.mark.parametrize(
    ("work", "done", "total", "said"),
    [
        ("folding", 41_000, 100_000, "41%  41,000 of 100,000 steps  The steps can be read. Esc stops"),
        ("folding", 99_999, 100_000, "99%"),
        ("importing", 12_300_000, 30_100_000, "40%  12.3 MB of 30.1 MB  Esc stops and keeps what is done."),
        ("proving", 1, 2, "50%"),
        ("looking", 0, 0, "0%"),
    ],
)
def test_a_bar_says_how_much_of_how_much(work: str, done: int, total: int, said: str) -> None:
    assert said in work_row(work, done, total, 160).text


@given(st.integers(1, 10**6), st.data())
def test_only_what_is_done_is_a_hundred(total: int, data: st.DataObject) -> None:
    done = data.draw(st.integers(0, total - 1))
    assert "100%" not in work_row("folding", done, total, 100).text
    assert "100%" in work_row("folding", total, total, 100).text


def test_what_is_wrong_has_a_sign_and_a_word() -> None:
    first, second = alert_rows("damaged", "the chain breaks at step 20", "Ask verify.", 100)
    assert first.text.strip() == "✗ damaged the chain breaks at step 20"
    assert second.text.strip() == "Ask verify."
    assert {span.role for span in first.spans} == {"bad"}


def test_what_is_long_goes_on_on_the_next_line() -> None:
    rows = alert_rows("damaged", "word " * 40, "", 40)
    assert len(rows) > 4
    assert sum(row.text.count("word") for row in rows) == 40


def test_a_proof_in_a_line() -> None:
    held = Proof("work.ccos", proven=61, contents=48, head="ab" * 32)
    assert proof_row(held).text.startswith(" ✓ proven 61 steps and 48 contents are as recorded; head abababababab")
    torn = Proof("work.ccos", proven=19, troubles=[Trouble(20, "chain", "the op's bytes don't give its hash")])
    assert proof_row(torn).text == " ✗ broken at step 20 the op's bytes don't give its hash; 19 steps hold"
    leads = proof_row(torn).leads
    assert leads is not None
    assert leads.step == 20
