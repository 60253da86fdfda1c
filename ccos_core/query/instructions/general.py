"""Read any order by a small grammar: which way it points, what it is about, what takes its place.

    general_rules("Keep prints out of src/api/")    # (Rule("forbids", objects=((prints, src/api/),)),)

The way is told by a few function words, and all other words that say something are what it is about. This is for
orders in wordings that no other reader knows; `loosely` judges them, and asks that a deed show every word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ccos_core.query.instructions.german import VERBS_IN_GERMAN
from ccos_core.query.instructions.rule import (
    DEMANDS,
    FORBIDS,
    LIMITS,
    PLACED,
    START,
    STYLED,
    Rule,
    alternatives,
    condition_of,
    cut,
)
from ccos_core.query.instructions.terms import NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ADDING,
    ASKING,
    BRIEFLY,
    CHANGING,
    GENERIC,
    ON_FILES,
    READING,
    REMOVING,
    RUNNING,
    VERBS,
    stems,
)

_BEFORE = re.compile(
    r"\b(?:(?:never|mustn'?t|must not|should ?n[o']t|shall not|may not|can ?n[o']t|cannot|won't|don'?t|do not"
    r"|not to|not|no|nor|without"
    r"|avoid|refrain from|nothing|nobody|ban|stop|quit|hands off|lay off|leave(?=.*\b(?:alone|be|as|out|untouched"
    r"|unchanged)\b)"
    r"|forget|instead of|rather than"
    r"|in place of"
    r"|hate|get(?:ting)? rid of|(?:prefer|favou?r) .{1,40} over|replaced|(?:keep|stay|steer"
    r"|kept) (?:\w+ ){0,3}?(?:out of|off|away from|clear of|free of)"
    r"|nie|niemals|nicht|nichts|keine?[nrsm]?|ohne|(?:an)?statt|(?:finger|hände) weg von|spar dir"
    r"|lasst?(?=.*\b(?:ruhe|so|wie|sein|weg)\b)"
    r"|ne|on ne|laisse[rz]?(?=.*\b(?:tel|comme|tranquille)\b)|sans|jamais|pas de|nada de|nunca|sin|ning[uú]n"
    r"|no)\b(?:\s+(?:ever|again|you dare|with"
    r"|on|in|the|my|von|die|das|den|der|to|see|want|any|yet|another|plain|touche pas à|modifie rien dans)\b)*)",
    re.IGNORECASE,
)
"""What is forbidden stands behind it."""
_BEHIND = re.compile(
    r"\b(?:(?:is|are|was|stays?|remains?|ist|sind|bleib(?:t|en)|gets?|go(?:es)?) (?:\w+ ){0,3}?(?:off[- ]limits"
    r"|untouched|unchanged|frozen|read[- ]only|taboo|tabu"
    r"|forbidden|banned|prohibited|verboten|sacred|out of bounds|out|immutable|dead|gone|deprecated|going away"
    r"|not (?:yours|allowed|an? |ok\b|okay|welcome|permitted|to be)|my job|mine|none of your business"
    r"|useless|cheating|a mistake|taken|belegt|obsolete|as (?:is|it is|they are|it stands)|at the \w+ (?:it"
    r"|they) (?:is|are))"
    r"|must(?: not| never|n't)(?= (?:be \w+|change)\b)|(?:has|have) no (?:place|business)|(?:schreibe|mache|machst"
    r"|mach|do|write|edit) (?:das )?(?:ich|I)?\s*(?:the \w+ )?(?:selbst|myself)"
    r"|wie (?:sie|er|es) ist|nicht anfassen)\b",
    re.IGNORECASE,
)
"""What is forbidden stands before it."""
_KEEPING = re.compile(
    r"\b(?:off[- ]limits|untouched|unchanged|frozen|read[- ]only|taboo|tabu|hands off|sacred|out of bounds"
    r"|immutable|as is|as it|as they"
    r"|leave|lass|lasst|laisse[rz]?|finger weg|hände weg|bleib(?:t|en)|at the \w+ (?:it|they)|touche|modifie"
    r"|anfassen|out of|away from|clear of"
    r"|myself|selbst|my job|not yours|none of your|must not)\b",
    re.IGNORECASE,
)
"""What is left alone is not to be changed, though no verb says so."""
_PURPOSES = re.compile(
    r"\s+(?:for|in my name|on my machine|in order to|to (?:get|make|fix|save)|at it|so that|this week|today"
    r"|cette semaine|any ?more|for now)\b.*",
    re.IGNORECASE,
)
_MARKS = stems(
    "never don't dont not no nor avoid refrain nothing none nobody ban banned forbidden prohibited disallowed off-limit"
    " off limit taboo hand hands free clear away untouched unchanged frozen read-only immutable sacred bound bounds "
    "no-go"
    " leave alone lay quit stop stay steer keep out nie niemals nicht kein keine keinen keiner verboten tabu finger weg"
    " bleibt bleiben wie sie ist sind es bitte please must mustn't shouldn't cannot can't won't may shall should "
    "allowed"
    " permitted welcome belong belongs place business need needs want wants like ever again yourself hand manually"
    " accidentally direct directly real really existing current here mine already anymore longer further additional "
    "extra"
    " new newly fresh more committed shipped checked-in production-ready just simply whatsoever day circumstances"
    " circumstance under condition der die das den dem des ein eine einen im in auf mit für von zu und oder noch "
    "mehr wir"
    " ich du neue neuen neuer hier wird werden soll sollen darf dürfen muss müssen always immer everywhere rule rules"
    " thing try trying start end okay fine good bad allow permit accept good idea reason reasons matter sake"
    " repo repository codebase project tree part parts call calls calling call-site line lines statement statements"
)
_IDLE = re.compile(
    r"\b(?:worry|forget|hesitate|have to|need to|think|know|see any|mind|believe|understand|care|bother|remember|sure"
    r"|problem|why|what|how|maybe|perhaps|seems?|looks? like|was|were|did|does|doesn't|didn't|isn't|aren't|wasn't"
    r"|hasn't"
    r"|haven't|couldn't|wouldn't|i|i'm|i've|it's|that's|there's|there (?:is|are)|we're|they|he|she)\b",
    re.IGNORECASE,
)
"""Words of talk: a clause that has them orders nothing for certain."""
_NOISE = stems(
    "trailer block blocks plain naked called wip-commit things thing pls please thanks local stdlib library today "
    "yet commit-message"
    " old own whole big half large small hard-coded hardcoded repo top level explicit proper valid working api dump "
    "dumping texten claude put pull yet another clean such mail mails go goes put manual public"
    " header our left dare see throw leave get want type name names file files image images url urls test-suite "
    "anything"
)
"""Words that need not be seen in a deed, if another one is."""
_CLAUSES = re.compile(
    r";\s+|\s[—–]+\s|\s-{1,2}\s|\.\s+(?=[A-Z])|!\s+|,?\s+(?:but|sondern)\s+|,\s+|\s\((?=never|not\b)"
    r"|:\s+(?=\w+ \w+)|\s+(?:and|und)\s+(?=(?:not|never|no|don't|do not)\b)",
    re.IGNORECASE,
)
_NEEDS = (
    re.compile(
        r"\b(?:never|no|not|don't|do not|kein\w*|nie(?:mals)?)\b\s*(?P<what>.+?)\s+(?:without|unless (?:it|they"
        r"|you)(?: has| have| use| pass)?|ohne)"
        r"\s+(?P<needed>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:pass|add|give|append|put|set|include|attach|hand)\s+(?P<needed>.+?)\s+(?:to|on|in|into|for|with"
        r"|(?:on|at the) (?:top|end|start) of|whenever you (?:call|run|use|start))"
        r"\s+(?:every\s+|each\s+|all\s+|any\s+|whenever\s+)*(?P<what>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<needed>.+?)\s+(?:in|on|for)\s+(?:every|each|all|any)\s+(?P<what>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:a|an|any|every)\s+(?P<what>.+?)\s+without\s+(?P<needed>.+?)\s+(?:does|is|will|won't|gets?)\b.*",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<what>.+?)\s+(?:always\s+)?(?:needs?|requires?|takes?|gets?|carr(?:y|ies)|bears?|braucht|brauchen"
        r"|bekommt|bekommen"
        r"|(?:must|should|has to|have to|needs? to|muss|müssen|soll(?:en)?)\s+(?:always\s+)?(?:have|carry|contain"
        r"|include|declare|use|be (?:run|called|made|built|started|marked|tagged|signed) (?:with|through|via|by)"
        r"|start with|begin with|end (?:with|in)|name|mention|list|set|pass|come with)|comes? with|(?:starts?"
        r"|begins?|ends?) (?:with|in)|only (?:with|through|via|in)|(?:immer )?(?:nur )?mit|always with"
        r"|goes? through|go via)"
        r"\s+(?P<needed>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:always|only|please|must|should|immer|nur)?\s*\b(?:run|call|use|invoke|start|build|test|write|make"
        r"|open|create|commit|merge|deploy|mark|sign|tag|prefix)\b"
        r"\s*(?P<what>.+?)\s+(?:always |only )?(?:with|using|under|in|via|by)\s+(?P<needed>.+)",
        re.IGNORECASE,
    ),
)
_DEMANDED = re.compile(
    r"\b(?:every|each|all|any|always|must|should|has to|have to|needs?|only|required?|requires|please|immer"
    r"|jede[rsmn]?|alle|muss|müssen|nur|braucht|without|ohne|never|no)\b",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"^(?P<what>.+?)\s*\b(?:goes?|belongs?|lives?|sits?|lands?|stays?|are (?:kept|stored|placed|put)|is (?:kept"
    r"|stored|placed|put)"
    r"|(?:should|must|have to|has to|need to) (?:go|live|be (?:put|placed|kept|stored|added|created)|sit|land|stay)"
    r"|gehör(?:t|en)|komm(?:t|en)|lieg(?:t|en))\s+"
    r"(?:only |always |nur |immer )?(?:in|into|to|under|below|inside|unter|nach)\s+(?P<place>.+)"
    r"|\b(?:put|place|keep|store|create|add|write|drop|save|leg\w*)\s+(?P<what2>.+?)\s+(?:only |always )?(?:in|into"
    r"|to|under|below|inside|unter)\s+(?P<place2>.+)",
    re.IGNORECASE,
)
STYLES = {
    "snake": re.compile(r"_?[a-z0-9]+(?:_[a-z0-9]+)*_?"),
    "camel": re.compile(r"_?[a-z][a-z0-9]*(?:[A-Z0-9][a-z0-9]*)*"),
    "pascal": re.compile(r"(?:[A-Z][a-z0-9]*)+"),
    "kebab": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    "upper": re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)*"),
    "lower": re.compile(r"[^A-Z]*"),
}
_STYLED = re.compile(
    r"\b(?P<style>snake|camel|pascal|kebab|upper|lower|capital|screaming[_ -]snake)[_ -]?case?s?\b"
    r"|\b(?P<other>lower[- ]?case|upper[- ]?case|capitals|PascalCase|camelCase)\b",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?P<most>at most|no more than|not more than|no longer than|not longer than|max(?:imum|imal)?(?: of)?|under"
    r"|below|up to|less than|fewer than"
    r"|within|shorter than|höchstens|maximal|(?:never|not|don't|no|n't)\b.{0,50}\b(?:exceed|over|above|beyond"
    r"|more than|longer than|past|than))"
    r"\s+(?P<number>\d[\d_,]*)\s*(?P<unit>\w+)?"
    r"|\b(?P<least>at least|no (?:less|fewer) than|min(?:imum|destens)(?: of)?|(?:never|not"
    r"|don't)\b.{0,50}\b(?:below|under|less than|fewer than))\s+(?P<number2>\d[\d_,]*)\s*(?P<unit2>\w+)?"
    r"|\b(?P<number3>\d[\d_,]*)[ -](?P<unit3>\w+)\s+(?P<most3>limit|max(?:imum)?|at most|or (?:less|fewer)|tops)\b",
    re.IGNORECASE,
)
MOST_TERMS = 5
"""Words an order may be about: those of a longer one aren't all found in one deed."""


