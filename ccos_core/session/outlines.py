"""Outlines of the files of a folder: kept from an earlier run, or made now on as many processors as there are.

What was kept counts only for the very program that made it: a version of an interpreter says what a record may rest
on, and here nothing has to last.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ccos_core.log.facts import fact_body
from ccos_core.log.packing import Spoiled
from ccos_core.session.deriving import WORTH_A_PROCESS, Job, outlined
from ccos_core.session.scan import LeftOut, Listed, read
from ccos_core.storage import outline_cache
from ccos_core.text.syntax import languages
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.canon import NotCanonical, canonical, digest
from ccos_core.values.code import Outline, outline_from

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
