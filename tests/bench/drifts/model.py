"""What a planted drift is made of: tests and what makes them fail, a session's observations, and the truth about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Observation = dict[str, Any]


@dataclass(frozen=True)
class Test:
    """One test of a project."""

    __test__ = False

    path: str
    name: str
    """As its runner lists it."""
    symbol: str
    """The function's own name; of a test that has none, what stands in its first line."""
    head: str
    """The line it begins with."""
    target: str = ""
    """What the runner was started for: a package of Go, a binary of Rust."""


@dataclass(frozen=True)
class Spot:
    """A line that is being run when a test fails; found again by its text, wherever edits have pushed it."""

    path: str
    text: str
    function: str
    below: str = ""
    """A line it stands after, where its text alone would not do."""


@dataclass(frozen=True)
class Fault:
    """One line that is wrong, and the test that fails as long as it stands there."""

    path: str
    symbol: str
    """What the line stands in, as the file says it: `Outer.inner`."""
    right: str
    wrong: str
    test: Test
    spots: tuple[Spot, ...]
    """From the test to where it fails."""
    mode: str
    message: str
    amount: int = 0
    expected: int = 0

    def is_in(self, files: Mapping[str, str]) -> bool:
        return self.wrong in files.get(self.path, "").split("\n")

    def mended(self, text: str) -> str:
        return _with_line(text, self.wrong, self.right)

    def broken(self, text: str) -> str:
        return _with_line(text, self.right, self.wrong)


@dataclass(frozen=True)
class Answer:
    """What an engineer would say who saw it all."""

    kind: str
    """One of `cases.KINDS`."""
    shape: str
    """Which of the kind's stories this is."""
    guilty: tuple[str, ...]
    """`file:PATH` of what was to blame, then its symbol if one is; a control has none."""
    first: int
    last: int
    """The observations between which it went wrong, both in; 0 and 0 of a control."""
    said: str
    test: tuple[str, str] = ("", "")
    """(path, name) of the test that fails by it; empty where nothing fails."""


@dataclass(frozen=True)
class Claim:
    """What a test may prove about a case, by walking its observations; places are counted from 0."""

    word: str
    """`out`, `stale`, `reread`, `loop`, `elsewhere`, `mended`, `soon`, `held`, `green`: `test_drifts` says what each
    means."""
    path: str
    at: int
    """From here ..."""
    until: int
    """... to here, both in."""
    context: str = ""
    """Whose window it is about."""
    line: str = ""
    """The line that is wrong."""
    test: tuple[str, str] = ("", "")
    """(path, name) of the test that it is about."""


@dataclass(frozen=True)
class Drift:
    """A recorded session and its answer."""

    kind: str
    seed: int
    family: str
    observations: tuple[Observation, ...]
    answer: Answer
    claims: tuple[Claim, ...]
    runs: tuple[tuple[int, tuple[tuple[str, str], ...]], ...]
    """Of each run of tests: which observation it is, and (path, name) of each test that fails in it."""
    trees: tuple[tuple[int, Mapping[str, str]], ...] = ()
    """The files as they were at some of the runs."""


def _with_line(text: str, old: str, new: str) -> str:
    lines = text.split("\n")
    lines[lines.index(old)] = new
    return "\n".join(lines)
