"""Which words give an order, and what is left of them beside politeness: for prompts and instruction files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccos_core.query.instructions.words import VERBS, stem, stems
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.retrieval.english import EMPTY_WORDS

LONGEST_CLAUSE, LONGEST_ORDER = 140, 400
"""Characters of a clause of a prompt, and of a sentence of an instruction file."""
FEWEST_STEMS, MOST_STEMS = 3, 12
_POLITE = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no|hmm+|and|also|but|so|then|now|please|well|oh|great|cool|perfect|just|first)\b"
    r"[\s,.:!…-]*)*(?:(?:can|could|would|will) (?:you|we)(?: please| also| now)*\s+|let'?s (?:also |please )?"
    r"|i(?:'d| would) (?:like|prefer)(?: you| us)?(?: to)?\s+|make sure(?: that)?\s+)?",
    re.IGNORECASE,
)
_THANKS = re.compile(r"[\s,]+(?:please|thanks|thank you)$", re.IGNORECASE)
_CLAUSES = re.compile(r"\s+-+>?\s+|;\s+|,\s+(?:and |then |but )*(?=[a-z]+\b)|\s+and then\s+|\n+|:\s+(?=[a-z])")
_MODAL = re.compile(
    r"(?<!is )(?<!are )\b(?:always|never)(?! \w+ed\b)|\b(?:must(?: not)?|should(?: not|n't)?|do not|don't)\b"
    r"|(?:^|[,;:.] )(?:avoid|prefer|make sure|ensure|only (?:use|run|when))\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?:(?:before|when|after|if|while|for) [^,:]+, |[^:`]{1,40}: )", re.IGNORECASE)
_FORBIDDING = re.compile(r"\W*(?:do not|don'?t|never|avoid|no)\b", re.IGNORECASE)
FORBIDS = re.compile(r"\W*(?:do not|don'?t|never|avoid|forbidden|wrong|bad)\b[^.]{0,40}:\W*", re.IGNORECASE)
"""A line that forbids what the list below it says."""
_STANDING = re.compile(r"\b(?:always|never|must|do not|don't|avoid|prefer)\b", re.IGNORECASE)
_LOOKING = re.compile(
    r"(?:check|review|look|show|print|list|explain|read|think|update|fix|try|go|get|see)\b", re.IGNORECASE
)
"""Verbs of what is wanted once."""
_PASSING = re.compile(r"\b(?:now|here|there|this|these|that|it|(?:i|we|you) don't|don't (?:i|we|you))\b", re.IGNORECASE)
"""Words that point at the moment: what they are in holds for it."""
_DESCRIBING = re.compile(r"\b(?:never|always|only) [a-z]+s\b(?<!ss)|^(?:it|this|that|they|note)\b", re.IGNORECASE)
_STATING = re.compile(r"\w+(?: \w+)? (?:are|is|was|were|has|have|can|will)\b", re.IGNORECASE)
_STATED = re.compile(r"[A-Z]\w+ \w+(?: in [^:]+)?: ")
"""How a description begins that a colon ends: `Build tool: `, `Test case in x.go: `."""
_BENT = re.compile(r"(?:ing|ed|(?<!s)s|^go)$")
_IMPERATIVE = VERBS | stems(
    "check keep follow update register test verify reference handle write document fix ask read think review respond"
    " reply format lint build wrap return log validate configure consider"
)
_FILLERS = stems("please thanks thank also just really think one thing good look bit way")


def is_order(text: str) -> bool:
    """Tell whether a sentence of an instruction file says what to do or not to do."""
    text = " ".join(text.replace("**", "").split())
    words = normalised_words(text)
    is_open = text.endswith("?") or (text.endswith(":") and "instead of" not in text)
    if is_open or len(text) > LONGEST_ORDER or len(words) < FEWEST_STEMS or _is_title(text):
        return False
    if _MODAL.search(text) and not _DESCRIBING.search(text):
        return True
    labelled = "" if text.startswith("Note") else _LABEL.sub("", text)
    return (_begins_with_verb(text) and not _STATED.match(text)) or (labelled != text and _begins_with_verb(labelled))


def is_forbidding(text: str) -> bool:
    """Tell whether a sentence says itself that something is forbidden."""
    return bool(_FORBIDDING.match(text))


def _is_title(text: str) -> bool:
    words = [word for word in text.split() if word[:1].isalpha()]
    return not set(text) & set(".:`") and 2 * sum(word[0].isupper() for word in words) > len(words)


def clauses_of(text: str) -> Iterator[str]:
    """Yield the clauses of a sentence of the user that are short orders, without politeness."""
    for clause in _CLAUSES.split(text):
        asked = _POLITE.match(clause)
        bare = clause[asked.end() if asked else 0 :].strip(" .!,:)(")
        bare = _THANKS.sub("", bare)
        is_asking = clause.rstrip().endswith("?") and not (asked and asked[0].strip())
        if not is_asking and len(bare) <= LONGEST_CLAUSE and _is_worth_comparing(bare):
            yield bare


def content_stems(text: str) -> list[str]:
    """Return the stems of a sentence that say something, sorted."""
    words = (stem(word) for word in normalised_words(text) if word not in EMPTY_WORDS and len(word) > 1)
    return sorted({word for word in words if word not in _FILLERS and not word.isdigit()})


def _is_worth_comparing(clause: str) -> bool:
    is_ordering = (_begins_with_verb(clause) and not _LOOKING.match(clause)) or bool(_STANDING.search(clause))
    return is_ordering and not _PASSING.search(clause) and FEWEST_STEMS <= len(content_stems(clause)) <= MOST_STEMS


def _begins_with_verb(text: str) -> bool:
    word = re.match(r"[A-Za-z-]+(?=\s)", text)
    if word is None or _STATING.match(text):
        return False
    return not _BENT.search(word[0].lower()) and stem(word[0].lower()) in _IMPERATIVE
