"""What `package.json`, `tsconfig.json` and their like say about where a specifier leads.

This gives places only, in the order in which to try them and without suffixes; the resolver sees which of them is a
file. Of a package in the tree its sources are meant, where they are there, before what was built of them. A package can
be imported by name from inside of itself, from its workspace, and from packages that list it; a package of that name
elsewhere in the tree, a fixture's, is not what is meant.
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
_ENTRIES = ("source", "types", "typings", "module", "main")
_KEPT = ("name", "exports", "imports", *_ENTRIES)
_NEEDED = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


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
            return _replace(self.pnpm, folder, _listed(text) if text is not None else None)
        content = _json(text) if text is not None else None
        if name != PACKAGE:
            return _replace(self.compilers, path, _compiler(content) if content is not None else None)
        package = _package(content) if content is not None else None
        before = self.packages.get(folder)
        if before is not None and "name" in before:
            self.by_name[before["name"]].discard(folder)
        if package is not None and "name" in package:
            self.by_name.setdefault(package["name"], set()).add(folder)
        return _replace(self.packages, folder, package)

    def places(self, asker: str, specifier: str) -> Iterator[str]:
        """Where a specifier may lead from the file `asker`."""
        if specifier.startswith("."):
            yield from _inside(posixpath.dirname(asker), specifier)
            return
        if specifier.startswith("#"):
            yield from self._own(asker, specifier)
        yield from self._mapped(asker, specifier)
        package, below = _split_package(specifier)
        folder = self._package_of(asker, package)
        if folder is not None:
            yield from self.entries(folder, below)

    def entries(self, folder: str, below: str) -> Iterator[str]:
        """Where a package's entry may be: its sources first, then what it says, then what is usual."""
        package = self.packages.get(folder, {})
        entries = list(_leaves(package["exports"], below)) if "exports" in package else []
        if not entries:
            fields = [package[key] for key in _ENTRIES if key in package]
            entries = [below] if below else [each for each in fields if isinstance(each, str)]
        entries = [*map(posixpath.normpath, entries), below or "index"]
        sources = [each for each in entries[:-1] if _SOURCE.search(each)]
        sources += [twin for each in entries for twin in _twins(each)]
        for each in [*sources, *entries]:
            yield from _inside(folder, each)

    def _own(self, asker: str, specifier: str) -> Iterator[str]:
        """`#name`: what the package the asker is in calls so."""
        folder = next((each for each in _above(asker) if each in self.packages), None)
        imports = self.packages[folder].get("imports", {}) if folder is not None else {}
        for each in _leaves({"." + key: value for key, value in imports.items()}, specifier, ".") if imports else ():
            if folder is not None and each.startswith("."):
                for place in (each, *_twins(posixpath.normpath(each))):
                    yield from _inside(folder, place)

    def _mapped(self, asker: str, specifier: str) -> Iterator[str]:
        """By `paths` and `baseUrl` of the nearest tsconfig, and of those beside it that it only points to."""
        for folder in _above(asker):
            here = [path for name in COMPILERS if (path := posixpath.join(folder, name)) in self.compilers]
            if here:
                yield from self._by(here[0], specifier)
                for each in self.compilers[here[0]].get("references", ()):
                    other = self._extended(here[0], each)
                    if other is not None and posixpath.dirname(other) == folder:
                        yield from self._by(other, specifier)
                return

    def _by(self, path: str, specifier: str) -> Iterator[str]:
        base, paths, origin = self._options(path, frozenset())
        matched = [(len(key.partition("*")[0]), key) for key in paths if _star(key, specifier) is not None]
        if matched:
            _, key = max(matched, key=lambda pair: (pair[1] == specifier, pair[0], pair[1]))
            for target in paths[key]:
                yield from _inside(base or origin, target.replace("*", _star(key, specifier) or ""))
        if base is not None:
            yield from _inside(base, specifier)

    def _options(self, path: str, seen: frozenset[str]) -> tuple[str | None, Mapping[str, list[str]], str]:
        """(baseUrl, paths, the folder of the file that gives the paths) of a tsconfig with all it extends."""
        options, folder = self.compilers.get(path), posixpath.dirname(path)
        base: str | None = None
        paths: Mapping[str, list[str]] = {}
        origin = folder
        if options is None or path in seen or len(seen) > DEEPEST:
            return base, paths, origin
        for each in options.get("extends", ()):
            other = self._extended(path, each)
            if other is not None:
                above, more, where = self._options(other, seen | {path})
                base = above if above is not None else base
                paths, origin = (more, where) if more else (paths, origin)
        if "baseUrl" in options:
            base = posixpath.normpath(posixpath.join(folder, _here(options["baseUrl"])))
        if "paths" in options:
            paths, origin = {key: [_here(each) for each in to] for key, to in options["paths"].items()}, folder
        return base, paths, origin

    def _extended(self, path: str, specifier: str) -> str | None:
        """The tsconfig another one means."""
        folder: str | None = posixpath.dirname(path)
        if not specifier.startswith("."):
            package, below = _split_package(specifier)
            folder, specifier = self._package_of(path, package), below or COMPILERS[0]
        if folder is None:
            return None
        there = posixpath.normpath(posixpath.join(folder, specifier))
        return next((each for each in (there, there + ".json") if each in self.compilers), None)

    def _package_of(self, asker: str, name: str) -> str | None:
        """The folder of the package that is meant by this name; None if that isn't clear."""
        folders = self.by_name.get(name)
        if not folders:
            return None
        above = _above(asker)
        own = next((each for each in above if each in folders), None)
        if own is not None:
            return own
        for root in above:
            globs = (*self.packages.get(root, {}).get("workspaces", ()), *self.pnpm.get(root, ()))
            members = sorted(each for each in folders if _is_member(root, each, globs)) if globs else []
            if members:
                return members[0] if len(members) == 1 else None
        is_listed = any(name in self.packages[each]["needs"] for each in above if each in self.packages)
        return next(iter(folders)) if is_listed and len(folders) == 1 else None


