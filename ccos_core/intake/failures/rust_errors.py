"""What rustc and clippy have to say against a source: one diagnostic each, with its place and the places it points at.

Warnings are no failures, but they are taken, so that no other reader reads their places again. Which unit a diagnostic
belongs to (`shop (lib test)`) is only said at the end of all, so it is worked out where that leaves no doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, short
from ccos_core.values.outcome import Failure, Frame

RUSTC, CLIPPY = "rustc", "clippy"

_HEAD = re.compile(r"(?P<kind>error|warning)(?:\[(?P<code>[\w:]{1,80})\])?: (?P<message>\S.*)$")
_ARROW = re.compile(
    r"\s*(?:-->|:::) (?P<path>\S.{0,1000}?\.(?:rs|toml|md)):(?P<line>\d{1,9})(?::\d{1,9})?(?: \(.*\))?$"
)
_SHORT = re.compile(
    r"(?P<path>\S.{0,1000}?\.(?:rs|toml)):(?P<line>\d{1,9}):\d{1,9}: "
    r"(?P<kind>error|warning)(?:\[(?P<code>\w+)\])?: (?P<message>.*)$"
)
_UNIT = re.compile(
    r"(?:error|warning): could not compile `(?P<package>[^`]+)`(?: \((?P<target>[^()]*)\))?"
    r"(?: due to (?:(?P<count>\d{1,9}) )?previous errors?)?"
)
_LOCAL = re.compile(
    r"\s*(?P<verb>Compiling|Checking|Documenting) (?P<package>\S+) v\S+ \((?P<folder>(?:/|[A-Za-z]:)[^()]*)\)"
)
_SCRIPT = re.compile(r"error: failed to run custom build command for `(?P<package>\S+) v")
_LINTED = re.compile(r"clippy|implied by `-D warnings`")
_FINISHED = re.compile(r"\s*Finished `?\w[\w-]*`? (?:profile )?\[")
_MOST_LINES = 400  # of one diagnostic
_MOST_UNITS = 100
_PLACE_DISTANCE = 3  # lines until the place of a diagnostic


@dataclass(slots=True)
class Diagnostic:
    first: int
    last: int
    error: bool
    code: str
    message: str
    frames: tuple[Frame, ...]
    linted: bool

    @property
    def wording(self) -> str:
        return short(f"error[{self.code}]: {self.message}" if self.code else f"error: {self.message}")


@dataclass(slots=True)
class Unit:
    """What could not be compiled: a target of a package, with its number of errors."""

    at: int
    package: str
    target: str
    errors: int


@dataclass(slots=True)
class Compilation:
    """All that the compiler and cargo said."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    folders: dict[str, str] = field(default_factory=dict)  # of each package that was compiled and is no foreign one
    scripts: list[tuple[int, str]] = field(default_factory=list)  # (line, package) of build scripts that failed
    finished: bool = False

    def failures(self) -> list[tuple[int, Failure]]:
        """A failure for each error that has a place."""
        found: list[tuple[int, Failure]] = []
        for each in self.diagnostics:
            if each.error:
                unit = self._unit_of(each)
                part = f"{each.code or each.message} {each.frames[0].path}" if unit else ""
                runner = CLIPPY if each.linted else RUSTC
                found.append((each.first, Failure(runner, unit, each.frames, each.wording, part)))
        return found

    def _unit_of(self, each: Diagnostic) -> str:
        """The unit this error kept from being compiled; empty where it may be one of several packages."""
        units = self.units
        if len({unit.package for unit in units}) > 1:
            path = each.frames[0].path
            units = [unit for unit in units if _lies_in(path, self.folders.get(unit.package, ""))]
            if len({unit.package for unit in units}) != 1:
                return ""
        if not units:
            return ""
        unit = next((unit for unit in units if unit.at > each.last), units[-1])
        plain = unit.target.removesuffix(" test")
        both = {unit.target: unit for unit in units if unit.target.removesuffix(" test") == plain}
        if len(both) > 1:
            unit, tested = both[plain], both[f"{plain} test"]
            unit = unit if unit.errors == tested.errors else tested
        return f"{unit.package} ({unit.target})" if unit.target else unit.package


def parse_compilation(lines: list[str]) -> Compilation:
    found = Compilation()
    at = 0
    while at < len(lines):
        line = lines[at]
        diagnostic = _diagnostic(lines, at) if line and line[0] not in " \0" else None
        if diagnostic is not None:
            found.diagnostics.append(diagnostic)
            at = diagnostic.last
        elif (unit := _UNIT.match(line) if "could not compile `" in line else None) is not None:
            if len(found.units) < _MOST_UNITS:
                found.units.append(Unit(at, unit["package"], unit["target"] or "", int(unit["count"] or 1)))
        elif (local := _LOCAL.match(line) if "ing " in line[:16] else None) is not None:
            found.folders[local["package"]] = local["folder"].replace("\\", "/").rstrip("/")
        elif (script := _SCRIPT.match(line)) is not None:
            found.scripts.append((at, script["package"]))
        elif "Finished " in line[:20] and _FINISHED.match(line):
            found.finished = True
        at += 1
    return found


def first_error(lines: list[str], start: int, end: int) -> str:
    """The wording of the first error in these lines."""
    found = (_diagnostic(lines, at) for at in range(start, end) if lines[at].startswith("error"))
    return next((each.wording for each in found if each is not None), "")


def _diagnostic(lines: list[str], at: int) -> Diagnostic | None:
    line = lines[at]
    if (brief := _SHORT.match(line) if ": error" in line or ": warning" in line else None) is not None:
        frame = Frame(brief["path"], int(brief["line"]))
        return Diagnostic(at, at, brief["kind"] == "error", brief["code"] or "", brief["message"], (frame,), False)
    head = _HEAD.match(line) if line.startswith(("error", "warning")) else None
    if head is None:
        return None
    near = [ahead for ahead in range(at + 1, min(at + 1 + _PLACE_DISTANCE, len(lines))) if _ARROW.match(lines[ahead])]
    if not near or any(_HEAD.match(each) or not each for each in lines[at + 1 : near[0]]):
        return None
    last = min(len(lines), near[0] + _MOST_LINES)
    ends = (n for n in range(near[0], last) if lines[n] in ("", CLAIMED, CUT) or _HEAD.match(lines[n]))
    end = next(ends, last)
    places = [place for each in lines[near[0] : end] if (place := _ARROW.match(each)) is not None]
    frames = tuple(dict.fromkeys(Frame(place["path"].strip(), int(place["line"])) for place in places))[:MOST_FRAMES]
    linted = any(_LINTED.search(each) for each in lines[at:end])
    return Diagnostic(at, end - 1, head["kind"] == "error", head["code"] or "", head["message"], frames, linted)


def _lies_in(path: str, folder: str) -> bool:
    """Whether a path from the root of the packages can be one of this package's."""
    if path.startswith("/"):
        return bool(folder) and path.startswith(folder + "/")
    *above, _ = path.split("/")
    return any(folder.endswith("/" + "/".join(above[:size])) for size in range(1, len(above) + 1))
