"""How well the rules of a playbook cover the ten categories, and what a text is worth to someone who fills gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ccos_core.learn.categories import category_of
from ccos_core.learn.rule import CATEGORIES, Rule

CRITICAL, UNDERREPRESENTED, ADEQUATE, WELL_COVERED = TIERS = (
    "critical", "underrepresented", "adequate", "well-covered"
)  # fmt: skip
LEAST_RULES = {CRITICAL: 0, UNDERREPRESENTED: 1, ADEQUATE: 3, WELL_COVERED: 7}
"""Tier → rules of a category from which it has that tier."""
NEED = {CRITICAL: 3, UNDERREPRESENTED: 2, ADEQUATE: 1, WELL_COVERED: 0}
"""Tier → how much a text about that category is worth to someone who fills gaps."""


def category_in(rule: Rule) -> str:
    """Return the category a rule was given, else the one that its words name."""
    return rule.category or category_of(rule.content)


def rules_by_category(rules: Iterable[Rule]) -> dict[str, int]:
    """Return how many rules each of the ten categories has."""
    counted = Counter(category_in(each) for each in rules)
    return {category: counted[category] for category in CATEGORIES}


def tier_of(rules: int) -> str:
    """Return how well a number of rules covers a category."""
    return next(tier for tier in reversed(TIERS) if rules >= LEAST_RULES[tier])


def worth(hits: Mapping[str, int], tiers: Mapping[str, str]) -> int:
    """Return how much a text is worth that hits these categories, to someone who fills gaps."""
    return sum(min(size, 3) * NEED[tiers[category]] for category, size in hits.items())
