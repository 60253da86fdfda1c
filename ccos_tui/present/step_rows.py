"""The text of a step as rows: wrapped, coloured, long texts folded; only rows that are looked at are made.

A row is found by its number without making those before it: of each line only the number of rows that it takes is
known. So an output of 5 MB costs its lines' lengths, and colours cost what is on the screen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, overload

from ccos_core.present.cells import width_of
from ccos_core.present.rows import Moment, Row, Span, clean, note, page_broken, row
from ccos_core.present.sentences import SPEAKING_ROLES, Sentence, Spot, sentences_of
from ccos_core.present.words import count
from ccos_core.text.sanitize import surface
from ccos_tui.present import ansi
from ccos_tui.present.argument_rows import argument_rows
from ccos_tui.present.highlight import Highlighted
from ccos_tui.present.matches import marked, matches

if TYPE_CHECKING:
    from ccos_core.query.step_text import Part

TAB = 4
FOLD = "⋯"
LONGEST_BROKEN = 4_000  # characters; a longer line isn't broken between words
TERMINAL = ("output", "error")
"""Roles whose texts may have a terminal's colours."""
KEPT_LINES: Mapping[str, tuple[int, int]] = {
    "output": (24, 10), "error": (12, 24), "note": (24, 6), "arguments": (24, 6), "command": (24, 6),
    "write": (60, 10),
}  # fmt: skip
"""Role → lines that a folded text shows at its beginning and at its end."""
KEPT_OTHERWISE = (200, 40)
FEWEST_FOLDED = 6  # lines; fewer aren't worth a fold
UNFOLDED_LINES = 5_000  # of one text; unfolding again shows ten times as many
AROUND_MATCH, MOST_MATCHES = 2, 20
"""Lines shown around a match in a folded text, and of how many."""
DIFF_ROLES = {"+": "entered", "-": "left", "@": "syntax-name"}
LABELS = {
    "write": "new file",
    "arguments": "with",
    "text": "agent",
    "note": "",
    "prompt": "",
    "image": "",
    "thinking": "",
}
"""Role → the word before the title, where it isn't the role's own name."""


class StepRows(Sequence[Row]):
    """All rows of a step."""

    def __init__(self, parts: Sequence[Part], width: int, unfolded: Mapping[int, int], found: str = "") -> None:
        self._blocks: list[_Plain | _Lines] = []
        self._parts: list[int] = []
        self._part_list = parts
        paths = [part.path for part in parts if part.path]
        for number, part in enumerate(parts):
            is_first = not self._blocks
            for block in _blocks(part, max(width, 8), unfolded.get(number, 0), found, paths, is_first=is_first):
                self._blocks.append(block)
                self._parts.append(number)
        self._ends = list(accumulate(map(len, self._blocks)))
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        if at not in self._made:
            block, within = self._block(at)
            self._made[at] = self._blocks[block].row(within)
        return self._made[at]

    def part_at(self, index: int) -> int:
        """Return the number of the part that a row belongs to."""
        return self._parts[self._block(index)[0]]

    def is_fold(self, index: int) -> bool:
        """Whether a row stands for lines that aren't shown."""
        block, _ = self._block(index)
        return isinstance(self._blocks[block], _Plain) and self._blocks[block].is_fold

    def has_folds(self, part: int) -> bool:
        """Whether a part isn't shown whole."""
        return any(each.is_fold for each, number in zip(self._blocks, self._parts, strict=True) if number == part)

    def next_match(self, index: int, by: int, word: str) -> int | None:
        """Return the next row behind (`by` 1) or before (-1) a row that shows a word; None where none does."""
        blocks = range(len(self._blocks))
        here = self._block(index)[0] if 0 <= index < len(self) else (0 if by > 0 else len(self._blocks) - 1)
        for number in blocks[here:] if by > 0 else reversed(blocks[: here + 1]):
            begin = self._ends[number - 1] if number else 0
            rows = [begin + each for each in self._blocks[number].matching(word)]
            beyond = [each for each in rows if (each > index if by > 0 else each < index)]
            if beyond:
                return beyond[0] if by > 0 else beyond[-1]
        return None

    def spots(self, index: int) -> tuple[Spot, Spot] | None:
        """Return where in its text the row begins and ends; None for a heading, a fold or an empty line."""
        block, within = self._block(index)
        found = self._blocks[block] if 0 <= index < len(self) else None
        return found.spots(within) if isinstance(found, _Lines) else None

    def sentences(self, index: int) -> Sequence[Sentence]:
        """Return the sentences of the text that a row belongs to; where nobody speaks, its line alone."""
        block, within = self._block(index)
        found = self._blocks[block] if 0 <= index < len(self) else None
        return found.sentences(within) if isinstance(found, _Lines) else ()

    def speaks(self, index: int) -> bool:
        """Whether a row belongs to a text that has sentences."""
        return 0 <= index < len(self) and self._part_list[self.part_at(index)].role in SPEAKING_ROLES

    def row_of(self, index: int, spot: Spot) -> int | None:
        """Return the row that shows a spot of the text that a row belongs to; None if it is folded."""
        part = self.part_at(index)
        for block, number in enumerate(self._parts):
            found = self._blocks[block]
            if number == part and isinstance(found, _Lines) and (within := found.row_of(spot)) is not None:
                return (self._ends[block - 1] if block else 0) + within
        return None

    def _block(self, index: int) -> tuple[int, int]:
        block = bisect_right(self._ends, index)
        return block, index - (self._ends[block - 1] if block else 0)


