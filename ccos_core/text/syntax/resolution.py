"""What a reference means: the shape every family's resolver has, and what comes out of it.

A resolver knows all outlines of its family and nothing else: no file is opened, no path is asked for. It resolves
uniquely or says nothing; a wrong edge costs a window more than a missing one. It is incremental: what was resolved for
a file stays until a file it looked at (or looked for) changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ccos_core.values.code import MODULE, Outline


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A symbol, or a whole file where `symbol` is MODULE."""

    path: str
    symbol: int = MODULE


@dataclass(frozen=True, slots=True)
class Link:
    """`owner` in the asked file depends on `target`."""

    owner: int
    target: Target
    role: str
    """import, or the role of the reference: call, type, base, decorator, name."""
    line: int
    count: int = 1


class Resolver(Protocol):
    """One language family's way from names to symbols."""

    configs: tuple[str, ...]
    """Names of the files, beside sources, that say how names are to be read: `go.mod`, `tsconfig.json`."""

    def configure(self, path: str, text: str | None) -> None:
        """Learn such a file, or with None that it is gone."""

    def put(self, path: str, outline: Outline) -> None:
        """Learn a file, or what it has become."""

    def drop(self, path: str) -> None:
        """Forget a file."""

    def links(self, path: str) -> tuple[Link, ...]:
        """Everything `path` depends on, as far as it can be told; in the order of its text."""


class Memory:
    """What was resolved for which file, and which keys were asked on the way.

    A key is whatever a family looks things up by. When a file changes, the answers that asked for one of its keys are
    forgotten, those that asked in vain included; no other.
    """

    def __init__(self) -> None:
        self.links: dict[str, tuple[Link, ...]] = {}
        self.asked: dict[str, frozenset[str]] = {}
        self.askers: dict[str, set[str]] = {}

    def keep(self, path: str, links: tuple[Link, ...], asked: frozenset[str]) -> None:
        self.forget(path)
        self.links[path] = links
        self.asked[path] = asked
        for key in sorted(asked):
            self.askers.setdefault(key, set()).add(path)

    def forget(self, path: str) -> None:
        self.links.pop(path, None)
        for key in self.asked.pop(path, ()):
            self.askers[key].discard(path)

    def changed(self, keys: frozenset[str]) -> None:
        """Forget what may depend on these keys."""
        for path in sorted({path for key in keys for path in self.askers.get(key, ())}):
            self.forget(path)
