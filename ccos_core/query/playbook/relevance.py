"""How much rules have to do with a task, by their words, in thousandths.

    index = RuleIndex(["Format before you commit.", "Never force-push main."])
    index.relevance("commit the fix")   # array([...]): one figure for each rule, 0 without a common word

A word counts the more, the fewer rules have it. The figure is the part of the rule's words that the task has, or of the
task's words that the rule has, whichever is more: a long issue can't cover a short question, and the reverse.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccos_core.text.retrieval.scores import STEP, rarity
from ccos_core.text.retrieval.shelf import Numbers
from ccos_core.text.retrieval.talk import said_terms

WHOLE = 1_000


class RuleIndex:
    """Rules by their words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.count = len(texts)
        rows: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            for term in dict.fromkeys(said_terms(text)):
                rows.setdefault(term, []).append(number)
        self._rows = {term: np.array(found, dtype=np.int64) for term, found in rows.items()}
        self._sums: Numbers = np.zeros(self.count, dtype=np.int64)
        for term, found in self._rows.items():
            self._sums[found] += self._weight(term)

    def relevance(self, task: str) -> Numbers:
        """Return the relevance of each rule to a task."""
        asked = dict.fromkeys(said_terms(task))
        common: Numbers = np.zeros(self.count, dtype=np.int64)
        for term in asked:
            if term in self._rows:
                common[self._rows[term]] += self._weight(term)
        most = np.minimum(self._sums, sum(map(self._weight, asked)))
        found: Numbers = common * WHOLE // np.maximum(most, 1)
        return found

    def _weight(self, term: str) -> int:
        return max(rarity(self.count, len(self._rows.get(term, ()))), STEP)
