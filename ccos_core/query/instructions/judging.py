"""Judge a deed by a rule: does it do what was forbidden, or leave out what was demanded?

Only what the words of the deed show is judged; everything else that shares words with a rule merely touches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ccos_core.query.instructions.deeds import WRITTEN, Deed, Edit, Program, words_in
from ccos_core.query.instructions.forbidden import brought_in, does, language_or_name
from ccos_core.query.instructions.loosely import judge_loosely
from ccos_core.query.instructions.matching import (
    RIVAL_NAMES,
    edits_there,
    has_term,
    introduced,
    is_program,
    is_there,
    names_path,
    runs_term,
)
from ccos_core.query.instructions.rule import (
    BEGINS,
    FLAGGED,
    GENERAL,
    HOLDS,
    INSTEAD,
    NEVER,
    ONLY,
    OPEN,
    ORDER,
    VALUE,
    Rule,
)
from ccos_core.query.instructions.terms import FLAG, NUMBER, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    ON_FILES,
    stem,
)
from ccos_core.text.syntax.languages import is_code

VIOLATES, FOLLOWS, TOUCHES = "violates", "follows", "touches"
SHORTEST_PLAIN = 4
"""Letters of a word that isn't in code by chance."""
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
    if not is_there(rule, deed):
        return None
    found = _loosely(rule, deed) if rule.sense in GENERAL else _JUDGES[rule.sense](rule, deed, done)
    if found is not None and found.kind == VIOLATES:
        if rule.excepted and any(has_term(term, deed) for term in rule.excepted):
            return Verdict(TOUCHES, found.words)
        if rule.condition == OPEN:
            return Verdict(TOUCHES, found.words)
    return found


def _verdict(kind: str, words: Iterable[str]) -> Verdict:
    return Verdict(kind, tuple(dict.fromkeys(word[:80] for word in words if word))[:MOST_WORDS])


def _loosely(rule: Rule, deed: Deed) -> Verdict | None:
    kind, words = judge_loosely(rule, deed)
    return _verdict(kind, words) if kind else None


