"""What calls in a Python script do to files, and give: opening, reading, replacing, writing, moving.

Only what is certain is told as what it is. A file that was also handed to something that isn't known, or written in
another encoding or with other ends of lines, is another one than before, and nobody here can tell which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Replaced, Wrote

MOST_REPLACED = 200
"""Replacements of one text."""
MOST_TEXT = 1_000_000
"""Characters that are put together, or written, by one script; what comes then isn't followed."""
LONGEST_PATH = 4_096
"""Characters."""
UTF_8 = ("utf-8", "utf8", "utf_8", "ascii", "us-ascii")
"""Encodings in which a text is written as it is told."""
HARMLESS = ("close", "flush", "fileno", "isatty", "readable", "writable")
"""Methods of a file that change nothing in it, nor where it is read or written."""

Replacing = tuple[tuple[str, str, bool], ...]
"""Replacements in their order, each (old, new, everywhere)."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a name or a call stands for."""

    text: str | None = None
    number: str | None = None
    """As it is spelled."""
    path: str | None = None
    """Of a path; of what was read, the file it was read of."""
    replaced: Replacing | None = None
    """Of all that was read of a file: what was replaced in it since."""
    state: int = 0
    """Of what was read: how often the file had been written before."""
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
    """Whether something was done with it that isn't known here."""


NOTHING = Known()


class Doing:
    """What a script does, in the order it is begun."""

    def __init__(self) -> None:
        self.done: list[Effect | File] = []
        self.surely = True
        """Whether what is looked at is certainly run, and once."""
        self.dead = False
        """Whether it is never run."""
        self.lost = False
        """Whether the script has gone to another folder."""
        self._states: dict[str, int] = {}
        self._left = MOST_TEXT

    def effects(self) -> list[Effect]:
        """All of it."""
        lies: dict[tuple[str, int], tuple[int, Replacing]] = {}
        found: list[Effect] = []
        for each in self.done:
            found += _written(each, lies) if isinstance(each, File) else [each]
        return found

    def note(self, effect: Effect) -> None:
        """Something was done, if its line was run."""
        paths = (effect.path, effect.to) if isinstance(effect, Moved) else (effect.path,)
        for path in paths:
            self._states[path] = self.state(path) + 1
        if any(map(self._untold, paths)):
            return
        if self.surely:
            self.done.append(effect)
        elif not isinstance(effect, (Moved, Removed)):
            self.done.append(Changed(effect.path))

    def opened(self, path: str, mode: str, plain: bool = True) -> Known:
        """A file was opened; `plain` says whether its text is what stands in it."""
        file = File(path, mode, self.state(path), surely=self.surely, touched=not plain)
        if set(mode) & set("wax+"):
            self._states[path] = file.before + 1
            if not self._untold(path):
                self.done.append(file)
        return Known(file=file)

    def state(self, path: str) -> int:
        """How often a file was written."""
        return self._states.get(path, 0)

    def text(self, said: str) -> Known:
        """A text that was put together, or is written."""
        self._left -= len(said)
        return Known(text=said) if self._left >= 0 else NOTHING

    def has_room(self, size: int) -> bool:
        """Whether a text of that size is followed."""
        return size <= self._left

    def _untold(self, path: str) -> bool:
        return self.dead or (self.lost and not path.startswith("/"))


Way = Callable[[Doing, Known, Sequence[Known], Mapping[str, Known]], Known]


def path_of(value: Known) -> str | None:
    """The path a path or a text stands for."""
    path = value.path if value.replaced is None else None
    return path or value.text or None


def joined(named: Sequence[str | None]) -> str | None:
    """One path of several, as the system joins them: one that begins at the root stands for itself."""
    found = ""
    for part in named:
        if part is None or len(found) + len(part) >= LONGEST_PATH:
            return None
        found = part if part.startswith("/") or not found else f"{found.rstrip('/')}/{part}"
    return found or None


# -- one way per call -------------------------------------------------------------------------------------------------


