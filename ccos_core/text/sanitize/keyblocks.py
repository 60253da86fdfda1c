"""Finds the inner lines of private keys: PEM, OpenSSH, PGP, PuTTY, whole or cut off, over many lines or on one.

Written on one line the breaks are a backslash and an n, inside some string; in a program the lines may be quoted each
by itself. Only the base64 is masked, so BEGIN and END, quotes and line breaks stay where they are. Public keys and
certificates are no secrets.
"""

from __future__ import annotations

from .lazy import Lazy
from .spans import TYPE_CHECKING, Span

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# A diff that takes a key away has its own dashes before the key's.
_BEGIN = Lazy(r"-{4,8} ?BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_PUTTY = Lazy(r"Private-Lines: [0-9]+")
_BREAK = r"(?:\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n)"
_EDGE = r"(?:[ \t\"'`+.,>|*#;()\\]|-{1,2}(?!-)){0,40}"
# From the end of one inner line to the next: its quotes, breaks, blank lines and line numbers; or one space, where a
# shell has joined the lines.
_BETWEEN = Lazy(rf"(?:{_EDGE}{_BREAK}(?:[ \t]{{0,8}}[0-9]{{1,6}}(?:→|\t|: ?))?)+{_EDGE}|[ ]+(?=[A-Za-z0-9+/]{{40}})")
_HEADING = Lazy(r"[A-Z][A-Za-z-]{2,20}: [^\n\\\"']{0,200}")
_INNER = Lazy(rf"(?:[A-Za-z0-9+/=]|\\/)+(?=[ \t]*(?:$|{_BREAK}|[\"'`]|-----))|[A-Za-z0-9+/=]{{40,}}(?= )")
_FIRST_AT_LEAST = 12


def key_spans(text: str) -> Iterator[Span]:
    """The secret stretches of every private key in a text, one per inner line."""
    if "PRIVATE KEY" in text:
        yield from _blocks(text, "---", _BEGIN, "private-key")
    if "Private-Lines: " in text:
        yield from _blocks(text, "Private-Lines: ", _PUTTY, "private-key")


def _blocks(text: str, word: str, begin: Lazy, name: str) -> Iterator[Span]:
    start = text.find(word)
    while start >= 0:
        opened = begin().match(text, start)
        position = opened.end() if opened else start + len(word)
        if opened:
            for inner in _inner_lines(text, position):
                yield inner.start(), inner.end(), name
                position = inner.end()
        start = text.find(word, position)


def _inner_lines(text: str, position: int) -> Iterator[re.Match[str]]:
    first, headings = True, 0
    while headings < 12:
        gap = _BETWEEN().match(text, position)
        if not gap:
            return
        heading = _HEADING().match(text, gap.end())
        if heading:
            position, headings = heading.end(), headings + 1
            continue
        inner = _INNER().match(text, gap.end())
        if not inner or (first and len(inner[0]) < _FIRST_AT_LEAST):
            return
        yield inner
        first, position = False, inner.end()
