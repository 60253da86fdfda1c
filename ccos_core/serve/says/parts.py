"""What the words of many answers are made of: a node's name, an op's line, a table, a strip of residency.

Foreign text comes through here before anybody sees it. A sign never stands for itself: its word is near.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import combining, east_asian_width

import click

from ccos_core.present import words
from ccos_core.present.rows import View
from ccos_core.present.steps import step_rows
from ccos_core.present.words import STATES as STATES
from ccos_core.present.words import count
from ccos_core.query.telling import Looked, Run, Told
from ccos_core.serve.printing import printed
from ccos_core.serve.terminal import coloured

WIDEST = 72
"""Signs of a strip where nobody told how wide the screen is."""
SPOKEN = {glyph: said for glyph, said in STATES.values() if glyph not in "?×"} | {
    "→": "to", "✗": "failed", "✓": "passed", "▸": "here", "–": "to", "×": "times", "≤": "at most",
}  # fmt: skip
"""Sign → what is read aloud in its place."""
NARROWEST = 40
"""Columns below which no line is broken any further."""
_WORDS = re.compile(r"\s*\S+")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_ENDS_TWICE = re.compile(r"(\.\.\.|[.?!])\.$")
_SIGNS = re.compile(f" *([{''.join(SPOKEN)}]) *")


def node(name: str, longest: int = 0) -> str:
    """A node as people name it: `src/db.py`, `src/db.py#load`, harmless and on one line."""
    said = words.visible(words.node_words(name)).replace("\n", "\\n")
    return words.clipped(said, longest) if longest else said


def step_line(op: Told, columns: int | None) -> str:
    """An op on one line, with its step in front."""
    *_, line = printed(step_rows([op], -1, View(columns)), None)
    return line


def step_words(op: Told, longest: int = 100) -> str:
    """An op inside of a sentence: `step 42, edit src/db.py`."""
    said = words.clipped(words.visible(op.says), longest)
    return f"step {op.step:,}, {words.visible(op.kind)}{' ' + said if said else ''}"


def op_aloud(op: Told) -> str:
    """An op as it is read aloud: `tool, error, Bash pytest -q, 403 bytes`."""
    said = [words.visible(op.kind), op.outcome if op.outcome != "ok" else "", words.visible(op.says)]
    said += [*map(words.visible, op.notes), count(op.bytes, "byte") if op.bytes else ""]
    return spoken(", ".join(" ".join(each.split()) for each in said if each.strip()))


def table(rows: Sequence[Sequence[str]], left: Iterable[int] = (), indent: str = "  ") -> list[str]:
    """Columns side by side, to the right but for those in `left`; the last one is as wide as it likes."""
    if not rows:
        return []
    last, left = max(map(len, rows)) - 1, set(left)
    full = [[*row, *[""] * (last + 1 - len(row))] for row in rows]
    widths = [max(_width(cell) for cell in column) for column in zip(*full, strict=True)]
    return [indent + "  ".join(_cells(row, widths, left | {last})).rstrip() for row in full]


def strip(runs: Sequence[Run], columns: int | None = None) -> str:
    """`·●●●●●○○●●`: a sign a step, or a sign for as many steps as it takes to fit.

    A sign that stands for several steps tells the one among them that is the rarest in the whole."""
    if not runs:
        return ""
    room = min(WIDEST, max(columns - 20, 8)) if columns else WIDEST
    first, last = runs[0].first, runs[-1].last
    size = last - first + 1
    if size <= room:
        return "".join(STATES[run.state][0] * (run.last - run.first + 1) for run in runs)
    total: dict[str, int] = {}
    for run in runs:
        total[run.state] = total.get(run.state, 0) + run.last - run.first + 1
    rarest: list[str] = [""] * room
    for run in runs:
        for cell in range((run.first - first) * room // size, (run.last - first) * room // size + 1):
            if not rarest[cell] or total[run.state] < total[rarest[cell]]:
                rarest[cell] = run.state
    return "".join(STATES[state][0] for state in rarest)


def looked(answer: Looked | None) -> str:
    """`looked at 200 of 1,560 moments, not between them`; nothing where every step is known."""
    if answer is None:
        return ""
    if answer.moments >= answer.of:
        return f"looked at all {count(answer.of, 'moment')} at which that could change"
    return f"looked at {answer.moments:,} of {count(answer.of, 'moment')} at which that could change, not at the others"


def skipped(answer: Looked | None) -> bool:
    """Whether there are moments that weren't looked at."""
    return answer is not None and answer.moments < answer.of


