"""The screens on a long session, in a real terminal: how soon they are there, how fast they follow, what they hold.

The terminal is tmux, driven through one open line to it (`terminal.py`), so that asking what it shows costs nothing
that counts. A time ends with the last thing the terminal was told before it showed what was waited for. Where tmux
isn't installed nothing is measured, and it is said so.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.harness import Result
from tests.bench.screens import following, starting
from tests.bench.screens.terminal import Terminal
from tests.bench.screens.workspace import folded

STEPS, FILES, SEED = 100_000, 5_000, 7


def lines(smoke: bool) -> Iterator[Result]:
    if shutil.which("tmux") is None:
        print("screens: NOTHING WAS MEASURED, for tmux isn't installed", file=sys.stderr)
        yield Result("screens: no tmux, nothing measured", 0, "", 0)
        return
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        steps, files = (900, 60) if smoke else (STEPS, FILES)
        path = folded(steps, files, SEED, Path(held))
        with Terminal(160, 48, Path(held)) as terminal:
            yield from starting.lines(terminal, path, steps, smoke)
            yield from following.lines(terminal, path, steps, smoke)
