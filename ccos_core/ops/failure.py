"""Failures and passes, said by those who know them at the source.

What a command's output says is a fact, derived from the output later; these ops are for a caller who knows without
parsing anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op, Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(Op):
    """Something failed. The same runner and test failing again is the same failure, renewed."""

    runner: str
    """`pytest`, `cargo`, ..., or `user`."""

    test: str | None = None
    nodes: tuple[str, ...] = ()
    sites: tuple[Site, ...] = ()
    """Where it failed, innermost first."""

    output: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Op):
    """Something passes again, and this says how much: a pass ends the failures inside its scope, and only those."""

    runner: str

    scope: str
    """`tests`, `files`, `nodes`: the ones listed. `all`: everything that command ran. `unknown`: ends nothing."""

    tests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    output: Blob | None = None
