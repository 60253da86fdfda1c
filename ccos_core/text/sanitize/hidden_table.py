"""The code points a reader can't see, with the name and the kind each is reported under.

The tables are written out, not asked of `unicodedata`: that module changes with the Python release, and what is made of
them is hashed. Visible oddities stay out on purpose: no-break and wide spaces, private-use icons, the object
replacement sign.
"""

from __future__ import annotations

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
