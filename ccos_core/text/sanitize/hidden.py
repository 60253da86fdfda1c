"""Make hidden characters visible, so that what a person reads and what an agent was told are the same text.

Each becomes a plain literal such as `[U+202E RLO]`; words hidden in tags can be read from theirs: `[U+E0048 TAG:H]`.
Line structure is kept: tab, LF, CRLF and a page break alone on its line stay, while a lone CR, with which a terminal
overwrites a line, is surfaced. Emoji, keycaps, flags, and joiners inside Arabic and Indic words are legitimate, and so
are visible oddities: no-break and wide spaces, private-use icons, the object replacement sign.

The table is written out, not asked of `unicodedata`: that module changes with the Python release, and what is made of
it is hashed.
"""

from __future__ import annotations

import re

from ccos_core.text.sanitize.spans import Finding, line_at, tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BIDI = "bidi-control"
ZERO_WIDTH = "zero-width"
TAG = "tag"
CONTROL = "control"
FORMAT = "format"
VARIATION = "variation-selector"
SURROGATE = "surrogate"
BYTE = "undecodable-byte"
BOM = "bom"

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
    (0xE0000, 0xE0FFF, FORMAT, "IGNORABLE"),
)

PLANE_14 = "\U000e0000"
"""From here to the end of the plane nothing is visible: tags, variation selectors, unassigned."""

EMOJI = (
    (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328), (0x23CF, 0x23CF), (0x23E9, 0x23F3),
    (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE),
    (0x2600, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55),
    (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1FAFF),
)  # fmt: skip
"""Blocks whose members take an emoji or text style, or join into sequences."""

JOINING = (
    (0x0620, 0x077F), (0x07CA, 0x07FA), (0x0840, 0x0DFF), (0x0F40, 0x0FBC), (0x1000, 0x109F), (0x1780, 0x17D3),
    (0x1807, 0x180A), (0x1820, 0x18AA), (0x1B00, 0x1B4B), (0xA840, 0xA8C5), (0xA8E0, 0xA8FF), (0xA980, 0xA9C0),
    (0xAA60, 0xAA7F), (0xABC0, 0xABED), (0xFB50, 0xFDCF), (0xFE70, 0xFEFC), (0x10AC0, 0x10AEB), (0x11000, 0x1145F),
)  # fmt: skip
"""Arabic-like and Indic blocks, whose spelling needs ZWNJ and ZWJ between letters."""

VIRAMAS = frozenset(
    (0x094D, 0x09CD, 0x0A4D, 0x0ACD, 0x0B4D, 0x0BCD, 0x0C4D, 0x0CCD, 0x0D4D, 0x0DCA, 0x1039, 0x17D2, 0xA8C4, 0xA9C0)
)
"""After one of these a joiner may end the word."""

PREPENDED = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Signs that stand around or above the digits or letters behind them; before anything else they carry nothing."""

COUNTED = ((0x0030, 0x0039), (0x0660, 0x0669), (0x06F0, 0x06F9), (0x0710, 0x074F), (0x11066, 0x1106F))
"""What a prepended sign stands before: digits, and Syriac letters."""

MONGOLIAN = ((0x1807, 0x1807), (0x1820, 0x1878), (0x1880, 0x18AA))
"""Letters whose shape a variation selector chooses, or that a vowel separator sets apart."""

SUBDIVISION_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
"""England, Scotland, Wales: the only flags in general use that are spelt with tag characters."""


_named: dict[int, tuple[str, str]] = {}


def describe(code: int) -> tuple[str, str] | None:
    """Kind and visible literal of a hidden code point; None for one that may be seen."""
    if not _named:
        for first, kind, names in _NAMED:
            for offset, name in enumerate(names.split()):
                _named[first + offset] = kind, _literal(first + offset, name)
    if code in _named:
        return _named[code]
    return _computed(code) if code >= 0xD800 else None


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


def _literal(code: int, name: str) -> str:
    return f"[U+{code:04X} {name}]"


_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n"
_KEYCAP = "\u20e3"
_STYLES = "\ufe0e\ufe0f"
_JOINERS = "\u200c\u200d"
_MONGOLIAN_MARKS = "\u180b\u180c\u180d\u180e\u180f"
_BLANK = "\u2800"
_BRAILLE = re.compile("[\u2801-\u28ff]")
_DENSE = re.compile("(?:[^\\s\u200c\u200d]{1,3}[\u200c\u200d]){5,}")
"""Five joiners in a row, at most three characters apart. No word is spelt so: they carry bits."""
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KEPT_TAGS = re.compile(
    f"({'|'.join(SUBDIVISION_FLAGS)}"
    f"|(?<=[{_IDEOGRAPHS}])[\U000e0100-\U000e011f](?![\U000e0100-\U000e01ef\ufe00-\ufe0f]))"
)
"""Flags spelt with tags, and one of the selectors that are registered for a variant of the ideograph before it."""


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
    result = _surface_in_context(result, suspects, found)
    result = _surface_anywhere(result, suspects, found)
    return (result, tally(found)) if found else (text, ())


def hidden_in(text: str) -> list[str]:
    """The distinct hidden characters of a text, in code order; found without looking at each character in Python."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if not rest:
        return []
    return sorted(char for char in set(rest.decode("utf-8", "surrogatepass")) if describe(ord(char)))


def _surface_anywhere(text: str, suspects: list[str], found: list[Finding]) -> str:
    """What is hidden wherever it stands. Kept ones were put out of reach by `_surface_in_context`."""
    table: dict[int, str] = {}
    for char in suspects:
        described = describe(ord(char))
        first = text.find(char)
        if described is None or first < 0 or _depends_on_context(char):
            continue
        kind, table[ord(char)] = described
        found.append((kind, text.count(char), line_at(text, first)))
    return text.translate(table) if table else text


