"""Go: its tests, what its compiler and vet refuse, and programs that panic.

A test is known by its package and its name, `example.com/shop/cart.TestFirst/empty`; `pkg.` stands for a whole package
and `pkg.TestFirst/` for a test with all its subtests. With `go test -json` each line is an object, in which the text
stands that there would have been without it: those texts are put together by package and read behind the other lines.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ccos_core.intake.failures import go_tests
from ccos_core.intake.failures.command import runs
from ccos_core.intake.failures.go_scopes import BUILD, GO, RUN, VET, GoRun, go_run, go_runs, go_test
from ccos_core.intake.failures.go_tests import Block
from ccos_core.intake.failures.page import Findings, Page, Span, lines_of, short
from ccos_core.intake.failures.ran import is_silent_success, shown_runs
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

SIGNS = (
    *("\nok", "\nFAIL", "\n?", "=== RUN", "=== CONT", "=== NAME", "--- PASS", "--- FAIL", "--- SKIP", "--- BENCH"),
    *(".go:", "panic: ", "fatal error: ", "SIGQUIT: ", "WARNING: DATA RACE", '"Action":'),
)
_MOST_OBJECTS = 100_000
_PACKAGE_HEAD = re.compile(r"# (?P<package>[\w./~@+%-]+)(?: \[(?P<tested>[\w./~@+%-]+)\.test\])?$")
_VETTED = re.compile(r"# \[[\w./~@+%-]+\]$")
_ERROR = re.compile(
    r"(?P<vet>vet: )?(?P<path>(?:[A-Za-z]:)?[^\s:][^:]{0,1000}?\.(?:go|s|c|h)):"
    r"(?P<line>\d{1,9})(?::\d{1,9})?: (?P<message>.*)$"
)
_COMMAND_LINE = "command-line-arguments"
_TOO_MANY = "too many errors"


def read(page: Page) -> Findings:
    """Everything of Go's in the output."""
    lines, objects = _unfold(page.lines)
    found = Findings()
    broken = _read_build(found, page, lines)
    claimed = {at for start, end in found.claimed for at in range(start, end)}
    run = go_test(page.command)
    blocks = go_tests.parse_packages(["" if at in claimed else line for at, line in enumerate(lines)])
    hidden = _hidden_run(page) if blocks and run is None else None
    for block in blocks:
        _read_block(found, block, page, run, hidden)
    unbuilt = [block for block in blocks if block.word == "FAIL" and block.why.endswith("failed")]
    if unbuilt and not broken:
        block = unbuilt[0]
        found.failures.append((block.last, Failure(BUILD, f"{block.package} [test]", (), block.why)))
    if page.ok is True and not found.failures:
        for each in runs(page.command):
            silent = go_run(each)
            if silent is not None and silent.is_silent and (each.decides or is_silent_success(each, page)):
                found.passes += [(len(page.lines) - 1, passing) for passing in silent.passes()]
    return _fold(found, len(page.lines), objects)


def _unfold(lines: list[str]) -> tuple[list[str], list[int]]:
    """(the lines, with the texts of the objects behind them; which of them were objects)."""
    objects: list[int] = []
    texts: dict[str, list[str]] = {}
    for at, line in enumerate(lines):
        if not line.startswith('{"') or '"Action":' not in line or len(objects) >= _MOST_OBJECTS:
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            objects.append(at)
            package, text = event.get("Package") or event.get("ImportPath"), event.get("Output")
            if isinstance(package, str) and isinstance(text, str):
                texts.setdefault(package, []).append(text)
    if not objects:
        return lines, objects
    rest = list(lines)
    for at in objects:
        rest[at] = ""
    return rest + [line for text in texts.values() for line in lines_of("".join(text))], objects


def _fold(found: Findings, size: int, objects: list[int]) -> Findings:
    """In the lines of the page: what was unfolded stands at the first of its objects."""
    first = objects[0] if objects else 0
    found.failures = [(at if at < size else first, each) for at, each in found.failures]
    found.passes = [(at if at < size else first, each) for at, each in found.passes]
    found.claimed = [(start, min(end, size)) for start, end in found.claimed if start < size]
    found.claimed += [(at, at + 1) for at in objects]
    return found


