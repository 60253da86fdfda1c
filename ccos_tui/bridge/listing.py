"""The sessions on this machine, looked for on a thread of its own: what is known at once, the rest as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_tui.bridge.work import Work
from ccos_tui.messages import Listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_tui.messages import FromEngine

LOOKING = "looking"


def looking(post: Callable[[FromEngine], object]) -> Work:
    """Look for them; they come as messages."""
    return Work(LOOKING, _looked, post)


def places() -> list[str]:
    """Where they are looked for."""
    from ccos_core.session.places import places

    return places()


def _looked(work: Work) -> Listed:
    from ccos_core.session.listing import Sessions, arriving

    found = Sessions(())
    for found in arriving(heard=work.heard):
        work.post(Listed(found, whole=False))
    return Listed(found, whole=True)
