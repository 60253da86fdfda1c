"""What `package.json`, `tsconfig.json` and their like say about where a specifier leads.

Only places are told here, in the order in which they are to be tried and without suffixes; which of them is a file is
the resolver's to see. Of a package in the tree its sources are meant, where they are there, before what was built of
them. A package can be imported by name from inside of itself, from its workspace, and by who lists it; a package of
that name elsewhere in the tree, a fixture's, is not what is meant.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

PACKAGE = "package.json"
PNPM = "pnpm-workspace.yaml"
COMPILERS = ("tsconfig.json", "jsconfig.json")
DEEPEST = 20

_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
_TRAILING = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_LISTED = re.compile(r"""^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$""")
_BUILT = re.compile(
    r"(?:_?(?:dist|lib|build|out|output|es|esm|cjs|umd|commonjs|types|typings|modules?))(?:[-_.]?\w*)?\Z"
)
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z")
_SOURCE = re.compile(r"(?<!\.d)\.[cm]?tsx?\Z")
_NEEDED = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_TOLD = ("name", "exports", "imports", "source", "types", "typings", "module", "main", "workspaces")


class Configs:
    """All configuration of a tree."""

    def __init__(self) -> None:
        self.packages: dict[str, Mapping[str, Any]] = {}
        """Folder → what its package says, as far as it matters."""
        self.compilers: dict[str, Mapping[str, Any]] = {}
        """Path of a tsconfig → likewise."""
        self.pnpm: dict[str, tuple[str, ...]] = {}
        """Folder → the globs of its pnpm workspace."""
        self.by_name: dict[str, set[str]] = {}

    def learn(self, path: str, text: str | None) -> bool:
        """Learn a file, or that it is gone; whether that makes a difference."""
        folder, name = posixpath.split(path)
        if name == PNPM:
            return _replaced(self.pnpm, folder, _listed(text) if text is not None else None)
        told = _json(text) if text is not None else None
        if name != PACKAGE:
            return _replaced(self.compilers, path, _compiler(told) if told is not None else None)
        package = _package(told) if told is not None else None
        before = self.packages.get(folder)
        if before is not None and "name" in before:
            self.by_name[before["name"]].discard(folder)
        if package is not None and "name" in package:
            self.by_name.setdefault(package["name"], set()).add(folder)
        return _replaced(self.packages, folder, package)

    def places(self, asker: str, said: str) -> Iterator[str]:
        """Where `said` may lead when `asker` says it."""
        if said.startswith("."):
            yield from _inside(posixpath.join(posixpath.dirname(asker), said))
            return
        if said.startswith("#"):
            yield from self._own(asker, said)
        yield from self._mapped(asker, said)
        parts = said.split("/")
        at = 2 if said.startswith("@") else 1
        folder = self._package_of(asker, "/".join(parts[:at]))
        if folder is not None:
            yield from self.entries(folder, "/".join(parts[at:]))

    def entries(self, folder: str, below: str) -> Iterator[str]:
        """Where a package's entry may be: its sources first, then what it says, then what is usual."""
        package = self.packages.get(folder, {})
        said = list(_leaves(package["exports"], below)) if "exports" in package else []
        if not said:
            fields = [package[key] for key in ("source", "types", "typings", "module", "main") if key in package]
            said = [below] if below else [each for each in fields if isinstance(each, str)]
        told = [posixpath.normpath(each) for each in said]
        found = [each for each in told if _SOURCE.search(each)]
        found += [twin for each in [*told, below or "index"] for twin in _twins(each)]
        for each in [*found, *told, below or "index"]:
            yield from _inside(posixpath.join(folder, each))

    def _own(self, asker: str, said: str) -> Iterator[str]:
        """`#name`: what the package the asker is in calls so."""
        folder = next((each for each in _above(asker) if each in self.packages), None)
        if folder is None or "imports" not in self.packages[folder]:
            return
        for each in _leaves({"." + key: value for key, value in self.packages[folder]["imports"].items()}, said, "."):
            if each.startswith("."):
                yield from _inside(posixpath.join(folder, each))
                for twin in _twins(posixpath.normpath(each)):
                    yield from _inside(posixpath.join(folder, twin))

    def _mapped(self, asker: str, said: str) -> Iterator[str]:
        """By `paths` and `baseUrl` of the nearest tsconfig, and of those beside it that it only points to."""
        for folder in _above(asker):
            here = [path for name in COMPILERS if (path := posixpath.join(folder, name)) in self.compilers]
            if here:
                yield from self._by(here[0], said)
                for each in self.compilers[here[0]].get("references", ()):
                    other = self._extended(here[0], each)
                    if other is not None and posixpath.dirname(other) == folder:
                        yield from self._by(other, said)
                return

    def _by(self, path: str, said: str) -> Iterator[str]:
        base, paths, origin = self._options(path, frozenset())
        matched = [(len(key.partition("*")[0]), key) for key in paths if _star(key, said) is not None]
        if matched:
            _, key = max(matched, key=lambda pair: (pair[1] == said, pair[0], pair[1]))
            for target in paths[key]:
                yield from _inside(posixpath.join(base or origin, target.replace("*", _star(key, said) or "")))
        if base is not None:
            yield from _inside(posixpath.join(base, said))

    def _options(self, path: str, seen: frozenset[str]) -> tuple[str | None, Mapping[str, list[str]], str]:
        """(baseUrl, paths, the folder these are told in) of a tsconfig with all it extends."""
        told, folder = self.compilers.get(path), posixpath.dirname(path)
        base: str | None = None
        paths: Mapping[str, list[str]] = {}
        origin = folder
        if told is None or path in seen or len(seen) > DEEPEST:
            return base, paths, origin
        for each in told.get("extends", ()):
            other = self._extended(path, each)
            if other is not None:
                above, more, where = self._options(other, seen | {path})
                base = above if above is not None else base
                paths, origin = (more, where) if more else (paths, origin)
        if "baseUrl" in told:
            base = posixpath.normpath(posixpath.join(folder, _here(told["baseUrl"])))
        if "paths" in told:
            paths, origin = {key: [_here(each) for each in to] for key, to in told["paths"].items()}, folder
        return base, paths, origin

    def _extended(self, path: str, said: str) -> str | None:
        """The tsconfig another one means."""
        folder = posixpath.dirname(path)
        if not said.startswith("."):
            parts = said.split("/")
            at = 2 if said.startswith("@") else 1
            found = self._package_of(path, "/".join(parts[:at]))
            if found is None:
                return None
            folder, said = found, "/".join(parts[at:]) or COMPILERS[0]
        there = posixpath.normpath(posixpath.join(folder, said))
        tried = (there, there + ".json")
        return next((each for each in tried if each in self.compilers), None)

    def _package_of(self, asker: str, name: str) -> str | None:
        """The folder of the package that is meant by this name; None where it can't be told."""
        folders = self.by_name.get(name)
        if not folders:
            return None
        above = _above(asker)
        own = next((each for each in above if each in folders), None)
        if own is not None:
            return own
        for root in above:
            globs = self._globs(root)
            members = sorted(each for each in folders if _member(root, each, globs)) if globs else []
            if members:
                return members[0] if len(members) == 1 else None
        listed = any(name in self.packages[each]["needs"] for each in above if each in self.packages)
        return next(iter(sorted(folders))) if listed and len(folders) == 1 else None

    def _globs(self, root: str) -> tuple[str, ...]:
        said = self.packages.get(root, {}).get("workspaces", ())
        return (*said, *self.pnpm.get(root, ()))


