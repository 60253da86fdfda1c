"""Unified diffs of two texts, without the time it takes to compare what is too different.

unified(["a"], ["b"], "x.py")  →  the lines `--- a/x.py`, `+++ b/x.py`, `@@ -1 +1 @@`, `-a`, `+b`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ccos_core.values.sheet import ends_alike

CONTEXT_LINES = 3
COMPARED_PAIRS = 4_000_000  # two blocks of 2,000 lines; larger ones are replaced as a whole

Block = tuple[int, int, int, int]
"""Changed lines: first and end in the text before, first and end in the text after, counted from 0."""


def unified(before: Sequence[str], after: Sequence[str], path: str, *, new: bool = False, gone: bool = False) -> str:
    """Return the unified diff of two texts' lines, without a line end at its end; empty if they are alike."""
    hunks = [line for each in _hunks(changed_blocks(before, after)) for line in _hunk(each, before, after)]
    if not hunks:
        return ""
    old, now = "/dev/null" if new else f"a/{path}", "/dev/null" if gone else f"b/{path}"
    return "\n".join([f"--- {old}", f"+++ {now}", *hunks])


def changed_blocks(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """Return what changed between two texts, in order."""
    head, tail = ends_alike(before, after)
    old, now = before[head : len(before) - tail], after[head : len(after) - tail]
    if not old and not now:
        return []
    if len(old) * len(now) > COMPARED_PAIRS:
        return [(head, head + len(old), head, head + len(now))]
    found = SequenceMatcher(None, old, now).get_opcodes()
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in found if tag != "equal"]


def _hunks(blocks: Sequence[Block]) -> list[list[Block]]:
    """Group the blocks whose context would touch."""
    hunks: list[list[Block]] = []
    for block in blocks:
        if hunks and block[0] - hunks[-1][-1][1] <= 2 * CONTEXT_LINES:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    return hunks


def _hunk(blocks: Sequence[Block], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    lead = min(CONTEXT_LINES, blocks[0][0])
    trail = min(CONTEXT_LINES, len(before) - blocks[-1][1])
    first, end = blocks[0][0] - lead, blocks[-1][1] + trail
    now, now_end = blocks[0][2] - lead, blocks[-1][3] + trail
    yield f"@@ -{_range(first, end)} +{_range(now, now_end)} @@"
    at = first
    for begin, stop, added, added_end in blocks:
        yield from (" " + line for line in before[at:begin])
        yield from ("-" + line for line in before[begin:stop])
        yield from ("+" + line for line in after[added:added_end])
        at = stop
    yield from (" " + line for line in before[at:end])


def _range(first: int, end: int) -> str:
    size = end - first
    return f"{first + 1 if size else first}{'' if size == 1 else f',{size}'}"