def since_look(after: int | None) -> str:
    """` or earlier, after step 12`: when something happened of which only the outcome was seen."""
    return f" or earlier, after step {after:,}" if after is not None else ""


def legend(runs: Iterable[Run]) -> str:
    """What the signs of a strip mean."""
    there = {run.state for run in runs}
    return "  ".join(f"{glyph} {said}" for state, (glyph, said) in STATES.items() if state in there)


def more(left_out: int, one: str, many: str = "") -> list[str]:
    """How many are left out, if any."""
    if left_out <= 0:
        return []
    return [coloured(f"  and {count(left_out, f'more {one}', f'more {many}' if many else '')}", "quiet")]


def aloud(lines: Iterable[str]) -> Iterator[str]:
    """Lines as a screen reader can say them: no signs, no columns, no empty lines."""
    for line in lines:
        columns = (" ".join(spoken(part).split()) for part in click.unstyle(line).split("  "))
        if said := ", ".join(filter(None, columns)):
            yield said


def spoken(text: str) -> str:
    """A text with words in the place of signs; where the word stands behind its sign already, once."""
    return _SIGNS.sub(_word_of, text).replace("…", "...").strip()


def sentence(text: str) -> str:
    """The same of a sentence: what ends in somebody else's sign has no full stop behind it."""
    return _ENDS_TWICE.sub(r"\1", spoken(text))


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """Lines as sentences: begun in a capital, and ended."""
    for line in lines:
        yield f"{line[0].upper()}{line[1:]}."


def span(first: int, last: int) -> str:
    """`steps 3 to 9`, or `step 3` where that is all."""
    return f"steps {first:,} to {last:,}" if first < last else f"step {first:,}"


def fitted(line: str, columns: int) -> Iterator[str]:
    """A line in as many as fit a terminal, those below the first further in; a word stays whole.

    Of columns the last that doesn't fit stands below the others, rather than only its end."""
    room = max(columns, NARROWEST)
    if _width(line) <= room:
        yield line
        return
    bare = click.unstyle(line)
    indent = " " * min(len(bare) - len(bare.lstrip()) + 4, room // 2)
    begun, rest = _before_gap(line.rstrip(), room)
    if begun:
        yield begun
        begun, rest = "", indent + rest
    for word in _WORDS.findall(rest):
        if begun and _width(begun + word) > room:
            yield begun
            word = indent + word.lstrip()
            begun = ""
        begun += word
    yield begun


def _before_gap(line: str, room: int) -> tuple[str, str]:
    """The columns that fit, and the others; without columns nothing, and all of it."""
    gaps = [gap.span() for gap in _GAP.finditer(line)]
    begin, end = max((gap for gap in gaps if room // 3 <= _width(line[: gap[0]]) <= room), default=(0, 0))
    return line[:begin], line[end:]


def _word_of(found: re.Match[str]) -> str:
    word = SPOKEN[found[1]]
    return " " if found.string.startswith(word, found.end()) else f" {word} "


def _width(cell: str) -> int:
    """Columns a cell takes: characters of the East take two, what is put upon another none."""
    text = click.unstyle(cell)
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _cells(row: Sequence[str], widths: Sequence[int], left: set[int]) -> Iterator[str]:
    for at, (cell, width) in enumerate(zip(row, widths, strict=True)):
        gap = " " * (width - _width(cell))
        yield cell + gap if at in left else gap + cell
