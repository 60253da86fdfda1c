"""Where the house stands: its root, its packages, its files. Shared by the tests in this folder only.

What counts as a file of ours is what git would carry; a copy without git is walked instead.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ccos_core", "ccos_tui")
KEPT_HIDDEN = (".ci", ".github", ".gitignore", ".gitattributes")


def modules(*packages: str) -> list[Path]:
    """Every Python file of the packages, by default of both."""
    found = [path for package in packages or PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def name(path: Path) -> str:
    """As people write it: relative to the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """`values` for ccos_core/values/ids.py, `errors` for ccos_core/errors.py."""
    return path.relative_to(ROOT / "ccos_core").parts[0].removesuffix(".py")


def our_files() -> list[Path]:
    """Tracked files and those about to be; everything that is not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        listing = ""
    paths = [ROOT / line for line in listing.split("\0") if line] or list(_walk(ROOT))
    return sorted(path for path in paths if path.is_file())


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith(".") and path.name not in KEPT_HIDDEN:
            continue
        if path.is_dir() and path.name not in ("__pycache__", "build", "dist"):
            yield from _walk(path)
        elif path.is_file():
            yield path
