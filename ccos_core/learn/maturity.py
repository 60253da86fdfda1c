"""How far a rule is trusted: candidate, established, proven or deprecated, derived from its feedback at a moment.

A rule that harmed is deprecated from the event that crossed a threshold on, and time or later praise don't bring it
back: only a person who remembers it again does. Its own record of being retracted or superseded comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from ccos_core.learn.rule import HARMFUL, HELPFUL, IMPORT, LIVE, USER
from ccos_core.learn.score import Sums, Thresholds, counted, scored, sums

if TYPE_CHECKING:
    from ccos_core.learn.rule import Feedback, Rule

DEPRECATED, CANDIDATE, ESTABLISHED, PROVEN = "deprecated", "candidate", "established", "proven"
MATURITIES = (DEPRECATED, CANDIDATE, ESTABLISHED, PROVEN)
"""From the least trusted to the most."""
MULTIPLIERS = {DEPRECATED: 0, CANDIDATE: 500, ESTABLISHED: 1_000, PROVEN: 1_500}  # thousandths
STATES = {DEPRECATED: "retired", CANDIDATE: "draft", ESTABLISHED: "active", PROVEN: "active"}
"""Maturity → what is done with such a rule."""
USUAL = Thresholds()


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The event from which on a rule is deprecated by its feedback."""

    feedback: Feedback
    helpful: int
    """What spoke for the rule then, in thousandths, ..."""

    harmful: int
    """... and against it."""

    score: int

    def __str__(self) -> str:
        share = self.harmful * 100 // max(self.helpful + self.harmful, 1)
        return f"{share} % of its feedback was harmful, score {self.score / 1_000:+.3f}"


def maturity(rule: Rule, now: int, thresholds: Thresholds = USUAL) -> str:
    """Return how far a rule is trusted at a moment."""
    if rule.standing != LIVE or deprecation(rule, thresholds) is not None:
        return DEPRECATED
    return _trust(counted(rule), now, thresholds)


def effective_score(rule: Rule, now: int, thresholds: Thresholds = USUAL) -> int:
    """Return what a rule is worth at a moment, in thousandths."""
    found = sums(counted(rule), now, thresholds)
    return scored(found.raw(thresholds), MULTIPLIERS[maturity(rule, now, thresholds)])


def deprecation(rule: Rule, thresholds: Thresholds = USUAL) -> Deprecation | None:
    """Return the first event by which a rule's feedback deprecates it; None if none does, or it is pinned.

    Only a harmful event can. A rule that a person remembered is deprecated by what persons say, never by agents."""
    known = [each for each in counted(rule) if each.sign == HELPFUL or rule.author != USER or each.actor == USER]
    for number, each in enumerate(known):
        if each.sign != HARMFUL or rule.pinned:
            continue
        found = sums(known[: number + 1], each.at, thresholds)
        score = scored(found.raw(thresholds), MULTIPLIERS[CANDIDATE])
        is_mostly_harmful = found.is_harmful_over(thresholds.deprecated_ratio)
        if (is_mostly_harmful and found.harmful >= thresholds.deprecated_harmful) or (
            score < -thresholds.deprecated_score
        ):
            return Deprecation(each, found.helpful, found.harmful, score)
    return None


def promoted(rule: Rule, now: int, thresholds: Thresholds = USUAL) -> Feedback | None:
    """Return the last event that raised a rule's maturity, if that still holds; None if nothing raised it."""
    known = counted(rule)
    if maturity(rule, now, thresholds) in (DEPRECATED, CANDIDATE):
        return None
    last, before = None, CANDIDATE
    for each, until in zip(known, accumulate(([one] for one in known), list.__add__), strict=True):
        after = _trust(until, each.at, thresholds)
        if MATURITIES.index(after) > MATURITIES.index(before):
            last = each
        before = after
    return last


# ---- helpers ----


def _trust(feedback: tuple[Feedback, ...] | list[Feedback], now: int, thresholds: Thresholds) -> str:
    found: Sums = sums(feedback, now, thresholds)
    if found.helpful >= thresholds.proven and not found.is_harmful_over(thresholds.proven_ratio):
        return PROVEN
    is_imported = any(each.way == IMPORT and each.sign == HELPFUL for each in feedback)
    return ESTABLISHED if is_imported or found.helpful >= thresholds.established else CANDIDATE
