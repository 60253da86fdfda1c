"""Split what somebody said into statements.

A statement is a sentence, a list item, a heading, a row of a table, or a block of pasted code. Its `words` are
normalised as `retrieval.carried` compares them: letter case, Markdown, quotes and the ends of lines don't count, so the
same statement said twice has the same words.

    statements_of("Always use tabs. Never push to `main`!")
      →  (Statement("Always use tabs.", ("always", "use", "tabs"), 1, 1), Statement("Never push to `main`!", ...))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ccos_core.text.retrieval.carried import normalised_words

WRAPPED_COLUMNS = 56
"""A line this wide was probably broken by an editor: the sentence goes on in the next line."""
MOST_STATEMENTS = 2_000
"""Statements of one text. What follows is one statement."""

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_ROW = re.compile(r"\s*\|")
_QUOTED = re.compile(r"\s*>\s?")
_BLANKS = re.compile(r"\s*")
_END = re.compile(r"[.!?…]+[\"'”’)\]*_`]*(?=\s|$)|[。！？]+[」』”’）]*")
_ABBREVIATIONS = frozenset(
    {"e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "excl", "resp", "no", "fig", "eq", "dr", "mr", "mrs", "ms"}
    | {"prof", "st", "nr", "z.b", "d.h", "u.a", "bzw", "ca", "evtl", "p.ex"}
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that was said."""

    text: str
    """As it was written, without the mark of a list."""

    words: tuple[str, ...]
    """Normalised."""

    first: int
    """The line it begins in, from 1."""

    last: int


def statements_of(text: str) -> tuple[Statement, ...]:
    """Split a text into statements, in order. Marks without words, such as rules and empty items, are left out."""
    found: list[Statement] = []
    for block, first in _blocks(text.splitlines()):
        line, at = first, 0
        for said, begins, ends in _sentences(block, MOST_STATEMENTS - len(found)):
            line, at = line + block.count("\n", at, begins), begins
            words = tuple(normalised_words(said))
            if words:
                found.append(Statement(said, words, line, line + block.count("\n", begins, ends)))
    return tuple(found)


# ---- helpers ----


def _blocks(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Yield (text, first line) of paragraphs, list items, headings, rows and fenced code."""
    held: list[str] = []
    begun = 0
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        alone = fence or not line.strip() or _HEADING.match(line) or _ROW.match(line)
        if held and (alone or _ITEM.match(line) or not _goes_on(held[-1])):
            yield "\n".join(held), begun
            held = []
        if fence:
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(fence[1])), len(lines))
            yield "\n".join(lines[at + 1 : end]), at + 2
            at = end + 1
            continue
        if alone:
            yield _without(_HEADING, line), at + 1
        elif held:
            held.append(line)
        else:
            held, begun = [_without(_ITEM, _without(_QUOTED, line))], at + 1
        at += 1
    if held:
        yield "\n".join(held), begun


def _without(mark: re.Pattern[str], line: str) -> str:
    """Return a line without the mark that it begins with."""
    found = mark.match(line)
    return line[found.end() :] if found else line


def _goes_on(line: str) -> bool:
    """Tell whether a sentence probably goes on in the next line."""
    return len(line.rstrip()) >= WRAPPED_COLUMNS or line.rstrip().endswith((",", "-", "\\", "&&", "|"))


def _sentences(block: str, most: int) -> Iterator[tuple[str, int, int]]:
    """Yield (sentence, where it begins, where it ends); the last of so many is all that is left."""
    begins = 0
    for end in _END.finditer(block):
        if most <= 1:
            break
        word = max(block.rfind(" ", begins, end.start()) + 1, begins)
        before = block[word : end.start()].casefold().lstrip("(")
        dot = end.group().startswith(".") and len(end.group()) == 1
        if dot and (before in _ABBREVIATIONS or (len(before) == 1 and before.isalpha()) or before.isdigit()):
            continue
        yield block[begins : end.end()].strip(), begins, end.end()
        most -= 1
        blank = _BLANKS.match(block, end.end())
        begins = blank.end() if blank else end.end()
    if block[begins:].strip():
        yield block[begins:].strip(), begins, len(block)
