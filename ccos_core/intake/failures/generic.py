"""The careful fallback: places `path:line` in what no reader recognised, when the command is known to have failed.

Compilers, linters and languages without a reader of their own write such places. So do clocks, addresses, versions,
logs and diffs. A place counts where it is a file by its ending and its line speaks of an error, or stands alone in it.
What a linter or type checker took in is believed where its arguments are plainly paths, and no option is there that
might choose among rules or files; else only the same command again shows what is mended.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import Run, runs
from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, Findings, Page, short
from ccos_core.intake.failures.ran import program, shown_runs, tool_of
from ccos_core.values.outcome import ALL, FILES, Failure, Frame, Pass

NAMELESS = "output"  # the runner of complaints where no command is known
LONGEST_COMPLAINT = 120
_NUMBER = re.compile(r"(?<![\s:(,\d])[\s:(,]*\d+(?:[\s:(,]+\d+)*\b")
"""Numbers with what stands in front of them. It begins nowhere in the middle, or long lines would take the square."""
MOST = 50  # failures taken from one output

_PATH = r"(?<![\w./\\:@#?=&%+~-])(?P<path>(?:[A-Za-z]:[\\/])?[\w.@+~/\\-]{0,300}[\w+-]\.(?P<ending>[A-Za-z]\w{0,9}))"
_PLACES = (
    re.compile(_PATH + r":(?P<line>\d{1,7})(?P<column>:\d{1,5})?(?=[:\s)\],;'\"]|$)"),
    re.compile(_PATH + r"\((?P<line>\d{1,7})(?P<column>,\d{1,5})?(?:,\d+,\d+)?\)(?=:|\s|$)"),
    re.compile(_PATH + r"(?P<column>)[\"']?(?:,|:)? (?:on |at )?line (?P<line>\d{1,7})\b"),
)
_ERROR = re.compile(
    r"\b(?:errors?|fatal|fail(?:ed|ure|s)?|panic(?:ked)?|exception|undefined|unresolved|cannot|unexpected|expected"
    r"|invalid|missing|mismatched|unterminated|denied|not found|no such|abort(?:ed)?|assert(?:ion)?)\b"
    r"|\w(?:Error|Exception)\b|^:? ?[A-Z]{1,4}\d{2,5}\b",
    re.IGNORECASE,
)
_MILD = r"(?:warning|warn|note|info|debug|trace|notice|hint|help|remark|deprecated|deprecation)\b"
_MILDLY = re.compile(rf"[\s:\[(]*{_MILD}", re.IGNORECASE)
_LOGGED = re.compile(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING)\b|\[(?:trace|debug|info|notice|warn|warning)\]")
_IN_DIFF = ("diff --git ", "@@ ", "+++ ", "--- ", "index ", "+", "-")
_ALONE_BEFORE = re.compile(r"\s*(?:at (?:.*\()?|-->|from|in|@|\()?\s*[\"'(]?$")
_ALONE_AFTER = re.compile(r"[)\"'\s:,;]*(?::?in [`'\"].*)?$")
_ADDRESS = re.compile(r"\w@|\.\.\.")
_HOSTS = words_of(
    "com org net io dev local localhost internal app co edu gov localdomain lan cloud svc cluster log lock zip gz tar"
    " whl exe so dll o a png jpg"
)
"""Endings of hosts, whose numbers are ports, and of files without lines."""


def read(page: Page) -> Findings:
    """A failure for each line that speaks of an error; else one with all the places that stand alone."""
    found = Findings()
    alone: dict[Frame, int] = {}
    runner = tool_of(page) or NAMELESS
    diff = any(line.startswith(("diff --git ", "@@ -")) for line in page.lines)
    for at, line in enumerate(page.lines):
        places = [] if _is_other(line, diff) else _places(line)
        if not places:
            continue
        before, after = line[: places[0].start()], line[places[-1].end() :]
        frames = tuple(Frame(place["path"], int(place["line"])) for place in places)
        if _MILDLY.match(before) or _MILDLY.match(after):
            continue
        if _ERROR.search(before) or _ERROR.search(after) or (places[0]["column"] and after.startswith(": ")):
            # what makes it another complaint than others at the same place, wherever it moves: its words, no numbers
            complaint = " ".join(_NUMBER.sub("", after).split())[:LONGEST_COMPLAINT]
            found.failures.append((at, Failure(runner, "", frames, short(line), complaint)))
            if len(found.failures) >= MOST:
                break
        elif _ALONE_BEFORE.match(before) and _ALONE_AFTER.match(after):
            alone.update((frame, at) for frame in frames if frame not in alone)
    if not found.failures and alone:
        frames = tuple(alone)[:MOST_FRAMES]
        first = alone[frames[0]]
        found.failures.append((first, Failure(runner, "", frames, short(page.lines[first]))))
    return found


def _is_other(line: str, diff: bool) -> bool:
    """Whether places in this line can't mean an error: nothing there, a line of a log, of a diff."""
    if line in ("", CUT, CLAIMED) or not any(map(str.isdigit, line)):
        return True
    return _LOGGED.search(line) is not None or (diff and line.startswith(_IN_DIFF))


