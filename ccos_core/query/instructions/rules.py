"""Read a statement as rules: what it forbids, what is to be used instead, what must be so.

    rules_of("Use pnpm, not npm.")      # (Rule("instead", objects=((npm,),), better=(pnpm,)),)

A few function words tell which way a clause points; all others that say something are the acts and things it is about.
A sentence that isn't certainly an order gives none: questions, descriptions ("it never fails"), orders whose object no
deed could show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ccos_core.intake.failures.arguments import words_of
from ccos_core.query.instructions.concepts import PATHS, RUNS, looks
from ccos_core.query.instructions.contrast import LONGEST_RIVAL, TALKING, contrasts
from ccos_core.query.instructions.demands import demands_of, rivals_of
from ccos_core.query.instructions.grammar import pattern as grammar
from ccos_core.query.instructions.grammar import source
from ccos_core.query.instructions.languages import in_english
from ccos_core.query.instructions.naming import STYLE
from ccos_core.query.instructions.phrases import Slots, condition_of, cut, is_noise, joined, slots
from ccos_core.query.instructions.rule import ASKED, NEVER, ONLY, OPEN, ORDER, Rule
from ccos_core.query.instructions.terms import PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ADDING,
    BRIEFLY,
    CHANGING,
    ON_FILES,
    READING,
    RIVAL_NAMES,
    RUNNING,
    USING,
    VAGUE,
    VERBS,
    stem,
    stems,
)

LONGEST_RULE = 600
"""Characters of a statement that is read as rules: longer ones are pasted texts."""

# ---- a text as clauses ----

_START = source("start")
_ASKS = re.compile(r"[^\s]\?[\s\"'”)*]*$")
_TAG = re.compile(r",?\s*(?:ok|okay|right|alright|yes|deal|got it|please)\s*\?\s*$", re.IGNORECASE)
_QUOTING = grammar("quoting")
_REQUEST = re.compile(r"^\W*(?:can|could|would|will) (?:you|we)(?: please| mind)?\s+", re.IGNORECASE)
_ASIDE = re.compile(r"\s\((?!(?:never|always|don't|do not|not|no|only)\b)[a-zA-Z ,'!-]*\)(?<![A-Z]\w\w\))")
_PLAINLY = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"’", "'"),
        (r",\s+(?=as is\b)", " "),
        (r"\b(?:pull|bring)(ing)? in\b", r"add\1"),
        (r"(quotes?\b.*\b(?:not|never|instead of|rather than|over)) (double|single)\b(?! quote)", r"\1 \2 quotes"),
        (r"^leaving\b", "leave"),
        (r"\bleave (?:it|that|everything|them) uncommitted\b", "don't commit"),
        (r"\bkeep (?:all|every|the) (?:\w+ )?branch(?:es)?\b(?! up)", "no delete-branch"),
        (r"\b(?:stay|work|do everything|remain) on (?:this|the current|the same) branch\b", "no new-branch"),
        (r"^back to\b", "use"),
        (r"\bkeep the (?:top level|repo root|root|project root) clean\b", "no new files in the repo root"),
        (r"\b(?:don't|never|no) (?:switch|switching) branch(?:es)?\b", "no new-branch"),
        (r",?\s+\w+ or not\b|,\s+neither\b.*", ""),
        (r"\b(?:post|write|leave)(?:ing)? (?:\w+ )?(?:on|to|in) (?:the |any )?(?:pull requests?|prs?)\b", "pr comment"),
        (r"\b(?:say|write|use|put) (?:the (?:word|phrase|term)s? )?(?=[\"“'])", "use "),
        (r"\bthe (?:word|phrase|term) ([a-z-]+)\b", r'"\1"'),
        (r"\b((?:do not|don't|never|not|only) \w+):(?= )", r"\1"),
        (r"\s+in the git (?:log|history)\b", ""),
        (r"`?type: ignore`?", "type-ignore"),
        (r"\*\*|__(?=\w+ )", ""),
        (r"\bforce-push", "force push"),
        (r"(?<!`)\bselect \*(?!\w)", "`SELECT *`"),
        (r"\b(no|as|of|type) any\b(?=\W*$|[,;.]| (?:in|please|type|anywhere)\b)", r"\1 `any`"),
        (r"(?<!gh )\b(?:pull requests?|merge requests?|prs?)\b(?=[^/]|$)", "pull requests"),
        (r"\b(?:open|create|creating|make|file) (?:(?:a|all|every|any|new|the) )*pull requests\b", "new-pull-request"),
        (r"\bdelet\w+ (?:of )?(?:[\w-]+ ){0,3}?branch(?:es)?\b", "delete-branch"),
        (r"\b(?:(?:create|make|open|start|creating) (?:a |any )?(?:new )?|new )branch(?:es)?\b", "new-branch"),
        (r"\bopen(?:ing)? (?:a |any )?(?:text )?files?\b", "`open()`"),
        (r"(?<= )\* versions?\b", "wildcard version"),
        (r"\b(?:danke|merci|gracias)\b.*$", ""),
        (r"\bcheck(?:ing)? (\w+ )?in\b", r"commit \1"),
        (r"\b(?:i )?(?:do not|don't|never) want (?:to see )?(?:you to |any |a |an )?", "no "),
        (r"\bi hate\b", "no"),
        (r"\b(?:make sure|ensure|be sure)(?: that| to)?\b", ""),
        (r"\bit(?:'s| is) (?:forbidden|not allowed) to\b", "never"),
        (r",?\s*\b(?:please|thanks|thank you|thx|pls|i mean it|danke\w*)\b(?=[\s,.!]*$)", ""),
        (r"\b(?:e\.g\.|i\.e\.|for example|for instance)(?=[\s,])", "such as"),
        *((rf"\b{word}\b(?= \w+)", str(at)) for at, word in
          enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 2)),
    )
)  # fmt: skip
_SPLIT = grammar("split")


@lru_cache(maxsize=4_000)
def rules_of(text: str) -> tuple[Rule, ...]:
    """Return the rules of a statement; none where it isn't certainly one."""
    text = _TAG.sub("", text)
    if len(text) > LONGEST_RULE or _ASKS.search(text) or _QUOTING.match(text):
        return ()
    text = in_plain_words(text)
    found = list(_read(text))
    if _CONDITIONAL.match(text):
        found = [each if each.sense == ORDER or each.condition else each._replace(condition=OPEN) for each in found]
    return tuple(each for each in dict.fromkeys(found) if each.objects)


