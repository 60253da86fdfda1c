"""Judge a deed by a rule of `general`: it must show every word that the rule is about, and one of them for certain.

Where a word may stand: the path of a file, a line that was added, a program with its arguments, a commit message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ccos_core.intake.failures.arguments import words_of
from ccos_core.query.instructions.concepts import LINES, PATHS, RUNS, looks
from ccos_core.query.instructions.deeds import EDITED, GONE, MOVED, Deed, Edit, Program, message_of, words_in
from ccos_core.query.instructions.forbidden import adds_package, is_meant
from ccos_core.query.instructions.general import NAMED, STYLES, is_noise
from ccos_core.query.instructions.matching import is_at, is_program, name_pattern, names_path, runs_term
from ccos_core.query.instructions.rule import DEMANDS, FORBIDS, LIMITS, PLACED, STYLED, Rule
from ccos_core.query.instructions.terms import FLAG, NUMBER, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    ADDING,
    CHANGING,
    GENERIC,
    LANGUAGE_ENDS,
    MOVING,
    PACKAGES,
    READING,
    REMOVING,
    RUNNING,
    USING,
    stem,
    stems,
)
from ccos_core.text.syntax.languages import is_code

WEAK, SURE = 1, 2
LEAST_BEGINNING = 5
"""Letters of a word that more than so long begins the name of a file: `Jenkins`, `Jenkinsfile`."""
_QUIET = words_of("echo printf ls cat grep rg # sed head tail")
_CHANGING_PROGRAMS = words_of("mv rm cp tee > >> truncate chmod touch dd ln")
_LOOKING = words_of(
    "--get --list -l --check --help --dry-run --merged --no-merged --show-current show status view diff list log ls "
    "df plan showmigrations --version"
)
"""Words of commands that only look."""
_SCRATCH = re.compile(r"/(?:private/|var/)?tmp/")
_MESSAGES = stems("commit commits message messages subject subjects title titles pr prs trailer log")
_LITTLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


class Act(NamedTuple):
    """One thing that a deed does."""

    kind: str
    """`paths`, `lines`, `runs`, `message`."""
    text: str
    edit: Edit | None = None
    program: Program | None = None


@lru_cache(maxsize=4)
def acts_of(deed: Deed) -> tuple[Act, ...]:
    """Return what a deed does, each as one act; all instructions are asked about a deed in turn."""
    return tuple(_acts(deed))


def _acts(deed: Deed) -> Iterator[Act]:
    for edit in deed.edits:
        yield Act(PATHS, edit.path, edit)
        gone = set(edit.removed)
        yield from (Act(LINES, line, edit) for line in edit.added if line not in gone and line.strip())
    for program in deed.programs:
        if program.words:
            yield Act(RUNS, program.line, None, program)
            yield from (Act("message", text, None, program) for text in _texts(program))
    for path in deed.reads:
        yield Act("reads", path)


def _texts(program: Program) -> Iterator[str]:
    """The texts that a commit or a pull request is given."""
    if program.words[0] not in ("git", "gh"):
        return
    words = program.words
    said = [
        words[at + 1]
        for at, word in enumerate(words[:-1])
        if re.fullmatch(r"-[a-zA-Z]*[mbt]|--(?:message|title|body|notes)", word)
    ]
    if "checkout" not in words[:3] and "switch" not in words[:3] and "branch" not in words[:3]:
        yield from said or ([found] if (found := message_of(program)) else [])


def judge_loosely(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    """Return (`violates` or `follows`, the words that show it); empty where the rule isn't about the deed."""
    return _JUDGES[rule.sense](rule, deed)


# ---- what is forbidden ----


