"""Members as one text, file by file, and as items a program can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.layout import Member, rows, texts
from ccos_core.window.pack import by_file


@dataclass(frozen=True, slots=True)
class Item:
    """One member as it is shown; a line that several show is told by the first of them."""

    uri: str
    path: str
    level: str
    tokens: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Window:
    """What an agent gets."""

    lens: str
    budget: int
    tokens: int
    text: str
    items: tuple[Item, ...]


def linearize(lens: str, budget: int, members: Sequence[Member]) -> Window:
    """The window of these members: files in the order of their first member, lines in the order of their file."""
    files = by_file(members)
    text = "".join(f"{line}\n" for shown in files.values() for line in texts(shown))
    text = text.removesuffix("\n")  # the last file's blank line is the end of its last line
    items = [item for shown in files.values() for item in _items(shown)]
    return Window(lens, budget, tokens(text_parts(text)) if text else 0, text, tuple(items))


def _items(members: Sequence[Member]) -> list[Item]:
    untold = {line: whole for line, whole in rows(members) if line}
    found = []
    for member in members:
        source = member.candidate.source
        told = [(line, untold.pop(line)) for line in member.lines if line in untold]
        text = "\n".join([source.line(line, whole) for line, whole in told])
        uri = source.node(member.candidate.symbol)
        taken = tokens(text_parts(text)) if text else 0
        found.append(Item(uri, source.path, member.level, taken, member.candidate.reason, text))
    return found
