"""Reductions: fewer rows where a query finds too many, and always a report of what was left out.

    strategy = strategy_of({"type": "sampling", "size": 50, "method": "random"})
    reduced = reduce(entries, strategy, now=…, seed="head query")
    reduced.rows, reduced.dropped     # every entry is in one of them, or a member of a row

Scores are integers. What looks random is drawn by the hash of a seed and an id, so the same question has the same
answer. Rows keep the order in which the entries came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import Usage
from ccos_core.memory.boundaries import FULL, positive, thousandths
from ccos_core.memory.entry import Entry
from ccos_core.memory.impact import impact_of
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.canon import digest

NONE, SUMMARIZATION, SAMPLING, PRIORITIZATION = "none", "summarization", "sampling", "prioritization"
STRATEGIES = (NONE, SUMMARIZATION, SAMPLING, PRIORITIZATION)
RECENT, RANDOM, WEIGHTED = "recent", "random", "weighted"
RECENCY, IMPACT, RELEVANCE = "recency", "impact", "relevance"
METHODS, SCORINGS = (RECENT, RANDOM, WEIGHTED), (RECENCY, IMPACT, RELEVANCE)
MOST_ENTRIES = 10_000
"""Entries above which a query is reduced unasked."""
HALF_LIFE_MILLIS = 7 * 86_400_000
RECENCY_SCALE = 1_000_000
_SIXTEENTHS = (1000, 958, 917, 878, 841, 805, 771, 738, 707, 677, 648, 621, 595, 569, 545, 522)
"""2 ** (-n / 16), in thousandths."""
LOOKED_BACK = 64  # groups of a kind that an entry is compared with, the last ones
DEFAULT_SIMILARITY = 500  # thousandths


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to reduce."""

    name: str = NONE
    most: int = 0
    """Rows to keep; of a summarization the entries that it takes in. 0 for no limit."""

    method: str = RECENT
    """Of a sampling."""

    scoring: tuple[str, ...] = (RECENCY,)
    """Of a prioritization: one score, or the sum of several."""

    similarity: int = DEFAULT_SIMILARITY
    """Of a summarization: the share of words that like entries have in common, in thousandths."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry, or several alike."""

    entry: Entry
    """The entry; of several the last."""

    count: int = 1
    members: tuple[str, ...] = ()
    """The ids of several, as they came; a query for `id=...` finds each."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """What is left, and a report."""

    strategy: str
    trigger: str
    """Why it was reduced: `asked`, `count` (more than 10,000 entries), `limit`; empty if it wasn't."""

    entries_in: int
    rows_out: int
    rows: tuple[Row, ...]
    dropped: tuple[str, ...]
    """The ids that are in no row."""


def reduce(
    entries: Sequence[Entry],
    strategy: Strategy,
    *,
    now: int,
    seed: str = "",
    relevance: Mapping[str, int] | None = None,
    limit: int = 0,
    most_entries: int = MOST_ENTRIES,
) -> Reduced:
    """Reduce entries as asked; unasked only if there are more than `most_entries`, or than `limit`. `relevance` has the
    score of each id. Raises `Usage` if the strategy needs it and there is none."""
    trigger = "asked" if strategy.name != NONE else ""
    if strategy.name == NONE and (len(entries) > most_entries or 0 < limit < len(entries)):
        trigger = "limit" if 0 < limit < len(entries) else "count"
        strategy = Strategy(PRIORITIZATION, limit or most_entries, scoring=(RECENCY,))
    rows = _REDUCERS[strategy.name](entries, strategy, now, seed, relevance)
    if 0 < limit < len(rows):
        rows = rows[:limit]
        trigger = trigger or "limit"
    kept = {id_ for row in rows for id_ in (row.members or (row.entry.id,))}
    dropped = tuple(entry.id for entry in entries if entry.id not in kept)
    return Reduced(strategy.name, trigger, len(entries), len(rows), tuple(rows), dropped)


def strategy_of(said: Any) -> Strategy:
    """Read a strategy from JSON, by our names or those of the specification; or from its name. Raises `Usage`."""
    if said is None:
        return Strategy()
    given = {"type": said} if isinstance(said, str) else said
    if not isinstance(given, dict):
        raise Usage("should be an object or a name", place="reduction", hint="One of: " + "  ".join(STRATEGIES))
    given = {str(key).removeprefix(":").replace("-", "_"): value for key, value in given.items()}
    name = str(given.pop("type", given.pop("strategy", ""))).removeprefix(":")
    if name not in STRATEGIES:
        raise Usage("isn't a reduction", place=name[:40], hint="One of: " + "  ".join(STRATEGIES))
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in _FIELDS[name]:
            raise Usage(f"{name} has no such field", place=key[:40], hint="One of: " + "  ".join(_FIELDS[name]))
        field, read = _FIELDS[name][key]
        found[field] = read(key, value)
    if name in (SAMPLING, PRIORITIZATION) and not found.get("most"):
        raise Usage("needs how many rows to keep", place=name, hint=next(iter(_FIELDS[name])))
    return Strategy(name, **found)


