"""How a path is written in the record: relative to the workspace's root, `/`-separated, the same on every machine.

What a host says (`/home/ann/proj/src/a.py`, `src\\a.py`, `../x`) is mapped by text alone; no file system is asked,
so a path of a machine that is gone maps as well. What lies outside the root stays recognisable and loses the home
it was under: `~/notes.md`, `/usr/lib/x.py`.

On the hook's path: imports nothing.
"""

from __future__ import annotations


class Place:
    """Where a workspace's project lies on this machine. Used to map paths, never recorded."""

    __slots__ = ("home", "roots")

    def __init__(self, roots: tuple[str, ...], home: str = "") -> None:
        self.roots = tuple(_folder(root) for root in roots if root)
        """The project's root, in every spelling a host may use for it (as given, and with links resolved)."""
        self.home = _folder(home) if home else ""

    def __repr__(self) -> str:
        return f"Place(roots={self.roots!r})"


NOWHERE = Place(())
"""For values that come from no machine: absolute paths stay as they were said."""


def recorded(said: str, place: Place = NOWHERE, cwd: str = ".") -> str:
    """The record's spelling of the path a host said while it stood in `cwd` (itself in the record's spelling)."""
    path = _slashed(said)
    if not is_absolute(path) and not path.startswith("~/") and path != "~":
        return _tidy(path if cwd in (".", "") else f"{cwd}/{path}")
    path = _tidy(path)
    for root in place.roots:
        if path == root:
            return "."
        if path.startswith(root + "/"):
            return path[len(root) + 1 :]
    home = place.home
    if home and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path


def is_absolute(path: str) -> bool:
    """Absolute on any system, whichever this one is."""
    return path.startswith("/") or (len(path) > 2 and path[1] == ":" and path[2] in "/\\" and path[0].isalpha())


def inside(path: str) -> bool:
    """Whether a recorded path lies in the workspace."""
    return not (is_absolute(path) or path == ".." or path.startswith(("../", "~/")) or path == "~")


def home_of(path: str) -> str:
    """The home folder a path lies under, by how such folders are called everywhere; empty if it shows none."""
    path = _tidy(_slashed(path))
    if path.split("/")[:2] == ["", "root"]:
        return "/root"
    for homes in ("/home/", "/Users/", f"{path[:2]}/Users/"):
        name = path.removeprefix(homes).partition("/")[0]
        if path.startswith(homes) and name:
            return homes + name
    return ""


def _folder(said: str) -> str:
    """A folder as paths below it begin, whose spelling is tidied as well."""
    folder = _slashed(said)
    return (_tidy(folder) if is_absolute(folder) else folder).rstrip("/")


def _slashed(path: str) -> str:
    """Backslashes become slashes where they separate: a drive or a share in front, or no slash at all."""
    if "\\" not in path:
        return path
    drive = len(path) > 2 and path[1] == ":" and path[0].isalpha()
    if drive or path.startswith("\\\\") or "/" not in path:
        return path.replace("\\", "/")
    return path


def _tidy(path: str) -> str:
    """Without `.`, doubled slashes, and `..` where there is something to go up from."""
    lead = "/" if path.startswith("/") else path[:3] if is_absolute(path) else ""
    parts: list[str] = []
    for part in path[len(lead) :].split("/"):
        if part in ("", "."):
            continue
        if part == ".." and parts and parts[-1] not in ("..", "~"):
            parts.pop()
        elif part != ".." or not lead:
            parts.append(part)
    return lead + "/".join(parts) or "."
