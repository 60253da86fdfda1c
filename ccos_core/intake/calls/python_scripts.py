"""What a Python script did to files, as agents write them to change some: read, replaced, written.

The script's lines are walked once, from the top. Known are texts, paths, what was read of a file, and what was replaced
in that; whatever else a name stands for isn't. A file that was written with something that isn't known is another one
than before, and so is one that is written only on some condition, or in a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Replaced, Wrote
from ccos_core.intake.calls.python_words import (
    NAME,
    SIGN,
    TEXT,
    Line,
    Word,
    assigned,
    closing,
    is_main,
    lines_of,
    outer,
    parts,
)

CONDITIONS = (
    "if",
    "elif",
    "else",
    "for",
    "while",
    "try",
    "except",
    "finally",
    "def",
    "class",
    "async",
    "match",
    "case",
)
"""How a line begins whose block may be run, or not, or more than once."""
WRITING = ("open(", "write", "os.", "shutil.", "unlink(")
"""A script without any of these does nothing that is told here."""
MOST_REPLACED = 200
"""Replacements of one text."""
LONGEST_TEXT = 1_000_000
"""Characters; what becomes longer isn't followed."""
DEEPEST = 20
"""Brackets in one another."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a name or a call stands for."""

    text: str | None = None
    path: str | None = None
    """Of a path; of what was read, the file it was read of."""
    replaced: tuple[tuple[str, str, bool], ...] | None = None
    """What was read, with so much replaced in it, each (old, new, everywhere); None where more may have been done."""
    is_read: bool = False
    file: _File | None = None


@dataclass(slots=True)
class _File:
    """A file that was opened."""

    path: str
    mode: str
    given: list[_Known] = field(default_factory=list)
    surely: bool = True


_NOTHING = _Known()


@lru_cache(maxsize=64)  # one that is there is run again and again
def effects_of_script(script: str) -> tuple[Effect, ...]:
    """What it did if it was run to its end, in the order it was begun; paths as they are spelled."""
    return tuple(_Walk().run(lines_of(script))) if any(word in script for word in WRITING) else ()


