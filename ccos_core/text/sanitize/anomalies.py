"""Say of each hidden or mistakable stretch of a text where it stands, what it is, and what it decodes to.

anomalies("x = 1  # \\U000e0068\\U000e0069")
    (Anomaly(line=1, column=10, kind="tag", what="[U+E0068 TAG:h]", count=2, decoded="hi", note=""),)

A note is an anomaly with an innocent explanation, which is given in words. Notes are told and are no alarm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.text.sanitize.hidden import BIDI, BOM, BYTE, CONTROL, TAG, VARIATION, describe, hidden_in, places
from ccos_core.text.sanitize.lookalikes import is_letter, mixed_words
from ccos_core.text.sanitize.spelling import JOINING, RIGHT_TO_LEFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIXED = "mixed-script"
MOST_DECODED = 400
"""Characters of a decoded stretch that are given."""
FEWEST_BITS = 16
"""Zero-width characters in a row that are tried as bits."""
LINE_PART = 300
"""Characters to each side that are looked at, where a line is asked what it is."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One stretch of hidden characters of a kind, or one word that is spelt to be mistaken."""

    line: int
    column: int
    """In characters, from 1."""

    kind: str
    what: str
    """The first character, spelled out, or the word."""

    count: int
    """Characters in the stretch."""

    decoded: str
    """What it says: text in tags, selectors or bits, or the Latin word that it is taken for; empty if it says none."""

    note: str
    """Why it is no alarm; empty if it is one."""


def anomalies(text: str) -> tuple[Anomaly, ...]:
    """Return all anomalies of a text in order."""
    suspects = hidden_in(text)
    found: list[tuple[int, str, str, int, str, str]] = []
    if suspects:
        found += _hidden(text, suspects)
    found += ((at, MIXED, word, len(word), latin, "") for at, word, latin in mixed_words(text))
    return tuple(_placed(text, sorted(found)))


def _placed(text: str, found: Iterable[tuple[int, str, str, int, str, str]]) -> Iterator[Anomaly]:
    line, start, done = 1, 0, 0
    for at, kind, what, count, decoded, note in found:
        line += text.count("\n", done, at)
        start = text.rfind("\n", 0, at) + 1
        done = at
        yield Anomaly(line, at - start + 1, kind, what, count, decoded, note)


def _hidden(text: str, suspects: list[str]) -> Iterator[tuple[int, str, str, int, str, str]]:
    has_bytes = False
    leftovers = text.count("\ufeff", 1)
    for first, end in _stretches(text, suspects):
        kind, literal = describe(ord(text[first])) or ("", "")
        if kind == BYTE:
            if not has_bytes:
                yield first, BYTE, literal, sum("\udc80" <= char <= "\udcff" for char in text), "", "is not UTF-8"
            has_bytes = True
            continue
        if first == 0 and text[0] == "\ufeff" and end == 1:
            yield 0, BOM, literal, 1, "", "a byte order mark at the start of a file"
            continue
        run = text[first:end]
        yield first, kind, literal, len(run), decoded(run), _innocent(text, first, end, kind, leftovers)


