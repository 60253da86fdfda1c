"""Outlines of many files, on as many processors as there are."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ccos_core.session.workers import spread
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import Outline

WORTH_A_PROCESS = 2_000_000
"""Bytes of source from which starting another process pays."""
SHARE = 400_000
"""Bytes handed out at a time, so that no process waits long for another."""


def outlines(root: str, paths: Sequence[str], sizes: Sequence[int]) -> list[Outline | None]:
    """The outline of each file; None for one that can't be read any more."""
    jobs = ((root, share) for share in _shares(paths, sizes))
    parts = spread(_outline_all, jobs, worth_it=sum(sizes) >= WORTH_A_PROCESS)
    return [each for part in parts for each in part]


def _shares(paths: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    shares: list[list[str]] = [[]]
    held = 0
    for path, size in zip(paths, sizes, strict=True):
        if held + size > SHARE and shares[-1]:
            shares.append([])
            held = 0
        shares[-1].append(path)
        held += size
    return shares


def _outline_all(job: tuple[str, list[str]]) -> list[Outline | None]:
    root, paths = job
    return [_outline(root, path) for path in paths]


def _outline(root: str, path: str) -> Outline | None:
    language = language_of(path)
    try:
        with open(os.path.join(root, path), "rb") as file:
            source = file.read()
    except OSError:
        return None
    return outline(language, source) if language is not None else Outline()
