"""How much a run of tests was asked to take in, by its arguments; asked where the output doesn't name what passed.

Each tool has its `Options`. An option that chooses among tests, or an argument only the shell could work out, narrows
the `Scope`: then a passing run says nothing of any particular test.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from ccos_core.values.outcome import ALL, FILES, TESTS, UNKNOWN, Pass


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_OPTIONS = words_of("")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run was asked to take in; `narrowed` is whether it then left some of it out."""

    tests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    narrowed: bool = False
    folder: str = ""

    def passes(self, runner: str, untold: int) -> list[Pass]:
        """What passes when the run did."""
        if self.narrowed:
            return [Pass(runner, UNKNOWN)]
        if not self.tests and not self.paths:
            return [Pass(runner, ALL, (), (self.folder,) if self.folder else (), untold)]
        tests = [Pass(runner, TESTS, self.tests, (), untold)] if self.tests else []
        return tests + ([Pass(runner, FILES, (), self.paths, untold)] if self.paths else [])


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one tool, as far as they decide what its other arguments mean."""

    choices: Set[str]  # they choose among tests
    values: Set[str]  # the next word is theirs; one that may go without a value isn't here: that word could be a file
    flags: Set[str] = NO_OPTIONS  # they never have a value
    greedy: Set[str] = NO_OPTIONS  # they take all words up to the next option
    taking: Set[str] = NO_OPTIONS  # choices that take the next word
    marks: tuple[str, ...] = ("/", ".")  # what shows that a word is the name of a file or a test
    negations: tuple[str, ...] = ()  # options that begin so are flags
    letters: str = ""  # choices of one letter that may have their value in the same word; all of them where empty

    def split(self, words: tuple[str, ...]) -> tuple[list[str], list[str], bool]:
        """(what is named, the options, whether it is clear which is which)."""
        named: list[str] = []
        options: list[str] = []
        clear, greedy = True, False
        ahead = iter(range(len(words)))
        for at in ahead:
            word = words[at]
            if word == "--":
                greedy = False
            elif word.startswith("-"):
                options.append(word)
                greedy = word in self.greedy
                if not greedy and (word in self.values or word in self.taking):
                    next(ahead, None)
            elif not greedy:
                named.append(word)
                unclear = bool(at) and self._may_take(words[at - 1])
                clear = clear and (not unclear or any(mark in word for mark in self.marks))
        return named, options, clear

    def narrow(self, options: list[str]) -> bool:
        """Whether one of these options chooses among tests."""
        return any(map(self._chooses, options))

    def _may_take(self, option: str) -> bool:
        """Whether the word behind this could be its value, as far as is known here."""
        if not option.startswith("--") or "=" in option or option.startswith(self.negations):
            return False
        return option not in self.flags and option not in self.values

    def _chooses(self, option: str) -> bool:
        if option.startswith("--"):
            return option.partition("=")[0] in self.choices
        if not self.letters:
            return any(f"-{letter}" in self.choices for letter in option[1:])
        glued = option[1:2] in self.letters and option[2:3] != "-"
        return option.partition("=")[0] in self.choices or (glued and option[:2] in self.choices)


def tidy(word: str) -> str:
    """A path without `./` in front and `/` behind; `.` for nothing."""
    path = word.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/") or ("/" if path else ".")


def passes_of_scope(scope: Scope | None, runner: str, untold: int) -> list[Pass]:
    """What passes when a run did that names none of its tests: what its command asked for."""
    return [Pass(runner, UNKNOWN)] if scope is None else scope.passes(runner, untold)