def _judge_never(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    for terms in rule.objects:
        if words := does(rule, terms, deed):
            return _verdict(VIOLATES, words)
    return None


# ---- what is to be used instead, only, first ----


def _instead(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    good = [term for term in rule.better if term.is_name or term.text.lower() in RIVAL_NAMES] or list(rule.better[:1])
    if styled := _indented(rule, deed) or _quoted(rule, deed):
        return styled
    for terms in rule.objects:
        for program in deed.programs:
            bad = all(
                is_program(term, program) if len(terms) == 1 and term.kind != FLAG else runs_term(term, program)
                for term in terms
            )
            others = [term for term in good if term not in terms]
            if bad and not any(is_program(term, program) or runs_term(term, program) for term in others):
                return _verdict(VIOLATES, [*(term.text for term in terms), *program.words[:4]])
        for edit in edits_there(rule, deed):
            paths = [term for term in terms if term.kind == PATH and (edit.is_made or not term.text.endswith("/"))]
            if paths and names_path(terms, edit.path):
                return _verdict(VIOLATES, [edit.path])
            if line := _said_plainly(terms, rule, edit):
                return _verdict(VIOLATES, [terms[0].text, line])
            if line := brought_in(terms, edit) if language_or_name(edit.path, terms) else "":
                return _verdict(VIOLATES, [*(term.text for term in terms), line])
    return _as_wanted(rule, good, deed)


def _said_plainly(terms: tuple[Term, ...], rule: Rule, edit: Edit) -> str:
    """The line that brings in a plain word for which a rule names a better one."""
    plain = len(terms) == 1 and terms[0].kind == WORD and len(terms[0].text) >= SHORTEST_PLAIN and rule.better
    return introduced(terms[0], edit, plain=True) if plain else ""


def _as_wanted(rule: Rule, good: Sequence[Term], deed: Deed) -> Verdict | None:
    """Whether a deed uses what is wanted."""
    for term in good:
        for program in deed.programs:
            if is_program(term, program):
                return _verdict(FOLLOWS, program.words[:4])
        for edit in edits_there(rule, deed):
            if line := introduced(term, edit):
                return _verdict(FOLLOWS, [term.text, line])
    return None


def _indented(rule: Rule, deed: Deed) -> Verdict | None:
    """Tabs and spaces, which are seen where lines begin."""
    bad = {term.stem for terms in rule.objects for term in terms}
    good = {term.stem for term in rule.better}
    if not (bad | good) & {"tab", "tabs"} or not (bad & {"spac", "tab"}):
        return None
    for edit in edits_there(rule, deed):
        spaced = [line for line in edit.added if re.match(r" {2,}\S", line)]
        tabbed = [line for line in edit.added if re.match(r"\t+\S", line)]
        wrong, right = (spaced, tabbed) if "tab" in good else (tabbed, spaced)
        if is_code(edit.path) and (wrong or right):
            kind = VIOLATES if wrong else FOLLOWS
            return _verdict(kind, [edit.path, (wrong or right)[0].replace("\t", "→").rstrip()[:60]])
    return None


def _quoted(rule: Rule, deed: Deed) -> Verdict | None:
    """Single and double quotes."""
    bad = {term.stem for terms in rule.objects for term in terms}
    good = {term.stem for term in rule.better}
    if "quot" not in bad | good or not (bad & {"doubl", "singl"}):
        return None
    patterns = {"doubl": re.compile(r"\"[^\"'`]*\""), "singl": re.compile(r"'[^\"'`]*'")}
    ((worse, better),) = [("doubl", "singl") if "doubl" in bad else ("singl", "doubl")]
    for edit in (each for each in edits_there(rule, deed) if is_code(each.path)):
        for kind, name in ((VIOLATES, worse), (FOLLOWS, better)):
            if line := next((line for line in edit.added if patterns[name].search(line)), ""):
                return _verdict(kind, [edit.path, line.strip()])
    return None


def _only(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    if rule.verbs & ON_FILES:
        outside = [path for path in deed.paths if not any(names_path(terms, path) for terms in rule.objects)]
        inside = [path for path in deed.paths if path not in outside]
        return _verdict(VIOLATES, outside) if outside else _verdict(FOLLOWS, inside) if inside else None
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
            return _verdict(FOLLOWS if allowed else VIOLATES, [*program.words[:2], *sorted(targets)])
    return None


def _order(rule: Rule, deed: Deed, done: Iterable[Deed]) -> Verdict | None:
    """What had to be run before: since the last change of a file it was, or it wasn't."""
    (verb,) = sorted(rule.verbs)
    later = next((each for each in deed.programs if any(stem(word) == verb for word in each.words[1:4]) or
                  (each.words and stem(each.words[0]) == verb)), None)  # fmt: skip
    if later is None or {"--abort", "--dry-run", "--help"} & set(later.words):
        return None
    for program in deed.programs:  # the line itself may have run it before
        if program is later:
            break
        if is_run(rule.better, program):
            return _verdict(FOLLOWS, program.words[:4])
    for earlier in done:
        ran = next((each for each in earlier.programs if is_run(rule.better, each)), None)
        if ran is not None:
            return _verdict(FOLLOWS, [*ran.words[:4], f"step {earlier.step:,}"])
        if earlier.edits and not all(_is_prose(path) for path in earlier.paths):
            name = rule.better[0].text if len(rule.better) == 1 else "none"
            return _verdict(VIOLATES, [*later.words[:3], f"{name} not run since {earlier.paths[0]}"])
        if any(any(stem(word) == verb for word in each.words[1:3]) for each in earlier.programs):
            return None
    return None


def _is_prose(path: str) -> bool:
    return path.endswith((".md", ".txt", ".rst"))


def is_run(terms: tuple[Term, ...], program: Program) -> bool:
    """Tell whether a program is one of these, or has all words of a command line."""
    return any(is_program(term, program) or (" " in term.text and runs_term(term, program)) for term in terms) or any(
        term.text in program.words[:4] for term in terms if len(terms) > 1
    )


def _flagged(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    for program in deed.programs:
        first = rule.objects[0]
        if all(runs_term(term, program) for term in first) and stem(program.words[0]) not in (
            "echo",
            "cat",
            "grep",
            "rg",
        ):
            kind = FOLLOWS if any(runs_term(term, program) for term in rule.better) else VIOLATES
            return _verdict(kind, [*program.words[:4], *(() if kind == FOLLOWS else (f"no {rule.better[0].text}",))])
    return None


def _begins(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    branches = [
        word
        for each in deed.programs
        if each.words[:1] == ("git",)
        and ({"-b", "-B", "-c"} & set(each.words[1:4]))
        and {"checkout", "switch"} & set(each.words)
        for word in each.words[-1:]
    ]
    for text in deed.messages if rule.objects[0][0].text == "message" else branches:
        kind = FOLLOWS if any(_has_mark(term, text) for term in rule.better) else VIOLATES
        return _verdict(kind, [text.splitlines()[0] if text else ""])
    return None


def _has_mark(term: Term, text: str) -> bool:
    """Tell whether a text has a mark such as `ABC-12`, `feat:`, `feature/...`."""
    if term.text == "conventional":
        return (
            re.match(r"(?:feat|fix|chore|docs|refactor|test|style|perf|build|ci|revert)(?:\([^)]*\))?!?: ", text)
            is not None
        )
    mark = re.sub(r"(?:\.\.\.|…|<[^>]*>|\{[^}]*\}|XXX+|NNN+|###?)", "\0", term.text.strip(" *"))
    if re.fullmatch(r"\[?[A-Za-z]+-(?:\d+|[A-Z]+|\0)\]?:?", mark):
        letters = re.match(r"\[?([A-Za-z]+)-", mark)
        assert letters
        return re.search(rf"\b{re.escape(letters[1])}-\d+", text) is not None
    return mark.strip("\0").strip().lower() in text.lower()


def _value(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    wanted = rule.better[0]
    unit = stem(rule.better[1].text) if len(rule.better) > 1 else ""
    words = [term.stem for term in rule.objects[0]]
    lines = [line for each in edits_there(rule, deed) for line in each.added] + [each.line for each in deed.programs]
    for line in lines if "." in wanted.text and wanted.kind == NUMBER else ():
        name = re.escape(rule.objects[0][-1].text)
        for found in re.finditer(
            rf"(?<![A-Za-z]){name}(?:-version)?[\"']?\s*[:=@]?\s*[\"'`v^~=<>]*(\d+\.\d[\d.]*)", line, re.IGNORECASE
        ):
            same = f"{found[1]}.".startswith(f"{wanted.text}.")
            return _verdict(FOLLOWS if same else VIOLATES, [found[0].strip()])
    for line in lines:
        for found in re.finditer(
            r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*\w+\s*=|[:=(]|\s)\s*[\"'`]?(\d[\d_.]*|[\"'`]?\w[\w.-]*)", line
        ):
            named = words_in(found[1])
            if not set(words) & named or not all(word in words_in(line) for word in words):
                continue
            value = found[2].strip("\"'`").replace("_", "").rstrip(".")
            if wanted.kind == NUMBER and not value[:1].isdigit():
                continue
            if wanted.kind != NUMBER and (value.isdigit() or not re.search(r"[=:]", found[0])):
                continue
            kind = FOLLOWS if _is_value(value, wanted.text.strip("\"'`"), unit, found[1]) else VIOLATES
            return _verdict(kind, [found[0].strip()])
    return None


def _is_value(value: str, wanted: str, unit: str, name: str) -> bool:
    """Tell whether a value is the one that is wanted, in whatever unit."""
    wanted = re.sub(r"[^\d.]+$", "", wanted) if wanted[:1].isdigit() else wanted
    if value == wanted:
        return True
    if not re.fullmatch(r"[\d.]+", value) or not re.fullmatch(r"\d+", wanted):
        return False
    number = float(value)
    return any(number == int(wanted) * factor for factor in (60, 1_000, 60_000, 1_024, 3_600, 24)) and bool(unit)


def _holds(rule: Rule, deed: Deed, _: Iterable[Deed]) -> Verdict | None:
    for edit in edits_there(rule, deed):
        if edit.how == WRITTEN and (edit.is_made or rule.where) and edit.added:
            held = rule.better[0].text in edit.new_text
            return _verdict(FOLLOWS if held else VIOLATES, [edit.path, edit.added[0].strip()])
    return None


_JUDGES = {
    NEVER: _judge_never, INSTEAD: _instead, ONLY: _only, ORDER: _order, FLAGGED: _flagged, BEGINS: _begins,
    VALUE: _value, HOLDS: _holds,
}  # fmt: skip
