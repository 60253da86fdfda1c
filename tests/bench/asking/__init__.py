"""Asking a long session: 100,000 steps over 5,000 files, folded for the first time, and then asked all kinds of things.

The session is made up, op for op the same for a seed (`session.py`); that it is as rich as it should be is checked
before anything is judged. What an op and a question cost is also measured after shorter sessions in the same tree.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.asking import folded, growing, questioning
from tests.bench.asking.workspace import copied
from tests.bench.harness import Result

STEPS, FILES, SEED = 100_000, 5_000, 7
EARLIER = (1_000, 10_000)
"""Steps behind the first look at the tree after which costs are measured as well."""


def lines(smoke: bool) -> Iterator[Result]:
    steps, files = (900, 60) if smoke else (STEPS, FILES)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        folder = Path(held)
        path = copied(steps, files, SEED, folder)
        yield from folded.lines(path, smoke)
        yield folded.as_a_process(path, questioning.hottest(path), 1 if smoke else 5)
        yield from questioning.questioned(path, few=False)  # of few nodes drawn none may be a file
        yield from questioning.small(folder)
        yield from _growing(folder, smoke)


def _growing(folder: Path, smoke: bool) -> Iterator[Result]:
    """The same after sessions of other lengths, the long one last."""
    files, ops, asked = (60, 3, 2) if smoke else (FILES, 300, 40)
    lengths = (100, 840) if smoke else (*EARLIER, STEPS - FILES)
    micros = {}
    for length in lengths:
        path = copied(files + length, files, SEED, folder)
        micros[length] = growing.op_micros(path, files + length, files, SEED, ops)
        yield from growing.question_lines(path, length, SEED, asked)
    yield from growing.op_lines(micros)
