"""Which files a program names for another: `find`, `grep -l`, `git ls-files`, `fd`, `ls`, for `xargs` and `-exec`.

No list is ever seen, so what comes back are patterns: what the files are called like, and where a search names them
for a plain text, that text, which they hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ccos_core.intake.calls.arguments import flags, operands, option, read_arguments
from ccos_core.intake.calls.literal import printed
from ccos_core.intake.calls.running import Stage

MOST_WORDS = 100
"""Words of an output that are passed on as files."""
_PASSING = ("head", "tail", "sort", "uniq", "grep", "egrep", "fgrep", "rg", "tr", "cat", "sed", "shuf", "tac")
"""Filters that pass some of the names on."""
_GREPS = ("grep", "egrep", "fgrep", "rg", "ag")
_GREP_VALUES = "A:B:C:e:f:m:g:t:T:d:D:"
_PLAIN_TEXT = re.compile(r"[^\\.*+?\[\](){}|^$\n]+")
_FIND_NAMES = ("-name", "-iname", "-path", "-wholename")
_GLOBS = re.compile(r"[*?\[{]")


@dataclass(frozen=True, slots=True)
class Listed:
    """Files somebody found."""

    patterns: tuple[str, ...]
    """What they are called like; a name that is known is one of these as well."""
    holding: str = ""
    """A text all of them hold; empty where none is known."""


def files_of(stages: Sequence[Stage]) -> Listed | None:
    """The files a pipeline prints the names of; None where nobody can tell."""
    if not stages or any(stage.opaque for stage in stages):
        return None
    text: str | None = None
    for stage in stages:
        text = printed(stage, text)
    if text is not None:
        return Listed(tuple(map(literally, text.split()[:MOST_WORDS])))
    found = _found_by(stages[0])
    if found is None or any(stage.name not in _PASSING for stage in stages[1:]):
        return None
    return found


def handed_over(stages: Sequence[Stage]) -> tuple[Stage, Listed] | None:
    """What `xargs` or `find -exec` at the end of a pipeline runs, and on which files."""
    stage = stages[-1]
    if stage.name == "xargs":
        found = files_of(stages[:-1])
        run, name = _without_options(stage.words[1:])
        return (_given(stage, run, found, name), found) if found is not None and run else None
    if stage.name not in ("find", "gfind", "fd", "fdfind"):
        return None
    exec_at = next((at for at, word in enumerate(stage.words) if word in ("-exec", "-execdir", "-x", "-X", "-ok")), 0)
    found = _found_by(stage)
    if found is None:
        return None
    if not exec_at:
        return (Stage(("rm", None), patterns=("", found.patterns[0])), found) if "-delete" in stage.words else None
    words = stage.words[exec_at + 1 :]
    ends = [at for at, word in enumerate(words) if word in (";", "+")]
    words = words[: ends[0]] if ends else words
    return (_given(stage, words, found, "{}"), found) if words else None


def literally(name: str) -> str:
    """A name as a pattern that nothing else is like."""
    return _GLOBS.sub(r"[\g<0>]", name)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _given(stage: Stage, words: Sequence[str | None], found: Listed, name: str) -> Stage:
    """A program with the files it is given: where it says so, else at its end."""
    given: list[str | None] = []
    patterns: list[str] = []
    for word in words:
        if name and word is not None and name in word:
            given += [None] * len(found.patterns)
            patterns += found.patterns if word == name else [""] * len(found.patterns)
        else:
            given.append(word)
            patterns.append("")
    if len(given) == len(words) and not (name and name in words):
        given += [None] * len(found.patterns)
        patterns += found.patterns
    return replace(stage, words=tuple(given), patterns=tuple(patterns))


def _without_options(words: Sequence[str | None]) -> tuple[list[str | None], str]:
    """(what `xargs` runs, what stands for the files there)."""
    rest, name = list(words), ""
    while rest and (word := rest[0] or "").startswith("-"):
        rest.pop(0)
        if word in ("-I", "-n", "-P", "-L", "-d", "-E", "-s", "--max-args", "--max-procs", "--delimiter") and rest:
            value = rest.pop(0)
            name = (value or "") if word == "-I" else name
        elif word.startswith("-I"):
            name = word[2:]
    return rest, name


def _found_by(stage: Stage) -> Listed | None:
    if stage.name in ("find", "gfind"):
        return _found(stage)
    if stage.name in _GREPS:
        return _searched(stage.words[1:], bool({"rg", "ag"} & {stage.name}))
    words = [word for word in stage.words[1:] if word is not None]
    if stage.name == "git" and words[:1] == ["grep"]:
        return _searched(stage.words[2:], True)
    if stage.name == "git" and words[:1] in (["ls-files"], ["diff"]):
        named = [word for word in words[1:] if not word.startswith("-")] if words[0] == "ls-files" else []
        return Listed(tuple(f"**/{name}" if "*" in name else name for name in named) or ("**",))
    if stage.name in ("ls", "echo") and None in stage.words:
        patterns = [pattern for pattern in stage.patterns if pattern]
        named = [literally(word) for word in words if not word.startswith("-")]
        return Listed((*named, *patterns)) if len(patterns) == stage.words.count(None) else None
    return Listed(("**",)) if stage.name in ("fd", "fdfind") else None


def _found(stage: Stage) -> Listed:
    """`find FOLDERS TESTS`: names count, other tests only leave some of them out."""
    words, folders, names = list(stage.words[1:]), list[str](), list[str]()
    while words and (words[0] is None or not words[0].startswith(("-", "(", "!"))):
        folder = words.pop(0)
        folders.append(literally(folder.rstrip("/")) if folder else "**")
    for at, word in enumerate(words[:-1]):
        if word in _FIND_NAMES and (at == 0 or words[at - 1] not in ("!", "-not")):
            names.append(words[at + 1] or "*")
        if word in ("-exec", "-execdir", "-ok"):
            break
    beneath = [name if "/" in name else f"**/{name}" for name in names] or ["**"]
    return Listed(tuple(f"{folder}/{name}" for folder in folders or ["."] for name in beneath))


def _searched(words: Sequence[str | None], folders: bool) -> Listed | None:
    """`grep -l`, with the text if it is a plain one."""
    known = [word if word is not None else "\0" for word in words]
    arguments = read_arguments(known, _GREP_VALUES)
    if arguments is None or not flags(arguments) & {"-l", "--files-with-matches", "--name-only"}:
        return None
    named = operands(arguments)
    said = option(arguments, "-e", "--regexp")
    text = said[0] if said else named[0] if named else ""
    files = named if said else named[1:]
    ignoring = flags(arguments) & {"-i", "--ignore-case", "-S", "-v", "-L", "-w"} or len(said) > 1
    holding = text if _PLAIN_TEXT.fullmatch(text) and not ignoring and "\0" not in text else ""
    if not files:
        return Listed(("**",), holding)
    patterns = [pattern for file in files for pattern in (_below(file) if "\0" not in file else ["**"])]
    return Listed(tuple(patterns), holding)


def _below(path: str) -> list[str]:
    """A file, or all that lies in a folder."""
    name = literally(path.rstrip("/"))
    return [name, f"{name}/**"]
