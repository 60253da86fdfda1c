"""A harmful rule as an anti-pattern: what to avoid, and how often it was marked harmful.

inverted(rule).words   # "AVOID: Use global fixtures. Marked harmful 3 times"
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.learn.rule import ANTI_PATTERN, HARMFUL
from ccos_core.learn.score import counted

if TYPE_CHECKING:
    from ccos_core.learn.rule import Rule

INVERTED_TAGS = ("inverted", ANTI_PATTERN)
_BEGINNING = re.compile(r"^\W*(?:AVOID:\s*|(?:please|always)\s+)+", re.IGNORECASE)
_MARKED = re.compile(r"[.\s]*Marked harmful \d+ times?\W*$")


@dataclass(frozen=True, slots=True)
class Inverted:
    """The anti-pattern that takes a rule's place."""

    words: str
    tags: tuple[str, ...]
    """Those of the rule, and that it was inverted."""

    harmful: int
    """How often the rule was marked harmful, as far as that counts."""


def inverted(rule: Rule) -> Inverted:
    """Return the anti-pattern that a rule becomes."""
    harmful = sum(each.sign == HARMFUL for each in counted(rule))
    times = f"{harmful:,} time{'s' * (harmful != 1)}"
    words = f"AVOID: {bare_words(rule.content)}. Marked harmful {times}"
    return Inverted(words, tuple(dict.fromkeys((*rule.tags, *INVERTED_TAGS))), harmful)


def bare_words(content: str) -> str:
    """Return what a rule is about, without `AVOID:` and the count of an anti-pattern."""
    return _MARKED.sub("", _BEGINNING.sub("", content.strip())).rstrip(". ")


def meaning(rule: Rule) -> str:
    """Return a rule's words for comparing: those of an anti-pattern say what to avoid."""
    bare = bare_words(rule.content)
    is_said = re.match(r"\W*(?:never|don['’]?t|do not|avoid|no|not|stop)\b", bare, re.IGNORECASE)
    return f"Avoid {bare}" if rule.is_negative and not is_said else bare if rule.is_negative else rule.content