class _Walk:
    """One script, being walked."""

    def __init__(self) -> None:
        self.names: dict[str, _Known] = {}
        self.done: list[Effect | _File] = []
        self.surely = True
        """Whether the line is certainly run, and once."""
        self.lost = False
        """Whether the script has gone to another folder."""

    def run(self, lines: Sequence[Line]) -> list[Effect]:
        """Walk all lines."""
        maybe: int | None = None
        for line in lines:
            if maybe is not None and line.indent <= maybe:
                maybe = None
            self.surely = maybe is None
            words = line.words
            begins = words[0].said if words[0].kind == NAME else ""
            if begins in CONDITIONS and maybe is None and not is_main(words):
                maybe = line.indent
                self.surely = False
            self._line(words, begins or "")
        return [effect for each in self.done for effect in (_written(each) if isinstance(each, _File) else (each,))]

    # -- lines ----------------------------------------------------------------------------------------------------

    def _line(self, words: tuple[Word, ...], begins: str) -> None:
        at = assigned(words)
        if begins == "with":
            self._with(words)
        elif at is not None and words[0].kind == NAME:
            self._assign(words, at)
        elif begins in ("import", "from", "def", "class"):
            return
        else:
            start = 1 if begins in CONDITIONS or begins in ("return", "assert", "await") else 0
            for part in parts(words[start:], ("and", "or", "not", "in", ":", "if", "else")):
                self._value(part)

    def _with(self, words: tuple[Word, ...]) -> None:
        body = words[1:]
        for part in parts(body, (",", ":")):
            name = part[-1].said if len(part) > 2 and part[-2] == Word(NAME, "as") else None
            value = self._value(part[:-2] if name is not None else part)
            if name is not None:
                self.names[name] = value

    def _assign(self, words: tuple[Word, ...], at: int) -> None:
        name, sign = words[0].said or "", words[at].said
        value = self._value(words[at + 1 :])
        before = self.names.get(name, _NOTHING)
        if len(words) > 1 and words[1].said not in (sign, ":"):  # several names, or a part of something
            for word in words[:at]:
                if word.kind == NAME:
                    self.names[word.said or ""] = _NOTHING
            return
        if sign != "=" or not self.surely:
            value = replace(value if value.path else before, text=None, replaced=None, file=None)
        self.names[name] = value

    # -- values ---------------------------------------------------------------------------------------------------

    def _value(self, words: Sequence[Word], depth: int = 0) -> _Known:
        """What some words stand for. What they do on the way is noted."""
        if not words or depth > DEEPEST:
            return _NOTHING
        joined = [self._single(part, depth) for part in parts(words, ("/", "+"))]
        if len(joined) < 2:
            return joined[0] if joined else _NOTHING
        signs = {word.said for word in outer(words) if word.kind == SIGN and word.said in ("/", "+")}
        texts = [each.text for each in joined]
        if signs == {"+"} and None not in texts:
            return _text("".join(text or "" for text in texts))
        first = joined[0]
        if signs == {"/"} and first.path is not None and not first.is_read and None not in texts[1:]:
            return _Known(path="/".join([first.path.rstrip("/") or "/", *(text or "" for text in texts[1:])]))
        return next((replace(each, replaced=None) for each in joined if each.is_read), _NOTHING)

    def _single(self, words: Sequence[Word], depth: int) -> _Known:
        """Texts that stand beside one another, a name, a call, and what is called of that."""
        if words and all(word.kind == TEXT for word in words):
            said = [word.said for word in words]
            return _NOTHING if None in said else _text("".join(each or "" for each in said))
        at, called, value = 0, "", _NOTHING
        while at < len(words):
            word = words[at]
            if word == Word(SIGN, "("):
                end = closing(words, at)
                value = (
                    self._called(called, value, words[at + 1 : end], depth)
                    if at
                    else self._value(words[1:end], depth + 1)
                )
                at, called = end + 1, ""
            elif word == Word(SIGN, "["):
                end = closing(words, at)
                self._value(words[at + 1 : end], depth + 1)
                at, value = (
                    end + 1,
                    replace(value, text=None, replaced=None, path=value.path if value.is_read else None),
                )
            elif word == Word(SIGN, ".") and at:
                at += 1
            elif word.kind == NAME:
                value = self.names.get(word.said or "", _NOTHING) if not called and not at else value
                called, at = f"{called}.{word.said}" if called else word.said or "", at + 1
            elif word.kind == TEXT and not at:
                value, at = _Known(text=word.said), at + 1
            else:
                return _NOTHING
        return value if not called or called in self.names else _NOTHING

    def _called(self, name: str, of: _Known, words: Sequence[Word], depth: int) -> _Known:
        """What a call gives, and does."""
        given, named = list[_Known](), dict[str, _Known]()
        for part in parts(words, (",",)):
            if len(part) > 2 and part[0].kind == NAME and part[1] == Word(SIGN, "="):
                named[part[0].said or ""] = self._value(part[2:], depth + 1)
            else:
                given.append(self._value(part, depth + 1))
        if name == "os.chdir":
            self.lost = True
        whole, last = _CALLS.get(name), name.rpartition(".")[2]
        way = whole or _METHODS.get(last)
        if way is not None:
            return way(self, of, given, named)
        for each in (*given, *named.values()):  # something else may write into it
            if each.file is not None:
                each.file.given.append(_NOTHING)
        return next((replace(each, text=None, replaced=None) for each in given if each.is_read), _NOTHING)

    # -- what is done ---------------------------------------------------------------------------------------------

    def note(self, effect: Effect) -> None:
        """Something was done, if its line was run."""
        if self.lost and not effect.path.startswith("/"):
            return
        if self.surely:
            self.done.append(effect)
        elif not isinstance(effect, (Moved, Removed)):
            self.done.append(Changed(effect.path))

    def opened(self, path: str, mode: str) -> _Known:
        """A file was opened."""
        file = _File(path, mode, surely=self.surely)
        if set(mode) & set("wax+") and not (self.lost and not path.startswith("/")):
            self.done.append(file)
        return _Known(file=file)

    def wrote(self, path: str, value: _Known) -> None:
        """A file was written as a whole."""
        for effect in _becomes(path, value):
            self.note(effect)


# -- one way per call -------------------------------------------------------------------------------------------------

_Way = Callable[[_Walk, _Known, Sequence[_Known], Mapping[str, _Known]], _Known]


def _text(said: str) -> _Known:
    return _Known(text=said) if len(said) <= LONGEST_TEXT else _NOTHING


def _path_of(value: _Known) -> str | None:
    return value.path if value.path is not None and not value.is_read else value.text


def _at(given: Sequence[_Known], number: int) -> _Known:
    return given[number] if number < len(given) else _NOTHING


def _made_path(_: _Walk, __: _Known, given: Sequence[_Known], ___: Mapping[str, _Known]) -> _Known:
    named = [_path_of(each) for each in given]
    if not named or None in named:
        return _NOTHING
    return _Known(path="/".join(part or "" for part in named)[:LONGEST_TEXT])


def _open(walk: _Walk, of: _Known, given: Sequence[_Known], named: Mapping[str, _Known]) -> _Known:
    path = of.path if of.path is not None and not of.is_read else None
    arguments = list(given)
    if path is None:
        path = _path_of(_at(given, 0)) or _path_of(named.get("file", _NOTHING))
        arguments = arguments[1:]
    mode = named.get("mode", _at(arguments, 0) if arguments else _Known(text="r")).text
    return walk.opened(path, mode) if path and mode is not None else _NOTHING


def _read(_: _Walk, of: _Known, __: Sequence[_Known], ___: Mapping[str, _Known]) -> _Known:
    if of.file is not None:
        return _Known(path=of.file.path, replaced=(), is_read=True) if of.file.mode[:1] == "r" else _NOTHING
    return _Known(path=of.path, replaced=(), is_read=True) if of.path is not None and not of.is_read else _NOTHING


