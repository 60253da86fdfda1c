"""The same in plain ASCII, for terminals that show nothing else. What it gives is exactly as wide as what it was
given, so that it can be done last, when everything has its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from rich.cells import cell_len

SIGNS: Mapping[str, str] = {
    "–": "-", "—": "-", "−": "-", "…": "~", "→": ">", "←": "<", "↑": "^", "↓": "v", "▲": "^", "▼": "v",
    "▸": ">", "▾": "v", "▶": ">", "❯": ">", "✗": "x", "✓": "+", "✎": "w", "✂": "C", "⚙": "*", "▤": "=",
    "◫": "r", "∑": "#", "§": "E", "◉": "*", "●": "#", "◐": "~", "○": "o", "◌": "s", "·": ".", "•": "*",
    "×": "x", "≤": "<", "≥": ">", "⏎": "$", "␌": "^", "⏸": "|", "Δ": "d", "±": "~", "↺": "@", "↻": "@", "⇄": "=",
    "★": "*", "⚑": "F", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
"""Signs, and those that stand for them."""
BLOCKS = dict(zip("▁▂▃▄▅▆▇█", "_:-=+*%@", strict=True)) | dict(zip("▏▎▍▌▋▊▉", "...:+*%", strict=True))
"""Heights and lengths, by how much ink there is in a letter."""
LINES = {
    **dict.fromkeys("─━═┄┅┈┉╌╍", "-"), **dict.fromkeys("│┃║┆┇┊┋╎╏", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫┳┻╋╸╹╺╻╶╷╴╵", "+"),
    **dict.fromkeys("░▒", "."), "▓": "#", "▀": '"', "▐": "|", "■": "#", "□": "o", "▪": "*", "◆": "*", "◇": "o",
}  # fmt: skip
UNKNOWN = "?"
"""Any other, as often as it is wide."""

_TABLE = {ord(sign): plain for sign, plain in {**SIGNS, **BLOCKS, **LINES}.items() if cell_len(sign) == 1}


def plain(text: str) -> str:
    """A text without a sign that ASCII hasn't."""
    if text.isascii():
        return text
    text = text.translate(_TABLE)
    return text if text.isascii() else "".join(map(_plain, _clusters(text)))


CONSOLE = "linux"
"""The machine's own console: its letters are UTF-8, but its font has a few hundred of them, and none of our signs."""


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the terminal says that it shows no more, or somebody said so for it."""
    if (said := environment.get("CCOS_ASCII")) is not None:
        return said not in ("", "0")
    if environment.get("TERM") == CONSOLE:
        return True
    locale = environment.get("LC_ALL") or _chosen(environment)
    return bool(locale) and "utf" not in locale.lower()


def _chosen(environment: Mapping[str, str]) -> str:
    """The locale of characters. Python itself says `C.UTF-8` where `C` was said, so that isn't believed."""
    said, general = environment.get("LC_CTYPE", ""), environment.get("LANG", "")
    return general if said == "C.UTF-8" and general else said or general


def _clusters(text: str) -> list[str]:
    """Letters, each with what has no width of its own and stands on it."""
    found: list[str] = []
    for char in text:
        if found and cell_len(found[-1] + char) == cell_len(found[-1]):
            found[-1] += char
        else:
            found.append(char)
    return found


def _plain(cluster: str) -> str:
    """A letter without what stands on it, where that is ASCII."""
    bare, width = unicodedata.normalize("NFKD", cluster)[:1], cell_len(cluster)
    return bare if bare.isascii() and cell_len(bare) == width else UNKNOWN * width
