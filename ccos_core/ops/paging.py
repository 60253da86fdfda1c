"""Nodes pinned into the window, sent away from it, or pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Op


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedIn(Op):
    """These are to be in the window."""

    nodes: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagedOut(Op):
    """These are to be out of it until asked for."""

    nodes: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention(Op):
    """Somebody engaged with these without reading or changing them."""

    nodes: tuple[str, ...]
    reason: str | None = None
