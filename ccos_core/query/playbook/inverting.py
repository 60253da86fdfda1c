"""`invert`: put an anti-pattern in the place of a rule that was marked harmful. What spoke for and against it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Usage
from ccos_core.learn.inversion import inverted
from ccos_core.learn.rule import ANTI_PATTERN
from ccos_core.query.node_names import statement_named, statement_words
from ccos_core.query.playbook.playbook_rules import read_playbook
from ccos_core.query.question import Argument, Plan
from ccos_core.query.recorded import home_of, planned, writing
from ccos_core.query.remembered import LIVE, SUPERSEDED
from ccos_core.query.saying.utterance import USER, memo_id

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

INVERT = "invert"
"""How an anti-pattern relates to the rule that it supersedes."""


def invert(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, words: str) -> Plan:
    """Plan to remember what to avoid, and that it takes the place of a rule."""
    memo = statement_named(timeline, node, at, user)
    rule = read_playbook(timeline, at, user).rule(memo)
    if rule is None or rule.is_negative:
        what = "isn't a rule" if rule is None else "says already what to avoid"
        raise NotFound(what, place=memo, hint="Only a rule can be inverted.")
    home = home_of(timeline, user, memo)
    known = home.known(memo, actor)
    if (known.standing, known.how) == (SUPERSEDED, INVERT):
        return planned(home, [memo], (), SUPERSEDED, was=known.since, actor=actor)
    made = inverted(rule)
    if known.standing != LIVE:
        raise Usage(f"was {known.standing} at step {known.since:,}", place=memo, hint="`remember` makes it live again.")
    if not made.harmful:
        raise Usage("was never marked harmful", place=memo, hint=f"`feedback {memo} -` does.")
    new = memo_id(statement_words(made.words))
    remembered = {
        "kind": "remembered",
        "memo": new,
        "class": ANTI_PATTERN,
        "words": made.words,
        "scope": known.scope or "project",
        "about": list(known.about),
        "tags": list(made.tags),
        "reason": words or known.reason or None,
        "inferred": actor != USER or None,
    }
    where = {"host": known.host, "session": known.session} if known.session else {}
    superseded = {"kind": SUPERSEDED, "claim": memo, "by": new, "how": INVERT, "words": words or None}
    return planned(home, [memo, new], [remembered | where, superseded], SUPERSEDED, text=made.words, actor=actor)


QUESTIONS = {
    "invert": writing(
        invert,
        "invert memo:ae13bce2194772e7",
        (
            Argument("node", "name", "the rule's memo:ID, or its start", required=True),
            Argument("words", "text", "why", default=""),
        ),
        about="The anti-pattern says `AVOID:` and how often the rule was marked harmful. It begins as a candidate and "
        "has the sessions, the category and the tags of the rule; `rule` shows what it replaced.",
    ),
}
