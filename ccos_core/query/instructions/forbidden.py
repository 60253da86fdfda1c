"""Whether a deed does what a rule speaks of: changes a file, brings a name into code, runs a command."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ccos_core.intake.failures.arguments import words_of
from ccos_core.query.instructions.deeds import EDITED, GONE, MOVED, Deed, Edit, Program, words_in
from ccos_core.query.instructions.matching import (
    RIVAL_NAMES,
    edits_there,
    introduced,
    is_program,
    names_path,
    runs_term,
)
from ccos_core.query.instructions.rule import (
    Rule,
)
from ccos_core.query.instructions.terms import CODE, FLAG, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    ADDERS,
    ADDING,
    GENERIC,
    IN_COMMANDS,
    MANIFESTS,
    MOVING,
    ON_FILES,
    PACKAGES,
    READING,
    REMOVING,
    RUNNING,
    USING,
    VERBS,
    stems,
)
from ccos_core.text.syntax.languages import is_code

EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]")
COMMENT = re.compile(r"^\s*(?:#(?!!)|//|/\*|\*\s|--\s|<!--)|\s(?:#|//)\s")


# ---- what is forbidden ----


def does(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """Return the words by which a deed does what a rule speaks of; none if it doesn't."""
    verbs = rule.verbs
    if {term.stem for term in terms} & PACKAGES and not any(term.is_name for term in terms):
        return adds_package(deed) if verbs & (USING | ADDING | stems("install")) else []
    found = _changes(verbs, terms, deed) if verbs & ON_FILES else []
    found = found or (_reads(terms, deed) if verbs & READING else [])
    found = found or _special(terms, rule, deed) or _pipes(verbs, terms, deed)
    found = found or _lines(rule, terms, deed)
    return found or _commands(verbs, terms, rule, deed)


