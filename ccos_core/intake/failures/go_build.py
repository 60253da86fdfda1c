"""What the compiler of Go and vet refuse: `# package`, and below it `path.go:12:3: message`.

A package that only fails to compile with its tests is another one: `go build` leaves those alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.go_scopes import BUILD, VET, go_runs
from ccos_core.intake.failures.page import Findings, Page, Span, short
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

_HEAD = re.compile(r"# (?P<package>[\w./~@+%-]+)(?: \[(?P<tested>[\w./~@+%-]+)\.test\])?$")
_VETTED = re.compile(r"# \[[\w./~@+%-]+\]$")
_ERROR = re.compile(
    r"(?P<vet>vet: )?(?P<path>(?:[A-Za-z]:)?[^\s:][^:]{0,1000}?\.(?:go|s|c|h)):"
    r"(?P<line>\d{1,9})(?::\d{1,9})?: (?P<message>.*)$"
)
_COMMAND_LINE = "command-line-arguments"
_TOO_MANY = "too many errors"


@dataclass(slots=True)
class _Unit(Span):
    """One package, and what is wrong with it."""

    package: str
    marked: bool = False  # vet says so; it does since Go 1.22
    cut: bool = False  # there were too many errors to report all
    errors: list[tuple[int, Frame, str, bool]] = field(default_factory=list)  # (line, place, message, is it vet's)


def read(found: Findings, page: Page, lines: list[str]) -> bool:
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
    head = _HEAD.match(line)
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
