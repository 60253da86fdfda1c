"""Where a character that shows as nothing belongs to the spelling: the policies of `docs/SECURITY.md`, one rule each.

A rule takes a page (a text with what is known of its lines) and a place, and looks at visible neighbours only, so that
writing out one hidden character never makes another one legitimate or suspicious. Everything else is surfaced.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Blocks:
    """Ranges of code points, and which characters were found in them."""

    __slots__ = ("_known", "ranges")

    def __init__(self, *ranges: tuple[int, int]) -> None:
        self.ranges = ranges
        self._known: dict[str, bool] = {"": False}

    def __contains__(self, char: str) -> bool:
        known = self._known.get(char)
        if known is None:
            if len(self._known) > _MOST_KNOWN:
                self._known = {"": False}
            code = ord(char)
            known = self._known[char] = any(first <= code <= last for first, last in self.ranges)
        return known

    def as_class(self) -> str:
        """Return them as they stand between the brackets of a pattern."""
        return "".join(f"{chr(first)}-{chr(last)}" for first, last in self.ranges)


_MOST_KNOWN = 1 << 14

TAGS = "\U000e0000"
"""From here to the end of the plane nothing is visible: tags, variation selectors, unassigned."""

EMOJI = Blocks(
    (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328), (0x23CF, 0x23CF), (0x23E9, 0x23F3),
    (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE),
    (0x2600, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55),
    (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1FAFF),
)  # fmt: skip
"""Blocks whose members take an emoji or text style, or join into sequences."""

JOINING = Blocks(
    (0x0620, 0x077F), (0x07CA, 0x07FA), (0x0840, 0x0DFF), (0x0F40, 0x0FBC), (0x1000, 0x109F), (0x1780, 0x17D3),
    (0x1807, 0x180A), (0x1820, 0x18AA), (0x1B00, 0x1B4B), (0xA840, 0xA8C5), (0xA8E0, 0xA8FF), (0xA980, 0xA9C0),
    (0xAA60, 0xAA7F), (0xABC0, 0xABED), (0xFB50, 0xFDCF), (0xFE70, 0xFEFC), (0x10AC0, 0x10AEB), (0x11000, 0x1145F),
)  # fmt: skip
"""Arabic-like and Indic blocks, whose spelling needs ZWNJ and ZWJ between letters."""

VIRAMAS = frozenset(
    (0x094D, 0x09CD, 0x0A4D, 0x0ACD, 0x0B4D, 0x0BCD, 0x0C4D, 0x0CCD, 0x0D4D, 0x0DCA, 0x1039, 0x17D2, 0xA8C4, 0xA9C0)
)
"""After one of these a joiner may end the word."""

UNSPACED = Blocks(
    (0x0E01, 0x0E5B), (0x0E81, 0x0EDF), (0x0F00, 0x0FDA), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19FF),
    (0x1A20, 0x1AAD), (0x1B00, 0x1BFF), (0xA980, 0xA9FF), (0xAA00, 0xAADF),
)  # fmt: skip
"""Scripts of South East Asia and Tibet: they put no space between words, and ZWSP says where a line may break."""

RIGHT_TO_LEFT = Blocks(
    (0x05D0, 0x05F2), (0x060C, 0x060C), (0x061B, 0x061B), (0x061F, 0x064A), (0x066E, 0x06D5), (0x06EE, 0x06EF),
    (0x06FA, 0x06FC), (0x0710, 0x072F), (0x074D, 0x07B1), (0x07CA, 0x07EA), (0x0800, 0x0815), (0x0840, 0x0858),
    (0x0860, 0x08C9), (0xFB1D, 0xFDCF), (0xFDF0, 0xFDFC), (0xFE70, 0xFEFC), (0x10800, 0x10CFF), (0x10D00, 0x10D23),
    (0x10E80, 0x10FFF), (0x1E800, 0x1E943),
)  # fmt: skip
"""Letters and punctuation written from right to left: beside them LRM, RLM and ALM say to which side a sign belongs."""

COUNTED = Blocks(
    (0x0030, 0x0039), (0x0660, 0x0669), (0x06F0, 0x06F9), (0x0710, 0x074F), (0x0966, 0x096F), (0x11066, 0x1106F),
)  # fmt: skip
"""What a prepended sign stands around or above: digits, and Syriac letters."""
PREPENDED = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\U000110bd\U000110cd"

MONGOLIAN = Blocks((0x1800, 0x180A), (0x1820, 0x1878), (0x1880, 0x18AA))
"""Letters whose shape a variation selector chooses, or that a vowel separator sets apart."""

IDEOGRAPHS = Blocks((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
VARIED = Blocks(
    (0x2205, 0x2AFF), (0x1000, 0x109F), (0xA856, 0xA868), (0xAA60, 0xAA7F), (0x3001, 0x3002), (0xFF01, 0xFF1F),
    *IDEOGRAPHS.ranges,
)  # fmt: skip
"""What takes a standardized variant: mathematical signs, Myanmar, Phags-pa, punctuation of East Asia, ideographs."""

SELECTORS = Blocks((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
JAMO = Blocks((0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97C), (0xD7B0, 0xD7FB))
POINTS = Blocks((0x0591, 0x05C7), (0x064B, 0x065F), (0x0670, 0x0670), (0x06D6, 0x06ED))
HIEROGLYPHS = Blocks((0x13000, 0x1342F), (0x13443, 0x143FA))
SHORTHAND = Blocks((0x1BC00, 0x1BC9F))
MUSIC = Blocks((0x1D100, 0x1D158), (0x1D15A, 0x1D172), (0x1D17B, 0x1D1EA))
STEMS = Blocks((0x1D165, 0x1D172))
BRAILLE = Blocks((0x2801, 0x28FF))
KHITAN = Blocks((0x18B00, 0x18CFF))

SUBDIVISION_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
"""England, Scotland, Wales: the only flags in general use that are spelt with tag characters."""

_EDGES = frozenset(("", "\n", "\u00a0", "\u060c", "\u061b", "\u061f", "\u00ab", "\u00bb", "\u201c", "\u201d", "\u2026"))
_KEYCAP = "\u20e3"
_STYLES = "\ufe0e\ufe0f"
_SELECTORS = "\u180b\u180c\u180d\u180f"
_WORDS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_DENSE = re.compile("(?:[^\\s\u200c\u200d]{1,3}[\u200c\u200d]){5,}")
"""Five joiners in a row, at most three characters apart. No word is spelt so: they carry bits."""


class Page:
    """A text, and what is known of the line that was looked at last: places are asked in order."""

    __slots__ = ("_end", "_has", "_start", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._start, self._end = 0, -1
        self._has: dict[str, bool] = {}

    def has_right_to_left(self, at: int) -> bool:
        """Return whether the line of a place has a letter that is written from right to left."""
        return self._has_any(at, "right to left", RIGHT_TO_LEFT)

    def has_unspaced(self, at: int) -> bool:
        """Return whether the line of a place has a letter of a script without spaces."""
        return self._has_any(at, "unspaced", UNSPACED)

    def has_braille(self, at: int) -> bool:
        """Return whether the line of a place has Braille that is no blank."""
        return self._has_any(at, "braille", BRAILLE)

    def _has_any(self, at: int, name: str, blocks: Blocks) -> bool:
        self._turn_to(at)
        if name not in self._has:
            if name not in _compiled:
                _compiled[name] = re.compile(f"[{blocks.as_class()}]")
            self._has[name] = _compiled[name].search(self.text, self._start, self._end) is not None
        return self._has[name]

    def _turn_to(self, at: int) -> None:
        if self._start <= at <= self._end:
            return
        self._start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        self._end = len(self.text) if end < 0 else end
        self._has.clear()


_compiled: dict[str, re.Pattern[str]] = {}


def kept_tags(text: str) -> frozenset[int]:
    """Where tags spell a flag, or a registered selector chooses a variant of the ideograph before it."""
    if "tags" not in _compiled:
        _compiled["tags"] = re.compile(
            f"{'|'.join(SUBDIVISION_FLAGS)}"
            f"|(?<=[{IDEOGRAPHS.as_class()}])[\U000e0100-\U000e011f](?![\U000e0100-\U000e01ef\ufe00-\ufe0f])"
        )
    found = _compiled["tags"].finditer(text)
    return frozenset(at for match in found for at in range(match.start(), match.end()))


def tight_joiners(text: str) -> frozenset[int]:
    """Where joiners are so near to each other that they carry bits; those that a virama or an emoji asks for aren't."""
    found = []
    for match in _DENSE.finditer(text):
        for at in range(match.start() + 1, match.end()):
            if text[at] in "\u200c\u200d":
                before = text[at - 1]
                if ord(before) not in VIRAMAS and before not in _STYLES and before not in EMOJI:
                    found.append(at)
    return frozenset(found)


