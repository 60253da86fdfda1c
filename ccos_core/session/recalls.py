"""Record that a window was handed to an agent: what was in it, and the hash of what was really delivered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ccos_core.session.session import Session
from ccos_core.session.settings import compressing, recording_allowed
from ccos_core.values.canon import digest
from ccos_core.window.linearize import Item

if TYPE_CHECKING:
    from ccos_core.memory.view import View


class Handed(Protocol):
    """A window, as it was computed or as an answer holds it."""

    @property
    def lens(self) -> str:
        """Which it is."""

    @property
    def budget(self) -> int:
        """What it might take."""

    @property
    def text(self) -> str:
        """What was delivered."""

    @property
    def items(self) -> Sequence[Item]:
        """What was in it."""


def record_recall(session: Session, window: Handed, step: int, words: str = "", view: View | None = None) -> int:
    """Record that this window, as it was computed at a step, was handed out, with words that are no code, and to whom
    by which policy. Returns the step of that."""
    recording_allowed()
    (recorded,) = session.record(
        [
            {
                "kind": "recall",
                "lens": window.lens,
                "budget": window.budget,
                "computed_at": step,
                "parameters": {"compress": int(compressing())},
                "items": [[item.uri, item.level, item.tokens] for item in window.items],
                "window": digest(window.text.encode("utf-8", "surrogatepass")).hex(),
                **({"said": words} if words else {}),
                **({"principal": view.principal, "policy": view.policy} if view is not None else {}),
            }
        ]
    )
    return recorded
