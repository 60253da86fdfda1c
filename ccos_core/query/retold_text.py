"""What a window lost of what was said, as text within a budget: each thing once, with the step where it was said.

retold_text(retelling, 400, told=())    # "The user's last request (step 812): ..."
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.retelling import MOST_STATEMENTS
from ccos_core.text.delivered import CLOSING, LOST
from ccos_core.values.tokens import text_parts, tokens

if TYPE_CHECKING:
    from ccos_core.query.retelling import Retelling, Retold

HOOK_TOKENS = 600
"""Tokens of all that a hook says between two cuts of a window."""
FRAME_TOKENS = tokens(text_parts(f"{LOST}\n{CLOSING}\n"))
WORDS_TOKENS = HOOK_TOKENS - FRAME_TOKENS
"""What it gives to words if nothing fails."""
REQUEST = "The user's last request (step {:,}), word for word:"
REST = "Of the user's last request (step {:,}), word for word:"
SAID = "Said by the user earlier, behind the number of the step:"
TODOS = "Your open todos and notes, behind the number of the step:"
TRIED = "Tried and failed, behind the number of the step:"
MORE = "- and {}{:,} more: `ccos-tui statements --which lost`"
CUT = " … ({:,} more words at step {:,})"
OWN_CUT = " … ({:,} more words in the user's own record)"
OWN = "every project"
"""Stands in the place of a step where the user's own record says it."""
ROW_TOKENS = 70
"""The most that one row takes; the rest is cut, and that is said."""
PASTED_TOKENS = 50
"""The most that a pasted block of a request takes."""
REST_SHARE = 1, 8
"""Of the budget, kept for todos, and as much for what was tried."""
SPARED_TOKENS = 16
"""For a heading, and the words that say what was cut."""


class RetoldText(NamedTuple):
    """A text, and the names of what it tells."""

    text: str
    names: tuple[str, ...]


NOTHING = RetoldText("", ())


def retold_text(retelling: Retelling, budget: int, told: Collection[str]) -> RetoldText:
    """Write as much as fits, in the order of importance, and nothing that was `told` already."""
    request, said, *later = (
        [each for each in rows if each.name not in told]
        for rows in (retelling.request, retelling.statements, retelling.todos, retelling.tried)
    )
    share = budget * REST_SHARE[0] // REST_SHARE[1]
    writing = _Writing(budget - share * sum(map(bool, later)))
    if request:
        writing.add(_request(retelling, request, writing.left), request)
    writing.list(SAID, said, MORE, "at least " if len(retelling.statements) >= MOST_STATEMENTS else "")
    for head, rows in zip((TODOS, TRIED), later, strict=True):
        writing.left += share if rows else 0
        writing.list(head, rows)
    return RetoldText("\n".join(writing.lines), tuple(writing.names))


def size_of(text: str) -> int:
    """Return the tokens of a line, with its end."""
    return tokens(text_parts(text + "\n"))


def row_line(each: Retold) -> str:
    """Write one thing as a line of at most ROW_TOKENS and a note on what is cut."""
    line = f"- [{each.step or OWN}] {' '.join(each.text.split())}"
    short = _cut(line, ROW_TOKENS)
    if short != line:
        short += (CUT if each.step else OWN_CUT).format(len(line.split()) - len(short.split()), each.step)
    return short


class _Writing:
    """Lines within a budget."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.lines: list[str] = []
        self.names: list[str] = []

    def add(self, lines: Iterable[str], told: Iterable[Retold]) -> None:
        """Add lines that tell these."""
        for line in lines:
            self.lines.append(line)
            self.left -= size_of(line)
        self.names += [each.name for each in told]

    def list(self, head: str, rows: list[Retold], more: str = "", least: str = "") -> None:
        """Add what fits of these, the most important first, in the order of their steps; and how many `more` there
        are."""
        left = self.left - size_of(head)
        chosen = list(_fitting(rows, left))
        if more and len(chosen) < len(rows):
            chosen = list(_fitting(rows, left - size_of(more.format(least, len(rows)))))
        if chosen:
            told, lines = zip(*sorted(chosen, key=lambda each: each[0].step), strict=True)
            rest = [more.format(least, len(rows) - len(chosen))] if more and len(chosen) < len(rows) else []
            self.add([head, *lines, *rest], told)


def _request(retelling: Retelling, lost: list[Retold], budget: int) -> list[str]:
    """The request as it was written, each line quoted. Pasted blocks are cut first, then its end."""
    step = lost[0].step
    head = (REQUEST if retelling.whole and len(lost) == len(retelling.request) else REST).format(step)
    left = budget - size_of(head) - SPARED_TOKENS
    lines = [head]
    for at, each in enumerate(lost):
        if left < 2 * SPARED_TOKENS:
            return [*lines, ">" + CUT.format(sum(len(rest.text.split()) for rest in lost[at:]), step)]
        most = min(left, PASTED_TOKENS if each.pasted else left)
        quoted = _shortened([f"> {line}" for line in each.text.splitlines()], most, step)
        lines += quoted
        left -= sum(map(size_of, quoted))
    return lines


def _shortened(lines: list[str], most: int, step: int) -> list[str]:
    """As much of some lines as takes so many tokens; what is left out is counted at the end."""
    if sum(map(size_of, lines)) <= most:
        return lines
    kept: list[str] = []
    left = most - SPARED_TOKENS
    for line in lines:
        short = _cut(line, left) if left > 0 else ">"
        if short != ">":
            kept.append(short)
        left -= size_of(short)
        if short != line:
            break
    words = sum(len(line.split()) - 1 for line in lines) - sum(len(line.split()) - 1 for line in kept)
    return [*kept[:-1], (kept[-1] if kept else ">") + CUT.format(words, step)]


def _fitting(rows: Iterable[Retold], left: int) -> Iterator[tuple[Retold, str]]:
    """(row, its line) of those that fit; one that is too large keeps no other out."""
    for each in rows:
        if left <= 0:
            return
        short = row_line(each)
        if (size := size_of(short)) <= left:
            left -= size
            yield each, short


def _cut(line: str, most: int) -> str:
    """As many words of a line as take so many tokens."""
    if size_of(line) <= most:
        return line
    words = line.split(" ")
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size_of(" ".join(words[:middle])) <= most else (low, middle - 1)
    short = " ".join(words[:low])
    while size_of(short) > most and len(short) > 1:  # one word, of a script without blanks perhaps
        short = short[: len(short) // 2]
    return short
