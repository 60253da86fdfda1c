"""The slots of a phrase: which acts it names, which things, and where it holds.

slots("edit or delete anything in fixtures/")    # Slots({edit, delet}, ((fixtures/),), ())
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ccos_core.query.instructions.concepts import LINES, LONGEST_PHRASE, PATHS, PHRASES, RUNS, is_known, key_of, looks
from ccos_core.query.instructions.grammar import pattern
from ccos_core.query.instructions.rule import ASKED, OPEN
from ccos_core.query.instructions.terms import NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ADDING,
    ASKING,
    CONDITION,
    GENERIC,
    HEADS,
    INSTALLING,
    LANGUAGE_ENDS,
    MARKS,
    NOISE,
    ON_FILES,
    PLACES,
    READING,
    REMOVING,
    RUNNING,
    STOP,
    USING,
    VERBS,
)

NEGATED = pattern("negated")
MOST_TERMS = 5
"""Words a thing may have: those of a longer one aren't all found in one deed."""
ACTS = ON_FILES | READING | REMOVING | RUNNING | INSTALLING
"""Verbs that say what is done, and aren't seen themselves."""


class Slots(NamedTuple):
    """What a phrase says."""

    verbs: frozenset[str]
    groups: tuple[tuple[Term, ...], ...]
    where: tuple[Term, ...]
    excepted: tuple[Term, ...] = ()


_OUTSIDE = re.compile(r"\b(?:outside(?: of)?|except(?: for)?(?: in| for)?|other than|apart from|besides|aside from"
                      r"|but not in|anywhere but(?: in)?)\s+(?P<what>.+)", re.IGNORECASE)  # fmt: skip
_PURPOSE = re.compile(
    r"\s+(?:for(?! each\b| every\b)|in my name|on my machine|in order to|to (?:get|make|fix|save|keep|avoid|check"
    r"|find|see)|at it|so that|so we|this week|any ?more|for now|just because|as a|via|on behalf)\b.*",
    re.IGNORECASE,
)
_WHERE = re.compile(
    r"\b(?:in|inside|within|under|below|beneath|from|into|across|throughout|for|of)\s+(?:the |our |my |any |all "
    r"|every |your |a |an |new "
    r"|of |existing )*(?P<place>[^,;]+?)(?=$|[,;]|\s+(?:in|for|with|at|on|when|by|and|or|is|are|please|to)\b)",
    re.IGNORECASE,
)


def slots(phrase: str, verbs: frozenset[str] = frozenset()) -> Slots:
    """Read a phrase; `verbs` are those that its sentence has besides."""
    excepted: tuple[Term, ...] = ()
    if outside := _OUTSIDE.search(phrase):
        excepted = tuple(name for name in _content(outside["what"]) if name.text not in _LINKS)
        phrase = phrase[: outside.start()]
    acts = {term.stem for term in joined(terms_of(phrase)) if _is_act(term)}
    doing = verbs | acts
    begin, end, where = _find_where(phrase)
    is_object = doing & ON_FILES and (
        not acts & (ADDING | USING) or not any(_is_noun(term) for term in terms_of(phrase[:begin]))
    )
    if is_object and any(term.kind == PATH for term in where):
        where = ()
    else:
        phrase = f"{phrase[:begin]} {phrase[end:]}"
    shorter = _PURPOSE.sub("", phrase)
    terms = _content(shorter)
    if not any(term.text not in _LINKS for term in terms):
        terms = _content(phrase)
    kept = _things(terms)
    groups = tuple(part for part in shared(alternatives(kept)) if len(part) <= MOST_TERMS)
    if where and not groups and not any(_is_noun(term) for term in terms_of(phrase)):
        groups, where = (where,), ()
    return Slots(verbs | acts, groups, where, excepted)


def _is_noun(term: Term) -> bool:
    """Whether a word says more than that anything is meant."""
    word = term.text.lower()
    return (
        word not in STOP
        and term.stem not in MARKS | VERBS
        and word not in _ANYTHING
        and re.search(r"\w", word) is not None
    )


_ANYTHING = frozenset(
    [
        "files",
        "file",
        "changes",
        "edits",
        "change",
        "edit",
        "stuff",
        "directory",
        "folder",
        "code",
        "folders",
        "directories",
        "modules",
        "module",
        "lines",
        "tree",
        "package",
        "tests",
        "scripts",
    ]
)


def take_where(phrase: str) -> tuple[str, tuple[Term, ...]]:
    """Take "in src/", "in Python files", "in tests" off a phrase: (the rest, where)."""
    begin, end, where = _find_where(phrase)
    return (f"{phrase[:begin]} {phrase[end:]}", where) if where else (phrase, ())


def _find_where(phrase: str) -> tuple[int, int, tuple[Term, ...]]:
    for found in _WHERE.finditer(phrase):
        if place := place_of(found["place"]):
            return found.start(), found.end(), place
    return len(phrase), len(phrase), ()


