"""What an agent may take for the cause of a failure: a file that sounds like it, or stands beside it."""

from __future__ import annotations

import re

from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.troubles import Upstream

SHORTEST = 3
"""Letters of a word that tells anything."""
ALWAYS = ("test", "tests", "spec", "src", "lib", "main", "mod", "index", "init")
MOST = 20
"""Files a failure reaches whose names are compared, the strongest ones."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Likeness:
    """What sounds and stands like one failure."""

    def __init__(self, deeds: Deeds, upstream: Upstream, names: list[str]) -> None:
        self.deeds = deeds
        strengths = upstream.strengths
        near = sorted(strengths, key=lambda file: (-strengths[file], file))[:MOST]
        paths = [deeds.files.path(file) for file in (*upstream.frames, *near)]
        self.words = frozenset(word for said in (*names, *map(_stem, paths)) for word in _words(said))
        self.folders = frozenset(_folder(deeds.files.path(file)) for file in (*upstream.felt, *upstream.surface))

    def has(self, file: int) -> bool:
        """Whether a file sounds or stands like it."""
        path = self.deeds.files.path(file)
        return _folder(path) in self.folders or not self.words.isdisjoint(_words(_stem(path)))


def _words(text: str) -> list[str]:
    words = [word.lower() for word in WORD.findall(text)]
    return [word for word in words if len(word) >= SHORTEST and word not in ALWAYS]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
