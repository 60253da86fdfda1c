"""Other people's sources, to measure on: fetched from the package registries into the user's cache, never kept here.

`CCOS_CORPORA` names another folder. What can't be had on this machine is None, and whoever asked says so. Sessions that
real agents had are read where they lie, if they do.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "sessions"
HOME = Path(os.environ.get("CCOS_CORPORA") or Path.home() / ".cache" / "ccos-tui" / "corpora")


def corpus(name: str) -> Path | None:
    """The folder of a corpus, fetched if need be."""
    folder = HOME / name
    if folder.is_dir() and any(folder.iterdir()):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder if FETCH[name](name, folder) else None


def transcripts_in(*agents: str) -> list[Path]:
    """The folders of real sessions: those `CCOS_TRANSCRIPTS` names, or those of these agents beside the checkout."""
    named = os.environ.get("CCOS_TRANSCRIPTS")
    return [Path(each) for each in named.split(os.pathsep)] if named else [BESIDE / agent for agent in agents]


def _from_pypi(name: str, folder: Path) -> bool:
    """A source distribution, through the pip that is set up here."""
    with tempfile.TemporaryDirectory() as held:
        asked = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, "-d", held, name]
        if subprocess.run(asked, capture_output=True).returncode:
            return False
        return _unpacked(next(Path(held).glob("*.tar.gz"), None), folder)


def _from_npm(name: str, folder: Path) -> bool:
    if shutil.which("npm") is None:
        return False
    with tempfile.TemporaryDirectory() as held:
        if subprocess.run(["npm", "pack", "--silent", name], cwd=held, capture_output=True).returncode:
            return False
        return _unpacked(next(Path(held).glob("*.tgz"), None), folder)


def _from_debian(*places: str) -> Callable[[str, Path], bool]:
    """Sources a Debian package has put into the system; installing it is the user's to do."""

    def fetch(_: str, folder: Path) -> bool:
        for place in places:
            for found in sorted(Path("/usr/share").glob(place)):
                shutil.copytree(found, folder)
                return True
        return False

    return fetch


def _unpacked(archive: Path | None, folder: Path) -> bool:
    """The archive's one folder, as `folder`."""
    if archive is None:
        return False
    with tempfile.TemporaryDirectory(dir=folder.parent) as held, tarfile.open(archive) as tar:
        tar.extractall(held, filter="data")
        (top,) = Path(held).iterdir()
        top.rename(folder)
    return True


FETCH: dict[str, Callable[[str, Path], bool]] = {
    "flask": _from_pypi,
    "httpx": _from_pypi,
    "requests": _from_pypi,
    "django": _from_pypi,
    "zod": _from_npm,
    "syn": _from_debian("cargo/registry/syn-*"),
    "cobra": _from_debian("gocode/src/github.com/spf13/cobra"),
    "gin": _from_debian("gocode/src/github.com/gin-gonic/gin"),
}
