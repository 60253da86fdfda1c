"""vitest: which tests failed and where, and which files and tests pass.

Its list shows each file with how many of its tests were skipped, so a file passes as a whole or it does not; told
wordily, it shows each test under its whole name. A suite, a file and an error nobody handled may fail like a test does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.javascript_commands import scope_of
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.javascript_stacks import SEPARATOR, SOURCE, spelt, told
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.python_scopes import Scope
from ccos_core.values.outcome import FILES, TESTS, UNKNOWN, Failure, Pass

VITEST = "vitest"
SIGNS = ("⎯⎯⎯⎯", " Test Files ", " RUN  v")

_BEGIN = re.compile(r" (?:RUN|DEV)  v\d+\.\d")
_RULE = re.compile(r"⎯{4,}(?: (?P<title>[A-Z][\w ]{0,40}?) ⎯{4,}|\[\d+/\d+\]⎯+)?$")
_BADGES = r"(?P<project>\|[^|]{1,60}\| )?(?: ?TS +)?"
_FAIL = re.compile(rf" FAIL  {_BADGES}(?P<name>\S.{{0,400}}?{SOURCE})(?P<rest>$| > .*$| \[ .* \]$)")
_LINE = re.compile(rf"(?P<indent> {{1,3}})(?P<mark>[✓✔√❯×✗↓□]) +{_BADGES}(?P<rest>\S.*)$")
_FILE = re.compile(rf"(?P<path>\S.{{0,400}}?{SOURCE}) +\((?P<counts>\d+(?: tests?)?(?: \| \d+ \w+){{0,5}})\)")
_TEST = re.compile(rf"(?P<path>\S.{{0,400}}?{SOURCE}) > (?P<name>.*\S)$")
_SPENT = re.compile(r"(?: \d+(?:\.\d+)?m?s| \((?:retry|repeat) x\d+\)| \d+ MB heap used)+$")
_NUMBERED = re.compile(r" \(\d+\)$")
_SUM = re.compile(r" +(?P<what>Test Files|Tests|Duration|Start at|Errors)  +(?P<counts>\S.*)$")
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_ORIGIN = re.compile(r'This error originated in "([^"]+)" test file\.')
_UNHANDLED = ("Unhandled", "Uncaught")
_PASSED, _FAILED = "✓✔√", "×✗"


@dataclass(slots=True)
class _File:
    path: str
    passed: list[str] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)
    """(line, test)."""
    state: str = ""
    """`whole`, `partly`, `failed`; empty where its line is missing."""


@dataclass(slots=True)
class _Block:
    """An error, and the tests it made fail."""

    at: int
    names: list[tuple[str, str]]
    """(runner, test)."""
    lines: list[str] = field(default_factory=list)
    stray: bool = False
    """Whether it came from outside of any test."""


@dataclass(slots=True)
class _Run:
    first: int
    last: int
    files: dict[tuple[str, str], _File] = field(default_factory=dict)
    blocks: list[_Block] = field(default_factory=list)
    files_sum: dict[str, int] | None = None
    tests_sum: dict[str, int] | None = None


def read(page: Page) -> Findings:
    """Every run of vitest in the output."""
    found = Findings()
    if not any("⎯⎯⎯⎯" in line or line.startswith((" Test Files ", " RUN  v")) for line in page.lines):
        return found
    reader = _Reader()
    for at, line in enumerate(page.lines):
        reader.take(at, line)
    scope = scope_of(page, VITEST) if len(reader.runs) == 1 else None
    for run in reader.runs:
        failures = [each for block in run.blocks for each in _failures(block)]
        failures += _listed(run, {failure.test for _, failure in failures})
        found.failures += failures
        found.passes += [(run.last, each) for each in _passes(run, [failure for _, failure in failures], scope)]
        found.claimed.append((run.first, run.last + 1))
    return moved(found, page, VITEST)


class _Reader:
    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self.now: _Run | None = None
        self.block: _Block | None = None
        self.file: tuple[str, str] | None = None
        """The one whose tests are being listed."""

    def take(self, at: int, line: str) -> None:
        if line in (CUT, CLAIMED):
            self.block = None
        elif line.startswith("⎯") and (rule := _RULE.match(line)) is not None:
            self._rule(at, rule["title"] or "")
        elif _BEGIN.match(line):
            self.now, self.block, self.file = None, None, None
            self._run(at)
        elif line.startswith(" FAIL  ") and (fail := _FAIL.match(line)) is not None:
            self._fail(at, fail)
        elif self.block is not None:
            self.block.lines.append(line)
        elif line.startswith(" "):
            self._listed(at, line)

    def _run(self, at: int) -> _Run:
        if self.now is None:
            self.now = _Run(at, at)
            self.runs.append(self.now)
        self.now.last = at
        return self.now

    def _rule(self, at: int, title: str) -> None:
        """A rule ends what was told above it, but for the headline of an error nobody handled."""
        run = self._run(at)
        self.block = None
        if title.startswith(_UNHANDLED) and not title.endswith("Errors"):
            self.block = _Block(at, [], stray=True)
            run.blocks.append(self.block)

    def _fail(self, at: int, fail: re.Match[str]) -> None:
        run = self._run(at)
        name = (_runner(fail["project"]), _name(fail["name"], fail["rest"]))
        if self.block is not None and self.block.names and not any(self.block.lines):
            self.block.names.append(name)
        else:
            self.block = _Block(at, [name])
            run.blocks.append(self.block)

    def _listed(self, at: int, line: str) -> None:
        """A line of the list, or of the sum below it."""
        total = _SUM.match(line)
        if total is not None and (self.now is not None or total["what"] == "Test Files"):
            self._sum(at, total["what"], total["counts"])
            return
        found = _LINE.match(line)
        if found is None:
            return
        file = _FILE.match(found["rest"]) if len(found["indent"]) == 1 else None
        if file is not None:
            self.file = (_runner(found["project"]), file["path"])
            self._entry(at, self.file).state = _state(found["mark"], file["counts"])
        elif found["mark"] in _PASSED or found["mark"] in _FAILED:
            self._test(at, found)

    def _test(self, at: int, found: re.Match[str]) -> None:
        """A test: below its file, or with its file in front. Deeper ones may stand there without their suite's name."""
        spent = _SPENT.search(found["rest"])
        said = found["rest"][: spent.start()] if spent is not None else found["rest"]
        if len(found["indent"]) == 1:
            whole = _TEST.match(said)
            if whole is None:
                return
            key, name = (_runner(found["project"]), whole["path"]), whole["name"]
        elif self.file is not None and len(found["indent"]) == 3 and (spent or not _NUMBERED.search(said)):
            key, name = self.file, said
        else:
            return
        entry = self._entry(at, key)
        test = _name(key[1], SEPARATOR + name)
        if found["mark"] in _PASSED:
            entry.passed.append(test)
        else:
            entry.failed.append((at, test))

    def _entry(self, at: int, key: tuple[str, str]) -> _File:
        return self._run(at).files.setdefault(key, _File(key[1]))

    def _sum(self, at: int, what: str, counts: str) -> None:
        run = self._run(at)
        self.file = None
        if what in ("Test Files", "Tests"):
            told = {word: int(number) for number, word in _COUNT.findall(counts)}
            if what == "Tests":
                run.tests_sum = told
            else:
                run.files_sum = told
        elif what == "Duration":
            self.now = None


