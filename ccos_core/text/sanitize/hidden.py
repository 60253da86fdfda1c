"""Make hidden characters visible, so that what a person reads and what an agent was told are the same text.

Each becomes a plain literal such as `[U+202E RLO]`; words hidden in tags can be read from theirs: `[U+E0048 TAG:H]`.
Line structure is kept: tab, LF, CRLF and a page break alone on its line stay, while a lone CR, with which a terminal
overwrites a line, is surfaced. What people's spelling needs stays (`spelling`), and so do visible oddities: no-break
and wide spaces, the object replacement sign.

Which code points are hidden is asked of tables that are pinned to one version of Unicode, not of `unicodedata`: that
module changes with the Python release, and what is made of it is hashed.
"""

from __future__ import annotations

import re

from ccos_core.text.sanitize.spans import Finding, line_at, tally
from ccos_core.text.sanitize.spelling import RULES, TAGS, Page, kept_tags, tight_joiners

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BIDI = "bidi-control"
ZERO_WIDTH = "zero-width"
TAG = "tag"
CONTROL = "control"
FORMAT = "format"
VARIATION = "variation-selector"
SURROGATE = "surrogate"
BYTE = "undecodable-byte"
BOM = "bom"
PRIVATE = "private-use"
UNASSIGNED = "unassigned"

_C0 = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_C1 = (
    "PAD HOP BPH NBH IND NEL SSA ESA HTS HTJ VTS PLD PLU RI SS2 SS3 "
    "DCS PU1 PU2 STS CCH MW SPA EPA SOS SGC SCI CSI ST OSC PM APC"
)

# First code point, kind, and the names of the code points that follow from there.
_NAMED = (
    (0x0000, CONTROL, _C0),
    (0x007F, CONTROL, "DEL"),
    (0x0080, CONTROL, _C1),
    (0x00AD, ZERO_WIDTH, "SHY"),
    (0x034F, FORMAT, "CGJ"),
    (0x0600, FORMAT, "NUMBER-SIGN YEAR-SIGN FOOTNOTE-SIGN PAGE-SIGN SAMVAT-SIGN NUMBER-MARK"),
    (0x061C, BIDI, "ALM"),
    (0x06DD, FORMAT, "END-OF-AYAH"),
    (0x070F, FORMAT, "SYRIAC-ABBREVIATION"),
    (0x0890, FORMAT, "POUND-MARK PIASTRE-MARK"),
    (0x08E2, FORMAT, "DISPUTED-AYAH"),
    (0x115F, FORMAT, "HCF HJF"),
    (0x17B4, FORMAT, "KIVAQ KIVAA"),
    (0x180B, VARIATION, "FVS1 FVS2 FVS3"),
    (0x180E, ZERO_WIDTH, "MVS"),
    (0x180F, VARIATION, "FVS4"),
    (0x200B, ZERO_WIDTH, "ZWSP ZWNJ ZWJ"),
    (0x200E, BIDI, "LRM RLM"),
    (0x2028, FORMAT, "LSEP PSEP"),
    (0x202A, BIDI, "LRE RLE PDF LRO RLO"),
    (0x2060, ZERO_WIDTH, "WJ"),
    (0x2061, FORMAT, "FUNCTION TIMES SEPARATOR PLUS U2065"),
    (0x2066, BIDI, "LRI RLI FSI PDI"),
    (0x206A, FORMAT, "ISS ASS IAFS AAFS NADS NODS"),
    (0x2800, FORMAT, "BRAILLE-BLANK"),
    (0x3164, FORMAT, "HF"),
    (0xFEFF, ZERO_WIDTH, "ZWNBSP"),
    (0xFFA0, FORMAT, "HWHF"),
    (0xFFF9, FORMAT, "IAA IAS IAT"),
    (0x110BD, FORMAT, "KAITHI-NUMBER"),
    (0x110CD, FORMAT, "KAITHI-NUMBER-ABOVE"),
    (0x13441, FORMAT, "HIEROGLYPH-BLANK HIEROGLYPH-HALF-BLANK"),
    (0x16FE4, FORMAT, "KHITAN-FILLER"),
    (0x1D159, FORMAT, "NULL-NOTEHEAD"),
    (0xE0001, TAG, "TAG:BEGIN"),
    (0xE007F, TAG, "TAG:CANCEL"),
)

# First and last code point, kind, one name for all of them.
_RANGES = (
    (0xFDD0, 0xFDEF, FORMAT, "NONCHARACTER"),
    (0xFFF0, 0xFFF8, FORMAT, "IGNORABLE"),
    (0xFFFE, 0xFFFF, FORMAT, "NONCHARACTER"),
    (0x13430, 0x1343F, FORMAT, "HIEROGLYPH"),
    (0x1BCA0, 0x1BCA3, FORMAT, "SHORTHAND"),
    (0x1D173, 0x1D17A, FORMAT, "MUSIC"),
    (0xD800, 0xDFFF, SURROGATE, "SURROGATE"),
    (0xE000, 0xF8FF, PRIVATE, "PRIVATE"),
    (0xE0000, 0xE0FFF, FORMAT, "IGNORABLE"),
    (0xF0000, 0x10FFFD, PRIVATE, "PRIVATE"),
)

_PLAIN_BLOCKS = ((0xA0, 0x377), (0x400, 0x52F), (0x2190, 0x2426), (0x2500, 0x27FF), (0x3041, 0x3096), (0x30A0, 0x30FF),
                 (0x3400, 0xA48C), (0xAC00, 0xD7A3), (0x1F300, 0x1F6D7))  # fmt: skip
