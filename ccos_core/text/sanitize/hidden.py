"""Hidden characters made visible, so that what a person reads and what an agent was told are the same text.

Each becomes a plain literal such as `[U+202E RLO]`; words hidden in tags can be read from theirs: `[U+E0048 TAG:H]`.
Line structure is kept: tab, LF, CRLF and a page break alone on its line stay, while a lone CR, with which a terminal
overwrites a line, is surfaced. Emoji, keycaps, flags, and joiners inside Arabic and Indic words are legitimate.
"""

from __future__ import annotations

from .findings import Finding, line_at, tally
from .hidden_table import BOM, EMOJI, JOINING, PLANE_14, SUBDIVISION_FLAGS, VIRAMAS, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n"
_KEYCAP = "\u20e3"
_STYLES = "\ufe0e\ufe0f"
_JOINERS = "\u200c\u200d"


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
    return char in _STYLES or char in _JOINERS or char in "\r\f" or char >= PLANE_14


def _surface_in_context(text: str, suspects: list[str], found: list[Finding]) -> str:
    """What is legitimate between the right neighbours. Styles come before joiners, which look back over them."""
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
    bare = text
    for flag in SUBDIVISION_FLAGS:
        bare = bare.replace(flag, flag[0])
    for char in tags:
        described = describe(ord(char))
        first = bare.find(char)
        if described is None or first < 0:
            continue
        kind, table[ord(char)] = described
        found.append((kind, bare.count(char), line_at(bare, first)))
    return _translate_between_flags(text, table, SUBDIVISION_FLAGS) if table else text


def _translate_between_flags(text: str, table: dict[int, str], flags: tuple[str, ...]) -> str:
    if not flags:
        return text.translate(table)
    flag, *others = flags
    return flag.join(_translate_between_flags(piece, table, tuple(others)) for piece in text.split(flag))


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
_RULES: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    *((char, _is_styled) for char in _STYLES),
    *((char, _is_joined) for char in _JOINERS),
    ("\r", _is_line_end),
    ("\f", _is_page_break),
)
