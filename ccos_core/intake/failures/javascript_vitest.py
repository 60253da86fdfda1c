"""vitest: which tests failed and where, and which files and tests pass.

Its list shows each file with how many of its tests were skipped, so a file passes as a whole or it does not; told
wordily, it shows each test under its whole name. A suite, a file and an unhandled error may fail like a test does.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.arguments import Scope, passes_of_scope
from ccos_core.intake.failures.javascript_runs import Block, File, FileRun, listed_failures, passes_of_files, read_runs
from ccos_core.intake.failures.javascript_stacks import SOURCE, name_test, parse_stack
from ccos_core.intake.failures.page import Findings, Page, Walk, count_words
from ccos_core.values.outcome import ARROW, Failure, Pass

VITEST = "vitest"
SIGNS = ("⎯⎯⎯⎯", " Test Files ", " RUN  v")

_BEGIN = re.compile(r" (?:RUN|DEV)  v\d+\.\d")
_RULE = re.compile(r"⎯{4,}(?: (?P<title>[A-Z][\w ]{0,40}?) ⎯{4,}|\[\d+/\d+\]⎯+)?$")
_BADGES = r"(?P<project>\|[^|]{1,60}\| )?(?: ?TS +)?"
_FAIL = re.compile(rf" FAIL  {_BADGES}(?P<name>\S.{{0,400}}?{SOURCE})(?P<rest>$| > .*$| \[ .* \]$)")
_LINE = re.compile(rf"(?P<indent> {{1,3}})(?P<mark>[✓✔√❯×✗↓□]) +{_BADGES}(?P<rest>\S.*)$")
_PASSED, _FAILED = "✓✔√", "×✗"
_FILE = re.compile(rf"(?P<path>\S.{{0,400}}?{SOURCE}) +\((?P<counts>\d+(?: tests?)?(?: \| \d+ \w+){{0,5}})\)")
_TEST = re.compile(rf"(?P<path>\S.{{0,400}}?{SOURCE}) > (?P<name>.*\S)$")
_SPENT = re.compile(r"(?: \d+(?:\.\d+)?m?s| \((?:retry|repeat) x\d+\)| \d+ MB heap used)+$")
_NUMBERED = re.compile(r" \(\d+\)$")
_SUM = re.compile(r" +(?P<what>Test Files|Tests|Duration|Start at|Errors)  +(?P<counts>\S.*)$")
_ORIGIN = re.compile(r'This error originated in "([^"]+)" test file\.')
_UNHANDLED = ("Unhandled", "Uncaught")


def read(page: Page) -> Findings:
    """Every run of vitest in the output."""
    if not any("⎯⎯⎯⎯" in line or line.startswith((" Test Files ", " RUN  v")) for line in page.lines):
        return Findings()
    return read_runs(page, VITEST, _Vitest(page.lines, FileRun).walk(), _failures, _passes)


class _Vitest(Walk[FileRun]):
    blocks: list[Block] | None = None
    """What the error that is being told made fail; an error that came from outside of any test has no names."""
    file: File | None = None  # the one whose tests are being listed

    def interrupt(self, at: int) -> None:
        self.blocks = None

    def take(self, at: int, line: str) -> None:
        if line.startswith("⎯") and (rule := _RULE.match(line)) is not None:
            # a rule ends what stood above it, but for the headline of an unhandled error
            title = rule["title"] or ""
            run = self.run(at)
            self.blocks = None
            if title.startswith(_UNHANDLED) and not title.endswith("Errors"):
                self.blocks = [Block(at, [])]
                run.blocks.append(self.blocks)
        elif _BEGIN.match(line):
            self.now, self.blocks, self.file = None, None, None
            self.run(at)
        elif line.startswith(" FAIL  ") and (fail := _FAIL.match(line)) is not None:
            self._fail(at, fail)
        elif self.blocks is not None:
            self.blocks[0].lines.append(line)
        elif line.startswith(" "):
            self._list(at, line)

    def _fail(self, at: int, fail: re.Match[str]) -> None:
        """A headline; several in a row share an error."""
        run = self.run(at)
        if self.blocks is None or not self.blocks[0].names or any(self.blocks[0].lines):
            self.blocks = []
            run.blocks.append(self.blocks)
        lines = self.blocks[0].lines if self.blocks else []
        first = self.blocks[0].at if self.blocks else at
        name = _name(fail["name"], fail["rest"])
        self.blocks.append(Block(first, [name], lines, _runner(fail["project"])))

    def _list(self, at: int, line: str) -> None:
        """A line of the list, or of the sum below it."""
        total = _SUM.match(line)
        if total is not None and (self.now is not None or total["what"] == "Test Files"):
            run = self.run(at)
            self.file = None
            if total["what"] == "Tests":
                run.tests = count_words(total["counts"])
            elif total["what"] == "Test Files":
                run.total = count_words(total["counts"])
            elif total["what"] == "Duration":
                self.now = None
            return
        found = _LINE.match(line)
        if found is None:
            return
        file = _FILE.match(found["rest"]) if len(found["indent"]) == 1 else None
        if file is not None:
            self.file = self._file(at, _runner(found["project"]), file["path"])
            counts = count_words(file["counts"])
            skipped = found["mark"] == "↓" or counts.get("skipped") or counts.get("todo")
            failed = found["mark"] not in _PASSED and found["mark"] != "↓"
            self.file.state = "failed" if failed else "partly" if skipped else "whole"
        elif found["mark"] in _PASSED or found["mark"] in _FAILED:
            self._test(at, found)

    def _test(self, at: int, found: re.Match[str]) -> None:
        """A test: below its file, or with its file in front. Deeper ones may stand there without their suite's name."""
        spent = _SPENT.search(found["rest"])
        name = found["rest"][: spent.start()] if spent is not None else found["rest"]
        if len(found["indent"]) == 1:
            whole = _TEST.match(name)
            if whole is None:
                return
            file, name = self._file(at, _runner(found["project"]), whole["path"]), whole["name"]
        elif self.file is not None and len(found["indent"]) == 3 and (spent or not _NUMBERED.search(name)):
            file = self._file(at, self.file.runner, self.file.path)
        else:
            return
        test = name_test(file.path, name)
        if found["mark"] in _PASSED:
            file.passed.append(test)
        else:
            file.failed.append((at, test))

    def _file(self, at: int, runner: str, path: str) -> File:
        return self.run(at).files.setdefault((runner, path), File(path, runner))


