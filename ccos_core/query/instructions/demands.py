"""Read what a clause demands: what comes first, what a thing needs, how it is called, how much, where it lies.

demands_of("every migration needs a downgrade()")     # Rule("needs", objects=((migration,),), better=(downgrade(),))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.query.instructions.concepts import is_known, key_of, looks
from ccos_core.query.instructions.grammar import pattern as grammar
from ccos_core.query.instructions.grammar import patterns
from ccos_core.query.instructions.naming import messaged, read_named, styled, unended
from ccos_core.query.instructions.phrases import NEGATED, joined, slots, take_where
from ccos_core.query.instructions.rule import INSTEAD, LIMIT, NEEDS, NEVER, ORDER, PLACED, RIVAL, VALUE, Rule
from ccos_core.query.instructions.terms import CODE, FLAG, NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ASKING,
    CONDITION,
    FORMATTERS,
    GENERIC,
    HEADS,
    LANGUAGE_ENDS,
    LINTERS,
    MARKS,
    NOISE,
    OPPOSITES,
    RIVAL_NAMES,
    RIVALS,
    STOP,
    TEST_RUNNERS,
    USING,
    listed,
    stem,
    stems,
)

_TALKING = re.compile(
    r"^\W*(?:i|i've|i'm|it|it's|this|that|there|they|he|she|we're|if|when|what|why|how)\b|\b(?:was|were|did|seems?"
    r"|looks? like|maybe|perhaps|think)\b",
    re.IGNORECASE,
)


def demands_of(clause: str) -> tuple[Rule, ...]:
    """Return what a clause demands, as the first reader has it that knows its form."""
    if re.search(r"\bcommit|\bsubjects?\b", clause, re.IGNORECASE) and not ASKING.search(clause):
        both = [
            rule
            for part in re.split(r",\s+|\s+(?=without\b|and no\b)", clause)
            for reader in (_limit, styled, messaged, unended)
            for rule in reader(part if "commit" in part else f"commit message {part}")
        ]
        if len({rule.sense + "".join(rule.verbs) for rule in both}) > 1:
            return tuple(both)
    for reader in (_order, _based, _limit, styled, messaged, read_named, _needs, _placed, _value, _use):
        if reader is _needs and ASKING.search(clause):
            return ()
        if reader is not _order and _TALKING.search(clause):
            return ()
        if found := tuple(rule for rule in reader(clause) if rule.objects and all(rule.objects)):
            return found
    return ()


# ---- what comes first ----

_LATER = (
    r"(?P<later>commit|push|merg|deploy|releas|publish|tag|open|creat\w+ (?:a |the )?pull request)\w*(?P<tail>[^,]*)"
)
_ORDER = grammar("order")
_CLASSES = (
    (re.compile(r"\btests?\b|\btest suite\b|\bspecs\b|\bsuite\b", re.IGNORECASE), TEST_RUNNERS),
    (re.compile(r"\blint\w*|\btype[- ]?check\w*", re.IGNORECASE), LINTERS),
    (re.compile(r"\bformat(?:ter|ting)?\b", re.IGNORECASE), FORMATTERS),
)
_COMMANDS = frozenset(listed("commands"))


def _order(clause: str) -> Iterator[Rule]:
    found = _ORDER.search(clause)
    if found is None:
        return
    said = found.groupdict()
    first = next(each for name, each in said.items() if name.startswith("first") and each)
    later = next((each for name, each in said.items() if name.startswith("later") and each), "commit")
    if (
        ASKING.search(first)
        or re.match(r"\W*--?\w", first)
        or re.search(r"\b(?:never|don't|do not|not)\b", first, re.IGNORECASE)
    ):
        return
    better = _done_first(first)
    later = "pr" if later.lower().startswith(("open", "creat")) else later
    if better:
        yield Rule(ORDER, frozenset([stem(later)]), ((Term(WORD, later),),), better)


def _done_first(phrase: str) -> tuple[Term, ...]:
    """Return the command that a phrase names, or the tools of the kind that it names; nothing where it names none."""
    terms = content_of(terms_of(phrase))
    named = [term for term in terms if term.kind == CODE and (term.quoted or term.text.islower())]
    if named:
        return tuple(named[:1])
    words = [term.text for term in terms_of(phrase) if term.text != ","]
    at = next(
        (
            at
            for at, word in enumerate(words)
            if word.lower() in _COMMANDS and (at + 1 < len(words) or word not in ("go", "make", "just", "task"))
        ),
        -1,
    )
    if at >= 0:
        stop = next(
            (
                to
                for to, word in enumerate(words[at + 1 :], at + 1)
                if word.lower() in ("and", "or", "first", "has", "must", "to", "is", "should", "on", "again")
            ),
            len(words),
        )
        return (Term(CODE, " ".join(words[at : min(stop, at + 3)])),)
    paths = tuple(
        term
        for term in terms
        if term.kind == PATH or (looks(term.text, "paths") and term.stem in stems("changelog readme"))
    )
    if paths and re.search(r"\b(?:update|add|extend|write|edit|line|entry)\b", phrase, re.IGNORECASE):
        return paths[:1]
    for pattern, tools in _CLASSES:
        if pattern.search(phrase):
            return tuple(Term(CODE, tool) for tool in sorted(tools))
    return ()


_BASED = grammar("based")


def _based(clause: str) -> Iterator[Rule]:
    """Against which branch pull requests are opened."""
    if (found := _BASED.search(clause)) and not NEGATED.search(clause):
        branch = (found["branch"] or found["branch2"]).strip("`")
        yield Rule(NEEDS, frozenset(), ((Term(WORD, "new-pull-request"), Term(FLAG, "--base")),), (Term(CODE, branch),))


# ---- how much ----

_LIMITED = grammar("limited")
_MEASURES = stems(listed("measures"))


def _limit(clause: str) -> Iterator[Rule]:
    found = _LIMITED.search(clause)
    if found is None:
        return
    said = found.groupdict()
    number = next(each for name, each in said.items() if name.startswith("number") and each)
    unit = next((each for name, each in said.items() if name.startswith("unit") and each), "")
    way = "least" if found["least"] else "most"
    rest = f"{clause[: found.start()]} {re.sub(r'[0-9]+', '', found[0])} {clause[found.end() :]}"
    rest, where = take_where(CONDITION.split(rest)[0])
    terms = [
        term
        for term in content_of(terms_of(rest))
        if term.kind != NUMBER and term.stem not in _MEASURES | GENERIC and term.stem not in MARKS
    ]
    unit = unit if unit.lower() not in STOP and unit.lower() != "per" else ""
    yield Rule(LIMIT, frozenset([way]), (tuple(terms[:5]) or (Term(WORD, unit or "line"),),),
               (Term(NUMBER, re.sub(r"[_,]", "", number)), Term(WORD, unit)), where)  # fmt: skip


# ---- what a thing needs ----

_NEEDS = patterns("needs")
_DEMANDED = grammar("demanded")
_EACH = re.compile(r"\b(?:only|are|every|each|always|all|any|never|no|must|new|without|needs?|should)\b", re.IGNORECASE)
_BY_VERB = {"document": "docstring", "annotate": "type hint", "type": "type hint", "sign": "signature"}


def _needs(clause: str) -> Iterator[Rule]:
    for at, pattern in enumerate(_NEEDS):
        found = pattern.search(clause)
        if found is None or (at not in (0, 3) and NEGATED.search(clause[: found.end("what")])):
            continue
        needed = _needed(found["needed"] or _BY_VERB.get(found.groupdict().get("verb", "").lower(), ""))
        is_call = (
            at in (0, 3)
            and re.search(r"\w\(\)|\b(?:https?|requests?|calls?)\b", found["what"], re.IGNORECASE)
            and len(needed) == 1
        )
        named = (
            needed
            if is_call
            else [
                term
                for term in needed
                if term.is_name or term.quoted or re.search(r"[A-Z=]|\w{3}-\w", term.text) or is_known(term.text)
            ]
        )
        if any(term.text.lower() in RIVAL_NAMES for term in named):
            continue
        if not named or (
            at in (1, 4, 5)
            and not _DEMANDED.search(clause)
            and not any(term.kind == FLAG or (term.quoted and " " in term.text) for term in named)
        ):
            continue
        what, where = take_where(re.split(r"\b(?:every|each|any)\b", found["what"], flags=re.IGNORECASE)[-1])
        subjects = tuple(
            filter(None, (_subject(part) for part in re.split(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+", what)))
        )
        subject = tuple(term for part in subjects for term in part)
        if at in (4, 5) and not (
            _EACH.search(clause)
            or any(term.kind == FLAG or term.quoted or "=" in term.text or term.text.endswith("()") for term in named)
        ):
            continue
        if not subject or all(term.text.lower() in LANGUAGE_ENDS for term in subject):
            where = where or subject
            subject = _USUAL.get(key_of(named[0].text), where if not subject else ())
            subjects = (subject,)
        if subject and not {term.stem for term in subject} <= {term.stem for term in named}:
            yield Rule(NEEDS, frozenset(), subjects, tuple(named[:4]), where if where != subject else ())
            return


_USUAL = {
    key_of(need): (Term(WORD, "function"),)
    for need in (
        "type hints",
        "type annotations",
        "docstrings",
        "docstring",
        "return types",
        "jsdoc",
        "doc comments",
        "type hint",
    )
}


def _subject(phrase: str) -> tuple[Term, ...]:
    """What a demand is about: `every new migration` → (migration,)."""
    phrase = re.split(r",\s", phrase)[0]
    terms = [
        term
        for term in joined(terms_of(phrase))
        if term.text not in (",", ";", "(", ")")
        and (term.is_name or " " in term.text or (term.text.lower() not in STOP and term.stem not in MARKS))
    ]
    acts = [
        term
        for term in terms
        if term.stem not in USING | stems("sign run execute start launch invoke write add create make change")
    ]
    kept = [term for term in acts if term.stem not in stems("public exported existing test-suite")] or acts
    return tuple(kept[-4:])


def _needed(phrase: str) -> list[Term]:
    phrase = re.split(
        r",?\s+(?:so|because|since|otherwise|when|if|not|never|instead|rather|which|that|whenever|and we|and they)\b"
        r"|,\s+(?!or\b|and\b|`|\S+:)",
        phrase,
    )[0]
    if (spelled := _SPELLED.search(phrase)) and stem((spelled[2] or "").partition(" ")[0]) not in NOISE:
        return [Term(CODE, spelled[1] or spelled[2], True)]
    return [
        term
        for term in joined(terms_of(phrase))
        if term.is_name
        or " " in term.text
        or (term.text.lower() not in STOP and term.stem not in MARKS | GENERIC | NOISE and term.stem not in HEADS)
    ]


_SPELLED = re.compile(
    r"\b([A-Z]\w+(?: (?:\d{4}|[A-Z]\w*))+)|^\W*(?:the |an? )?`?(?!an? |the )([a-z]+(?: -{1,2}[\w-]+)+(?: [a-z]+)?)`?"
)


# ---- where it lies ----

_PLACED = grammar("placed")


def _placed(clause: str) -> Iterator[Rule]:
    found = _PLACED.search(clause)
    if found is None or NEGATED.search(clause):
        return
    places = [term for term in terms_of(found["place"] or found["place2"] or found["place3"]) if term.kind == PATH]
    phrase = found["what"] or found["what2"] or found["what3"]
    what = slots(phrase).groups or tuple((term,) for term in joined(terms_of(phrase))[-1:] if looks(term.text, "paths"))
    if places and what and not any(term.kind == PATH and "/" in term.text for part in what for term in part):
        yield Rule(PLACED, frozenset(), what, tuple(places[:1]))


# ---- which value it has ----

_VALUE = grammar("value")
_VERSION = grammar("version")


def _value(clause: str) -> Iterator[Rule]:
    if version := _VERSION.match(clause):
        yield Rule(VALUE, frozenset(), ((Term(WORD, version["what"]),),), (Term(NUMBER, version["value"]),))
        return
    found = _VALUE.match(clause)
    if found is None or re.search(
        r"\b(?:not|never|under|below|over|above|less|more|than|least|most|no)\b", clause, re.IGNORECASE
    ):
        return
    what = found["what"] or found["what2"] or found["what3"] or found["what4"]
    said = terms_of(found["value"] or found["value2"] or found["value3"] or found["value4"])
    value = [each for each in said[:2] if each.kind == NUMBER or (each.quoted and each.kind == CODE)]
    objects = tuple(
        each
        for each in content_of(terms_of(what))
        if each.kind != NUMBER and each.stem not in GENERIC | stems("value default") and each.stem not in MARKS
    )
    is_order = found["what"] is None or re.search(
        r"\b(?:must|should|has to|have to|needs to|shall|always|stays?|is|are)\b", clause, re.IGNORECASE
    )
    if value and objects and is_order and len(objects) <= 3:
        yield Rule(VALUE, frozenset(), (objects,), (value[0], *(each for each in said[1:2] if each.kind == WORD)))
    elif found["value"] and said and re.search(r"\b(?:must|should|always|has to|have to)\b", clause, re.IGNORECASE):
        for rule in rivals_of(said[:1]):
            yield rule._replace(verbs=frozenset(), better=(rule.better[0], *objects))


# ---- what is to be used ----

_USE = grammar("use")
_TESTED = grammar("tested")


def _use(clause: str) -> Iterator[Rule]:
    """What is to be used, where it is known what stands beside it: `use pnpm` leaves no room for npm."""
    if NEGATED.search(clause):
        return
    said = CONDITION.split(clause)[0]
    bare, where = take_where(re.sub(r"\b(?:only|please|always|everywhere)\b", "", said))
    bare_terms = [term for term in joined(terms_of(bare)) if term.text.lower() not in STOP]
    if len(bare_terms) == 1 and len(bare.split()) <= 4:
        for rule in rivals_of(bare_terms):
            yield rule._replace(where=where)
        return
    if with_ := _TESTED.match(said):
        runner = tuple(content_of(terms_of(with_["how"] or with_["how2"] or with_["how3"])))[:2]
        if runner and "=" not in runner[0].text and runner[0].kind != FLAG:
            runners = tuple((Term(CODE, tool),) for tool in sorted(TEST_RUNNERS) if tool not in runner[0].text)
            yield Rule(INSTEAD, frozenset(["run"]), runners, runner)
        return
    found = _USE.match(said)
    if found is None:
        return
    phrase, where = take_where(found["what"] or found["what2"] or found["what3"] or found["what4"])
    if found["what4"] and not _EACH.search(clause) and not any(key_of(found["what4"]) in pair for pair in OPPOSITES):
        return
    phrase = re.split(r"\s+(?:for|to|when|as|in|on)\b", phrase)[0]
    terms = [
        term
        for term in joined(terms_of(phrase))
        if (term.is_name or term.text.lower() not in STOP) and " " not in (term.text if term.quoted else "")
    ]
    for rule in rivals_of(terms[:3]):
        yield rule._replace(where=where)


def rivals_of(terms: Sequence[Term]) -> Iterator[Rule]:
    """The rule that forbids what stands beside the first of some terms."""
    for term in terms:
        name = term.text.lower().strip("`").partition(" ")[0] if term.is_name else term.text.lower()
        for group in RIVALS:
            if name in group:
                groups = [each for each in RIVALS if name in each]
                others = sorted(frozenset().union(*groups) - {name, *({"pip"} if name == "uv" else ())})
                yield Rule(
                    INSTEAD, frozenset([RIVAL]), tuple((Term(CODE, other),) for other in others), (Term(CODE, name),)
                )
                return
        key = key_of(term.text)
        for pair in OPPOSITES:
            if key in pair:
                others = sorted(pair - {key})
                yield Rule(
                    NEVER,
                    frozenset(),
                    tuple((Term(WORD, other),) for other in others if is_known(other) or other in LANGUAGE_ENDS),
                    (Term(WORD, key),),
                )
                return
