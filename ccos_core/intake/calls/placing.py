"""Where in a file an edit took place, as far as the lines that are known of it tell.

An edit is told by the text it replaced or by the places of a patch. Both become `Edit`s: from this line on, these lines
took the place of so many. They are in the order they are to be applied, each placed in the file the ones before left.
An edit that only takes lines away keeps one beside them, so that it has something to stand at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ccos_core.intake.calls.effects import Hunk, Patched, Replaced
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import Sheet


class Edit(NamedTuple):
    """Lines that took the place of others."""

    first: int
    new: tuple[str, ...]
    """Never empty."""
    took: int


def edits_of(before: Sheet, effect: Replaced | Patched) -> list[Edit] | None:
    """The edits an effect was; None where one of them can't be placed."""
    return _replaced(before, effect) if isinstance(effect, Replaced) else _patched(before, effect)


def _replaced(before: Sheet, effect: Replaced) -> list[Edit] | None:
    after = sheets.replaced(before, effect.old, effect.new, effect.everywhere)
    if after is not None:
        return [_one(before.lines, after.lines)]
    if not effect.everywhere and effect.line is not None and effect.line >= 1:
        old, new = _lines(effect.old), _lines(effect.new)
        return [Edit(effect.line, new, len(old))]
    return None


def _one(before: Sequence[str], after: Sequence[str]) -> Edit:
    """What makes one text of another, from the first line that differs to the last."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    left = most - head
    tail = next((at for at in range(left) if before[-1 - at] != after[-1 - at]), left)
    if head + tail >= len(after):  # something has to stand there
        head, tail = (head - 1, tail) if head else (head, max(tail - 1, 0))
    return Edit(head + 1, tuple(after[head : len(after) - tail]), len(before) - head - tail)


def _patched(before: Sheet, effect: Patched) -> list[Edit] | None:
    lines = list(before.lines)
    known = [kind != sheets.UNKNOWN for first, last, kind in before.runs for _ in range(first, last + 1)]
    edits: list[Edit] = []
    moved = beyond = 0
    for hunk in effect.hunks:
        at = _place(lines, known, hunk, moved, beyond)
        if at is None:
            return None
        edit = _edit(lines, at, hunk)
        if edit is None:
            continue
        edits.append(edit)
        start = edit.first - 1
        lines[start : start + edit.took] = edit.new
        known[start : start + edit.took] = [True] * len(edit.new)
        moved += len(edit.new) - edit.took
        beyond = at + len(hunk.new)
    return edits


def _edit(lines: list[str], at: int, hunk: Hunk) -> Edit | None:
    """A hunk that begins at line `at`, counted from 0; None where it changes nothing."""
    if hunk.old == hunk.new:
        return None
    if hunk.new:
        return Edit(at + 1, hunk.new, len(hunk.old))
    if at and at <= len(lines):
        return Edit(at, (lines[at - 1],), len(hunk.old) + 1)
    after = at + len(hunk.old)
    return Edit(at + 1, (lines[after] if after < len(lines) else "",), len(hunk.old) + 1)


def _place(lines: list[str], known: list[bool], hunk: Hunk, moved: int, beyond: int) -> int | None:
    """Where a hunk begins, counted from 0."""
    if hunk.first is not None:
        said = max(hunk.first - 1 + moved, 0)
        if _could_be(lines, known, hunk.old, said):
            return said
    for same in (_as_is, str.rstrip, str.strip):
        found = _found(lines, hunk, beyond, same)
        if found is not None:
            return found
    return None


def _could_be(lines: list[str], known: list[bool], old: Sequence[str], at: int) -> bool:
    """Whether nothing that is known speaks against these lines standing there."""
    end = min(at + len(old), len(lines))
    return all(not known[place] or lines[place] == old[place - at] for place in range(at, end))


def _found(lines: list[str], hunk: Hunk, beyond: int, same: Callable[[str], str]) -> int | None:
    start = beyond
    for beside in hunk.beside:
        start = next((at + 1 for at in range(start, len(lines)) if same(lines[at]) == same(beside)), start)
    if not hunk.old:
        return len(lines) if hunk.at_end or not hunk.beside else start
    wanted = [same(line) for line in hunk.old]
    places = list(_places([same(line) for line in lines], wanted, start))
    if hunk.at_end and places:
        return places[-1]
    return places[0] if places else None


def _places(lines: list[str], wanted: list[str], start: int) -> Iterator[int]:
    for at in range(start, len(lines) - len(wanted) + 1):
        if lines[at] == wanted[0] and lines[at : at + len(wanted)] == wanted:
            yield at


def _as_is(line: str) -> str:
    return line


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))
