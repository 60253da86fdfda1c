"""The code of a folder without any workspace: what each file defines, and what depends on what.

Made anew at each start. Only outlines are kept between runs, in the user's cache, and count only for the very program
that made them; missing ones are made on all processors. A workspace gives the same from recorded facts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Usage
from ccos_core.log.facts import fact_body
from ccos_core.log.packing import Spoiled
from ccos_core.session.deriving import WORTH_A_PROCESS, Job, outlined
from ccos_core.session.scan import MAX_BYTES, Found, LeftOut, Listed, Reason, Tally, read, walk
from ccos_core.storage import outline_cache
from ccos_core.text.sanitize import clean
from ccos_core.text.syntax import languages
from ccos_core.text.syntax.languages import family_of, is_code, language_of, resolvers
from ccos_core.text.syntax.resolution import Link, Resolver, is_config
from ccos_core.text.withheld import withheld
from ccos_core.values.canon import NotCanonical, canonical, digest
from ccos_core.values.code import Outline, outline_from
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed

_SYNTAX = os.path.dirname(languages.__file__)


def outlines(root: str, paths: Sequence[str]) -> list[Outline | None]:
    """The outline of each file; None for one that can't be read any more, or is of no language of ours."""
    keys: dict[str, Key] = {}
    sizes: dict[Key, tuple[str, int]] = {}
    for job, path in _jobs(root, paths):
        keys[path] = job.key
        sizes.setdefault(job.key, (path, len(job.content)))
    known = dict(_kept(sizes))
    lacking = [(path, size) for key, (path, size) in sizes.items() if key not in known]
    again = _jobs(root, [path for path, _ in lacking])
    fresh: dict[Key, Packed] = {}
    for key, packed in outlined(_noted(again, keys), worth_it=sum(size for _, size in lacking) >= WORTH_A_PROCESS):
        if packed is None:
            known[key] = Outline(flaws=("no grammar",))
        else:
            fresh[key] = packed
            known[key] = _told(key, packed)
    outline_cache.save(fresh)
    return [known.get(keys[path]) if path in keys else None for path in paths]


def _jobs(root: str, paths: Iterable[str]) -> Iterator[tuple[Job, str]]:
    """Each file that `ingest` would read, and is of a language of ours; one by one, so that memory stays bounded."""
    for path in paths:
        language = language_of(path)
        if language is None:
            continue
        found = read(root, Listed(path))
        if isinstance(found, LeftOut) or found.data is None:
            continue
        yield Job((digest(found.data) + _maker(), language.name, language.version), found.data), path


def _noted(jobs: Iterable[tuple[Job, str]], keys: dict[str, Key]) -> Iterator[Job]:
    """The jobs; a file that has changed since it was first read is known by what it is now."""
    for job, path in jobs:
        keys[path] = job.key
        yield job


def _kept(wanted: Iterable[Key]) -> Iterator[tuple[Key, Outline]]:
    """What an earlier run found, as far as it is still what it was."""
    for key, packed in outline_cache.load(wanted).items():
        try:
            yield key, _told(key, packed)
        except (Spoiled, NotCanonical, KeyError, TypeError):
            continue


def _told(key: Key, packed: Packed) -> Outline:
    said, size, form, check, stored = packed
    return outline_from(fact_body(*key, said, form, check, stored, size))


@cache
def _maker() -> bytes:
    """What tells this program from one that might outline otherwise: its outliners and grammars, as they lie there."""
    grammars = find_spec("tree_sitter_language_pack")
    files = [entry for folder in ("", "queries") for entry in os.scandir(os.path.join(_SYNTAX, folder))]
    told = sorted([entry.name, entry.stat().st_mtime_ns, entry.stat().st_size] for entry in files if entry.is_file())
    if grammars is not None and grammars.origin is not None:
        told.append([grammars.origin, os.stat(grammars.origin).st_mtime_ns, 0])
    return digest(canonical(told))


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
            raise Usage("is the end of several paths", place=said, hint="One of: " + "  ".join(sorted(ending)[:5]))
        from difflib import get_close_matches

        near = get_close_matches(path, self.outlines, 3)
        raise NotFound("there is no such file", place=said, hint="Near: " + "  ".join(near) if near else "")

    def _inside(self, said: str) -> str:
        """A path as it is spelled from the root; raises where it leads out of the folder."""
        path = os.path.relpath(os.path.join(self.root, said), self.root) if said else said
        if path == os.pardir or path.startswith(os.pardir + os.sep) or os.path.isabs(path):
            raise NotFound("is outside the folder", place=said, hint=f"The folder is: {self.root}")
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
            if not item.withheld and is_code(item.path):
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
