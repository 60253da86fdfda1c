"""Find the terms of a rule in what a deed did: paths, added and removed lines, commands, messages.

acts_of(deed)[0]                # Act("runs", "git push --force", program=...)
strength(term, act)             # SURE
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.paths import is_test
from ccos_core.query.instructions.concepts import LINES, MESSAGE, PATHS, RUNS, key_of, looks
from ccos_core.query.instructions.deeds import Deed, Edit, Program, message_of, words_in
from ccos_core.query.instructions.rule import Rule
from ccos_core.query.instructions.terms import CODE, FLAG, NUMBER, PATH, WORD, Term
from ccos_core.query.instructions.words import (
    IN_COMMANDS,
    LANGUAGE_ENDS,
    LOCKS,
    RIVAL_NAMES,
    SYNTAX_RIVALS,
    WORKFLOWS,
    lines,
    stem,
    stems,
)

LONGEST_WORD = 160
"""Characters of an argument that is looked into."""
LOOSE = stems(
    "generated vendored shared legacy checked-in manually old public compiled auto-generated built automatically"
)
"""Words beside a path that say no more than the path."""
READS, GONE_LINES = "reads", "gone"
WEAK, SURE = 1, 2
LEAST_BEGINNING = 5
"""Letters of a word that more than so long begins the name of a file: `Jenkins`, `Jenkinsfile`."""


class Act(NamedTuple):
    """One thing that a deed does."""

    kind: str
    """`paths`, `lines` (added), `gone` (removed lines), `runs`, `message`, `reads`."""
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
        gone, come = set(edit.removed), set(edit.added)
        yield from (Act(LINES, line, edit) for line in edit.added if line not in gone and line.strip())
        yield from (Act(GONE_LINES, line, edit) for line in edit.removed if line not in come and line.strip())
    for program in deed.programs:
        if program.words:
            branches = tuple(
                branch
                for kind, branch, _ in deed.history
                if kind in program.words and branch and branch not in program.words
            )
            yield Act(RUNS, program.line, None, Program((*program.words, *branches)) if branches else program)
            yield from (Act(MESSAGE, text, None, program) for text in texts_of(program))
    printed = set(deed.messages) - {text for program in deed.programs for text in texts_of(program)}
    yield from (Act(MESSAGE, text) for text in sorted(printed) if text)
    for path in deed.reads:
        yield Act(READS, path)


@lru_cache(maxsize=1_000)
def texts_of(program: Program) -> tuple[str, ...]:
    """Return the texts that a commit or a pull request is given; those of several options are one."""
    words = program.words
    if words[0] not in ("git", "gh") or {"checkout", "switch", "branch"} & set(words[:3]):
        return ()
    said = [
        words[at + 1]
        for at, word in enumerate(words[:-1])
        if re.fullmatch(r"-[a-zA-Z]*[mbt]|--(?:message|title|body|notes)", word)
    ]
    text = "\n\n".join(said) or message_of(program)
    return (text,) if text else ()


# ---- where a rule holds ----


def edits_of(rule: Rule, deed: Deed) -> Iterator[Edit]:
    """Yield the edits of a deed where a rule holds."""
    yield from (act.edit for act in acts_of(deed) if act.kind == PATHS and act.edit is not None and holds_at(rule, act))


def fresh(edit: Edit) -> list[str]:
    """Return the lines that an edit brings in."""
    gone = set(edit.removed)
    return [line for line in edit.added if line not in gone]


def holds_at(rule: Rule, act: Act) -> bool:
    """Tell whether a rule holds where something was done."""
    return not rule.where or any(_is_in(term, act) for term in rule.where)


def _is_in(term: Term, act: Act) -> bool:
    word = term.text.lower()
    if act.kind == MESSAGE or act.program is not None:
        if key_of(word).startswith(("commit", "messag", "subject")):
            return act.kind == MESSAGE or "commit" in act.text
        return act.program is not None and act.kind == RUNS and runs_term(term, act.program)
    path = act.edit.path if act.edit is not None else act.text
    if term.kind == PATH:
        return is_at(term.text, path)
    if word in LANGUAGE_ENDS:
        return path.endswith(LANGUAGE_ENDS[word])
    key = key_of(word)
    if key in ("test", "spec", "test fil", "test cod"):
        return is_test(path)
    if key in ("production", "production cod", "library", "library cod"):
        return not is_test(path)
    known = looks(term.text, PATHS)
    if known is not None and known.search(path):
        return True
    if key in _SIDES:
        return _SIDES[key].search(path) is not None
    return names_path([term], path)


_SIDES = {key: re.compile(rest) for key, _, rest in (line.partition("\t") for line in lines("sides"))}


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


# ---- how surely an act shows a term ----


def strength(term: Term, act: Act) -> int:
    """Return how surely an act shows a term: 0 if it doesn't."""
    if act.kind in (PATHS, READS):
        return _in_path(term, act.text)
    if act.kind in (LINES, GONE_LINES):
        assert act.edit
        return _in_line(term, act) or min(_in_path(term, act.edit.path), WEAK)
    if act.kind == MESSAGE:
        return _in_message(term, act.text)
    assert act.program
    return in_program(term, act.program)


