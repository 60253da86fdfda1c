"""Read what a clause demands: what is to be used, done first, passed along, how texts begin, which value is set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.query.instructions.rule import (
    BEGINS,
    FLAGGED,
    GIT_VERBS,
    HOLDS,
    INSTEAD,
    NEVER,
    ONLY,
    ORDER,
    PURPOSE,
    START,
    USE_WORDS,
    VALUE,
    Rule,
    alternatives,
    condition_of,
    cut,
    where_of,
)
from ccos_core.query.instructions.terms import CODE, FLAG, NUMBER, PATH, WORD, Term, content_of, terms_of
from ccos_core.query.instructions.words import (
    ASKING,
    CHANGING,
    FORMATTERS,
    GENERIC,
    LANGUAGE_ENDS,
    LINTERS,
    ON_FILES,
    PROGRAMS,
    RIVALS,
    RUNNING,
    TEST_RUNNERS,
    USING,
    VERBS,
    stem,
    stems,
)

INSTEAD_WORDS = re.compile(
    rf"\b{USE_WORDS}\s+(?P<better>.+?)(?:,?\s+(?:instead of|rather than|in place of|as opposed to|and not|but not"
    rf"|and never)"
    rf"|,\s*(?:not|never))\s+(?P<bad>.+)|\b{USE_WORDS}\s+(?P<better2>[^,']{{1,60}}?)(?:,\s*|\s+)(?:not"
    rf"|never)\s+(?P<bad2>[^,]{{1,40}})$"
    rf"|\b(?:prefer|favou?r)\s+(?P<better3>.+?)\s+over\s+(?P<bad3>.+)"
    rf"|\b(?:instead of|rather than|in place of)\s+(?P<bad4>.+?),?\s+(?:please |always |you |must "
    rf"|should )*{USE_WORDS}\s+"
    rf"(?P<better4>.+)|\b(?:switch(?:ed)?|mov(?:e|ed)|migrat(?:e|ed)|chang(?:e|ed))(?: over)? from (?P<bad5>.+?) to"
    rf" (?P<better5>.+)|\b(?:don't use|do not use|never use)\s+(?P<bad6>[^,]{{1,40}}),?\s+but\s+(?:use\s+)?"
    rf"(?P<better6>.+)",
    re.IGNORECASE,
)  # fmt: skip
# ---- what is to be used, and nothing else ----


_BRIEF_INSTEAD = re.compile(
    rf"^{START}(?P<better>[^,;]{{1,60}}?)(?:\s+(?:instead of|rather than|in place of)|(?P<comma>,\s*(?:please )?"
    r"(?:not|never|no)))\s+(?P<bad>[^,;]{1,40})$",
    re.IGNORECASE,
)
"""An order that needs no verb: `rebase instead of git merge`, `HTTP goes through httpx, not requests`."""
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|what|how|should|could|would|i|think|wonder|is it|it's|isn't|was|if"
    r"|why)\b",
    re.IGNORECASE,
)
MOST_BRIEF = 3
"""Terms of what is to be used, and of what isn't, in an order without a verb."""


_OF_PROGRAM = re.compile(r"\s*(?P<program>[\w-]+):\s")
_RIVAL_VERBS = re.compile(
    rf"^{START}(?P<better>\w+)\b[^,;]*,\s*(?:don't|do not|never"
    rf"|not)\s+(?P<bad>\w+)(?:\s+\w+)?$",
    re.IGNORECASE,
)
"""`Rebase on main, don't merge it`, where the one is done instead of the other."""


def brief_instead(clause: str) -> re.Match[str] | None:
    """Find an order without a verb in a clause; `commit only to develop, never to main` is another kind."""
    rivals = _RIVAL_VERBS.match(clause)
    if rivals and any({rivals["better"].lower(), rivals["bad"].lower()} <= group for group in RIVALS):
        return rivals
    found = _BRIEF_INSTEAD.match(clause)
    if found is None or _UNSURE.search(clause) or len(content_of(terms_of(found["bad"]))) > MOST_BRIEF:
        return None
    first = re.match(r"\w+", found["better"])
    is_order = first is not None and (stem(first[0]) in VERBS or first[0].lower() in ("only", "make", "always"))
    return None if is_order and found["comma"] else found


