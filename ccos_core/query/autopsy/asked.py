"""Changes that the user's last prompt asked to undo: doing as one is told is no drift."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.replay.codes import KIND_CODES

LONGEST = 20_000
"""Characters of a prompt that are looked through."""
UNDO: Mapping[str, str] = {
    "en": r"revert|undo|roll(?:ing|ed)?[ -]?back|put\b[^.\n]{0,60}\bback|(?:go|change|set|switch)\b[^.\n]{0,40}\bback\b"
    r"|restore|take\b[^.\n]{0,40}\bback|back to (?:what|how|the way)|as it was|remove (?:that|this|your) change",
    "de": r"rückgängig|mach\w*[^.\n]{0,40}\bzurück|setz\w*[^.\n]{0,40}\bzurück|wieder wie vorher",
    "es": r"deshaz|deshacer|revierte|revertir|vuelve a como",
    "fr": r"annule[rz]?|reviens|rétabli\w*|remets?\b[^.\n]{0,40}\bcomme",
    "pt": r"desfa[çz]\w*|revert[ae]\w*|volt[ae]\b[^.\n]{0,40}\bcomo",
}
"""Language → what asks for it. A wrong match costs a suspect, a missed one accuses an agent that did as told."""
_ASKS = re.compile(rf"\b(?:{'|'.join(UNDO.values())})\b", re.IGNORECASE)


class Requests:
    """The prompts of a session, asked whether a change was wanted back."""

    def __init__(self, deeds: Deeds) -> None:
        self._deeds = deeds
        prompts = np.nonzero(deeds.journal.steps["kind"][: deeds.upto] == KIND_CODES["prompt"])[0]
        self._steps = [step for step in (prompts + 1).tolist() if deeds.op(step).get("source") == "user"]
        self._undoes = lru_cache(maxsize=None)(self._is_request)

    def to_undo(self, step: int) -> bool:
        """Return whether the user's last prompt before `step` asks to undo something."""
        at = int(np.searchsorted(self._steps, step)) - 1
        return at >= 0 and self._undoes(self._steps[at])

    def _is_request(self, step: int) -> bool:
        said = self._deeds.op(step).get("said")
        try:
            text = self._deeds.timeline.content(said["blob"]) if said else b""
        except CcosError:  # erased
            return False
        return _ASKS.search(text.decode("utf-8", "replace")[:LONGEST]) is not None
