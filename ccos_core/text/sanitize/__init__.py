"""Foreign text made safe to store: hidden characters surfaced, secrets masked.

Pure functions of a text: no clock, no locale, no file, and nothing that changes with the Python release. This room is
on the path of a hook that runs on every tool call of an agent, so its modules import `re` and each other and no more.
"""

from __future__ import annotations

from ccos_core.text.sanitize.hidden import hidden_in, surface
from ccos_core.text.sanitize.secrets import mask_value, redact
from ccos_core.text.sanitize.spans import Finding, tally
from ccos_core.text.sanitize.values import is_secret_name

__all__ = ["Finding", "clean", "hidden_in", "is_secret_name", "mask_value", "redact", "surface"]


def clean(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Surface, then redact. A secret cut by hidden characters is found too: `redact` looks through their literals."""
    visible, hidden = surface(text)
    safe, masked = redact(visible)
    return (safe, tally((*hidden, *masked))) if hidden or masked else (text, ())