def place_of(phrase: str) -> tuple[Term, ...]:
    """Return the place that a phrase names; nothing where it names none."""
    terms = [term for term in joined(terms_of(phrase)) if term.text.lower() not in STOP]
    head = terms[-1].stem if terms else ""
    said = [term for term in terms if term.stem not in HEADS and term.stem not in MARKS]
    if len(said) > 2 or not said:
        return ()
    if any(term.kind == PATH for term in said):
        return tuple(term for term in said if term.kind == PATH)
    if len(said) == 1 and (
        said[0].text.lower() in LANGUAGE_ENDS or said[0].stem in PLACES or key_of(said[0].text) in PLACES
    ):
        return (said[0],)
    if len(said) == 1 and said[0].kind == WORD and looks(said[0].text, PATHS) and not looks(said[0].text, LINES):
        return (said[0],)
    if head in _FOLDERS and all(term.kind == WORD and term.stem not in VERBS for term in said):
        return tuple(said)
    return ()


_FOLDERS = frozenset(key_of(word) for word in ["folder", "directory", "dir", "package", "module", "layer", "tree"])
_LINKS = (",", "or", "and", "nor", "&", "/")


_ARTICLES = ("the", "a", "an", "any", "your", "our", "my")


def joined(terms: Sequence[Term]) -> list[Term]:
    """Join words that mean one thing together: `type`, `hints`."""
    terms = [term for term in terms if term.is_name or term.text.lower() not in _ARTICLES]
    found: list[Term] = []
    at = 0
    while at < len(terms):
        for length in range(min(LONGEST_PHRASE, len(terms) - at), 1, -1):
            words = terms[at : at + length]
            if all(" " not in word.text and word.kind != NUMBER for word in words):
                text = " ".join(word.text for word in words)
                if key_of(text) in PHRASES:
                    found.append(Term(WORD, text))
                    at += length
                    break
        else:
            found.append(terms[at])
            at += 1
    return found


def _content(phrase: str) -> list[Term]:
    """The terms of a phrase that say something, and what links them."""
    return [
        term
        for term in joined(terms_of(phrase))
        if term.text.lower() in _LINKS
        or term.is_name
        or (
            term.text.lower() not in STOP
            and term.stem not in MARKS
            and term.text.lower() not in MARKS
            and (term.stem not in HEADS or " " in term.text)
            and re.search(r"\w", term.text)
        )
        or " " in term.text
        or _is_act(term)
    ]


def _is_act(term: Term) -> bool:
    if term.text.lower() == "generated":
        return False
    return term.kind == WORD and not term.quoted and term.stem in VERBS and (term.stem in ACTS or term.stem in GENERIC)


def _things(terms: Sequence[Term]) -> list[Term]:
    """Leave out the verbs that only say what is done: `write` of "write comments", not `print` of "don't print"."""
    said = [term for term in terms if term.text not in _LINKS]
    found = []
    for term in terms:
        if _is_act(term):
            others = [other for other in said if other is not term and not (_is_act(other) and other.stem in ACTS)]
            seen = is_known(term.text)
            if term.stem in ACTS and not (seen and not others):
                continue
            if term.stem in USING and others:
                continue
        found.append(term)
    return found


def alternatives(terms: Iterable[Term]) -> tuple[tuple[Term, ...], ...]:
    """Split terms at commas, `or` and `and`; each part that says something is one."""
    parts: list[list[Term]] = [[]]
    for term in terms:
        if not term.quoted and term.text.lower() in _LINKS:
            parts.append([])
        else:
            parts[-1].append(term)
    return tuple(tuple(part) for part in parts if part)


def shared(parts: tuple[tuple[Term, ...], ...]) -> tuple[tuple[Term, ...], ...]:
    """Give what several verbs share to each of them: `commit or push to main`, `print or console.log in src/`."""
    if len(parts) < 2:
        return parts
    doing = [looks(part[0].text, RUNS) is not None and part[0].kind == WORD and part[0].stem in VERBS for part in parts]
    if all(doing) and len(parts[-1]) > 1:
        return tuple(part if len(part) > 1 else (*part, *parts[-1][1:]) for part in parts)
    if doing[0] and len(parts[0]) > 1 and not any(doing[1:]):
        return tuple(part if not at else (parts[0][0], *part) for at, part in enumerate(parts))
    return parts


def is_noise(term: Term) -> bool:
    """Tell whether a word need not be seen in a deed."""
    return term.kind == WORD and not term.quoted and term.stem in NOISE and " " not in term.text


# ---- conditions ----


def cut(phrase: str) -> tuple[str, str]:
    """Split a phrase where a condition or a reason begins: (what is said, the rest)."""
    found = CONDITION.search(phrase)
    return (phrase[: found.start()], phrase[found.start() :]) if found else (phrase, "")


def condition_of(rest: str) -> tuple[str, tuple[Term, ...]]:
    """Return (the condition, what is excepted)."""
    if not rest.strip():
        return "", ()
    if re.match(r"\W*(?:except|but for|other than|apart from|besides|aside from)\b", rest, re.IGNORECASE):
        return "", tuple(content_of(terms_of(rest))[1:])
    if re.match(
        r"\W*(?:while (?:you|we)\b.*\b(?:at it|here|there)|because|since|so |as |which|who|where|even|given|in order"
        r"|[—–:;(-])",
        rest,
        re.IGNORECASE,
    ):
        return "", ()
    if re.match(r"\W*(?:until|till|unless)\b", rest, re.IGNORECASE) and not ASKING.search(rest):
        return ("" if re.match(r"\W*(?:until|till)\b", rest) else OPEN), ()
    return (ASKED if ASKING.search(rest) else OPEN), ()