_QUOTING = re.compile(
    r"\W*(?:q|a|re):\s|\W*(?:no|yes|ok|hm+) wait\b|\W*[\"“].*[\"”]|\W*[\w./-]+\.\w+:\s|\W*(?:how about|what if"
    r"|can you|could you)\b(?!.*case\b)",
    re.IGNORECASE,
)
"""Texts that report, quote or propose."""
_WHOLE = re.compile(r"\b(?:without|unless|whenever|in front of|where|who|which)\b")
_CONDITION = re.compile(r"(?:if|when|unless|while|once|in case)\b", re.IGNORECASE)
_GERMAN_VERB = re.compile(rf"\b(?:{'|'.join(VERBS_IN_GERMAN)})\b", re.IGNORECASE)
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLAINLY = (
    (re.compile(r"\b(no|as) any\b(?=\W*$|,)", re.IGNORECASE), r"\1 `any`"),
    (re.compile(r"\bselect \*", re.IGNORECASE), "`SELECT *`"),
    (re.compile(r"\b(?:new )?branch(?:es)?\b(?=.*\b(?:delet|remov)\w+)|(?<=delete )(?:\w+ )?branches\b"
                r"|(?<=deleting )(?:of )?branches|(?<=create )(?:new )?branch(?:es)?\b|\bnew branch(?:es)?\b",
                re.IGNORECASE), "gitbranch"),
    *((re.compile(rf"\b{word}\b(?= \w+)", re.IGNORECASE), str(at)) for at, word in enumerate(_NUMBERS, 2)),
)  # fmt: skip
"""What is said in words that mean something else, as names that are known."""


