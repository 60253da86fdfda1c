"""A query's text as it is read from left to right, and what is said about the place where it can't be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ccos_core.errors import Usage

LONGEST = 4_000
"""Characters of a query."""
AROUND = 60
"""Characters shown on either side of a place that can't be read."""
POINTER = "▸"
"""Stands before the place."""
SPACE = re.compile(r"\s*")


class Scan:
    """One text, and how far it was read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        if len(text) > LONGEST:
            raise Usage(f"a query has at most {LONGEST:,} characters", place=shown(text[:40]) + "…")

    def space(self) -> None:
        """Go behind spaces."""
        self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # it fits anywhere

    def ended(self) -> bool:
        """Whether there is nothing left."""
        self.space()
        return self.at >= len(self.text)

    def peek(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What stands here, if it looks like that; spaces before it don't count."""
        self.space()
        return pattern.match(self.text, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The same, and go behind it."""
        found = self.peek(pattern)
        if found is not None:
            self.at = found.end()
        return found

    def takes(self, word: str) -> bool:
        """Whether that stands here; goes behind it if so."""
        self.space()
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def quoted(self) -> str | None:
        """A text in quotes, if one stands here. Behind a backslash quotes and backslashes are only characters."""
        self.space()
        mark = self.text[self.at : self.at + 1]
        if mark not in ('"', "'") or not mark:
            return None
        return self._until(mark, lambda char: char if char in (mark, "\\") else "\\" + char)

    def pattern(self) -> str | None:
        """A pattern between strokes, if one stands here."""
        self.space()
        if not self.text.startswith("/", self.at):
            return None
        return self._until("/", lambda char: char if char == "/" else "\\" + char)

    def wrong(self, fact: str, at: int | None = None, hint: str = "") -> Usage:
        """What is said where it can't be read on: the fact, the place in the text, and what may help."""
        at = self.at if at is None else at
        begin, end = max(0, at - AROUND), at + AROUND
        before, behind = shown(self.text[begin:at]), shown(self.text[at:end])
        there = f"{'…' if begin else ''}{before}{POINTER}{behind}{'…' if end < len(self.text) else ''}"
        return Usage(f"{fact}, at column {at + 1}", place="query", hint="\n  ".join(filter(None, [there, hint])))

    def _until(self, mark: str, escaped: Callable[[str], str]) -> str:
        begin, made, at = self.at, [], self.at + 1
        while at < len(self.text) and self.text[at] != mark:
            if self.text[at] == "\\" and at + 1 < len(self.text):
                made.append(escaped(self.text[at + 1]))
                at += 2
            else:
                made.append(self.text[at])
                at += 1
        if at >= len(self.text):
            raise self.wrong(f"{mark} is missing at the end of this", begin)
        self.at = at + 1
        return "".join(made)


def shown(text: str) -> str:
    """A piece of a query as it may be shown: one column for each character of it."""
    return "".join(char if char.isprintable() else " " for char in text)


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence about the one that is meant, if one is near."""
    near = get_close_matches(word[:80].lower(), list(known), 1)
    return f"Did you mean {near[0]}?" if near else ""