def _runner(project: str | None) -> str:
    return f"{VITEST}:{project.strip(' |')}" if project else VITEST


def _name(path: str, rest: str) -> str:
    """Of a file that failed as a whole, the file."""
    return path if not rest or rest.startswith(" [ ") else name_test(path, rest[len(ARROW) :])


def _failures(run: FileRun, scope: Scope | None) -> list[tuple[int, Failure]]:
    found: list[tuple[int, Failure]] = []
    for blocks in run.blocks:
        frames, message = parse_stack(blocks[0].lines)
        found += [(block.at, Failure(block.runner, name, frames, message)) for block in blocks for name in block.names]
        if not blocks[0].names:
            origin = next((origin[1] for line in blocks[0].lines if (origin := _ORIGIN.match(line)) is not None), "")
            found += [(blocks[0].at, Failure(VITEST, origin, frames, message))] if frames or origin else []
    return found + listed_failures(list(run.files.values()), {failure.test for _, failure in found})


def _passes(run: FileRun, failures: list[Failure], scope: Scope | None) -> list[Pass]:
    """Files that pass as a whole, else the tests that are listed; where neither is shown, what the command named."""
    failed = {failure.test for failure in failures}
    broken = {test.partition(ARROW)[0] for test in failed}
    counts = run.tests or {}
    untold = counts.get("skipped", 0) + counts.get("todo", 0)
    listed = sum(len(file.passed) for file in run.files.values())
    complete = run.tests is not None and not untold and listed == counts.get("passed", 0)

    def is_whole(file: File) -> bool:
        """Told wordily, only the sum says that no test was skipped."""
        return file.path not in broken and (file.state == "whole" or (not file.state and complete))

    files = [file for file in run.files.values() if file.path not in failed]
    for file in files:
        file.passed = [test for test in file.passed if test not in failed]
    passes = passes_of_files(files, is_whole)
    if passes or failed or counts.get("failed") or not counts.get("passed"):
        return passes
    return passes if run.total is None or run.total.get("failed") else passes_of_scope(scope, VITEST, untold)