@lru_cache(maxsize=4_000)
def general_rules(text: str) -> tuple[Rule, ...]:
    """Return what an order says, in whatever wording; the text is one statement, in plain words."""
    if text.rstrip().endswith("?") or _QUOTING.match(text):
        return ()
    for pattern, said in _PLAINLY:
        text = pattern.sub(said, text)
    text = _GERMAN_VERB.sub(lambda found: VERBS_IN_GERMAN[found[0].lower()], text)
    clauses = _joined(_CLAUSES.split(text))
    found = []
    for at, clause in enumerate(clauses):
        whole = _WHOLE.search(clause) is not None and not ASKING.search(clause)
        said, rest = (clause, "") if whole else cut(clause)
        condition, excepted = condition_of(rest) if not re.match(r"\W*until\b", rest) else ("", ())
        behind = clauses[at + 1] if at + 1 < len(clauses) else ""
        if not condition and _CONDITION.match(behind):
            condition, excepted = condition_of(behind)
        briefly = BRIEFLY.search(clause) is not None
        others = [each for number, each in enumerate(clauses) if number != at]
        found += [
            rule._replace(condition=condition, excepted=excepted, briefly=briefly)
            for rule in _read(said.strip(" .!,()"), others, clauses[at - 1] if at else "")
        ]
    return tuple(each for each in dict.fromkeys(found) if each.objects and all(each.objects))


