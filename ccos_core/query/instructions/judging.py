"""Judge a deed by a rule: does it do what was forbidden, or leave out what was demanded?

Only what the words of the deed show is judged; everything else that shares words with a rule merely touches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ccos_core.query.instructions.concepts import LINES, MESSAGE, PATHS, RUNS, key_of, looks
from ccos_core.query.instructions.deeds import Deed, Program, words_in
from ccos_core.query.instructions.keeping import KEEPERS
from ccos_core.query.instructions.matching import (
    GONE_LINES,
    SURE,
    Act,
    acts_of,
    holds_at,
    is_at,
    is_program,
    is_prose,
    name_pattern,
    names_path,
    runs_term,
    strength,
)
from ccos_core.query.instructions.meant import LOOKING, SCRATCH, is_meant
from ccos_core.query.instructions.packages import adds_package
from ccos_core.query.instructions.phrases import is_noise
from ccos_core.query.instructions.rule import INSTEAD, NEVER, ONLY, OPEN, ORDER, RIVAL, Rule
from ccos_core.query.instructions.terms import CODE, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    CHANGING,
    GENERIC,
    MOVING,
    NOISE,
    ON_FILES,
    PACKAGES,
    REMOVING,
    RIVAL_NAMES,
    SYNTAX_RIVALS,
    USING,
    lines,
    stem,
    stems,
)
from ccos_core.text.syntax.languages import is_code

VIOLATES, FOLLOWS, TOUCHES = "violates", "follows", "touches"
MOST_WORDS = 6
"""Words that show a verdict."""


class Verdict(NamedTuple):
    """What a rule says of a deed."""

    kind: str
    """`violates`, `follows`, `touches`."""
    words: tuple[str, ...]
    """The deed's words that show it."""


def judge(rule: Rule, deed: Deed, done: Iterable[Deed] = ()) -> Verdict | None:
    """Return the verdict; None where the rule isn't about the deed. `done` is what was done before, the last first."""
    if rule.sense == ORDER:
        found = _order(rule, deed, done)
    elif rule.sense == ONLY:
        found = _only(rule, deed)
    elif rule.sense in (NEVER, INSTEAD):
        found = _forbids(rule, deed)
    else:
        found = KEEPERS[rule.sense](rule, deed)
    if found is None:
        return None
    kind, words = found
    if kind == VIOLATES and (
        rule.condition == OPEN or (rule.excepted and any(_is_excepted(rule, act) for act in acts_of(deed)))
    ):
        kind = TOUCHES
    return Verdict(kind, tuple(dict.fromkeys(word[:80] for word in words if word))[:MOST_WORDS])


def _is_excepted(rule: Rule, act: Act) -> bool:
    return any(strength(term, act) or holds_at(rule._replace(where=(term,)), act) for term in rule.excepted)


# ---- what is forbidden ----


def _forbids(rule: Rule, deed: Deed) -> tuple[str, list[str]] | None:
    for terms in rule.objects:
        if (
            words := _packages(rule, terms, deed)
            or _pipe(rule, terms, deed)
            or _redefines(rule, terms, deed)
            or _spoken(rule, terms, deed)
        ):
            return VIOLATES, words
        for act in acts_of(deed):
            if holds_at(rule, act) and not _is_wanted(rule, act) and (words := _shows(rule, terms, act)):
                return VIOLATES, words
    if rule.sense == INSTEAD:
        for act in acts_of(deed):
            if holds_at(rule, act) and act.kind in (RUNS, LINES) and _is_wanted(rule, act):
                return FOLLOWS, [*(term.text for term in rule.better[:1]), act.text.strip()]
    return None


