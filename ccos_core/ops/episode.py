"""What was written down along the way."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation(Op):
    """A note about a node, or about the step."""

    node: str | None = None
    note: Blob