"""Blocks without an unassigned code point: for texts of these the table needn't be loaded."""


_named: dict[int, tuple[str, str]] = {}
_unassigned: list[tuple[int, int]] = []


def describe(code: int) -> tuple[str, str] | None:
    """Kind and visible literal of a hidden code point; None for one that may be seen."""
    if not _named:
        for first, kind, names in _NAMED:
            for offset, name in enumerate(names.split()):
                _named[first + offset] = kind, _literal(first + offset, name)
    if code in _named:
        return _named[code]
    if code < 0x7F:
        return None
    return (_computed(code) if code >= 0xD800 else None) or _not_assigned(code)


def _computed(code: int) -> tuple[str, str] | None:
    if 0xDC80 <= code <= 0xDCFF:
        return BYTE, f"[BYTE 0x{code - 0xDC00:02X}]"
    if 0xFE00 <= code <= 0xFE0F:
        return VARIATION, _literal(code, f"VS{code - 0xFE00 + 1}")
    if 0xE0100 <= code <= 0xE01EF:
        return VARIATION, _literal(code, f"VS{code - 0xE0100 + 17}")
    if 0xE0020 <= code <= 0xE007E:
        return TAG, _literal(code, "TAG:" + (chr(code - 0xE0000) if code > 0xE0020 else "SPACE"))
    if code & 0xFFFE == 0xFFFE:
        return FORMAT, _literal(code, "NONCHARACTER")
    for first, last, kind, name in _RANGES:
        if first <= code <= last:
            return kind, _literal(code, name)
    return None


def _not_assigned(code: int) -> tuple[str, str] | None:
    """What is no character yet: it shows as nothing or as a box, and only a machine reads it."""
    if any(first <= code <= last for first, last in _PLAIN_BLOCKS):
        return None
    from ccos_core.text.sanitize import unicode_tables

    if not _unassigned:
        _unassigned.extend(unicode_tables.spans(unicode_tables.UNASSIGNED))
    return (UNASSIGNED, _literal(code, "UNASSIGNED")) if unicode_tables.is_within(code, _unassigned) else None


def _literal(code: int, name: str) -> str:
    return f"[U+{code:04X} {name}]"


_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n"
_LONE_CR = "\r(?!\n)"
_known: dict[str, bool] = {}
_MOST_KNOWN = 1 << 16


def surface(text: str) -> tuple[str, tuple[Finding, ...]]:
    """The text with every hidden character made a visible literal; a clean text comes back as the same object."""
    suspects = hidden_in(text)
    if not suspects or (suspects == ["\r"] and text.count("\r") == text.count("\r\n")):
        return text, ()
    found: list[Finding] = []
    result = text
    if result[0] == "\ufeff":
        found.append((BOM, 1, 1))
        result = result[1:]
    table: dict[int, str] = {}
    for char in suspects:
        described = describe(ord(char))
        first = -1 if described is None or _depends_on_context(char) else result.find(char)
        if described is not None and first >= 0:
            kind, table[ord(char)] = described
            found.append((kind, result.count(char), line_at(result, first)))
    result = _spell_out(result, [char for char in suspects if _depends_on_context(char)], table, found)
    return (result, tally(found)) if found else (text, ())


def hidden_in(text: str) -> list[str]:
    """The distinct hidden characters of a text, in code order; found without looking at each character in Python."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if not rest:
        return []
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    return sorted(char for char in set(rest.decode("utf-8", "surrogatepass")) if _is_hidden(char))


def _is_hidden(char: str) -> bool:
    known = _known.get(char)
    if known is None:
        known = _known[char] = describe(ord(char)) is not None
    return known


def places(text: str, suspects: list[str]) -> Iterator[int]:
    """Yield where those of the hidden characters stand that no spelling needs, in order."""
    if not suspects:
        return
    page = Page(text)
    dense = tight_joiners(text) if not {"\u200c", "\u200d"}.isdisjoint(suspects) else frozenset()
    tags = kept_tags(text) if suspects[-1] >= TAGS else frozenset()
    each = "".join(re.escape(char) for char in suspects if char != "\r")
    pattern = "|".join(([f"[{each}]"] if each else []) + ([_LONE_CR] if "\r" in suspects else []))
    for match in re.finditer(pattern, text):
        at = match.start()
        rule = RULES.get(text[at])
        if at in tags or (rule is not None and at not in dense and rule(page, at)):
            continue
        yield at


def _spell_out(text: str, suspects: list[str], table: dict[int, str], found: list[Finding]) -> str:
    """Write out what `table` has wherever it stands, and the suspects where no spelling needs them."""
    counts: dict[str, list[int]] = {}
    out: list[str] = []
    done = 0
    for at in places(text, suspects):
        described = describe(ord(text[at]))
        if described is None:
            continue
        kind, literal = described
        if kind in counts:
            counts[kind][0] += 1
        else:
            counts[kind] = [1, line_at(text, at)]
        before = text[done:at]
        out += (before.translate(table) if table else before, literal)
        done = at + 1
    found += [(kind, count, line) for kind, (count, line) in counts.items()]
    rest = text[done:] if done else text
    out.append(rest.translate(table) if table else rest)
    return "".join(out) if done else out[0]


def _depends_on_context(char: str) -> bool:
    return char in RULES or char == "\r" or char >= TAGS
