"""What a source file says about itself: its symbols, what it imports, and what each symbol refers to.

An `Outline` is a fact: a pure function of a file's text and of the interpreter's version, with one spelling as
canonical bytes. Nothing in it knows other files; which symbol a reference means is the resolver's to say. Its parts are
many, so they are tuples, which are made fastest. Lines count from 1, spans include both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ccos_core.values.canon import canonical, parse_known

MODULE = -1
"""The place of what stands outside of any symbol."""


SYMBOLS = b',"symbols":'
"""Where the last of an outline's keys begins in its canonical bytes. Within a text no quote stands by itself."""


class Symbol(NamedTuple):
    """Something a file defines."""

    name: str
    """Qualified within the file: `Outer.inner`."""

    kind: str
    """class, function, method, constant, ..., as the language has it."""

    line: int
    """Where its name stands, ..."""
    first: int
    """... where it begins, decorators and attributes included, ..."""
    signature: int
    """... the last line of its head, ..."""
    last: int
    """... and its last line."""

    doc: int = 0
    """The line of its one-line description; 0 when it has none."""


class Import(NamedTuple):
    """A name the file takes from elsewhere."""

    name: str
    """What it is called here; empty where nothing is bound (`import "x"`), `*` where everything is."""

    module: str
    """From where, as the file says it: `.models`, `crate::a`, `./x`."""

    item: str
    """Which of its names; empty for the module itself, `*` for all of them."""

    line: int
    owner: int = MODULE
    """The symbol inside of which it is imported, by place in the outline."""

    exported: bool = False
    """Whether the file hands it on under that name."""


class Reference(NamedTuple):
    """A name that is used."""

    chain: str
    """`connect`, `db.connect`, `Base`: as far as it is made of names and dots."""

    role: str
    """call, type, base, decorator, or name for any other use; listed where a file only says that it hands it on."""

    line: int
    """Where it is used first by its owner in that role."""

    owner: int = MODULE
    count: int = 1  # type: ignore[assignment]  # nobody asks a reference what a tuple can be asked


Row = TypeVar("Row", Symbol, Import, Reference)


@dataclass(frozen=True, slots=True)
class Outline:
    """All of it, in the order of the text."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    references: tuple[Reference, ...] = ()
    flaws: tuple[str, ...] = ()
    """Why this may be incomplete: `syntax` errors in the text; or why there is none: nested too `deep`, too `large`,
    `hostile` (too much work for its size), its parser `crashed`, or there is `no grammar`."""

    def to_plain(self) -> dict[str, Any]:
        """The fact as plain values."""
        return {
            "symbols": list(map(list, self.symbols)),
            "imports": list(map(list, self.imports)),
            "references": list(map(list, self.references)),
            "flaws": list(self.flaws),
        }

    def to_bytes(self) -> bytes:
        """The canonical bytes of the fact."""
        return canonical(self.to_plain())


class Unread(Outline):
    """An outline whose symbols are known; all else is read when somebody asks. Windows never do."""

    __slots__ = ("_read", "_whole")
    _read: Callable[[], Outline]
    _whole: Outline | None

    def __init__(self, symbols: tuple[Symbol, ...], read: Callable[[], Outline]) -> None:
        object.__setattr__(self, "symbols", symbols)
        object.__setattr__(self, "_read", read)
        object.__setattr__(self, "_whole", None)

    @classmethod
    def of(cls, body: bytes) -> Unread:
        """The outline that canonical bytes are."""
        begins = body.index(SYMBOLS) + len(SYMBOLS)
        return cls(rows_of(Symbol, parse_known(body[begins:-1])), partial(outline_from, body))

    def __eq__(self, other: object) -> bool:
        return self.whole == (other.whole if isinstance(other, Unread) else other)

    __hash__ = Outline.__hash__

    @property
    def whole(self) -> Outline:
        """All of it, read."""
        if self._whole is None:
            object.__setattr__(self, "_whole", self._read())
        assert self._whole is not None
        return self._whole

    @property
    def imports(self) -> tuple[Import, ...]:
        return self.whole.imports

    @property
    def references(self) -> tuple[Reference, ...]:
        return self.whole.references

    @property
    def flaws(self) -> tuple[str, ...]:
        return self.whole.flaws


def outline_from(body: bytes) -> Outline:
    """The outline these canonical bytes are."""
    return outline_of(parse_known(body))


def outline_of(told: Mapping[str, Any]) -> Outline:
    """The outline these plain values are."""
    return Outline(
        rows_of(Symbol, told["symbols"]),
        rows_of(Import, told["imports"]),
        rows_of(Reference, told["references"]),
        tuple(told["flaws"]),
    )


def rows_of(kind: type[Row], rows: Sequence[Sequence[Any]]) -> tuple[Row, ...]:
    """Rows of values, in the order of their fields, as what they are. There are hundreds in each of thousands of
    outlines, so no function is called for one of them."""
    if not {len(kind._fields)}.issuperset(map(len, rows)):
        raise ValueError(f"a {kind.__name__} has other parts")
    return tuple(map(partial(tuple.__new__, kind), rows))
