"""A text with some of its lines left out, and a marker in their place by which they can be fetched.

    short = without_lines("log", text, kept={0, 1, 9}, ref="1a2b3c4d5e6f")
    short.text     # "first\\nsecond\\n[ccr 1a2b3c4d5e6f:3-9 7 lines, 120 tokens]\\nlast"

A reference is what `ccos_retrieve` takes: the start of a content's hash, and lines counted from 1. Lines end at LF
alone, as they do there. A run of lines is left out only if its marker is shorter.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import groupby

from ccos_core.text.compress.prose import facts_in
from ccos_core.values.tokens import line_parts, tokens

REFERENCE_DIGITS = 12
MARKER = re.compile(r"\[ccr ([0-9a-f]{8,64}):([1-9]\d*)-([1-9]\d*) (\d+) lines?, (\d+) tokens\]")
"""Its groups: the start of the hash, first and last line, how many lines these are, and about how many tokens."""
LEAST_GAIN_TOKENS = 8
"""What leaving out a run of lines saves at least."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines of the original that aren't shown."""

    first: int
    """Counted from 1."""

    last: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Shortened:
    """A text as it is shown, and what it leaves out."""

    kind: str
    text: str
    gaps: tuple[Gap, ...] = ()


def marker(ref: str, gap: Gap) -> str:
    """Return the line that stands for a gap."""
    size = gap.last - gap.first + 1
    return f"[ccr {ref}:{gap.first}-{gap.last} {size} line{'' if size == 1 else 's'}, {gap.tokens} tokens]"


def without_lines(kind: str, text: str, kept: Container[int], ref: str) -> Shortened | None:
    """Leave out all lines but these, which are counted from 0; None if nothing is gained."""
    lines = text.split("\n")
    shown: list[str] = []
    gaps: list[Gap] = []
    for is_kept, run in groupby(range(len(lines)), kept.__contains__):
        span = list(run)
        gap = None if is_kept else _gap(lines, span, ref)
        if gap is None:
            shown.extend(lines[at] for at in span)
        else:
            gaps.append(gap)
            shown.append(marker(ref, gap))
    return Shortened(kind, "\n".join(shown), tuple(gaps)) if gaps else None


def lost_facts(text: str, short: Shortened) -> Iterator[str]:
    """Yield the paths, identifiers, error codes and numbers that are neither shown nor in lines behind a marker."""
    lines = text.split("\n")
    behind = "\n".join(line for gap in short.gaps for line in lines[gap.first - 1 : gap.last])
    present = {*facts_in(short.text), *facts_in(behind)}
    return (fact for fact in facts_in(text) if fact not in present)


def _gap(lines: list[str], span: list[int], ref: str) -> Gap | None:
    parts = sum(line_parts(lines[at]) for at in span)
    gap = Gap(span[0] + 1, span[-1] + 1, tokens(parts))
    return gap if gap.tokens - tokens(line_parts(marker(ref, gap))) >= LEAST_GAIN_TOKENS else None