class _Plain:
    """Rows that are there."""

    def __init__(self, rows: Sequence[Row], *, is_fold: bool = False) -> None:
        self._rows = rows
        self.is_fold = is_fold

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, at: int) -> Row:
        return self._rows[at]

    def matching(self, word: str) -> list[int]:
        return [at for at, each in enumerate(self._rows) if matches(each.text, word, most=1)]


class _Lines:
    """Lines of one text, from one to another."""

    is_fold = False

    def __init__(self, text: _Text, first: int, last: int) -> None:
        self._text, self._first = text, first
        self._ends = list(accumulate(map(text.rows_of, range(first, last))))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def row(self, at: int) -> Row:
        return self._text.row(*self._piece(at))

    def spots(self, at: int) -> tuple[Spot, Spot] | None:
        line, piece = self._piece(at)
        begin, end = self._text.cuts(line)[piece]
        return ((line, begin), (line, end)) if end > begin else None

    def sentences(self, at: int) -> Sequence[Sentence]:
        return self._text.sentences(self._piece(at)[0])

    def row_of(self, spot: Spot) -> int | None:
        """Return the row that shows a spot of the text."""
        line, char = spot
        at = line - self._first
        if not 0 <= at < len(self._ends):
            return None
        piece = max(bisect_right([begin for begin, _ in self._text.cuts(line)], char) - 1, 0)
        return (self._ends[at - 1] if at else 0) + piece

    def _piece(self, at: int) -> tuple[int, int]:
        """Return (line of the text, piece of it) of a row."""
        line = bisect_right(self._ends, at)
        return self._first + line, at - (self._ends[line - 1] if line else 0)

    def matching(self, word: str) -> list[int]:
        """Return the rows that show a word."""
        found = []
        for line, end in enumerate(self._ends):
            pieces = self._text.matching(self._first + line, word)
            begin = self._ends[line - 1] if line else 0
            found += [begin + piece for piece in pieces if begin + piece < end]
        return found


