"""The files of a workspace, to be found by how a path ends. Kept up to date file by file, so that a large workspace
costs a failure no more than a small one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


class Files:
    """Paths in the record's spelling."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._paths: dict[str, None] = {}
        self._by_name: dict[str, dict[str, None]] = {}
        """File name → the paths that end with it."""
        self._folders: dict[str, int] = {}
        """Folder → how many files are below it."""
        self._sorted: dict[str, list[str]] = {}
        """File name → its paths in order, as long as none of them comes or goes."""
        self._meant: dict[str, dict[str, str | None]] = {}
        """File name → what was asked for that ends with it → what that means, for as long."""
        for path in paths:
            self.put(path)

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def put(self, path: str) -> None:
        """A file is there."""
        if path not in self._paths:
            self._paths[path] = None
            name = path.rpartition("/")[2]
            self._by_name.setdefault(name, {})[path] = None
            self._forget(name)
            for folder in _above(path):
                self._folders[folder] = self._folders.get(folder, 0) + 1

    def drop(self, path: str) -> None:
        """A file isn't there any more."""
        if path in self._paths:
            del self._paths[path]
            name = path.rpartition("/")[2]
            del self._by_name[name][path]
            self._forget(name)
            for folder in _above(path):
                self._folders[folder] -= 1

    def meant(self, path: str, name: str, find: Callable[[str], str | None]) -> str | None:
        """What a path with that file name means, where nothing but the files of that name decides it."""
        known = self._meant.setdefault(name, {})
        if path not in known:
            known[path] = find(path)
        return known[path]

    def is_folder(self, path: str) -> bool:
        """Whether any file lies below."""
        return self._folders.get(path, 0) > 0

    def named(self, name: str) -> list[str]:
        """The files of that name, in order."""
        if name not in self._by_name:
            return []
        if name not in self._sorted:
            self._sorted[name] = sorted(self._by_name[name])
        return self._sorted[name]

    def _forget(self, name: str) -> None:
        self._sorted.pop(name, None)
        self._meant.pop(name, None)


def _above(path: str) -> Iterator[str]:
    at = path.rfind("/")
    while at > 0:
        yield path[:at]
        at = path.rfind("/", 0, at)