def _forbids(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    for terms in rule.objects:
        said = {term.stem for term in terms if not is_noise(term)}
        if said <= PACKAGES and not any(t.is_name for t in terms) and (words := adds_package(deed)):
            return "violates", words
        for act in acts_of(deed):
            if words := _shows(rule, terms, act):
                if act.program and any(is_program(term, act.program) for term in rule.better):
                    continue
                if any(term.is_name and " " not in term.text and _strength(term, act) for term in rule.better):
                    continue
                return "violates", words
    return "", []


def _shows(rule: Rule, terms: tuple[Term, ...], act: Act) -> list[str]:
    """The words by which an act does what is forbidden; none if it doesn't."""
    if act.kind == "message":
        said = tuple(term for term in terms if term.stem not in _MESSAGES)
        if not said or (said == terms and not all(_is_known(term, act.text) for term in said)):
            return []
        terms = said
    elif not _is_meant(rule.verbs, terms, act):
        return []
    found = [_strength(term, act) for term in terms]
    named = any(term.is_name for term in terms)
    loose = act.kind == PATHS and bool(rule.verbs & CHANGING)
    kept = [
        at
        for at, term in enumerate(terms)
        if found[at] or not (is_noise(term) or (term.kind == WORD and loose and named))
    ]
    if not kept or not all(found[at] for at in kept):
        return []
    terms, found = tuple(terms[at] for at in kept), [found[at] for at in kept]
    sure = found.count(SURE) > 0 or (len(terms) > 1 and act.kind == LINES and any(_in_line(t, act) for t in terms))
    if act.kind == LINES and not named and len(terms) > 1:
        assert act.edit
        if not is_code(act.edit.path) or not any(looks(term.text, LINES) for term in terms):
            return []
    if (
        act.kind == LINES
        and not named
        and len(terms) == 1
        and not _is_code(terms[0], act, bool(rule.better) and "us" in rule.verbs)
    ):
        return []
    if act.kind == "message" and len(terms) == 1 and not named and not _is_known(terms[0], act.text):
        return []
    return [*(term.text for term in terms), act.text.strip()[:80]] if sure else []


def _is_known(term: Term, text: str) -> bool:
    """Whether a word of a message is what a rule means: a mark, a known look, or all that it says."""
    marked = re.search(r"[A-Z]|\w-\w", term.text) is not None
    return (
        marked or bool(looks(term.text, LINES) or looks(term.text, RUNS)) or text.strip().lower() == term.text.lower()
    )


def _is_meant(verbs: frozenset[str], terms: tuple[Term, ...], act: Act) -> bool:
    """Whether the verbs of a rule mean such an act."""
    doing = verbs & (GENERIC | REMOVING | READING)
    if act.kind == "reads":
        return bool(doing & READING)
    if act.kind == PATHS:
        assert act.edit
        if _SCRATCH.match(act.text) and not any(t.is_name for t in terms):
            return False
        if doing & (CHANGING | READING) or (not doing and any(t.kind == PATH for t in terms)):
            return is_meant(doing or CHANGING, terms, act.edit)
        if doing & ADDING and all(t.kind == PATH and not t.text.endswith("/") for t in terms):
            return bool(act.edit.added)
        if doing & REMOVING:
            return act.edit.how == GONE
        if doing & MOVING:
            return act.edit.how == MOVED
        return act.edit.is_made
    if act.kind == LINES:
        return not (doing and doing <= REMOVING | MOVING | READING | (CHANGING - stems("write")))
    assert act.program
    return _is_run(doing, terms, act.program)


def _is_run(doing: frozenset[str], terms: tuple[Term, ...], program: Program) -> bool:
    """Whether the verbs of a rule mean a program: to change or to remove, it must be one that does."""
    words = program.words
    if _LOOKING & set(words[1:5]) and not doing & READING:
        return False
    if doing & (CHANGING | REMOVING) and not doing & (USING | RUNNING) and not any(t.kind == FLAG for t in terms):
        wanted = [Term(WORD, verb) for verb in sorted(doing & (CHANGING | REMOVING))]
        if words[0] not in _CHANGING_PROGRAMS and not any(runs_term(verb, program) for verb in wanted):
            return (words[0], *words[1:2]) == ("git", "config")
        if doing & CHANGING and words[0] in _CHANGING_PROGRAMS:
            return any(t.is_name or looks(t.text, RUNS) for t in terms)
    if words[0] in _QUIET and not doing & READING:
        return words[0] == "sed" and "-i" in words
    return True


def _strength(term: Term, act: Act) -> int:
    """How surely an act shows a term: 0 if it doesn't."""
    if act.kind in (PATHS, "reads"):
        return _in_path(term, act.text)
    if act.kind == LINES:
        assert act.edit
        return _in_line(term, act) or min(_in_path(term, act.edit.path), WEAK)
    if act.kind == "message":
        known = looks(term.text, LINES) or looks(term.text, RUNS)
        found = (
            (known and known.search(act.text))
            or term.stem in words_in(act.text)
            or term.text.lower() in act.text.lower()
        )
        return SURE if found else 0
    assert act.program
    return _in_program(term, act.program)


def _in_path(term: Term, path: str) -> int:
    if term.kind == PATH:
        return SURE if is_at(term.text, path) or is_at(term.text, path.rpartition("/")[2]) else 0
    known = looks(term.text, PATHS)
    if term.kind in (FLAG, NUMBER):
        return 0
    if known:
        return SURE if known.search(path) else 0
    if term.text.lower() in LANGUAGE_ENDS:
        return SURE if path.endswith(LANGUAGE_ENDS[term.text.lower()]) else 0
    name = path.rpartition("/")[2].lower()
    if len(term.text) > LEAST_BEGINNING and name.startswith(term.text.lower()):
        return SURE
    return SURE if names_path([term], path) or term.text.lower() in path.lower().split("/") else 0


def _in_line(term: Term, act: Act) -> int:
    assert act.edit
    line = act.text
    if term.kind == FLAG:
        return 0
    if known_as := looks(term.text, LINES) if term.is_name else None:
        return SURE if known_as.search(line) else 0
    if term.kind == PATH:
        return SURE if term.text.strip("/*") in line else 0
    if term.is_name or (term.quoted):
        pattern = name_pattern(term.text)
        return SURE if pattern.search(line) and sum(map(bool, map(pattern.search, act.edit.removed))) == 0 else 0
    known = looks(term.text, LINES)
    if known is not None and known.search(line) and not any(known.search(each) for each in act.edit.removed):
        return SURE
    if known is not None and not re.search(rf"\b{re.escape(term.text)}\b", line, re.IGNORECASE):
        return 0
    there = words_in(line)
    if term.stem not in there:
        return 0
    return WEAK if any(term.stem in words_in(each) for each in act.edit.removed) else SURE


def _is_code(term: Term, act: Act, has_rival: bool) -> bool:
    """Whether a plain word stands in a line as code: imported, called, a keyword; with a rival any name will do."""
    assert act.edit
    known = looks(term.text, LINES)
    if known is not None:
        return bool(known.search(act.text))
    word = re.escape(term.text.rstrip("s") if len(term.text) > 4 else term.text)
    imported = re.search(rf"\b(?:import|require|from|use|using|include)\b.*\b{word}s?\b", act.text, re.IGNORECASE)
    if imported:
        return True
    if not is_code(act.edit.path) and not has_rival:
        return False
    bare = act.text if has_rival else re.sub(r"(?:#|//).*", "", _LITTLE.sub("''", act.text))
    if has_rival:
        return term.stem in words_in(bare)
    return re.search(rf"(?<![\w.-]){word}s?\b\s*[({{.<!]|\.{word}\b\s*=?", bare) is not None


@lru_cache(maxsize=4_000)
def _in_program(term: Term, program: Program) -> int:
    known = looks(term.text, RUNS)
    if known is not None and known.search(program.line):
        return SURE
    if term.kind == WORD and term.text.lower() in ("repo", "repository"):
        return 0
    if is_program(term, program) or runs_term(term, program):
        return SURE
    return 0


# ---- what is demanded ----


def _demands(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    for terms in rule.objects:
        for act in acts_of(deed):
            words = _subject(terms, act)
            if not words:
                continue
            text = act.text
            if act.kind == PATHS:
                assert act.edit
                text = act.edit.new_text
            if act.kind == RUNS and act.program:
                held = all(_in_program(term, act.program) or term.text in deed.command for term in rule.better)
            else:
                held = all(_holds(term, text) for term in rule.better)
            named = any(term.is_name or term.quoted or re.search(r"[A-Z=]", term.text) for term in rule.better)
            if not held and not named and act.kind != LINES:
                continue
            return ("follows" if held else "violates"), [*words, *([] if held else [f"no {rule.better[0].text}"])]
    return "", []


def _subject(terms: tuple[Term, ...], act: Act) -> list[str]:
    """What of an act a demand is about; none if it isn't about it."""
    said = tuple(term for term in terms if term.stem not in stems("file script new"))
    if act.kind == PATHS:
        assert act.edit
        about = act.edit.is_made and act.edit.how != EDITED and (len(said) < len(terms) or said)
        return [act.text] if about and all(_in_path(term, act.text) for term in said) else []
    if act.kind == RUNS:
        assert act.program
        quiet = act.program.words[0] in _QUIET
        first = Program(act.program.words[:3])
        return [*act.program.words[:3]] if not quiet and said and all(_in_program(term, first) for term in said) else []
    if act.kind == LINES:
        return [act.text.strip()] if said and all(_is_called(term, act) for term in said) else []
    return []


def _is_called(term: Term, act: Act) -> bool:
    """Whether a line uses what a demand is about: a name, what is known by its looks, a call of a word."""
    if term.is_name:
        return bool(_in_line(term, act))
    known = looks(term.text, LINES)
    pattern = known or re.compile(rf"\b{re.escape(term.text)}[.(]")
    return pattern.search(act.text) is not None


def _holds(term: Term, text: str) -> bool:
    known = looks(term.text, LINES) if term.kind == WORD else None
    return bool((known and known.search(text)) or term.text.lower().strip("`").rstrip("()") in text.lower())


def _placed(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    place = rule.better[0]
    for edit in deed.edits:
        for terms in rule.objects:
            if edit.is_made and all(_in_path(term, edit.path) for term in terms):
                return ("follows" if is_at(place.text, edit.path) else "violates"), [edit.path]
    return "", []


def _styled(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    style = STYLES[rule.better[0].text]
    kinds = {NAMED[term.stem] for terms in rule.objects for term in terms if term.stem in NAMED}
    for kind in sorted(kinds):
        for name in _names(kind, deed):
            if len(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)) > 1:
                return ("follows" if style.fullmatch(name) else "violates"), [name]
    return "", []


_DEFINED = re.compile(r"\b(?:def|fn|func|function)\s+(?:\([^)]*\)\s*)?(\w+)")
_ASSIGNED = re.compile(r"\b(?:const|let|var)\s+(\w+)|^\s*(\w+)\s*(?::\s*[\w\[\]]+\s*)?=[^=]")


def _names(kind: str, deed: Deed) -> Iterator[str]:
    """The names that a deed gives to things of a kind."""
    if kind == "file":
        yield from (edit.path.rpartition("/")[2].partition(".")[0] for edit in deed.edits if edit.is_made)
    pattern = _DEFINED if kind == "function" else _ASSIGNED if kind in ("name", "constant") else None
    for edit in deed.edits if pattern is not None else ():
        for line in edit.added:
            if pattern is not None and (found := pattern.search(line)) and line not in edit.removed:
                yield next(each for each in found.groups() if each)


# ---- limits ----

_VALUED = re.compile(r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*\w+\s*=|:=|[:=(]|\s)\s*[\"'`]?(\d[\d_]*)\b")


def _limits(rule: Rule, deed: Deed) -> tuple[str, list[str]]:
    number, unit = int(re.sub(r"\D", "", rule.better[0].text) or 0), stem(rule.better[1].text)
    words = {term.stem for terms in rule.objects for term in terms}
    for name, value in _measured(words, unit, deed):
        broken = value > number if "most" in rule.verbs else value < number
        return ("violates" if broken else "follows"), [name, f"{value:,}"]
    return "", []


def _measured(words: set[str], unit: str, deed: Deed) -> Iterator[tuple[str, int]]:
    """(name, size) of what a limit is about."""
    letters = unit in stems("characters chars letters columns zeichen wide")
    if letters and words & _MESSAGES:
        yield from ((text[:40], len(text.partition("\n")[0])) for text in deed.messages)
    elif letters:
        for edit in deed.edits:
            lines = [line for line in edit.added if line not in edit.removed]
            yield from ((edit.path, max(map(len, lines))) for _ in lines[:1])
    elif unit in stems("lines zeilen") and words & stems("file files module line lines zeilen datei"):
        yield from ((edit.path, len(edit.added)) for edit in deed.edits if edit.is_made)
    elif not unit or unit not in stems("lines characters"):
        lines = [line for edit in deed.edits for line in edit.added] + [each.line for each in deed.programs]
        for line in lines:
            for found in _VALUED.finditer(line):
                if words & words_in(found[1]):
                    yield found[1], int(found[2].replace("_", ""))


_JUDGES = {FORBIDS: _forbids, DEMANDS: _demands, PLACED: _placed, STYLED: _styled, LIMITS: _limits}
