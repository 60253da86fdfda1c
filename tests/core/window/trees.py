"""A tree of Python files held in memory, for the lenses that ask a whole project."""

from collections.abc import Mapping, Sequence
from textwrap import dedent

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolution import Link
from ccos_core.text.syntax.resolve_python import resolver
from ccos_core.values.code import Outline
from ccos_core.window.source import Source


class Tree:
    """The port that windows are made from, over texts."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.sources: dict[str, Source] = {}
        self.resolver = resolver()
        for path, text in files.items():
            self.write(path, text)

    def write(self, path: str, text: str) -> None:
        language = language_of(path)
        told = dedent(text)
        self.sources[path] = Source(path, told, outline(language, told.encode()) if language else Outline())
        if language is not None:
            self.resolver.put(path, self.sources[path].outline)

    def remove(self, path: str) -> None:
        del self.sources[path]
        self.resolver.drop(path)

    def paths(self) -> Sequence[str]:
        return list(self.sources)

    def outline(self, path: str) -> Outline:
        return self.sources[path].outline

    def source(self, path: str) -> Source:
        return self.sources[path]

    def links(self, path: str) -> tuple[Link, ...]:
        return self.resolver.links(path) if language_of(path) is not None else ()
