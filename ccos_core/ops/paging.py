"""Nodes pinned into the window, sent away from it, or pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Op


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedIn(Op):
    """Pin these nodes into the suggested window."""

    nodes: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedOut(Op):
    """Keep these nodes out of the suggested window until they are asked for."""

    nodes: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention(Op):
    """The agent or the user pointed at these nodes, without reading or changing them."""

    nodes: tuple[str, ...]
    reason: str | None = None
