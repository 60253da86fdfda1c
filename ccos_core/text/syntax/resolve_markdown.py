"""Markdown: from links to files and their headings.

A link leads to a file that is there, relative to its own folder or to the top (`/docs/x.md`), and with an anchor to
the heading of that slug. Of several equal headings `#build-1` is the second, as hosts of Markdown number them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from ccos_core.text.syntax.resolution import LINK, FamilyResolver, Look, Target, Use
from ccos_core.values.code import MODULE, Outline


def resolver() -> MarkdownResolver:
    """A resolver that knows nothing yet."""
    return MarkdownResolver()


class Document:
    """A Markdown file as the resolver sees it."""

    __slots__ = ("anchors", "outline")

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.anchors: dict[str, int] = {}
        """Slug, numbered from the second on → heading."""
        counts: dict[str, int] = {}
        for at, symbol in enumerate(outline.symbols):
            nth = counts[symbol.name] = counts.get(symbol.name, -1) + 1
            self.anchors.setdefault(f"{symbol.name}-{nth}" if nth else symbol.name, at)


class MarkdownResolver(FamilyResolver[Document]):
    """All Markdown files of a tree, and the names of all other files."""

    watches = True

    def __init__(self) -> None:
        super().__init__()
        self.others: set[str] = set()
        """The files of other families, or of none."""

    def watch(self, path: str, is_there: bool) -> None:
        if is_there:
            self.others.add(path)
        else:
            self.others.discard(path)
        self.memory.changed({path})

    def read(self, path: str, outline: Outline) -> Document:
        return Document(outline)

    def reindex(self, path: str, before: Document | None, after: Document | None) -> tuple[Set[str], Mapping[int, int]]:
        if before is not None and after is not None and before.anchors == after.anchors:
            return frozenset(), {}
        return {path}, {}

    def look(self, path: str) -> _Look:
        return _Look(self, path)


class _Look(Look):
    """One file's links on their way."""

    def __init__(self, known: MarkdownResolver, path: str) -> None:
        super().__init__()
        self.known, self.path = known, path

    def uses(self) -> Iterator[tuple[Use, int, int]]:
        for link in self.known.files[self.path].outline.imports:
            target = self._target(link.module, link.item)
            if target is not None and target != (self.path, link.owner):
                yield (link.owner, target, LINK), link.line, 1

    def _target(self, said: str, anchor: str) -> Target | None:
        path = unquote(said.partition("?")[0])
        if path.startswith("/"):
            path = normpath(path.lstrip("/"))
        else:
            path = normpath(join(dirname(self.path), path)) if path else self.path
        self.asked.add(path)
        document = self.known.files.get(path)
        if document is not None:
            return Target(path, document.anchors.get(unquote(anchor), MODULE))
        return Target(path) if path in self.known.others else None
