"""Some files as they were at one step after another, going forward: what is asked of a few files again and again.

A `Moment` knows everything at one step; this knows little, at many.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline


class Then:
    """The files at a step that moves on."""

    def __init__(self, timeline: Timeline) -> None:
        self._sources = timeline.sources
        self.last = 0
        """The last step of the moment that is looked at."""
        self._versions: dict[str, tuple[list[int], list[Version]]] = {}
        self._shown: dict[str, tuple[int, Source]] = {}
        self._paths: dict[str, str] = {}

    def version(self, path: str) -> Version | None:
        """What a file is; None if it isn't there."""
        steps, versions = self._all(path)
        at = bisect_right(steps, self.last)
        return versions[at - 1] if at and versions[at - 1].why != "gone" else None

    def source(self, path: str) -> Source:
        """A file as a window shows it."""
        version = self.version(path)
        if version is None:
            return Source(path, "", Outline())
        known = self._shown.get(path)
        if known is None or known[0] != version.row:
            known = self._shown[path] = version.row, self._sources.source(path, version)
        return known[1]

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""
        path = self.path(node)
        if self.version(path) is None:
            return None
        at = self.source(path).nesting.places.get(node)
        return Target(path, at) if at is not None else None

    def path(self, node: str) -> str:
        """The file a node is in."""
        found = self._paths.get(node)
        if found is None:
            found = self._paths[node] = path_of(node) or ""
        return found

    def steps(self, path: str) -> list[int]:
        """The steps at which a file became another."""
        return self._all(path)[0]

    def _all(self, path: str) -> tuple[list[int], list[Version]]:
        if path not in self._versions:
            versions = self._sources.versions(path)
            self._versions[path] = [version.step for version in versions], versions
        return self._versions[path]
