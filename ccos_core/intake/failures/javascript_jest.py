"""jest, with or without `--verbose`: which tests failed and where, and which files and tests pass.

A run is a list of files, each with its failures below it. Without the tests by name, a file that passes does so as a
whole, unless tests were skipped somewhere in the run and nothing says where. What a test printed is left alone.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ccos_core.intake.failures.arguments import Scope, passes_of_scope
from ccos_core.intake.failures.javascript_runs import Block, File, FileRun, listed_failures, passes_of_files, read_runs
from ccos_core.intake.failures.javascript_stacks import SOURCE, name_test, parse_stack
from ccos_core.intake.failures.page import Findings, Page, Walk, count_words
from ccos_core.values.outcome import UNKNOWN, Failure, Pass

JEST = "jest"
SIGNS = ("PASS ", "FAIL ", "Tests: ")

_FILE = re.compile(
    rf" ?(?P<word>PASS|FAIL) +(?P<project>\S.{{0,80}}? +)?(?P<path>\S+{SOURCE})(?: \([^()]{{1,60}}\)){{0,2}}$"
)
_HEAD = re.compile(r"  ● (.*\S)$")
_LISTED = re.compile(r"(?P<indent> {2,80})(?P<mark>[✓√✕×○✎]) (?P<name>.*\S)$")
_PASSED, _SKIPPED = "✓√", "○✎"
_SPENT = re.compile(r" \(\d+(?:\.\d+)? m?s\)$")
_SUITE = re.compile(r"(?P<indent> {2,80})(?P<name>\S.*)$")
_SUITES = re.compile(r"Test Suites: +(?:\d+ \w+, )*\d+ (?:of \d+ )?total$")
_TESTS = re.compile(r"Tests: +(?P<counts>(?:\d+ \w+, )*\d+ total)$")
_RAN = "Ran all test suites"
_PRINTED = re.compile(r"  console\.(?:log|error|warn|info|debug|trace|dir|time|assert|count)\b")
_SECTIONS = ("Test Suites: ", "Snapshot Summary", "Summary of all failing tests", "Ran all test suites", " › ")
_BROKEN = "Test suite failed to run"
_CONSOLE = "Console"
_AFTER = "afterAll"  # how a file's own failure is called when its tests ran all the same


def read(page: Page) -> Findings:
    """Every run of jest in the output."""
    walked = _Jest(page.lines, FileRun).walk()
    runs = [run for run in walked if run.tests is not None or any(f.blocks or f.listed for f in run.files.values())]
    return read_runs(page, JEST, runs, _failures, _passes)


class _Jest(Walk[FileRun]):
    file: File | None = None
    told: list[str] | None = None  # where the lines below a headline go
    listing = False
    printed = -1  # where something was printed before the file it belongs to

    def interrupt(self, at: int) -> None:
        self.file, self.told, self.listing = None, None, False

    def take(self, at: int, line: str) -> None:
        if (found := _FILE.match(line)) is not None:
            self._begin_file(at, found)
        elif line.startswith(("Test Suites: ", "Tests: ", _RAN)):
            self.interrupt(at)
            self._sum(at, line)
        elif line.startswith(_SECTIONS):
            self.interrupt(at)
        elif self.file is not None:
            self._in_file(self.file, at, line)
        elif self.printed < 0 and _PRINTED.match(line):
            self.printed = at

    def run(self, at: int, first: int = -1) -> FileRun:
        run = super().run(at, self.printed)
        self.printed = -1
        return run

    def _begin_file(self, at: int, found: re.Match[str]) -> None:
        run = self.run(at)
        if run.tests is not None:
            self.now = None
            run = self.run(at)
        project = (found["project"] or "").strip()
        self.file = File(found["path"], f"{JEST}:{project}" if project else JEST, found["word"] == "PASS")
        run.files[self.file.path, at] = self.file
        self.told, self.listing = None, True
        self.suites.clear()

    def _sum(self, at: int, line: str) -> None:
        if _SUITES.match(line):
            self.run(at)
        elif (tests := _TESTS.match(line)) is not None:
            self.run(at).tests = count_words(tests["counts"])
        elif line.startswith(_RAN) and self.now is not None:
            self.run(at).matching = line != f"{_RAN}."
            self.now = None

    def _in_file(self, file: File, at: int, line: str) -> None:
        head = _HEAD.match(line)
        if head is not None:
            self.told, self.listing = [], False
            file.blocks.append(Block(at, [head[1]], self.told))
            self.run(at)
        elif self.told is not None:
            self.told.append(line)
            if line:
                self.run(at)
        elif self.listing and (listed := _LISTED.match(line)) is not None:
            self._list(file, at, listed)
            self.run(at)
        elif self.listing and line:
            suite = _SUITE.match(line)
            self.listing = suite is not None
            if suite is not None:
                self.suites.open(len(suite["indent"]), suite["name"])

    def _list(self, file: File, at: int, listed: re.Match[str]) -> None:
        suites = self.suites.above(len(listed["indent"]))
        file.listed = True
        if listed["mark"] in _SKIPPED:
            file.state = "partly"
            return
        test = name_test(file.path, *suites, _SPENT.sub("", listed["name"]))
        if listed["mark"] in _PASSED:
            file.passed.append(test)
        else:
            file.failed.append((at, test))


def _failures(run: FileRun, scope: Scope | None) -> list[tuple[int, Failure]]:
    """File by file each headline with what it tells; then what is only listed as failed."""
    found: list[tuple[int, Failure]] = []
    for file in run.files.values():
        blocks = [block for block in file.blocks if block.names[0] != _CONSOLE]
        ran = file.listed or any(block.names[0] != _BROKEN for block in blocks)
        seen: set[str] = set()
        for block in blocks if not file.passes else ():
            frames, message = parse_stack(block.lines)
            # mapped back to the sources, a frame is called by the word at its place, which is no name of a function
            frames = tuple(dict.fromkeys(replace(frame, name="") for frame in frames))
            title = _AFTER if block.names[0] == _BROKEN else block.names[0]
            test = file.path if block.names[0] == _BROKEN and not ran else name_test(file.path, title)
            found.append((block.at, Failure(file.runner, test, frames, message)))
            seen.add(test)
        found += listed_failures([file], seen)
    return found


def _passes(run: FileRun, failures: list[Failure], scope: Scope | None) -> list[Pass]:
    """Files that pass as a whole, else the tests they list; where no file is shown, what the command named."""
    broken = {(failure.runner, failure.test) for failure in failures}
    files = list(run.files.values())
    failed = {file.path for file in files if not file.passes}
    counts = run.tests
    untold = None if counts is None else counts.get("skipped", 0) + counts.get("todo", 0)
    for file in files:
        file.passed = [test for test in file.passed if (file.runner, test) not in broken]

    def is_whole(file: File) -> bool:
        return file.path not in failed and (not file.state if file.listed else untold == 0)

    passes = passes_of_files(files, is_whole, untold or 0)
    if passes or failed or counts is None or counts.get("failed") or not counts.get("passed"):
        return passes
    if run.matching and scope is not None and not scope.paths:
        return [Pass(JEST, UNKNOWN)]
    return passes_of_scope(scope, JEST, untold or 0)