def _before(page: Page, at: int) -> str:
    return page.text[at - 1] if at else ""


def _after(page: Page, at: int) -> str:
    return page.text[at + 1 : at + 2]


def _is_styled(page: Page, at: int) -> bool:
    """A style after an emoji, or inside a keycap such as 1️⃣."""
    base = _before(page, at)
    return base in EMOJI or (base != "" and base in "0123456789#*" and _after(page, at) == _KEYCAP)


def _is_variant(page: Page, at: int) -> bool:
    """One of the first selectors after a sign that has standardized variants."""
    return _before(page, at) in VARIED and _after(page, at) not in SELECTORS


def _is_joined(page: Page, at: int) -> bool:
    """A joiner between emoji, between letters that need it, or at an edge of a word of such letters."""
    text = page.text
    previous, following = _before(page, at), _after(page, at)
    if previous in _SELECTORS and at > 1:
        previous = text[at - 2]
    if previous in JOINING:
        return following in JOINING or ord(previous) in VIRAMAS or _is_edge(following)
    if following in JOINING:
        return _is_edge(previous)
    if previous and previous in _STYLES and at > 1:
        previous = text[at - 2]
    return previous in EMOJI and following in EMOJI


def _is_edge(char: str) -> bool:
    """Whether a word may end or begin beside this: nothing, a line break, a space, punctuation."""
    return char in _EDGES or (" " <= char < "\x7f" and char not in _WORDS)


