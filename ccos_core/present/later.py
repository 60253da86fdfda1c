"""Rows that are made when somebody looks at them: a window of hundreds of items shows thirty of them at once.

What each is about is said beforehand, so that the row of a node is found without making those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, overload

from ccos_core.present.rows import Row


class Coming(NamedTuple):
    """A row that isn't made yet."""

    make: Callable[..., Row]
    given: tuple[Any, ...]
    """What it is made of."""

    node: str | None = None
    """What it will be about."""


Part = Row | Coming


class Later(Sequence[Row]):
    """Rows of which some are there and some will be; each is made once."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = list(parts)
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self._row(each) for each in range(*at.indices(len(self)))]
        return self._row(at)

    def _row(self, at: int) -> Row:
        part = self.parts[at]
        if isinstance(part, Row):
            return part
        if at not in self._made:
            self._made[at] = part.make(*part.given)
        return self._made[at]


def parts_of(rows: Sequence[Row]) -> Sequence[Part]:
    """Rows as far as they are made, so that nothing is made for being moved or compared."""
    return rows.parts if isinstance(rows, Later) else rows


def untitled(rows: Sequence[Row]) -> Sequence[Row]:
    """Leave out the row that says what an answer is about."""
    parts = parts_of(rows)
    if not parts or not isinstance(parts[0], Row) or parts[0].role != "title":
        return rows
    return Later(parts[1:]) if isinstance(rows, Later) else rows[1:]


def about(rows: Sequence[Row], node: str) -> int | None:
    """The first row that is about a node."""
    return next((at for at, part in enumerate(parts_of(rows)) if _node(part) == node), None)


def _node(part: Part) -> str | None:
    if isinstance(part, Coming):
        return part.node
    return part.leads.node if part.leads is not None else None
