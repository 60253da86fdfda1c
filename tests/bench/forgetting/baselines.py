"""What anybody could do without knowing anything of code: whole files as last seen, until the window is full.

A window is path → the lines in it; a line takes a quarter of a token for each character, its end included.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from tests.bench.forgetting.rereads import Cut, File

Held = dict[str, set[str]]
LEFT = 8
"""Tokens with which nothing more is begun."""


def recent(cut: Cut) -> list[str]:
    return sorted(cut.files, key=lambda path: -cut.files[path].last)


def often(cut: Cut) -> list[str]:
    return sorted(cut.files, key=lambda path: (-cut.files[path].touched, -cut.files[path].last))


def by_words(cut: Cut) -> list[str]:
    """BM25 of the last prompt."""
    scores = _scores(_words(cut.prompt), cut.files)
    return sorted(cut.files, key=lambda path: (-scores[path], -cut.files[path].last))


BASELINES: dict[str, Callable[[Cut], list[str]]] = {"recent": recent, "often": often, "by words": by_words}


def packed(order: Sequence[str], files: dict[str, File], budget: int) -> Held:
    """The window of files in that order; the last one is cut where the budget ends."""
    held: Held = {}
    left = float(budget)
    for path in order:
        held[path] = set()
        for line in files[path].text.split("\n"):
            if (len(line) + 1) / 4 > left:
                break
            left -= (len(line) + 1) / 4
            held[path].add(line.strip())
        if left < LEFT:
            break
    return held


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z_]{3,}", text)]


def _scores(asked: list[str], files: dict[str, File]) -> dict[str, float]:
    counts = {path: Counter(_words(file.text)) for path, file in files.items()}
    sizes = {path: sum(each.values()) for path, each in counts.items()}
    mean = max(1.0, sum(sizes.values()) / max(1, len(sizes)))
    having = Counter(word for each in counts.values() for word in each)
    rare = {word: math.log(1 + (len(files) - having[word] + 0.5) / (having[word] + 0.5)) for word in set(asked)}
    return {
        path: sum(
            rare[word] * each[word] * 2.2 / (each[word] + 1.2 * (0.25 + 0.75 * sizes[path] / mean))
            for word in rare
            if each[word]
        )
        for path, each in counts.items()
    }
