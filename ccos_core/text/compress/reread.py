"""A file that is read again: only the lines that the agent's window doesn't hold as they are.

    shorten_read("10\\told\\n11\\tnew", {10: "old", 11: "was"}, ref)     # line 11, and a marker for line 10

A line is left out only if the same text is held under the same number of the file; the line numbers that a host writes
before them are understood. A marker counts lines of the result, as all markers do.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from ccos_core.text.compress.shortened import Shortened, without_lines

_NUMBERED = re.compile(r" *([1-9]\d{0,8})[→\t](.*)", re.DOTALL)


def shorten_read(text: str, held: Mapping[int, str], ref: str, first: int = 1) -> Shortened | None:
    """Leave out what is held, by the lines of the file; `first` is where an unnumbered read begins in it."""
    kept = {at for at, (number, line) in enumerate(numbered_lines(text, first)) if held.get(number) != line}
    return without_lines("reread", text, kept, ref)


def numbered_lines(text: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield number in the file and text of each line; what a host adds to its numbered lines has number 0."""
    is_numbered = _NUMBERED.match(text.partition("\n")[0]) is not None
    for number, line in enumerate(text.split("\n"), first):
        if not is_numbered:
            yield number, line
        else:
            found = _NUMBERED.fullmatch(line)
            yield (int(found[1]), found[2]) if found else (0, line)


def shorten_edit(text: str, known: Container[str], ref: str) -> Shortened | None:
    """Leave out numbered lines of an edit's result that the agent holds or wrote; what it says besides stays."""
    kept = {
        at
        for at, line in enumerate(text.split("\n"))
        if (found := _NUMBERED.fullmatch(line)) is None or found[2].strip() not in known
    }
    return without_lines("edit", text, kept, ref)