class _Text:
    """The lines of one part: as they are drawn, and how many rows each takes."""

    def __init__(self, part: Part, lines: Sequence[str], width: int, found: str) -> None:
        self.part = part
        self.lines = lines
        self._found = found
        self._is_terminal = part.role in TERMINAL and part.language == "text" and ansi.MARK in part.text
        is_numbered = part.line > 0 and part.language != "diff" and part.role in ("output", "write", "error")
        self._digits = len(str(part.line + len(lines))) if is_numbered else 0
        self._room = max(width - self._digits - 1, 4)
        self._states: dict[int, ansi.Sgr] = {0: ansi.PLAIN}

    @cached_property
    def _highlighted(self) -> Highlighted:
        return Highlighted(_Drawn(self.lines), self.part.language)

    def rows_of(self, at: int) -> int:
        line = self.lines[at]
        if len(line) <= self._room and line.isascii() and line.isprintable() and ansi.MARK not in line:
            return 1
        return len(self._cuts(self._plain(at)))

    def row(self, at: int, piece: int) -> Row:
        plain = self._plain(at)
        cuts = self._cuts(plain)
        begin, end = cuts[piece]
        spans = self._spans(at)
        if self._found:
            spans = marked(spans, matches(plain, self._found))
        cut = _cut(spans, begin, end)
        number = f"{self.part.line + at:>{self._digits}} " if self._digits else " "
        if piece:
            number = " " * len(number)
        return Row((Span(number, "quiet", ""), *(Span(text, role) for text, role in cut)), copies=plain or " ")

    def matching(self, at: int, word: str) -> list[int]:
        """Return the pieces of a line in which a word begins."""
        plain = self._plain(at)
        if not (found := matches(plain, word)):
            return []
        cuts = self._cuts(plain)
        return [piece for piece, (first, end) in enumerate(cuts) if any(first <= begin < end for begin, _ in found)]

    @cached_property
    def _sentences(self) -> Sequence[Sentence]:
        return sentences_of([self._plain(at) for at in range(len(self.lines))])

    def sentences(self, at: int) -> Sequence[Sentence]:
        """Return the sentences of the text; where nobody speaks, the line alone, without the sign of a diff."""
        if self.part.role in SPEAKING_ROLES:
            return self._sentences
        line = self._plain(at)
        return (Sentence(line[self.part.language == "diff" :], (at, 0), (at, len(line))),)

    def cuts(self, at: int) -> list[tuple[int, int]]:
        """Return where the rows of a line begin and end."""
        return self._cuts(self._plain(at))

    def _plain(self, at: int) -> str:
        line = _drawn(self.lines[at])
        return ansi.stripped(line) if self._is_terminal else line

    def _spans(self, at: int) -> list[tuple[str, str]]:
        line = _drawn(self.lines[at])
        if self._is_terminal:
            return ansi.spans(line, self._state(at))[0]
        if self.part.language == "diff":
            return [(line, DIFF_ROLES.get(line[:1], ""))]
        return self._highlighted.line(at)

    def _state(self, at: int) -> ansi.Sgr:
        """How the line before leaves the text; of a text that is looked at from its middle it isn't known."""
        if at not in self._states:
            known = max(each for each in self._states if each <= at)
            if at - known > UNFOLDED_LINES:
                return ansi.PLAIN
            state = self._states[known]
            for each in range(known, at):
                state = ansi.spans(self.lines[each], state)[1]
            self._states[at] = state
        return self._states[at]

    def _cuts(self, text: str) -> list[tuple[int, int]]:
        return (_words if len(text) <= LONGEST_BROKEN else _pieces)(text, self._room)