def _joined(parts: list[str]) -> list[str]:
    """Join the parts of a list: `a, b or c`, of which the later ones have no verb."""
    found: list[str] = []
    for part in parts:
        is_item = (
            found
            and len(part.split()) <= 3
            and re.search(r"\b(?:or|nor|oder|and)\b", part)
            and len(found[-1].split()) <= 8
        )
        if is_item and not _BEFORE.match(part) and not _BEHIND.search(part):
            found[-1] += f" or {part}"
        elif part and part.strip():
            found.append(part.strip())
    return found


def _read(clause: str, others: list[str], before: str) -> Iterator[Rule]:
    if not clause:
        return
    for reader in (_limited, _styled, _needed, _placed):
        found = [] if _IDLE.search(clause) else list(reader(clause))
        if found:
            yield from found
            return
    yield from _forbidden(clause, others, before)


def _about(phrase: str) -> list[Term]:
    """The terms of a phrase that say what it is about; `or`, `and` and commas stay."""
    return [
        term
        for term in terms_of(phrase)
        if term.text.lower() in (",", "or", "and", "nor", "oder", "und", "&")
        or (term.kind != WORD and term.text.lower() not in ("don't", "off-limits"))
        or (term.stem not in _MARKS and term.text.lower() not in _MARKS)
    ]


def _is_verb(term: Term) -> bool:
    return term.kind == WORD and term.stem in VERBS and term.text.lower() != "wip"


