"""Claims: what is believed about the project, with what speaks for and against it. Belief is derived, never stored."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported(Op):
    """There is evidence for a claim."""

    claim: str
    by: tuple[str, ...] = ()
    weight: int
    """How much it counts, in thousandths."""

    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted(Op):
    """There is evidence against a claim."""

    claim: str
    by: tuple[str, ...] = ()
    weight: int
    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retracted(Op):
    """The author takes a claim back. What was believed at earlier steps stays."""

    claim: str
    words: Blob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded(Op):
    """Another claim replaces this one."""

    claim: str
    by: str
    words: Blob | None = None