def in_plain_words(text: str) -> str:
    """Return an instruction in the words that the readers know."""
    text = in_english(text.strip())
    text = _REQUEST.sub("", text)
    for pattern, said in _PLAINLY:
        text = pattern.sub(said, text)
    return _ASIDE.sub("", text).strip(" .!,*_>\"'-")


_CONDITIONAL = re.compile(r"\W*(?:if|when|whenever|unless|in case|once|after|should you|as soon as)\b", re.IGNORECASE)


def _read(text: str) -> Iterator[Rule]:
    if STYLE.search(text) is None and (contrast := list(contrasts(text))):
        yield from contrast
        return
    clauses = [part.strip(" *_>\"'-,.!()") for part in _joined(_SPLIT.split(text)) if part and part.strip()]
    for at, clause in enumerate(clauses):
        others = [each for number, each in enumerate(clauses) if number != at]
        before = clauses[at - 1] if at else ""
        behind = clauses[at + 1] if at + 1 < len(clauses) else ""
        yield from _clause(clause, others, before, behind)


def _joined(parts: Sequence[str]) -> list[str]:
    """Join the parts of a list, of which the later ones have no verb: `a, b or c`."""
    found: list[str] = []
    for part in parts:
        is_item = part and found and len(part.split()) <= 3 and re.match(r"\s*(?:or|nor|and)\b", part)
        if is_item:
            found[-1] += f", {part}"
        else:
            found.append(part or "")
    return found


def _clause(clause: str, others: Sequence[str], before: str, behind: str) -> Iterator[Rule]:
    if clause.endswith("?"):
        return
    for reader in (_asked_first, _only):
        if found := list(reader(clause)):
            yield from found
            return
    contrast = list(contrasts(clause)) if STYLE.search(clause) is None else []
    found = contrast or list(demands_of(clause))
    if not found:
        found = list(_forbidden(clause, others, before, behind))
    yield from found


# ---- conditions ----


_ASKED_FIRST = grammar("asked_first")


def _asked_first(clause: str) -> Iterator[Rule]:
    if found := _ASKED_FIRST.match(clause):
        what = next(each for name, each in found.groupdict().items() if each)
        said = slots(what, frozenset(["run"]) if re.search(r"\bruns?\b", clause) else frozenset())
        for rule in _forbidding(said, what, "", (), False):
            yield rule._replace(condition=ASKED)


# ---- only ----

_ONLY = grammar("only")
_TARGETED = stems("commit push merge deploy publish")


def _only(clause: str) -> Iterator[Rule]:
    found = _ONLY.match(clause)
    if found is None:
        return
    verb = stem(found["verb"] or found["verb2"] or found["verb3"] or "edit")
    what = next(each for name, each in found.groupdict().items() if name.startswith("what") and each)
    inside = next((each for name, each in found.groupdict().items() if name.startswith("in") and each), "")
    said, rest = cut(what)
    terms = terms_of(said)
    paths = tuple((term,) for term in terms if term.kind == PATH)
    if verb in ON_FILES | stems("work") and paths:
        yield Rule(ONLY, frozenset(CHANGING), paths, where=tuple(terms_of(inside))[:1], condition=condition_of(rest)[0])
    elif verb in _TARGETED and (objects := slots(said).groups):
        yield Rule(ONLY, frozenset([verb]), objects, condition=condition_of(rest)[0])
    elif verb in USING | RUNNING and terms:
        yield from rivals_of(content_of(terms)[:1])