def _read_lines(walk: _Walk, of: _Known, given: Sequence[_Known], named: Mapping[str, _Known]) -> _Known:
    return replace(_read(walk, of, given, named), replaced=None)


def _replace(_: _Walk, of: _Known, given: Sequence[_Known], named: Mapping[str, _Known]) -> _Known:
    old, new = _at(given, 0).text, _at(given, 1).text
    if of.text is not None:
        if not old or new is None or len(given) != 2 or of.text.count(old) * len(new) > LONGEST_TEXT:
            return _NOTHING
        return _text(of.text.replace(old, new))
    if not of.is_read or of.replaced is None or not old or new is None or len(of.replaced) >= MOST_REPLACED:
        return replace(of, replaced=None)
    return replace(of, replaced=(*of.replaced, (old, new, len(given) == 2 and not named)))


def _write(walk: _Walk, of: _Known, given: Sequence[_Known], _: Mapping[str, _Known]) -> _Known:
    if of.file is not None:
        of.file.given.append(_at(given, 0))
        of.file.surely = of.file.surely and walk.surely
    return _NOTHING


def _write_text(walk: _Walk, of: _Known, given: Sequence[_Known], named: Mapping[str, _Known]) -> _Known:
    if of.path is not None and not of.is_read:
        walk.wrote(of.path, _at(given, 0) if given else named.get("data", _NOTHING))
    return _NOTHING


def _write_bytes(walk: _Walk, of: _Known, _: Sequence[_Known], __: Mapping[str, _Known]) -> _Known:
    return _write_text(walk, of, (_NOTHING,), {})


def _remove(walk: _Walk, of: _Known, given: Sequence[_Known], _: Mapping[str, _Known]) -> _Known:
    path = _path_of(_at(given, 0)) if given and of.path is None else of.path
    if path and not of.is_read:
        walk.note(Removed(path))
    return _NOTHING


def _move(walk: _Walk, of: _Known, given: Sequence[_Known], _: Mapping[str, _Known]) -> _Known:
    path, to = _path_of(_at(given, 0)), _path_of(_at(given, 1))
    if path and to and not to.endswith("/"):
        walk.note(Moved(path, to))
    return _NOTHING


def _copy(walk: _Walk, of: _Known, given: Sequence[_Known], _: Mapping[str, _Known]) -> _Known:
    path, to = _path_of(_at(given, 0)), _path_of(_at(given, 1))
    if path and to and not to.endswith("/"):
        walk.note(Changed(to, like=path))
    return _NOTHING


def _stripped(_: _Walk, of: _Known, given: Sequence[_Known], __: Mapping[str, _Known]) -> _Known:
    return replace(of, text=None, replaced=None)


_CALLS: dict[str, _Way] = {
    "Path": _made_path,
    "pathlib.Path": _made_path,
    "str": _made_path,
    "os.path.join": _made_path,
    "open": _open,
    "io.open": _open,
    "codecs.open": _open,
    "os.remove": _remove,
    "os.unlink": _remove,
    "os.rename": _move,
    "os.replace": _move,
    "shutil.move": _move,
    "shutil.copy": _copy,
    "shutil.copy2": _copy,
    "shutil.copyfile": _copy,
}
_METHODS: dict[str, _Way] = {
    "open": _open,
    "read": _read,
    "read_text": _read,
    "readlines": _read_lines,
    "replace": _replace,
    "write": _write,
    "writelines": lambda walk, of, given, named: _write(walk, of, (), named),
    "write_text": _write_text,
    "write_bytes": _write_bytes,
    "unlink": _remove,
}
_METHODS |= dict.fromkeys(("strip", "lstrip", "rstrip", "split", "splitlines", "format", "join", "encode"), _stripped)


# -- what a file becomes ----------------------------------------------------------------------------------------------


def _written(file: _File) -> Iterator[Effect]:
    """What became of a file that was opened to write."""
    texts = [each.text for each in file.given]
    mode = file.mode.replace("t", "").replace("b", "")
    if not file.surely or not texts or "+" in mode or "b" in file.mode:
        yield Changed(file.path)
    elif mode == "a":
        if None in texts:
            yield Changed(file.path)
        elif text := "".join(text or "" for text in texts):
            yield Appended(file.path, text)
    elif len(file.given) == 1:
        yield from _becomes(file.path, file.given[0])
    else:
        yield Changed(file.path) if None in texts else Wrote(file.path, "".join(text or "" for text in texts))


def _becomes(path: str, value: _Known) -> Iterator[Effect]:
    if value.text is not None:
        yield Wrote(path, value.text)
    elif value.is_read and value.path == path and value.replaced is not None:
        yield from (Replaced(path, old, new, everywhere) for old, new, everywhere in value.replaced)
    else:
        yield Changed(path)