def read_instead(clause: str) -> Iterator[Rule]:
    """What is to be used instead of what."""
    found = INSTEAD_WORDS.search(clause) or brief_instead(clause)
    if found is None:
        return
    bad = next((each for name, each in found.groupdict().items() if name.startswith("bad") and each), "")
    better = next((each for name, each in found.groupdict().items() if name.startswith("better") and each), "")
    of = _OF_PROGRAM.match(better)
    said, where = where_of(cut(bad)[0])
    better, where2 = where_of(cut(better)[0])
    said, better = PURPOSE.split(said)[0], PURPOSE.split(better)[0]
    terms = tuple(content_of(terms_of(better)))
    parts = [
        tuple(
            term
            for term in part
            if (term not in terms or term.text.lower() in PROGRAMS) and (term.is_name or term.stem not in USING)
        )
        for part in alternatives(terms_of(said))
    ]
    objects = tuple(_numbered(part, terms) for part in parts)
    if any(term.kind == PATH for part in parts for term in part):
        where2 = ()
    if of is not None and of["program"].lower() in PROGRAMS:
        objects = tuple((*each, Term(CODE, of["program"])) for each in objects)
        yield Rule(NEVER, frozenset(), objects)
        return
    condition, excepted = condition_of(cut(bad)[1])
    yield Rule(INSTEAD, frozenset(), tuple(filter(None, objects)), terms, where or where2, excepted, condition)


_STAYING = stems("stay run keep remain listen use pin set raise bind")


def _numbered(part: tuple[Term, ...], better: tuple[Term, ...]) -> tuple[Term, ...]:
    """Add to a lone number the word that says of what it is: `port 4000, not 3000`."""
    if len(part) == 1 and part[0].kind == NUMBER:
        at = next((at for at, term in enumerate(better) if term.kind == NUMBER), 0)
        words = [term for term in better[:at] if term.kind in (WORD, CODE) and term.stem not in _STAYING]
        return (part[0], words[-1]._replace(kind=WORD)) if words else ()
    return part


_ONLY = re.compile(
    rf"^{START}(?:always )?(?:only\s+(?P<verb>\w+)\s+(?P<what>.+)|(?P<verb2>\w+)\s+(?:only|nothing but"
    rf"|exclusively|solely)\s+"
    r"(?P<what2>.+)|(?P<verb3>\w+) (?P<what3>\S.*?) only\W*$|(?:stay|work|remain|keep|operate)\s+(?:strictly "
    r"|only |solely )*(?:in|inside|within|below"
    r"|under) (?P<what4>.+)|(?:limit|restrict|confine)\s+(?:yourself|yourselves|all|any|your|the|changes?|edits?"
    r"|work|modifications?|\s)+ to (?P<what5>.+))",
    re.IGNORECASE,
)


def read_only(clause: str) -> Iterator[Rule]:
    found = _ONLY.match(clause)
    if found is None:
        return
    verb = stem(found["verb"] or found["verb2"] or found["verb3"] or "edit")
    what = next(each for name, each in found.groupdict().items() if name.startswith("what") and each)
    said, rest = cut(what)
    condition, _ = condition_of(rest)
    objects = alternatives(terms_of(said))
    paths = tuple((term,) for part in objects for term in part if term.kind == PATH)
    if verb in ON_FILES | stems("work") and paths:
        yield Rule(ONLY, frozenset(CHANGING), paths, condition=condition)
    elif verb in stems("commit push merge deploy publish") and objects:
        yield Rule(ONLY, frozenset([verb]), objects, condition=condition)
    elif verb in USING | RUNNING and objects:
        yield from _rivals(objects[0], condition)


_TESTED = re.compile(
    rf"^{START}(?:always |only )*(?:run|execute)\s+(?:the |all |your |our )*(?:unit )?(?:tests?|test suite"
    rf"|specs)\s+(?:only |always )?(?:with|through|via|using|by)\s+(?P<how>.+)"
    rf"|^{START}(?:always |only )*use\s+(?P<how2>.+?)\s+(?:to run (?:the |all )?tests"
    rf"|for (?:running )?(?:the )?test(?:s|ing))",
    re.IGNORECASE,
)


def read_use(clause: str) -> Iterator[Rule]:
    """What is to be used, where it is known what stands beside it: `use pnpm` leaves no room for npm."""
    found = re.search(
        rf"^{START}(?:always |only |must |should |to |have to )*(?:use|using|stick (?:to|with)|go with|run"
        rf"|install (?:\w+ )?(?:with|using|via)"
        r"|call|write (?:\w+ )?(?:with|in)|test with|build with|format with)\s+(?P<what>.+)",
        clause,
        re.IGNORECASE,
    )
    if found is None:
        return
    said, rest = cut(found["what"])
    if with_ := _TESTED.match(clause):
        terms = tuple(content_of(terms_of(cut(with_["how"] or with_["how2"])[0])))[:2]
        if terms and "=" not in terms[0].text:
            runners = tuple((Term(CODE, tool),) for tool in sorted(TEST_RUNNERS) if tool not in terms[0].text)
            yield Rule(INSTEAD, frozenset(), runners, terms, condition=condition_of(rest)[0])
        return
    said, where = where_of(said)
    parts = alternatives(terms_of(PURPOSE.split(said)[0]))
    if parts:
        for rule in _rivals(parts[0], condition_of(rest)[0]):
            yield rule._replace(where=where)


