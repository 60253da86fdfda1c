"""Whether two rules contradict each other: by words that they share, or by the value they choose for one subject.

    conflict_of("Prefer PostgreSQL", "Use SQLite")   # Conflict("value", "database", ("postgresql", "sqlite"), ...)

By shared words: one forbids what the other doesn't (`negation`), one says must and the other avoid (`opposite`), one
says always and the other unless (`scope`). Words that are shared by chance aren't enough, see `SAME_ACTION`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ccos_core.learn.directive import Directive, read_directive

NEGATION, OPPOSITE, SCOPE, VALUE = "negation", "opposite", "scope", "value"
THOUSAND = 1_000
OVERLAP_MARKED, OVERLAP_UNMARKED = 100, 200
"""Least overlap of the words of two rules with directive words, and without, in thousandths of their union."""
SAME_ACTION = 600
"""Least share, in thousandths, of the shorter rule's words that the other has: with the least overlap alone, rules
contradict each other that share one word."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """How two rules contradict each other."""

    kind: str
    """`negation`, `opposite`, `scope` or `value`."""

    subject: str
    """What both decide about, as in `database`; empty where shared words tell."""

    values: tuple[str, ...]
    """What each chooses for it, or the words they share."""

    overlap: int
    """Of their words, in thousandths."""


def conflict_of(one: str, other: str) -> Conflict | None:
    """Return how two rules contradict each other; None if they can both be followed."""
    first, second = read_directive(one), read_directive(other)
    shared = overlap(first, second)
    found = _by_value(first, second)
    if found is not None:
        return Conflict(*found, shared)
    kind = kind_by_words(first, second)
    if not kind or _share_of_shorter(first, second) < SAME_ACTION or _is_elsewhere(first, second, ""):
        return None
    return Conflict(kind, "", tuple(sorted(first.words & second.words)), shared)


def overlap(one: Directive, other: Directive) -> int:
    """Return the Jaccard similarity of the words of two rules, in thousandths."""
    union = len(one.words | other.words)
    return len(one.words & other.words) * THOUSAND // union if union else 0


def kind_by_words(one: Directive, other: Directive) -> str:
    """Return the kind of a conflict by overlap and directive words alone; empty if there is none."""
    least = OVERLAP_MARKED if one.has_marker and other.has_marker else OVERLAP_UNMARKED
    sizes = sorted((len(one.words), len(other.words)))
    if sizes[0] * THOUSAND < least * sizes[1] or overlap(one, other) < least:  # the first can't reach it by size
        return ""
    if one.negative != other.negative:
        return _against(one, other)
    if (one.excepted and other.always and not other.excepted) or (other.excepted and one.always and not one.excepted):
        return SCOPE
    return ""


def conflicts_among(texts: Sequence[str]) -> Iterator[tuple[int, int, Conflict]]:
    """Yield (place, later place, conflict) of all pairs that contradict each other, in order. Only pairs that share a
    word or a subject are compared."""
    directives = [read_directive(text) for text in texts]
    by_key: dict[str, list[int]] = {}
    for at, each in enumerate(directives):
        beside: set[int] = set()
        for key in (*each.words, *(f"? {subject}" for subject in each.chosen)):
            beside.update(by_key.setdefault(key, []))
            by_key[key].append(at)
        for earlier in sorted(beside):
            found = conflict_of(texts[earlier], texts[at])
            if found is not None:
                yield earlier, at, found


# ---- helpers ----


def _by_value(one: Directive, other: Directive) -> tuple[str, str, tuple[str, ...]] | None:
    """Return (kind, subject, values) where two rules choose what excludes each other, in the same place."""
    for subject in [each for each in one.chosen if each in other.chosen]:
        mine, theirs = one.chosen[subject], other.chosen[subject]
        used = (
            {value for value, wanted in mine.items() if wanted},
            {value for value, wanted in theirs.items() if wanted},
        )
        for value in sorted({*mine} & {*theirs}):
            if mine[value] != theirs[value] and not _is_elsewhere(one, other, subject):
                return _against(one, other), subject, (value,)
        if all(used) and not used[0] & used[1] and not _is_elsewhere(one, other, subject):
            return VALUE, subject, (min(used[0]), min(used[1]))
    return None


def _against(one: Directive, other: Directive) -> str:
    """Return how a rule that forbids contradicts another: `opposite` if that demands it outright."""
    return OPPOSITE if any(each.positive and not each.negative for each in (one, other)) else NEGATION


def _is_elsewhere(one: Directive, other: Directive, subject: str) -> bool:
    """Return whether each names where it holds, and these are different places."""
    mine, theirs = (each.scope - each.generic.get(subject, frozenset()) for each in (one, other))
    return bool(mine and theirs and not mine & theirs)


def _share_of_shorter(one: Directive, other: Directive) -> int:
    shorter = min(len(one.words), len(other.words))
    return len(one.words & other.words) * THOUSAND // shorter if shorter else 0