def _places(line: str) -> list[re.Match[str]]:
    """The places in a line, in one of the ways to write them."""
    for pattern in _PLACES:
        places = pattern.finditer(line)
        found = [at for at in places if at["ending"].lower() not in _HOSTS and not _ADDRESS.search(at["path"])]
        if found:
            return found
    return []


# ---- what linters and type checkers took in ----

CHECKERS: dict[str, tuple[str, str]] = {
    "golangci-lint": ("run", r"0 issues\.$"),
    "staticcheck": ("", ""),
    "ruff": ("check", r"All checks passed!$"),
    "mypy": ("", r"Success: no issues found"),
    "pyright": ("", r"0 errors, \d+ warnings"),
    "flake8": ("", ""),
    "pylint": ("", ""),
    "eslint": ("", ""),
    "biome": ("check", r"Checked \d+ files? in .*\. No fixes applied\.$"),
    "rubocop": ("", r"\d+ files? inspected, no offenses detected"),
    "shellcheck": ("", ""),
}
"""Tool → its own word before its arguments, and how it says that nothing is wrong, where it does."""
_HARMLESS = re.compile(
    r"-v+|--verbose|-q|--quiet|--colou?r(?:=\w+)?|--no-colou?r|--fix|--cache|--(?:timeout|format|output-format|out-format"
    r"|concurrency|jobs|max-warnings)=\S+|-j\d*|--no-cache|--show-error-codes|--pretty"
)
"""Options that choose neither rules nor files."""
STOPPED = re.compile(r"\(typecheck\)$|syntax error|\bSyntaxError\b|Parsing error", re.IGNORECASE)
"""Complaints after which a tool doesn't look any further."""


def scopes_of_checkers(page: Page, failures: list[Failure]) -> tuple[list[Pass], list[Pass]]:
    """(what passes, what was looked at by a run that failed)."""
    passes: list[Pass] = []
    looked: list[Pass] = []
    direct = runs(page.command)
    for at, run in enumerate([*direct, *shown_runs(page)]):
        tool, words = program(run)
        scope = _scope(run, tool, words) if tool in CHECKERS else None
        if scope is None:
            continue
        clean = CHECKERS[tool][1]
        sound = at < len(direct) and run.decides and page.ok is True
        if any(failure.runner == tool for failure in failures):
            looked.append(scope)
        elif sound or (clean and any(re.match(clean, line) for line in page.lines)):
            passes.append(scope)
    return passes, looked


def _scope(run: Run, tool: str, words: tuple[str, ...]) -> Pass | None:
    """What it took in; None where that isn't certain."""
    own = CHECKERS[tool][0]
    if own and words[:1] != (own,):
        return None
    rest = words[1:] if own else words
    if run.dynamic or not all(_HARMLESS.fullmatch(word) for word in rest if word.startswith("-")):
        return None
    paths = [_path(word) for word in rest if not word.startswith("-")] or ["."]
    if "." in paths:
        return Pass(tool, ALL, (), (run.folder,) if run.folder else ())
    return Pass(tool, FILES, (), tuple(f"{run.folder}/{path}" if run.folder else path for path in paths))


def _path(word: str) -> str:
    """`./a/...` is all below `a`, `.` and `./...` all there is."""
    while word.startswith("./"):
        word = word[2:]
    return "." if word in ("", ".", "...") else word.removesuffix("/...").rstrip("/")
