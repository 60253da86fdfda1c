"""Read a person's lines at a terminal, with history and completion where Python has them."""

from __future__ import annotations

import contextlib
import os
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from ccos_core.present.words import visible
from ccos_core.query.arguments import LENSES
from ccos_core.query.catalogue import BY_NAME, entry_of
from ccos_core.query.question import Question
from ccos_core.query.steps import END, START
from ccos_core.query.words import AT
from ccos_core.storage.locate import state_home
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk

MOST = 200
"""Candidates; nobody reads more."""
OWN = ("help", "quit")


class Completion:
    """Completes the words of a line that asks this record."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._last: tuple[str, str, list[str]] = ("", "", [])

    def of(self, before: str, word: str) -> list[str]:
        """What `word` may become behind what stands `before` it."""
        if self._last[:2] != (before, word):
            self._last = before, word, list(self._found(before.split(), word))
        return self._last[2]

    def _found(self, before: Sequence[str], word: str) -> Iterator[str]:
        if not before or before == ["help"] or before == ["h"]:
            yield from _beginning(sorted((*BY_NAME, *OWN)), word)
        elif (entry := entry_of(before[0])) is not None:
            question = entry.load()
            if word.startswith("--"):
                yield from _beginning(sorted(_flags(question)), word)
            else:
                yield from self._said(question, word)

    def _said(self, question: Question, word: str) -> Iterator[str]:
        forms = {argument.form for argument in question.arguments}
        words = [each for argument in question.arguments for each in argument.words]
        if forms & {"step", "span"}:
            words += [START, END, *(mark.name for mark in self.desk.marks if mark.name)]
        if "lens" in forms:
            words += [f"{lens}:" if about else lens for lens, about in LENSES.items()]
            words += ["".join(lens.partition(":")[:2]) for argument in question.arguments for lens in argument.further]
        yield from _beginning(sorted(set(words)), word)
        if "node" in forms:
            yield from _beginning(self._symbols if "#" in word else self._names, word)

    @cached_property
    def _names(self) -> list[str]:
        """Paths, and names of symbols without theirs."""
        names = self.desk.timeline.names()
        plain = (name.partition("#")[2] if name.startswith("sym:") else path_of(name) or name for name in names)
        return _typeable(plain)

    @cached_property
    def _symbols(self) -> list[str]:
        names = self.desk.timeline.names()
        return _typeable(f"{path_of(name)}#{name.partition('#')[2]}" for name in names if name.startswith("sym:"))


def _beginning(known: Sequence[str], word: str) -> Iterator[str]:
    """Those of a sorted list that begin so."""
    at = bisect_left(known, word)
    for each in known[at : at + MOST]:
        if not each.startswith(word):
            return
        yield each


def _flags(question: Question) -> Iterator[str]:
    yield from (f"--{argument.name}" for argument in question.arguments if not argument.required)
    if not question.timeless:
        yield f"--{AT}"


def _typeable(names: Iterable[str]) -> list[str]:
    """Names that can stand in a line as they are, sorted."""
    return sorted({name for name in names if " " not in name and visible(name) == name})


REMEMBERED = 1_000
"""Lines of the history."""


class Keyboard:
    """Where a person types."""

    def __init__(self, desk: Desk) -> None:
        self.completion = Completion(desk)
        self.history = os.path.join(state_home(), "postmortem.history")
        self._readline = _readline()

    def __enter__(self) -> Keyboard:
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        if (readline := self._readline) is not None:
            with contextlib.suppress(OSError):
                readline.read_history_file(self.history)
            readline.set_history_length(REMEMBERED)
            readline.set_completer_delims(" \t\n")
            readline.set_completer(self._complete)
            readline.parse_and_bind("tab: complete")
        return self

    def __exit__(self, *_: object) -> None:
        if (readline := self._readline) is not None:
            readline.set_completer(None)
            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(self.history), mode=0o700, exist_ok=True)
                os.close(os.open(self.history, os.O_CREAT | os.O_WRONLY, 0o600))
                readline.write_history_file(self.history)

    def read(self, prompt: str) -> str:
        """One line. Where our answers go to a file, the prompt stays out of it."""
        if sys.stdout.isatty():
            return input(prompt)
        sys.stderr.write(prompt)
        sys.stderr.flush()
        if not (line := sys.stdin.readline()):
            raise EOFError
        return line.rstrip("\n")

    def _complete(self, word: str, at: int) -> str | None:
        assert self._readline is not None
        before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
        found = self.completion.of(before, word)
        return found[at] + " " if at < len(found) else None


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # not on every system
        return None
    return readline
