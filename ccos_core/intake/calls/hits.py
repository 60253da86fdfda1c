"""Lines of files that a search printed with their numbers: `grep -n`, `rg -n`, `git grep -n`.

Each line says where it stands, so nothing has to be told apart. A line beside a hit (`path-12-text`) is read only where
a hit of the same group says how much of it is the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ccos_core.intake.calls.arguments import flags, operands, option, read_arguments
from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.numbered import SEARCH, found_by_search, lines_of, numbered
from ccos_core.intake.calls.running import Stage

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
