"""Masks secrets in foreign text before anything of it touches a disk.

A mask is a plain word, REDACTED_GITHUB_TOKEN. It takes the place of the secret alone, inside its quotes and on its
line, so masked source still parses and keeps its line numbers. A mask is never masked again. A finder that knows
a vendor's shape would rather mask too much; one that goes by names and values, too little.
"""

from __future__ import annotations

from .assignments import assignment_spans
from .command_lines import command_spans
from .findings import Finding, line_at, tally
from .interrupted import through_literals
from .joints import through_joints
from .keyblocks import key_spans
from .names import secret_family
from .pairs import pair_spans
from .spans import TYPE_CHECKING, Span, disjoint, mask_of, replace
from .values import is_placeholder
from .vendors import vendor_spans
from .wire import wire_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

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
