"""The files of a conversation, as the record tells of them: what a reader of a whole transcript has in its memory.

Sightings that were recorded are gone through as they were made. What no sighting says, that a part reaches to the end
of its file, is noted by whoever records (`ends`) and given back with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ccos_core.intake.calls.effects import Effect, Shown
from ccos_core.intake.calls.files import Files, Observation
from ccos_core.values import sheet as sheets
from ccos_core.values.paths import recorded
from ccos_core.values.sheet import BLANK, Sheet

ENDS, ENDS_BLANK = 1, 2
"""A part that was shown reaches to the end of its file, whose last line then may be an empty one."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was recorded of a file once."""

    kind: str
    """`seen`, or `gone`."""
    how: str = ""
    text: str | None = None
    """None where it wasn't kept."""
    first: int = 0
    """The line a part begins with; 0 for a whole file."""
    took: int | None = None
    ends: int = 0


Recall = Callable[[str], Iterable[Sighting]]
"""What was recorded of a file before, by the path its host says."""


class Remembered(Files):
    """Files that are known by what was recorded of them."""

    def __init__(self, recall: Recall) -> None:
        super().__init__()
        self._recall = recall
        self._recalled: set[str] = set()
        self.ends: dict[tuple[str, int], int] = {}
        """(path, first line) → how a part that was shown since the last look ends its file."""

    def observed(self, effect: Effect, cwd: str = ".") -> Iterator[Observation]:
        """What the record is told of an effect, knowing what it was told before."""
        path = recorded(effect.path, cwd=cwd)
        self._look_up(path)
        if isinstance(effect, Shown) and effect.ends and not effect.whole:
            self.ends[path, effect.first] = ENDS_BLANK if effect.text.endswith("\n") else ENDS
        yield from super().observed(effect, cwd)

    def text(self, path: str, cwd: str = ".") -> str | None:
        """The whole text of a file; None where some of it isn't known."""
        self._look_up(recorded(path, cwd=cwd))
        return super().text(path, cwd)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _look_up(self, path: str) -> None:
        if path in self._recalled:
            return
        self._recalled.add(path)
        if path in self._sheets:  # it came here by another name
            return
        for each in self._recall(path):
            self._was(path, each)

    def _was(self, path: str, told: Sighting) -> None:
        before = self._sheets.get(path, BLANK)
        if told.kind == "gone":
            self._drop(path)
        elif told.text is None:
            if told.how != "edit" or path in self._sheets:  # an edit nobody could place says nothing of a file
                self._drop(path)
        elif not told.first:
            self._keep(path, _whole(before, told.how, told.text, known=path in self._sheets), whole=True)
        elif told.how == "edit":
            after = sheets.edited_in_part(before, told.first, told.text, told.took)
            self._keep(path, after, whole=told.took is not None and path in self._ends and after.whole)
        else:
            self._read(path, before, told)

    def _read(self, path: str, before: Sheet, told: Sighting) -> None:
        text = told.text or ""
        blank = "\n" * (1 if text.endswith("\n") else 2) if told.ends == ENDS_BLANK else ""
        after = sheets.read_in_part(before, told.first, text + blank)
        last = told.first + text.removesuffix("\n").count("\n")
        ended = bool(told.ends) and len(after.lines) - last in (0, 1)
        fits = len(after.lines) == len(before.lines)
        self._keep(path, after, whole=ended or (path in self._ends and fits))


def _whole(before: Sheet, how: str, text: str, *, known: bool) -> Sheet:
    if how == "write":
        return sheets.written(text)
    return sheets.edited(before, text) if how == "edit" and known else sheets.shown(text)