def scores(
    entries: Sequence[Entry], scoring: Sequence[str], now: int, relevance: Mapping[str, int] | None
) -> dict[str, int]:
    """Return the score of each entry, at most a million for each kind of scoring. Raises `Usage`."""
    if RELEVANCE in scoring and relevance is None:
        raise Usage("needs a text to be relevant to", place=RELEVANCE, hint="Add a text to the query.")
    best = max((relevance or {}).values(), default=0)
    found = dict.fromkeys((entry.id for entry in entries), 0)
    for entry in entries:
        for kind in scoring:
            if kind == RECENCY:
                found[entry.id] += recency(now - entry.last_at) if entry.last_at else 0
            elif kind == IMPACT:
                found[entry.id] += impact_of(entry) * (RECENCY_SCALE // FULL)
            elif best:
                found[entry.id] += RECENCY_SCALE * (relevance or {}).get(entry.id, 0) // best
    return found


def recency(age: int, half_life: int = HALF_LIFE_MILLIS) -> int:
    """Return a million halved once per half-life of an age in milliseconds; what is to come counts as now."""
    halves, rest = divmod(max(age, 0) * len(_SIXTEENTHS) // half_life, len(_SIXTEENTHS))
    return (RECENCY_SCALE * _SIXTEENTHS[rest] // FULL) >> min(halves, 64)


# ---- strategies ----


def _none(entries: Sequence[Entry], *_: Any) -> list[Row]:
    return [Row(entry) for entry in entries]


def _summarize(entries: Sequence[Entry], strategy: Strategy, *_: Any) -> list[Row]:
    """Join entries of one intent and class that have enough words in common with the first of their group."""
    groups: dict[tuple[str, str], list[tuple[frozenset[str], list[Entry]]]] = {}
    order: list[list[Entry]] = []
    for entry in entries[: strategy.most or None]:
        words = frozenset(normalised_words(f"{entry.title} {entry.words}"))
        known = groups.setdefault((entry.intent, entry.cls), [])
        like = next((each for each in known[-LOOKED_BACK:] if is_like(each[0], words, strategy.similarity)), None)
        if like is None:
            order.append([entry])
            known.append((words, order[-1]))
        else:
            like[1].append(entry)
    rows = []
    for members in order:
        last = max(members, key=lambda each: (each.last, each.id))
        ids = tuple(each.id for each in members)
        rows.append(Row(last, sum(each.count for each in members), ids if len(ids) > 1 else ()))
    return rows


def is_like(one: frozenset[str], other: frozenset[str], similarity: int) -> bool:
    """Tell whether two sets of words have this share (in thousandths) of them in common."""
    return len(one & other) * FULL >= similarity * len(one | other)


def _sample(
    entries: Sequence[Entry], strategy: Strategy, now: int, seed: str, relevance: Mapping[str, int] | None
) -> list[Row]:
    if strategy.method == RECENT:
        chosen = sorted(entries, key=lambda each: (-each.last, each.id))[: strategy.most]
    elif strategy.method == RANDOM:
        chosen = sorted(entries, key=lambda each: _drawn(seed, each))[: strategy.most]
    else:
        chosen = _weighted(entries, strategy.most, now, seed)
    return _in_order(entries, {each.id for each in chosen})


def _weighted(entries: Sequence[Entry], most: int, now: int, seed: str) -> list[Entry]:
    """Choose by weight: go through the entries in a random order, and take each at which the sum of weights passes a
    multiple of an equal share. What is left to choose goes to the heaviest."""
    weights = {key: each // FULL + 1 for key, each in scores(entries, (RECENCY, IMPACT), now, None).items()}
    shuffled = sorted(entries, key=lambda each: _drawn(seed, each))
    total, passed = sum(weights.values()), 0
    chosen = []
    for entry in shuffled:
        before, passed = passed, passed + weights[entry.id]
        if passed * most // total > before * most // total:
            chosen.append(entry)
    left = sorted(set(weights) - {each.id for each in chosen}, key=lambda key: (-weights[key], key))
    fill = set(left[: max(most - len(chosen), 0)])
    return chosen + [each for each in entries if each.id in fill]


def _prioritize(
    entries: Sequence[Entry], strategy: Strategy, now: int, seed: str, relevance: Mapping[str, int] | None
) -> list[Row]:
    """Keep the entries with the highest scores, the best first; of equal ones the latest."""
    found = scores(entries, strategy.scoring, now, relevance)
    best = sorted(entries, key=lambda each: (-found[each.id], -each.last, each.id))
    return [Row(entry) for entry in best[: strategy.most]]


_REDUCERS: Mapping[str, Callable[..., list[Row]]] = {
    NONE: _none,
    SUMMARIZATION: _summarize,
    SAMPLING: _sample,
    PRIORITIZATION: _prioritize,
}


# ---- helpers ----


def _drawn(seed: str, entry: Entry) -> bytes:
    return digest(f"{seed}\0{entry.id}".encode())


def _in_order(entries: Sequence[Entry], kept: set[str]) -> list[Row]:
    return [Row(entry) for entry in entries if entry.id in kept]


def _method(name: str, said: Any) -> str:
    method = str(said).removeprefix(":")
    if method not in METHODS:
        raise Usage("isn't a way to sample", place=method[:40], hint="One of: " + "  ".join(METHODS))
    return method


def _scoring(name: str, said: Any) -> tuple[str, ...]:
    found = tuple(str(each).removeprefix(":") for each in (said if isinstance(said, list) else [said]))
    if not found or any(each not in SCORINGS for each in found):
        raise Usage("isn't a score", place=str(said)[:40], hint="One of: " + "  ".join(SCORINGS))
    return found


def _share(name: str, said: Any) -> int:
    return thousandths(said)


_FIELDS: Mapping[str, Mapping[str, tuple[str, Callable[[str, Any], Any]]]] = {
    NONE: {},
    SUMMARIZATION: {"max_length": ("most", positive), "similarity_threshold": ("similarity", _share)},
    SAMPLING: {"size": ("most", positive), "sample_size": ("most", positive), "method": ("method", _method)},
    PRIORITIZATION: {
        "max_count": ("most", positive),
        "scoring": ("scoring", _scoring),
        "scoring_function": ("scoring", _scoring),
    },
}