def _in_message(term: Term, text: str) -> int:
    known = looks(term.text, MESSAGE)
    if known is not None:
        return SURE if known.search(text) else 0
    if term.is_name or term.quoted:
        return SURE if term.text.lower() in text.lower() else 0
    return SURE if term.stem in words_in(text) else 0


def _in_path(term: Term, path: str) -> int:
    if term.kind == PATH:
        return SURE if is_at(term.text, path) or is_at(term.text, path.rpartition("/")[2]) else 0
    if term.kind in (FLAG, NUMBER):
        return 0
    known = looks(term.text, PATHS)
    if known is not None and known.search(path):
        return SURE
    if term.text.lower() in LANGUAGE_ENDS:
        return SURE if path.endswith(LANGUAGE_ENDS[term.text.lower()]) else 0
    if known is not None:
        return 0
    name = path.rpartition("/")[2].lower()
    if len(term.text) > LEAST_BEGINNING and name.startswith(term.text.lower()):
        return SURE
    return SURE if names_path([term], path) or term.text.lower() in path.lower().split("/") else 0


def _in_line(term: Term, act: Act) -> int:
    assert act.edit
    line, other = act.text, act.edit.removed if act.kind == LINES else act.edit.added
    if term.kind == FLAG:
        return SURE if term.text in line.split() else 0
    is_rival = term.text.lower() in RIVAL_NAMES and term.text.lower() not in SYNTAX_RIVALS
    known = looks(term.text, LINES)
    if known is not None and not is_rival:
        if not known.search(line):
            return 0
        same = sum(1 for each in other if known.search(each))
        ours = act.edit.added if act.kind == LINES else act.edit.removed
        return SURE if sum(1 for each in ours if known.search(each)) > same else WEAK
    if term.kind == PATH:
        name = term.text.strip("/*")
        if name.endswith(".js") and "/" not in name:  # a library, as people call it
            return SURE if re.search(rf"['\"]{re.escape(name[:-3])}(?:\.js)?['\"]", line) else 0
        return SURE if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", line) else 0
    if term.is_name or term.quoted or is_rival:
        pattern = (
            name_pattern(term.text) if not is_rival else re.compile(name_pattern(term.text).pattern, re.IGNORECASE)
        )
        return 0 if not pattern.search(line) else WEAK if any(map(pattern.search, other)) else SURE
    if term.stem not in words_in(line):
        return 0
    return WEAK if any(term.stem in words_in(each) for each in other) else SURE


@lru_cache(maxsize=4_000)
def in_program(term: Term, program: Program) -> int:
    """Return how surely a program shows a term."""
    known = looks(term.text, RUNS)
    if known is not None:
        return SURE if known.search(_untexted(program)) else 0
    if term.kind == WORD and " " in term.text and not term.quoted:
        return 0
    if is_program(term, program) or runs_term(term, program):
        return SURE
    return 0


@lru_cache(maxsize=4_000)
def _untexted(program: Program) -> str:
    """The line of a program without the texts that a commit or a pull request is given, but for their trailers."""
    kept = [word if len(word) <= LONGEST_WORD else "" for word in program.words]
    if program.words[0] in _TEXTS:
        kept = [
            re.sub(r"(?s).*(?=Co-[Aa]uthored|Generated|Signed-off-by)|.*", "", word)
            if before in _TEXTS[program.words[0]]
            else word
            for before, word in zip(("", *program.words), program.words, strict=False)
        ]
    return " ".join(kept)


def is_prose(path: str) -> bool:
    """Tell whether a file holds text and no code."""
    return path.endswith((".md", ".txt", ".rst", ".mdx", ".adoc"))
