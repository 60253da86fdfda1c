"""The words of a Python script, line by logical line: as far as it takes to see which files it writes.

Not the interpreter's own reader, for what that takes differs from version to version, and a transcript is to say the
same everywhere. A script that can't be taken apart has no lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

LONGEST = 50_000
"""Characters of a script."""
ASSIGNING = ("=", "+=", "-=", "/=", "*=", "%=", "@=", "&=", "|=", "^=")
NAME, TEXT, SIGN, NUMBER = "name", "text", "sign", "number"


class Word(NamedTuple):
    """One word of a line."""

    kind: str
    said: str | None
    """A text as it is meant; None where it has to be filled in or is made of bytes."""


class Line(NamedTuple):
    """One logical line."""

    indent: int
    """Of what stands behind a `;` more than that of its line, for it may belong to a block that begins there."""
    words: tuple[Word, ...]


_WORD = re.compile(
    r"[ \t\f]*+(?:(?P<text>(?P<prefix>[rRuUbBfF]{0,2})(?:'''(?P<long>(?:[^\\]|\\.)*?)'''"
    r"|\"\"\"(?P<longer>(?:[^\\]|\\.)*?)\"\"\"|'(?P<short>(?:[^'\\\n]|\\.)*+)'|\"(?P<other>(?:[^\"\\\n]|\\.)*+)\"))"
    r"|(?P<name>[^\W\d]\w*+)|(?P<end>\r?\n)|(?P<comment>\#[^\n]*+)|(?P<blank>\\\r?\n|\Z)|(?P<torn>['\"])"
    r"|(?P<number>\d[\w.]*+)|(?P<sign>\*\*|//|->|:=|[-+*/%@&|^<>=!]=|[^\n]))",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:(\r?\n)|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_CHARACTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}
_HALF = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(r"[ \t]{0,200}")
_FILLED = re.compile(r"(?<!\{)(?:\{\{)*\{(?!\{)")


def lines_of(script: str) -> list[Line]:
    """Its logical lines, without empty ones."""
    if len(script) > LONGEST:
        return []
    if "\r" in script:
        script = script.replace("\r\n", "\n").replace("\r", "\n")
    try:
        return list(_lines(script))
    except _Torn:
        return []


def is_main(words: Sequence[Word]) -> bool:
    """Whether a line asks if the script is what was started, and nothing else."""
    return [word.said for word in words] == ["if", "__name__", "==", "__main__", ":"]


def assigned(words: Sequence[Word]) -> int | None:
    """Where a line has its sign of assignment, if it has one."""
    depth = 0
    for at, word in enumerate(words):
        depth += _depth(word)
        if not depth and word.kind == SIGN and word.said in ASSIGNING:
            return at
    return None


def colon(words: Sequence[Word]) -> int | None:
    """Where the head of a line ends that has a block, or a name's type begins."""
    depth = 0
    for at, word in enumerate(words):
        depth += _depth(word)
        if not depth and word == Word(SIGN, ":"):
            return at
    return None


def outer(words: Sequence[Word]) -> Iterator[Word]:
    """Those that stand in no brackets."""
    depth = 0
    for word in words:
        depth += min(_depth(word), 0)
        if depth <= 0:
            yield word
        depth += max(_depth(word), 0)


def parts(words: Sequence[Word], between: Sequence[str]) -> list[Sequence[Word]]:
    """Cut at these, outside of brackets; without what is empty."""
    found: list[Sequence[Word]] = []
    depth = start = 0
    for at, word in enumerate(words):
        depth += _depth(word)
        if not depth and word.kind in (SIGN, NAME) and word.said in between:
            found.append(words[start:at])
            start = at + 1
    return [part for part in (*found, words[start:]) if part]


def closing(words: Sequence[Word], at: int) -> int:
    """Where the bracket is closed that is opened there; the end where it isn't."""
    depth = 0
    for place in range(at, len(words)):
        depth += _depth(words[place])
        if not depth:
            return place
    return len(words)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _depth(word: Word) -> int:
    """How much deeper one is in brackets behind it."""
    if word.kind != SIGN:
        return 0
    return (word.said in ("(", "[", "{")) - (word.said in (")", "]", "}"))


class _Torn(Exception):
    """A text has no end."""


def _lines(script: str) -> Iterator[Line]:
    start = depth = 0
    words: list[Word] = []
    for found in _WORD.finditer(script):
        kind = found.lastgroup
        if kind in (NAME, NUMBER):
            words.append(Word(kind, found[kind]))
        elif kind == SIGN and (found[SIGN] != ";" or depth):
            words.append(Word(SIGN, found[SIGN]))
            depth = max(depth + _depth(words[-1]), 0)
        elif kind == TEXT:
            words.append(_text(found))
        elif kind == "torn":
            raise _Torn
        elif kind in ("end", SIGN) and not depth:
            if words:
                yield Line(start, tuple(words))
            words = []
            start += 1
        if kind == "end" and not depth:
            blanks = _BLANKS.match(script, found.end())
            start = len(blanks[0].expandtabs(8)) if blanks is not None else 0
    if words:
        yield Line(start, tuple(words))


def _text(found: re.Match[str]) -> Word:
    """A text, without its quotes."""
    prefix = found["prefix"].lower()
    said = next(each for each in found.group("long", "longer", "short", "other") if each is not None)
    if "b" in prefix or ("f" in prefix and _FILLED.search(said)):
        return Word(TEXT, None)
    said = said.replace("{{", "{").replace("}}", "}") if "f" in prefix else said
    return Word(TEXT, said if "r" in prefix else _unescaped(said))


def _unescaped(said: str) -> str | None:
    """What is meant; None where a character is called by its name, or is half of one, that no file takes."""
    if "\\" not in said:
        return said
    if "\\N" in said or "\\U" in said:
        return None
    meant = _ESCAPE.sub(_escaped, said)
    return None if _HALF.search(meant) else meant


def _escaped(match: re.Match[str]) -> str:
    if match[1]:
        return ""
    if match[2]:
        return chr(int(match[2], 8))
    if match[3] or match[4]:
        return chr(int(match[3] or match[4], 16))
    return _CHARACTERS.get(match[5], match[0])
