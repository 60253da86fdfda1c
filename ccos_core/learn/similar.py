"""Whether two rules say the same: the same words, or nearly the same words without contradicting each other.

A rule that is found again isn't remembered twice. It reinforces the one that is there, but only from a session that
hasn't borne it yet, and never a rule that was taken back: that one stays dead until a person remembers it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from ccos_core.intake.failures.arguments import words_of
from ccos_core.learn.conflict import conflict_of
from ccos_core.learn.directive import KNOWN_DIRECTIVES, read_directive
from ccos_core.learn.rule import LIVE, Rule
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.retrieval.english import EMPTY_WORDS
from ccos_core.text.retrieval.tokenize import stem
from ccos_core.values.canon import digest

EXACT, NEAR = "exact", "near"
THOUSAND = 1_000
NEAR_LEAST = 600
"""Least similarity of near duplicates, in thousandths, see `tests/core/learn/pairs_alike.txt`."""
PART_LEAST = 500
"""Least similarity of a rule to one of which it says a part, in thousandths."""
_NAME = re.compile(r"\S*[\d/_#@]\S*|\S+\.\S+|`[^`]+`")


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that says what is to be remembered already."""

    rule: Rule
    likeness: str
    """`exact` or `near`."""

    similarity: int
    """In thousandths."""

    reinforces: bool
    """Whether the session that says it again speaks for the rule."""


def content_hash(text: str) -> bytes:
    """Return what is equal for texts of the same words."""
    return digest(" ".join(normalised_words(text)).encode("utf-8", "surrogatepass"))


def similarity(one: str, other: str) -> int:
    """Return the Jaccard similarity of the words of two texts and of the pairs of words beside each other, in
    thousandths. The order within a pair doesn't count."""
    mine, theirs = _shingles(one), _shingles(other)
    fewer, more = sorted((len(mine), len(theirs)))
    if not more or fewer * THOUSAND < NEAR_LEAST * more:  # they can't be alike by size
        return 0
    return len(mine & theirs) * THOUSAND // len(mine | theirs)


def likeness_of(one: str, other: str) -> str:
    """Return how alike two rules are: `exact`, `near`, or empty."""
    if normalised_words(one) == normalised_words(other):
        return EXACT
    if similarity(one, other) < NEAR_LEAST or _names(one) != _names(other):
        return ""
    directions = {read_directive(each).negative for each in (one, other)}
    return NEAR if len(directions) == 1 and conflict_of(one, other) is None else ""


def takes_up(words: str, taken_back: str) -> bool:
    """Tell whether a text says a rule that was taken back, nearly the same, or a part of it."""
    if likeness_of(words, taken_back):
        return True
    return similarity(words, taken_back) >= PART_LEAST and _names(words) <= _names(taken_back)


def find_match(words: str, session: str, rules: Iterable[Rule]) -> Match | None:
    """Return the rule that says the same, an exact one before near ones, live ones first; None if there is none."""
    return max(_matches(words, session, rules), key=_order, default=None)


def _matches(words: str, session: str, rules: Iterable[Rule]) -> Iterator[Match]:
    for rule in rules:
        likeness = likeness_of(words, rule.content)
        if likeness:
            alike = THOUSAND if likeness == EXACT else similarity(words, rule.content)
            is_new = bool(session) and session not in rule.source_sessions
            yield Match(rule, likeness, alike, rule.standing == LIVE and is_new)


def _order(match: Match) -> tuple[bool, bool, int, str]:
    return match.likeness == EXACT, match.rule.standing == LIVE, match.similarity, match.rule.id


@lru_cache(KNOWN_DIRECTIVES)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    stems = [stem(word) for word in normalised_words(text) if word not in EMPTY_WORDS and word not in _FILLING]
    pairs = (tuple(sorted(pair)) for pair in pairwise(stems))
    return frozenset([*((each,) for each in stems), *pairs])


_FILLING = words_of("always please must should need needs never don t use do instead not every each all")
"""Words in which two wordings of one rule may differ; its direction is compared apart."""


def _names(text: str) -> frozenset[str]:
    """Return the numbers, paths and quoted names of a text."""
    return frozenset(each.strip("`.,:;()") for each in _NAME.findall(text.lower())) - {""}
