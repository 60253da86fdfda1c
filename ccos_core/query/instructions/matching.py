"""Find the terms of a rule in a deed: paths, names in added lines, the words of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.paths import is_test
from ccos_core.query.instructions.deeds import Deed, Edit, Program, words_in
from ccos_core.query.instructions.rule import (
    Rule,
)
from ccos_core.query.instructions.terms import CODE, FLAG, NUMBER, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    IN_COMMANDS,
    LANGUAGE_ENDS,
    LOCKS,
    RIVALS,
    WORKFLOWS,
    stem,
    stems,
)

LONGEST_WORD = 160
"""Characters of an argument that is looked into."""
LOOSE = stems(
    "generated vendored shared legacy checked-in manually old public compiled auto-generated built automatically"
)
"""Words beside a path that say no more than the path."""
RIVAL_NAMES = frozenset(name for group in RIVALS for name in group)


# ---- where a rule holds ----


def is_there(rule: Rule, deed: Deed) -> bool:
    return (
        not rule.where
        or any(_is_in(term, edit.path) for term in rule.where for edit in deed.edits)
        or (bool(deed.messages) and any("message" in term.text for term in rule.where))
    )


def edits_there(rule: Rule, deed: Deed) -> list[Edit]:
    return [each for each in deed.edits if not rule.where or any(_is_in(term, each.path) for term in rule.where)]


def _is_in(term: Term, path: str) -> bool:
    word = term.text.lower()
    if term.kind == PATH:
        return is_at(term.text, path)
    if word in LANGUAGE_ENDS:
        return path.endswith(LANGUAGE_ENDS[word])
    if word.startswith("test"):
        return is_test(path)
    return word == "production" and not is_test(path)


@lru_cache(maxsize=20_000)
def is_at(said: str, path: str) -> bool:
    """Tell whether a path as a statement spells it means a file, or a folder that the file is in."""
    said = said.strip().removeprefix("./").rstrip(".,")
    if "*" in said:
        name = said if "/" in said.strip("/") else f"*/{said}"
        return fnmatchcase(f"/{path}", f"*/{name.replace('**/', '*').lstrip('*/')}") or fnmatchcase(
            f"/{path}",
            f"{name.replace('**', '*').rstrip('/')}/*" if said.endswith("/") else f"/{said.replace('**', '*')}",
        )
    parts, ours = said.strip("/").split("/"), path.strip("/").split("/")
    if not parts[0]:
        return False
    for at in range(len(ours) - len(parts) + 1):
        if ours[at : at + len(parts)] == parts:
            return not said.endswith("/") or at + len(parts) < len(ours)
    return len(parts) > len(ours) and parts[-len(ours) :] == ours and len(ours) > 1


def names_path(terms: Iterable[Term], path: str) -> bool:
    """Tell whether words name a file: `the vendor folder`, `tests`, `lock files`, `the billing module`."""
    words = list(terms)
    said = {term.stem for term in words}
    if any(term.kind == PATH for term in words):
        rest = [term for term in words if term.kind == WORD and term.stem not in LOOSE]
        there = words_in(path)
        known = all(term.stem in there or any(len(w) > 2 and term.stem.startswith(w) for w in there) for term in rest)
        return known and any(is_at(term.text, path) for term in words if term.kind == PATH)
    if not said or any(term.kind in (FLAG, NUMBER) for term in words):
        return False
    if said <= stems("lock lockfile lockfiles"):
        return LOCKS.search(path) is not None
    if said & {"ci", "workflow", "pipelin"} and said <= stems(
        "ci cd workflow workflows pipeline config configuration github actions"
    ):
        return WORKFLOWS.search(path) is not None
    if said <= stems("test tests spec specs unit"):
        return is_test(path)
    if said <= stems("doc docs documentation"):
        return path.startswith(("docs/", "doc/")) or "/docs/" in path or path.endswith((".md", ".rst"))
    there = words_in(path)
    name = path.rpartition("/")[2]
    return all(term.stem in there or term.text.lower() == name.lower() for term in words)


# ---- terms in texts and commands ----


@lru_cache(maxsize=4_000)
def name_pattern(text: str) -> re.Pattern[str]:
    """What finds a name in code: as a whole word; a call also with arguments."""
    name = text.strip()
    if re.fullmatch(
        r"\d{4}([/.-])\d\d?\1\d\d?"
        r"|\d\d?([/.-])\d\d?\2\d{4}",
        name,
    ):  # a date, as an example of how dates are written
        return re.compile(rf"(?<![\d/.-]){re.sub(r'[0-9]', r'[0-9]', re.escape(name))}(?![\d/.-])")
    call = name.endswith("()")
    name = name.removesuffix("()").rstrip("(")
    before = r"(?<![\w$])" if re.match(r"\w", name) else ""
    after = r"\s*\(" if call else r"(?![\w])" if re.search(r"\w$", name) else ""
    return re.compile(before + r"\s+".join(map(re.escape, name.split())) + after)


def introduced(term: Term, edit: Edit, *, plain: bool = False) -> str:
    """Return the added line that has a term which the edit brought in; empty if none does."""
    if term.kind == WORD and not plain and term.text.lower() not in RIVAL_NAMES:
        return ""
    pattern = name_pattern(term.text)
    if term.kind == PATH and term.text.endswith(".js") and "/" not in term.text:  # a library, as people call it
        pattern = re.compile(rf"['\"]{re.escape(term.text.removesuffix('.js'))}(?:\.js)?['\"]")
    fresh = [line for line in edit.added if pattern.search(line)]
    if not fresh and term.kind == WORD:
        pattern = re.compile(pattern.pattern, re.IGNORECASE)
        fresh = [line for line in edit.added if pattern.search(line)]
    if fresh and len(fresh) > sum(1 for line in edit.removed if pattern.search(line)):
        return fresh[0].strip()
    return ""


_TEXTS = {
    "git": ("-m", "-am", "-sm", "--message", "--author"),
    "gh": ("--title", "--body", "-t", "-b", "--notes"),
}
_TEXTED = ("--message=", "--title=", "--body=")
"""Options of git and gh whose values are texts."""


@lru_cache(maxsize=8_000)
def _pieces(program: Program) -> frozenset[str]:
    """The words of a program as rules name them: themselves, their parts, their stems."""
    found: set[str] = set()
    texts = _TEXTS.get(program.words[0], ())
    for before, word in zip(("", *program.words), program.words, strict=False):
        if before in texts or word.startswith(_TEXTED) or len(word) > LONGEST_WORD or "\n" in word:
            continue  # a text, such as a message
        found.add(word)
        found.add(word.lower())
        if re.fullmatch(r"-[A-Za-z]{2,5}", word):
            found |= {f"-{letter}" for letter in word[1:]}
        for part in re.split(r"[\s:/=@,;'\"()\[\]{}|<>&]+", word):
            if part:
                found |= {part, part.lower(), stem(part.lstrip("-"))}
    return frozenset(found)


def runs_term(term: Term, program: Program) -> bool:
    """Tell whether a program is run as a term says it."""
    pieces = _pieces(program)
    words = term.text.removesuffix("()").split()
    if len(words) > 1:
        return all(runs_term(Term(FLAG if word.startswith("-") else term.kind, word), program) for word in words)
    if term.kind == FLAG:
        if re.fullmatch(r"-[A-Za-z]{2,5}", term.text):
            return all(f"-{letter}" in pieces for letter in term.text[1:])
        return term.text in pieces
    if term.kind == PATH:
        return any(is_at(term.text, word.strip("'\"")) for word in program.words[1:]) or term.text in pieces
    if term.kind == CODE:
        return term.text in pieces or (term.text.islower() and "." not in term.text and term.text in pieces)
    word = term.text.lower()
    return word in pieces or term.stem in pieces or any(each in pieces for each in IN_COMMANDS.get(term.stem, ()))


def is_program(term: Term, program: Program) -> bool:
    """Tell whether a term names the program itself, or the words it begins with."""
    said = term.text.lower().removesuffix("()").split()
    words = [word.rpartition("/")[2].lower() for word in program.words]
    if words[: len(said)] == said or (words[:1] == ["git"] and words[1 : len(said) + 1] == said):
        return True
    while words and (words[0] in _WRAPPING or "=" in words[0]):
        words = words[1:]
    if words[:1] and words[0] in _RUNNING_OTHERS and words[1:2] and words[1] in _RUNNING_OTHERS[words[0]]:
        words = words[2:]
    return words[: len(said)] == said


_WRAPPING = words_of("sudo env time exec nohup command npx bunx pnpx nice timeout")
_RUNNING_OTHERS = {
    "python": ("-m",), "python3": ("-m",), "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "pdm": ("run",),
    "pnpm": ("exec", "dlx"), "npm": ("exec",), "yarn": ("exec", "dlx"), "bun": ("x",), "bundle": ("exec",),
}  # fmt: skip
"""Program → its words behind which it names another program."""


def is_spelled(term: Term, deed: Deed) -> bool:
    """Tell whether a deed has a name as it is spelled, in a command or in a line that it adds or removes."""
    pattern = name_pattern(term.text)
    texts = (deed.command, *(line for each in deed.edits for line in (*each.added, *each.removed)))
    return any(map(pattern.search, texts))


def has_term(term: Term, deed: Deed) -> bool:
    """Tell whether a deed has a term: changes it, runs it, brings it in."""
    if term.kind in (PATH, WORD) and any(names_path([term], path) for path in deed.paths):
        return True
    return any(runs_term(term, each) for each in deed.programs) or any(introduced(term, each) for each in deed.edits)
