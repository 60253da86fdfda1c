"""How far is the token estimate from real tokens, in windows that are full by the estimate?

`CCOS_TREES` names a folder of source trees, none of them one that the weights were fitted on. Real tokens are cl100k,
from a vocabulary in `TIKTOKEN_CACHE_DIR`. `CCOS_NOTES` names a folder of folders with Markdown, for notes and other
documents. What isn't there is said, and nothing is judged.
"""

import os
import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

from ccos_core.session.index import Index
from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.lenses import window_of
from tests.bench.harness import Result

BUDGETS = (2_048, 8_192)
FILES = 60
"""Files of a tree, around each of which a window is made."""
MEAN_ERROR, OVER_BUDGET, FURTHEST_OVER = 3.0, 1.0, 2.0
"""The most, in percent: the mean error of a tree's windows either way, windows above their budget, and by how much."""
NOTES_ERROR, NOTES_BYTES = 10.0, 200
"""The most, in percent, by which the estimate of a document is wrong on the mean; and bytes of the smallest."""
FULL = 0.9
"""A window that is fuller than this says something of the estimate."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield Result("tokens smoke: parts of a word", text_parts("word"), "parts", 128)
        return
    if find_spec("tiktoken") is None or not os.environ.get("TIKTOKEN_CACHE_DIR"):
        print("tokens: SKIPPED, real tokens need tiktoken, and a vocabulary in TIKTOKEN_CACHE_DIR")
        return
    yield from _notes(os.environ.get("CCOS_NOTES", ""))
    folder = os.environ.get("CCOS_TREES", "")
    if not os.path.isdir(folder):
        print("tokens: SKIPPED, CCOS_TREES names no folder with source trees")
        return
    every: list[tuple[float, float]] = []
    for tree in sorted(Path(folder).iterdir()):
        measured = list(_measured(str(tree)))
        every += measured
        errors = [error for error, _ in measured]
        if errors:
            yield Result(f"tokens, {tree.name}: mean error of {len(errors)}", abs(mean(errors)), "%", MEAN_ERROR)
    over = [beyond for _, beyond in every if beyond > 0]
    if every:
        print(f"tokens: {len(every)} windows, mean error {mean(error for error, _ in every):+.2f} %")
        yield Result("tokens: windows over their budget", 100 * len(over) / len(every), "%", OVER_BUDGET)
        yield Result("tokens: the furthest over its budget", max(over, default=0.0), "%", FURTHEST_OVER)


def _measured(tree: str) -> Iterator[tuple[float, float]]:
    """(error of the estimate, tokens beyond the budget) of each full window, in percent."""
    import tiktoken

    encoding = tiktoken.get_encoding("cl100k_base")
    code = Index(tree)
    paths = [path for path in code.paths() if code.outline(path).symbols]
    for path in random.Random(7).sample(sorted(paths), min(FILES, len(paths))):
        for budget in BUDGETS:
            window = window_of(f"around:{path}", budget, code)
            if window.tokens >= FULL * budget:
                real = len(encoding.encode_ordinary(window.text))
                yield 100 * (tokens(text_parts(window.text)) / real - 1), 100 * (real / budget - 1)


def _notes(folder: str) -> Iterator[Result]:
    """The error of the estimate of whole Markdown documents, by the folder they lie in."""
    import tiktoken

    if not os.path.isdir(folder):
        print("tokens: SKIPPED, CCOS_NOTES names no folder with Markdown")
        return
    encoding = tiktoken.get_encoding("cl100k_base")
    for each in sorted(Path(folder).iterdir()):
        files = sorted(path for path in each.rglob("*.md") if path.is_file() and path.stat().st_size >= NOTES_BYTES)
        texts = [path.read_text("utf-8", "replace") for path in files]
        pairs = [(tokens(text_parts(text)), len(encoding.encode_ordinary(text))) for text in texts]
        if pairs:
            errors = [100 * abs(guess / real - 1) for guess, real in pairs]
            all_told = 100 * (sum(guess for guess, _ in pairs) / sum(real for _, real in pairs) - 1)
            print(f"tokens, notes of {each.name}: {all_told:+.1f} % all told, worst document {max(errors):.1f} %")
            yield Result(f"tokens, notes of {each.name}: mean error of {len(errors)}", mean(errors), "%", NOTES_ERROR)
