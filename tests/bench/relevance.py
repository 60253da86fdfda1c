"""How much of what would be handed out is used: the share of its tokens whose file or symbol is used within 30 turns.

Used is what `access --jsonl` labels so: read or changed again, or named in a call or text of the agent. The windows are
those after each recorded compaction, of sessions that lie beside the checkout; an agent that was really given them may
have worked otherwise. The bar is 80 % used (20 % not), of the whole; beside it stands an interval of 95 %, drawn by
choosing whole sessions with replacement, the same in every run.
"""

from collections.abc import Iterator
from random import Random

from ccos_core.query.access_use import TURNS, Uses
from ccos_core.query.windows import window_at
from ccos_core.replay.timeline import Timeline
from tests.bench.forgetting.ours import compactions
from tests.bench.harness import Result
from tests.bench.retelling import SHARED, opened
from tests.bench.told.labels import read

BUDGET, UNUSED_LIMIT, DRAWS, SEED = 2_048, 20.0, 2_000, 7
LENSES = ("resume", "working-set")
Pair = tuple[int, int]
"""Tokens that were used, and all."""


def lines(smoke: bool) -> Iterator[Result]:
    sessions = [each for each in read() if each.file.startswith("bench/compactions/") and (SHARED / each.file).exists()]
    if not sessions:
        print("relevance: SKIPPED, the recorded compactions aren't in ../shared")
        return
    found: dict[str, list[Pair]] = {lens: [] for lens in LENSES}
    for session in sessions[: 2 if smoke else None]:
        with opened(session) as timeline:
            for lens in LENSES:
                found[lens].append(_of_session(timeline, lens))
    for lens, pairs in found.items():
        low, high = _interval(pairs)
        print(
            f"  {lens}: {len(pairs)} sessions, {sum(all_ for _, all_ in pairs):,} tokens; unused {low:.1f}-{high:.1f} %"
        )
        yield Result(f"unused of {lens} within {TURNS} turns", _unused(pairs), "%", UNUSED_LIMIT)


def _of_session(timeline: Timeline, lens: str) -> Pair:
    used = given = 0
    for step in compactions(timeline):
        items = window_at(timeline, step, lens, BUDGET).items
        uses = Uses(timeline, timeline.head, TURNS, [(step, item.uri) for item in items])
        if uses.end(step) is None:
            continue
        given += sum(item.tokens for item in items)
        used += sum(item.tokens for item in items if uses.first(step, item.uri, out=False))
    return used, given


def _unused(pairs: list[Pair]) -> float:
    return 100 - 100 * sum(used for used, _ in pairs) / max(1, sum(given for _, given in pairs))


def _interval(pairs: list[Pair]) -> tuple[float, float]:
    rng = Random(SEED)
    drawn = sorted(_unused(rng.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    return drawn[DRAWS * 25 // 1_000], drawn[DRAWS * 975 // 1_000]
