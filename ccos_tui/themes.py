"""Colours by meaning: what each role looks like, in every theme.

A role is what a text is (`bad`, `future`, `prompt`); a theme gives the colours. Whatever a role says is said by a sign
or a word as well, so that nothing is lost on a screen without colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

VARIABLES = {
    "hot-1": "#5b6b8c", "hot-2": "#7a8ac0", "hot-3": "#d6a24a", "hot-4": "#e07a3f", "hot-5": "#e5484d",
}  # fmt: skip
"""From hardly warm to hottest."""

RECORDER = Theme(
    name="recorder", dark=True, primary="#7aa2f7", secondary="#bb9af7", accent="#e0af68", foreground="#c8d0e0",
    background="#11141b", surface="#161a23", panel="#1d2230", success="#7fc98b", warning="#e0af68", error="#f07178",
    variables=VARIABLES,
)  # fmt: skip
PAPER = Theme(
    name="paper", dark=False, primary="#2456a6", secondary="#7a3e9d", accent="#9a5b00", foreground="#22262e",
    background="#fbfaf6", surface="#f3f1ea", panel="#e8e5da", success="#1d7a3a", warning="#9a5b00", error="#b3261e",
    variables={"hot-1": "#8a93a6", "hot-2": "#4a6db0", "hot-3": "#a87400", "hot-4": "#c2500a", "hot-5": "#b3261e"},
)  # fmt: skip
CONTRAST = Theme(
    name="contrast", dark=True, primary="#66d9ff", secondary="#ff9cff", accent="#ffff00", foreground="#ffffff",
    background="#000000", surface="#000000", panel="#1a1a1a", success="#00ff66", warning="#ffff00", error="#ff6b6b",
    variables={"hot-1": "#8f8f8f", "hot-2": "#9fd3ff", "hot-3": "#ffff00", "hot-4": "#ffb000", "hot-5": "#ff6b6b"},
)  # fmt: skip
BLUE_ORANGE = Theme(
    name="blue-orange", dark=True, primary="#56b4e9", secondary="#cc79a7", accent="#f0e442", foreground="#dfe3ea",
    background="#10131a", surface="#151923", panel="#1d2330", success="#56b4e9", warning="#f0e442", error="#e69f00",
    variables={"hot-1": "#5d6a80", "hot-2": "#0072b2", "hot-3": "#56b4e9", "hot-4": "#f0e442", "hot-5": "#e69f00"},
)  # fmt: skip
"""For eyes that don't tell red from green: good is blue and bad is orange."""
OURS = (RECORDER, PAPER, CONTRAST, BLUE_ORANGE)


@dataclass(frozen=True, slots=True)
class Look:
    """How a role looks: which of the theme's colours, and how its letters are."""

    colour: str = "foreground"
    bold: bool = False
    dim: bool = False
    italic: bool = False
    strike: bool = False
    reverse: bool = False
    underline: bool = False
    back: str = ""


ROLES: Mapping[str, Look] = {
    "": Look(),
    "quiet": Look(dim=True),
    "strong": Look(bold=True),
    "title": Look(bold=True),
    "heading": Look("primary", bold=True),
    "good": Look("success"),
    "bad": Look("error", bold=True),
    "note": Look("warning"),
    "entered": Look("success"),
    "left": Look("error"),
    "lost": Look("error", strike=True),
    "changed": Look("warning"),
    "future": Look(dim=True),
    "prompt": Look("primary", bold=True),
    "compaction": Look("secondary", bold=True),
    "edit": Look("accent"),
    "read": Look("foreground"),
    "number": Look("accent"),
    "link": Look("primary"),
    "key": Look("accent", bold=True),
    "in": Look("success"),
    "partial": Look("warning"),
    "stale": Look("warning", italic=True),
    "uncertain": Look("warning", italic=True),
    "out": Look("error"),
    "gone": Look(dim=True, strike=True),
    "not looked at": Look(dim=True),
    "unborn": Look(dim=True),
    "cursor": Look("accent", bold=True),
    "mark": Look("accent", bold=True, reverse=True),
    "found": Look(bold=True, reverse=True),
    "followed": Look(underline=True),
    "sentence": Look("accent", bold=True),
    "sentence-followed": Look("accent", bold=True, underline=True),
    "syntax-comment": Look(dim=True, italic=True),
    "syntax-string": Look("success"),
    "syntax-number": Look("accent"),
    "syntax-keyword": Look("secondary"),
    "syntax-name": Look("primary"),
    "syntax-builtin": Look("hot-2"),
    "syntax-emphasis": Look(italic=True),
    "hot-1": Look("hot-1"),
    "hot-2": Look("hot-2"),
    "hot-3": Look("hot-3"),
    "hot-4": Look("hot-4"),
    "hot-5": Look("hot-5", bold=True),
}


def _terminal_look(role: str) -> Look:
    """Return the look of a terminal's colours, as `present.ansi` names them."""
    _, colour, back, flags = role.split(":")
    return Look(
        "foreground" if colour in ("", "dim") else colour,
        bold="b" in flags,
        dim="d" in flags or colour == "dim",
        italic="i" in flags,
        strike="s" in flags,
        reverse="r" in flags,
        underline="u" in flags,
        back="panel" if back == "dim" else back,
    )


class Paint:
    """Roles as styles, in one theme."""

    def __init__(self, variables: Mapping[str, str], *, colourless: bool = False) -> None:
        self._variables = variables
        self.colourless = colourless
        """Whether there are no colours, so that what is selected has to be reversed."""
        self._styles: dict[str, Style] = {}

    def style(self, role: str) -> Style:
        """How a role looks."""
        if role not in self._styles:
            look = _terminal_look(role) if role.startswith("sgr:") else ROLES.get(role, ROLES[""])
            self._styles[role] = Style(
                color=self._colour(look.colour),
                bgcolor=self._colour(look.back) if look.back else None,
                bold=look.bold or None,
                dim=look.dim or None,
                italic=look.italic or None,
                strike=look.strike or None,
                reverse=look.reverse or None,
                underline=look.underline or None,
            )
        return self._styles[role]

    def row(self, *, selected: bool, focused: bool) -> Style:
        """What is laid under a row."""
        if not selected:
            return Style()
        if self.colourless:
            return Style(reverse=True) if focused else Style(underline=True)
        return Style(bgcolor=self._colour("primary-muted" if focused else "panel"))

    def _colour(self, name: str):  # type: ignore[no-untyped-def]
        if name.startswith("#"):
            return Color.parse(name).rich_color
        return Color.parse(self._variables.get(name, self._variables["foreground"])).rich_color