_TOO_MANY = "\u200b" * 3


def _breaks_line(page: Page, at: int) -> bool:
    """A zero-width space on a line of a script without spaces, up to three together, and inside no word of ASCII."""
    text = page.text
    before, after = text[max(at - 3, 0) : at], text[at + 1 : at + 4]
    previous, following = before.rstrip("\u200b")[-1:], after.lstrip("\u200b")[:1]
    if before == _TOO_MANY or after == _TOO_MANY:
        return False
    if (previous in _WORDS and following in _WORDS) or previous in _MARKS or following in _MARKS:
        return False
    return page.has_unspaced(at)


def _marks_direction(page: Page, at: int) -> bool:
    """LRM, RLM or ALM on a line with letters of Hebrew, Arabic or their like, once, and inside no word of ASCII."""
    previous, following = _before(page, at), _after(page, at)
    if (previous in _WORDS and following in _WORDS) or previous in _MARKS or following in _MARKS:
        return False
    return page.has_right_to_left(at)


_MARKS = frozenset("\u061c\u200e\u200f\u200b\u200c\u200d\u2060\ufeff")


def _is_shaped(page: Page, at: int) -> bool:
    """A Mongolian selector directly after a letter or sign of that script."""
    return _before(page, at) in MONGOLIAN


def _is_set_apart(page: Page, at: int) -> bool:
    """A vowel separator between Mongolian letters, of which the first may have a selector."""
    before = _before(page, at)
    if before and before in _SELECTORS and at > 1:
        before = page.text[at - 2]
    return before in MONGOLIAN and _after(page, at) in MONGOLIAN


def _is_prepended(page: Page, at: int) -> bool:
    return _after(page, at) in COUNTED


def _ends_verse(page: Page, at: int) -> bool:
    """The disputed end of an ayah, after Arabic."""
    text = page.text
    before = at - 2 if at > 1 and text[at - 1] == " " else at - 1
    return before >= 0 and (text[before] in JOINING or text[before] in POINTS)


def _is_page_break(page: Page, at: int) -> bool:
    text = page.text
    after = text[at + 1 : at + 3]
    return _before(page, at) == "\n" and (after[:1] == "\n" or after == "\r\n")


def _beside(blocks: Blocks) -> Callable[[Page, int], bool]:
    return lambda page, at: _before(page, at) in blocks or _after(page, at) in blocks


def _follows(blocks: Blocks) -> Callable[[Page, int], bool]:
    return lambda page, at: _before(page, at) in blocks


def _precedes(blocks: Blocks) -> Callable[[Page, int], bool]:
    return lambda page, at: _after(page, at) in blocks


def _chars(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


RULES: dict[str, Callable[[Page, int], bool]] = {
    **dict.fromkeys(_STYLES, _is_styled),
    **dict.fromkeys("\ufe00\ufe01\ufe02", _is_variant),
    **dict.fromkeys("\u200c\u200d", _is_joined),
    "\u200b": _breaks_line,
    **dict.fromkeys("\u200e\u200f\u061c", _marks_direction),
    **dict.fromkeys(_SELECTORS, _is_shaped),
    "\u180e": _is_set_apart,
    **dict.fromkeys(PREPENDED, _is_prepended),
    "\u08e2": _ends_verse,
    "\u2800": Page.has_braille,
    "\f": _is_page_break,
    "\u034f": _follows(POINTS),
    **dict.fromkeys("\u115f\u1160", _beside(JAMO)),
    **dict.fromkeys(_chars(0x13430, 0x1343F) + "\U00013441\U00013442", _beside(HIEROGLYPHS)),
    **dict.fromkeys(_chars(0x1BCA0, 0x1BCA3), _beside(SHORTHAND)),
    **dict.fromkeys(_chars(0x1D173, 0x1D17A), _beside(MUSIC)),
    "\U0001d159": _precedes(STEMS),
    "\U00016fe4": _beside(KHITAN),
}
"""Hidden character → whether the spelling needs it at a place. All others are surfaced wherever they stand."""
