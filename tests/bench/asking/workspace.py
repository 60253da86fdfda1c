"""The long session as a workspace on disk: built once for a size and a seed, and kept for the next run."""

from __future__ import annotations

import os
import tempfile
from itertools import islice
from pathlib import Path

from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from tests.bench.asking.session import observations
from tests.bench.asking.telling import BEGUN

VERSION = 1
"""Of the generator: what is kept of another isn't taken."""
BATCH = 2_000


def built(steps: int, files: int, seed: int) -> Path:
    """The workspace of that size, from `CCOS_BENCH_CACHE` or the folder for what is temporary."""
    home = Path(os.environ.get("CCOS_BENCH_CACHE") or Path(tempfile.gettempdir(), "ccos-bench"))
    path = home / f"session-v{VERSION}-{steps}-{files}-{seed}" / "work.ccos"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home) as held:
            build(Path(held, "work.ccos"), steps, files, seed)
            Path(held, "work.ccos").replace(path)
    return path


def build(path: Path, steps: int, files: int, seed: int) -> None:
    """Record it anew."""
    lifecycle.init(str(path), clock=lambda: BEGUN)
    told = observations(steps, files, seed)
    with open_session(str(path), clock=lambda: BEGUN) as session:
        while batch := list(islice(told, BATCH)):
            session.record(batch)