def _packages(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    said = {term.stem for term in terms}
    if not said & PACKAGES or not said - PACKAGES <= NOISE or any(term.is_name for term in terms):
        return []
    return adds_package(deed) if not rule.verbs & (REMOVING | CHANGING - stems("extend")) else []


def _pipe(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The pipe that a rule speaks of: `curl ... | sh`."""
    names = [term.text for term in terms if term.text.lower() not in ("shell", "pipe", "piping")]
    if not any(term.stem in ("pip", "pipe") for term in terms) or len(names) < 2 or "|" not in deed.command:
        return []
    pipe = rf"\b{re.escape(names[0])}\b[^|;&]*\|\s*(?:sudo\s+)?(?:\S*/)?{re.escape(names[-1])}\b"
    return [found[0]] if (found := re.search(pipe, deed.command)) else []


def _is_wanted(rule: Rule, act: Act) -> bool:
    """Whether an act does what is to be done instead."""
    for term in rule.better:
        if act.kind == RUNS and act.program is not None:
            if (
                is_program(term, act.program)
                or (term.is_name and runs_term(term, act.program))
                or f"--{term.text.lower()}" in act.program.words
            ):
                return True
        elif act.kind == PATHS:
            if term.kind == PATH and is_at(term.text, act.text):
                return True
        elif looks(term.text, LINES) is None or act.kind == MESSAGE:
            named = term.is_name or (rule.sense == INSTEAD and len(term.text) > 2 and term.stem not in GENERIC)
            if named and " " not in term.text and name_pattern(term.text).search(act.text):
                return True
        elif rule.sense == INSTEAD and key_of(term.text) not in _SEEN_EVERYWHERE and strength(term, act):
            return True
    return False


_SEEN_EVERYWHERE = frozenset("|".join(lines("seen_everywhere")).split("|"))


def _shows(rule: Rule, terms: tuple[Term, ...], act: Act) -> list[str]:
    """The words by which an act does what is forbidden; none if it doesn't."""
    if act.kind == MESSAGE:
        return _in_message(terms, act)
    terms = _meant_here(terms, act)
    if act.program is not None and _is_spelled_out(terms, act.program):
        return [*(term.text for term in terms), act.text.strip()[:80]]
    if not terms or not is_meant(rule.verbs, terms, act):
        return []
    named = any(term.is_name for term in terms)
    loose = act.kind == PATHS and bool(rule.verbs & CHANGING) and named
    if (
        rule.sense == INSTEAD
        and act.kind == PATHS
        and act.edit
        and not act.edit.is_made
        and all(term.text.endswith("/") for term in terms if term.kind == PATH)
    ):
        return []
    found = [strength(term, act) for term in terms]
    kept = [at for at, term in enumerate(terms) if found[at] or not (is_noise(term) or (loose and term.kind == WORD))]
    if not kept or not all(found[at] for at in kept):
        return []
    sure = [terms[at] for at in kept if found[at] == SURE]
    if rule.sense != INSTEAD and not any(
        not is_noise(term) or looks(term.text, act.kind if act.kind != GONE_LINES else LINES) for term in sure
    ):
        return []
    if act.kind in (LINES, GONE_LINES) and not _is_line(rule, tuple(terms[at] for at in kept), tuple(sure), act):
        return []
    return [*(terms[at].text for at in kept), act.text.strip()[:80]]


def _is_spelled_out(terms: tuple[Term, ...], program: Program) -> bool:
    """Whether a rule names the words that a command begins with: `helm upgrade`."""
    words = [word for term in terms for word in term.text.lower().split()]
    if LOOKING & set(program.words[1:5]) - set(words):
        return False
    given = [word.lower() for word in program.words if not word.startswith("-") or word in words]
    return len(words) > 1 and given[: len(words)] == words


def _meant_here(terms: tuple[Term, ...], act: Act) -> tuple[Term, ...]:
    """Leave out "commit" where what isn't to be committed is seen by itself."""
    if act.kind in (LINES, RUNS) and len(terms) > 1:
        others = tuple(term for term in terms if term.stem not in _SHIPPING)
        if act.kind == LINES:
            known = any(looks(term.text, LINES) or term.is_name for term in others)
            return others if known else terms
        staged = (
            act.program is not None
            and act.program.words[:2] == ("git", "add")
            and any(term.stem == "commit" for term in terms)
        )
        return others if staged and any(term.kind == PATH or looks(term.text, PATHS) for term in others) else terms
    return terms


_SHIPPING = stems("commit ship leave merge push")
_MESSAGES = stems("commit commits message messages subject subjects title titles pr prs trailer log word words"
                  " called") | {
    key_of("pull request"), key_of("commit message"), key_of("pull requests")}  # fmt: skip


def _in_message(terms: tuple[Term, ...], act: Act) -> list[str]:
    said = tuple(term for term in terms if term.stem not in _MESSAGES and key_of(term.text) not in _MESSAGES)
    found = tuple(term for term in said if not is_noise(term) or looks(term.text, MESSAGE))
    if not found or not all(strength(term, act) for term in found):
        return []
    if found and len(said) == len(terms):  # a rule that doesn't speak of messages: only marks are meant
        marked = all(
            key_of(term.text) in _MARKS_ANYWHERE or term.text.lower() == act.text.strip().lower() for term in found
        )
        if not marked:
            return []
    return [*(term.text for term in found), act.text.strip()[:80]]


_MARKS_ANYWHERE = frozenset("|".join(lines("marks_anywhere")).split("|"))


def _redefines(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The definition a rule speaks of, where an edit changes its line."""
    if not rule.verbs & (CHANGING | MOVING | REMOVING) or rule.verbs & USING:
        return []
    for act in acts_of(deed):
        for term in terms if act.kind == PATHS and act.edit is not None and holds_at(rule, act) else ():
            if term.kind != CODE or " " in term.text:
                continue
            assert act.edit
            name = re.escape(term.text.removesuffix("()").rpartition(".")[2])
            defined = re.compile(
                rf"\b(?:def|class|func|function|fn|const|let|var|type|struct|interface|enum)\b.*\b{name}\b"
                rf"|^\s*{name}\s*[:=]"
            )
            used = re.compile(rf"\b{name}\b")
            gone = any(map(used.search, act.edit.removed)) and not any(map(used.search, act.edit.added))
            if any(map(defined.search, act.edit.removed)) or (rule.verbs <= REMOVING and gone):
                return [term.text]
    return []


def _spoken(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The line of code that does by a word what a rule speaks of: `log passwords`."""
    verbs = rule.verbs & _IN_CODE
    for act in acts_of(deed) if verbs else ():
        if act.kind == LINES and act.edit is not None and holds_at(rule, act) and is_code(act.edit.path):
            there = words_in(act.text)
            if (
                verbs & there
                and any(term.stem not in verbs for term in terms)
                and all(term.stem in there or is_noise(term) for term in terms)
            ):
                return [*(term.text for term in terms), act.text.strip()]
    return []


_IN_CODE = stems("log print throw return mock call catch raise hardcode swallow cast")
"""Verbs that stand in a line of code that does what they say."""


_TEXTUAL = frozenset("|".join(lines("textual")).split("|"))
"""Forms that are meant in texts, too."""
_LITTLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


def _is_line(rule: Rule, terms: tuple[Term, ...], sure: tuple[Term, ...], act: Act) -> bool:
    """Whether what a line shows is what a rule means, and no chance."""
    assert act.edit
    named = any(term.is_name for term in terms)
    known = any(looks(term.text, LINES) for term in sure)
    if rule.sense == NEVER and any(
        looks(term.text, RUNS) and not looks(term.text, LINES) and not term.is_name for term in sure
    ):
        return False
    if RIVAL in rule.verbs:
        return any(_is_brought(term, act) for term in sure)
    in_line = [
        term
        for term in sure
        if not (term.kind == WORD and not looks(term.text, LINES) and term.stem not in words_in(act.text))
    ]
    if not in_line:
        return False
    if is_prose(act.edit.path) and known and not named and not any(key_of(term.text) in _TEXTUAL for term in sure):
        return False
    if named or known:
        return not (
            known
            and not named
            and len(terms) > 1
            and not is_prose(act.edit.path)
            and not is_code(act.edit.path)
            and "." not in act.edit.path
        )
    if len(terms) > 1 and rule.sense == INSTEAD:
        return not is_prose(act.edit.path)
    if len(terms) > 1:
        return is_code(act.edit.path) and any(_is_code(term, act, False) for term in sure)
    return _is_code(terms[0], act, rule.sense == INSTEAD)


def _is_brought(term: Term, act: Act) -> bool:
    """Whether a line imports a library, or lists it as a dependency."""
    word = re.escape(term.text)
    if "." in term.text:
        return True
    return re.search(
        rf"(?i)\b(?:import|require|from|use|using|include)\b.*(?<![\w-]){word}(?![\w-])"
        rf"|^\s*[\"']?{word}[\"']?\s*(?:[:=<>~^]|$)",
        act.text,
    ) is not None or (
        term.text.lower() in SYNTAX_RIVALS | {"float", "double", "decimal"}
        and is_code(act.edit.path if act.edit else "")
    )


def _is_code(term: Term, act: Act, has_rival: bool) -> bool:
    """Whether a plain word stands in a line as code: imported, called, a keyword; with a rival any name will do."""
    assert act.edit
    word = re.escape(term.text.rstrip("s") if len(term.text) > 4 else term.text)
    if re.search(
        rf"^\W*(?:import|from|use|using|include|export)\b.*\b{word}s?\b|\brequire\W.*\b{word}\b",
        act.text,
        re.IGNORECASE,
    ):
        return True
    if has_rival and term.text.lower() in RIVAL_NAMES:
        bare = re.sub(r"(?:#|//).*", "", _LITTLE.sub("''", act.text))
        return (
            re.search(
                rf"(?<![\w-]){word}s?(?![\w-])",
                bare if is_code(act.edit.path) else act.text,
                re.IGNORECASE,
            )
            is not None
        )
    if has_rival:
        return len(term.text) > 2 and term.stem in words_in(act.text)
    if not is_code(act.edit.path):
        return re.search(rf"(?i)^\W*{word}s?\b\W*[:=]", act.text) is not None
    bare = re.sub(r"(?:#|//).*", "", _LITTLE.sub("''", act.text))
    return re.search(rf"(?<![\w.-]){word}s?\b\s*[({{.<!:]|\.{word}\b\s*=?|^\s*{word}\s+\w|@{word}\b", bare) is not None


# ---- nothing else, first this ----


def _only(rule: Rule, deed: Deed) -> tuple[str, list[str]] | None:
    if rule.verbs & ON_FILES:
        paths = [
            act.text
            for act in acts_of(deed)
            if act.kind == PATHS and holds_at(rule, act) and not SCRATCH.match(act.text)
        ]
        outside = [path for path in paths if not any(names_path(terms, path) for terms in rule.objects)]
        inside = [path for path in paths if path not in outside]
        return (VIOLATES, outside) if outside else (FOLLOWS, inside) if inside else None
    (verb,) = sorted(rule.verbs)
    for program in deed.programs:
        if not any(stem(word) == verb for word in program.words[:4]):
            continue
        branches = {branch for kind, branch, _ in deed.history if stem(kind) == verb and branch}
        named = [word for word in program.words if not word.startswith("-")]
        at = next((at for at, word in enumerate(named) if stem(word) == verb), 0)
        targets = {part for word in named[at + 2 :] for part in word.split(":")[-1:]} | branches
        if targets:
            allowed = any(
                all(runs_term(term, program) or term.text in targets for term in terms) for terms in rule.objects
            )
            return (FOLLOWS if allowed else VIOLATES), [*program.words[:2], *sorted(targets)]
    return None


_NOT_DONE = frozenset(("--abort", "--dry-run", "--help"))


def _order(rule: Rule, deed: Deed, done: Iterable[Deed]) -> tuple[str, list[str]] | None:
    """What had to be done before: since the last change of a file it was, or it wasn't."""
    (verb,) = sorted(rule.verbs)
    later = next((each for each in deed.programs if _does(verb, each)), None)
    if later is None or _NOT_DONE & set(later.words):
        return None
    paths = [term for term in rule.better if term.kind != CODE]
    for program in deed.programs:  # the line itself may have run it before
        if program is later:
            break
        if is_run(rule.better, program):
            return FOLLOWS, list(program.words[:4])
    changed = ""
    for earlier in done:
        ran = next((each for each in earlier.programs if is_run(rule.better, each)), None)
        if ran is not None:
            return FOLLOWS, [*ran.words[:4], f"step {earlier.step:,}"]
        if paths and any(names_path(paths, path) for path in earlier.paths):
            return FOLLOWS, [*earlier.paths[:1], f"step {earlier.step:,}"]
        if earlier.edits and not all(map(is_prose, earlier.paths)):
            changed = changed or earlier.paths[0]
            if not paths:
                break
        if any(_does(verb, each) for each in earlier.programs):
            break
    if not changed:
        return None
    name = rule.better[0].text if len(rule.better) == 1 else "none"
    return VIOLATES, [*later.words[:3], f"{name} not {'changed' if paths else 'run'} since {changed}"]


def _does(verb: str, program: Program) -> bool:
    words = program.words
    return any(stem(word) == verb for word in words[1:4]) or bool(words and stem(words[0]) == verb)


@lru_cache(maxsize=4_000)
def is_run(terms: tuple[Term, ...], program: Program) -> bool:
    """Tell whether a program is one of these, or has all words of a command line."""
    return any(is_program(term, program) or (" " in term.text and runs_term(term, program)) for term in terms) or any(
        term.text in program.words[:4] for term in terms if len(terms) > 1
    )
