"""From what a text names to the symbols it means: names, dotted names, frames and links, paths.

A name that many symbols have says little of each; that is for the weights here to tell. Paths are found by their ends,
as failures' are; that a project is installed somewhere, or shown by a website, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from ccos_core.intake.failures.paths import Known
from ccos_core.text.retrieval.mentions import Mentions, Spot
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.nesting import Nesting

WHOLE = 720_720
"""What naming one thing and no other is worth; it divides well."""
_AWAY = re.compile(
    r".*[/\\](?:site-packages|dist-packages|node_modules)[/\\]"
    r"|.*/(?:blob|tree|raw|blame)/[^/]+/|.*/pkg/mod/[^@]*@[^/]+/"
)
"""Before a path within a project: where it is installed, or which website shows it."""
_SUFFIX = re.compile(r"(?:/(?:__init__|index|mod))?\.[A-Za-z]{1,5}$")

Weights = dict[Target, int]


class Names:
    """What the files of a project are called and what they define; kept up to date file by file."""

    def __init__(self, outlines: Mapping[str, Outline]) -> None:
        self.outlines: dict[str, Outline] = {}
        self.known = Known(())
        self.last: dict[str, dict[Target, None]] = {}
        """The last part of a symbol's name → who has it. Thousands of files may share one: a list would be walked each
        time one of them changes (`missing in a task`: a third of its time)."""
        self.tail: dict[tuple[str, str], dict[Target, None]] = {}
        """Its last two parts → who has them."""
        self.modules: dict[str, dict[str, None]] = {}
        """The end of a dotted module name → the paths it may mean."""
        for path, outline in outlines.items():
            self.put(path, outline)

    def put(self, path: str, outline: Outline) -> None:
        """A file is there, or defines something else now."""
        if path in self.outlines:
            self._forget(path)
        else:
            self.known.found.clear()
            self.known.paths.put(path)
            for end in _ends(path):
                self.modules.setdefault(end, {})[path] = None
        self.outlines[path] = outline
        for target, outer, name in _defined(path, outline):
            self.last.setdefault(name, {})[target] = None
            if outer:
                self.tail.setdefault((outer, name), {})[target] = None

    def drop(self, path: str) -> None:
        """A file isn't there any more."""
        self._forget(path)
        del self.outlines[path]
        self.known.found.clear()
        self.known.paths.drop(path)
        for end in _ends(path):
            del self.modules[end][path]

    def spotted(self, spots: Iterable[Spot]) -> Weights:
        """Frames and links: of each traceback the innermost most, then outwards."""
        runs: dict[int, list[list[Target]]] = {}
        for spot in spots:
            path = self.path(spot.path)
            if path is not None:
                runs.setdefault(spot.run, []).append(self._at(path, spot))
        found: Weights = {}
        for run in runs.values():
            met = list(dict.fromkeys(target for targets in reversed(run) for target in targets))
            for place, target in enumerate(met, 1):
                found[target] = max(found.get(target, 0), WHOLE // place)
        return found

    def named(self, told: Mentions) -> Weights:
        """Symbols by name; what is named by more than its last part is meant more surely."""
        found: Weights = {}
        settled: set[str] = set()
        for parts in told.dotted:
            targets = self._dotted(parts)
            if targets:
                _give(found, targets, 2 * WHOLE)
                settled.add(parts[-1])
        for names, worth in ((told.names, WHOLE), (told.quoted, WHOLE * 2 // 3)):
            for name in names:
                if self.last.get(name) and name not in settled:
                    _give(found, self.last[name], worth)
                    settled.add(name)
        return found

    def paths(self, told: Mentions) -> dict[str, int]:
        """Files by their paths, or by the dotted names of modules."""
        found = dict.fromkeys(filter(None, map(self.path, told.paths)), WHOLE)
        for parts in told.dotted:
            for end in range(len(parts), 1, -1):
                paths = self.modules.get(".".join(parts[:end]), ())
                if len(paths) == 1:
                    found[next(iter(paths))] = WHOLE
                if paths:
                    break
        return found

    def path(self, said: str) -> str | None:
        """The file a path means."""
        return self.known.find(_AWAY.sub("", said))

    def _forget(self, path: str) -> None:
        """What a file defined."""
        for target, outer, name in _defined(path, self.outlines[path]):
            del self.last[name][target]
            if outer:
                del self.tail[outer, name][target]

    def _dotted(self, parts: tuple[str, ...]) -> Collection[Target]:
        """A member named with its class, a definition named with its module."""
        for two in zip(parts[-2::-1], parts[:0:-1], strict=True):
            if self.tail.get(two):
                return self.tail[two]
        for end in range(len(parts) - 1, 0, -1):
            paths = self.modules.get(".".join(parts[:end]), ())
            found = [target for target in self.last.get(parts[end], ()) if target.path in paths]
            if found:
                return found
        return []

    def _at(self, path: str, spot: Spot) -> list[Target]:
        """The function a frame names, where the file has it; else what stands in those lines."""
        called = [each for each in self.last.get(spot.function.rpartition(".")[2], ()) if each.path == path]
        nesting = Nesting(path, self.outlines[path])
        there = [Target(path, nesting.innermost(line)) for line in range(spot.line, spot.last + 1)]
        there = [each for each in dict.fromkeys(there) if each.symbol != MODULE]
        return [each for each in there if each in called][:1] or called[:1] or there


def _defined(path: str, outline: Outline) -> Iterator[tuple[Target, str, str]]:
    """Each symbol of a file, with the last two parts of its name; the first is empty where there is one part."""
    for at, symbol in enumerate(outline.symbols):
        if symbol.kind != "field":
            outer, _, name = symbol.name.rpartition(".")
            yield Target(path, at), outer.rpartition(".")[2], name


def _ends(path: str) -> list[str]:
    """What a file may be called as a module."""
    parts = _SUFFIX.sub("", path).split("/")
    return [".".join(parts[begin:]) for begin in range(len(parts))]


def _give(found: Weights, targets: Collection[Target], worth: int) -> None:
    for target in targets:
        found[target] = max(found.get(target, 0), worth // len(targets))
