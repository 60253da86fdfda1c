"""How things are to be called: reading it, and looking at the names that a deed gives.

styled("file names are kebab-case")       # Rule("named", verbs={style}, objects=((file,),), better=(kebab,))
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccos_core.query.instructions.concepts import MESSAGE, key_of, looks
from ccos_core.query.instructions.deeds import Deed
from ccos_core.query.instructions.grammar import pattern as grammar
from ccos_core.query.instructions.matching import edits_of, fresh
from ccos_core.query.instructions.phrases import NEGATED, joined, take_where
from ccos_core.query.instructions.rule import NAMED, NEVER, Rule
from ccos_core.query.instructions.terms import WORD, Term, terms_of
from ccos_core.query.instructions.words import lines

VIOLATES, FOLLOWS = "violates", "follows"
Found = tuple[str, list[str]] | None

NOUNS = {noun: kind for kind, *nouns in map(str.split, lines("nouns")) for noun in nouns}
"""Stem of a noun → what of a deed has a name of that kind."""
STYLE = grammar("style")
_STYLES = {name: style for style, *names in (line.split("|") for line in lines("styles")) for name in names}
_AFFIX = grammar("affix")


def _kinds(phrase: str) -> tuple[str, ...]:
    """What a phrase says has names: `new React components` → file."""
    found = [NOUNS[term.stem] for term in terms_of(phrase) if term.kind == WORD and term.stem in NOUNS]
    if "branch" in found:
        return ("branch",)
    if "boolean" in found:
        return ("boolean",)
    if "message" in found and "title" not in found:
        return ("message",)
    if re.search(r"\benv(?:ironment)?\b.*\bvar", phrase, re.IGNORECASE):
        return ("env",)
    if re.search(r"\bfile ?names?\b|\bfiles?\b", phrase, re.IGNORECASE):
        return ("file",)
    if re.search(r"\bpull requests?\b", phrase, re.IGNORECASE):
        return ("title",)
    return (
        tuple(dict.fromkeys(found))[-1:]
        if "test" not in found
        else tuple(found[:1])
        if found[0] != "test"
        else ("test",)
    )


def styled(clause: str) -> Iterator[Rule]:
    found = STYLE.search(clause)
    if found is None or re.search(
        r"\b(?:not|never|no|instead of|rather than)\W*$", clause[: found.start()], re.IGNORECASE
    ):
        return
    said = re.sub(r"[_-]", " ", re.sub(r"(?i)[_ -]?case[ds]?$", "", found["style"] or found["other"]).lower()).strip()
    kinds = _kinds(clause[: found.start()]) or _kinds(clause[found.end() :])
    if not kinds and re.search(r"\bnam(?:e|es|ing)\b", clause, re.IGNORECASE):
        kinds = ("function", "variable")
    _, where = take_where(clause)
    if kinds:
        yield Rule(
            NAMED,
            frozenset(["style"]),
            tuple((Term(WORD, kind),) for kind in kinds),
            (Term(WORD, _STYLES.get(said, said)),),
            where or language_in(clause),
        )


def language_in(clause: str) -> tuple[Term, ...]:
    found = re.search(
        r"\b(?:Python|TypeScript|JavaScript|Rust|Java|SQL|CSS|React|Vue|Kotlin|Ruby|bash|shell)\b", clause
    )
    return (Term(WORD, found[0]),) if found else ()


def read_named(clause: str) -> Iterator[Rule]:
    found = _AFFIX.search(clause)
    if found is None or NEGATED.search(clause[: found.end()].split(",")[0]):
        return
    said = {re.sub(r"\d", "", name): each for name, each in found.groupdict().items() if each}
    kinds = _kinds(said["what"])
    if not kinds:
        return
    explicit = re.search(r"prefix|suffix|nam", f"{found[0]}", re.IGNORECASE)
    if kinds == ("file",) and not explicit and not re.match(r"\S+[-_.]", said["mark"]):
        return  # what it holds, not how it is called
    way = "end" if said.get("way", "").lower().startswith(("end", "suffix")) else "start"
    mark = re.split(r",?\s+(?:not|never|rather than|instead of|and not|so|because|since)\b", said["mark"])[0]
    if found["mark7"] or found["mark6"]:
        way = "start"
    if found["what"] and not re.search(
        r"\b(?:must|should|always|has to|have to|needs?|shall|every|each|all|starts?|begins?|ends?|prefixe?[ds]?|carr"
        r"|get|take|use)",
        clause[: found.start("mark")],
        re.I,
    ):
        return
    marks = tuple(_mark(term) for term in terms_of(mark)[:8] if term.quoted or _is_mark(term))
    if not marks:
        marks = tuple(
            Term(WORD, term.text)
            for term in joined(terms_of(mark))[:4]
            if looks(term.text, MESSAGE) or looks(term.stem, MESSAGE)
        )[:1]
        marks = tuple(term for term in marks if key_of(term.text) in _STYLED_MESSAGES)
        if marks and kinds not in (("message",), ("title",), ("branch",)):
            return
    if kinds == ("branch",):
        marks = tuple(
            term._replace(text=term.text[: term.text.index("/") + 1])
            if "/" in term.text and "<" not in term.text and "{" not in term.text
            else term
            for term in marks
        )
    if marks:
        yield Rule(NAMED, frozenset([way]), tuple((Term(WORD, kind),) for kind in kinds), marks, _where(said["what"]))


def _where(phrase: str) -> tuple[Term, ...]:
    return take_where(phrase)[1] or language_in(phrase)


def _mark(term: Term) -> Term:
    return term._replace(text=term.text.strip("'\""))


def _is_mark(term: Term) -> bool:
    return (
        term.kind != WORD
        or re.fullmatch(
            r"\[?[A-Z][A-Z0-9]*-(?:\d+|[A-Z#]*)\]?:?|[a-z]+/|\w+_|_\w+|[A-Z]|[A-Z][a-z]+|is|has|use|test", term.text
        )
        is not None
    )


def unended(clause: str) -> Iterator[Rule]:
    if re.search(r"\b(?:no|without)\b.*\b(?:period|full stop|dot)\b", clause, re.IGNORECASE):
        yield Rule(NEVER, frozenset(), ((Term(WORD, "commit"), Term(WORD, "period")),))


def messaged(clause: str) -> Iterator[Rule]:
    """How commit messages are: conventional, in the imperative, in lower case."""
    found = re.search(r"\bcommits?\b|\bmessages?\b|\bsubjects?\b|\bpull requests? titles?\b", clause, re.IGNORECASE)
    if (
        found is None
        or NEGATED.search(clause)
        or not re.search(
            r"\bmessages?\b|\bsubjects?\b|\btitles?\b|\bconventional|\bcommits (?:are|must|should|follow|use|need)"
            r"|\bfor commits",
            clause,
            re.IGNORECASE,
        )
    ):
        return
    marks = [
        term
        for term in terms_of(clause.replace("/", " / "))
        if re.fullmatch(r"`?[a-z]+:`?", term.text)
        or (re.fullmatch(r"[a-z]+:", term.text + ":") and f"{term.text}:" in clause)
    ]
    if len(marks) > 1:
        yield Rule(
            NAMED,
            frozenset(["start"]),
            ((Term(WORD, "message"),),),
            tuple(term._replace(text=term.text.rstrip(":") + (":" if term.text in _TYPES else "")) for term in marks),
        )
        return
    words = [term for term in joined(terms_of(clause)) if term.kind == WORD and key_of(term.text) in _STYLED_MESSAGES]
    if words:
        kind = "title" if re.search(r"\btitles?\b", clause, re.IGNORECASE) else "message"
        yield Rule(NAMED, frozenset(["start"]), ((Term(WORD, kind),),), tuple(words[:1]))


_STYLED_MESSAGES = frozenset("|".join(lines("styled_messages")).split("|"))
_TYPES = frozenset(["feat", "fix", "chore", "docs", "refactor", "test", "perf", "style", "build", "ci", "revert"])


# ---- the names that a deed gives ----

STYLES = {
    "snake": re.compile(r"_?[a-z0-9]+(?:_[a-z0-9]+)*_?"),
    "camel": re.compile(r"_?[a-z][a-z0-9]*(?:[A-Z0-9][a-z0-9]*)*"),
    "pascal": re.compile(r"(?:[A-Z][a-z0-9]*)+"),
    "kebab": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    "upper": re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)*"),
    "lower": re.compile(r"[^A-Z]*"),
    "screaming snake": re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)*"),
}
DEFINED = {name: re.compile(rest) for name, _, rest in (each.partition("\t") for each in lines("defined"))}


def names_of(kind: str, rule: Rule, deed: Deed) -> Iterator[str]:
    """Return the names that a deed gives to things of a kind."""
    if kind == "message":
        yield from (text if rule.verbs == {"start"} else text.partition("\n")[0] for text in deed.messages)
    elif kind == "title":
        yield from (
            each.words[at + 1]
            for each in deed.programs
            if "pr" in each.words[:3]
            for at, word in enumerate(each.words[:-1])
            if word in ("--title", "-t")
        )
    elif kind == "branch":
        yield from _branches(deed)
    elif kind == "tag":
        yield from (
            each.words[-1] for each in deed.programs if each.words[:2] == ("git", "tag") and len(each.words) > 2
        )
        yield from (found[1] for each in deed.programs if (found := re.search(r"(?:-t|--tag)[ =]\S+:(\S+)", each.line)))
    elif kind == "file":
        yield from (edit.path.rpartition("/")[2] for edit in edits_of(rule, deed) if edit.is_made)
    elif kind == "folder":
        yield from (part for edit in edits_of(rule, deed) if edit.is_made for part in edit.path.split("/")[-2:-1])
        yield from (each.words[-1].rstrip("/").rpartition("/")[2] for each in deed.programs if each.words[0] == "mkdir")
    elif kind in DEFINED:
        for edit in edits_of(rule, deed):
            for line in fresh(edit):
                for found in DEFINED[kind].finditer(line):
                    yield next(each for each in found.groups() if each)


def _branches(deed: Deed) -> Iterator[str]:
    for each in deed.programs:
        words = each.words
        made = next((at for at, word in enumerate(words) if word in ("-b", "-B", "-c", "-C")), 0)
        if words[:1] == ("git",) and {"checkout", "switch"} & set(words[:3]) and made and made + 1 < len(words):
            yield words[made + 1]
        elif words[:2] == ("git", "branch") and len(words) > 2 and not words[2].startswith("-"):
            yield words[2]


def judge_named(rule: Rule, deed: Deed) -> Found:
    (way,) = rule.verbs
    for (kind,) in rule.objects:
        for name in names_of(kind.text, rule, deed):
            if way == "style":
                bare = name.lstrip(".").partition(".")[0] if kind.text == "file" else name
                if len(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", bare)) < 2 or rule.better[0].text not in STYLES:
                    continue
                fits = STYLES[rule.better[0].text].fullmatch(bare) is not None
            else:
                fits = any(_is_marked(term, name, way, kind.text) for term in rule.better)
            return (FOLLOWS if fits else VIOLATES), [name.partition("\n")[0]]
    return None


def _is_marked(term: Term, name: str, way: str, kind: str) -> bool:
    """Whether a name has a mark such as `ABC-12`, `feat:`, `feature/...` where it belongs."""
    known = looks(term.text, MESSAGE) if term.kind == WORD and kind in ("message", "title", "branch") else None
    if known is not None:
        return known.search(name) is not None
    mark = re.sub(r"(?:\.\.\.|…|<[^>]*>|\{[^}]*\}|XXX+|NNN+|###?|\$\w+)", "\0", term.text.strip(" *"))
    if re.fullmatch(r"\[?[A-Za-z]+-(?:\d+|[A-Z]+|\0)\]?:?", mark):
        letters = re.match(r"\[?([A-Za-z]+)-", mark)
        assert letters
        return re.search(rf"\b{re.escape(letters[1])}-\d+", name) is not None
    parts = [re.escape(part) for part in mark.lower().split("\0")]
    pattern = r".+?".join(parts) if "\0" in mark else parts[0]
    if kind in ("message", "title"):
        return re.search(pattern.removesuffix(".+?"), name.lower()) is not None
    if way == "end":
        stemmed = name.lower() if "." in mark or kind != "file" else name.lower().partition(".")[0]
        return re.search(rf"{pattern}$", stemmed) is not None
    return re.match(pattern, name.lower()) is not None and (
        mark.islower() or not mark.isalpha() or name.startswith(mark)
    )
