"""Whether a later statement takes the place of an earlier one: the same subject, said otherwise.

Only what is certain: another value of the same name, the rival of what was to be used, what was demanded and is
forbidden now, or the same order with another object behind "from now on" and its like.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ccos_core.query.instructions.rule import INSTEAD, NAMED, NEEDS, NEVER, ONLY, VALUE, Rule
from ccos_core.query.instructions.rules import rules_of
from ccos_core.query.instructions.terms import FLAG, NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import GENERIC, RIVALS, RUNNING, USING, VERBS, stem, stems

_MARK = re.compile(
    r"\b(?:from now on|from here on|going forward|instead|no longer|any ?more|actually|change of plans?"
    r"|changed my mind|new rule|as of now"
    r"|starting now|scrap|forget (?:what|that|the|about)|correction|on second thought|i was wrong|we(?:'ve"
    r"| have)? (?:switched|moved|changed)"
    r"|switch to|update|replaces?|not .{1,30} anymore|now)\b",
    re.IGNORECASE,
)
_FILLER = stems(
    "now instead longer actually plan change mind rule forget correction second thought wrong switch update replace mor"
    " anymor"
    " always only must never please said earlier told before again forward going starting here anything new should told"
)
VAGUE = stems("use run add make write put change go take create call")
"""Verbs that two orders may share without being of one subject."""
MOST_DIFFERING = 4
"""Terms by which two wordings of one order may differ."""


class Replaced(NamedTuple):
    """How a later statement takes the place of an earlier one."""

    rules: tuple[Rule, ...]
    """What the later one forbids of the earlier one, besides its own rules."""


def demanded(text: str) -> tuple[Term, ...]:
    """Return what a statement demands to be used."""
    found = [term for rule in rules_of(text) if rule.sense in (INSTEAD, NAMED, NEEDS) for term in rule.better]
    found += [term for rule in rules_of(text) if rule.sense == ONLY for part in rule.objects for term in part]
    order = re.match(
        r"\W*(?:\w+ ){0,4}?(?:always |please |only |just )*(?:use|run|call|install with|go with|stick (?:to"
        r"|with)|deploy to|push to|commit to|log with"
        r"|write|target|build with|test with|format with|indent with)\s+(?P<what>[^,;]+)",
        text,
        re.IGNORECASE,
    )
    if order and not re.search(r"\b(?:never|don't|do not|not)\b", text[: order.start("what")], re.IGNORECASE):
        found += content_of(terms_of(re.split(r"\s+(?:for|to|in|when|with|instead|not)\b", order["what"])[0]))
    return tuple(dict.fromkeys(found))


def replaces(later: str, earlier: str) -> Replaced | None:
    """Tell whether a later statement takes the place of an earlier one; None if that isn't certain."""
    ours, theirs = rules_of(later), rules_of(earlier)
    before, now = demanded(earlier), demanded(later)
    forbidden = [term for rule in ours if rule.sense in (NEVER, INSTEAD) for part in rule.objects for term in part]
    forbidden += [Term(WORD, verb) for rule in ours if rule.sense == NEVER for verb in sorted(rule.verbs - GENERIC)]
    forbidden_before = [term for rule in theirs if rule.sense == NEVER for part in rule.objects for term in part]
    same = {_name(term) for term in before} & {_name(term) for term in now}
    if _share(before, forbidden) and not same:
        return Replaced(())
    flags = [term for term in forbidden_before if term.kind == FLAG]
    if _share(forbidden_before if _MARK.search(later) else flags, now):
        return Replaced(())
    for mine in ours:
        for other in theirs:
            if (
                mine.sense == other.sense in (VALUE, NAMED)
                and _stems(mine) == _stems(other)
                and mine.better != other.better
            ):
                return Replaced(())
    for term in before:
        for group in RIVALS:
            if _name(term) in group and not same and any(_name(each) in group for each in now):
                return Replaced((Rule(INSTEAD, frozenset(), ((term,),), now),))
    return _reworded(later, earlier)


def _reworded(later: str, earlier: str) -> Replaced | None:
    """The same order with another object: `deploy to A`, and `from now on deploy to B`."""
    if not _MARK.search(later) or "?" in later or "?" in earlier:
        return None
    ours, theirs = (
        {_name(term): term for term in content_of(terms_of(text)) if term.stem not in _FILLER}
        for text in (later, earlier)
    )
    common = [name for name in theirs if name in ours]
    gone = [theirs[name] for name in theirs if name not in ours]
    come = [ours[name] for name in ours if name not in theirs]
    verbs = [name for name in common if stem(name) in VERBS and stem(name) not in VAGUE]
    subjects = [name for name in common if stem(name) not in VERBS]
    if not (verbs or subjects) or not gone or not come or max(len(gone), len(come)) > MOST_DIFFERING:
        return None
    names = [term for term in gone if term.is_name or "-" in term.text or any(_name(term) in group for group in RIVALS)]
    if not names or not any(term.is_name or "-" in term.text or term.kind == WORD for term in come):
        return None
    if not (theirs.keys() and (demanded(earlier) or stem(next(iter(theirs))) in VERBS)):
        return None
    context = tuple(theirs[name] for name in (verbs or [])[:1])
    kinds = {term.kind for term in names}
    objects = tuple(
        (name, *context) if name.kind not in (PATH, NUMBER) or kinds == {PATH} else (name,) for name in names
    )
    return Replaced((Rule(INSTEAD, frozenset(), objects, tuple(come)),))


def _share(one: tuple[Term, ...] | list[Term], other: tuple[Term, ...] | list[Term]) -> bool:
    return bool({_name(term) for term in one if _is_telling(term)} & {_name(term) for term in other})


def _is_telling(term: Term) -> bool:
    return term.is_name or term.stem not in USING | RUNNING


def _name(term: Term) -> str:
    if term.kind == FLAG:
        return stem(term.text.lstrip("-"))
    return (
        term.text.lower().removesuffix("()")
        if term.is_name
        else term.stem
        if term.text.isalpha()
        else term.text.lower()
    )


def _stems(rule: Rule) -> set[str]:
    return {term.stem for part in rule.objects for term in part}
