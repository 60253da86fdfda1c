"""The `.ccosignore` files of a project: each is read when a path below it is first asked for, and then remembered.

For paths that come from elsewhere than a walk: what an agent read or ran. On the hook's path, so that a tree without
any such file costs a few looks for one.
"""

from __future__ import annotations

import os

from ccos_core.text.ignore import Matcher, Rules, parse_rules

NAME = ".ccosignore"
LARGEST = 2**20
_CAREFULLY = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"):  # never through a link, never waiting for a pipe
    _CAREFULLY |= getattr(os, _flag, 0)


class CcosIgnore(Matcher):
    """What the ignore files of the project at `root` keep the content of out."""

    __slots__ = ("_below", "_root", "_there")

    def __init__(self, root: str) -> None:
        super().__init__()
        self._root = root
        self._there = os.path.isdir(root)
        """A project that is known by what was said of it alone has no files to ask."""
        self._below: dict[str, Matcher | None] = {}
        """Folder → the rules for what lies in it; None where all of it is ignored."""

    def __bool__(self) -> bool:
        """Whether there may be rules."""
        return self._there

    def hides(self, path: str, is_dir: bool = False) -> bool:
        """Is this path, relative to the root, or a folder above it, ignored?"""
        if not self._there:
            return False
        rules = self._rules(path.rpartition("/")[0])
        return rules is None or rules.ignored(path, is_dir)

    def _rules(self, folder: str) -> Matcher | None:
        if folder in self._below:
            return self._below[folder]
        rules: Matcher | None = Matcher(self._read(""))
        for above in [folder[:at] for at, char in enumerate(folder) if char == "/"] + [folder] * bool(folder):
            if rules is not None and above not in self._below:
                self._below[above] = None if rules.ignored(above, True) else rules.below(self._read(above))
            rules = self._below.get(above)
        self._below[folder] = rules
        return rules

    def _read(self, folder: str) -> Rules:
        return parse_rules(_text(os.path.join(self._root, folder, NAME)), folder)


def _text(path: str) -> str:
    try:
        handle = os.open(path, _CAREFULLY)
    except (OSError, ValueError):  # not there, or a path no file system knows
        return ""
    try:
        return os.read(handle, LARGEST).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    finally:
        os.close(handle)
