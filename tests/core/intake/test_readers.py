"""A reader that isn't asked wouldn't have found anything: what it knows outputs by leaves one of its signs there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import python_pytest
from ccos_core.intake.failures.page import CLAIMED, CUT, Findings, page_of
from ccos_core.intake.failures.readers import READERS, Reader
from tests.core.intake import go_hostile, javascript_hostile, python_hostile, rust_hostile

ASKED = [reader for reader in READERS if reader.read is not python_pytest.read]
REAL = [line for text in (*go_hostile.REAL, *rust_hostile.REAL) for line in text.split("\n")]
PIECES = [*REAL, *python_hostile.PIECES, *javascript_hostile.PIECES, CLAIMED, CUT]

pieces = st.sampled_from(PIECES)
halves = st.tuples(pieces, pieces, st.integers(0, 60)).map(lambda told: told[0][: told[2]] + told[1][told[2] :])
indents = st.sampled_from(["", "", "", "  ", "    ", "\t", "12\t"])
lines = st.tuples(indents, pieces | halves | st.text(max_size=20)).map("".join)


def has_a_sign(reader: Reader, text: str) -> bool:
    return any(sign in f"\n{text}\n" for sign in reader.signs)


@pytest.mark.parametrize("reader", ASKED, ids=lambda reader: reader.read.__module__.rpartition(".")[2])
@settings(max_examples=150)
@given(st.lists(lines, max_size=40), st.sampled_from([False, None]))
def test_without_a_sign_there_is_nothing(reader: Reader, told: list[str], ok: bool | None) -> None:
    kept = [line for line in "\n".join(told).split("\n") if not has_a_sign(reader, line)]
    page = page_of("\n".join(kept), "", ok)
    page.lines = [line for line in page.lines if not has_a_sign(reader, line)]
    assert reader.read(page) == Findings()


@pytest.mark.parametrize(
    "reader", [reader for reader in ASKED if not reader.silent], ids=lambda reader: reader.signs[0]
)
@settings(max_examples=50)
@given(st.lists(lines, max_size=40))
def test_nor_where_all_went_well(reader: Reader, told: list[str]) -> None:
    kept = [line for line in "\n".join(told).split("\n") if not has_a_sign(reader, line)]
    page = page_of("\n".join(kept), "npx jest && npx mocha && cargo test && python -m unittest a", True)
    page.lines = [line for line in page.lines if not has_a_sign(reader, line)]
    assert reader.read(page) == Findings()


def test_each_is_asked_where_all_stands() -> None:
    """The lines above hold what every one of them looks for."""
    page = page_of("\n".join(PIECES))
    assert all(reader.may_speak(page, "\n".join(("", *page.lines, ""))) for reader in READERS)
