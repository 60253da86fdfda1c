"""Judge what a rule demands: that a thing has what it needs, its name, its size, its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ccos_core.query.instructions.concepts import LINES, MESSAGE, RUNS, key_of, looks
from ccos_core.query.instructions.deeds import EDITED, Deed, Edit, Program, words_in
from ccos_core.query.instructions.matching import (
    Act,
    acts_of,
    edits_of,
    fresh,
    holds_at,
    in_program,
    is_at,
    is_program,
    is_prose,
    strength,
    texts_of,
)
from ccos_core.query.instructions.naming import DEFINED, judge_named
from ccos_core.query.instructions.rule import LIMIT, NAMED, NEEDS, PLACED, VALUE, Rule
from ccos_core.query.instructions.terms import FLAG, NUMBER, PATH, WORD, Term
from ccos_core.query.instructions.words import LANGUAGE_ENDS, stem, stems

VIOLATES, FOLLOWS = "violates", "follows"
Found = tuple[str, list[str]] | None
CALL_LINES = 6
"""Lines in which a call ends."""
_QUIET = frozenset(["echo", "printf", "ls", "cat", "grep", "rg", "#", "sed", "head", "tail", "find", "which"])
_FILES = stems("file script module header")
_MESSAGES = stems("commit message subject") | {key_of("commit message"), key_of("git commit")}
_REQUESTS = {key_of("pull request"), "pr"}


# ---- what a thing needs ----


def _needs(rule: Rule, deed: Deed) -> Found:
    flags = [term for term in rule.better if term.kind == FLAG or re.fullmatch(r"[A-Z_]+=\S*", term.text)]
    for what, text, program in (
        each for subject in rule.objects for each in _occasions(rule, subject, deed, bool(flags))
    ):
        if program is not None:
            held = [term for term in rule.better if in_program(term, program) or term.text in deed.command]
        else:
            held = [term for term in rule.better if _holds(term, text)]
        enough = held if _is_either(rule.better) else len(held) == len(rule.better)
        return (FOLLOWS if enough else VIOLATES), [what, *([] if enough else [f"no {rule.better[0].text}"])]
    return None


def _is_either(better: tuple[Term, ...]) -> bool:
    """Whether one of what is needed will do: `feat:` or `fix:`."""
    return len(better) > 1 and len({(term.kind, term.text[-1:]) for term in better}) == 1


def _occasions(
    rule: Rule, subject: tuple[Term, ...], deed: Deed, by_flag: bool
) -> Iterator[tuple[str, str, Program | None]]:
    """(what it is, the text that must hold what is needed, its program) for each occasion."""
    keys = {key_of(term.text) for term in subject}
    if (
        keys & (_MESSAGES | _REQUESTS)
        and not by_flag
        and not any(looks(term.text, RUNS) and not looks(term.text, MESSAGE) for term in rule.better)
    ):
        kind = "commit" if keys & _MESSAGES else "pr"
        for program in deed.programs:
            if kind in program.words[:4]:
                yield from ((text.partition("\n")[0], text, None) for text in texts_of(program))
        return
    said = tuple(term for term in subject if term.stem not in _FILES | stems("run"))
    is_file = len(said) < len(subject)
    for act in acts_of(deed):
        if not holds_at(rule, act):
            continue
        if act.kind == "paths" and act.edit is not None and not by_flag:
            edit = act.edit
            if (
                edit.is_made
                and edit.how != EDITED
                and (is_file or _names_files(said))
                and all(strength(term, act) for term in said)
            ):
                yield edit.path, f"{edit.path}\n{edit.new_text}", None
        elif (
            act.kind == "runs"
            and act.program is not None
            and said
            and act.program.words[0] not in _QUIET
            and _may_have(rule, act.program)
        ):
            first = Program(act.program.words[:3])
            if all(
                in_program(term, act.program if term.kind == FLAG else first) or is_program(term, act.program)
                for term in said
                if term.stem not in stems("command flag option")
            ):
                yield " ".join(act.program.words[:3]), "", act.program
        elif (
            act.kind == "lines"
            and said
            and not is_file
            and act.edit is not None
            and not by_flag
            and all(_is_used(term, act) for term in said)
        ):
            lines = list(act.edit.added)
            at = lines.index(act.text)
            near = lines[max(at - 2, 0) : at + CALL_LINES]
            yield act.text.strip(), "\n".join(near), None


_OWNERS = {
    "--release": ("cargo",),
    "--locked": ("cargo",),
    "--frozen-lockfile": ("pnpm", "yarn", "bun"),
    "--offline": ("cargo",),
    "-race": ("go",),
}
"""Options of one program, whatever has to have them."""


def _may_have(rule: Rule, program: Program) -> bool:
    return all(program.words[0] in _OWNERS.get(term.text, program.words) for term in rule.better)


def _names_files(said: tuple[Term, ...]) -> bool:
    return bool(said) and all(
        looks(term.text, "paths") or term.text.lower() in LANGUAGE_ENDS or term.kind == PATH for term in said
    )


def _is_used(term: Term, act: Act) -> bool:
    """Whether a line uses what a demand is about: a name, what is known by its looks, a call of a word."""
    if term.is_name:
        return bool(strength(term, act))
    assert act.edit
    path = act.edit.path
    known = looks(term.text, LINES)
    if known is not None:
        return (
            known.search(act.text) is not None and not is_prose(act.edit.path) and not act.edit.path.endswith(".json")
        )
    if term.text.lower() in LANGUAGE_ENDS:
        return path.endswith(LANGUAGE_ENDS[term.text.lower()])
    word = re.escape(term.text.rstrip("s") if len(term.text) > 4 else term.text)
    return re.search(rf"\b{word}s?\b[\"']?[.(]|<{word}\b|\b{word}s?\b[\"']?\s*[:=](?!=)", act.text) is not None


def _holds(term: Term, text: str) -> bool:
    known = (looks(term.text, LINES) or looks(term.text, MESSAGE)) if term.kind == WORD else None
    if known is not None:
        return any(map(known.search, text.split("\n"))) or (
            looks(term.text, LINES) is None and known.search(text) is not None
        )
    if re.fullmatch(r"\[?[A-Z]+-(?:\d+|[A-Z#X]+)\]?:?", term.text):
        return re.search(rf"\b{re.escape(term.text.strip('[').partition('-')[0])}-\d+", text) is not None
    plain = term.text.lower().strip("`").rstrip("()")
    return plain in text.lower() or (term.kind == WORD and not term.quoted and term.stem in words_in(text))


# ---- how much ----

_VALUED = re.compile(r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*\w+\s*=|:=|[:=(]|\s)\s*[\"'`]?(\d[\d_]*)\b")
_LETTERS = stems("character characters char chars letter letters column columns wide width col cols")


def _limit(rule: Rule, deed: Deed) -> Found:
    number, unit = int(re.sub(r"\D", "", rule.better[0].text) or 0), stem(rule.better[1].text)
    words = {stem(word) for terms in rule.objects for term in terms for word in term.text.split()}
    for name, value in _measured(words, unit, rule, deed):
        broken = value > number if "most" in rule.verbs else value < number
        return (VIOLATES if broken else FOLLOWS), [name, f"{value:,}"]
    return None


def _measured(words: set[str], unit: str, rule: Rule, deed: Deed) -> Iterator[tuple[str, int]]:
    """(name, size) of what a limit is about."""
    edits = list(edits_of(rule, deed))
    is_width = not unit and words & _WIDTHS and not words & stems("file function method module")
    if words & (_MESSAGES | {"subject"}):
        heads = [text.partition("\n")[0] for text in deed.messages]
        yield from ((head[:40], len(head.split() if unit in stems("word words") else head)) for head in heads)
    elif unit in _LETTERS or is_width:
        yield from ((edit.path, max(map(len, fresh(edit)))) for edit in edits if fresh(edit))
    elif unit in stems("line lines loc") and words & stems("function method functions test"):
        yield from (size for edit in edits if edit.added for size in [_longest(edit)] if size[1])
    elif unit in stems("line lines loc"):
        yield from ((edit.path, len(edit.added)) for edit in edits if edit.is_made)
    elif unit in stems("parameter parameters argument arguments params args"):
        yield from (_parameters(found) for edit in edits for line in fresh(edit) if (found := _SIGNATURE.search(line)))
    else:
        texts = [line for edit in edits for line in fresh(edit)]
        texts += [each.line for each in deed.programs] if not rule.where else []
        for text in texts:
            several = len(words) < 3 or len(words & words_in(text)) > 1
            for found in _VALUED.finditer(text):
                if words & words_in(found[1]) and several:
                    yield found[1], int(found[2].replace("_", ""))


_WIDTHS = stems("line length wide width column")
_SIGNATURE = re.compile(r"\b(?:def|func|function|fn)\s+(?:\([^)]*\)\s*)?(\w+)\(([^)]*)\)")


def _parameters(found: re.Match[str]) -> tuple[str, int]:
    names = [each.strip() for each in found[2].split(",")]
    return found[1], len([each for each in names if each and each not in ("self", "cls", "&self")])


def _longest(edit: Edit) -> tuple[str, int]:
    """The longest function that an edit adds whole, by its name and lines."""
    best, name, begun = ("", 0), "", 0
    for at, line in enumerate([*edit.added, "end"]):
        found = DEFINED["function"].search(line)
        ends = line and not line[0].isspace() and not line.startswith((")", "}", "]"))
        if name and (found or ends):
            best = max(best, (name, at - begun), key=lambda one: one[1])
            name = ""
        if found:
            name, begun = next(each for each in found.groups() if each), at
    return best


# ---- places and values ----


def _placed(rule: Rule, deed: Deed) -> Found:
    place = rule.better[0].text
    for edit in edits_of(rule, deed):
        act = Act("paths", edit.path, edit)
        for terms in rule.objects:
            said = [term for term in terms if term.stem not in stems("file code new")]
            if edit.is_made and said and all(strength(term, act) or _is_kind(term, edit) for term in said):
                return (FOLLOWS if is_at(place, edit.path) else VIOLATES), [edit.path]
    return None


def _is_kind(term: Term, edit: Edit) -> bool:
    """Whether a file holds what a word names: its words, or what it defines."""
    known = looks(term.text, LINES)
    if term.kind == WORD and known is not None and key_of(term.text) not in ("test", "function", "class"):
        return any(map(known.search, edit.added))
    return term.stem in words_in(edit.path)


_SETS = re.compile(r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*\w+\s*=|[:=(]|\s)\s*[\"'`]?(\d[\d_.]*|[\"'`]?\w[\w.-]*)")


def _value(rule: Rule, deed: Deed) -> Found:
    wanted = rule.better[0]
    words = [term.stem for term in rule.objects[0]]
    lines = [line for edit in edits_of(rule, deed) for line in edit.added] + [each.line for each in deed.programs]
    for line in lines if "." in wanted.text and wanted.kind == NUMBER else ():
        name = re.escape(rule.objects[0][-1].text)
        for found in re.finditer(
            rf"(?<![A-Za-z]){name}(?:-version)?[\"']?\s*[:=@]?\s*[\"'`v^~=<>]*(\d+\.\d[\d.]*)", line, re.IGNORECASE
        ):
            return (FOLLOWS if f"{found[1]}.".startswith(f"{wanted.text}.") else VIOLATES), [found[0].strip()]
    for line in lines:
        for found in _SETS.finditer(line):
            if not set(words) & words_in(found[1]) or not all(word in words_in(line) for word in words):
                continue
            value = found[2].strip("\"'`").replace("_", "").rstrip(".")
            if wanted.kind == NUMBER and not value[:1].isdigit():
                continue
            if wanted.kind != NUMBER and (value.isdigit() or not re.search(r"[=:]", found[0])):
                continue
            fits = _is_value(value, wanted.text.strip("\"'`"), len(rule.better) > 1)
            return (FOLLOWS if fits else VIOLATES), [found[0].strip()]
    return None


def _is_value(value: str, wanted: str, has_unit: bool) -> bool:
    """Tell whether a value is the one that is wanted, in whatever unit."""
    wanted = re.sub(r"[^\d.]+$", "", wanted) if wanted[:1].isdigit() else wanted
    if value == wanted:
        return True
    if not re.fullmatch(r"[\d.]+", value) or not re.fullmatch(r"\d+", wanted):
        return False
    return any(float(value) == int(wanted) * factor for factor in (60, 1_000, 60_000, 1_024, 3_600, 24)) and has_unit


KEEPERS: Mapping[str, Callable[[Rule, Deed], Found]] = {
    NEEDS: _needs,
    NAMED: judge_named,
    VALUE: _value,
    LIMIT: _limit,
    PLACED: _placed,
}
