"""What searches print: numbered lines of files (`grep -n`, `rg -n`, `git grep -n`), or names of files (`find`).

A numbered line says where it stands. A line beside a hit (`path-12-text`) is read only where a hit of the same group
says how much of it is the path. Lists of files feed `xargs` and `-exec` and are never seen, so they come back as
patterns: names of files, and where a search looks for a plain text, that text, which the files hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ccos_core.intake.calls.arguments import flags, operands, option, printed, read_arguments
from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.numbered import SEARCH, found_by_search, lines_of, numbered
from ccos_core.intake.calls.stages import Stage, literally

MOST_WORDS = 100
"""Words of an output that are passed on as files."""
_PASSING = ("head", "tail", "sort", "uniq", "grep", "egrep", "fgrep", "rg", "tr", "cat", "sed", "shuf", "tac")
"""Filters that pass some of the names on."""
_LISTING_GREPS = ("grep", "egrep", "fgrep", "rg", "ag")
_LISTING_VALUES = "A:B:C:e:f:m:g:t:T:d:D:"
_PLAIN_TEXT = re.compile(r"[^\\.*+?\[\](){}|^$\n]+")
_FIND_NAMES = ("-name", "-iname", "-path", "-wholename")


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
    if stage.name in _LISTING_GREPS:
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
    if stage.name == "ls" and not [word for word in words if not word.startswith("-")]:
        return Listed(("*",))
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
    arguments = read_arguments(known, _LISTING_VALUES)
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


LOOKS = r"--$|(?:[^\n]{1,400}[:-])?\d{1,7}[:-]|Binary file |fatal: "
"""What the lines of a search look like, as a pattern."""
_HIT = re.compile(r"([^:\n]{1,400}):(\d{1,7}):")
_SINGLE = re.compile(r"\d{1,7}[:-]")
_BESIDE = re.compile(r"-(\d{1,7})-")
_OTHER = {
    "-o", "--only-matching", "-c", "--count", "--count-matches", "-l", "--files-with-matches", "-L",
    "--files-without-match", "-q", "--quiet", "--json", "--files", "--replace", "--trim", "-Z", "--null", "-b",
    "--byte-offset", "-0", "--stats", "-T", "--initial-tab", "-W", "--function-context", "-p", "--show-function",
    "--column", "--vimgrep",
}  # fmt: skip
"""What makes a search print something other than whole lines behind their number."""
_GREPS = ("grep", "egrep", "fgrep", "zgrep", "ggrep")
_GREP_VALUES = "A:B:C:e:f:m:D:d:"
_RG_VALUES = "A:B:C:e:f:m:g:t:T:r:M:j:E:"
_FILTERS = {"head", "tail", "sort", "uniq", "cat", "less", "more"}


@dataclass(frozen=True, slots=True)
class Search:
    """A search that numbers its lines."""

    path: str
    """The one file that is searched, where lines come without a path; may be empty."""
    paths: bool
    """Whether every line certainly begins with its path."""
    ordered: bool = True


def search(stages: Sequence[Stage]) -> Search | None:
    """What a pipeline searches; None where its output isn't numbered lines."""
    found = _searching(stages[0])
    for stage in stages[1:]:
        if found is None or not _passes(stage):
            return None
        if stage.name in ("sort", "uniq", "tail"):
            found = Search(found.path, found.paths, ordered=False)
    return found


def hits(found: Search, text: str) -> list[Shown]:
    """What it showed. A line that isn't complete doesn't count."""
    lines = lines_of(text)
    if not found.paths and found.path and all(line == "--" or _SINGLE.match(line) for line in lines):
        groups = (numbered("\n".join(group), SEARCH) for group in _groups(lines))
        return [shown for group in groups for shown in found_by_search(found.path, group, inferred=True)]
    if not found.paths and found.path and not any(_HIT.match(line) for line in lines):
        return []
    return [shown for group in _groups(lines) for shown in _of_group(group, found.ordered)]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _searching(stage: Stage) -> Search | None:
    words, name = stage.words, stage.name
    if stage.opaque or any(redirect.fd != 2 for redirect in stage.redirects):
        return None
    if name == "git" and words[1:2] == ("grep",):
        return _arranged(words[2:], _GREP_VALUES + "O:", always=True, folders=True)
    if name in _GREPS:
        return _arranged(words[1:], _GREP_VALUES, always=False, folders=False)
    return _arranged(words[1:], _RG_VALUES, always=False, folders=True) if name == "rg" else None


def _arranged(words: Sequence[str | None], values: str, always: bool, folders: bool) -> Search | None:
    """From its arguments. Operands only the shell knows don't matter: lines say which file they are of."""
    known = [word if word is not None else "*" for word in words]
    arguments = read_arguments(known, values)
    if arguments is None:
        return None
    asked = flags(arguments)
    replaces = "r:" in values and "-r" in asked
    if asked & _OTHER or replaces or not asked & {"-n", "--line-number"} or asked & {"--heading", "--pretty"}:
        return None
    named = operands(arguments)
    files = named if option(arguments, "-e", "--regexp", "-f", "--file") else named[1:]
    recursive = bool(asked & {"-r", "-R", "--recursive", "-H", "--with-filename"})
    if asked & {"-h", "--no-filename"} or (folders and "-I" in asked):
        return Search(files[0], False) if len(files) == 1 and "*" not in files[0] else None
    single = files[0] if len(files) == 1 and "*" not in files[0] and not always else ""
    if not files and not folders and not recursive:
        return None
    return Search("" if recursive and not folders else single, always or recursive or len(files) > 1)


def _passes(stage: Stage) -> bool:
    """Whether a filter lets lines through as they are."""
    if stage.opaque or any(redirect.fd != 2 for redirect in stage.redirects) or None in stage.words:
        return False
    words = [word or "" for word in stage.words[1:]]
    if stage.name == "sed":
        return len(words) == 2 and words[0] == "-n" and re.fullmatch(r"\d+(?:,(?:\d+|\$))?p", words[1]) is not None
    if stage.name in ("grep", "egrep", "fgrep", "rg"):
        told = read_arguments(words, _GREP_VALUES) or []
        harmless = {"-v", "-i", "-E", "-F", "-e", "-w", "-P", "--invert-match"}
        return len(operands(told)) <= 1 and flags(told) <= harmless
    return stage.name in _FILTERS and not any(
        word.startswith(("-c", "--bytes", "-b", "-f", "-n,", "-A")) for word in words
    )


def _groups(lines: Sequence[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for line in lines:
        if line == "--":
            yield group
            group = []
        else:
            group.append(line)
    yield group


def _of_group(lines: Sequence[str], ordered: bool) -> Iterator[Shown]:
    """Lines of one or more files that stand between two separators."""
    hits_of = [_HIT.match(line) for line in lines]
    paths = sorted({match[1] for match in hits_of if match is not None}, key=len, reverse=True)[:50]
    found: dict[str, list[tuple[int, str]]] = {}
    for line, match in zip(lines, hits_of, strict=True):
        if match is not None:
            found.setdefault(match[1], []).append((int(match[2]), line[match.end() :]))
        elif (beside := _beside(line, paths)) is not None:
            found.setdefault(beside[0], []).append(beside[1:])
    for path, numbers in found.items():
        yield from found_by_search(path, numbers if ordered else sorted(dict(numbers).items()), inferred=True)


def _beside(line: str, paths: Sequence[str]) -> tuple[str, int, str] | None:
    for path in paths:
        match = _BESIDE.match(line, len(path)) if line.startswith(path) else None
        if match is not None:
            return path, int(match[1]), line[match.end() :]
    return None
