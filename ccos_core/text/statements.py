"""Split what somebody said into statements.

A statement is a sentence, a list item, a heading, a row of a table; or a pasted block as a whole (`pasted`): fenced or
quoted text, a log, a diff, code. Its `words` are normalised as `retrieval.carried` compares them: letter case,
Markdown, quotes and the ends of lines don't count, so the same statement said twice has the same words.

    statements_of("Always use tabs. Never push to `main`!")
      →  (Statement("Always use tabs.", ("always", "use", "tabs"), 1, 1), Statement("Never push to `main`!", ...))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ccos_core.text.pasted import pasted_blocks
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.sanitize.joints import without_literals

WRAPPED_COLUMNS = 56
"""A line this wide was probably broken by an editor: the sentence goes on in the next line."""
TICKS = "```"
MOST_STATEMENTS = 2_000
"""Statements of one text. What follows them is one block."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_ROW = re.compile(r"\s*\|")
_BLANKS = re.compile(r"\s*")
_END = re.compile(r"[.!?…]+[\"'”’)\]*_`]*(?=\s|$)|[。！？]+[」』”’）]*")
_BEGINS = re.compile(r"\s+(?!Jan|Feb|März|Apr|Mai\b|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[\"'“‘(*_`]*[^\W\d_a-z]")
"""How a sentence goes on behind one that ended in a number: with a capital letter, but for a German date."""
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
    pasted: bool = False
    """Whether it is a block that was pasted."""


def statements_of(text: str, *, wrapped: bool = True) -> tuple[Statement, ...]:
    """Split a text into statements, in order. Marks without words, such as rules and empty items, are left out. Each
    line is a statement of its own unless it may be `wrapped`."""
    found: list[Statement] = []
    lines = text.split("\n")
    for block, first, is_pasted in _blocks(lines, wrapped=wrapped):
        if len(found) >= MOST_STATEMENTS:
            rest = "\n".join(lines[first - 1 :])
            found.append(Statement(rest, _words(rest), first, len(lines), pasted=True))
            break
        line, at = first, 0
        whole = [(block, 0, len(block))]
        for said, begins, ends in whole if is_pasted else _sentences(block, MOST_STATEMENTS - len(found)):
            line, at = line + block.count("\n", at, begins), begins
            words = _words(said)
            if words:
                found.append(Statement(said, words, line, line + block.count("\n", begins, ends), is_pasted))
    return tuple(found)


# ---- helpers ----


def _words(said: str) -> tuple[str, ...]:
    """Return the words of a statement; what the gate wrote for a hidden character is none."""
    return tuple(normalised_words(without_literals(said, " ")))


def _blocks(lines: list[str], *, wrapped: bool) -> Iterator[tuple[str, int, bool]]:
    """Yield (text, first line, whether it is pasted) of paragraphs, list items, headings, rows and pasted blocks."""
    pasted = _pasted(lines)
    held: list[str] = []
    begun = at = 0
    while at < len(lines):
        line = lines[at]
        alone = at in pasted or not line.strip() or _HEADING.match(line) or _ROW.match(line)
        if held and (alone or _ITEM.match(line) or not (wrapped and _goes_on(held[-1]))):
            yield "\n".join(held), begun, False
            held = []
        if at in pasted:
            first, end, at = pasted[at]
            yield "\n".join(lines[first:end]), first + 1, True
            continue
        if alone:
            yield _without(_HEADING, line), at + 1, False
        elif held:
            held.append(line)
        else:
            held, begun = [_without(_ITEM, line)], at + 1
        at += 1
    if held:
        yield "\n".join(held), begun, False


def _pasted(lines: list[str]) -> dict[int, tuple[int, int, int]]:
    """Where a pasted block begins → (its first line, its end, the line behind it and its fence)."""
    found: dict[int, tuple[int, int, int]] = {}
    begun = at = 0
    while at <= len(lines):
        fence = _opened(lines[at]) if at < len(lines) else ""
        if fence or at == len(lines):
            blocks = pasted_blocks(lines[begun:at])
            found |= {begun + first: (begun + first, begun + end, begun + end) for first, end in blocks}
        if fence:
            end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(fence)), len(lines))
            found[at if _FENCE.match(lines[at]) else at + 1] = at + 1, end, end + 1
            begun, at = end + 1, end
        at += 1
    return found


def _opened(line: str) -> str:
    """Return the fence that a line opens, at its begin or behind its words; empty if none."""
    if fence := _FENCE.match(line):
        return fence[1]
    return TICKS if line.rstrip().endswith(TICKS) and line.count(TICKS) % 2 else ""


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
        if dot and (before in _ABBREVIATIONS or (len(before) == 1 and before.isalpha())):
            continue
        if dot and before.isdigit() and (word == begins or not _BEGINS.match(block, end.end())):
            continue
        yield block[begins : end.end()].strip(), begins, end.end()
        most -= 1
        blank = _BLANKS.match(block, end.end())
        begins = blank.end() if blank else end.end()
    if block[begins:].strip():
        yield block[begins:].strip(), begins, len(block)
