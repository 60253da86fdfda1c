"""Numbers and moments as people read them. The same on every machine: no locale, no local time zone."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from ccos_core.text.sanitize import surface
from ccos_core.values.ids import SPOKEN_PREFIXES, WORDS_PREFIX, path_of, symbol_of

STATES = {
    "unborn": ("·", "not yet there"),
    "in": ("●", "in"),
    "partial": ("◐", "in part"),
    "stale": ("◌", "stale"),
    "uncertain": ("?", "uncertain"),
    "out": ("○", "out"),
    "gone": ("×", "gone"),
    "not looked at": ("┈", "not looked at"),
}
"""State of a node → its sign and its words."""
FAILURE_SIGNS = {
    "failing": ("✗", "fails now", "bad"),
    "rerun due": ("?", "not run again since a change", "note"),
    "ended": ("✓", "ended", "good"),
}
"""State of a failure → its sign, its words and its role."""
CUTS = {"elision": "old results left out"}
"""How a host's window was shortened → how that is said, where it isn't called so, ..."""
CUT = {"compaction": "compacted", **CUTS}
"""... and in a sentence."""


def calls(number: int, inner: int) -> str:
    """`280 calls`, or of a session with subagents `248 calls + 32 in subagents`."""
    return count(number - inner, "call") + (f" + {inner:,} in subagents" if inner else "")


FALL_CAUSES: Mapping[str, str] = {"": "cause not recorded", "resumed": "as the session was resumed"}
"""Why a context fell → how that is said."""


def fall_cause(cause: str) -> str:
    """Why a context fell, in words."""
    return FALL_CAUSES.get(cause, FALL_CAUSES[""])


WITHIN, TEXTLESS = "within", "no text"
"""What stands where an item of a window takes no tokens: its lines are there with those around it; or it has none, for
it is empty, or was withheld."""


def room(tokens: int, node: str) -> str:
    """What an item of a window takes, in a sentence: `72 tokens`."""
    if tokens:
        return count(tokens, "token")
    return "its lines stand with those around it" if symbol_of(node) is not None else "no text of it is known"


def count(number: int, one: str, many: str = "") -> str:
    """`1 step`, `2,803 steps`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(number: int) -> str:
    """`812 B`, `3.1 kB`, `14.0 MB`."""
    if number < 1_000:
        return f"{number} B"
    amount = number / 1_000
    for unit in ("kB", "MB"):
        if amount < 999.95:
            return f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:,.1f} GB"


def moment(millis: int | None) -> str:
    """`2026-02-14 09:31:07` in UTC, or dashes where nobody knows."""
    if millis is None or not -62_000_000_000_000 < millis < 253_000_000_000_000:
        return "-" * 19
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(millis // 1_000))


def duration(millis: int) -> str:
    """`9 s`, `12 min`, `1 h 31 min`, `3 d 4 h`."""
    seconds = max(millis, 0) // 1_000
    if seconds < 60:
        return f"{seconds} s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes} min"
    hours = minutes // 60
    return f"{hours} h {minutes % 60} min" if hours < 24 else f"{hours // 24:,} d {hours % 24} h"


def short(hash_: str) -> str:
    """The start of a hash, enough for a person to compare."""
    return hash_[:12]


def is_spoken(node: str) -> bool:
    """Tell whether a node is words that may have been said, or a statement, and no code."""
    return node.startswith(SPOKEN_PREFIXES)


def node_words(name: str) -> str:
    """A node as people name it: `src/db.py`, `src/db.py#load`. It may hold any sign: who shows it makes it harmless."""
    if name.startswith(WORDS_PREFIX):
        return f"“{name.removeprefix(WORDS_PREFIX)}”"
    path = path_of(name)
    if path is None or not name.startswith(("file:", "sym:")):
        return name
    return f"{path}#{name.partition('#')[2]}" if symbol_of(name) is not None else path


def homely(path: str) -> str:
    """Return a path as people write it: their home is `~`."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if home != "/" and (path + "/").startswith(home + "/") else path


def visible(text: str) -> str:
    """`text` without a character that a terminal would obey instead of show."""
    return surface(text)[0]


def clipped(text: str, width: int) -> str:
    """One line of at most `width` characters."""
    line = " ".join(text[: 8 * width].split())
    return line if len(line) <= width else line[: width - 1] + "…"
