"""Where in a file an edit took place, as far as the lines that are known of it tell.

An edit is told by the text it replaced, by the numbers of its lines, or by the places of a patch. All become `Edit`s:
from this line on, these lines took the place of so many. They are in the order they are to be applied, each placed in
the file the ones before left. An edit that only takes lines away keeps one beside them, so that it has something to
stand at. Where lines nobody has seen could be the place as well, or the lines it was found by may themselves stand
elsewhere, an edit is `likely` rather than sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ccos_core.intake.calls.effects import Hunk, Patched, Replaced, Rewrote
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import Sheet

MOST_COMPARED = 2_000_000
"""Lines that are compared to find out whether a place is the only one."""
UNSEEN = "\ufdd0"
"""A character no text has: it stands for lines nobody has seen, each with its number."""


class Edit(NamedTuple):
    """Lines that took the place of others."""

    first: int
    new: tuple[str, ...]
    """Never empty, and never a line nobody has seen."""
    took: int
    likely: bool = False
    """Whether it may have been elsewhere."""


def edits_of(before: Sheet, effect: Replaced | Rewrote | Patched, whole: bool = False) -> list[Edit] | None:
    """The edits an effect was; None where one of them can't be placed. `whole` says that nothing of the file is
    missing, its end included."""
    file = _File(before, whole)
    if isinstance(effect, Rewrote):
        return _rewritten(file, effect)
    return _replaced(file, effect) if isinstance(effect, Replaced) else _patched(file, effect)


class _File:
    """The lines of a file while edits are made to it."""

    def __init__(self, sheet: Sheet, whole: bool) -> None:
        self.lines = list(sheet.lines)
        self.sure = [True] * len(self.lines)
        """Which of them stand where they stand beyond doubt."""
        for first, last, kind in sheet.runs:
            if kind == sheets.UNKNOWN:
                self.lines[first - 1 : last] = [f"{UNSEEN}{line}" for line in range(first, last + 1)]
            if kind in (sheets.UNKNOWN, sheets.INFERRED):
                self.sure[first - 1 : last] = [False] * (last - first + 1)
        self.whole = whole
        self.firm = next((first - 1 for first, _, kind in sheet.runs if kind == sheets.INFERRED), sheets.FARTHEST)
        """The first line of which it is a guess that it stands there."""
        self._alike: dict[Callable[[str], str], list[str]] = {}
        """The lines as they are compared: without blanks, for one."""
        self._patience = MOST_COMPARED

    def is_known(self, at: int) -> bool:
        """Whether anything is known of a line, counted from 0."""
        return at < len(self.lines) and not self.lines[at].startswith(UNSEEN)

    def seen_as(self, same: Callable[[str], str]) -> list[str]:
        """The lines as they are compared."""
        if same is _as_is:
            return self.lines
        if same not in self._alike:
            self._alike[same] = [same(line) for line in self.lines]
        return self._alike[same]

    def could_hold_above(self, old: Sequence[str], start: int, end: int) -> bool:
        """Whether nothing that is sure speaks against these lines beginning at one of some lines; they could as well
        where it would take too long to find out."""
        for at in range(start, end):
            for place, line in enumerate(old, at):
                self._patience -= 1
                if self._patience < 0:
                    return True
                if place < len(self.lines) and self.lines[place] != line and self.sure[place]:
                    break
            else:
                return True
        return False

    def could_hold(self, old: Sequence[str], at: int) -> bool:
        """Whether nothing that is sure speaks against these lines standing there."""
        end = min(at + len(old), len(self.lines))
        return all(self.lines[place] == old[place - at] or not self.sure[place] for place in range(at, end))

    def edit(self, at: int, old: Sequence[str], new: Sequence[str], likely: bool = False) -> list[Edit] | None:
        """What puts these lines in the place of those; None where there is nothing it could stand at, and nothing
        where nothing is changed."""
        after = at + len(old)
        if tuple(old) == tuple(new):
            return []
        if new:
            made = Edit(at + 1, tuple(new), len(old), likely)
        elif at and self.is_known(at - 1):
            made = Edit(at, (self.lines[at - 1],), len(old) + 1, likely or not self.sure[at - 1])
        elif self.is_known(after):
            made = Edit(at + 1, (self.lines[after],), len(old) + 1, likely or not self.sure[after])
        elif self.whole and at == 0:
            made = Edit(1, ("",), len(old), likely)
        else:
            return None
        return None if any(UNSEEN in line for line in made.new) else [made]

    def apply(self, edit: Edit) -> None:
        """Make an edit."""
        start = edit.first - 1
        missing = [f"{UNSEEN}{line}" for line in range(len(self.lines), start + edit.took)]
        self.sure += [False for _ in missing]
        for same, lines in ((_as_is, self.lines), *self._alike.items()):
            lines += missing
            lines[start : start + edit.took] = map(same, edit.new)
        self.sure[start : start + edit.took] = [True] * len(edit.new)


# -- by the text that was replaced ------------------------------------------------------------------------------------


def _replaced(file: _File, effect: Replaced) -> list[Edit] | None:
    text, old, new = "\n".join(file.lines), effect.old, effect.new
    if file.whole and text == old:
        return _between(file, new.split("\n"))
    if not old or UNSEEN in old or UNSEEN in new:
        return None
    if effect.everywhere:
        if old not in text or not (file.whole or (UNSEEN not in text and not _may_go_on(text, old))):
            return None
        return _between(file, text.replace(old, new).split("\n"))
    at = text.find(old)
    if at >= 0 and text.find(old, at + len(old)) < 0:  # tools count those that don't overlap
        return _between(file, f"{text[:at]}{new}{text[at + len(old) :]}".split("\n"))
    if at < 0 and effect.line is not None and 1 <= effect.line < sheets.FARTHEST:
        return [Edit(effect.line, _texts(new), len(_texts(old)), likely=True)]
    return None


def _may_go_on(text: str, old: str) -> bool:
    """Whether one of these may begin at the end of a text, or at the end of its last line, and end beyond it."""
    if old.startswith("\n"):
        return True
    end = text[max(len(text) - len(old) + 1, 0) :]
    return _borders([*old, "", *end])[-1] > 0


def _between(file: _File, after: list[str]) -> list[Edit] | None:
    """What makes of a file these lines, from the first that differs to the last."""
    before = file.lines
    if before == after:
        return []
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    left = most - head
    tail = next((at for at in range(left) if before[-1 - at] != after[-1 - at]), left)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    return file.edit(head, old, new, likely=head + len(old) > file.firm)


# -- by the numbers of lines ------------------------------------------------------------------------------------------


def _rewritten(file: _File, effect: Rewrote) -> list[Edit] | None:
    """Lines that are named by their numbers are taken to be there, known or not."""
    start, took = effect.first - 1, effect.last - effect.first + 1
    if start < 0 or took < 0 or effect.last >= sheets.FARTHEST:
        return None
    old = [*file.lines[start : effect.last], *[UNSEEN] * took][:took]
    return file.edit(start, old, _texts(effect.text) if effect.text else ())


# -- by the places of a patch -----------------------------------------------------------------------------------------


def _patched(file: _File, effect: Patched) -> list[Edit] | None:
    edits: list[Edit] = []
    moved = beyond = 0
    likely = False
    for hunk in effect.hunks:
        found = _place(file, hunk, moved, beyond)
        if found is None:
            return None
        at, sure = found
        likely = likely or not sure
        made = file.edit(at, hunk.old, hunk.new, likely)
        if made is None:
            return None
        for edit in made:
            edits.append(edit)
            file.apply(edit)
            moved += len(edit.new) - edit.took
        beyond = at + len(hunk.new)
    return edits


def _place(file: _File, hunk: Hunk, moved: int, beyond: int) -> tuple[int, bool] | None:
    """Where a hunk begins, counted from 0, and whether that is sure."""
    if hunk.first is not None:
        said = max(hunk.first - 1 + moved, 0)
        if said < sheets.FARTHEST and file.could_hold(hunk.old, said):
            return said, True
    if not hunk.old:  # what only adds lines adds them at the end
        return (len(file.lines) - (file.lines[-1:] == [""]), True) if file.whole else None
    start, is_below = _below(file, hunk.beside, beyond)
    for same in (_as_is, str.rstrip, str.strip):
        at = _found(file.seen_as(same), [same(line) for line in hunk.old], start, last=hunk.at_end)
        if at is not None:
            firm = at + len(hunk.old) <= file.firm
            return at, firm and (file.whole or (is_below and same is _as_is and _is_first(file, hunk, beyond, at)))
    return None


def _below(file: _File, beside: Sequence[str], start: int) -> tuple[int, bool]:
    """Where the lines begin that stand below these, and whether all of these are there."""
    for line in beside:
        ways = (_found(file.seen_as(same), [same(line)], start) for same in (_as_is, str.strip))
        at = next((at for at in ways if at is not None), None)
        if at is None:
            return start, False
        start = at + 1
    return start, True


def _found(lines: list[str], wanted: list[str], start: int, *, last: bool = False) -> int | None:
    """The first place of some lines, or the last one."""
    places = _places(lines, wanted, start)
    return max(places, default=None) if last else next(places, None)


def _places(lines: list[str], wanted: list[str], start: int) -> Iterator[int]:
    """Where these lines stand one behind the other. No line is compared again because so many are alike."""
    borders, fits = _borders(wanted), 0
    at = start
    while at < len(lines):
        if not fits:
            try:
                at = lines.index(wanted[0], at)
            except ValueError:
                return
        while fits and lines[at] != wanted[fits]:
            fits = borders[fits - 1]
        fits += lines[at] == wanted[fits]
        at += 1
        if fits == len(wanted):
            yield at - fits
            fits = borders[fits - 1]


def _borders(wanted: list[str]) -> list[int]:
    """Of each beginning, how much of it is what it ends with as well."""
    found = [0]
    for line in wanted[1:]:
        size = found[-1]
        while size and wanted[size] != line:
            size = found[size - 1]
        found.append(size + (wanted[size] == line))
    return found


def _is_first(file: _File, hunk: Hunk, beyond: int, at: int) -> bool:
    """Whether it could stand at no line above the one where it was found."""
    return not hunk.at_end and not file.could_hold_above(hunk.old, beyond, at)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _as_is(line: str) -> str:
    return line


def _texts(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n"))
