"""Members as one text, file by file, and as items a program can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.layout import Member, reference, rows, texts
from ccos_core.window.pack import Miss, by_file
from ccos_core.window.source import BODY

DEFAULT_BUDGET = 2_048
"""Tokens, wherever nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Item:
    """One member as it is shown; a line that several show is told by the first of them."""

    uri: str
    path: str
    level: str
    tokens: int
    reason: str
    text: str
    ref: str = ""
    """Where the whole of it is, if this isn't: the start of its content's hash, and its lines."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A near miss: what would come next, if the budget were larger."""

    uri: str
    path: str
    tokens: int
    """What it takes to show it at all."""
    short: int
    """Tokens that the budget lacks for it to be in."""
    reason: str
    """Why it would be in."""


@dataclass(frozen=True, slots=True)
class Window:
    """What an agent gets."""

    lens: str
    budget: int
    tokens: int
    text: str
    items: tuple[Item, ...]
    missed: tuple[Missed, ...] = ()


def linearize(lens: str, budget: int, members: Sequence[Member], missed: Sequence[Miss] = ()) -> Window:
    """The window of these members: files in the order of their first member, lines in the order of their file."""
    files = by_file(members)
    text = "".join(f"{line}\n" for shown in files.values() for line in texts(shown))
    text = text.removesuffix("\n")  # the last file's blank line is the end of its last line
    items = [item for shown in files.values() for item in _items(shown)]
    return Window(
        lens, budget, tokens(text_parts(text)) if text else 0, text, tuple(items), tuple(map(_missed, missed))
    )


def _items(members: Sequence[Member]) -> list[Item]:
    untold = {line: whole for line, whole in rows(members) if line}
    found = []
    for member in members:
        source = member.candidate.source
        told = [(line, untold.pop(line)) for line in member.lines if line in untold]
        text = "\n".join([source.line(line, whole) for line, whole in told])
        uri = source.node(member.candidate.symbol)
        taken = tokens(text_parts(text)) if text else 0
        ref = reference(source, member.candidate.symbol) if member.level != BODY else ""
        found.append(Item(uri, source.path, member.level, taken, member.candidate.reason, text, ref))
    return found


def _missed(miss: Miss) -> Missed:
    source, candidate = miss.candidate.source, miss.candidate
    return Missed(source.node(candidate.symbol), source.path, tokens(miss.parts), tokens(miss.short), candidate.reason)
