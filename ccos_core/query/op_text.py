"""The texts of ops, as far as they weren't erased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.errors import CcosError

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline


def text_of(timeline: Timeline | None, blob: Plain | None) -> str:
    """Return a text of an op; empty if it has none, or it was erased."""
    if timeline is None or blob is None:
        return ""
    try:
        return timeline.content(blob["blob"]).decode("utf-8", "replace")
    except CcosError:
        return ""
