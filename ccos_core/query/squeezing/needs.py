"""Which lines an agent used: those an edit changed or repeated, and those its words and calls cite.

Cited are `path:12`, `path:12-20` and whatever stands in backticks. Nothing is asked of a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from ccos_core.query.squeezing.ledger import Ledger

LEAST_LINE_CHARACTERS = 3
"""A shorter line, such as a brace, says nothing about where it came from."""
LEAST_QUOTE_CHARACTERS, LONGEST_QUOTE = 8, 300
NEAR_LINES = 8
"""Lines around a change in which an edit's own text is looked for."""
LONGEST_RANGE = 400
LONGEST_TEXT = 200_000
_PLACE = re.compile(r"([\w@+.\-/\\]{1,200}\.\w{1,8}):(\d{1,6})(?:\s?[-–]\s?(\d{1,6}))?")
_QUOTE = re.compile(r"`([^`\n]{8,300})`")


def edited_lines(before: Sequence[str], after: Sequence[str], arguments: str) -> list[str]:
    """Return the lines of a file that an edit took away, and those near them that its arguments repeat."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    repeated = {line.strip() for line in texts_of(arguments)}
    found: dict[int, None] = {}
    for tag, first, last, _, _ in matcher.get_opcodes():
        if tag != "equal":
            found.update(dict.fromkeys(range(first, last)))
            near = range(max(first - NEAR_LINES, 0), min(last + NEAR_LINES, len(before)))
            found.update(dict.fromkeys(at for at in near if before[at].strip() in repeated))
    return [before[at] for at in sorted(found) if len(before[at].strip()) >= LEAST_LINE_CHARACTERS]


def cited(ledger: Ledger, text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text of the agent cites and a recent result had, with what became of it."""
    text = text[:LONGEST_TEXT]
    for place in dict.fromkeys(_PLACE.findall(text)):
        for path, line in _places(ledger, *place):
            yield f"{path}: {line.strip()}", ledger.of_line(path, line)
    for quote in dict.fromkeys(_QUOTE.findall(text)):
        if fate := ledger.of_quote(quote):
            yield quote, fate


def _places(ledger: Ledger, said: str, first: str, last: str) -> Iterator[tuple[str, str]]:
    said = said.replace("\\", "/").removeprefix("./")
    numbers = range(int(first), min(int(last or first), int(first) + LONGEST_RANGE) + 1)
    for path, lines in ledger.numbered.items():
        if said == path or said.endswith(f"/{path}") or path.endswith(f"/{said}"):
            for number in numbers:
                line = lines.get(number, "")
                if len(line.strip()) >= LEAST_LINE_CHARACTERS and ledger.is_recent(path, line):
                    yield path, line


def texts_of(arguments: str) -> Iterable[str]:
    """Yield the lines of all texts in a call's arguments, also without the marks of a patch."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = arguments
    stack = [value]
    while stack:
        each = stack.pop()
        if isinstance(each, str):
            for line in each.split("\n"):
                yield line
                if line[:1] in ("-", " "):
                    yield line[1:]
        elif isinstance(each, dict):
            stack.extend(each.values())
        elif isinstance(each, list):
            stack.extend(each)
