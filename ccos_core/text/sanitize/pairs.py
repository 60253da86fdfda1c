"""Finds values that stand beside their name instead of behind it: `- name: X_PASSWORD` with `value: ...`, and its kin.

Kubernetes, Compose, CloudFormation and XML settings write them so, on one line or on two.
"""

from __future__ import annotations

from .lazy import Lazy
from .names import secret_family
from .spans import TYPE_CHECKING, Span
from .values import LINE, can_be_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK = r"\\{0,3}[\"'`]?"
_GAP = r"(?:[ \t,]|(?:\r?\n|\\{1,3}n|\\{1,3}r)(?:[ \t]{0,8}[0-9]{1,6}(?:→|\t|\\{1,3}t|:))?){1,60}"
_NAME = Lazy(
    rf"(?i)(?:name|key|variable)(?:{_MARK}[ \t]{{0,4}}[:=][ \t]{{0,4}}| ){_MARK}([A-Za-z0-9_.\-]{{3,64}}){_MARK}"
    rf"(?:[ \t]{{0,2}}\{{)?{_GAP}(?:[^\n]{{0,40}}\n[ \t0-9→:]{{0,40}})?{_MARK}$"
)
"""What stands before `value`, up to it."""
_VALUE = Lazy(rf"(?i)(?:value|default){_MARK}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_MARK}([^\s\"'`<>,}}\\]{{3,4096}})")
_FAR = 160
"""Characters before `value` in which its name stands."""


def pair_spans(text: str, lower: bytes) -> Iterator[Span]:
    """The values of such pairs; `lower` is the text in small ASCII, one byte per character."""
    for needle in (b"value", b"default"):
        start = lower.find(needle)
        while start >= 0:
            span = _paired(text, lower, start)
            if span is not None:
                yield span
            start = lower.find(needle, start + len(needle))


def _paired(text: str, lower: bytes, start: int) -> Span | None:
    low = max(start - _FAR, 0)
    if not any(lower.find(word, low, start) >= 0 for word in (b"name", b"key", b"variable")):
        return None
    found = _VALUE().match(text, start)
    if found is None:
        return None
    named = _NAME().search(text[low:start])
    family = secret_family(named[1]) if named is not None else None
    if family is None or not can_be_secret(family, found[1], LINE):
        return None
    return found.start(1), found.end(1), family
