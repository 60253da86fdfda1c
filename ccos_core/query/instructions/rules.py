"""Read a statement as rules: what it forbids, what is to be used instead, what must be done first.

    rules_of("Use pnpm, not npm.")      # (Rule("instead", objects=((npm,),), better=(pnpm,)),)

A sentence that isn't certainly an order gives none: questions, descriptions ("it never fails"), orders without an
object that could be found in a step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ccos_core.query.instructions.demands import (
    INSTEAD_WORDS,
    brief_instead,
    read_begins,
    read_flagged,
    read_holds,
    read_instead,
    read_only,
    read_order,
    read_use,
    read_value,
)
from ccos_core.query.instructions.general import general_rules
from ccos_core.query.instructions.german import in_english
from ccos_core.query.instructions.rule import (
    ASKED,
    CUES,
    OPEN,
    ORDER,
    START,
    USE,
    Rule,
    cut,
    forbid,
    verbs_of,
    where_of,
)
from ccos_core.query.instructions.terms import FLAG, WORD, content_of, terms_of
from ccos_core.query.instructions.words import ADDING, CHANGING, PROGRAMS, VERBS, stem, stems

LONGEST_RULE = 600
"""Characters of a statement that is read as rules: longer ones are pasted texts."""


@lru_cache(maxsize=4_000)
def rules_of(text: str) -> tuple[Rule, ...]:
    """Return the rules of a statement; none where it isn't certainly one."""
    if len(text) > LONGEST_RULE or _ASKS.search(text):
        return ()
    text = in_plain_words(text)
    text = _COLON.sub(r"\1 ", text.replace("’", "'"))
    text = re.sub(r"\bcheck(?:ing)? (\w+ )?in\b", r"commit \1", text, flags=re.IGNORECASE)
    text = _ASIDE.sub("", text).rstrip(" .!,")
    found = [rule for clause in _clauses(text) for rule in _rules(clause)]
    found += general_rules(text)
    if _CONDITIONAL.match(text):
        found = [
            rule._replace(condition=OPEN) if rule.sense != ORDER and not rule.condition else rule for rule in found
        ]
    return tuple(each for each in dict.fromkeys(found) if each.objects)


def in_plain_words(text: str) -> str:
    """Return an instruction in the words that readers know: English, and names of commands for what they do."""
    text = in_english(text.strip())
    text = _PULL_REQUEST.sub(lambda found: f"`gh pr {'merge' if found[1].lower() == 'merge' else 'create'}`", text)
    for pattern, said in _SAID_OTHERWISE:
        text = pattern.sub(said, text)
    return text


# ---- clauses ----

_ASIDE = re.compile(r"\s\((?!(?:never|always|don't|do not|not|no|only)\b)[^()]*\)", re.IGNORECASE)
_CONDITIONAL = re.compile(r"\W*(?:if|when|whenever|unless|in case|once|after|should you|as soon as)\b", re.IGNORECASE)
_PULL_REQUEST = re.compile(
    r"\b(open|create|make|merge) (?:a |the |every |all |any )?(?:pull requests?"
    r"|prs?)\b",
    re.IGNORECASE,
)
_SAID_OTHERWISE = tuple(
    (re.compile(pattern, re.IGNORECASE), said)
    for pattern, said in (
        (r"\b(?:pull requests?|prs)\b", "`gh pr`"),
        (r",?\s*\bplease\b(?=[\s,.!]*$)", ""),
        (r"\bforce-push", "force push"),
        (r"(?<!`)\bselect \*(?!\w)", "`SELECT *`"),
    )
)
_ASKS = re.compile(r"[^\s]\?[\s\"'”)*]*$")
_COLON = re.compile(r"((?:do not|don't|never|not|only) \w+):", re.IGNORECASE)

_SPLIT = re.compile(
    rf";\s+|\s[—–]+\s|\s-{{1,2}}\s|:\s+|\.\s+(?=[A-Z])|!\s+|,?\s+but\s+(?!not\b|never\b)|,\s+(?:and\s+)?(?={CUES})"
    rf"|\s+and\s+(?=(?:never|don't|do not|always)\b)|\s\((?={CUES})|,\s+(?:so|because|since)\s+",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^\W*(?:why|how|what|when|where|who|which|is|are|does|do|did|can|could|would|should|have) ", re.I
)