def _reads(terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The files that a deed reads, by a tool or by a program that shows them."""
    if read := [path for path in deed.reads if names_path(terms, path)]:
        return read
    shown = ((each.words[0], word) for each in deed.programs if each.words[0] in _SHOWING for word in each.words[1:])
    return next(([tool, word] for tool, word in shown if names_path(terms, word)), [])


def _pipes(verbs: frozenset[str], terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The pipe that a rule speaks of: `curl ... | sh`."""
    names = [term.text for term in terms if term.text.lower() not in ("shell", "pipe")]
    if "pip" not in verbs or len(names) < 2 or "|" not in deed.command:
        return []
    pipe = rf"\b{re.escape(names[0])}\b[^|;&]*\|\s*(?:sudo\s+)?(?:\S*/)?{re.escape(names[-1])}\b"
    return [found[0]] if (found := re.search(pipe, deed.command)) else []


def _lines(rule: Rule, terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The line of code by which a deed does what a rule speaks of."""
    edits = edits_there(rule, deed) if terms else []
    wanted = {*(rule.verbs & _IN_CODE), *(term.stem for term in terms)} if rule.verbs & _IN_CODE else set()
    for edit in edits:
        for line in edit.added if wanted and is_code(edit.path) else ():
            if wanted <= words_in(line) and line not in edit.removed:
                return [*(term.text for term in terms), line.strip()]
    if rule.verbs & (USING | ADDING | RUNNING) or not rule.verbs & ON_FILES:
        for edit in edits:
            if line := brought_in(terms, edit) if language_or_name(edit.path, terms) else "":
                return [*(term.text for term in terms), line]
    return []


_SHOWING = words_of("cat less more head tail bat grep rg sed awk source .")
_IN_CODE = stems("log print throw return mock call catch raise import hardcode swallow cast")
"""Verbs that stand in a line of code that does what they say."""


def language_or_name(path: str, terms: tuple[Term, ...]) -> bool:
    """Tell whether names in a file are meant: code, and of a text only what is spelled as code."""
    return is_code(path) or all(term.is_name for term in terms) or "." in path.rpartition("/")[2]


def brought_in(terms: tuple[Term, ...], edit: Edit) -> str:
    """Return the line by which an edit brings in all of these terms."""
    names = [term for term in terms if term.is_name or term.text.lower() in RIVAL_NAMES]
    others = [term for term in terms if term not in names]
    if not names:
        return ""
    lines = [introduced(term, edit) for term in names]
    if not all(lines):
        return ""
    there = words_in(f"{edit.path} {' '.join(lines)}")
    return lines[0] if all(term.stem in there or term.stem in _CODE_WORDS for term in others) else ""


_CODE_WORDS = stems(
    "call calls statement statements type types keyword import imports directly value values annotation cast"
)


def _changes(verbs: frozenset[str], terms: tuple[Term, ...], deed: Deed) -> list[str]:
    """The file that a deed changes as a rule says it, by a tool or by a program."""
    if any(each.words[0] == "git" and _PUTTING_BACK & set(each.words[1:3]) for each in deed.programs):
        return []
    for edit in deed.edits:
        if symbol := _symbol(verbs, terms, edit):
            return [edit.path, symbol]
        if terms and is_meant(verbs, terms, edit) and names_path(terms, edit.path):
            return [edit.path]
    known = {path.rpartition("/")[2] for path in deed.paths}
    for program in deed.programs:
        tool, words = program.words[0], [word for word in program.words[1:] if not word.startswith("-")]
        removes = tool in _REMOVING_TOOLS or (tool == "git" and words[:1] == ["rm"])
        if not removes and (
            verbs <= REMOVING or (tool not in _MUTATING and not (tool == "git" and words[:1] == ["mv"]))
        ):
            continue
        for word in (word for word in words if terms and word.rpartition("/")[2] not in known):
            inside = f"{word}." if word.endswith("/") else word
            if names_path(terms, inside) or any(is_same_folder(term.text, word) for term in terms if term.kind == PATH):
                return [tool, word]
    return []


def is_meant(verbs: frozenset[str], terms: tuple[Term, ...], edit: Edit) -> bool:
    """Whether verbs mean such an edit: who may not modify the tests may write one of their own."""
    is_own = (edit.is_new or edit.is_own) and not any(term.kind == PATH for term in terms)
    if is_own and not verbs & (ADDING | _TOUCHING):
        return False
    if verbs <= REMOVING:
        return edit.how == GONE
    if verbs <= MOVING:
        return edit.how in (MOVED, GONE)
    return edit.is_made if verbs <= ADDING else True


_PUTTING_BACK = words_of("checkout restore revert reset stash")
_REMOVING_TOOLS = words_of("rm rmdir unlink trash shred")
_TOUCHING = stems("touch mess tamper write")
"""Verbs by which a new file counts as much as a change."""
_KNOWN = VERBS | IN_COMMANDS.keys()
_MUTATING = words_of("mv truncate tee > chmod dd")


def is_same_folder(said: str, word: str) -> bool:
    """Tell whether a command names the folder that a rule names."""
    one, other = said.strip("/").removeprefix("./"), word.strip("/").removeprefix("./")
    return one == other or other.endswith(f"/{one}")


def _symbol(verbs: frozenset[str], terms: tuple[Term, ...], edit: Edit) -> str:
    """The definition a rule speaks of, where an edit changes its line."""
    for term in terms:
        if term.kind != CODE or " " in term.text:
            continue
        name = re.escape(term.text.removesuffix("()").rpartition(".")[2])
        defined = re.compile(
            rf"\b(?:def|class|func|function|fn|const|let|var|type|struct|interface|enum)\b.*\b{name}\b"
            rf"|^\s*{name}\s*[:=]"
        )
        if any(map(defined.search, edit.removed)) or (
            edit.how == EDITED
            and verbs <= REMOVING
            and any(re.search(rf"\b{name}\b", line) for line in edit.removed)
            and not any(re.search(rf"\b{name}\b", line) for line in edit.added)
        ):
            return term.text
    return ""


def _special(terms: tuple[Term, ...], rule: Rule, deed: Deed) -> list[str]:
    """Comments, emojis and marks, which are known by their looks."""
    said = {term.stem for term in terms}
    if not said or any(term.is_name for term in terms):
        return []
    if said <= stems("emoji emojis"):
        texts = [*deed.messages, *(line for each in edits_there(rule, deed) for line in each.added)]
        return [text.strip() for text in texts if EMOJI.search(text)][:1]
    if said <= stems("comment comments inline") and rule.verbs & (ADDING | USING | stems("write")):
        for each in edits_there(rule, deed):
            if is_code(each.path):
                fresh = [line.strip() for line in each.added if COMMENT.search(line)]
                if len(fresh) > sum(map(bool, map(COMMENT.search, each.removed))):
                    return fresh[:1]
    if said <= stems("todo todos fixme"):
        return next(
            ([found] for each in edits_there(rule, deed) if (found := introduced(Term(CODE, "TODO"), each))), []
        )
    return []


def adds_package(deed: Deed) -> list[str]:
    for program in deed.programs:
        words = list(program.words)
        while words and (words[0] in ("sudo", "python", "python3", "-m") or "=" in words[0]):
            words = words[1:]
        if words[:1] == ["uv"] and words[1:2] == ["pip"]:
            words = words[1:]
        tool = words[0].rpartition("/")[2] if words else ""
        if tool in ADDERS and len(words) > 2:
            at = next((at for at, word in enumerate(words[1:], 1) if word in ADDERS[tool]), 0)
            named = [word for word in words[at + 1 :] if not word.startswith(("-", ".", "/"))] if at else []
            fixed = {"-r", "-e", "--requirement", "--editable", "--frozen-lockfile"} & set(words)
            if named and not fixed:
                return [tool, words[at], named[0]]
    for edit in deed.edits:
        pattern = MANIFESTS.get(edit.path.rpartition("/")[2])
        if pattern is not None and edit.how == EDITED:
            gone = {re.split(r"[\"'=<>~! ]+", line.strip(" \"'"))[0] for line in edit.removed}
            for line in edit.added:
                is_field = re.match(r"\s*\"?(?:version|name|type|main|license|description)\b", line)
                name = re.split(r"[\"'=<>~! ]+", line.strip(" \"'"))[0]
                if pattern.search(line) and not is_field and name not in gone:
                    return [edit.path, line.strip()]
    return []


def _commands(verbs: frozenset[str], terms: tuple[Term, ...], rule: Rule, deed: Deed) -> list[str]:
    """The words of a command that does what a rule speaks of."""
    needed = [Term(WORD, verb) for verb in sorted(verbs - GENERIC)]
    alone = not needed and len(terms) == 1 and not terms[0].is_name
    if rule.where or (not needed and not terms):
        return []
    for program in deed.programs:
        if not program.words or program.words[0] in ("echo", "printf", "cat", "grep", "rg", "ls", "#"):
            continue
        if needed and not any(
            runs_term(each, program if each.text in _KNOWN else Program(program.words[:3])) for each in needed
        ):
            continue
        flagged = any(term.kind == FLAG for term in terms)
        if verbs & ON_FILES and not verbs & REMOVING and not needed and not flagged:
            first = Program(program.words[:3])
            if verbs & ADDING and terms and all(term.kind == WORD and runs_term(term, first) for term in terms):
                return [*program.words[:4]]
            continue
        extra = frozenset(branch for kind, branch, _ in deed.history if kind in program.words and branch)
        if alone and verbs & RUNNING:
            if runs_term(terms[0], Program(program.words[:4])):
                return [*program.words[:4]]
        elif alone or (not needed and all(term.kind == CODE for term in terms)):
            if all(is_program(term, program) or (" " in term.text and runs_term(term, program)) for term in terms):
                return [*program.words[:4]]
        elif all(runs_term(term, program) or term.text in extra for term in terms):
            return _shown(program, [*needed, *terms], extra)
    return []


def _shown(program: Program, terms: Iterable[Term], extra: frozenset[str]) -> list[str]:
    return [*program.words[:2], *(term.text for term in terms if term.text in program.words or term.text in extra)]
