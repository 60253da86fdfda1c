"""Find secrets that are cut in pieces: by literals of hidden characters, or at the joints of a text put together.

Literals are what `hidden` has written, `[U+200B ZWSP]` and its like, in this pass or an earlier one, so what is masked
never depends on how often a text was cleaned. A joint is `" + "`, two strings side by side, a continued line, or an
escape that a colour left in a JSON string. Only text near a joint is looked at again, and each piece of a secret is
masked by itself, so masked source still parses.
"""

from __future__ import annotations

from ccos_core.text.sanitize.spans import Lazy, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# A colour switch leaves its parameters behind the escape: they are cut out with it.
_LITERAL = Lazy(
    r"\[U\+001B ESC\](?:\[[0-9;?]{0,24}[A-Za-z])?|\[U\+[0-9A-F]{4,6} [^\s\[\]]{1,16}\]|\[BYTE 0x[0-9A-F]{2}\]"
)
_TAG = Lazy(r"\[U\+E00[0-9A-F]{2} TAG:(.)\]")


def without_literals(text: str, instead: str = "") -> str:
    """Return a cleaned text without what stands for its hidden characters and colours."""
    return _LITERAL().sub(instead, text) if "[U+" in text or "[BYTE 0x" in text else text


def through_literals(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """What `find` finds once the literals are cut out, and once hidden tags are read, placed in the text as it is."""
    if "[U+" not in text and "[BYTE 0x" not in text:
        return
    yield from _placed_literals(text, _LITERAL, find, read=False)
    if " TAG:" in text:
        yield from _placed_literals(text, _TAG, find, read=True)


def _placed_literals(text: str, literal: Lazy, find: Callable[[str], Iterable[Span]], *, read: bool) -> Iterator[Span]:
    """Place what `find` finds in the cut text. Where each piece stood is worked out only if it finds anything: UTF-16
    read as UTF-8 has a literal for every character."""
    cut = literal().sub(r"\1" if read else "", text)
    if len(cut) == len(text):
        return
    if spans := sorted(find(cut)):
        yield from _mapped(spans, _places(text, literal, read=read))


def _places(text: str, literal: Lazy, *, read: bool) -> list[tuple[int, int]]:
    """Return (place in the cut text, place in the text) where each piece begins."""
    places: list[tuple[int, int]] = []
    length = position = 0
    for match in literal().finditer(text):
        for start, end in ((position, match.start()), match.span(1) if read else (0, 0)):
            if end > start:
                places.append((length, start))
                length += end - start
        position = match.end()
    places.append((length, position))
    return places


def _mapped(spans: list[Span], places: list[tuple[int, int]]) -> Iterator[Span]:
    index = 0
    for start, end, name in spans:
        while index + 1 < len(places) and places[index + 1][0] <= start:
            index += 1
        last = index
        while last + 1 < len(places) and places[last + 1][0] < end:
            last += 1
        yield places[index][1] + start - places[index][0], places[last][1] + end - places[last][0], name


_NUMBER = r"(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|\\{1,3}t|:))?"
"""As tools print it in front of a line."""
_BREAK = rf"(?:\r?\n|\\{{1,3}}n){_NUMBER}"
_SECOND = (
    rf"[ \t]{{0,4}}(?:[+.&][ \t]{{0,4}}|\\{{1,3}}(?=\n))?(?:{_BREAK}[ \t]{{0,40}}(?:\+[ \t]{{0,4}})?)?"
    r"[fbru]?\\{0,3}[\"'`]"
)
"""From the quote that ends one string to the one that begins the next, for which nothing but an operator may stand."""
_ESCAPES = r"(?:u001b|x1b|033|e)\[[0-9;]{0,16}m|u200[b-f]|u2060|ufeff|u00ad"
# It begins with a class of characters, so that the search for it skips all others. The class behind a quote is what
# _SECOND can begin with: most quotes end there.
_JOINT = Lazy(
    rf"[\\\"'`](?:(?<=[\"'`])(?=[ \t+.&\\\r\nfbru\"'`]){_SECOND}|(?<=\\)\\{{0,2}}"
    rf"(?:[\"'`]{_SECOND}|(?:(?<=\\)\n{_NUMBER}|{_BREAK})[ \t]{{0,40}}|{_ESCAPES}))"
)
_BODY = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.")
_LEAST = 4
"""Characters of a secret that stand on either side of a joint, at least."""
NEAR = 160
"""Characters on either side of a joint that are looked at."""


def through_joints(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """What `find` finds in the neighbourhoods of joints once these are cut out, piece by piece, placed in the text."""
    joints = [match.span() for match in _JOINT().finditer(text) if _cuts(text, *match.span())]
    if not joints:
        return
    pieces, places, length = [], [], 0  # places: (place in the cut text, place in the text, size) of each piece
    end = 0
    for number, (start, stop) in enumerate(joints):
        begin = max(end, start - NEAR)
        if begin > end or not number:
            pieces.append("\n\n")
            length += 2
        following = joints[number + 1][0] if number + 1 < len(joints) else len(text)
        after = min(stop + NEAR, following - NEAR if following - stop > 2 * NEAR else following)
        after = max(after, stop)
        for first, last in ((begin, start), (stop, after)):
            if last > first:
                pieces.append(text[first:last])
                places.append((length, first, last - first))
                length += last - first
        end = after
    yield from _placed(sorted(find("".join(pieces))), places)


def _cuts(text: str, start: int, stop: int) -> bool:
    """Whether what stands on both sides can be parts of one secret."""
    if not _BODY.issuperset(text[max(start - _LEAST, 0) : start]):
        return False
    return text[stop - 1] == "m" or _BODY.issuperset(text[stop : stop + _LEAST])  # a colour may end behind a secret


def _placed(spans: list[Span], places: list[tuple[int, int, int]]) -> Iterator[Span]:
    """Each span as its parts in the text; without those that no joint cuts, for they are found anyway."""
    index = 0
    for start, stop, name in spans:
        while index + 1 < len(places) and places[index + 1][0] <= start:
            index += 1
        parts = []
        for place, real, size in places[index:]:
            if place >= stop:
                break
            first, last = max(start, place), min(stop, place + size)
            if last > first:
                parts.append((real + first - place, real + last - place, name))
        if any(parts[at][1] != parts[at + 1][0] for at in range(len(parts) - 1)):
            yield from parts
