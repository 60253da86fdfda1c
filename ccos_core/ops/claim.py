"""Claims: what is believed about the project, with what speaks for and against it. Belief is derived, never stored."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported(Op):
    """Something speaks for a claim."""

    claim: str
    by: tuple[str, ...] = ()
    weight: int
    """In thousandths: 1000 is full authority."""

    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted(Op):
    """Something speaks against it."""

    claim: str
    by: tuple[str, ...] = ()
    weight: int
    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retracted(Op):
    """Whoever asserted it takes it back. What was believed before stays in the past."""

    claim: str
    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded(Op):
    """Another claim takes its place."""

    claim: str
    by: str
    words: Blob | None = None
