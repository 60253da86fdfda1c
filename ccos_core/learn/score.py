"""What a rule is worth at a moment, in thousandths: (helpful - 4 * harmful) * multiplier of its maturity.

    effective_score(rule, now)   # 500: one helpful mark of today on a candidate

Each piece of feedback loses half of its weight in a half-life. All is integers, and `now` is an argument, so the same
record gives the same score on every machine. One more helpful mark never lowers a score, one more harmful one never
raises it: that is why a negative sum is halved at any maturity instead of being multiplied by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import isqrt
from typing import TYPE_CHECKING

from ccos_core.learn.rule import EXPLICIT, HELPFUL, IMPORT, INLINE, MOST_WEIGHT, OUTCOME, TEST

if TYPE_CHECKING:
    from ccos_core.learn.rule import Feedback, Rule

ONE = 1_000
DAY = 86_400_000  # milliseconds
PARTS_BITS, SCALE_BITS = 6, 20
"""A half-life is split into 64 parts; a factor is told in 2**-20."""
PARTS = 1 << PARTS_BITS
PREFIX = "rule_"
"""Thresholds of rules are called so in the policy: `rule_half_life`, `rule_proven`, ..."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The figures by which rules are scored. The policy (`govern set`) may give each another value."""

    half_life: int = 90 * DAY
    """Milliseconds in which feedback loses half of its weight; 0 if it keeps it."""

    harmful_factor: int = 4
    """One harmful mark outweighs this many helpful ones."""

    established: int = 2_000
    """Helpful feedback, in thousandths, from which on a rule is established."""

    proven: int = 6_000
    """The same for a proven one, ..."""

    proven_ratio: int = 100
    """... of whose feedback no more than this, in thousandths, may be harmful."""

    deprecated_ratio: int = 300
    """A rule is deprecated if more than this of its feedback, in thousandths, is harmful, ..."""

    deprecated_harmful: int = 1_500
    """... and there is this much harmful feedback, in thousandths; ..."""

    deprecated_score: int = 3_000
    """... or if its score is this far below zero."""


def thresholds_of(governed: Mapping[str, int]) -> Thresholds:
    """Return the thresholds that a policy gives, by their names there."""
    given = {each.name: governed[PREFIX + each.name] for each in fields(Thresholds) if PREFIX + each.name in governed}
    return Thresholds(**given)


@dataclass(frozen=True, slots=True)
class Sums:
    """What speaks for and against a rule, decayed, in thousandths."""

    helpful: int
    harmful: int

    def raw(self, thresholds: Thresholds) -> int:
        """Return the score before the multiplier."""
        return self.helpful - thresholds.harmful_factor * self.harmful

    def is_harmful_over(self, ratio: int) -> bool:
        """Tell whether more than `ratio` thousandths of it are harmful."""
        return self.harmful * ONE > ratio * (self.helpful + self.harmful)


def decayed(weight: int, age: int, half_life: int) -> int:
    """Return a weight after `age` milliseconds; what lies in the future has age 0."""
    if age <= 0 or not half_life:
        return weight
    halvings, rest = divmod(age, half_life)
    part, between = divmod(rest * PARTS, half_life)
    factor = (FACTORS[part] * (half_life - between) + FACTORS[part + 1] * between) // half_life
    return weight * factor >> min(halvings + SCALE_BITS, 1_000)


def counted(rule: Rule) -> tuple[Feedback, ...]:
    """Return the feedback that counts, in the order of time: once for each session and cause.

    Of what one actor said of a session the last counts, and what was said explicitly before a mark. How a session
    ended, by its tests or else, counts once, and not for a rule that was rated or marked there. What was harmful before
    a person confirmed the rule doesn't count."""
    ordered = sorted(rule.feedback, key=lambda each: (each.at, each.for_user, each.step))
    rated = {each.session for each in ordered if each.way in (EXPLICIT, INLINE)}
    kept: dict[tuple[str, ...], Feedback] = {}
    for each in ordered:
        if each.way in (TEST, OUTCOME) and each.session in rated:
            continue
        key = _cause(each)
        known = kept.pop(key, None)
        kept[key] = known if known is not None and known.way == EXPLICIT != each.way else each
    found = sorted(kept.values(), key=lambda each: (each.at, each.for_user, each.step))
    return tuple(each for each in found if each.sign == HELPFUL or each.at >= rule.confirmed_at)


def sums(feedback: Iterable[Feedback], now: int, thresholds: Thresholds) -> Sums:
    """Return what speaks for and against a rule at a moment."""
    found = [0, 0]
    for each in feedback:
        weight = min(max(each.weight, 0), MOST_WEIGHT.get(each.way, ONE))
        found[each.sign != HELPFUL] += decayed(weight, now - each.at if each.at else 0, thresholds.half_life)
    return Sums(*found)


def scored(raw: int, multiplier: int) -> int:
    """Return a score from the sum and the multiplier in thousandths."""
    return raw * multiplier // ONE if raw >= 0 else raw // 2


# ---- helpers ----


def _root(number: int) -> int:
    """Return the 64th root, rounded down."""
    for _ in range(PARTS_BITS):
        number = isqrt(number)
    return number


FACTORS = tuple(_root(1 << (SCALE_BITS * PARTS - part)) for part in range(PARTS + 1))
"""How much is left after a part of a half-life: 2**(20 - part/64), rounded down."""


def _cause(each: Feedback) -> tuple[str, ...]:
    """Return what is equal for feedback of the same cause."""
    if each.way == IMPORT:
        return each.session, each.way, each.cause
    if each.way in (TEST, OUTCOME):
        return each.session, OUTCOME
    where = each.session or f"{each.for_user} {each.step}"
    return where, EXPLICIT, each.actor
