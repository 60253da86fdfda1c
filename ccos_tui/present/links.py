"""A moment as one word, to be copied and come back to: `ccos://WORKSPACE/step/N#NODE`."""

from __future__ import annotations

import os
import re

from ccos_core.present.rows import Moment

_LINK = re.compile(r"ccos://(?P<record>[^\n]*?)/step/(?P<step>[0-9]{1,18})(?:#(?P<node>\S+))?")


def link(path: str, step: int, node: str | None = None) -> str:
    """The word for a moment of a record; without a node as `when` says it."""
    return f"ccos://{os.path.basename(path)}/step/{step}{f'#{node}' if node else ''}"


def moment_of(word: str) -> tuple[str, Moment] | None:
    """(which record, where in it) of such a word."""
    found = _LINK.fullmatch(word.strip())
    return (found["record"], Moment(int(found["step"]), found["node"])) if found else None
