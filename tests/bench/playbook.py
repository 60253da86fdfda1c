"""Rules for a task among 5,000: how long the question takes at the 95th percentile, and how many tokens the answer has.

The rules are of 4 to 12 words that follow each other in this project's pages, so words are as frequent as in real text;
half of them have feedback. A task is of 8 to 40 such words. The ratio is to `context` with the same words, which ranks
the same statements without scores.
"""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Any

from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.saying.utterance import memo_id
from ccos_core.session.asking import Desk
from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from tests.bench.harness import Result, paired
from tests.bench.memories import some_words

ROOT = Path(__file__).resolve().parents[2]
RULES, SMOKE_RULES, TASKS, SMOKE_TASKS, PAIRS = 5_000, 60, 400, 5, 7
BEGUN, MINUTE = 1_800_000_000_000, 60_000
P95_MILLIS, MOST_TOKENS, TIMES_CONTEXT = 50.0, 600.0, 2.0
FIRST_SECONDS = 10.0
"""The first question reads all rules and their feedback."""


def lines(smoke: bool) -> Iterator[Result]:
    chance = random.Random(7)
    words = " ".join(page.read_text("utf-8") for page in sorted((ROOT / "docs").rglob("*.md"))).split()
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        path = str(Path(folder, "rules.ccos"))
        record(path, words, chance, SMOKE_RULES if smoke else RULES)
        tasks = [some_words(words, chance, chance.randrange(8, 41)) for _ in range(SMOKE_TASKS if smoke else TASKS)]
        with open_record(path) as opened, Desk(opened) as desk:
            yield from asked(desk, tasks)


def asked(desk: Desk, tasks: list[str]) -> Iterator[Result]:
    desk.ask(BY_NAME["context"], {"query": tasks[0]})
    begun = process_time()
    desk.ask(BY_NAME["rules"], {"task": tasks[0]})
    yield Result("first rules TASK", process_time() - begun, "s", FIRST_SECONDS)
    taken, tokens = [], []
    for task in tasks:
        begun = process_time()
        answer: Any = desk.ask(BY_NAME["rules"], {"task": task}).answer
        taken.append(1_000 * (process_time() - begun))
        tokens.append(answer.tokens)
    yield Result("rules TASK, 95th percentile", quantiles(taken, n=20)[-1], "ms", P95_MILLIS)
    yield Result("rules TASK, most tokens", max(tokens), "tok", MOST_TOKENS)
    mine, other = iter(tasks * 2), iter(tasks * 2)
    pair = paired(
        lambda: desk.ask(BY_NAME["rules"], {"task": next(mine)}),
        lambda: desk.ask(BY_NAME["context"], {"query": next(other)}),
        min(len(tasks) - 1, PAIRS),
    )
    yield pair.result("rules TASK beside context TASK", TIMES_CONTEXT)


def record(path: str, words: list[str], chance: random.Random, many: int) -> None:
    """Make a workspace with rules and their feedback."""
    init(path)
    ops: list[dict[str, Any]] = []
    for number in range(many):
        text = some_words(words, chance, chance.randrange(4, 13))
        memo = memo_id(normalised_words(text))
        when = {"at": BEGUN + number * MINUTE}
        ops.append({"kind": "remembered", "memo": memo, "class": "rule", "words": text, "actor": "user", **when})
        for session in range(chance.randrange(5) if number % 2 else 0):
            kind = "supported" if chance.random() < 0.9 else "contradicted"
            ops.append({"kind": kind, "claim": memo, "weight": 1_000, "way": "explicit", "by": [], "actor": "user",
                        "for_session": f"s{session}", **when})  # fmt: skip
    with open_session(path, stay=False) as session:
        for start in range(0, len(ops), 1_000):
            session.record(ops[start : start + 1_000])
