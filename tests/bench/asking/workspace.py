"""The long session as a workspace on disk: built once for a size and a seed, and kept for the next run.

What was built by another generator, or for other interpreters, isn't taken: its name says by which it was.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from itertools import islice
from pathlib import Path

from ccos_core.session import interpreters, lifecycle
from ccos_core.session.session import open_session
from ccos_core.values.canon import canonical, digest
from tests.bench.asking.session import observations
from tests.bench.asking.telling import BEGUN
from tests.bench.causes import pytest_output

BATCH = 2_000
MAKERS = (*sorted(Path(__file__).parent.glob("*.py")), Path(pytest_output.__file__))


def built(steps: int, files: int, seed: int) -> Path:
    """The workspace of that size, from `CCOS_BENCH_CACHE` or the folder for what is temporary."""
    home = Path(os.environ.get("CCOS_BENCH_CACHE") or Path(tempfile.gettempdir(), "ccos-bench"))
    path = home / f"session-{steps}-{files}-{seed}-{_makers()}.ccos"
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home) as held:
            build(Path(held, "work.ccos"), steps, files, seed)
            Path(held, "work.ccos").replace(path)
    return path


def copied(steps: int, files: int, seed: int, folder: Path) -> Path:
    """A copy of it, that nobody has asked anything yet."""
    return Path(shutil.copy(built(steps, files, seed), folder / f"{steps}.ccos"))


def build(path: Path, steps: int, files: int, seed: int) -> None:
    """Record it anew."""
    lifecycle.init(str(path), clock=lambda: BEGUN)
    told = islice(observations(steps, files, seed), steps - 1)
    with open_session(str(path), clock=lambda: BEGUN) as session:
        while batch := list(islice(told, BATCH)):
            session.record(batch)


def _makers() -> str:
    sources = b"".join(path.read_bytes() for path in MAKERS)
    return digest(canonical(interpreters.current()) + sources).hex()[:12]