def _json(text: str) -> Mapping[str, Any] | None:
    """JSON as these files have it, with comments and trailing commas; None where it is not even that."""
    bare = _COMMENT.sub(lambda match: match.group(1) or " ", text.removeprefix("\ufeff"))
    try:
        told = json.loads(_TRAILING.sub(lambda match: match.group(1) or "", bare))
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _package(told: Mapping[str, Any]) -> Mapping[str, Any]:
    found = {key: told[key] for key in _TOLD if key in told}
    if not isinstance(found.get("name", ""), str):
        del found["name"]
    if not isinstance(found.get("imports", {}), dict):
        del found["imports"]
    spaces = found.get("workspaces", ())
    spaces = spaces.get("packages", ()) if isinstance(spaces, dict) else spaces
    found["workspaces"] = tuple(_words(spaces))
    groups = [told[key] for key in _NEEDED if isinstance(told.get(key), dict)]
    found["needs"] = frozenset(name for group in groups for name in group)
    return found


def _compiler(told: Mapping[str, Any]) -> Mapping[str, Any]:
    options = told.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    found: dict[str, Any] = {}
    extends = told.get("extends")
    found["extends"] = [extends] if isinstance(extends, str) else _words(extends)
    if isinstance(options.get("baseUrl"), str):
        found["baseUrl"] = options["baseUrl"]
    if isinstance(options.get("paths"), dict):
        found["paths"] = {key: _words(to) for key, to in options["paths"].items()}
    references = told.get("references")
    rows = references if isinstance(references, list) else []
    found["references"] = _words([each.get("path") for each in rows if isinstance(each, dict)])
    return found