def _rivals(terms: Sequence[Term], condition: str) -> Iterator[Rule]:
    for term in terms[:2]:
        name = term.text.lower().strip("`").partition(" ")[0]
        for group in RIVALS:
            if name in group:
                others = sorted(group - {name, *({"pip"} if name in ("uv",) else ())})
                objects = tuple((Term(CODE, other),) for other in others)
                yield Rule(INSTEAD, frozenset(), objects, (Term(CODE, name),), condition=condition)
                return


# ---- what must be so ----

_LATER = r"(?P<later>commit|push|merg|deploy|releas|publish|tag|open)\w*(?P<tail>[^,]*)"
_ORDER = re.compile(
    rf"^{START}(?P<first>.+?)\s+(?:before|prior to)\s+(?:you |we |every |each |any |the |a |your |making |doing "
    rf"|creating )*{_LATER}"
    rf"|^{START}before\s+(?:you |every |each |any |the |a |your |making "
    rf"|doing )*{_LATER.replace('later', 'later2').replace('tail', 'tail2')},?\s+"
    r"(?:always |please |you must |you should |you |make sure (?:to|that) )*(?P<first2>.+)"
    rf"|^{START}(?:never|don't|do not|no|you must not"
    rf"|must not)\s+{_LATER.replace('later', 'later3').replace('tail', 'tail3').replace('[^,]*', '.*?')}\s+"
    r"(?:without(?: first)?|until(?: you(?: have|'ve)?)?|unless(?: you(?: have|'ve)?)?|before(?: you(?: have"
    r"|'ve)?)?)\s+"
    r"(?P<first3>.+)"
    rf"|^{START}every {_LATER.replace('later', 'later4').replace('tail', 'tail4')} (?:must be preceded by|needs"
    rf"|requires) (?P<first4>.+)",
    re.IGNORECASE,
)
_CLASSES = (
    (re.compile(r"\btests?\b|\btest suite\b|\bspecs\b", re.IGNORECASE), TEST_RUNNERS),
    (re.compile(r"\blint(?:er|ers|ing)?\b|\btype[- ]?check\w*", re.IGNORECASE), LINTERS),
    (re.compile(r"\bformat(?:ter|ting)?\b", re.IGNORECASE), FORMATTERS),
)


def read_order(clause: str) -> Iterator[Rule]:
    found = _ORDER.match(clause)
    if found is None:
        return
    said = found.groupdict()
    first = next(each for name, each in said.items() if name.startswith("first") and each)
    later = next(each for name, each in said.items() if name.startswith("later") and each)
    if ASKING.search(first) or re.match(r"\W*--?\w", first):
        return
    better = done_first(first)
    if better:
        yield Rule(ORDER, frozenset([stem(later)]), ((Term(WORD, later),),), better)


def done_first(phrase: str) -> tuple[Term, ...]:
    """Return the command that a phrase names, or the tools of the kind that it names; nothing where it names none."""
    terms = content_of(terms_of(phrase))
    named = [term for term in terms if term.kind == CODE and (term.quoted or term.text.islower())]
    if named:
        return tuple(named[:1])
    words = re.match(
        r"\W*(?:always |please |you |to |must |first )*(?:run|running|execute|call|do)\s+(?:the )?(?P<what>.+)",
        phrase,
        re.I,
    )
    said = terms_of(cut(words["what"])[0]) if words else []
    known = {
        "make",
        "npm",
        "pnpm",
        "yarn",
        "cargo",
        "go",
        "just",
        "pytest",
        "tox",
        "ruff",
        "eslint",
        "prettier",
        "gofmt",
        "mypy",
        "black",
        "tsc",
        "mise",
    }
    if said and said[0].text.lower() in known:
        return (
            Term(
                CODE, " ".join(term.text for term in said[:3] if term.text.lower() not in ("and", "or", ",", "first"))
            ),
        )
    for pattern, tools in _CLASSES:
        if pattern.search(phrase):
            return tuple(Term(CODE, tool) for tool in sorted(tools))
    return ()


