"""How much a run of a linter or type checker took in, by its arguments, and by what it says that all is well.

Their complaints are read by the careful fallback, `generic`. What they took in is believed where their arguments are
plainly paths, and no option is there that might choose among rules or files; else only the same command again tells.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.command import Run, runs
from ccos_core.intake.failures.page import Page
from ccos_core.intake.failures.ran import program, shown_runs
from ccos_core.values.outcome import ALL, FILES, Failure, Pass

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


def checked(page: Page, failures: list[Failure]) -> tuple[list[Pass], list[Pass]]:
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
