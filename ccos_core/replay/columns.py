"""Columns of numbers that only grow: what a journal is made of.

A table has columns of one length; texts lie in a table of their own, end to end. Columns are read when somebody asks
for them, so a question pays for what it looks at. How and where they are kept is the business of whoever hands in a
`Shelf`; here they are bytes in one fixed order, the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ccos_core.values.once import once

Numbers = NDArray[Any]
Allocate = Callable[["np.dtype[Any]", int], Numbers]
"""Returns an array of a type and a size, to be filled."""

FEWEST = 1_024
"""Rows there is room for at first."""
MANY = 4_096
"""Rows that wait to be put into columns, at most."""


class Shelf(Protocol):
    """Where columns were kept."""

    def column(self, table: str, name: str, size: int) -> bytes:
        """The first bytes that were kept of a column."""


def in_memory(form: np.dtype[Any], size: int) -> Numbers:
    """Return an array as usual."""
    return np.empty(size, form)


class Column:
    """One column: an array with room at its end."""

    def __init__(self, form: str, allocate: Allocate = in_memory) -> None:
        self.form = np.dtype(form)
        self.size = 0
        self._allocate = allocate
        self._room: Numbers = np.empty(0, self.form)
        self._shelf: tuple[Shelf, str, str] | None = None

    def lies_on(self, shelf: Shelf, table: str, column: str, size: int) -> None:
        """It was kept there; read when somebody needs it."""
        self._shelf, self.size = (shelf, table, column), size
        self._forget()

    @once
    def values(self) -> Numbers:
        """All of it."""
        self._fetch()
        return self._room if len(self._room) == self.size else self._room[: self.size]

    def extend(self, values: Numbers | Sequence[Any]) -> None:
        """Put values behind what is there."""
        self._fetch()
        new = np.asarray(values, self.form)
        end = self.size + len(new)
        if end > len(self._room) or not self._room.flags.writeable:
            room = self._allocate(self.form, max(FEWEST, end + end // 4))
            room[: self.size] = self._room[: self.size]
            self._room = room
        self._room[self.size : end] = new
        self.size = end
        self._forget()

    def tail(self, since: int, upto: int) -> bytes:
        """The bytes of some of its values; nothing is read where that is none of them."""
        return self.values[since:upto].tobytes() if upto > since else b""

    def cut(self, size: int) -> None:
        """Take away what stands behind the first `size` values."""
        self._fetch()
        self.size = size
        self._forget()

    def _forget(self) -> None:
        """It is another one now."""
        self.__dict__.pop("values", None)

    def _fetch(self) -> None:
        if self._shelf is None:
            return
        shelf, table, column = self._shelf
        kept = shelf.column(table, column, self.size * self.form.itemsize)
        self._room, self._shelf = np.frombuffer(kept, self.form), None


class Table:
    """Columns side by side, row by row of one length. Rows that come one by one wait until somebody looks."""

    def __init__(self, name: str, forms: Mapping[str, str], allocate: Allocate = in_memory) -> None:
        self.name = name
        self._columns = {column: Column(form, allocate) for column, form in forms.items()}
        self._first = next(iter(self._columns.values()))
        self._waiting: list[Sequence[Any]] = []

    @property
    def columns(self) -> dict[str, Column]:
        """By name, in their order."""
        self._put_down(1)
        return self._columns

    def __len__(self) -> int:
        return self._first.size + len(self._waiting)

    def __getitem__(self, column: str) -> Numbers:
        if self._waiting:
            self._put_down(1)
        return self._columns[column].values

    def upto(self, step: int) -> int:
        """How many rows there are up to a step, where rows say from which step on they hold, in order."""
        steps = self["step"]
        return int(np.searchsorted(steps, steps.dtype.type(step), side="right"))  # of another width it widens all

    def add(self, *row: int | bytes) -> None:
        """One more row, its values in the order of the columns."""
        self._waiting.append(row)
        self._put_down(MANY)

    def add_all(self, rows: Iterable[Sequence[int | bytes]]) -> None:
        """More rows, each as `add` takes it."""
        self._waiting += rows
        self._put_down(MANY)

    def extend(self, **columns: Numbers | Sequence[Any]) -> None:
        """More rows, column by column."""
        for name, values in columns.items():
            self.columns[name].extend(values)

    def cut(self, size: int) -> None:
        """Take away all rows behind the first `size`."""
        for column in self.columns.values():
            column.cut(size)

    def pieces(self, since: int) -> Iterator[tuple[str, bytes]]:
        """(column, the bytes of its rows from `since` on)."""
        for name, column in self.columns.items():
            yield name, column.values[since:].tobytes()

    def _put_down(self, many: int) -> None:
        """Put what waits into the columns, if it is so many rows."""
        if len(self._waiting) >= many:
            rows, self._waiting = self._waiting, []
            for column, values in zip(self._columns.values(), zip(*rows, strict=True), strict=True):
                column.extend(values)


class Texts:
    """Texts by number, end to end."""

    def __init__(self, name: str, allocate: Allocate = in_memory) -> None:
        self._ends = Table(name, {"end": "<i8"}, allocate)
        self._body = Table(f"{name}.text", {"byte": "|u1"}, allocate)
        self._waiting: list[bytes] = []

    @property
    def ends(self) -> Table:
        """Where each of them ends."""
        self._put_down()
        return self._ends

    @property
    def body(self) -> Table:
        """All of them, one behind the other."""
        self._put_down()
        return self._body

    def __len__(self) -> int:
        return len(self._ends) + len(self._waiting)

    def add(self, text: bytes) -> int:
        """One more; gives its number."""
        self._waiting.append(text)
        self._put_down(MANY)
        return len(self) - 1

    def __getitem__(self, at: int) -> bytes:
        ends = self.ends["end"]
        return bytes(self.body["byte"][ends[at - 1] if at else 0 : ends[at]])

    def all(self) -> list[bytes]:
        """All of them."""
        whole = self.body["byte"].tobytes()
        ends = self.ends["end"].tolist()
        return [whole[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]

    def cut(self, size: int) -> None:
        """Take away all behind the first `size`."""
        ends = self.ends["end"]
        self.body.cut(int(ends[size - 1]) if size else 0)
        self.ends.cut(size)

    def _put_down(self, many: int = 1) -> None:
        if len(self._waiting) >= many:
            texts, self._waiting = self._waiting, []
            self._ends.extend(end=np.cumsum([len(self._body), *map(len, texts)])[1:])
            self._body.extend(byte=np.frombuffer(b"".join(texts), np.uint8))


def sizes_of(tables: Iterable[Table]) -> dict[str, int]:
    """Rows of each table."""
    return {table.name: len(table) for table in tables}


def lie_on(shelf: Shelf, tables: Iterable[Table], sizes: Mapping[str, int]) -> None:
    """They were kept there, so many rows of each."""
    for table in tables:
        for name, column in table.columns.items():
            column.lies_on(shelf, table.name, name, sizes[table.name])


def last_of(*keys: Numbers) -> Numbers:
    """The last row of each key, in the order of the rows."""
    size = len(keys[0])
    order = np.lexsort((np.arange(size), *keys[::-1]))
    changes = np.zeros(size, bool)
    for key in keys:
        inner = key[order]
        changes[:-1] |= inner[1:] != inner[:-1]
    if size:
        changes[-1] = True
    return np.sort(order[changes])


def ranges(begins: Numbers, ends: Numbers) -> Numbers:
    """The numbers of several ranges, one range after the other."""
    sizes = ends - begins
    shifts = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    found: Numbers = shifts + np.arange(len(shifts))
    return found