_FLAG = r"`?-{1,2}[A-Za-z][\w-]*`?"
_FLAGGED = re.compile(
    rf"\b(?P<what>.+?)\s+(?:always )?(?:only with|needs?|requires?|takes?|gets?|as|must (?:always )?(?:have"
    rf"|be run with"
    rf"|be called with|use|get|carry)|(?P<without>without))\s+(?:an? |the )?(?P<flag>{_FLAG})"
    rf"|\b(?:always )?(?:use|pass|add|give|append|set|include)\s+(?:the )?(?P<flag2>{_FLAG})(?: (?:flag|option"
    rf"|switch))?"
    r"\s+(?:always )?(?:to|with|when(?:ever)?|for|on)\s+(?:you |running |calling |using |every |each |all |any |run"
    r" |call |use )*(?P<what2>.+)"
    rf"|^\W*(?:(?:always|only|please|you must) )*(?P<what3>[A-Za-z`].*?)\s+(?:always "
    rf"|only )?with\s+(?:the )?(?P<flag3>{_FLAG})"
    rf"|^\W*always\s+(?:run |call |use )?(?P<what4>[a-z][\w -]*?)\s+(?P<flag4>{_FLAG})",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:never|don't|do not|must not|mustn't|not|no)\b", re.IGNORECASE)


def read_flagged(clause: str) -> Iterator[Rule]:
    """Options that a command must have; `commit without --x` forbids one."""
    found = _FLAGGED.search(clause)
    if found is None:
        return
    flag = next(each for name, each in found.groupdict().items() if name.startswith("flag") and each).strip("`")
    if re.match(r"`?\s+(?:is|are) (?:out|off|banned|forbidden|not|never)\b", clause[clause.find(flag) + len(flag) :]):
        return
    what = next(each for name, each in found.groupdict().items() if name.startswith("what") and each)
    what = re.sub(
        rf"^{START}(?:never|always|don't|do not|must|every|each)?\s*(?:run|call|use"
        rf"|invoke)?\s*",
        "",
        what,
        flags=re.I,
    )
    objects = tuple(each for each in content_of(terms_of(cut(what)[0])) if each.stem not in RUNNING | USING)
    verbs = tuple(each for each in objects if each.stem in GIT_VERBS)
    commands = tuple(each for each in objects if each.kind == CODE and " " in each.text)
    objects = commands or (verbs if found["what3"] and verbs else objects)
    is_negated = _NEGATED.search(clause[: clause.find(flag)]) is not None
    if not objects or bool(found["without"]) != is_negated:
        if found["without"] and objects:
            yield Rule(NEVER, frozenset(), ((*objects, Term(FLAG, flag)),))
        return
    yield Rule(FLAGGED, frozenset(), (objects,), (Term(FLAG, flag),))


_BEGINS = re.compile(
    r"\b(?P<what>commit messages?|commits?|commit subjects?|branch(?:es)?(?: names?)?"
    r"|messages? of commits?)\b.*?\b(?:start|begin|prefix|contain|mention"
    r"|reference|include|carry|named?|called|end)\w*\s*(?:up )?(?:with|by|as|like)?\s*(?P<prefix>.+)"
    r"|\b(?:start|begin|prefix)\s+(?:every |each |all |the |your )*(?P<what2>commit messages?|commits?"
    r"|branch(?:es)?(?: names?)?)\s+(?:with|by)\s+"
    r"(?P<prefix2>.+)|\bname (?:every |each |all |the |your |new )*(?P<what3>branch(?:es)?)\s+(?P<prefix3>.+)",
    re.IGNORECASE,
)


_ORDERED = re.compile(
    r"\b(?:must|should|always|have to|has to|needs?|shall|are (?:called|named)|begins?|starts?)\b", re.IGNORECASE
)


def read_begins(clause: str) -> Iterator[Rule]:
    if re.search(r"\bconventional[- ]commits?\b", clause, re.IGNORECASE) and not re.search(
        r"\b(?:not|never|don't)\b", clause
    ):
        yield Rule(BEGINS, frozenset(), ((Term(WORD, "message"),),), (Term(WORD, "conventional"),))
        return
    found = _BEGINS.search(clause)
    if found is None:
        return
    what = found["what"] or found["what2"] or found["what3"]
    prefix = found["prefix"] or found["prefix2"] or found["prefix3"]
    before = clause[: clause.find(prefix)]
    ordered = _ORDERED.search(before)
    if (found["what"] and not ordered) or _NEGATED.search(before) or re.search(r"\b(?:without|out)\b", before):
        return
    prefix = re.split(r",?\s+(?:not|never|rather than|instead of|and not)\b", prefix)[0]
    kind = "branch" if what.lower().startswith("branch") else "message"
    names = [
        each
        for each in terms_of(cut(prefix)[0])
        if each.quoted
        or (each.kind == PATH and each.text.endswith(("/", "...")))
        or re.fullmatch(r"\[?[A-Z][A-Z0-9]*-(?:\d+|[A-Z#]*)\]?:?|[a-z]+/", each.text)
    ]
    if names:
        yield Rule(BEGINS, frozenset(), ((Term(WORD, kind),),), tuple(names))


