"""Members as one text, file by file, and as items a program can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.layout import (
    A_GAP,
    BLANK_PARTS,
    GAP,
    GAP_PARTS,
    Candidate,
    Member,
    Row,
    above,
    reference,
    row_parts,
    rows,
)
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


class Place(NamedTuple):
    """A member as an item has it, without its text."""

    uri: str
    path: str
    level: str
    tokens: int
    candidate: Candidate

    @property
    def reason(self) -> str:
        """Why it is in."""
        return self.candidate.reason


class Places(NamedTuple):
    """A window without its text: who is in, how each is shown, and what that takes."""

    tokens: int
    items: tuple[Place, ...]
    """In the order of the text."""


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
    texts: list[str] = []
    items: list[Item] = []
    parts = 0
    for shown in by_file(members).values():
        source, lines, first = shown[0].candidate.source, rows(shown), above(shown)
        told = _told(shown, lines)
        taken = row_parts(source, lines)
        parts += sum(map(text_parts, first)) + taken + BLANK_PARTS
        texts += first
        texts += [told[line] if line else GAP for line, _ in lines]
        texts.append("")  # the last file's blank line is the end of its last line
        if len(shown) == 1:
            items.append(_item(shown[0], list(told.values()), taken))
        else:
            items += _items(shown, lines, told)
    taken = tokens(parts) if texts else 0
    return Window(lens, budget, taken, "\n".join(texts), tuple(items), tuple(map(_missed, missed)))


def places(members: Sequence[Member]) -> Places:
    """What `linearize` says of these members but for their lines, for whoever compares windows: nobody puts a text
    together for that, each line is counted as it is there, and why a member is in is found out by who asks."""
    found: list[Place] = []
    parts = 0
    for shown in by_file(members).values():
        source, (taken, firsts) = shown[0].candidate.source, _counted(shown)
        parts += sum(map(text_parts, above(shown))) + taken + BLANK_PARTS
        for member, told in firsts:
            candidate = member.candidate
            found.append(Place(source.node(candidate.symbol), source.path, member.level, told, candidate))
    return Places(tokens(parts) if found else 0, tuple(found))


def _counted(members: Sequence[Member]) -> tuple[int, list[tuple[Member, int]]]:
    """What the lines of one file take, in parts; and each of its members with the tokens of those it shows first."""
    source = members[0].candidate.source
    if len(members) == 1:
        lines, whole = members[0].lines, members[0].whole
        taken = source.parts(lines, whole)
        shows = len(lines) > 1 or any(source.shows(line, whole) for line in lines)
        return taken, [(members[0], tokens(taken) if shows else 0)]
    all_lines, found = rows(members), []
    parts = GAP_PARTS * all_lines.count(A_GAP)
    for member, own in _firsts(members, all_lines):
        taken = row_parts(source, own)
        parts += taken
        found.append((member, tokens(taken) if len(own) > 1 or any(source.shows(*each) for each in own) else 0))
    return parts, found


def _told(members: Sequence[Member], lines: Sequence[Row]) -> dict[int, str]:
    """Line → how it is shown."""
    source = members[0].candidate.source
    if len(members) == 1:
        return dict(zip(members[0].lines, source.shown_lines(members[0].lines, members[0].whole), strict=True))
    return {line: source.line(line, whole) for line, whole in lines if line}


def _items(members: Sequence[Member], lines: Sequence[Row], told: dict[int, str]) -> Iterator[Item]:
    for member, own in _firsts(members, lines):
        yield _item(member, [told[line] for line, _ in own], row_parts(member.candidate.source, own))


def _firsts(members: Sequence[Member], lines: Sequence[Row]) -> Iterator[tuple[Member, Sequence[Row]]]:
    """Each member of a file with those of its rows that it is the first to show."""
    if len(members) == 1:
        yield members[0], lines
        return
    untold = {line: whole for line, whole in lines if line}
    for member in members:
        yield member, [(line, untold.pop(line)) for line in member.lines if line in untold]


def _item(member: Member, lines: Sequence[str], parts: int) -> Item:
    candidate, text = member.candidate, "\n".join(lines)
    source = candidate.source
    ref = reference(source, candidate.symbol) if member.level != BODY else ""
    taken = tokens(parts) if text else 0
    return Item(source.node(candidate.symbol), source.path, member.level, taken, candidate.reason, text, ref)


def _missed(miss: Miss) -> Missed:
    source, candidate = miss.candidate.source, miss.candidate
    return Missed(source.node(candidate.symbol), source.path, tokens(miss.parts), tokens(miss.short), candidate.reason)
