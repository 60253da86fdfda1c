"""What a rule is, and the parts of a clause that all readers of rules share: its verbs, its objects, its condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ccos_core.query.instructions.terms import PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ASKING,
    BRIEFLY,
    CHANGING,
    CONDITION,
    GENERIC,
    LANGUAGE_ENDS,
    ON_FILES,
    USING,
    VERBS,
    stem,
    stems,
)

NEVER, INSTEAD, ONLY, ORDER, FLAGGED, BEGINS, VALUE, HOLDS = (
    "never", "instead", "only", "order", "flagged", "begins", "value", "holds"
)  # fmt: skip
FORBIDS, DEMANDS, LIMITS, PLACED, STYLED = "forbids", "demands", "limits", "placed", "styled"
"""The senses of `general`, for wordings that no other reader knows."""
GENERAL = frozenset((FORBIDS, DEMANDS, LIMITS, PLACED, STYLED))
ASKED, OPEN = "asked", "open"


class Rule(NamedTuple):
    """One thing that a statement forbids or demands."""

    sense: str
    """`never`: the objects are forbidden. `instead`: they are, and `better` is to be used. `only`: nothing but the
    objects. `order`: `better` comes before the objects. `flagged`: the objects only with `better`. `begins`: the
    objects' texts begin with `better`. `value`: the objects have the value `better`. `holds`: new files hold `better`.
    """
    verbs: frozenset[str]
    """Stems; empty where any use counts."""
    objects: tuple[tuple[Term, ...], ...]
    """Alternatives; of each all terms are meant."""
    better: tuple[Term, ...] = ()
    where: tuple[Term, ...] = ()
    """Paths and languages it is limited to."""
    excepted: tuple[Term, ...] = ()
    condition: str = ""
    """`asked`: it holds until the user allows it. `open`: it holds under a condition that no step shows."""
    briefly: bool = False
    """Whether it holds for the moment only."""


START = (
    r"(?:(?:please|and|but|or|so|then|also|just|ok|okay|now|again|however|absolutely|importantly|note|remember"
    r"|rule|one"
    r"|oh|no|yes|hey|hm+|from now on|going forward|in future|in general|important|reminder|you|we|warning|again"
    r"|as i said"
    r"|i said|i told you|like i said|as always|first|second|third|finally|still|kindly|strictly|really|reminder that"
    r"|that|to be clear|for the record)\b[\s,:!.-]*)*"
)
CUES = r"(?:never|always|don't|do not|dont|must(?:n't)?|only|use|prefer|avoid|stop|stick|keep|leave|make sure|no)\b"
USE_WORDS = (
    r"(?:use|using|prefer|favou?r|pick|choose|write|call|take|run|go with|stick (?:to|with)|work with|import"
    r"|log with|log"
    r" (?:through|via)|install (?:with|through|via|using)|add|return|indent with|format with|test with"
    r"|deploy (?:with|via)"
    r"|build with|manage \w+ with|target|store|do it with|always)"
)
GIT_VERBS = stems("commit push merge rebase tag release deploy publish")

# ---- objects ----


def cut(phrase: str) -> tuple[str, str]:
    """Split a phrase where a condition or a reason begins: (what is said, the rest)."""
    found = CONDITION.search(phrase)
    return (phrase[: found.start()], phrase[found.start() :]) if found else (phrase, "")


def condition_of(rest: str) -> tuple[str, tuple[Term, ...]]:
    """Return (the condition, what is excepted)."""
    if not rest:
        return "", ()
    if re.match(r"\W*(?:except|but for|other than|apart from|besides|aside from)\b", rest, re.IGNORECASE):
        return "", tuple(content_of(terms_of(rest))[1:])
    if re.match(r"\W*(?:because|since|so |as |which|who|where|even|given|[—–:;(-])", rest, re.IGNORECASE):
        return "", ()
    return (ASKED if ASKING.search(rest) else OPEN), ()


def alternatives(terms: Sequence[Term]) -> tuple[tuple[Term, ...], ...]:
    """Split terms at commas, `or` and `and`; each part that says something is one."""
    parts: list[list[Term]] = [[]]
    for term in terms:
        if term.kind == WORD and term.text.lower() in (",", "or", "and", "nor", "&", "/"):
            parts.append([])
        else:
            parts[-1].append(term)
    return tuple(tuple(found) for part in parts if (found := content_of(part)))


USE = frozenset(["us"])
_DOING = [
    "install",
    "run",
    "build",
    "test",
    "format",
    "manage",
    "store",
    "keep",
    "represent",
    "indent",
    "log",
    "search",
    "write",
    "make",
    "create",
    "fetch",
    "parse",
]


_EVERYWHERE = re.compile(
    r"\s+in\s+(?:the |our |any |all |your |committed |checked-in |shipped )*(?:code|codebase|sources?|repo"
    r"|repository)\b",
    re.IGNORECASE,
)


def where_of(phrase: str) -> tuple[str, tuple[Term, ...]]:
    """Take "in src/", "in Python files", "in tests" off a phrase: (the rest, where)."""
    phrase = _EVERYWHERE.sub("", phrase)
    names = "|".join(LANGUAGE_ENDS)
    place = re.compile(
        rf"\s*\b(?:in|inside|within|under|below|beneath|for)\s+(?:the |our |any |all |every )?(?P<place>"
        rf"(?:{names})(?= (?:files?|code|modules?|scripts?|sources?)\b|$)|tests?\b|test (?:files|code)"
        rf"|commit messages?"
        rf"|production code|`?[\w.*-]*/[\w./*-]*`?|`?[\w*-]+\.[a-z]{{1,4}}`?(?: files?)?)(?: (?:files?|code|modules?"
        rf"|scripts?|sources?|folder|directory))?",
        re.IGNORECASE,
    )
    found = place.search(phrase)
    if found is None:
        return phrase, ()
    return phrase[: found.start()] + phrase[found.end() :], tuple(terms_of(found["place"]))[:1]


def verbs_of(phrase: str) -> tuple[frozenset[str], str]:
    """Take the verbs off the beginning of a phrase: `edit or delete anything in x/` → ({edit, delet}, the rest)."""
    phrase = re.sub(
        r"^\W*(?:(?:ever|again|directly|please|you|to|be|even|just|simply|try to|attempt to)\s+)*", "", phrase
    )
    first = re.match(r"[a-zA-Z][\w-]*(?=[\s,.!]|$)", phrase)
    if first is None:
        return frozenset(), phrase
    verbs, rest = [stem(first[0])], phrase[first.end() :]
    while (
        more := re.match(r"(?:\s*,\s*|\s+(?:or|and|nor)\s+|\s*/\s*|,\s*(?:or|and)\s+)([a-zA-Z][\w-]*)", rest)
    ) and stem(more[1]) in VERBS:
        verbs.append(stem(more[1]))
        rest = rest[more.end() :]
    return frozenset(verbs), rest


_LIKE = re.compile(r"\b(?:like|such as|including|e\.g\.|for example|for instance)[,:]?\s", re.IGNORECASE)
_THAT = re.compile(r"\s+(?:in|on|of|from|for|at)\s+(?:this|that|these|those|our|your|my)\s+[\w ]+$", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*(?:this|that|it|these|those|them)\b\W*(?:in|up|yet|now|$)", re.IGNORECASE)
PURPOSE = re.compile(rf"\s+for\s+(?!example\b)|,?\s+to\s+(?=(?:{'|'.join(sorted(_DOING))})\b)", re.IGNORECASE)


_WHEN = re.compile(r"\W*(?:when|whenever|while|if)\s+(?:you(?:'re| are)? )?(\w+)", re.IGNORECASE)


def forbid(phrase: str, verbs: frozenset[str] | None = None, sense: str = NEVER) -> Iterator[Rule]:
    """A rule that forbids what a phrase says."""
    said, rest = cut(phrase)
    condition, excepted = condition_of(rest)
    found, said = verbs_of(said) if verbs is None else (verbs, said)
    if _PRONOUN.match(said):
        return
    said = _THAT.sub("", said)
    if said.lstrip().startswith(","):
        said = ""
    elif (
        not re.search(r"\b(?:or|and|nor)\b", said)
        and "," in said
        and any(term.kind == WORD and term.text != "," for term in terms_of(said.partition(",")[2]))
    ):
        said = said.partition(",")[0]  # what follows says why, or what else to do
    if (like := _LIKE.search(said)) and "pip" not in found:
        said = said[like.end() :]
    if found & USING or not found & VERBS:
        said = PURPOSE.split(said)[0]
    outside = re.search(r"\b(?:outside(?: of)?|except|other than|but)\s+(?P<place>.+)", said, re.IGNORECASE)
    if outside and found & CHANGING:
        objects = alternatives([term for term in terms_of(outside["place"]) if term.kind == PATH or term.text == ","])
        yield Rule(ONLY, found, objects, condition=condition)
        return
    where: tuple[Term, ...] = ()
    if not found & ON_FILES or found & USING:
        said, where = where_of(said)
    objects = alternatives(terms_of(said))
    if condition == OPEN and (when := _WHEN.match(rest)) and stem(when[1]) in GIT_VERBS:
        condition, objects = "", tuple((*each, Term(WORD, when[1])) for each in objects)
    if not objects and where:
        objects, where = (where,), ()
    if not objects and found - GENERIC:
        objects = ((),)
    briefly = BRIEFLY.search(phrase) is not None
    yield Rule(sense, found, objects, where=where, excepted=excepted, condition=condition, briefly=briefly)