def _groups(phrase: str) -> tuple[frozenset[str], tuple[tuple[Term, ...], ...]]:
    """Return (the verbs, the alternatives of what a phrase is about)."""
    terms = _about(phrase)
    verbs = {term.stem for term in terms if _is_verb(term)}
    doing = ON_FILES | RUNNING | READING | REMOVING
    kept = [
        term
        for at, term in enumerate(terms)
        if not (_is_verb(term) and (term.stem in doing or (not at and term.stem in GENERIC and terms[1:])))
    ]
    parts = alternatives(kept)
    last = [term for term in parts[-1] if term.kind == PATH] if parts else []
    groups = tuple(
        (*part, *last) if last and not any(term.kind == PATH for term in part) else part
        for part in parts
        if len(part) <= MOST_TERMS
    )
    return frozenset(verbs), groups


def _forbidden(clause: str, others: list[str], before: str) -> Iterator[Rule]:
    behind, ahead = _BEHIND.search(clause), _BEFORE.search(clause)
    if behind is not None and len(clause[: behind.start()].split()) > MOST_TERMS and not _KEEPING.search(behind[0]):
        return
    if behind is not None and (ahead is None or ahead.start() >= behind.start()):
        said, rest, mark = clause[: behind.start()], clause[behind.end() :], behind[0]
    elif ahead is not None:
        if not _is_order(clause, ahead):
            return
        said, rest, mark = clause[ahead.end() :], clause[: ahead.start()], ahead[0]
    else:
        return
    if before and _TELLING.match(before) and re.match(r"(?:no|not)\b", mark, re.IGNORECASE):
        return
    said = _PURPOSES.sub("", said)
    verbs, groups = _groups(said)
    if not groups and (verbs & ON_FILES or (not verbs - GENERIC and len(clause.split()) <= MOST_TERMS + 1)):
        more, groups = _groups(rest) if _groups(rest)[1] else _groups(before)
        verbs |= more
    verbs = _meant(verbs, clause, mark, _groups(rest)[0] if behind is not None else frozenset(), rest)
    better = [term for each in [*others, rest] for term in content_of(_about(each)) if term.stem not in GENERIC]
    if better and (_RIVAL.match(mark) and len(said.split()) <= MOST_TERMS):
        verbs |= {"us"}
    known = {term.text.lower() for part in groups for term in part}
    yield Rule(FORBIDS, verbs, groups, tuple(term for term in better if term.text.lower() not in known)[:4])


_OPENING = re.compile(rf"{START}(?:(?:pls|bitte|und|also|you|we|on|then|dann|nein|i) )*", re.IGNORECASE)
_ANYWHERE = re.compile(
    r"\b(?:never|nie|niemals|kein\w*|without|ohne|instead of|rather than|in place of|(?:an)?statt|sans|sin|nunca"
    r"|jamais|nothing|nobody"
    r"|must not|mustn'?t|should not|shouldn'?t|may not|nicht|nichts|(?:prefer|favou?r)\b.*)",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:let'?s|lets|if|when|whether|like|think|see|seems?|maybe|how|why|what|was|were|did|does|doesn't|didn't"
    r"|isn't|aren't|is|are"
    r"|i'm|i've|it's|that's|there|could|would|worry|need to|have to|know|mind|believe|understand|sure|since|because)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\W*(?:i|i've|i'm|it|this|that|there|they|he|she)\b", re.IGNORECASE)
_RIVAL = re.compile(
    r"\W*(?:instead of|rather than|in place of|(?:an)?statt|not|never|nicht|nie|no|kein\w*|prefer|favou?r|replaced"
    r"|forget)\b",
    re.IGNORECASE,
)
_WANTING = re.compile(r"\W*i (?:don'?t want|hate|never want)\b", re.IGNORECASE)


def _is_order(clause: str, mark: re.Match[str]) -> bool:
    """Whether a clause with such a word forbids: it opens with it, or the word is seldom used to describe."""
    if _WANTING.match(clause) or re.match(r"\W*(?:we )?(?:don'?t|do not) you dare\b", clause, re.IGNORECASE):
        return True
    if _TALK.search(clause) or (re.match(r"\W*i\b", clause, re.IGNORECASE) and not _WANTING.match(clause)):
        return False
    return _OPENING.fullmatch(clause[: mark.start()]) is not None or _ANYWHERE.match(mark[0]) is not None


