"""What sort of statement a sentence of the user is, where its form leaves little doubt: by tables, one a language.

Precision comes before recall: a wrong sort is worse than none, and a statement without one is kept like any other. A
sort counts only where its table was measured to be right in at least 85 of 100 cases, on hand labels, in
sessions that no rule was written for (`HOLDS`); the others are here to be measured again, and give nothing.

    sort_of("Never push to main without asking me.")  →  "preference", once English preferences hold
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

SORTS = ("correction", "decision", "preference", "todo", "failed-attempt", "fact")
"""In the order of precedence where two fit."""
LONGEST_CHARACTERS = 400
"""A longer sentence describes something."""

_POLITE = r"^(?:(?:ok(?:ay)?|yes|yeah|yep|hmm+|and|also|but|so|please|well|oh|great|perfect)\b[\s,.:!…-]*)*"

ENGLISH: Mapping[str, tuple[str, ...]] = {
    "correction": (
        r"^no+(?:[,.!]+ | (?=(?:we|i|it|the|you|don'?t|revert|that|this)\b))",
        r"^(?:that'?s|this is|it'?s) (?:wrong|not (?:right|what|true|correct|how))\b",
        r"\bi (?:would|wouldn't|would not|'d) have (?:expected|thought)\b",
        r"\bi (?:wouldn't|would not) expect\b",
        r"\b(?:isn't|is not|aren't|are not|wasn't|weren't) (?:really|actually|quite)\b",
        r"\bi (?:said|told you|already said|asked for|meant|didn't ask|never asked)\b",
        r"\bis meant to be\b",
        r"\bshould (?:go|start|be|stay|have|use|show)\b.*(?:,? not | instead of | (?:as|the other) (?:well|way)\b)",
        r"^(?:why (?:are|did) you|you (?:forgot|missed|broke|removed|deleted|misunderst))\b",
    ),
    "decision": (
        _POLITE + r"(?:i think )?let'?s (?:go (?:with|for)|stick (?:with|to)|keep|limit|not|just)\b",
        _POLITE + r"let'?s (?:do [\dA-Z]\b|roll back|have)",
        _POLITE + r"i'?d (?:go|like (?:it|us|to) )",
        _POLITE + r"make the .* the only\b",
        _POLITE + r"we'?(?:ll| will| should) (?:go with|keep|use|drop|stick)\b",
        _POLITE + r"(?:skip|drop|leave out) [\d`]",
        r"\bwe don'?t need .* any ?more\b",
    ),
    "preference": (
        _POLITE + r"(?:always|never)\s+\w+",
        r"\b(?:from now on|going forward|in (?:the )?future(?=[,.:!]|$)|every time you|whenever you)\b",
        r"\b(?:i|we|i'd|we'd)(?: would)?(?: always| personally| really| generally| usually)? prefer\b",
        _POLITE + r"prefer\b",
        _POLITE + r"(?:do not|don'?t) (?:ever|commit|push|amend|rebase|use emojis|add comments)\b",
        r"\b(?:american|british|uk|us|australian|aus)(?:/\w+)? (?:english|spelling)\b",
    ),
    "todo": (
        r"\b(?:to-?do|investigate|follow-?up|back-?log) list\b",
        _POLITE + r"(?:don'?t forget|remember|remind me) to\b",
        _POLITE + r"todo\b",
        r"\b(?:as|in|for) a (?:follow-?up|later|subsequent|future) (?:pr|issue|ticket|session)\b",
        r"\b(?:come|get|circle) back to (?:this|that|it) later\b",
    ),
    "failed-attempt": (
        r"^undo (?:the|that|your|this)\b",
        r"\b(?:did|do|does|is|still)(?:n'?t| not)(?: seem to be| really)? work(?:ing|ed)?\b",
        r"^nothing happens\b",
        r"\bstill (?:fails?|failing|broken|crashes|getting|seeing|doesn'?t|does not|isn'?t|not)\b",
        r"\b(?:logs?|tests?|builds?) (?:are|is) still\b",
    ),
    "fact": (
        r"^(?:fyi|for your information|just so you know|for context|note that|for reference)\b",
        r"\bmy \w+(?: \w+)? (?:is|are) (?!not|that|wrong|still)\S+$",
    ),
}

TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {"english": ENGLISH}
"""Language → sort → forms. The words of a form are of its language, so that a table fits no other."""
HOLDS: Mapping[str, frozenset[str]] = {"english": frozenset()}
"""Language → the sorts that hold."""

_FORMS = {
    (language, sort): tuple(re.compile(form, re.IGNORECASE) for form in forms)
    for language, table in TABLES.items()
    for sort, forms in table.items()
}


def sort_of(text: str, holds: Mapping[str, Collection[str]] = HOLDS) -> str:
    """Return the sort of a sentence; empty where none is certain. Questions have none."""
    text = " ".join(text[: LONGEST_CHARACTERS + 1].split()).replace("’", "'").strip("*_ ")
    if len(text) > LONGEST_CHARACTERS or text.endswith("?"):
        return ""
    for language, sorts in holds.items():
        for sort in SORTS:
            if sort in sorts and any(form.search(text) for form in _FORMS.get((language, sort), ())):
                return sort
    return ""