_HOLDS = re.compile(
    r"\b(?:every|all|each|any|new)\b(?P<what>.{0,60}?\bfiles?|.{0,40}?\b(?:scripts?|migrations?|modules?"
    r"|headers?|components?))\b.*?\b(?:must|should|has to|have to"
    r"|needs? to|shall|always)?\s*(?:start|begin|contain|have|include|carry|hold"
    r"|declare|need)s?\b(?: with)?\s+(?P<text>.+)"
    r"|\b(?:start|begin)\s+(?:every|each|all|any)\s+(?P<what2>(?:new )?.{0,40}?files?)\s+with\s+(?P<text2>.+)",
    re.IGNORECASE,
)


def read_holds(clause: str) -> Iterator[Rule]:
    found = _HOLDS.search(clause)
    if found is None:
        return
    held = [
        each
        for each in terms_of(found["text"] or found["text2"])
        if each.quoted or re.fullmatch(r"[A-Z]\w*(?:-[A-Z]\w*)+:?", each.text)
    ]
    if _NEGATED.search(clause):
        return
    what = terms_of(found["what"] or found["what2"])
    where = [
        each
        for each in what
        if each.kind == PATH or each.text.lower() in LANGUAGE_ENDS or each.text.lower() in ("test", "tests")
    ]
    folders = [
        Term(PATH, f"{each.text.lower().rstrip('s')}s/") for each in what if each.stem in stems("migration script")
    ]
    if held:
        yield Rule(HOLDS, frozenset(), ((Term(WORD, "file"),),), (held[0],), tuple(where or folders)[:1])


_VALUE = re.compile(
    rf"^{START}(?:the |our |all |every )?(?P<what>.+?)\s+(?:must|should|has to|have to|needs to|shall|is to"
    rf"|are to|always)\s+(?:always )?(?:be|is|are|stay"
    r"|stays|remain|equal|run on|listen on|use|stay at|be set to|be kept at)\s+(?:set to |exactly |at |on "
    r"|always |at least |at most )?(?P<value>.+)"
    rf"|^{START}(?:always )?(?:set|keep|leave|fix|pin|use|bind|change)\s+(?:the |our |a "
    rf"|an )?(?P<what2>.+?)\s+(?:to|at|of|on|is|=)\s+(?:exactly )?(?P<value2>`?[\d\"'].*)"
    rf"|^{START}(?:always )?(?:use|listen on|run on|bind|serve on)\s+(?:the |a "
    rf"|an )?(?P<what3>[a-z][\w ]{{1,30}}?)\s+(?P<value3>\d\S*)",
    re.IGNORECASE,
)


_VERSION = re.compile(
    rf"^{START}(?:keep |use |pin |stay (?:on|with|at) |target )?(?P<what>[A-Za-z][\w.+-]*)(?: stays at| stays on"
    rf"| at| is)? (?P<value>\d+\.\d[\d.]*)(?=$|,| only| please)",
    re.IGNORECASE,
)
"""`python 3.11, 3.12 breaks the wheels`"""


def read_value(clause: str) -> Iterator[Rule]:
    """Which value something has."""
    if version := _VERSION.match(clause):
        yield Rule(VALUE, frozenset(), ((Term(WORD, version["what"]),),), (Term(NUMBER, version["value"]),))
        return
    found = _VALUE.match(clause)
    if found is None:
        return
    what = found["what"] or found["what2"] or found["what3"]
    said = terms_of(cut(found["value"] or found["value2"] or found["value3"])[0])
    value = [each for each in said[:2] if each.kind == NUMBER or (each.quoted and each.kind == CODE)]
    objects = tuple(
        each
        for each in content_of(terms_of(what))
        if each.kind != NUMBER and each.stem not in GENERIC | stems("value default")
    )
    if (
        value
        and objects
        and not re.search(r"\b(?:not|never|under|below|over|above|less|more|than|least|most)\b", clause, re.I)
    ):
        unit = [each for each in said[1:2] if each.kind == WORD]
        yield Rule(VALUE, frozenset(), (objects,), (value[0], *unit))
        return
    if found["value"] and said:
        for rule in _rivals(said[:1], ""):
            yield rule._replace(where=(), excepted=(), better=(rule.better[0], *objects))