def _listed(text: str) -> tuple[str, ...]:
    """The list below `packages:` of a pnpm workspace."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if line[:1].strip() and not line.startswith(("-", "#")):
            inside = line.startswith("packages:")
        elif inside and (match := _LISTED.match(line)):
            found.append(match.group(1))
    return tuple(found)


def _leaves(told: Any, below: str, dot: str = "./") -> Iterator[str]:
    """Every path `exports` or `imports` gives for what is below a package, whatever the condition."""
    if not isinstance(told, dict) or not any(str(key).startswith(".") for key in told):
        told = {".": told}
    key = dot + below if below else "."
    if key in told:
        yield from _paths(told[key], "")
        return
    fitting = [(len(each.partition("*")[0]), each) for each in told if "*" in each and _star(each, key) is not None]
    if fitting:
        _, each = max(fitting)
        yield from _paths(told[each], _star(each, key) or "")


def _paths(told: Any, star: str, depth: int = 0) -> Iterator[str]:
    if isinstance(told, str):
        yield told.replace("*", star)
    elif isinstance(told, dict | list) and depth < DEEPEST:
        for each in told.values() if isinstance(told, dict) else told:
            yield from _paths(each, star, depth + 1)


def _twins(built: str) -> Iterator[str]:
    """Where the source of something built may be: `dist/esm/a.js` comes of `src/a`."""
    parts = _SUFFIX.sub("", built).split("/")
    if parts[0] in ("src", ".."):
        return
    for at in range(min(3, len(parts))):
        if all(_BUILT.match(part) for part in parts[:at]):
            yield "/".join(["src", *parts[at:]])


def _star(pattern: str, text: str) -> str | None:
    """What the `*` of a pattern stands for; None where it doesn't fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    fits = len(text) >= len(before) + len(after) and text.startswith(before) and text.endswith(after)
    return text[len(before) : len(text) - len(after)] if fits else None


def _member(root: str, folder: str, globs: tuple[str, ...]) -> bool:
    below = posixpath.relpath(folder or ".", root or ".")
    if below == ".":
        return True
    out = [each[1:] for each in globs if each.startswith("!")]
    return any(_glob(each).match(below) for each in globs if each[0] != "!") and not any(
        _glob(each).match(below) for each in out
    )


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/?|\*)", posixpath.normpath(pattern))
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(words.get(part) or re.escape(part) for part in parts) + r"\Z", re.S)


def _above(path: str) -> list[str]:
    """The folders a path is in, from the innermost to the top."""
    found = []
    while path.strip("/"):  # "/" is above itself
        path = posixpath.dirname(path)
        found.append(path)
    return found


def _inside(path: str) -> Iterator[str]:
    """The path, unless it leads out of the tree."""
    path = posixpath.normpath(path)
    if not path.startswith(("..", "/")):
        yield "" if path == "." else path


def _here(path: str) -> str:
    return path.replace("${configDir}/", "").replace("${configDir}", ".")


def _words(told: Any) -> list[str]:
    return [each for each in told if isinstance(each, str) and each] if isinstance(told, list | tuple) else []


def _replaced(table: dict[str, Any], key: str, value: Any) -> bool:
    if table.get(key) == value:
        return False
    if value is None:
        del table[key]
    else:
        table[key] = value
    return True
