"""Go import paths: what they call a package, and which folder of a tree they mean. And what file names say.

A folder's import path is its module's path and the way from the module's folder to it; `go.mod` files say so, and
`replace` lines and `go.work` files bend it. Where no `go.mod` is above a file (distributions' source packages, old
workspaces) the folder may still end with the whole path, as below a GOPATH; or the tree is one package's source, and
then all its imports of itself begin alike. That beginning is taken only if nothing else fits as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, dirname, join, normpath

_VERSION = re.compile(r"v[0-9]+")
_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r'"([^"]*)"|`([^`]*)`|(\S+)')
_HOSTS = ("github.com", "gitlab.com", "bitbucket.org")
"""Where no module's path is shorter than host, owner and name."""
_LEAST_FOLDERS = 2
"""Folders that an import path of the top must explain, unless it is called as the package there."""
_SYSTEMS = """aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1
windows zos"""
_PROCESSORS = """386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm"""


def default_name(path: str) -> str:
    """What a package is most likely called, by its import path; its own files know better."""
    last = path.rpartition("/")[2]
    if last.isidentifier() and not _VERSION.fullmatch(last):
        return last
    parts = path.rstrip("/").split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    last = re.sub(r"\.v[0-9]+$", "", parts[-1])
    if _WORD.fullmatch(last):
        return last
    words = [word for word in re.split(r"[^\w]", last) if _WORD.fullmatch(word) and word != "go"]
    return words[-1] if words else last


def platform(path: str) -> tuple[str, str]:
    """The operating system and the processor a file's name binds it to."""
    words = basename(path).removesuffix(".go").removesuffix("_test").split("_")[1:]
    processor = words.pop() if words and words[-1] in _PROCESSORS.split() else ""
    return (words[-1] if words and words[-1] in _SYSTEMS.split() else ""), processor


@dataclass(frozen=True, slots=True)
class Config:
    """What a `go.mod` or `go.work` says."""

    module: str = ""
    uses: tuple[str, ...] = ()
    """Folders of the modules a workspace has, from its own."""
    replaced: tuple[tuple[str, str], ...] = ()
    """(import path, folder it is taken from)."""

    @classmethod
    def parse(cls, path: str, text: str) -> Config:
        """Lines that aren't understood say nothing."""
        folder, module, block = dirname(path), "", ""
        uses: list[str] = []
        replaced: list[tuple[str, str]] = []
        for line in text.splitlines():
            line = line.partition("//")[0].strip()
            if line == ")":
                block = ""
            elif line.endswith("("):
                block = line[:-1].strip()
            words = [block] * bool(block) + [a or b or c for a, b, c in _STRING.findall(line)]
            if words[:1] == ["module"] and len(words) == 2:
                module = words[1]
            elif words[:1] == ["use"] and len(words) == 2:
                uses.append(_inside(folder, words[1]))
            elif words[:1] == ["replace"] and "=>" in words[2:-1]:
                by = words[words.index("=>") + 1]
                replaced += [(words[1], _inside(folder, by))] if by.startswith(".") else []
        return cls(module, tuple(uses), tuple(replaced))


class Paths:
    """All that is configured in a tree."""

    def __init__(self) -> None:
        self.configs: dict[str, Config] = {}
        self.nearest: dict[tuple[str, str], str | None] = {}
        """(folder, name) → the nearest folder at or above it with a file of that name."""

    def configure(self, path: str, text: str | None) -> bool:
        """Learn or forget a file; whether that makes a difference."""
        before = self.configs.pop(path, None)
        if text is not None:
            self.configs[path] = Config.parse(path, text)
        self.nearest = {}
        return before != self.configs.get(path)

    def home(self, folder: str) -> str | None:
        """The folder of the module a folder belongs to."""
        return self._nearest(folder, "go.mod")

    def folder(self, path: str, asker: str) -> str | None:
        """Where the package of this import path would be, as a file in the folder `asker` imports it."""
        if path.startswith(("./", "../")) or path in (".", ".."):
            return _inside(asker, path)
        home, workspace = self.home(asker), self._nearest(asker, "go.work")
        work = self.configs[join(workspace, "go.work")] if workspace is not None else Config()
        own = self.configs[join(home, "go.mod")] if home is not None else Config()
        for old, to in (*work.replaced, *own.replaced):
            if below(path, old):
                return _inside(to, "." + path[len(old) :])
        # The standard library's own module adds nothing to the paths of its packages.
        cuts = {
            dirname(at): 0 if config.module == "std" else len(config.module) + 1
            for at, config in self.configs.items()
            if config.module == "std" or (config.module and below(path, config.module))
        }
        longest = max(cuts.values(), default=0)
        at = _choose([at for at, cut in cuts.items() if cut == longest], home, work.uses)
        # A folder that another `go.mod` takes out of the module is meant all the same: nothing else has its path.
        return _inside(at, path[longest:] or ".") if at is not None else None

    def _nearest(self, folder: str, name: str) -> str | None:
        if (folder, name) not in self.nearest:
            found: str | None = folder
            if join(folder, name) not in self.configs:
                found = self._nearest(dirname(folder), name) if folder.strip("/") else None  # "/" is above itself
            self.nearest[folder, name] = found
        return self.nearest[folder, name]


def below(path: str, prefix: str) -> bool:
    """Whether an import path is the other or lies below it."""
    return path == prefix or path.startswith(prefix + "/")


def root_import_path(imports: Iterable[tuple[str, str | None]], folders: Mapping[str, Iterable[str]]) -> str:
    """The import path of a tree's top, told from how its files import each other; empty if that can't be told.

    `imports` has each path with the folder it is imported in (None by tests and programs, which may stand beside what
    they import), `folders` the packages of each folder. A beginning is as good as the folders it explains; it must
    explain several, or be called as the package at the top is; and no package imports itself.
    """
    votes: dict[str, set[str]] = {}
    wrong: set[str] = set()
    tops = {name for name in folders.get("", ()) if name != "main" and not name.endswith("_test")}
    for path, asker in imports:
        parts = path.split("/")
        if "." not in parts[0]:
            continue
        for cut in range(3 if parts[0] in _HOSTS else 2, len(parts) + 1):
            begin, folder = "/".join(parts[:cut]), "/".join(parts[cut:])
            if folder in folders and (folder or default_name(begin) in tops):
                votes.setdefault(begin, set()).add(folder)
                if folder == asker:
                    wrong.add(begin)
    fitting = {begin: len(found) for begin, found in votes.items() if begin not in wrong}
    named = {begin: count for begin, count in fitting.items() if default_name(begin) in tops}
    strong = named or {begin: count for begin, count in fitting.items() if count >= _LEAST_FOLDERS}
    ranked = sorted(((count, begin) for begin, count in strong.items()), reverse=True)
    is_clear = len(ranked) == 1 or (len(ranked) > 1 and ranked[0][0] > ranked[1][0])
    return ranked[0][1] if is_clear else ""


def _inside(folder: str, way: str) -> str:
    """A folder by the way to it from another; the top is empty."""
    found = normpath(join(folder, way))
    return "" if found == "." else found


def _choose(places: Sequence[str], home: str | None, uses: Sequence[str]) -> str | None:
    """The one among modules of the same path: the asker's own, then the one its workspace has."""
    if home is not None and home in places:
        return home
    used = [at for at in places if at in uses] if len(places) > 1 else places
    return used[0] if len(used) == 1 else None
