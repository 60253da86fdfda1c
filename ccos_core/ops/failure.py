"""Failures and passes, said by those who know them at the source.

What a command's output says is a fact, derived from the output later; these ops are for a caller who knows without
parsing anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op, Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Op):
    """A test or command failed. If the same test of the same runner fails again, it is the same failure."""

    runner: str
    """`pytest`, `cargo`, ..., or `user`."""

    test: str | None = None
    """The name of the test."""

    nodes: tuple[str, ...] = ()
    """The locations of the failure, if they are known."""

    sites: tuple[Site, ...] = ()
    """Where it failed, the innermost stack frame first."""

    output: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Op):
    """A run passed. It ends the failures inside its scope, and no others."""

    runner: str

    scope: str
    """`tests`, `files`, `nodes`: those listed. `all`: everything that the command ran. `unknown`: ends nothing."""

    tests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    output: Blob | None = None
