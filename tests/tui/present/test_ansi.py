"""Colours of a terminal, spelled out by the record: shown by roles, and every other sequence left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from ccos_core.text.sanitize import surface
from ccos_tui.present.ansi import PLAIN, spans, stripped
from ccos_tui.themes import OURS, Paint

PAINT = Paint({**OURS[0].to_color_system().generate(), "foreground": "#ffffff"})


def shown(raw: str) -> list[tuple[str, str]]:
    """What the record makes of a text, as it is shown."""
    return spans(surface(raw)[0])[0]


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("\x1b[31mred\x1b[0m", [("red", "sgr:error::")]),
        ("\x1b[1;32mok\x1b[22m so\x1b[39m", [("ok", "sgr:success::b"), (" so", "sgr:success::")]),
        ("\x1b[m plain", [(" plain", "")]),
        ("\x1b[38;5;208morange", [("orange", "sgr:#ff8700::")]),
        ("\x1b[38;2;1;2;3;4mrgb", [("rgb", "sgr:#010203::u")]),
        ("\x1b[41;97mon red", [("on red", "sgr:foreground:error:")]),
        ("\x9b33myellow", [("yellow", "sgr:warning::")]),
        ("a\x1b[2Kb\x1b[10;20Hc\x1b[?25ld", [("a", ""), ("b", ""), ("c", ""), ("d", "")]),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", [("link", "")]),
        ("\x1b]0;title\x1b\\text", [("text", "")]),
        ("\x1b[" + "9" * 5_000 + "mlong", [("long", "")]),
        ("\x1b(Bcharset", [("charset", "")]),
        ("\x1b[38;5", [("[U+001B ESC][38;5", "")]),
    ],
)
def test_colours_are_roles_and_other_sequences_are_gone(raw: str, found: list[tuple[str, str]]) -> None:
    assert shown(raw) == found


SEQUENCES = st.lists(
    st.sampled_from(["\x1b", "\x9b", "[", "]", "3", "8", ";", "5", "m", "K", "a", "\x07", "\\"]), max_size=24
)


@given(SEQUENCES.map("".join))
def test_what_is_shown_is_the_same_with_and_without_its_colours(raw: str) -> None:
    line = surface(raw)[0]
    found, _ = spans(line)
    assert "".join(text for text, _ in found) == stripped(line)
    for _, role in found:
        assert isinstance(PAINT.style(role), Style)


def test_a_colour_goes_on_into_the_next_line() -> None:
    _, state = spans(surface("\x1b[31mred")[0], PLAIN)
    assert spans("still", state) == ([("still", "sgr:error::")], state)
