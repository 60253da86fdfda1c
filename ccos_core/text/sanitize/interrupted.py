"""Looks through the literals of hidden characters, so that a secret they cut in pieces is found as a whole.

It reads what `hidden` has written, `[U+200B ZWSP]` and its like, in a text of this or of an earlier pass alike: what is
masked never depends on how often a text was cleaned.
"""

from __future__ import annotations

from .lazy import Lazy
from .spans import TYPE_CHECKING, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# A colour switch leaves its parameters behind the escape: they are cut out with it.
_LITERAL = Lazy(
    r"\[U\+001B ESC\](?:\[[0-9;?]{0,24}[A-Za-z])?|\[U\+[0-9A-F]{4,6} [^\s\[\]]{1,16}\]|\[BYTE 0x[0-9A-F]{2}\]"
)
_TAG = Lazy(r"\[U\+E00[0-9A-F]{2} TAG:(.)\]")


def through_literals(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """What `find` finds once the literals are cut out, and once hidden tags are read, placed in the text as it is."""
    if "[U+" not in text and "[BYTE 0x" not in text:
        return
    yield from _placed(text, _LITERAL, find, read=False)
    if " TAG:" in text:
        yield from _placed(text, _TAG, find, read=True)


def _placed(text: str, literal: Lazy, find: Callable[[str], Iterable[Span]], *, read: bool) -> Iterator[Span]:
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
