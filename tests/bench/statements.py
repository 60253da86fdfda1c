"""What it costs to ask what was said: about phrases and statements of a long record.

The record is made up: in every task of ten steps the user says ten things that nobody said before. Costs are CPU time.
"""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from ccos_core.query.catalogue import BY_NAME
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.bench.asking.telling import BEGUN, HOST, SESSION
from tests.bench.asking.words import NOUNS, SAID, THINGS, VERBS
from tests.bench.harness import Result

Observation = dict[str, Any]

SEED, BATCH = 7, 2_000
LENGTHS = 10_000, 100_000
SMOKE_LENGTHS = 120, 360
SENTENCES, TASKS_IN_WINDOW = 10, 40
"""Things that the user says in a task; tasks after which the host shortens the window."""
JOINTS = ("the", "of", "and", "to", "in", "each", "before", "only") * 12
PHRASES = '"never push to main"', '"before i go on"', '"words that nobody said"', '"run its tests again"'
FIRST_LIMITS, WARM_LIMITS, PHRASE_LIMITS = (1.5, 20.0), (0.5, 1.0), (200.0, 1_000.0)
"""CPU seconds beyond those of `state` after 10,000 and after 100,000 steps."""
MEMORY_LIMIT = 700.0
"""Megabytes of the process, with what the benchmark itself holds."""


def lines(smoke: bool) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        lengths = SMOKE_LENGTHS if smoke else LENGTHS
        for steps, limits in zip(lengths, zip(FIRST_LIMITS, WARM_LIMITS, PHRASE_LIMITS, strict=True), strict=True):
            path = Path(held, f"{steps}.ccos")
            build(path, steps)
            yield from _asked(path, steps, *limits)


def _asked(path: Path, steps: int, first: float, warm: float, phrase_millis: float) -> Iterator[Result]:
    """What questions cost that are asked one behind the other."""
    after = f"after {steps:,} steps"
    with open_record(str(path)) as record, Desk(record) as desk:
        _seconds(desk, "state")
        yield Result(f"first statements {after}", _seconds(desk, "statements", limit="3"), "s", first)
        yield Result(f"statements again {after}", _seconds(desk, "statements", limit="3"), "s", warm)
        took = median(_seconds(desk, "missing", node=words, lens="host") for words in PHRASES)
        yield Result(f"missing over a phrase {after}", took * 1_000, "ms", phrase_millis)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Result(f"memory of these {after}", used, "MB", MEMORY_LIMIT)


def _seconds(desk: Desk, name: str, **said: str) -> float:
    begun = process_time()
    desk.ask(BY_NAME[name], said, desk.timeline.head)
    return process_time() - begun


def observations() -> Iterator[Observation]:
    """What is recorded of such a session, without an end."""
    rng, number = Random(SEED), 0
    while True:
        said = " ".join(_sentence(rng, f"n{number}x{each}") for each in range(SENTENCES))
        yield _told(
            number, "prompt", actor="user", said="Never push to main. " * (number % 100 == 0) + said, source="user"
        )
        for call in range(number * 3, number * 3 + 3):
            path = f"src/{rng.choice(THINGS)}_{call % 500}.py"
            yield _told(number, "turn", said=rng.choice(SAID).format(path), stop="tool", model="story-1")
            given = {"command": f"grep -n {rng.choice(NOUNS)} {path}"}
            printed = "\n".join(f"{line}:{_sentence(rng, '')}" for line in range(20))
            yield _told(number, "tool", name="Bash", arguments=given, result=printed, outcome="ok", call=f"call-{call}")
        yield _told(number, "usage", actor="host", window=20_000 + number % TASKS_IN_WINDOW * 3_000, written=90)
        yield _told(number, "thought", said=_sentence(rng, f"t{number}"))
        if number % TASKS_IN_WINDOW == TASKS_IN_WINDOW - 1:
            summary = " ".join(_sentence(rng, f"n{rng.randrange(number)}x{each}") for each in range(SENTENCES))
            sizes = {"before": 140_000, "after": 20_000}
            yield _told(number, "compaction", actor="host", trigger="auto", exact=False, summary=summary, **sizes)
        else:
            yield _told(number, "turn", said="Done as far as I can see.", stop="end", model="story-1")
        number += 1


def build(path: Path, steps: int) -> None:
    """Record such a session up to a step."""
    lifecycle.init(str(path), clock=lambda: BEGUN)
    told = islice(observations(), steps - 1)
    with open_session(str(path), clock=lambda: BEGUN) as session:
        while batch := list(islice(told, BATCH)):
            session.record(batch)


# ---- helpers ----


def _sentence(rng: Random, name: str) -> str:
    words = rng.choices((*VERBS, *THINGS, *NOUNS, *JOINTS), k=4 + rng.randrange(8))
    return f"{rng.choice(VERBS).capitalize()} {' '.join(words)} {name}."


def _told(number: int, kind: str, *, actor: str = "agent", **fields: Any) -> Observation:
    at = BEGUN + number * 10_000
    return {"kind": kind, "at": at, "actor": actor, "host": HOST, "session": SESSION, **fields}
