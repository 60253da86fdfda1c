"""What calls in a Python script do to files, and return: opening, reading, replacing, writing, moving.

Each way of calling is a function of what was done so far (`Doing`) and the call; `CALLS` and `METHODS` name them. Only
a certain text is reported. A file that was passed to unknown code, or written in another encoding or with other line
ends, is `Changed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Replaced, Wrote

REPLACEMENT_LIMIT = 200
"""Replacements of one text."""
TEXT_LIMIT = 1_000_000
"""Characters that one script may put together or write; later texts are unknown."""
PATH_LIMIT = 4_096
"""Characters of a path."""
UTF_8 = ("utf-8", "utf8", "utf_8", "ascii", "us-ascii")
"""Encodings in which a text is written as it is reported."""
HARMLESS = ("close", "flush", "fileno", "isatty", "readable", "writable")
"""Methods of a file that change neither its content nor its position."""

Replacing = tuple[tuple[str, str, bool], ...]
"""Replacements in their order, each (old, new, everywhere)."""


@dataclass(frozen=True, slots=True)
class Known:
    """The value of an expression, as far as it is known."""

    text: str | None = None
    number: str | None = None
    """As it is spelled."""
    path: str | None = None
    """Of a path; of a text that was read, the file it is from."""
    replaced: Replacing | None = None
    """The replacements made in the whole text of a file since it was read; None for what wasn't read of a file."""
    state: int = 0
    """How often the file had been written when it was read."""
    file: File | None = None


@dataclass(slots=True)
class File:
    """A file that was opened."""

    path: str
    mode: str
    before: int = 0
    """How often it had been written before."""
    given: list[Known] = field(default_factory=list)
    surely: bool = True
    touched: bool = False
    """Whether unknown code may have used it."""