# -- what the files say ------------------------------------------------------------------------------------------------


def _json(text: str) -> Mapping[str, Any] | None:
    """JSON as these files have it, with comments and trailing commas; None where it is not even that."""
    bare = _COMMENT.sub(lambda match: match.group(1) or " ", text.removeprefix("\ufeff"))
    try:
        content = json.loads(_TRAILING.sub(lambda match: match.group(1) or "", bare))
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _package(content: Mapping[str, Any]) -> Mapping[str, Any]:
    found = {key: content[key] for key in _KEPT if key in content}
    if not isinstance(found.get("name", ""), str):
        del found["name"]
    if not isinstance(found.get("imports", {}), dict):
        del found["imports"]
    spaces = content.get("workspaces", ())
    found["workspaces"] = tuple(_words(spaces.get("packages", ()) if isinstance(spaces, dict) else spaces))
    groups = [content[key] for key in _NEEDED if isinstance(content.get(key), dict)]
    found["needs"] = frozenset(name for group in groups for name in group)
    return found


def _compiler(content: Mapping[str, Any]) -> Mapping[str, Any]:
    options, extends, references = (content.get(key) for key in ("compilerOptions", "extends", "references"))
    options = options if isinstance(options, dict) else {}
    rows = references if isinstance(references, list) else []
    found: dict[str, Any] = {
        "extends": [extends] if isinstance(extends, str) else _words(extends),
        "references": _words([each.get("path") for each in rows if isinstance(each, dict)]),
    }
    if isinstance(options.get("baseUrl"), str):
        found["baseUrl"] = options["baseUrl"]
    if isinstance(options.get("paths"), dict):
        found["paths"] = {key: _words(to) for key, to in options["paths"].items()}
    return found


def _listed(text: str) -> tuple[str, ...]:
    """The list below `packages:` of a pnpm workspace."""
    found: list[str] = []
    is_inside = False
    for line in text.splitlines():
        if line[:1].strip() and not line.startswith(("-", "#")):
            is_inside = line.startswith("packages:")
        elif is_inside and (match := _LISTED.match(line)):
            found.append(match.group(1))
    return tuple(found)


def _leaves(entries: Any, below: str, dot: str = "./") -> Iterator[str]:
    """Every path `exports` or `imports` gives for what is below a package, whatever the condition."""
    if not isinstance(entries, dict) or not any(str(key).startswith(".") for key in entries):
        entries = {".": entries}
    key = dot + below if below else "."
    if key in entries:
        yield from _paths(entries[key], "")
        return
    fitting = [(len(each.partition("*")[0]), each) for each in entries if "*" in each and _star(each, key) is not None]
    if fitting:
        _, each = max(fitting)
        yield from _paths(entries[each], _star(each, key) or "")


def _paths(entry: Any, star: str, depth: int = 0) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry.replace("*", star)
    elif isinstance(entry, dict | list) and depth < DEEPEST:
        for each in entry.values() if isinstance(entry, dict) else entry:
            yield from _paths(each, star, depth + 1)


def _words(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str) and each] if isinstance(value, list | tuple) else []


def _replace(table: dict[str, Any], key: str, value: Any) -> bool:
    if table.get(key) == value:
        return False
    if value is None:
        del table[key]
    else:
        table[key] = value
    return True


# -- paths and patterns ------------------------------------------------------------------------------------------------


def _split_package(specifier: str) -> tuple[str, str]:
    """A package's name, and what is below it: `@a/b/c` is (`@a/b`, `c`)."""
    parts = specifier.split("/")
    at = 2 if specifier.startswith("@") else 1
    return "/".join(parts[:at]), "/".join(parts[at:])


def _twins(built: str) -> Iterator[str]:
    """Where the source of something built may be: `dist/esm/a.js` comes of `src/a`."""
    parts = _SUFFIX.sub("", built).split("/")
    if parts[0] not in ("src", ".."):
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


def _is_member(root: str, folder: str, globs: tuple[str, ...]) -> bool:
    below = posixpath.relpath(folder or ".", root or ".")
    if below == ".":
        return True
    taken, left_out = ([each for each in globs if (each[0] == "!") is out] for out in (False, True))
    return any(_glob(each).match(below) for each in taken) and not any(
        _glob(each[1:]).match(below) for each in left_out
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


def _inside(folder: str, way: str) -> Iterator[str]:
    """The path by its way from a folder, unless it leads out of the tree."""
    path = posixpath.normpath(posixpath.join(folder, way))
    if not path.startswith(("..", "/")):
        yield "" if path == "." else path


def _here(path: str) -> str:
    return path.replace("${configDir}/", "").replace("${configDir}", ".")
