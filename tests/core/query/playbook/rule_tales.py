"""Records with rules and their feedback, told op by op, an hour apart."""

from __future__ import annotations

from typing import Any

from ccos_core.query.saying.utterance import memo_id
from ccos_core.replay.timeline import Timeline
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

START, HOUR = 1_800_000_000_000, 3_600_000
MAIN = {"host": "claude-code", "session": "s"}


def memo_of(words: str) -> str:
    return memo_id(normalised_words(words))


class RuleTale:
    """One record."""

    def __init__(self) -> None:
        self.tale = Tale()

    @property
    def timeline(self) -> Timeline:
        return timeline_of(self.tale)

    @property
    def step(self) -> int:
        return len(self.tale.ops)

    def tell(self, **op: Any) -> RuleTale:
        """An op; texts are said as they are."""
        for name in ("words", "reason", "said", "note", "policy"):
            if isinstance(op.get(name), str) and not (name == "policy" and op["kind"] == "expired"):
                op[name] = self.tale.facts.keep(op[name])
        op.setdefault("at", START + self.step * HOUR)
        self.tale.tell(op)
        return self

    def rule(self, words: str, **more: Any) -> RuleTale:
        """An agent remembers a rule."""
        given = {"class": "rule", "scope": "project", "actor": "agent", **more}
        return self.tell(kind="remembered", memo=memo_of(words), words=words, **given)

    def rate(self, rule: str, sign: int = 1, **more: Any) -> RuleTale:
        """Someone says that a rule helped or harmed."""
        kind = "supported" if sign > 0 else "contradicted"
        given = {"weight": 1_000, "way": "explicit", "actor": "user", **more}
        return self.tell(kind=kind, claim=memo_of(rule), **given)
