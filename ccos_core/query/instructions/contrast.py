"""Read "this, not that": what is forbidden, and what takes its place.

contrasts("Use pnpm, not npm.")      # (Rule("instead", objects=((npm,),), better=(pnpm,)),)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.query.instructions.concepts import RUNS, is_known, key_of, looks
from ccos_core.query.instructions.grammar import pattern as grammar
from ccos_core.query.instructions.phrases import condition_of, cut, is_noise, joined, slots
from ccos_core.query.instructions.rule import INSTEAD, Rule
from ccos_core.query.instructions.terms import CODE, FLAG, NUMBER, PATH, WORD, Term, terms_of
from ccos_core.query.instructions.words import ASKING, HEADS, RIVAL_NAMES, RUNNING, STOP, USING, VAGUE, VERBS, stems

LONGEST_RIVAL = 6
"""Words of what is to be avoided in "this, not that"."""
_GOOD_FIRST = grammar("good_first")
_OVER = re.compile(
    r"^(?:.*\b)?(?:prefer|favou?r|choose|pick)\s+(?P<good>.+?)\s+(?:over|to|before)\s+(?P<bad>.+)$", re.IGNORECASE
)
_BAD_FIRST = grammar("bad_first")
_TAIL = grammar("tail")
_CONTEXTS = stems("commit push merge rebase tag branch branches deploy release publish") | {key_of("pull request")}
"""What is done with the names of branches and the like."""


def contrasts(text: str) -> Iterator[Rule]:
    found = _OVER.match(text) or _BAD_FIRST.match(text) or _GOOD_FIRST.match(text)
    if found is None:
        return
    parts = {name.rstrip("2345"): each for name, each in found.groupdict().items() if each}
    good, bad = parts["good"], _TAIL.sub("", parts["bad"])
    condition, excepted = condition_of(cut(parts["bad"])[1])
    if not good.strip() or ASKING.search(text) or len(bad.split()) > LONGEST_RIVAL or TALKING.match(good):
        return
    if re.search(
        r"\b(?:without|unless|until|never|don't|do not|not|must|exceed|more than)\b|\bno\b(?! longer)",
        f"{good} {bad}",
        re.I,
    ):
        return
    first = joined(terms_of(bad))[:1]
    if (
        first
        and first[0].kind == WORD
        and (first[0].stem in VERBS - USING or first[0].text.lower() in ("go", "goes", "use", "uses"))
        and not looks(first[0].text, RUNS)
    ):
        return
    said, wanted = slots(bad), slots(good)
    there = {term.text.lower() for part in said.groups for term in part}
    better = tuple(term for term in _wanted(good) if term.text.lower() not in there)
    about = [term for term in joined(terms_of(good)) if term.text.lower() not in STOP and re.search(r"\w", term.text)]
    context = tuple(term for term in about if term.stem in _CONTEXTS or key_of(term.text) in _CONTEXTS)[:1]
    objects = []
    for part in said.groups:
        kept = _numbered(part, about)
        if kept and all(
            term.kind == WORD and not is_known(term.text) and term.text.lower() not in RIVAL_NAMES for term in kept
        ):
            kept = (*context, *kept)
        plain = all(
            term.kind == WORD and not term.quoted and not is_known(term.text) and term.text.lower() not in RIVAL_NAMES
            for term in kept
        )
        if kept and all(term.kind == FLAG for term in kept):
            kept = (*(Term(WORD, _OWNERS[term.text]) for term in (*kept, *better) if term.text in _OWNERS), *kept)
        if (
            not all(map(is_noise, kept))
            and not {term.stem for term in kept} & VAGUE
            and not (plain and any(term.stem in HEADS for term in terms_of(bad)))
        ):
            objects.append(kept)
    named = {term.text.lower() for part in objects for term in part}
    better = tuple(term for term in better if term.text.lower() not in named)
    if objects and better:
        is_path = any(term.kind == PATH for part in objects for term in part)
        where = said.where or (() if is_path else tuple(term for term in wanted.where if term not in better))
        verbs = said.verbs | (wanted.verbs & RUNNING)
        yield Rule(INSTEAD, verbs, tuple(objects), better, where, (*said.excepted, *excepted), condition)


_OWNERS = {
    "--force-with-lease": "push",
    "--no-verify": "git",
    "--amend": "commit",
    "--ff-only": "merge",
    "--signoff": "commit",
}
"""Options of one command."""
_LINKED = grammar("linked")


def _wanted(good: str) -> list[Term]:
    """What is to be used: the names of the phrase, else what stands behind its verb."""
    terms = [term for term in joined(terms_of(good)) if term.text.lower() not in STOP and term.text != ","]
    behind = [
        term
        for term in joined(terms_of(_LINKED.sub("", good, count=1)))
        if term.text.lower() not in STOP and term.text != ","
    ]
    names = [
        term
        for at, term in enumerate(behind)
        if term.is_name
        or (
            term.text.lower() in RIVAL_NAMES
            and (at or len(behind) == 1 or term.text.lower() not in ("make", "find", "just", "task"))
        )
    ]
    return names or behind or terms


TALKING = re.compile(
    r"\W*(?:it|this|that|there|they|he|she|i)\b(?:'s|'ve|'m|'re|'d| is| was| are| has| does)?(?! is called)\s+\w+",
    re.IGNORECASE,
)


def _numbered(part: tuple[Term, ...], better: Sequence[Term]) -> tuple[Term, ...]:
    """Add to a lone number the word that says of what it is: `port 4000, not 3000`."""
    if len(part) == 1 and part[0].kind == NUMBER:
        words = [term for term in better if term.kind in (WORD, CODE) and term.stem not in _STAYING | VERBS]
        if (
            not words
            and len(part[0].text) > 3
            and any(len(term.text) == len(part[0].text) for term in better if term.kind == NUMBER)
        ):
            return part
        return (part[0], words[-1]._replace(kind=WORD)) if words else ()
    return part


_STAYING = stems("stay run keep remain listen use pin set raise bind")
