"""The files of a workspace, to be found by how a path ends. Kept up to date file by file, so that a large workspace
costs a failure no more than a small one."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Files:
    """Paths in the record's spelling."""

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._paths: dict[str, None] = {}
        self._by_name: dict[str, dict[str, None]] = {}  # file name → the paths that end with it
        self._folders: dict[str, int] = {}  # folder → how many files are below it
        # file name → its paths in order, and what was asked for that ends with it → what that means; both are kept
        # as long as none of these paths comes or goes
        self._sorted: dict[str, list[str]] = {}
        self._meant: dict[str, dict[str, str | None]] = {}
        for path in paths:
            self.put(path)

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def put(self, path: str) -> None:
        """Add a file."""
        if path not in self._paths:
            self._paths[path] = None
            self._by_name.setdefault(path.rpartition("/")[2], {})[path] = None
            self._count(path, 1)

    def drop(self, path: str) -> None:
        """Take a file out."""
        if path in self._paths:
            del self._paths[path]
            del self._by_name[path.rpartition("/")[2]][path]
            self._count(path, -1)

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
        if name not in self._sorted and name in self._by_name:
            self._sorted[name] = sorted(self._by_name[name])
        return self._sorted.get(name, [])

    def _count(self, path: str, by: int) -> None:
        """Note in each folder above that a file came or went."""
        folder, _, name = path.rpartition("/")
        self._sorted.pop(name, None)
        self._meant.pop(name, None)
        while folder:
            self._folders[folder] = self._folders.get(folder, 0) + by
            folder = folder.rpartition("/")[0]
