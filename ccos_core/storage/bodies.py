"""Bodies of ops, opened: where somebody reads a record for what it says, and a step that says nothing is damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.storage.files import damaged
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain


def opened(record: Record, step: int, body: bytes) -> Plain:
    """The op that made `step`."""
    try:
        return unseal(body)
    except NotAnOp as error:
        raise damaged(f"step {step} holds no op of this vocabulary: {error}", record.path) from error
