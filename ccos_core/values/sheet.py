"""What is known of one file's text, line by line: shown whole, pieced together from slices, or changed by edits.

Each line is `delivered` (its text was given as it stands), `patched` (an edit put it there), `inferred` (it was known
before something around it turned out to be other than thought) or `unknown`. A change of a sheet is another sheet.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, count, groupby
from operator import itemgetter, ne

from ccos_core.values.canon import digest

DELIVERED, PATCHED, INFERRED, UNKNOWN = "delivered", "patched", "inferred", "unknown"
FARTHEST = 100_000
"""The last line anything is placed at; a slice that claims to begin beyond says nothing about a real file."""

Run = tuple[int, int, str]
"""First line, last line, how they are known."""
Mark = tuple[int, str]
"""How many lines, and how they are known."""


@dataclass(frozen=True)
class Sheet:
    """One state of one file's text."""

    lines: tuple[str, ...]
    """Unknown ones are empty, so that what stands below them keeps its place."""

    runs: tuple[Run, ...]
    """Every line once, in order, neighbours different."""

    ended: bool = False
    """Whether it is known that nothing follows the last line."""

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
    lines = lines_of(text)
    return Sheet(lines, ((1, len(lines), DELIVERED),), ended=True)


def written(text: str) -> Sheet:
    """A file somebody wrote in full."""
    lines = lines_of(text)
    return Sheet(lines, ((1, len(lines), PATCHED),), ended=True)


def edited(before: Sheet, text: str) -> Sheet:
    """A file given in full after an edit: what the edit changed is patched."""
    lines = lines_of(text)
    same_head, same_tail = ends_alike(before.lines, lines)
    changed = len(lines) - same_head - same_tail
    found: list[Run] = []
    end = 0
    for size, kind in ((same_head, DELIVERED), (changed, PATCHED), (same_tail, DELIVERED)):
        if size:
            _join(found, (end + 1, end + size, kind))
            end += size
    return Sheet(lines, tuple(found), ended=True)


def read_in_part(before: Sheet, first: int, text: str) -> Sheet:
    """Lines from `first` on were shown. Where they aren't what was known, the rest of it may have moved as well."""
    new, start = _slice(text), first - 1
    if not 0 <= start < FARTHEST:
        return before
    ended = before.ended and start + len(new) <= len(before.lines)
    before = _reaching(before, start)
    runs = _guessed(before.runs) if _contradicts(before, start, new) else before.runs
    return _laid(before.lines, runs, start, new, [(len(new), DELIVERED)], start + len(new), ended)


def edited_in_part(before: Sheet, first: int, text: str, took: int | None = None) -> Sheet:
    """An edit left these lines from `first` on, in the place of `took` others. Where nobody said how many it took away,
    it is held to be as many, and what follows is a guess."""
    new, start = _slice(text), first - 1
    if not 0 <= start < FARTHEST:
        return before
    ended = before.ended and start < len(before.lines)
    before = _reaching(before, start)
    size = len(before.lines)
    end = min(start + (len(new) if took is None else max(took, 0)), size)
    head, tail = ends_alike(before.lines[start:end], new)
    above, below = _still(before.runs, start, start + head), _still(before.runs, end - tail, end)
    marks = [*above, (len(new) - head - tail, PATCHED), *below]
    runs = before.runs
    if took is None:
        runs = (*_cut(runs, 0, end), *_guessed(_cut(runs, end, size)))
    return _laid(before.lines, runs, start, new, marks, end, ended)


def doubted(before: Sheet) -> Sheet:
    """Something may have changed it: what was known of it is a guess."""
    return Sheet(before.lines, tuple(_guessed(before.runs)))


def replaced(before: Sheet, old: str, new: str, everywhere: bool = False) -> Sheet | None:
    """An edit put `new` where `old` stood; None where that can't be retraced, as `old` isn't there or isn't unique."""
    text = before.text
    count = text.count(old) if old else 0
    if count == 0 or (count > 1 and not everywhere):
        return None
    pieces = text.split(old)
    lines, kinds = lines_of(new.join(pieces)), list(_kinds(before))
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
    return Sheet(lines, _runs(found), before.ended)


