"""The sentences of a step's text, and on which of its lines each stands: what a reader can mark and watch.

They are split as `text/statements.py` splits statements, so that watching one watches what `statements` lists.

    sentences_of(["Use tabs. Never push", "to main."], speaks=True)
      →  [Sentence("Use tabs.", (0, 0), (0, 9)), Sentence("Never push\\nto main.", (0, 10), (1, 8))]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.statements import statements_of
from ccos_core.values.ids import WORDS_PREFIX

SPEAKING_ROLES = frozenset(("prompt", "text", "thinking", "note", "summary"))
"""Roles of parts that have sentences; others have lines."""
MOST_SPLIT = 200_000
"""Characters of a text that is split into sentences; of a longer one each line is a sentence."""
LONGEST_WATCHED = 600
"""Characters that are watched of a sentence, or of a block: its begin tells it apart."""

Spot = tuple[int, int]
"""(line, character in it), both from 0."""


class Sentence(NamedTuple):
    """One of them."""

    text: str
    begin: Spot
    end: Spot


def sentences_of(lines: Sequence[str]) -> list[Sentence]:
    """Return the sentences of a text, in order."""
    text = "\n".join(lines)
    if len(text) > MOST_SPLIT:
        return [Sentence(line, (at, 0), (at, len(line))) for at, line in enumerate(lines)]
    begins = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def spot(offset: int) -> Spot:
        line = bisect_right(begins, offset) - 1
        return line, offset - begins[line]

    found, behind = [], 0
    for each in statements_of(text):
        begin = text.find(each.text, behind)
        if begin >= 0:
            behind = begin + len(each.text)
            found.append(Sentence(each.text, spot(begin), spot(behind)))
    return found


def sentence_at(sentences: Sequence[Sentence], begin: Spot, end: Spot) -> int | None:
    """Return the number of the first sentence that begins between two spots; else of one that goes on there."""
    there = [at for at, each in enumerate(sentences) if each.begin < end and begin < each.end]
    return next((at for at in there if sentences[at].begin >= begin), there[0] if there else None)


def words_node(text: str) -> str | None:
    """Return the words of a text as the node that can be watched; None if there are no words in it."""
    words = watched_words(text)
    return WORDS_PREFIX + words if words else None


def watched_words(text: str) -> str:
    """Return the words of a sentence as they are watched: on one line; none if there are no words in it."""
    words = " ".join(text.split())
    if len(words) > LONGEST_WATCHED:
        words = words[:LONGEST_WATCHED].rpartition(" ")[0] or words[:LONGEST_WATCHED]
    return words if normalised_words(words) else ""
