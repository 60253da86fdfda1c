"""The same code, annotated: each member of a window says what it is, why it is there, and where the whole of it is."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.text.syntax.resolution import Link
from ccos_core.values.code import Outline
from ccos_core.window.code import Code
from ccos_core.window.source import Source


class Annotated:
    """Some code whose sources ask for notes. Notes are part of the window, so they count."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._sources: dict[str, Source] = {}

    def paths(self) -> Sequence[str]:
        """Every file."""
        return self._code.paths()

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""
        return self._code.outline(path)

    def source(self, path: str) -> Source:
        """A file as a window shows it."""
        if path not in self._sources:
            self._sources[path] = self._code.source(path).with_notes()
        return self._sources[path]

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on."""
        return self._code.links(path)