NOTHING = Known()


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a call; that of a method begins with its object."""

    given: Sequence[Known]
    named: Mapping[str, Known]

    def get(self, place: int, name: str = "") -> Known | None:
        """An argument by name or place; None where the call has none."""
        return self.named.get(name) or (self.given[place] if place < len(self.given) else None)

    def path(self, place: int, name: str = "") -> str:
        """The path that an argument means, be it a path or a text; empty where it is unknown."""
        value = self.get(place, name) or NOTHING
        return (value.path if value.replaced is None else None) or value.text or ""

    def is_plain(self, place: int) -> bool:
        """Whether the file holds the text in UTF-8 as it is, by the arguments from `encoding` on."""
        names = ("encoding", "errors", "newline")
        encoding, errors, newline = (self.get(place + number, name) for number, name in enumerate(names))
        return (
            (encoding is None or (encoding.text or "").lower() in UTF_8)
            and (errors is None or errors.text == "strict")
            and (newline is None or newline.text in ("", "\n"))
        )


class Doing:
    """What a script did, in order of its beginning."""

    def __init__(self) -> None:
        self.done: list[Effect | File] = []
        self.surely = True
        """Whether the current expression is evaluated exactly once."""
        self.dead = False
        """Whether it is never evaluated."""
        self.lost = False
        """Whether the script changed its folder."""
        self._states: dict[str, int] = {}
        self._left = TEXT_LIMIT

    def effects(self) -> list[Effect]:
        """Everything that was done."""
        current: dict[tuple[str, int], tuple[int, Replacing]] = {}
        found: list[Effect] = []
        for each in self.done:
            found += _written(each, current) if isinstance(each, File) else [each]
        return found

    def note(self, effect: Effect) -> None:
        """Add an effect of the current expression."""
        paths = (effect.path, effect.to) if isinstance(effect, Moved) else (effect.path,)
        for path in paths:
            self._states[path] = self.state(path) + 1
        if any(map(self._hidden, paths)):
            return
        if self.surely:
            self.done.append(effect)
        elif not isinstance(effect, (Moved, Removed)):
            self.done.append(Changed(effect.path))

    def open(self, path: str, mode: str, plain: bool = True) -> Known:
        """Open a file; `plain` tells whether its bytes are its text in UTF-8."""
        file = File(path, mode, self.state(path), surely=self.surely, touched=not plain)
        if set(mode) & set("wax+"):
            self._states[path] = file.before + 1
            if not self._hidden(path):
                self.done.append(file)
        return Known(file=file)

    def state(self, path: str) -> int:
        """How often a file was written."""
        return self._states.get(path, 0)

    def text(self, text: str) -> Known:
        """A text that was put together or is written, unless the script has made too much of it."""
        self._left -= len(text)
        return Known(text=text) if self._left >= 0 else NOTHING

    def has_room(self, size: int) -> bool:
        """Whether a text of that many characters may be put together."""
        return size <= self._left

    def _hidden(self, path: str) -> bool:
        return self.dead or (self.lost and not path.startswith("/"))


def join_path(parts: Sequence[str | None]) -> str | None:
    """Join paths as the system does: an absolute part replaces all before it."""
    found = ""
    for part in parts:
        if part is None or len(found) + len(part) >= PATH_LIMIT:
            return None
        found = part if part.startswith("/") or not found else f"{found.rstrip('/')}/{part}"
    return found or None


# -- calls ------------------------------------------------------------------------------------------------------------

Way = Callable[[Doing, Call], Known]


def _make_path(_: Doing, call: Call) -> Known:
    return Known(path=join_path([call.path(place) or None for place in range(len(call.given))]))


def _join_path(doing: Doing, call: Call) -> Known:
    path = _make_path(doing, call).path
    return doing.text(path) if path is not None else NOTHING


def _str(doing: Doing, call: Call) -> Known:
    """`str(path)` has no `.` parts and no double slashes."""
    value = call.given[0] if len(call.given) == 1 else NOTHING
    if value.path is None or value.replaced is not None:
        return value if value.text is not None else NOTHING
    parts = [part for part in value.path.split("/") if part not in ("", ".")]
    return doing.text("/" * value.path.startswith("/") + "/".join(parts) or ".")


def _open(doing: Doing, call: Call, encoding_at: int = 3) -> Known:
    path, mode = call.path(0, "file"), (call.get(1, "mode") or Known(text="r")).text
    return doing.open(path, mode, call.is_plain(encoding_at)) if path and mode is not None else NOTHING


def _read(doing: Doing, call: Call) -> Known:
    file = call.given[0].file
    if file is None:
        return NOTHING
    fresh = not file.touched and doing.state(file.path) == file.before
    file.touched = True  # a second read() returns the rest
    whole = fresh and len(call.given) == 1 and not call.named and file.mode in ("r", "rt")
    return Known(path=file.path, replaced=(), state=file.before) if whole else NOTHING


def _read_text(doing: Doing, call: Call) -> Known:
    path = call.path(0)
    return Known(path=path, replaced=(), state=doing.state(path)) if call.is_plain(1) else NOTHING


def _replace(doing: Doing, call: Call) -> Known:
    of, old, new = call.given[0], *((call.get(place) or NOTHING).text for place in (1, 2))
    if not old or new is None:
        return NOTHING
    count = call.get(3, "count")
    if of.text is not None:
        fits = count is None and doing.has_room(len(of.text) + of.text.count(old) * len(new))
        return doing.text(of.text.replace(old, new)) if fits else NOTHING
    if of.replaced is None or len(of.replaced) >= REPLACEMENT_LIMIT or (count is not None and count.number != "1"):
        return NOTHING
    return replace(of, replaced=(*of.replaced, (old, new, count is None)))


def _write(doing: Doing, call: Call) -> Known:
    file, value = call.given[0].file, call.get(1, "data") or NOTHING
    if file is not None:
        file.given.append(doing.text(value.text) if value.text is not None else value)
        file.surely = file.surely and doing.surely
    return NOTHING


def _write_text(doing: Doing, call: Call) -> Known:
    return _write(doing, Call((doing.open(call.path(0), "w", call.is_plain(2)), *call.given[1:]), call.named))


def _write_bytes(doing: Doing, call: Call) -> Known:
    return _write(doing, Call((doing.open(call.path(0), "w"),), {}))


def _remove(doing: Doing, call: Call) -> Known:
    if path := call.path(0):
        doing.note(Removed(path))
    return NOTHING


def _rename(doing: Doing, call: Call) -> Known:
    path, to = call.path(0), call.path(1)
    if path and to and path != to and not to.endswith("/"):
        doing.note(Moved(path, to))
    return Known(path=to or None)


def _move(doing: Doing, call: Call) -> Known:
    path, to = call.path(0), call.path(1)
    if path and to and path != to:
        doing.note(Moved(path, to) if _is_file(path, to) else Removed(path))
    return NOTHING


def _copy(doing: Doing, call: Call) -> Known:
    path, to = call.path(0), call.path(1)
    if path and to and _is_file(path, to):
        doing.note(Changed(to, like=path))
    return NOTHING


def _is_file(path: str, to: str) -> bool:
    """Whether the target is certainly the new path of a file, not a folder to put it into."""
    name, new = path.rpartition("/")[2], to.rpartition("/")[2]
    return bool(new) and (name == new or "." in new.lstrip("."))


CALLS: dict[str, Way] = {
    "Path": _make_path,
    "pathlib.Path": _make_path,
    "str": _str,
    "os.path.join": _join_path,
    "open": _open,
    "io.open": _open,
    "codecs.open": lambda doing, call: _open(doing, call, encoding_at=2),
    "os.remove": _remove,
    "os.unlink": _remove,
    "os.rename": _rename,
    "os.replace": _rename,
    "shutil.move": _move,
    "shutil.copy": _copy,
    "shutil.copy2": _copy,
    "shutil.copyfile": _copy,
}
"""By the whole dotted name."""
PATH_METHODS: dict[str, Way] = {
    "open": _open,
    "read_text": _read_text,
    "write_text": _write_text,
    "write_bytes": _write_bytes,
    "unlink": _remove,
    "rename": _rename,
    "replace": _rename,
}
FILE_METHODS: dict[str, Way] = {"read": _read, "write": _write}
TEXT_METHODS: dict[str, Way] = {"replace": _replace}


def method_of(value: Known, name: str) -> Way | None:
    """What a method of a value does; None where that is unknown."""
    if value.path is not None and value.replaced is None:
        return PATH_METHODS.get(name)
    return (FILE_METHODS if value.file is not None else TEXT_METHODS).get(name)


# -- what a file became -----------------------------------------------------------------------------------------------


def _written(file: File, current: dict[tuple[str, int], tuple[int, Replacing]]) -> Iterator[Effect]:
    """What became of a file that was opened to write. `current` holds for each file that was written with its own text
    what is in it: (path, writes) → (writes when that text was read, replacements since)."""
    texts = [each.text for each in file.given]
    mode = file.mode.replace("t", "")
    if not file.surely or file.touched or not texts or mode not in ("w", "x", "a"):
        yield Changed(file.path)
    elif None not in texts:
        text = "".join(text or "" for text in texts)
        if mode != "a":
            yield Wrote(file.path, text)
        elif text:
            yield Appended(file.path, text)
    elif mode == "a" or len(file.given) > 1 or (rest := _replaced(file, file.given[0], current)) is None:
        yield Changed(file.path)
    else:
        yield from (Replaced(file.path, old, new, everywhere) for old, new, everywhere in rest)


def _replaced(file: File, value: Known, current: dict[tuple[str, int], tuple[int, Replacing]]) -> Replacing | None:
    """The replacements by which the file became this text; None where the text isn't made of what was in it."""
    if value.replaced is None or value.path != file.path:
        return None
    read, done = (value.state, ()) if value.state == file.before else current.get((file.path, file.before), (-1, ()))
    if read != value.state or value.replaced[: len(done)] != done:
        return None
    current[file.path, file.before + 1] = (read, value.replaced)
    return value.replaced[len(done) :]