def _meant(verbs: frozenset[str], clause: str, mark: str, behind: frozenset[str], rest: str) -> frozenset[str]:
    """Add the verbs that a mark means: what is left alone isn't to be changed, nothing new is nothing added."""
    if re.match(r"\W*change\b|\W*be \w+|\W*to be \w+", rest):
        verbs |= behind
    if re.search(r"\bnew\b", clause) and not verbs & ON_FILES:
        verbs |= ADDING
    if re.search(r"none of your|look", mark):
        verbs |= READING
    return verbs | CHANGING if _KEEPING.search(mark) and not verbs & (ON_FILES | READING) else verbs


def _needed(clause: str) -> Iterator[Rule]:
    if _HINTS.search(clause) and not _BEFORE.search(clause):
        yield Rule(FORBIDS, frozenset(), ((Term(WORD, "untyped"),),))
        return
    for at, pattern in enumerate(_NEEDS):
        found = pattern.search(clause)
        if found is None or (at not in (0, 3) and _BEFORE.search(clause[: found.end("what")])):
            continue
        needed = [
            term for term in content_of(_about(found["needed"])) if term.stem not in GENERIC and not is_noise(term)
        ]
        named = [term for term in needed if term.is_name or re.search(r"[A-Z=]", term.text)]
        if (at == len(_NEEDS) - 1 and not _DEMANDED.search(clause)) or (at == 1 and not named):
            continue
        _, what = _groups(found["what"])
        if not what and re.search(r"\bfiles?\b", found["what"]):
            what = ((Term(WORD, "file"),),)
        if what and needed and (named or _EACH.search(clause)):
            yield Rule(DEMANDS, frozenset(), what, tuple((named or needed)[:2]))
            return


_EACH = re.compile(r"\b(?:every|each|always|all|any|never|no|jede[rsmn]?|immer|alle)\b", re.IGNORECASE)
_HINTS = re.compile(r"\btype[- ](?:hints?|annotations?)\b", re.IGNORECASE)


def _placed(clause: str) -> Iterator[Rule]:
    found = _PLACED.search(clause)
    if found is None or _BEFORE.search(clause) or _BEHIND.search(clause):
        return
    places = [term for term in terms_of(found["place"] or found["place2"]) if term.kind == PATH]
    _, what = _groups(found["what"] or found["what2"])
    if places and what and not any(term.kind == PATH for part in what for term in part):
        yield Rule(PLACED, frozenset(), what, tuple(places[:1]))


def _styled(clause: str) -> Iterator[Rule]:
    found = _STYLED.search(clause)
    if found is None:
        return
    said = re.sub(r"[- ]?case|s$", "", (found["style"] or found["other"]).lower())
    style = {
        "screaming_snake": "upper",
        "screaming-snake": "upper",
        "screaming snake": "upper",
        "capital": "upper",
    }.get(said, said)
    before = clause[: found.start()]
    if re.search(r"\b(?:not|never|no|instead of|rather than|statt)\W*$", before, re.IGNORECASE) or style not in STYLES:
        return
    what = tuple((term,) for term in terms_of(clause) if term.stem in NAMED)
    if what:
        yield Rule(STYLED, frozenset(), what, (Term(WORD, style),))


NAMED = {
    "fil": "file", "file": "file", "component": "file", "modul": "file", "function": "function", "method": "function",
    "helper": "function", "constant": "constant", "variabl": "name",
}  # fmt: skip
"""Stem of a noun → what of a deed has a name of that kind."""


def _limited(clause: str) -> Iterator[Rule]:
    found = _LIMITED.search(clause)
    if found is None:
        return
    number = found["number"] or found["number2"] or found["number3"]
    unit = found["unit"] or found["unit2"] or found["unit3"] or ""
    way = "least" if found["least"] else "most"
    rest = (
        f"{clause[: found.start()]} {clause[found.end() :]}"
        + f" {clause[found.start() : found.start('number')] if found['number'] else ''}"
    )
    terms = [
        term
        for term in content_of(_about(rest))
        if term.kind != NUMBER
        and term.stem not in stems("exceed over above longer more than past most maximum max long big")
    ]
    yield Rule(LIMITS, frozenset([way]), (tuple(terms[:MOST_TERMS]) or (Term(WORD, unit),),),
               (Term(NUMBER, re.sub(r"[_,]", "", number)), Term(WORD, unit)))  # fmt: skip


def is_noise(term: Term) -> bool:
    """Tell whether a word need not be seen in a deed."""
    return term.kind == WORD and term.stem in _NOISE
