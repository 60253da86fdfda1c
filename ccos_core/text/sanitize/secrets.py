"""Mask secrets in foreign text before any of it touches a disk; private keys line by line.

A mask is a plain word, REDACTED_GITHUB_TOKEN. It takes the place of the secret alone, inside its quotes and on its
line, so masked source still parses and keeps its line numbers. A mask is never masked again. A finder that knows a
vendor's shape would rather mask too much; one that goes by names and values, too little.

Of private keys (PEM, OpenSSH, PGP, PuTTY, whole or cut off, over many lines or on one) only the base64 is masked.
Public keys and certificates are no secrets.
"""

from __future__ import annotations

from ccos_core.text.sanitize.assignments import assignment_spans, pair_spans
from ccos_core.text.sanitize.joints import through_joints, through_literals
from ccos_core.text.sanitize.spans import Finding, Lazy, Span, disjoint, line_at, mask_of, replace, tally
from ccos_core.text.sanitize.values import is_placeholder, secret_family
from ccos_core.text.sanitize.vendors import vendor_spans
from ccos_core.text.sanitize.wire import command_spans, wire_spans

TYPE_CHECKING = False
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


_ROUNDS = 8


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """The text with every secret masked. A text without one comes back as the same object."""
    found: list[Finding] = []
    for _ in range(_ROUNDS):  # a mask changes what stands beside it: the last round finds nothing
        spans = disjoint((*_secrets(text), *through_literals(text, _secrets), *through_joints(text, _secrets)))
        if not spans:
            break
        found += _findings(text, spans)
        text = replace(text, spans)
    return text, tally(found)


def mask_value(key: str, value: str) -> str:
    """What to store for a string under a name: its mask if the name is a secret's, the value if it is a stand-in."""
    family = secret_family(key)
    return value if family is None or is_placeholder(value) else mask_of(family)


def _findings(text: str, spans: list[Span]) -> Iterator[Finding]:
    first: set[str] = set()
    for start, _, name in spans:
        if name not in first:
            first.add(name)
            yield f"secret:{name}", sum(other == name for _, _, other in spans), line_at(text, start)


def _secrets(text: str) -> Iterator[Span]:
    """From the surest finder to the vaguest; where two overlap, the first gives the name."""
    flat = text.encode("ascii", "replace")
    lower = flat.lower()
    yield from key_spans(text)
    yield from vendor_spans(text, flat)
    yield from wire_spans(text, flat, lower)
    yield from command_spans(text, lower)
    yield from pair_spans(text, lower)
    yield from assignment_spans(text, lower)
