"""ASCII in place of anything: as wide as before, and nothing else in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_tui.present.ascii import BLOCKS, LINES, SIGNS, is_wanted, plain


@given(st.text(max_size=40))
def test_it_is_ascii_and_as_wide(text: str) -> None:
    assert plain(text).isascii()
    assert cell_len(plain(text)) == cell_len(text)


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_stays(text: str) -> None:
    assert plain(text) == text


def test_every_sign_of_ours_is_one_column_and_so_is_what_stands_for_it() -> None:
    table = {**SIGNS, **BLOCKS, **LINES}
    assert [sign for sign, other in table.items() if cell_len(sign) != 1 or len(other) != 1] == []


def test_heights_differ() -> None:
    assert len(set(plain("▁▂▃▄▅▆▇█"))) == 8


def test_letters_lose_what_stands_on_them() -> None:
    assert plain("Zoë, cafe\u0301, 漢字 ✗ →") == "Zoe, cafe, ???? x >"


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"LANG": "en_GB.UTF-8"}, False),
        ({"LANG": "de_DE.utf8"}, False),
        ({"LANG": "C"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "de_DE.ISO-8859-1"}, True),
        ({"TERM": "linux", "LANG": "C.UTF-8"}, True),
        ({"TERM": "linux", "CCOS_ASCII": "0"}, False),
        ({"TERM": "xterm-256color", "LANG": "C.UTF-8"}, False),
        ({"CCOS_ASCII": "1", "LANG": "en_GB.UTF-8"}, True),
        ({"CCOS_ASCII": "0", "LANG": "C"}, False),
    ],
)
def test_the_locale_says_so_or_somebody_does(environment: dict[str, str], wanted: bool) -> None:
    assert is_wanted(environment) is wanted
