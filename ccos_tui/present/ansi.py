"""Colours of a terminal's output as roles; every other escape sequence is left out.

The record holds escape sequences spelled out (`[U+001B ESC][31m`), so nothing here is ever obeyed. A role says what
a theme makes of it: `sgr:error::b` is red and bold, `sgr:#ff8700:panel:` has a colour of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

MARK = "[U+00"
"""What every spelled-out sequence begins with: a text without it needs no reading."""
_ESC, _CSI, _BEL = r"\[U\+001B ESC\]", r"\[U\+009B CSI\]", r"\[U\+0007 BEL\]"
NUMBER_DIGITS = 6  # of a number in a sequence; a longer one means nothing
_SEQUENCE = re.compile(
    rf"(?:{_ESC}\[|{_CSI})(?P<private>[<-?]*)(?P<numbers>[0-9;:]*)[ -/]*(?P<final>[@-~])"
    rf"|{_ESC}\].*?(?:{_BEL}|{_ESC}\\|$)"
    rf"|{_ESC}[ -/]*[0-Z\\-~]"
)
COLOURS = ("dim", "error", "success", "warning", "primary", "secondary", "hot-2", "foreground")
"""The eight colours of a terminal, in their order, as colours of the theme: black on black couldn't be read."""
FLAGS = {1: "b", 2: "d", 3: "i", 4: "u", 7: "r", 9: "s"}
"""Number of an SGR sequence → letter of what it sets: bold, dim, italic, underline, reverse, strike."""
_UNSET = {22: "bd", 23: "i", 24: "u", 27: "r", 29: "s"}
_STEPS = (0, 95, 135, 175, 215, 255)


@dataclass(frozen=True, slots=True)
class Sgr:
    """How text looks from here on."""

    colour: str = ""
    back: str = ""
    flags: str = ""

    @property
    def role(self) -> str:
        """The role of such a text; empty where it is plain."""
        return f"sgr:{self.colour}:{self.back}:{self.flags}" if self != PLAIN else ""


PLAIN = Sgr()


def spans(line: str, state: Sgr = PLAIN) -> tuple[list[tuple[str, str]], Sgr]:
    """Return (text, role) of what a line shows, and how what follows it looks."""
    if MARK not in line:
        return ([(line, state.role)] if line else []), state
    found: list[tuple[str, str]] = []
    at = 0
    for match in _SEQUENCE.finditer(line):
        if match.start() > at:
            found.append((line[at : match.start()], state.role))
        at = match.end()
        if match["final"] == "m" and not match["private"]:
            state = _changed(state, match["numbers"] or "0")
    if at < len(line):
        found.append((line[at:], state.role))
    return found, state


def stripped(line: str) -> str:
    """Return what a line shows, without its sequences."""
    return _SEQUENCE.sub("", line) if MARK in line else line


def _changed(state: Sgr, numbers: str) -> Sgr:
    every = [int(each[:NUMBER_DIGITS]) if each else 0 for each in re.split("[;:]", numbers)]
    at = 0
    while at < len(every):
        number = every[at]
        if number in (38, 48):
            colour, at = _exact(every, at + 1)
            state = replace(state, colour=colour) if number == 38 else replace(state, back=colour)
        else:
            state = _set(state, number)
            at += 1
    return state


def _set(state: Sgr, number: int) -> Sgr:
    if number == 0:
        return PLAIN
    if number in FLAGS:
        return replace(state, flags="".join(sorted({*state.flags, FLAGS[number]})))
    if number in _UNSET:
        return replace(state, flags="".join(each for each in state.flags if each not in _UNSET[number]))
    if 30 <= number <= 37 or 90 <= number <= 97:
        return replace(state, colour=COLOURS[number % 10])
    if 40 <= number <= 47 or 100 <= number <= 107:
        return replace(state, back=COLOURS[number % 10])
    if number == 39:
        return replace(state, colour="")
    return replace(state, back="") if number == 49 else state


def _exact(numbers: Sequence[int], at: int) -> tuple[str, int]:
    """Return the colour that `5;n` or `2;r;g;b` says, and where what follows it begins."""
    if numbers[at : at + 1] == [5] and at + 1 < len(numbers):
        return _of_256(min(numbers[at + 1], 255)), at + 2
    if numbers[at : at + 1] == [2] and at + 3 < len(numbers):
        return "#" + "".join(f"{min(each, 255):02x}" for each in numbers[at + 1 : at + 4]), at + 4
    return "", len(numbers)


def _of_256(number: int) -> str:
    if number < 16:
        return COLOURS[number % 8]
    if number >= 232:
        return f"#{8 + 10 * (number - 232):02x}" + 2 * f"{8 + 10 * (number - 232):02x}"
    red, rest = divmod(number - 16, 36)
    return "#" + "".join(f"{_STEPS[each]:02x}" for each in (red, rest // 6, rest % 6))
