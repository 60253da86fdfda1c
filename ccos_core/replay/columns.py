"""Columns of numbers that only grow: what a journal is made of.

A table has columns of one length; texts lie in a table of their own, end to end. Columns are read when somebody asks
for them, so a question pays for what it looks at. How and where they are kept is the business of whoever hands in a
`Shelf`; here they are bytes in one fixed order, the same on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

FEWEST = 1_024
"""Rows there is room for at first."""


class Shelf(Protocol):
    """Where columns were kept."""

    def column(self, table: str, name: str, size: int) -> bytes:
        """The first bytes that were kept of a column."""


class Column:
    """One column: an array with room at its end."""

    def __init__(self, form: str) -> None:
        self.form = np.dtype(form)
        self.size = 0
        self._room: Numbers = np.empty(0, self.form)
        self._shelf: tuple[Shelf, str, str] | None = None

    def lies_on(self, shelf: Shelf, table: str, column: str, size: int) -> None:
        """It was kept there; read when somebody needs it."""
        self._shelf, self.size = (shelf, table, column), size

    @property
    def values(self) -> Numbers:
        """All of it."""
        self._fetch()
        return self._room[: self.size]

    def extend(self, values: Numbers | Sequence[Any]) -> None:
        """Put values behind what is there."""
        self._fetch()
        new = np.asarray(values, self.form)
        end = self.size + len(new)
        if end > len(self._room) or not self._room.flags.writeable:
            room = np.empty(max(FEWEST, end + end // 4), self.form)
            room[: self.size] = self._room[: self.size]
            self._room = room
        self._room[self.size : end] = new
        self.size = end

    def tail(self, since: int, upto: int) -> bytes:
        """The bytes of some of its values; nothing is read where that is none of them."""
        return self.values[since:upto].tobytes() if upto > since else b""

    def cut(self, size: int) -> None:
        """Take away what stands behind the first `size` values."""
        self._fetch()
        self.size = size

    def _fetch(self) -> None:
        if self._shelf is None:
            return
        shelf, table, column = self._shelf
        kept = shelf.column(table, column, self.size * self.form.itemsize)
        self._room, self._shelf = np.frombuffer(kept, self.form), None


class Table:
    """Columns side by side, row by row of one length."""

    def __init__(self, name: str, forms: Mapping[str, str]) -> None:
        self.name = name
        self.columns = {column: Column(form) for column, form in forms.items()}
        self._first = next(iter(self.columns))

    def __len__(self) -> int:
        return self.columns[self._first].size

    def __getitem__(self, column: str) -> Numbers:
        return self.columns[column].values

    def add(self, *row: int | bytes) -> None:
        """One more row, its values in the order of the columns."""
        for column, value in zip(self.columns.values(), row, strict=True):
            column.extend(np.array([value], column.form))

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


class Texts:
    """Texts by number, end to end."""

    def __init__(self, name: str) -> None:
        self.ends = Table(name, {"end": "<i8"})
        self.body = Table(f"{name}.text", {"byte": "|u1"})

    def __len__(self) -> int:
        return len(self.ends)

    def add(self, text: bytes) -> int:
        """One more; gives its number."""
        at = len(self.ends)
        self.body.extend(byte=np.frombuffer(text, np.uint8))
        self.ends.add(len(self.body))
        return at

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
