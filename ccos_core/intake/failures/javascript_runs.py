"""What the readers of JavaScript's test runners share: a run, its files with their tests, the blocks below headlines.

Paths are printed as seen from where the runner ran: `cd web && npx jest` and `npm --prefix web test` print
`src/a.test.js` of the file `web/src/a.test.js`. `move` puts that folder in front.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.javascript_commands import UNSURE, folder_of, scope_of
from ccos_core.intake.failures.javascript_stacks import frame_of
from ccos_core.intake.failures.page import Findings, Page, Span
from ccos_core.values.outcome import ALL, ARROW, FILES, TESTS, UNKNOWN, Failure, Pass
from ccos_core.values.paths import is_absolute

_NO_FILES = ("<", "[", "~", "node:")


@dataclass(slots=True)
class Block:
    """A headline, what it says has failed, and the lines below it."""

    at: int
    names: list[str]
    lines: list[str] = field(default_factory=list)
    runner: str = ""


@dataclass(slots=True)
class File:
    """A file of tests, as a run shows it."""

    path: str
    runner: str
    passes: bool = True
    passed: list[str] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)  # (line, test) of those listed as failed
    blocks: list[Block] = field(default_factory=list)
    listed: bool = False  # whether its tests are
    state: str = ""  # `whole`, `partly` (some tests were skipped), `failed`; empty where that isn't shown


@dataclass(slots=True)
class FileRun(Span):
    """A run that shows its files."""

    files: dict[tuple[str, str | int], File] = field(default_factory=dict)
    blocks: list[list[Block]] = field(default_factory=list)  # those of one error in one list
    tests: dict[str, int] | None = None  # the sum of them
    total: dict[str, int] | None = None  # that of the files
    matching: bool = False  # whether it says that it was given a pattern


R = TypeVar("R", bound=Span)


def read_runs(
    page: Page,
    tool: str,
    runs: list[R],
    failures_of: Callable[[R, Scope | None], list[tuple[int, Failure]]],
    passes_of: Callable[[R, list[Failure], Scope | None], list[Pass]],
) -> Findings:
    """What the runs of a tool report; what its command asked for is only known of a single one."""
    scope = scope_of(page, tool) if len(runs) == 1 else None
    found = Findings()
    for run in runs:
        failures = failures_of(run, scope)
        found.add_run(run, failures, passes_of(run, [failure for _, failure in failures], scope))
    return move(found, page, tool)


def path_of_body(lines: list[str], marks: tuple[str, ...], bare: bool = False) -> str:
    """The file of a test's own function, which stands below one of these names, where the stack reaches down to it."""
    marked = (line for line in reversed(lines) if any(mark in line for mark in marks))
    return next((frame.path for line in marked if (frame := frame_of(line, bare)) is not None), "")


def listed_failures(files: list[File], told: set[str]) -> list[tuple[int, Failure]]:
    """What is only listed as failed, without anything told of it."""
    return [(at, Failure(file.runner, test)) for file in files for at, test in file.failed if test not in told]


def passes_of_files(files: list[File], is_whole: Callable[[File], bool], untold: int = 0) -> list[Pass]:
    """Files that pass as a whole, else the tests they list; of those without a list, what is uncertain."""
    passes: list[Pass] = []
    for runner in dict.fromkeys(file.runner for file in files):
        own = [file for file in files if file.runner == runner]
        whole = dict.fromkeys(file.path for file in own if is_whole(file))
        rest = [file for file in own if file.path not in whole]
        tests = tuple(dict.fromkeys(test for file in rest for test in file.passed))
        vague = tuple(dict.fromkeys(file.path for file in rest if file.passes and not file.listed and untold))
        passes += [Pass(runner, FILES, (), tuple(whole))] if whole else []
        passes += [Pass(runner, TESTS, tests)] if tests else []
        passes += [Pass(runner, FILES, (), vague, untold)] if vague else []
    return passes


def move(found: Findings, page: Page, tool: str, tests: bool = True) -> Findings:
    """The findings as seen from where the command began; `tests` is whether their names begin with paths too.

    Where the folder can't be known, nothing certain has passed.
    """
    if not found.failures and not found.passes:
        return found
    folder = folder_of(page, tool)
    if folder == UNSURE:
        found.passes = [(at, Pass(passing.runner, UNKNOWN)) for at, passing in found.passes]
    elif folder not in ("", "."):
        found.failures = [(at, _move_failure(folder, failure, tests)) for at, failure in found.failures]
        found.passes = [(at, _move_pass(folder, passing, tests)) for at, passing in found.passes]
    return found


def _move_failure(folder: str, failure: Failure, tests: bool) -> Failure:
    frames = tuple(replace(frame, path=_move_path(folder, frame.path)) for frame in failure.frames)
    test = _move_path(folder, failure.test) if tests else failure.test
    part = failure.part.replace(failure.frames[0].path, frames[0].path, 1) if frames else failure.part
    return replace(failure, test=test, frames=frames, part=part)


def _move_pass(folder: str, passing: Pass, tests: bool) -> Pass:
    paths = passing.paths if passing.scope == ALL else tuple(_move_path(folder, path) for path in passing.paths)
    return replace(passing, tests=tuple(_move_path(folder, t) if tests else t for t in passing.tests), paths=paths)


def _move_path(folder: str, said: str) -> str:
    """A path, or a test's name that begins with one; what is absolute, or no file at all, stays as it is."""
    path = said.partition(ARROW)[0]
    if not path or is_absolute(path) or path.startswith(_NO_FILES):
        return said
    return folder.rstrip("/") + "/" + said