def _stretches(text: str, suspects: list[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of what stands side by side and is of one kind."""
    first = end = -1
    kind = ""
    for at in places(text, suspects):
        described = describe(ord(text[at]))
        its = described[0] if described else ""
        if at == end and its == kind:
            end = at + 1
            continue
        if first >= 0:
            yield first, end
        first, end, kind = at, at + 1, its
    if first >= 0:
        yield first, end


def decoded(run: str) -> str:
    """Return the text that a stretch of hidden characters spells, if it is printable."""
    codes = [ord(char) for char in run]
    if all(0xE0000 <= code <= 0xE007F for code in codes):
        return "".join(chr(code - 0xE0000) for code in codes if 0xE0020 <= code <= 0xE007E)[:MOST_DECODED]
    selected = [_selected(code) for code in codes]
    if len(codes) > 1 and None not in selected:
        return _said(bytes(each for each in selected if each is not None))
    kinds = sorted(set(codes))
    if len(codes) < FEWEST_BITS or len(kinds) != 2:
        return ""
    ones = "".join("1" if code == kinds[1] else "0" for code in codes)
    read = (_bits(bits, width) for bits in (ones, ones.translate({48: 49, 49: 48})) for width in (8, 7))
    return max(read, key=lambda said: sum("a" <= char <= "z" or char == " " for char in said))


def _bits(bits: str, width: int) -> str:
    return _said(bytes(int(bits[at : at + width], 2) for at in range(0, len(bits) - width + 1, width)))


def _selected(code: int) -> int | None:
    """The byte that a variation selector stands for, in the usual way to hide bytes in them."""
    if 0xFE00 <= code <= 0xFE0F:
        return code - 0xFE00
    return code - 0xE0100 + 16 if 0xE0100 <= code <= 0xE01EF else None


def _said(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    is_text = all(" " <= char <= "~" or char in "\t\n" or char > "\xa0" for char in text) and not hidden_in(text)
    return text[:MOST_DECODED] if text and is_text else ""


# -- innocent explanations --------------------------------------------------------------------------------------------

_MARKS = "\u200e\u200f\u061c"
_RTL_BLOCKS = "\u202b\u2067\u202c\u2069"
_CODE = re.compile(r"[=(){}\[\];<>_\\|/*]")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[mK]")
_ISO_2022 = "\x1b$"
_SHIFTS = ("\x1b", "\x0e", "\x0f")
_SPACES = ("", " ", "\t", "\n", "\r", "\u00a0", "\u3000")
_DOUBLED = "\u200c\u200d\u200e\u200f"
_RANGE = re.compile(r"(\\0|[\x00-\x1f\x7f-\U0010ffff])-([\x7f-\U0010ffff])")
_ORDERED = 8
"""Characters in ascending order around a hidden one: it stands in a table of characters, such as a regex class."""


def _innocent(text: str, first: int, end: int, kind: str, leftovers: int) -> str:
    before, after = text[first - 1] if first else "", text[end : end + 1]
    run = text[first:end]
    if kind == CONTROL and _COLOUR.match(text, first):
        return "a colour of a terminal"
    if run in _SHIFTS and _ISO_2022 in text:
        return "belongs to an encoding of ISO 2022"
    if kind != TAG and (_is_range(text, first, end) or (kind != VARIATION and _is_in_table(text, first, end))):
        return "stands in a table of characters"
    if len(run) <= 2 and _is_doubled(text, first, end):
        return "typed twice in a word that is spelt with it"
    if kind == BIDI:
        return _direction(text, first, run, before, after)
    if run == "\u00ad" and _is_hyphen(text, first):
        return "a soft hyphen in a word of prose"
    if run == "\u200b\u200b" and (before in _SPACES or after in _SPACES):
        return "left over beside a space by a translation service"
    if run == "\ufeff" and leftovers == 1 and before in _SPACES and is_letter(after):
        return "a byte order mark left over from another file"
    return ""


def _direction(text: str, at: int, run: str, before: str, after: str) -> str:
    if run in _RTL_BLOCKS and any(char in RIGHT_TO_LEFT for char in _line(text, at)):
        return "sets a line with Arabic or Hebrew from right to left"
    is_inside = _is_of_word(before) and _is_of_word(after)
    return "" if len(run) > 1 or run not in _MARKS or is_inside else "a mark of direction beside punctuation"


def _is_of_word(char: str) -> bool:
    return is_letter(char) or (char != "" and char in "_0123456789")


def _is_hyphen(text: str, at: int) -> bool:
    around = text[at - 2 : at] + text[at + 1 : at + 3] if at > 1 else ""
    return len(around) == 4 and all(map(is_letter, around)) and not _CODE.search(_line(text, at))


def _line(text: str, at: int) -> str:
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return text[max(start, at - LINE_PART) : min(len(text) if end < 0 else end, at + LINE_PART)]


def _is_range(text: str, first: int, end: int) -> bool:
    """Whether a stretch ends or begins a range of a regex class: `\\0-\\x1f\\x7f-\\x9f`."""
    for match in _RANGE.finditer(text, max(first - 3, 0), end + 3):
        low = 0 if match[1] == "\\0" else ord(match[1])
        inside = match.start() <= first < match.end() or match.start() < end <= match.end()
        if inside and low < ord(match[2]):
            return True
    return False


def _is_doubled(text: str, first: int, end: int) -> bool:
    """Whether one or two joiners or marks, in all, stand between letters of Arabic or Indic words."""
    low, high = first, end
    while low and text[low - 1] in _DOUBLED and first - low < 2:
        low -= 1
    while high < len(text) and text[high] in _DOUBLED and high - end < 2:
        high += 1
    joined = all(char in _DOUBLED for char in text[low:high])
    return joined and high - low <= 2 and text[low - 1 : low] in JOINING and text[high : high + 1] in JOINING


def _is_in_table(text: str, first: int, end: int) -> bool:
    """Whether the characters around ascend, hyphens and escapes left out: `\\x80-\\xa0\\xad\\u0600-\\u0605`."""
    before = [char for char in text[max(first - 24, 0) : first] if char not in "-\\"][-_ORDERED // 2 :]
    after = [char for char in text[end : end + 24] if char not in "-\\"][: _ORDERED // 2]
    codes = [ord(char) for char in (*before, *text[first:end].replace("-", ""), *after)]
    low = high = len(before)
    while low > 0 and codes[low - 1] < codes[low]:
        low -= 1
    while high + 1 < len(codes) and codes[high] < codes[high + 1]:
        high += 1
    ascending = codes[low : high + 1]
    return len(ascending) >= _ORDERED - 2 and sum(code > 0x7F for code in ascending) >= _ORDERED - 3
