"""Hidden characters made visible, so that what a person reads and what an agent was told are the same text.

Each becomes a plain literal such as `[U+202E RLO]`; words hidden in tags can be read from theirs: `[U+E0048 TAG:H]`.
Line structure is kept: tab, LF, CRLF and a page break alone on its line stay, while a lone CR, with which a terminal
overwrites a line, is surfaced. Emoji, keycaps, flags, and joiners inside Arabic and Indic words are legitimate.
"""

from __future__ import annotations

import re

from ccos_core.text.sanitize.spans import Finding, line_at, tally

from .hidden_table import (
    BOM,
    COUNTED,
    EMOJI,
    JOINING,
    MONGOLIAN,
    PLANE_14,
    PREPENDED,
    SUBDIVISION_FLAGS,
    VIRAMAS,
    describe,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