def _at(given: Sequence[Known], number: int) -> Known:
    return given[number] if number < len(given) else NOTHING


def _made_path(_: Doing, __: Known, given: Sequence[Known], ___: Mapping[str, Known]) -> Known:
    return Known(path=joined([path_of(each) for each in given]))


def _joined_path(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    path = joined([path_of(each) for each in given])
    return doing.text(path) if path is not None else NOTHING


def _as_text(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    """A path says itself without what it doesn't need."""
    value = _at(given, 0)
    if value.path is None or value.replaced is not None or len(given) != 1:
        return value if len(given) == 1 and value.text is not None else NOTHING
    parts = [part for part in value.path.split("/") if part not in ("", ".")]
    return doing.text("/" * value.path.startswith("/") + "/".join(parts) or ".")


def _open(doing: Doing, _: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    path = path_of(_at(given, 0)) if given else path_of(named.get("file", NOTHING))
    return _opened(doing, path, given[1:], named)


def _open_decoding(doing: Doing, _: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    return _opened(doing, path_of(_at(given, 0)), (*given[1:2], NOTHING, *given[2:]), named)


def _open_path(doing: Doing, of: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    return _opened(doing, of.path if of.replaced is None else None, given, named)


def _opened(doing: Doing, path: str | None, arguments: Sequence[Known], named: Mapping[str, Known]) -> Known:
    mode = named.get("mode", arguments[0] if arguments else Known(text="r")).text
    return doing.opened(path, mode, _is_plain(arguments[2:], named)) if path and mode is not None else NOTHING


def _is_plain(arguments: Sequence[Known], named: Mapping[str, Known]) -> bool:
    """Whether a text is in the file as it is, by the arguments that say how it is written down."""
    said = dict(zip(("encoding", "errors", "newline"), arguments, strict=False)) | dict(named)
    encoding, errors, newline = (said.get(name) for name in ("encoding", "errors", "newline"))
    return (
        (encoding is None or (encoding.text or "").lower() in UTF_8)
        and (errors is None or errors.text == "strict")
        and (newline is None or newline.text in ("", "\n"))
    )


def _read(doing: Doing, of: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    file = of.file
    if file is None:
        return NOTHING
    now = doing.state(file.path)
    whole = not (given or named or file.touched) and file.mode in ("r", "rt") and now == file.before
    file.touched = True  # who reads again reads what is left
    return Known(path=file.path, replaced=(), state=file.before) if whole else NOTHING


def _read_text(doing: Doing, of: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    if of.path is None or of.replaced is not None or not _is_plain(given, named):
        return NOTHING
    return Known(path=of.path, replaced=(), state=doing.state(of.path))


def _replace(doing: Doing, of: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    if of.path is not None and of.replaced is None:
        return _move_path(doing, of, given, named)
    old, new = _at(given, 0).text, _at(given, 1).text
    if not old or new is None:
        return NOTHING
    count = _at(given, 2) if len(given) > 2 else named.get("count")
    if of.text is not None:
        fits = count is None and doing.has_room(len(of.text) + of.text.count(old) * len(new))
        return doing.text(of.text.replace(old, new)) if fits else NOTHING
    if of.replaced is None or len(of.replaced) >= MOST_REPLACED or (count is not None and count.number != "1"):
        return NOTHING
    return replace(of, replaced=(*of.replaced, (old, new, count is None)))


def _write(doing: Doing, of: Known, given: Sequence[Known], _: Mapping[str, Known]) -> Known:
    if of.file is not None:
        value = _at(given, 0)
        of.file.given.append(doing.text(value.text) if value.text is not None else value)
        of.file.surely = of.file.surely and doing.surely
    return NOTHING


def _write_text(doing: Doing, of: Known, given: Sequence[Known], named: Mapping[str, Known]) -> Known:
    if of.path is not None and of.replaced is None:
        value = _at(given, 0) if given else named.get("data", NOTHING)
        _write(doing, doing.opened(of.path, "w", _is_plain(given[1:], named)), (value,), {})
    return NOTHING


def _write_bytes(doing: Doing, of: Known, _: Sequence[Known], __: Mapping[str, Known]) -> Known:
    return _write_text(doing, of, (NOTHING,), {})


def _remove(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    if path := path_of(_at(given, 0)):
        doing.note(Removed(path))
    return NOTHING


def _remove_path(doing: Doing, of: Known, _: Sequence[Known], __: Mapping[str, Known]) -> Known:
    return _remove(doing, NOTHING, (of,), {}) if of.path is not None else NOTHING


def _rename(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    path, to = path_of(_at(given, 0)), path_of(_at(given, 1))
    if path and to and path != to and not to.endswith("/"):
        doing.note(Moved(path, to))
    return NOTHING


def _move_path(doing: Doing, of: Known, given: Sequence[Known], _: Mapping[str, Known]) -> Known:
    if of.path is None or of.replaced is not None or len(given) != 1:
        return NOTHING
    _rename(doing, NOTHING, (of, *given), {})
    return Known(path=path_of(given[0]))


def _move(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    path, to = path_of(_at(given, 0)), path_of(_at(given, 1))
    if path and to and path != to:
        doing.note(Moved(path, to) if _is_file(path, to) else Removed(path))
    return NOTHING


def _copy(doing: Doing, _: Known, given: Sequence[Known], __: Mapping[str, Known]) -> Known:
    path, to = path_of(_at(given, 0)), path_of(_at(given, 1))
    if path and to and _is_file(path, to):
        doing.note(Changed(to, like=path))
    return NOTHING


def _is_file(path: str, to: str) -> bool:
    """Whether what a file is brought to is surely its new path, and not a folder it is put into."""
    name, new = path.rpartition("/")[2], to.rpartition("/")[2]
    return bool(new) and (name == new or "." in new.lstrip("."))


CALLS: dict[str, Way] = {
    "Path": _made_path,
    "pathlib.Path": _made_path,
    "str": _as_text,
    "os.path.join": _joined_path,
    "open": _open,
    "io.open": _open,
    "codecs.open": _open_decoding,
    "os.remove": _remove,
    "os.unlink": _remove,
    "os.rename": _rename,
    "os.replace": _rename,
    "shutil.move": _move,
    "shutil.copy": _copy,
    "shutil.copy2": _copy,
    "shutil.copyfile": _copy,
}
"""By the whole of what is called."""
METHODS: dict[str, Way] = {
    "open": _open_path,
    "read": _read,
    "read_text": _read_text,
    "replace": _replace,
    "rename": _move_path,
    "write": _write,
    "write_text": _write_text,
    "write_bytes": _write_bytes,
    "unlink": _remove_path,
}
"""By the last name, of what is known."""


# -- what a file becomes ----------------------------------------------------------------------------------------------


def _written(file: File, lies: dict[tuple[str, int], tuple[int, Replacing]]) -> Iterator[Effect]:
    """What became of a file that was opened to write. `lies` keeps what is there of what was read: (path, how often it
    was written) → (how often when it was read, what was replaced since)."""
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
    elif mode == "a" or len(file.given) > 1 or (rest := _replaced(file, file.given[0], lies)) is None:
        yield Changed(file.path)
    else:
        yield from (Replaced(file.path, old, new, everywhere) for old, new, everywhere in rest)


def _replaced(file: File, value: Known, lies: dict[tuple[str, int], tuple[int, Replacing]]) -> Replacing | None:
    """What was replaced in what lay there; None where that isn't what was read."""
    if value.replaced is None or value.path != file.path:
        return None
    read, done = (value.state, ()) if value.state == file.before else lies.get((file.path, file.before), (-1, ()))
    if read != value.state or value.replaced[: len(done)] != done:
        return None
    lies[file.path, file.before + 1] = (read, value.replaced)
    return value.replaced[len(done) :]