def _clauses(text: str) -> Iterator[str]:
    """Split a statement where a further order begins; one that says what to use instead of what stays whole."""
    if brief_instead(text) or (INSTEAD_WORDS.search(text) and not re.search(r"[;:.!]\s", text)):
        yield text
        return
    for part in _SPLIT.split(text):
        part = part.strip(" *_>\"'-")
        if part and not part.endswith("?"):
            yield part


def _rules(clause: str) -> Iterator[Rule]:
    readers = (
        _asked_first,
        read_order,
        read_flagged,
        read_begins,
        read_instead,
        _untouched,
        read_only,
        _never,
        _no,
        read_holds,
        read_value,
        read_use,
    )
    if _QUESTION.match(clause) and not re.match(r"\W*do not\b", clause, re.IGNORECASE):
        return
    for reader in readers:
        found = list(reader(clause))
        if found:
            yield from found
            return


# ---- what is forbidden ----

_NEVER = re.compile(
    rf"^{START}(?:(?:you|we|it|agents?|the agent|nobody|no one)\s+)?(?:(?:must|should|shall|may|can|will)(?: not"
    rf"|n't| never)|cannot|can't"
    r"|mustn't|shouldn't|don't|dont|do not|never|avoid|refrain from|stop|not to)\s+(?P<what>.+)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"\b(?:please|and|just|to|told you|asked you|want you|need you|you to|remember|you) (?:don't|do not|never"
    r"|not to|to never"
    r"|must not|mustn't|should not|shouldn't|must never|should never) (?:ever )?(?P<what>[a-z][\w-]* .+"
    r"|[a-z][\w-]*$)",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^(?P<what>.+?)\s+(?:must|should|shall|may|can|is|are|will)(?:\s*n't| not| never"
    r"|not)(?: ever)?(?: to)? be(?: ever)?"
    r"(?: directly)?\s+(?P<verb>\w+)(?P<rest>.*)|^(?P<what2>.+?)\s+is not to be (?P<verb2>\w+)",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"^(?:i said(?: at the start)?:?\s*)?nothing (?:below|under|in|inside|within"
    r"|beneath) (?P<what>\S+)",
    re.IGNORECASE,
)
_NOTHING_NEW = re.compile(
    rf"^{START}(?:put|add|write|create)\s+nothing\s+(?:more |new |else )?(?:in|to|into|below|under"
    rf"|inside)\s+(?P<what>\S+)"
    rf"|^{START}nothing\s+(?:new|more|else)\s+(?:in|to|into|below|under|inside|goes (?:in|into|to))\s+(?P<what2>\S+)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:the |our |your |all )?(?P<who>tests?|code|scripts?|handlers?|components?|modules?|functions?)\s+"
    r"(?:must|should|may|shall|can)(?:\s*n't| not| never|not)\s+(?!be\b)(?P<what>.+)",
    re.IGNORECASE,
)
_IDLE = stems(
    "worry forget hesitate need have think know see mind want like believe understand get let expect care be bother"
    " assume agree remember recall seem matter exist work happen sure notice appear hear feel say you i we it"
)
"""Verbs after "don't" that forbid nothing that a step could show."""


def _never(clause: str) -> Iterator[Rule]:
    passive = _PASSIVE.match(clause)
    if passive:
        verb = frozenset([stem(passive["verb"] or passive["verb2"])])
        rest = passive["rest"] or ""
        yield from forbid(f"{passive['what'] or passive['what2']} {rest}", verb)
        return
    if nothing := _NOTHING_NEW.match(clause):
        yield from forbid(nothing["what"] or nothing["what2"], ADDING)
        return
    if subject := _SUBJECT.match(clause):
        where = f" in {subject['who']}" if subject["who"].lower() in ("tests", "test") else ""
        yield from forbid(subject["what"] + where)
        return
    if nothing := _NOTHING.match(clause):
        yield from forbid(nothing["what"], CHANGING)
        return
    found = _NEVER.match(clause) or _INSIDE.search(clause)
    if found is None:
        return
    what = found["what"]
    first = re.match(r"(?:(?:ever|again|directly|please|even)\s+)*([a-zA-Z][\w'-]*)", what)
    if first and stem(first[1]) in _IDLE:
        return
    if re.match(r"\W*(?:stop|avoid)\b", clause, re.IGNORECASE) and first and not first[1].endswith("ing"):
        if re.match(r"\W*stop\b", clause, re.IGNORECASE):
            return
        yield from forbid(what, USE)
        return
    yield from forbid(what)


_UNTOUCHED = re.compile(
    rf"^{START}(?:leave|keep)\s+(?P<what>.+?)\s+(?:alone|untouched|unchanged|as (?:it|they) (?:is|are|stands?)"
    rf"|as[- ]is"
    r"|frozen|read[- ]only|exactly as)\b"
    rf"|^{START}(?:keep your |keep )?hands off (?:of )?(?P<what2>.+)"
    rf"|^{START}(?:keep|stay) (?:out of|away from|clear of) (?P<what3>.+)"
    r"|^(?P<what4>.+?)\s+(?:is|are|stays?|remains?|must (?:stay|remain|be left|be)|should (?:stay|remain|be left)"
    r"|needs? to (?:stay|remain)|has to (?:stay|remain))\s+(?:strictly |completely |absolutely |still |also "
    r"|considered )?"
    r"(?:off[- ]limits|read[- ]only|frozen|untouched|unchanged|out of bounds|taboo|sacred|alone|as (?:it"
    r"|they) (?:is|are))\b"
    r"|^(?P<what5>.+?)\s+(?:is|are)\s+(?:strictly |completely |absolutely |also )?(?:forbidden|banned|prohibited"
    r"|not allowed|verboten|disallowed)\b",
    re.IGNORECASE,
)


def _untouched(clause: str) -> Iterator[Rule]:
    found = _UNTOUCHED.match(clause)
    if found is None:
        return
    if found["what5"]:
        verbs, rest = verbs_of(found["what5"])
        yield from forbid(found["what5"], USE) if not verbs & VERBS else forbid(rest, verbs)
        return
    what = next(each for each in found.groups()[:4] if each)
    yield from forbid(what, CHANGING)


_NO = re.compile(
    rf"^{START}(?:absolutely |strictly )?(?:(?:write|add|use|make|introduce|do|put|leave) )?(?:no|zero"
    rf"|without any|do without|work without)\s+(?:more |new |further |additional |extra "
    r"|other )?(?P<what>.+)",
    re.IGNORECASE,
)
_SUCH = stems("new more further additional direct manual force unrelated other accidental unasked big")
_KINDS = stems(
    "dependencies dependency packages libraries comments emojis emoji todos todo mocks print prints console.log"
)
_NOUNS = {
    "chang": "change", "edit": "edit", "modification": "change", "commit": "commit", "push": "push", "deletion":
    "delete", "import": "import", "releas": "release", "deploy": "deploy", "deployment": "deploy", "call": "call",
    "merge": "merge", "writ": "write", "touching": "touch", "rebas": "rebase", "force-push": "push",
}  # fmt: skip


SHORT_WORDS = 5
"""Words of "no X" that may be an order by the kind of X alone."""


def _no(clause: str) -> Iterator[Rule]:
    found = _NO.match(clause)
    if found is None:
        return
    what = re.sub(
        r"\s+(?:please|allowed|at all|whatsoever|anywhere"
        r"|ever)\W*$",
        "",
        found["what"],
        flags=re.IGNORECASE,
    )
    words = terms_of(what)
    for at, term in enumerate(words[:2]):
        if term.kind == WORD and term.stem in _NOUNS and not any(each.stem not in _SUCH for each in words[:at]):
            before = " ".join(each.text for each in words[:at])
            after = what.partition(term.text)[2]
            yield from forbid(f"{before} {after}", frozenset([stem(_NOUNS[term.stem])]))
            return
    said = content_of(terms_of(where_of(cut(what)[0])[0]))
    is_name = any(term.quoted or term.kind == FLAG or term.text.endswith("()") for term in said)
    short = bool(said) and len(words) <= SHORT_WORDS and all(term.is_name for term in said)
    known = bool(said) and said[0].text.lower() in PROGRAMS
    if len(said) <= 4 and (is_name or short or known or {term.stem for term in said} & _KINDS):
        yield from forbid(what, USE)


_ASKED_FIRST = re.compile(
    rf"^{START}(?:always )?(?:ask|check with|confirm with|tell|consult|get (?:my|our) (?:ok|okay|approval"
    rf"|permission))"
    r"(?: \w+){0,3}? (?:before|prior to|first before)(?: you)?(?: ever)? (?P<what>.+)"
    rf"|^{START}before (?:you )?(?P<what2>.+?),? (?:always |please |you must |you )*(?:ask|check with"
    rf"|confirm with|tell)\b",
    re.IGNORECASE,
)


def _asked_first(clause: str) -> Iterator[Rule]:
    if found := _ASKED_FIRST.match(clause):
        for rule in forbid(found["what"] or found["what2"]):
            yield rule._replace(condition=ASKED)