# ---- what is forbidden ----

_AHEAD = grammar("ahead")
"""What is forbidden stands behind it."""
_BEHIND = grammar("behind")
"""What is forbidden stands before it."""
_KEEPING = grammar("keeping")
"""What is left alone is not to be changed, though no verb says so."""
_OPENING = grammar("opening")
_ANYWHERE = re.compile(
    r"\b(?:never|without|instead of|rather than|in place of|nothing|nobody|must not|mustn'?t|should not|shouldn'?t"
    r"|may not|not to|no\b|hands off)",
    re.IGNORECASE,
)
_TALK = grammar("talk")
_IDLE = stems(
    "worry forget hesitate need have think know see mind want like believe understand let expect care bother assume"
    " agree remember recall seem matter exist"
    " work happen sure notice hear feel say problem wait idea luck rush longer wonder way reason doubt clue matter"
    " hurry"
)
"""Words behind "don't" and "no" that forbid nothing that a step could show."""
_TELLING = re.compile(r"\W*(?:i|i've|i'm|it|this|that|there|they|he|she)\b", re.IGNORECASE)
_WHY = re.compile(
    r"\W*(?:because|since|it|they|this|that|which|there|otherwise|he|she|customers|users|people|the|so that)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\s*(?:this|that|it|these|those|them)\b\W*(?:in|up|yet|now|$)", re.IGNORECASE)


def _forbidden(clause: str, others: Sequence[str], before: str, behind: str) -> Iterator[Rule]:
    clause = re.sub(r"\b(leave|keep)\b (.+?) (?:out of|out)\b", r"\1 out \2 in", clause, flags=re.IGNORECASE)
    end, start = _BEHIND.search(clause), _AHEAD.search(clause)
    if end is not None and (len(clause[: end.start()].split()) > 8 or TALKING.match(clause)):
        end = None
    if end is not None and (start is None or start.start() >= end.start()):
        said, rest, mark = clause[: end.start()], clause[end.end() :], end[0]
        said = said if re.search(r"\b(?:and|or|nor)\b", said) else said.rpartition(",")[2]
    elif start is not None and _is_order(clause, start):
        said, rest, mark = clause[start.end() :], clause[: start.start()], start[0]
    else:
        return
    if before and _TELLING.match(before) and re.match(r"(?:no|not)\b", mark, re.IGNORECASE):
        return
    said, condition, excepted = _conditioned(said, behind)
    first = re.match(r"\W*(?:(?:ever|again|directly|please|even|you|any)\s+)*([a-zA-Z][\w'-]*)", said)
    if (first and stem(first[1]) in _IDLE and end is None) or (_PRONOUN.match(said) and not rest.strip()):
        return
    if (it := _IT.match(said)) and looks(it[1], RUNS) and stem(it[1]) in VERBS and not others:
        return
    if said.lstrip().startswith(",") or (_PRONOUN.match(said) and before):
        said = ""
    verbs = _meant(clause, mark, rest if end is not None else "")
    found = slots(_listed(_THAT.sub("", said)), verbs)
    if (
        all(map(is_noise, chain.from_iterable(found.groups)))
        and _is_bare(said)
        and (found.verbs & (ON_FILES | RUNNING | USING | READING) or len(clause.split()) <= LONGEST_RIVAL + 1)
    ):
        found = _referred(found, rest, before)
    if end is not None and re.match(r"\W*(?:change\b|be \w+)", rest):
        found = found._replace(verbs=found.verbs | slots(rest).verbs)
    better = [term for each in others if not _WHY.match(each) for part in slots(each).groups for term in part]
    if rest.rstrip().endswith(":") and end is None:
        label = tuple(term for part in slots(rest).groups for term in part if looks(term.text, RUNS))
        found = found._replace(groups=tuple((*label, *part) for part in found.groups))
    for rule in _forbidding(found, clause, condition, (*found.excepted, *excepted), end is not None):
        known = {term.text.lower() for part in rule.objects for term in part}
        guard = tuple(
            term for term in better if term.text.lower() not in known and (term.is_name or looks(term.text, RUNS))
        )
        yield rule._replace(better=guard[:4], briefly=BRIEFLY.search(clause) is not None)


def _referred(found: Slots, rest: str, before: str) -> Slots:
    """What a clause that names nothing is about: the rest of it, or what was said before."""
    there = slots(rest, found.verbs)
    if there.groups or not before:
        return there if there.groups else found
    if meant := _antecedent(before):
        return Slots(found.verbs, meant, ())
    return found if _WHY.match(before) else slots(before, found.verbs)


