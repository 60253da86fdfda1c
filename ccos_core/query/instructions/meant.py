"""Which acts of a deed the verbs of a rule mean: who may not edit the tests may run them."""

from __future__ import annotations

import re

from ccos_core.intake.failures.arguments import words_of
from ccos_core.query.instructions.concepts import LINES, PATHS, RUNS, key_of, looks
from ccos_core.query.instructions.deeds import GONE, MOVED, Edit, Program
from ccos_core.query.instructions.matching import GONE_LINES, READS, Act, in_program, is_program, runs_term
from ccos_core.query.instructions.phrases import is_noise
from ccos_core.query.instructions.terms import CODE, FLAG, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    ADDING,
    CHANGING,
    GENERIC,
    INSTALLING,
    MOVING,
    ON_FILES,
    READING,
    REMOVING,
    RUNNING,
    USING,
    lines,
    listed,
    stems,
)

_QUIET = words_of("echo printf ls cat grep rg # sed head tail find wc diff which man")
_CHANGING_PROGRAMS = words_of("mv rm cp tee > >> truncate chmod touch dd ln sed perl")
_PUTTING_BACK = words_of("checkout restore revert reset stash")
_REMOVING_PROGRAMS = words_of("rm rmdir unlink trash shred")
_SHOWING = words_of("cat less more head tail bat grep rg sed awk source . cp nano vim open jq strings xxd base64")
LOOKING = frozenset(listed("looking"))
"""Words of commands that only look."""
_ONLY_RUN = frozenset("|".join(lines("only_run")).split("|"))
"""What a command that names it only runs or asks."""
SCRATCH = re.compile(r"/(?:private/|var/)?tmp/")
_TOUCHING = stems("touch mess tamper write")
"""Verbs by which a new file counts as much as a change."""


def is_meant(verbs: frozenset[str], terms: tuple[Term, ...], act: Act) -> bool:
    doing = verbs & (GENERIC | REMOVING | READING | INSTALLING)
    if act.kind == READS:
        return bool(doing & READING)
    if act.kind == PATHS:
        assert act.edit
        return _is_edit(doing, terms, act.edit)
    if act.kind == GONE_LINES:
        return bool(doing & REMOVING) and not doing & USING
    if act.kind == LINES:
        if doing and doing <= REMOVING | MOVING | READING | RUNNING | INSTALLING:
            return False
        if doing and doing <= (CHANGING - stems("write")) | REMOVING | MOVING | READING:
            return _is_key(terms, act)
        return True
    assert act.program
    return _is_run(doing, terms, act.program)


def _is_edit(doing: frozenset[str], terms: tuple[Term, ...], edit: Edit) -> bool:
    named = any(term.kind == PATH for term in terms)
    if doing and doing <= RUNNING | INSTALLING:
        return False
    if SCRATCH.match(edit.path) and not named:
        return False
    if doing & (CHANGING | READING) or (not doing and named):
        is_own = edit.is_made and not named
        return not is_own or bool(doing & (ADDING | _TOUCHING))
    if doing & ADDING and all(term.kind == PATH and not term.text.endswith("/") for term in terms):
        return bool(edit.added)
    if doing & REMOVING:
        return edit.how == GONE
    if doing & MOVING:
        return edit.how in (MOVED, GONE)
    return edit.is_made


def _is_key(terms: tuple[Term, ...], act: Act) -> bool:
    """Whether a line sets what a rule names: `"version": "1.2"`."""
    assert act.edit
    words = [re.escape(term.text) for term in terms if not is_noise(term) and term.kind in (WORD, CODE)]
    key = (
        re.compile(rf"^\W*(?:\w+\s+)*(?:{'|'.join(words)})\w*\W*\s*(?::\s*\w+\s*)?[:=]", re.IGNORECASE)
        if words
        else None
    )
    return key is not None and key.search(act.text) is not None and any(map(key.search, act.edit.removed))


def _is_run(doing: frozenset[str], terms: tuple[Term, ...], program: Program) -> bool:
    """Whether the verbs of a rule mean a program: to change or to remove, it must be one that does."""
    words = program.words
    if doing & INSTALLING and not {"install", "i", "add", "get", "global", "-S"} & set(words):
        return False
    if doing & READING and not doing & ON_FILES - stems("add"):
        return words[0] in _SHOWING or any(looks(term.text, RUNS) or is_program(term, program) for term in terms)
    if LOOKING & set(words[1:5]) and not any(term.text in words for term in terms if term.kind == FLAG):
        return doing & READING != frozenset() and words[0] in _SHOWING
    if words[0] in _QUIET:
        return (
            (words[0] == "sed" and "-i" in words)
            or any(is_program(term, program) for term in terms)
            or (bool(doing & READING) and words[0] in _SHOWING)
        )
    if (
        words[:1] == ("git",)
        and _PUTTING_BACK & set(words[1:3])
        and doing & CHANGING
        and any(term.kind == PATH for term in terms)
    ):
        return False
    if (
        doing & (CHANGING | REMOVING | MOVING)
        and not doing & (USING | RUNNING)
        and not any(term.kind == FLAG for term in terms)
    ):
        if any(
            looks(term.text, RUNS) and key_of(term.text) not in _ONLY_RUN and in_program(term, program)
            for term in terms
        ):
            return True
        if doing & REMOVING and words[0] in _REMOVING_PROGRAMS:
            return True
        if doing & (CHANGING | MOVING) and words[0] in _CHANGING_PROGRAMS:
            return any(term.is_name for term in terms)
        wanted = [Term(WORD, verb) for verb in sorted(doing & (CHANGING | REMOVING | MOVING))]
        return any(runs_term(verb, program) for verb in wanted) or words[:2] == ("git", "config")
    if doing & ADDING and not doing & (USING | RUNNING | CHANGING):
        first = Program(words[:3])
        return (
            any(looks(term.text, RUNS) for term in terms)
            or words[0] in ("cp", "touch", "mkdir", "tee", ">")
            or any(runs_term(term, first) for term in terms)
        )
    return True
