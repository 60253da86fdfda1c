"""How likely a statement of a user still counts when the task it was said in is done.

No rule tells a standing instruction from a finished one (precision 0.18 at recall 0.42), so this only orders them: by
what a sentence says (always, never, should, instead), how it stands in its prompt, how often and how long ago it was
said. Questions, one-off requests ("can you check the PRs?"), go-aheads and what only introduces a paste are spent when
they are answered. Weights are whole numbers, chosen in `tests/bench/retelling.py` by leaving sessions out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Saying:
    """What the weight of a statement depends on."""

    text: str
    words: tuple[str, ...]
    times: int
    """Prompts that said it."""

    together: int
    """Statements of the prompt that said it last."""

    since: int
    """Prompts since then."""

    leads: bool
    """Whether its prompt begins with it."""

    channel: str
    pasted: bool


FEW_TOGETHER, MANY_TOGETHER = 6, 15
"""Statements of a prompt that was typed, and of one that was probably pasted."""
LONG_WORDS = 45
RECENT_PROMPTS = 3
GO_AHEAD_WORDS = 8
"""The most words of a statement that only lets the agent go on, such as "yeah let's do it"."""

_ALWAYS = re.compile(
    r"\b(?:always|every ?time|whenever|from now on|in general|generally|never|ever|make sure|ensure|remember"
    r"|going forward|by default|at all times|keep in mind|as a rule)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:don'?t|do not|doesn'?t need|never|no|not|without|avoid|stop|shouldn'?t|must ?n.t|can'?t|won'?t|only|just"
    r"|instead|rather|unless|except)\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b(?:should|must|need to|needs to|have to|has to|want|prefer|like to|would like|let'?s|please|use|keep|follow)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?[\"')\]]*\s*$")
_REQUEST = re.compile(r"\s*(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE)
_GOES_AHEAD = re.compile(
    r"\W*(?:(?:ok|okay|yes|yeah|yep|sure|nah|no|hmm+|cool|great|right|alright|then|and|but|so|wait)\b\W*)*"
    r"(?:let'?s|shall we|go on|go ahead|go for|do (?:it|that|this)|continue|proceed)\b(?! keep\b)",
    re.IGNORECASE,
)
_SPEAKS = re.compile(r"\b(?:I|I'[dm]|we|you|your|our|me|us|let'?s|lets|please)\b", re.IGNORECASE)
_NAMES = re.compile(r"\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\w_\w|\b\d+\b|\w\.\w+\(|/\w+/")
_MARKS = re.compile(r"[^\w\s.,;:'\"!?()/`-]")

WEIGHTS = {
    "always": 6,
    "not": 4,
    "should": 4,
    "asks": -16,
    "introduces": -16,
    "goes ahead": -24,
    "speaks": 3,
    "names": -3,
    "leads": 2,
    "typed": 3,
    "among many": -5,
    "marked up": -4,
    "long": -2,
    "short": -3,
    "again": 2,
    "recent": 3,
    "beside a prompt": 3,
    "remembered": 12,
    "pasted": -12,
}
BASE = 3


def traits_of(saying: Saying) -> tuple[str, ...]:
    """Return the names of the weights that count for a statement."""
    text, size = saying.text, len(saying.words)
    is_rule = _ALWAYS.search(text) is not None
    found = {
        "always": is_rule,
        "not": _NOT.search(text),
        "should": _SHOULD.search(text),
        "asks": not is_rule and (_ASKS.search(text) or _REQUEST.match(text)),
        "goes ahead": size <= GO_AHEAD_WORDS and not is_rule and not _NOT.search(text) and _GOES_AHEAD.match(text),
        "introduces": text.endswith(":"),
        "speaks": _SPEAKS.search(text),
        "names": _NAMES.search(text),
        "leads": saying.leads,
        "typed": saying.together <= FEW_TOGETHER,
        "among many": saying.together > MANY_TOGETHER,
        "marked up": 12 * len(_MARKS.findall(text)) > len(text),
        "long": size > LONG_WORDS,
        "short": size < 4,
        "again": saying.times > 1,
        "recent": saying.since < RECENT_PROMPTS,
        "beside a prompt": bool(saying.channel),
        "remembered": saying.channel == "remembered",
        "pasted": saying.pasted,
    }
    return tuple(name for name, is_so in found.items() if is_so)


def weight_of(saying: Saying) -> int:
    """Return how much a statement matters; 0 and less for what isn't worth telling again."""
    return BASE + sum(WEIGHTS[name] for name in traits_of(saying))
