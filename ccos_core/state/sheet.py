"""What is known of one file's text, line by line: shown whole, pieced together from slices, or changed by edits.

Each line is `delivered` (its text was given as it stands), `patched` (an edit put it there), `inferred` (it was known
before something around it turned out to be other than thought) or `unknown`. A change of a sheet is another sheet.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from ccos_core.values.canon import digest

DELIVERED, PATCHED, INFERRED, UNKNOWN = "delivered", "patched", "inferred", "unknown"
FARTHEST = 100_000
"""The last line anything is placed at; a slice that claims to begin beyond says nothing about a real file."""

Run = tuple[int, int, str]
"""First line, last line, how they are known."""


@dataclass(frozen=True)
class Sheet:
    """One state of one file's text."""

    lines: tuple[str, ...]
    """Unknown ones are empty, so that what stands below them keeps its place."""

    runs: tuple[Run, ...]
    """Every line once, in order, neighbours different."""

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def name(self) -> str:
        """The hash of the text, in hex; a content shown whole has the hash the record knows it by."""
        return digest(self.text.encode("utf-8", "surrogatepass")).hex()

    @property
    def whole(self) -> bool:
        """Whether no line is missing."""
        return all(kind != UNKNOWN for _, _, kind in self.runs)


BLANK = Sheet((), ())


def shown(text: str) -> Sheet:
    """A file given in full."""
    lines = _lines(text)
    return Sheet(lines, ((1, len(lines), DELIVERED),))


def written(text: str) -> Sheet:
    """A file somebody wrote in full."""
    lines = _lines(text)
    return Sheet(lines, ((1, len(lines), PATCHED),))


def edited(before: Sheet, text: str) -> Sheet:
    """A file given in full after an edit: what the edit changed is patched."""
    lines = _lines(text)
    same_head, same_tail = _alike(before.lines, lines)
    changed = len(lines) - same_head - same_tail
    return Sheet(lines, _runs([DELIVERED] * same_head + [PATCHED] * changed + [DELIVERED] * same_tail))


def read_in_part(before: Sheet, first: int, text: str) -> Sheet:
    """Lines from `first` on were shown. Where they aren't what was known, the rest of it may have moved as well."""
    new = _slice(text)
    over = _over(before, first, len(new))
    if over is None:
        return before
    lines, kinds, end = over
    start = first - 1
    known = [(line, new[at]) for at, line in enumerate(lines[start:end]) if kinds[start + at] != UNKNOWN]
    if any(line != now for line, now in known):
        kinds = _guessed(kinds)
    return _laid(lines, kinds, start, new, [DELIVERED] * len(new))


def edited_in_part(before: Sheet, first: int, text: str) -> Sheet:
    """An edit left these lines from `first` on; how many it took away nobody said, so what follows is a guess."""
    new = _slice(text)
    over = _over(before, first, len(new))
    if over is None:
        return before
    lines, kinds, end = over
    start = first - 1
    same = [at < end and (lines[at], kinds[at]) == (line, DELIVERED) for at, line in enumerate(new, start)]
    kinds[end:] = _guessed(kinds[end:])
    return _laid(lines, kinds, start, new, [DELIVERED if each else PATCHED for each in same])


def replaced(before: Sheet, old: str, new: str, everywhere: bool = False) -> Sheet | None:
    """An edit put `new` where `old` stood; None where that can't be retraced, as `old` isn't there or isn't unique."""
    text = before.text
    count = text.count(old) if old else 0
    if count == 0 or (count > 1 and not everywhere):
        return None
    pieces = text.split(old)
    lines, kinds = _lines(new.join(pieces)), list(_kinds(before))
    found: list[str] = []
    at = 0
    for place, piece in enumerate(pieces):
        inside = piece.count("\n")
        if place:  # the line the edit ends on and this piece goes on with is the edit's
            found[-1:] = [PATCHED] * (1 + new.count("\n"))
            at += old.count("\n")
            found += kinds[at + 1 : at + 1 + inside]
        else:
            found += kinds[: inside + 1]
        at += inside
    return Sheet(lines, _runs(found))


def changed_lines(before: Sheet, after: Sheet) -> list[tuple[int, int]]:
    """Spans of `after` (both ends in) that aren't in `before`, from the first difference to the last; empty where a
    part was only taken away, which shows as the line it was taken from in front of."""
    if before.lines == after.lines:
        return []
    head, tail = _alike(before.lines, after.lines)
    first, last = head + 1, len(after.lines) - tail
    if first > last:
        first = last = min(max(first, 1), max(len(after.lines), 1))
    return [(first, last)]


def _over(before: Sheet, first: int, size: int) -> tuple[list[str], list[str], int] | None:
    """(lines, kinds, end of the slice in them) of a sheet that reaches to where a slice begins."""
    start = first - 1
    if not 0 <= start < FARTHEST:
        return None
    lines, kinds = list(before.lines), list(_kinds(before))
    missing = start - len(lines)
    lines += [""] * missing
    kinds += [UNKNOWN] * missing
    return lines, kinds, min(start + size, len(lines))


def _laid(lines: list[str], kinds: list[str], start: int, new: tuple[str, ...], marks: list[str]) -> Sheet:
    end = start + len(new)
    return Sheet((*lines[:start], *new, *lines[end:]), _runs([*kinds[:start], *marks, *kinds[end:]]))


def _guessed(kinds: list[str]) -> list[str]:
    return [kind if kind == UNKNOWN else INFERRED for kind in kinds]


def _slice(text: str) -> tuple[str, ...]:
    return _lines(text.removesuffix("\n"))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


def _alike(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines both begin with, and how many of what is left they end with."""
    most = min(len(before), len(after))
    head = bisect_left(range(1, most + 1), True, key=lambda size: before[:size] != after[:size])
    left, until, end = most - head, len(before), len(after)
    tail = bisect_left(range(1, left + 1), True, key=lambda size: before[until - size :] != after[end - size :])
    return head, tail


def _kinds(sheet: Sheet) -> Iterator[str]:
    for first, last, kind in sheet.runs:
        yield from [kind] * (last - first + 1)


def _runs(kinds: Iterable[str]) -> tuple[Run, ...]:
    found: list[Run] = []
    at = 0
    for kind, group in groupby(kinds):
        size = sum(1 for _ in group)
        found.append((at + 1, at + size, kind))
        at += size
    return tuple(found)