def _antecedent(before: str) -> tuple[tuple[Term, ...], ...]:
    """What "it" and "there" mean: the paths, or else the names, of what was said before."""
    terms = joined(terms_of(before))
    paths = [term for term in terms if term.kind == PATH or (looks(term.text, PATHS) and term.kind == WORD)]
    names = [term for term in terms if term.is_name or term.text.lower() in RIVAL_NAMES]
    return tuple((term,) for term in (paths or names)[:1])


def _is_bare(said: str) -> bool:
    """Whether a phrase names no thing at all, so that what was said before is meant."""
    words = [term for term in terms_of(said) if re.search(r"\w", term.text)]
    return all(term.stem in VERBS or term.text.lower() in _FILLING for term in words)


_FILLING = words_of(
    "please ever again manual manually edits changes touching directly by hand here there any ones it them this that"
    " yours mine to be allowed ok an a the i"
    " do so all myself in on new"
)
_IT = re.compile(r"\W*(\w+) (?:this|that|it|these|those|them)\W*$", re.IGNORECASE)
_THAT = re.compile(r"\s+(?:in|on|of|from|for|at)\s+(?:this|that|these|those|our|your|my)\s+[\w -]+$", re.IGNORECASE)


def _listed(said: str) -> str:
    """Cut off what follows a comma, but for the rest of a list."""
    head, *parts = re.split(r",\s+", said)
    linked = re.search(r",?\s(?:or|nor|and)\s", said) is not None
    for part in parts:
        names = [term for term in terms_of(f"{head.split()[-1] if head.split() else ''} {part}") if term.text != ","]
        if not (linked and len(part.split()) <= 4) and not all(term.is_name for term in names):
            break
        head += f", {part}"
    return head


def _conditioned(said: str, behind: str) -> tuple[str, str, tuple[Term, ...]]:
    """Cut a condition off: (the rest, the condition, what is excepted)."""
    if re.search(r"\b(?:you|we) (?:didn't|did not|don't|haven't|have not|aren't)\b", said):
        return said, OPEN, ()
    if re.match(r"\W*(?:if|unless|when|while|once|in case)\b", behind, re.IGNORECASE):
        condition, excepted = condition_of(behind)
        return said, condition, excepted
    kept, rest = cut(said)
    if when := re.match(
        r"\W*(?:when|whenever|while|as) (?:you(?:'re| are)? )?(\w+ing|commit|push|merge|release)\b", rest, re.IGNORECASE
    ):
        return f"{kept} {when[1]}", "", ()
    if not kept.strip():
        return said, "", ()
    return (kept, *condition_of(rest))


def _is_order(clause: str, mark: re.Match[str]) -> bool:
    """Whether a clause with such a word forbids: it opens with it, or the word is seldom used to describe."""
    before = clause[: mark.start()]
    if _OPENING.fullmatch(before):
        return not re.match(
            r"\W*(?:we|i|you) (?:don'?t|do not|can'?t|cannot|didn't) (?:have|need|see|know|think|get|understand|want"
            r"|remember)\b",
            clause,
            re.I,
        )
    if _TALK.search(before) or _TELLING.match(clause):
        return False
    return _ANYWHERE.match(mark[0]) is not None or len(clause.split()) <= LONGEST_RIVAL + 2


def _meant(clause: str, mark: str, rest: str) -> frozenset[str]:
    """The verbs that a mark means: what is left alone isn't to be changed, nothing new is nothing added."""
    verbs: frozenset[str] = frozenset()
    if re.search(r"\b(?:new|another|more|additional)\b", clause):
        verbs |= ADDING
    if re.search(r"none of your|\blook", clause):
        verbs |= READING
    if re.search(r"\b(?:leave|keep) out\b(?! of)", clause, re.IGNORECASE):
        return verbs
    return verbs | CHANGING if _KEEPING.search(mark) and not verbs & READING else verbs


def _forbidding(
    said: Slots, clause: str, condition: str, excepted: tuple[Term, ...], is_behind: bool
) -> Iterator[Rule]:
    words = {term.stem for part in said.groups for term in part} | {
        stem(word) for word in re.findall(r"[\w-]+", clause)
    }
    if words & VAGUE:
        return
    verbs, groups = said.verbs, said.groups
    if verbs & CHANGING and not verbs & USING and excepted and not groups:
        paths = tuple((term,) for term in excepted if term.kind == PATH)
        if paths:
            yield Rule(ONLY, frozenset(CHANGING), paths, where=said.where, condition=condition)
        return
    if groups and any(not is_noise(term) for part in groups for term in part):
        yield Rule(NEVER, verbs, groups, (), said.where, excepted, condition)
