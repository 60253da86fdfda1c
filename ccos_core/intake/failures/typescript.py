"""The TypeScript compiler, plain and pretty: each error with its place, and a project that compiles.

An error belongs to the project that was compiled, where the command tells which: a run of another one says nothing of
it. A run that succeeds prints nothing, so then the command and its success are all there is; one that fails proves the
files sound that it has nothing to say of.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ccos_core.intake.failures.arguments import tidy, words_of
from ccos_core.intake.failures.command import Run
from ccos_core.intake.failures.javascript_commands import TYPE_CHECKERS, is_unsure, programs
from ccos_core.intake.failures.javascript_runs import move
from ccos_core.intake.failures.page import CLAIMED, CUT, Findings, Page, short
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

TSC = "tsc"
SIGNS = ("error TS",)

_PLAIN = re.compile(r"(?P<path>\S.{0,600}?)\((?P<line>\d{1,9}),\d{1,9}\): error (?P<said>TS\d{1,6}: .*)$")
_PRETTY = re.compile(r"(?P<path>\S.{0,600}?):(?P<line>\d{1,9}):\d{1,9} - error (?P<said>TS\d{1,6}: .*)$")
_NOWHERE = re.compile(r"error (?P<said>TS\d{1,6}: .*)$")
_FOUND = re.compile(r"Found \d+ errors?(?: in .*)?\.?$|Errors {2}Files$| {1,6}\d+ {1,2}\S+:\d+$")
_SYNTAX = re.compile(r"TS(?:1|5|6|17|18)\d{3}:")
_CODE = re.compile(r"\s|\d{1,7}\b(?! -)")
_PROJECT = ("-p", "--project")
_BUILD = ("-b", "--build")
_NO_CHECK = words_of(
    "-h --help -v --version --init --showConfig --listFilesOnly --noCheck --all --clean --dry -w --watch"
)
_CONFIG = "tsconfig.json"


def read(page: Page) -> Findings:
    """Every error; without any, the project that was compiled and is sound."""
    found = Findings()
    checkers = [run for run in programs(page) if run.tool in TYPE_CHECKERS]
    project = _project(checkers[0]) if len(checkers) == 1 else None
    runner, name = project if project is not None else (TSC, "")
    inside = False  # of an error and what explains it: the source, what is expected where
    for at, line in enumerate(page.lines):
        error = _PLAIN.match(line) or _PRETTY.match(line) or _NOWHERE.match(line) if "error TS" in line else None
        if error is not None:
            path = error["path"] if error.re is not _NOWHERE else ""
            frames = (Frame(path, int(error["line"])),) if path else ()
            part = short(f"{path}: {error['said']}" if path else error["said"])  # wherever in its file it moves
            found.failures.append((at, Failure(runner, name, frames, short(error["said"]), part if name else "")))
        below = inside and line not in (CLAIMED, CUT) and (not line or _CODE.match(line) is not None)
        inside = error is not None or below
        if inside or (found.failures and _FOUND.match(line)):
            found.claimed.append((at, at + 1))
    if not found.failures and page.ok is True:
        sound = [project for run in checkers if run.decides and (project := _project(run)) is not None]
        found.passes = [(0, Pass(runner, TESTS, (name,))) for runner, name in dict.fromkeys(sound)]
    elif found.failures and name and checkers[0].decides and CUT not in page.lines:
        failures = [failure for _, failure in found.failures]
        # as long as something can't be parsed, types are not looked at
        if all(failure.frames and not _SYNTAX.match(failure.message) for failure in failures):
            broken = tuple(dict.fromkeys(at.path for failure in failures for at in failure.frames))
            found.passes = [(found.failures[-1][0], Pass(runner, TESTS, (name,), broken))]
    return move(found, page, checkers[0].tool if checkers else TSC, tests=False)


def _project(run: Run) -> tuple[str, str] | None:
    """(the runner, the configuration it was given); None if that isn't certain: several, or files instead."""
    words = run.words
    if run.dynamic or is_unsure(run.folder) or any(word in _NO_CHECK for word in words):
        return None
    building = any(word in _BUILD for word in words)
    plain = [word for word in words if not word.startswith("-")]
    named = [value for option, value in pairwise(words) if option in _PROJECT + (_BUILD if building else ())]
    named = [word for word in named if not word.startswith("-")]
    named += [word.partition("=")[2] for word in words if word.startswith("--project=")]
    files = [word for word in plain if word.endswith((".ts", ".tsx", ".mts", ".cts", ".js", ".vue"))]
    if len(named) > 1 or files or (building and len(plain) > 1):
        return None
    config = tidy("".join(named) or ".")
    if not config.endswith(".json"):
        config = _CONFIG if config == "." else f"{config}/{_CONFIG}"
    at_home = not run.folder or config.startswith("/")
    return f"{run.tool}-build" if building else run.tool, config if at_home else tidy(f"{run.folder}/{config}")
