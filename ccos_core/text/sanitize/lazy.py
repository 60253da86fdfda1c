"""Regular expressions that are compiled when first needed.

A hook pays for its compiling on every tool call of an agent, and most texts need none of these patterns. Classes mean
their ASCII members: what Unicode has grown to in one Python release must not change what is masked.
"""

from __future__ import annotations

import re


class Lazy:
    """A pattern with a life: source until the first use, compiled afterwards."""

    __slots__ = ("_compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.source, re.ASCII)
        return self._compiled

    def __repr__(self) -> str:
        return f"Lazy({self.source!r})"