class _Drawn(Sequence[str]):
    """Lines as they are drawn, each when it is looked at."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return list(map(_drawn, self._lines[at])) if isinstance(at, slice) else _drawn(self._lines[at])


def _drawn(line: str) -> str:
    """A line that no terminal obeys."""
    if line.isascii() and line.isprintable():
        return line
    return page_broken(surface(line.removesuffix("\r"))[0]).expandtabs(TAB)


# ---- parts ----


def _blocks(
    part: Part, width: int, unfolded: int, found: str, paths: Sequence[str], *, is_first: bool
) -> Iterator[_Plain | _Lines]:
    if part.role == "arguments" and (rows := argument_rows(part, width, found, paths)) is not None:
        yield _Plain(rows)
        return
    text = part.text.removesuffix("\n")
    lines = text.split("\n") if text else []
    if part.language == "diff" and lines[:1] and lines[0].startswith("--- ") and len(lines) > 2:
        lines = lines[2:]  # the heading says which file it is
    is_command = part.role == "command" and len(lines) == 1
    heads = [] if is_first else [Row()]
    yield _Plain(heads if is_command else [*heads, _heading(part, lines)])
    if is_command:
        lines = [f"$ {lines[0]}"]
    drawn = _Text(part, lines, width, found)
    for first, last, is_shown in _runs(part, lines, unfolded, found):
        yield _Lines(drawn, first, last) if is_shown else _Plain([_fold(last - first)], is_fold=True)
    if part.missing:
        yield _Plain([note(f" {clean(part.missing)}", "note")])


def _heading(part: Part, lines: Sequence[str]) -> Row:
    label = LABELS.get(part.role, part.role)
    title = "" if part.title in (label, part.role, f"the {label}") else clean(part.title)
    label = label or ("" if title else part.role)
    spans = [Span(f"{label}  " if title else label, "bad" if part.role == "error" else "heading")] if label else []
    if title:
        spans.append(Span(title, "link" if part.path else "heading"))
    if part.language == "diff" and part.role in ("edit", "patch"):
        added = sum(line.startswith("+") for line in lines)
        spans += [Span(f"  +{added:,}", "entered"), Span(f" −{sum(line.startswith('-') for line in lines):,}", "left")]
    right = [Span(count(part.tokens, "token"), "quiet")] if part.tokens else []
    leads = Moment(node=f"file:{part.path}") if part.path else None
    return row(*spans, right=right, leads=leads)


def _fold(lines: int) -> Row:
    return row(Span(f" {FOLD} {count(lines, 'line')} folded", "link"))


def _runs(part: Part, lines: Sequence[str], unfolded: int, found: str) -> list[tuple[int, int, bool]]:
    """Return (first line, end, whether they are shown)."""
    size = len(lines)
    head, tail = KEPT_LINES.get(part.role, KEPT_OTHERWISE)
    if unfolded:
        most = UNFOLDED_LINES * 10 ** (unfolded - 1)
        head, tail = most * 4 // 5, most // 5
    if size <= head + tail + FEWEST_FOLDED:
        return [(0, size, True)] if size else []
    shown = [(0, head), *_around_matches(part, lines, found, head, size - tail), (size - tail, size)]
    runs: list[tuple[int, int, bool]] = []
    at = 0
    for first, last in shown:
        if first > at:
            runs.append((at, first, False))
        if last > max(first, at):
            runs.append((max(first, at), last, True))
            at = last
    return runs


def _around_matches(part: Part, lines: Sequence[str], found: str, head: int, end: int) -> Iterator[tuple[int, int]]:
    if not found or not matches(part.text, found, most=1):
        return
    hits = 0
    for at in range(head, end):
        if matches(lines[at], found, most=1):
            hits += 1
            yield max(at - AROUND_MATCH, head), min(at + AROUND_MATCH + 1, end)
            if hits == MOST_MATCHES:
                return


# ---- lines ----


def _pieces(text: str, width: int) -> list[tuple[int, int]]:
    """Cut a line wherever the width is full."""
    if text.isascii():
        return [(at, min(at + width, len(text))) for at in range(0, len(text), width)] or [(0, 0)]
    cuts, begin, used = [], 0, 0
    for at, char in enumerate(text):
        taken = width_of(char)
        if at > begin and used + taken > width:
            cuts.append((begin, at))
            begin, used = at, 0
        used += taken
    return [*cuts, (begin, len(text))]


def _words(text: str, width: int) -> list[tuple[int, int]]:
    """Cut a line between words where that is possible."""
    cuts, begin = [], 0
    while width_of(text[begin:]) > width:
        end = _pieces(text[begin : begin + width], width)[0][1] + begin
        space = text.rfind(" ", begin + 1, end + 1)
        if space > begin + width // 3:
            cuts.append((begin, space))
            begin = space + 1
        else:
            cuts.append((begin, end))
            begin = end
    return [*cuts, (begin, len(text))]


def _cut(spans: Sequence[tuple[str, str]], begin: int, end: int) -> Iterator[tuple[str, str]]:
    """Yield the spans between two characters."""
    at = 0
    for text, role in spans:
        first, last = max(begin - at, 0), min(end - at, len(text))
        if first < last:
            yield text[first:last], role
        at += len(text)