def _depends_on_context(char: str) -> bool:
    return char in _IN_CONTEXT or char >= PLANE_14


def _surface_in_context(text: str, suspects: list[str], found: list[Finding]) -> str:
    """What is legitimate between the right neighbours. Styles come before joiners, which look back over them."""
    if not _JOINED.isdisjoint(suspects):
        text = _surface_dense_joiners(text, found)
    if _BLANK in suspects:
        text = _surface_blanks(text, found)
    for char, stays in _RULES:
        if char in suspects:
            text = _surface_one(text, char, stays, found)
    tags = [char for char in suspects if char >= PLANE_14]
    return _surface_tags(text, tags, found) if tags else text


def _surface_one(text: str, char: str, stays: Callable[[str, str], bool], found: list[Finding]) -> str:
    described = describe(ord(char))
    if described is None or char not in text:
        return text
    kind, literal = described
    pieces = text.split(char)
    count, line, first = 0, 1, 0
    out = [pieces[0]]
    for before, after in zip(pieces, pieces[1:], strict=False):  # noqa: RUF007  (itertools is off the hook's path)
        line += before.count("\n")
        if stays(before, after):
            out.append(char)
        else:
            count += 1
            first = first or line
            out.append(literal)
        out.append(after)
    if not count:
        return text
    found.append((kind, count, first))
    return "".join(out)


def _surface_tags(text: str, tags: list[str], found: list[Finding]) -> str:
    """Tags and their plane, except in the flags that are spelt with them."""
    table: dict[int, str] = {}
    bare = _KEPT_TAGS.sub("", text)
    for char in tags:
        described = describe(ord(char))
        first = bare.find(char)
        if described is None or first < 0:
            continue
        kind, table[ord(char)] = described
        found.append((kind, bare.count(char), line_at(bare, first)))
    if not table:
        return text
    parts = _KEPT_TAGS.split(text)
    return "".join(part if at % 2 else part.translate(table) for at, part in enumerate(parts))


def _surface_dense_joiners(text: str, found: list[Finding]) -> str:
    """Joiners so near to each other that they carry bits; those that a virama asks for stay."""

    lines: dict[str, int] = {}  # of each kind the first: to count lines for every joiner takes the square of the text

    def shown(match: re.Match[str]) -> str:
        said, out = match[0], ""
        for at, char in enumerate(said):
            described = describe(ord(char)) if char in _JOINED and ord(said[at - 1]) not in VIRAMAS else None
            if described is None or _is_in(said[at - 1], EMOJI, _emoji) or said[at - 1] in _STYLES:
                out += char
            else:
                if described[0] not in lines:
                    lines[described[0]] = line_at(text, match.start() + at)
                found.append((described[0], 1, lines[described[0]]))
                out += described[1]
        return out

    return _DENSE.sub(shown, text)


def _surface_blanks(text: str, found: list[Finding]) -> str:
    """Braille blanks on lines without any other Braille."""
    kind, literal = describe(ord(_BLANK)) or ("", "")
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if _BLANK in line and not _BRAILLE.search(line):
            found.append((kind, line.count(_BLANK), at + 1))
            lines[at] = line.replace(_BLANK, literal)
    return "\n".join(lines)


def _is_styled(before: str, after: str) -> bool:
    """A variation selector after an emoji, or inside a keycap such as 1️⃣."""
    base = before[-1:]
    return _is_in(base, EMOJI, _emoji) or (base != "" and base in "0123456789#*" and after[:1] == _KEYCAP)


def _is_joined(before: str, after: str) -> bool:
    previous, following = before[-1:], after[:1]
    if _is_in(previous, JOINING, _joining):
        return _is_in(following, JOINING, _joining) or ord(previous) in VIRAMAS
    if previous in _STYLES:
        previous = before[-2:-1]
    return _is_in(previous, EMOJI, _emoji) and _is_in(following, EMOJI, _emoji)


def _is_shaped(before: str, _after: str) -> bool:
    """A Mongolian selector or separator directly after a letter of that script."""
    return _is_in(before[-1:], MONGOLIAN, _mongolian)


def _is_set_apart(before: str, after: str) -> bool:
    """A vowel separator between Mongolian letters."""
    return _is_in(before[-1:], MONGOLIAN, _mongolian) and _is_in(after[:1], MONGOLIAN, _mongolian)


def _is_prepended(_before: str, after: str) -> bool:
    return _is_in(after[:1], COUNTED, _counted)


def _is_line_end(_before: str, after: str) -> bool:
    return after[:1] == "\n"


def _is_page_break(before: str, after: str) -> bool:
    return before[-1:] == "\n" and after[:1] != "" and after[0] in "\r\n"


def _is_in(char: str, blocks: tuple[tuple[int, int], ...], known: dict[str, bool]) -> bool:
    if char not in known:
        known[char] = char != "" and any(first <= ord(char) <= last for first, last in blocks)
    return known[char]


_emoji: dict[str, bool] = {}
_joining: dict[str, bool] = {}
_mongolian: dict[str, bool] = {}
_counted: dict[str, bool] = {}
_JOINED = frozenset(_JOINERS)
_IN_CONTEXT = frozenset(_STYLES + _JOINERS + _MONGOLIAN_MARKS + PREPENDED + _BLANK + "\r\f")
_RULES: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    *((char, _is_styled) for char in _STYLES),
    *((char, _is_joined) for char in _JOINERS),
    *((char, _is_set_apart if char == "\u180e" else _is_shaped) for char in _MONGOLIAN_MARKS),
    *((char, _is_prepended) for char in PREPENDED),
    ("\r", _is_line_end),
    ("\f", _is_page_break),
)
