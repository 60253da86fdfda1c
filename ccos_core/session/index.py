"""The code of a folder, understood without any workspace: what each file defines, and what depends on what.

Made afresh at each start; only the outlines are kept from one run to the next, in the user's cache. A workspace gives
the same from recorded facts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ccos_core.errors import NotFound, Usage
from ccos_core.session.outlines import outlines
from ccos_core.session.scan import MAX_BYTES, Found, LeftOut, Listed, Reason, Tally, read, walk
from ccos_core.text.sanitize import clean
from ccos_core.text.syntax.languages import family_of, language_of, resolvers
from ccos_core.text.syntax.resolution import Link, Resolver, is_config
from ccos_core.text.withheld import withheld
from ccos_core.values.code import Outline
from ccos_core.window.source import Source


class Index:
    """One folder's code."""

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)
        self.outlines: dict[str, Outline] = {}
        self.resolvers = resolvers()
        self.tally = Tally()
        self._files: list[str] = []
        self._sources: dict[str, Source] = {}
        self._build()

    def paths(self) -> Sequence[str]:
        """Every file that isn't left out, code or not."""
        return self._files

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""
        return self.outlines.get(path, Outline())

    def source(self, path: str) -> Source:
        """A file as a window shows it: through the same gate as what is recorded."""
        if path not in self._sources:
            text = "" if withheld(path) else self._read(path).decode("utf-8", "surrogateescape")
            self._sources[path] = Source(path, clean(text)[0], self.outlines.get(path, Outline()))
        return self._sources[path]

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on."""
        family = family_of(path)
        return self.resolvers[family].links(path) if family is not None else ()

    def known(self, said: str) -> str:
        """The path of the file a person means: as it is spelled, or by its unique ending."""
        path = self._inside(said.removeprefix("file:"))
        if path in self.outlines or os.path.isfile(os.path.join(self.root, path)):
            return path
        ending = [known for known in self.outlines if known.endswith("/" + path)]
        if len(ending) == 1:
            return ending[0]
        if ending:
            raise Usage("means several files", place=said, hint="One of: " + "  ".join(sorted(ending)[:5]))
        from difflib import get_close_matches

        near = get_close_matches(path, self.outlines, 3)
        raise NotFound("there is no such file", place=said, hint="Near: " + "  ".join(near) if near else "")

    def _inside(self, said: str) -> str:
        """A path as it is spelled from the root; raises where it leads out of the folder."""
        path = os.path.relpath(os.path.join(self.root, said), self.root) if said else said
        if path == os.pardir or path.startswith(os.pardir + os.sep) or os.path.isabs(path):
            raise NotFound("lies outside of the folder", place=said, hint=f"Looked at is: {self.root}")
        return path.replace(os.sep, "/")

    def _build(self) -> None:
        code: list[str] = []
        configs: list[tuple[Resolver, str]] = []
        for item in walk(self.root):
            if isinstance(item, Listed) and self._is_large(item.path):
                item = LeftOut(item.path, Reason.LARGE)
            self.tally.add(item)
            if isinstance(item, LeftOut):
                continue
            self._files.append(item.path)
            if not item.withheld and language_of(item.path) is not None:
                code.append(item.path)
            configs += [(each, item.path) for each in self.resolvers.values() if is_config(item.path, each)]
        for resolver, path in configs:
            config = read(self.root, Listed(path))
            if isinstance(config, Found) and config.data is not None:
                resolver.configure(path, config.data.decode("utf-8", "replace"))
        for path, found in zip(code, outlines(self.root, code), strict=True):
            language = language_of(path)
            if found is not None and language is not None:
                self.outlines[path] = found
                self.resolvers[language.family].put(path, found)
        self._files.sort()

    def _is_large(self, path: str) -> bool:
        try:
            return os.lstat(os.path.join(self.root, path)).st_size > MAX_BYTES
        except OSError:
            return False

    def _read(self, path: str) -> bytes:
        """The bytes of a file that `ingest` would read: no larger one, no link, no pipe, no device."""
        found = read(self.root, Listed(path))
        if isinstance(found, LeftOut):
            raise NotFound(f"can't be read: it is {found.reason}", place=path)
        return found.data or b""
