"""The TypeScript compiler, plain and pretty: each error with its place, and a project that compiles.

An error belongs to the project that was compiled, where the command tells which: a run of another one says nothing of
it. A run that succeeds prints nothing, so then the command and its success are all there is; one that fails proves the
files sound that it has nothing to say of.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.arguments import tidy
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
_NO_CHECK = {
    "-h", "--help", "-v", "--version", "--init", "--showConfig", "--listFilesOnly", "--noCheck", "--all", "--clean",
    "--dry", "-w", "--watch",
}  # fmt: skip
_CONFIG = "tsconfig.json"


def read(page: Page) -> Findings:
    """Every error; without any, the project that was compiled and is sound."""
    found = Findings()
    if page.ok is not True and not any("error TS" in line for line in page.lines):
        return found
    checkers = [run for run in programs(page) if run.tool in TYPE_CHECKERS]
    project = _project(checkers[0]) if len(checkers) == 1 else None
    runner, name = project if project is not None else (TSC, "")
    inside = False
    for at, line in enumerate(page.lines):
        error = _error(line) if "error TS" in line else None
        if error is not None:
            frames, message, part = error
            found.failures.append((at, Failure(runner, name, frames, message, part if name else "")))
        inside = error is not None or (inside and _is_below(line))
        if inside or (found.failures and _FOUND.match(line)):
            found.claimed.append((at, at + 1))
    if not found.failures and page.ok is True:
        sound = [told for run in checkers if run.decides and (told := _project(run)) is not None]
        found.passes = [(0, Pass(runner, TESTS, (name,))) for runner, name in dict.fromkeys(sound)]
    elif found.failures and name and checkers[0].decides and _is_whole(found, page):
        broken = tuple(dict.fromkeys(at.path for _, failure in found.failures for at in failure.frames))
        found.passes = [(found.failures[-1][0], Pass(runner, TESTS, (name,), broken))]
    return move(found, page, checkers[0].tool if checkers else TSC, tests=False)


def _is_whole(found: Findings, page: Page) -> bool:
    """Whether these are all the errors there are: as long as something can't be parsed, types are not looked at."""
    surface = any(not failure.frames or _SYNTAX.match(failure.message) for _, failure in found.failures)
    return not surface and CUT not in page.lines


def _error(line: str) -> tuple[tuple[Frame, ...], str, str] | None:
    """(place, message, what tells it from the project's other errors, wherever in its file it moves)."""
    place = _PLAIN.match(line) or _PRETTY.match(line)
    if place is not None:
        frame = Frame(place["path"], int(place["line"]))
        return (frame,), short(place["said"]), short(f"{frame.path}: {place['said']}")
    nowhere = _NOWHERE.match(line)
    return None if nowhere is None else ((), short(nowhere["said"]), short(nowhere["said"]))


def _is_below(line: str) -> bool:
    """Whether this explains the error above: the source, what is expected where."""
    return line not in (CLAIMED, CUT) and (not line or _CODE.match(line) is not None)


def _project(run: Run) -> tuple[str, str] | None:
    """(the runner, the configuration it was given); None where that is not to be known."""
    if run.dynamic or is_unsure(run.folder) or any(word in _NO_CHECK for word in run.words):
        return None
    building = any(word in _BUILD for word in run.words)
    runner = f"{run.tool}-build" if building else run.tool
    named = _named(run.words, building)
    if named is None:
        return None
    config = tidy(named or ".")
    if not config.endswith(".json"):
        config = _CONFIG if config == "." else f"{config}/{_CONFIG}"
    at_home = not run.folder or config.startswith("/")
    return runner, config if at_home else tidy(f"{run.folder}/{config}")


def _named(words: tuple[str, ...], building: bool) -> str | None:
    """The project in the arguments; None where there are several, or files instead."""
    plain = [word for word in words if not word.startswith("-")]
    after = [words[at + 1] for at, word in enumerate(words[:-1]) if word in _PROJECT + (_BUILD if building else ())]
    after = [word for word in after if not word.startswith("-")]
    after += [word.partition("=")[2] for word in words if word.startswith("--project=")]
    files = [word for word in plain if word.endswith((".ts", ".tsx", ".mts", ".cts", ".js", ".vue"))]
    if len(after) > 1 or files or (building and len(plain) > 1):
        return None
    return after[0] if after else ""
