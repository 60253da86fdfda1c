"""What the compiler of Go and vet refuse: `# package`, and below it `path.go:12:3: message`.

A package that only fails to compile with its tests is another one: `go build` leaves those alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.go_scopes import BUILD, VET, go_runs
from ccos_core.intake.failures.page import Findings, Page, short
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

_HEAD = re.compile(r"# (?P<package>[\w./~@+%-]+)(?: \[(?P<tested>[\w./~@+%-]+)\.test\])?$")
_VETTED = re.compile(r"# \[[\w./~@+%-]+\]$")
_ERROR = re.compile(
    r"(?P<vet>vet: )?(?P<path>(?:[A-Za-z]:)?[^\s:][^:]{0,1000}?\.(?:go|s|c|h)):"
    r"(?P<line>\d{1,9})(?::\d{1,9})?: (?P<message>.*)$"
)
_COMMAND_LINE = "command-line-arguments"


@dataclass(slots=True)
class Unit:
    """One package, and what is wrong with it."""

    package: str
    first: int
    last: int
    marked: bool = False
    """Whether vet says so; it does since Go 1.22."""
    cut: bool = False
    """Whether there were too many errors to report all."""
    errors: list[tuple[int, Frame, str, bool]] = field(default_factory=list)
    """(line, place, message, whether it is vet's)."""


def read(found: Findings, page: Page, lines: list[str]) -> set[str]:
    """The errors by package; gives the packages that have any."""
    verbs = {run.verb for run in go_runs(page.command)}
    units = _units(lines, bool(verbs))
    unmarked = verbs == {"vet"} and not any(unit.marked for unit in units)
    broken: set[str] = set()
    for unit in units:
        broken.add(unit.package)
        for at, frame, message, vets in unit.errors:
            vetted = (vets or unit.marked or unmarked) and "test" not in verbs
            found.failures.append((at, _failure(unit.package, vetted, frame, message)))
        found.looked += _looked(unit, [failure for _, failure in found.failures[-len(unit.errors) :]])
        found.claimed.append((unit.first, unit.last + 1))
    return broken


def _looked(unit: Unit, failures: list[Failure]) -> list[Pass]:
    """The package, of which all errors are here: unless there were too many, or it couldn't be parsed."""
    stopped = unit.cut or any(failure.message.startswith("syntax error") for failure in failures)
    named = dict.fromkeys((failure.runner, failure.test) for failure in failures if failure.test)
    return [] if stopped else [Pass(runner, TESTS, (test,)) for runner, test in named]


def _failure(package: str, vetted: bool, frame: Frame, message: str) -> Failure:
    name = "" if package == _COMMAND_LINE else package
    test = f"{name} [test]" if name and frame.path.endswith("_test.go") and not vetted else name
    part = f"{message} {frame.path}" if test else ""
    return Failure(VET if vetted else BUILD, test, (frame,), message, part)


def _units(lines: list[str], is_go: bool) -> list[Unit]:
    """Every package below a head of its own; without a head, what a command of go's says of a source."""
    units: list[Unit] = []
    now: Unit | None = None
    for at, line in enumerate(lines):
        if line.startswith("# "):
            now = _headed(units, now, at, line)
        elif ".go:" in line and (error := _ERROR.match(line)) is not None:
            now = _refused(units, now if now is not None or not is_go else Unit("", at, at), at, error)
        elif now is not None and line.startswith(("\t", "too many errors")):
            now.last = at
            now.cut = now.cut or line.startswith("too many errors")
        else:
            now = None
    return [unit for unit in units if unit.errors]


def _refused(units: list[Unit], unit: Unit | None, at: int, error: re.Match[str]) -> Unit | None:
    """Adds the error; all files of a package lie in one folder, so another one begins another package."""
    if unit is None:
        return None
    frame = Frame(error["path"].replace("\\", "/"), int(error["line"]))
    if unit.errors and unit.errors[0][1].path.rpartition("/")[0] != frame.path.rpartition("/")[0]:
        unit = Unit("", at, at, unit.marked)
    if not units or units[-1] is not unit:
        units.append(unit)
    unit.last = at
    if error["message"] == "too many errors":  # since Go 1.20 it has a place, that of the last one reported
        unit.cut = True
    else:
        unit.errors.append((at, frame, short(error["message"]), error["vet"] is not None))
    return unit


def _headed(units: list[Unit], now: Unit | None, at: int, line: str) -> Unit | None:
    if now is not None and _VETTED.match(line):
        now.marked, now.last = True, at
        return now
    head = _HEAD.match(line)
    if head is None:
        return None
    unit = Unit(head["tested"] or head["package"].removesuffix("_test"), at, at)
    units.append(unit)
    return unit
