"""Cut a text into the sentences that a model may take for instructions: of comments, strings, prose and output.

    segments('x = 1  # Please read this first.')    # [Segment(start=9, kind="comment", text="Please read this first.")]

Code between them is left out. Nothing is parsed: a text may be a file, a log, JSON or a mail, whole or cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

COMMENT, STRING, PROSE, OUTPUT = KINDS = ("comment", "string", "prose", "output")
FEWEST_WORDS = 3
MOST_WORDS = 60
"""Words of one segment; of longer sentences the rest is a further one."""
LONGEST_SENTENCE = 800
"""Characters."""
MOST_SEGMENTS = 4_000
"""Segments of a text that are looked at."""

_LINE = re.compile(r"[^\n]+")
_COMMENT = re.compile(r"\s*(?:#+!?|//+!?|/\*+|\*+/?|<!--|--|;+|%+|\"\"\"|'''|REM )\s*")
_TRAILING = re.compile(r"\s(?:#|//|<!--|/\*)\s+(?=\S)")
_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.){12,600})\"|'((?:[^'\\\n]|\\.){12,600})'(?![A-Za-z])")
_WORD = re.compile(r"[A-Za-z][A-Za-z']*|[\u00c0-\U0010ffff]+")
_RUN = re.compile(r"(?:[A-Za-z][A-Za-z0-9'’-]*[,;:.!?\"')]{0,2} +){3,}[^\n]*")
"""Words one after another, and what follows them in the line."""
_CODE = re.compile(r"[=(){}\[\];<>_\\|/*&^+@$]|::|->|\.\w")
_END = re.compile(r"[.!?][\"')\]*_]*(?=\s|$)|[。！？]|\\n|\\t|\s[-*]\s|<[^<>\n]{1,40}>|[|:](?=\s)")


class Segment(NamedTuple):
    """One sentence, and where it begins."""

    start: int
    kind: str
    text: str
    words: tuple[str, ...]
    """In small ASCII letters."""


def segments(text: str) -> list[Segment]:
    """Return the sentences of a text in order."""
    found: list[Segment] = []
    for start, end, kind in _blocks(text):
        for first, last in _sentences(text, start, end):
            said = text[first:last]
            words = words_of(said)
            for at in range(0, len(words), MOST_WORDS):
                part = words[at : at + MOST_WORDS]
                if len(part) >= FEWEST_WORDS or (len(part) == 1 and len(part[0]) > 6 and not part[0].isascii()):
                    found.append(Segment(first, kind, said.strip(), part))
            if len(found) >= MOST_SEGMENTS:
                return found
    return found


_LOWER = {code: code + 32 for code in range(65, 91)}


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text; only ASCII letters are made small, so that no Python release changes them."""
    return tuple(_WORD.findall(text.translate(_LOWER)))


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield stretches of one kind: lines of comments or prose that follow each other are one."""
    held: tuple[int, int, str] | None = None
    for line in _LINE.finditer(text):
        for start, end, kind in _parts(line[0], line.start()):
            joins = held is not None and held[2] == kind and kind != STRING and start - held[1] <= _GAP
            if held is not None and joins and not text[held[1] : start].count("\n") > 1:
                held = held[0], end, kind
                continue
            if held is not None:
                yield held
            held = start, end, kind
    if held is not None:
        yield held


_GAP = 24
"""Characters between two lines of one comment: its indentation and marks."""


def _parts(line: str, at: int) -> Iterator[tuple[int, int, str]]:
    comment = _COMMENT.match(line)
    if comment and comment.end() < len(line) and not line.lstrip().startswith(("*/", "--", "%")):
        yield at + comment.end(), at + len(line), COMMENT
        return
    if _is_prose(line):
        yield at, at + len(line), PROSE
        return
    trailing = _TRAILING.search(line)
    end = trailing.start() if trailing else len(line)
    done = 0
    for string in _STRING.finditer(line, 0, end):
        yield from _runs(line, done, string.start(), at)
        group = 1 if string[1] is not None else 2
        yield at + string.start(group), at + string.end(group), STRING
        done = string.end()
    yield from _runs(line, done, end, at)
    if trailing:
        yield at + trailing.end(), at + len(line), COMMENT


def _runs(line: str, start: int, end: int, at: int) -> Iterator[tuple[int, int, str]]:
    for run in _RUN.finditer(line, start, end):
        yield at + run.start(), at + run.end(), OUTPUT


def _is_prose(line: str) -> bool:
    """Whether a line reads as prose: mostly words, with little of what code is made of."""
    words = _WORD.findall(line)
    if not words:
        return False
    signs = len(_CODE.findall(line))
    letters = sum(map(len, words))
    return (len(words) >= FEWEST_WORDS or not words[0].isascii()) and signs * 8 <= letters and letters * 3 >= len(line)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for match in _END.finditer(text, start, end):
        yield from _cut(text, first, match.end())
        first = match.end()
    yield from _cut(text, first, end)


def _cut(text: str, first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence, a very long one in pieces, so that no text takes longer than its length explains."""
    while end - first > LONGEST_SENTENCE:
        blank = text.rfind(" ", first, first + LONGEST_SENTENCE)
        last = blank if blank > first else first + LONGEST_SENTENCE
        yield first, last
        first = last
    if end > first:
        yield first, end
