"""From a kind and a seed to a planted drift. The same seed gives the same session, on every machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from random import Random

from tests.bench.drifts import elsewhere, evicted, healthy, loops, loss, stale
from tests.bench.drifts.desk import Desk
from tests.bench.drifts.ground import draw
from tests.bench.drifts.habits import Unfit
from tests.bench.drifts.model import Answer, Drift, Observation

STORIES: dict[str, Callable[[Desk], Answer]] = {
    "evicted": evicted.tell,
    "stale": stale.tell,
    "loss": loss.tell,
    "loop": loops.tell,
    "elsewhere": elsewhere.tell,
    "control": healthy.tell,
}
KINDS = tuple(STORIES)
FEWEST, MOST = 40, 250
"""Observations of a session, the first look at the project included."""
FEWEST_OF_THE_AGENT = 24
MOST_REREAD = {"control": 2, "evicted": 4, "stale": 4, "loop": 3, "elsewhere": 3}
"""Files that were in a window, dropped by the host, and read again as they were."""


def make(kind: str, seed: int, trees: bool = False) -> Drift:
    """The case of a seed; a story that doesn't fit the project drawn for it is drawn again."""
    for turn in count():
        rng = Random(f"drift:{kind}:{seed}:{turn}")
        desk = Desk(rng, draw(rng))
        try:
            answer = STORIES[kind](desk)
        except Unfit:
            continue
        desk.end()
        if reread(desk.observations) > MOST_REREAD.get(kind, 99):
            continue  # by chance it holds another drift than the one that is told of
        if FEWEST <= desk.here <= MOST and desk.here - len(desk.ground.files) >= FEWEST_OF_THE_AGENT:
            return _drift(kind, seed, desk, answer, trees)
    raise AssertionError


def reread(observations: Sequence[Observation]) -> int:
    """How many times a file is read again, unchanged, after the host dropped it."""
    held: dict[str, dict[str, str]] = {}
    dropped: dict[str, dict[str, str]] = {}
    found = 0
    for each in observations:
        context = f"{each['session']} {each.get('context', '')}"
        mine, lost = held.setdefault(context, {}), dropped.setdefault(context, {})
        if each["kind"] in ("compaction", "cleared"):
            lost.update(mine)
            mine.clear()
        elif each["kind"] == "seen" and each["how"] != "ingest":
            path, text = each["path"], str(each["content"])
            found += each["how"] == "read" and lost.get(path) == text and path not in mine
            mine[path] = text
    return found


def _drift(kind: str, seed: int, desk: Desk, answer: Answer, trees: bool) -> Drift:
    runs = tuple((run.at, tuple((test.path, test.name) for test in run.failing)) for run in desk.runs)
    return Drift(
        kind, seed, desk.ground.family, tuple(desk.observations), answer, tuple(desk.claims), runs,
        tuple(desk.trees) if trees else (),
    )  # fmt: skip