def changed_lines(before: Sheet, after: Sheet) -> list[tuple[int, int]]:
    """Spans of `after` (both ends in) that aren't in `before`, from the first difference to the last; empty where a
    part was only taken away, which shows as the line it was taken from in front of."""
    if before.lines == after.lines:
        return []
    head, tail = ends_alike(before.lines, after.lines)
    first, last = head + 1, len(after.lines) - tail
    if first > last:
        first = last = min(max(first, 1), max(len(after.lines), 1))
    return [(first, last)]


def ends_alike(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many lines both begin with, and how many of what is left they end with."""
    most = min(len(one), len(other))
    head = next(compress(count(), map(ne, one, other)), most)
    tail = next(compress(count(), map(ne, reversed(one), reversed(other))), most)
    return head, min(tail, most - head)


def _reaching(sheet: Sheet, start: int) -> Sheet:
    """A sheet that reaches to where a slice begins."""
    size = len(sheet.lines)
    if size >= start:
        return sheet
    return _laid(sheet.lines, sheet.runs, size, ("",) * (start - size), [(start - size, UNKNOWN)], size)


def _contradicts(sheet: Sheet, start: int, new: tuple[str, ...]) -> bool:
    """Whether any of these lines isn't what is known of it."""
    known = (run for run in _cut(sheet.runs, start, start + len(new)) if run[2] != UNKNOWN)
    return any(sheet.lines[first - 1 : last] != new[first - 1 - start : last - start] for first, last, _ in known)


def _laid(
    lines: tuple[str, ...],
    runs: Sequence[Run],
    start: int,
    new: tuple[str, ...],
    marks: Iterable[Mark],
    end: int,
    ended: bool = False,
) -> Sheet:
    """New lines in the place of others. Costs as much as there are runs, and hardly anything for each line."""
    found, at = _cut(runs, 0, start), start
    for size, kind in marks:
        if size:
            _join(found, (at + 1, at + size, kind))
            at += size
    rest, moved = _cut(runs, end, len(lines)), start + len(new) - end
    if moved:
        rest = [(first + moved, last + moved, kind) for first, last, kind in rest]
    if rest:
        _join(found, rest[0])
        found += rest[1:]
    return Sheet((*lines[:start], *new, *lines[end:]), tuple(found), ended)


def _join(runs: list[Run], run: Run) -> None:
    """Go on with the last run, or begin another."""
    if runs and runs[-1][2] == run[2]:
        runs[-1] = (runs[-1][0], run[1], run[2])
    else:
        runs.append(run)


def _cut(runs: Sequence[Run], start: int, end: int) -> list[Run]:
    """Those of some lines, from behind `start` to `end`."""
    low = bisect_left(runs, start + 1, key=itemgetter(1))
    found = list(runs[low : bisect_left(runs, end + 1, key=itemgetter(0))])
    if found and start < end:
        found[0] = (max(found[0][0], start + 1), *found[0][1:])
        found[-1] = (found[-1][0], min(found[-1][1], end), found[-1][2])
    return found if start < end else []


def _still(runs: Sequence[Run], start: int, end: int) -> Iterator[Mark]:
    """How lines are known that an edit wrote again as they were."""
    for first, last, kind in _cut(runs, start, end):
        yield last - first + 1, DELIVERED if kind == DELIVERED else PATCHED


def _guessed(runs: Sequence[Run]) -> list[Run]:
    found: list[Run] = []
    for first, last, kind in runs:
        _join(found, (first, last, kind if kind == UNKNOWN else INFERRED))
    return found


def _slice(text: str) -> tuple[str, ...]:
    return lines_of(text.removesuffix("\n"))


@lru_cache(maxsize=4)  # a text that was edited is taken apart for its sheet, its page and those it is compared with
def lines_of(text: str) -> tuple[str, ...]:
    """A text, line by line."""
    return tuple(text.split("\n"))


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