def _read_block(found: Findings, block: Block, page: Page, run: GoRun | None, hidden: GoRun | None) -> None:
    failures = go_tests.failures_of(block)
    if not block.word and not block.tests and run is None:  # a panic of no test: of what `go run` ran, or of anything
        programs = [each.program() for each in go_runs(page.command) if each.verb == "run"]
        name = programs[0] if len(programs) == 1 else ""
        failures = [(at, Failure(RUN, name, failure.frames, failure.message)) for at, failure in failures]
    failed = [failure.test for _, failure in failures]
    found.add_run(block, failures, go_tests.passes_of(block, failed, run, hidden))


def _hidden_run(page: Page) -> GoRun | None:
    """The run of tests behind a command that is no call of go's, as a runner of tasks shows it.

    Where that isn't shown and the command chooses no tests, `ok` is believed to speak of whole packages, as a reader
    would: a Makefile that hides a `-run` is believed too much.
    """
    shown = [taken for each in shown_runs(page) if (taken := go_run(each)) is not None and taken.verb == "test"]
    if shown:
        return shown[0] if len(shown) == 1 else None
    words = [word for each in runs(page.command) for word in (each.tool, *each.words)]
    opaque = bool(words) and GO not in words and not any("-run" in word for word in words)
    return GoRun("test", (), None, False, False, "") if opaque else None


# ---- what the compiler and vet refuse: `# package`, and below it `path.go:12:3: message` ----


@dataclass(slots=True)
class _Unit(Span):
    """One package, and what is wrong with it."""

    package: str
    marked: bool = False  # vet says so; it does since Go 1.22
    cut: bool = False  # there were too many errors to report all
    errors: list[tuple[int, Frame, str, bool]] = field(default_factory=list)  # (line, place, message, is it vet's)


def _read_build(found: Findings, page: Page, lines: list[str]) -> bool:
    """Add the errors by package; return whether there are any."""
    verbs = {run.verb for run in go_runs(page.command)}
    units = _units(lines, bool(verbs))
    unmarked = verbs == {"vet"} and not any(unit.marked for unit in units)
    for unit in units:
        failures: list[tuple[int, Failure]] = []
        package = "" if unit.package == _COMMAND_LINE else unit.package
        for at, frame, message, by_vet in unit.errors:
            vetted = (by_vet or unit.marked or unmarked) and "test" not in verbs
            tested = package and frame.path.endswith("_test.go") and not vetted
            part = f"{message} {frame.path}" if package else ""
            test = f"{package} [test]" if tested else package
            failures.append((at, Failure(VET if vetted else BUILD, test, (frame,), message, part)))
        found.add_run(unit, failures, [])
        if package and not unit.cut and not any(message.startswith("syntax error") for _, _, message, _ in unit.errors):
            named = dict.fromkeys((failure.runner, failure.test) for _, failure in failures)
            found.looked += [Pass(runner, TESTS, (test,)) for runner, test in named]
    return bool(units)


def _units(lines: list[str], is_go: bool) -> list[_Unit]:
    """Every package below a head of its own; without a head, what a command of go's says of a source."""
    units: list[_Unit] = []
    now: _Unit | None = None
    for at, line in enumerate(lines):
        if line.startswith("# "):
            now = _begin(units, now, at, line)
        elif ".go:" in line and (error := _ERROR.match(line)) is not None:
            now = now if now is not None or not is_go else _Unit(at, at, "")
            now = _add(units, now, at, error) if now is not None else None
        elif now is not None and line.startswith(("\t", _TOO_MANY)):
            now.last = at
            now.cut = now.cut or line.startswith(_TOO_MANY)
        else:
            now = None
    return [unit for unit in units if unit.errors]


def _begin(units: list[_Unit], now: _Unit | None, at: int, line: str) -> _Unit | None:
    if now is not None and _VETTED.match(line):
        now.marked, now.last = True, at
        return now
    head = _PACKAGE_HEAD.match(line)
    if head is None:
        return None
    units.append(_Unit(at, at, head["tested"] or head["package"].removesuffix("_test")))
    return units[-1]


def _add(units: list[_Unit], unit: _Unit, at: int, error: re.Match[str]) -> _Unit:
    """Add the error; all files of a package lie in one folder, so another one begins another package."""
    frame = Frame(error["path"].replace("\\", "/"), int(error["line"]))
    if unit.errors and unit.errors[0][1].path.rpartition("/")[0] != frame.path.rpartition("/")[0]:
        unit = _Unit(at, at, "", unit.marked)
    if not units or units[-1] is not unit:
        units.append(unit)
    unit.last = at
    if error["message"] == _TOO_MANY:  # since Go 1.20 it has a place, that of the last one reported
        unit.cut = True
    else:
        unit.errors.append((at, frame, short(error["message"]), error["vet"] is not None))
    return unit