def _runner(project: str | None) -> str:
    return f"{VITEST}:{project.strip(' |')}" if project else VITEST


def _name(path: str, rest: str) -> str:
    """Of a file that failed as a whole, the file."""
    return path if not rest or rest.startswith(" [ ") else path + SEPARATOR + spelt(rest[len(SEPARATOR) :])


def _state(mark: str, counts: str) -> str:
    told = {word: int(number) for number, word in _COUNT.findall(counts)}
    if mark not in _PASSED:
        return "failed" if mark != "↓" else "partly"
    return "partly" if told.get("skipped") or told.get("todo") else "whole"


def _failures(block: _Block) -> list[tuple[int, Failure]]:
    frames, message = told(block.lines)
    if not block.stray:
        return [(block.at, Failure(runner, test, frames, message)) for runner, test in block.names]
    origin = next((found[1] for line in block.lines if (found := _ORIGIN.match(line)) is not None), "")
    return [(block.at, Failure(VITEST, origin, frames, message))] if frames or origin else []


def _listed(run: _Run, told_of: set[str]) -> list[tuple[int, Failure]]:
    """What is only listed as failed."""
    listed = [(at, owner, test) for (owner, _), file in run.files.items() for at, test in file.failed]
    return [(at, Failure(owner, test)) for at, owner, test in listed if test not in told_of]


def _passes(run: _Run, failures: list[Failure], scope: Scope | None) -> list[Pass]:
    """Files that pass as a whole, else the tests that are listed; where neither is shown, what the command named."""
    failed = {failure.test for failure in failures}
    broken = {test.partition(SEPARATOR)[0] for test in failed}
    sums = run.tests_sum
    untold = None if sums is None else sums.get("skipped", 0) + sums.get("todo", 0)
    listed = sum(len(file.passed) for file in run.files.values())
    complete = sums is not None and not untold and listed == sums.get("passed", 0)
    told: list[Pass] = []
    for runner in dict.fromkeys(runner for runner, _ in run.files):
        files = [file for (owner, _), file in run.files.items() if owner == runner and file.path not in failed]
        sure = [file.path for file in files if file.path not in broken and _is_whole(file, complete)]
        tests = [test for file in files if file.path not in sure for test in file.passed if test not in failed]
        told += [Pass(runner, FILES, (), tuple(sure))] if sure else []
        told += [Pass(runner, TESTS, tuple(dict.fromkeys(tests)))] if tests else []
    if told or failed or sums is None or sums.get("failed") or not sums.get("passed"):
        return told
    if run.files_sum is None or run.files_sum.get("failed"):
        return told
    return scope.passes(VITEST, untold or 0) if scope is not None else [Pass(VITEST, UNKNOWN)]


def _is_whole(file: _File, complete: bool) -> bool:
    """Whether all of its tests ran and passed; told wordily, only the sum says that none was skipped."""
    return file.state == "whole" or (not file.state and complete)
