"""Find what was said: questions about long conversations whose evidence is known, and 100,000 turns.

Each conversation is also judged with weights that were chosen on the others alone: that is the figure to trust. The
baseline is what a plain BM25 with stems, speakers, neighbours and sessions finds in ten of these conversations. The
time is that of the processor, so that a busy machine tells the same.
"""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, product
from pathlib import Path
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

from ccos_core.text.retrieval import talk
from ccos_core.text.retrieval.english import EMPTY_WORDS
from ccos_core.text.retrieval.talk import Talk, Turn
from tests.bench.harness import Result

DATA = Path(__file__).resolve().parents[3] / "shared" / "bench" / "memory" / "locomo_part.json"
TURNS, BUDGET, MOST = 10, 1_024, 60
RECALL, EVIDENCE = 80.0, 87.0
BASELINE = 74.5, 82.0
SMALL = 2
"""Conversations with `--smoke`."""
SIZE = 100_000
"""Turns of the large record."""
SEARCHES = 200
P95_MILLIS = 10.0

WEIGHTS = tuple(
    {
        "PASSAGES": ((0, 0, 10), (2, 1, near), (3, 3, middle), (6, 6, far)),
        "SPEAKER_WEIGHT": speaker,
        "ASKING_WEIGHT": asks,
    }
    for near, middle, far, speaker, asks in product((6, 10), (0, 4), (4, 8), (4, 7), (0, -2))
)


class Asked(NamedTuple):
    """A question and the turns that hold its evidence."""

    question: str
    evidence: frozenset[int]


class Conversation(NamedTuple):
    turns: list[Turn]
    costs: list[int]
    """Tokens of each turn, by its characters."""
    asked: list[Asked]


def lines(smoke: bool) -> Iterator[Result]:
    if DATA.exists():
        yield from _found(conversations()[: SMALL if smoke else None], WEIGHTS[:2] if smoke else WEIGHTS)
    else:
        print("conversations: SKIPPED, the recorded conversations aren't here")
    p95 = _slowest_of_twenty(1_000 if smoke else SIZE, 20 if smoke else SEARCHES)
    yield Result(f"search in {SIZE:,} turns, p95", p95, "ms", P95_MILLIS)


def conversations() -> list[Conversation]:
    return [_read(each) for each in json.loads(DATA.read_bytes())]


def _found(every: list[Conversation], weights: tuple[dict[str, object], ...]) -> Iterator[Result]:
    shipped = [judged(each) for each in every]
    by_weights = []
    for chosen in weights:
        with patch.multiple(talk, **chosen):
            by_weights.append([judged(each) for each in every])
    left_out = []
    for at in range(len(every)):
        others = [sum(sum(found) for n, found in enumerate(each) if n != at) for each in by_weights]
        left_out.append(by_weights[others.index(max(others))][at])
    for name, found in (("", shipped), (", conversations left out", left_out)):
        for what, which, bar in (("turns found in 10", 0, RECALL), ("evidence in 1,024 tokens", 1, EVIDENCE)):
            value = sum(each[which] for each in found) / len(found)
            missed = 100 - value
            yield Result(f"{what}{name}: missed", missed, "%", 100 - bar, 100 - BASELINE[which])


def judged(each: Conversation) -> tuple[float, float]:
    """Return percent of the evidence in the first ten turns, and in those that fit into the budget."""
    known = Talk(each.turns)
    recall = evidence = 0.0
    for asked in each.asked:
        found = known.find(asked.question, MOST)
        recall += len(asked.evidence.intersection(found[:TURNS])) / len(asked.evidence)
        room, fitting = BUDGET, []
        for turn in found:
            room -= each.costs[turn]
            if room < 0:
                break
            fitting.append(turn)
        evidence += len(asked.evidence.intersection(fitting)) / len(asked.evidence)
    return 100 * recall / len(each.asked), 100 * evidence / len(each.asked)


def _read(sample: dict[str, object]) -> Conversation:
    told = sample["conversation"]
    assert isinstance(told, dict)
    turns, costs, numbers = [], [], {}
    session = 1
    while f"session_{session}" in told:
        for each in told[f"session_{session}"]:
            numbers[each["dia_id"]] = len(turns)
            shown = each.get("blip_caption", "")
            turns.append(Turn(each["speaker"], f"{shown} {each['text']}".strip(), session))
            costs.append(-(-len(each["text"] + shown + each["speaker"]) // 4))
        session += 1
    asked = []
    for each in sample["qa"]:  # type: ignore[attr-defined]
        names = re.findall(r"D:?(\d+):(\d+)", " ".join(each.get("evidence", [])))
        evidence = frozenset(numbers[name] for a, b in names if (name := f"D{int(a)}:{int(b)}") in numbers)
        if evidence:
            asked.append(Asked(each["question"], evidence))
    return Conversation(turns, costs, asked)


@cache
def _large(size: int) -> tuple[Talk, list[str]]:
    """Make turns of 25 words like those of real text: nearly half say nothing by themselves, and of the others the
    n-th most frequent comes once in n + 100 times."""
    chance = random.Random(1)
    empty, full = (
        sorted(EMPTY_WORDS),
        ["".join(each) for each in product("bdfgklmnprtv", "aiou", "bdfgklmnprtv", "aiou", "bdfklmnrt")],
    )
    weights = list(accumulate(1 / (n + 100) for n in range(len(full))))

    def text(words: int) -> str:
        hollow = words * 9 // 20
        return " ".join(
            [*chance.choices(empty, k=hollow), *chance.choices(full, cum_weights=weights, k=words - hollow)]
        )

    turns = [Turn("user" if n % 5 == 0 else "agent", text(25), n // 1_000) for n in range(size)]
    return Talk(turns), [text(11) for _ in range(SEARCHES)]


def _slowest_of_twenty(size: int, searches: int) -> float:
    known, questions = _large(size)
    known.find(questions[0], TURNS)
    took = []
    for question in questions[:searches]:
        started = process_time()
        known.find(question, TURNS)
        took.append(process_time() - started)
    return 1_000 * sorted(took)[len(took) * 19 // 20]
