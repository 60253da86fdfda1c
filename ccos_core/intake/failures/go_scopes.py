"""How much a command of Go's takes in, by its arguments.

`go test` names the packages it ran and without `-v` nothing more, so what `-run` chose has to be read off the command:
of its pattern only what is plainly a name. What `go build` and `go vet` took in is told nowhere else, for they are
silent when all is well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.intake.failures.command import Run, runs
from ccos_core.values.outcome import FILES, TESTS, Pass

GO, BUILD, VET, RUN = "go", "go build", "go vet", "go run"

_BUILDS = ("build", "install", "vet", "run")
_BARE = {
    "-v", "-race", "-short", "-failfast", "-json", "-cover", "-c", "-i", "-a", "-n", "-x", "-work", "-msan", "-asan",
    "-trimpath", "-benchmem", "-fullpath", "-artifacts", "-modcacherw", "-linkshared", "-buildvcs", "-test.v",
}  # fmt: skip
_CHOICE = {"-short", "-list", "-skip", "-c", "-n", "-i", "-args", "-exec", "-C", "-modfile", "-overlay", "-json-c"}
_NAME = re.compile(r"[\w /#=,-]+$")


@dataclass(frozen=True, slots=True)
class GoRun:
    """One call of go."""

    verb: str
    patterns: tuple[str, ...]
    """The packages it was given."""
    pattern: str | None
    """What `-run` was given."""
    narrowed: bool
    """Whether it may leave out more than that."""
    decides: bool
    folder: str

    @property
    def picks_inside(self) -> bool:
        """Whether it may run a test and leave out some of its subtests."""
        return self.narrowed or (self.pattern is not None and "/" in self.pattern)

    def chosen(self) -> tuple[str, ...]:
        """The tests that `-run` surely chose."""
        return literals(self.pattern) if self.pattern is not None and not self.narrowed else ()

    def passes(self) -> list[Pass]:
        """What was compiled, or vetted, when it succeeded in silence."""
        paths = self._paths()
        runners = (BUILD, VET) if self.verb == "vet" else (BUILD,)
        passes = [Pass(runner, FILES, (), paths) for runner in runners] if paths else []
        if self.verb == "run" and self.program():
            passes.append(Pass(RUN, TESTS, (self.program(),)))
        return passes

    def program(self) -> str:
        """What `go run` runs, by its first word."""
        return self._within(self.patterns[0]) if self.verb == "run" and self.patterns else ""

    def _paths(self) -> tuple[str, ...]:
        named = self.patterns[:1] if self.verb == "run" and not _is_file(self.patterns) else self.patterns
        return tuple(path for each in named or (".",) if (path := self._path(each)))

    def _path(self, said: str) -> str:
        said = said.replace("\\", "/")
        if said.endswith(".go"):
            return self._within(said)
        if not said.startswith((".", "/")):  # by its import path: nobody can tell where that lies
            return ""
        if said.endswith("..."):
            return self._within(said.removesuffix("...").rstrip("/"))
        return f"{self._within(said)}/*"

    def _within(self, said: str) -> str:
        said = said.replace("\\", "/")
        while said.startswith("./"):
            said = said[2:]
        said = said.rstrip("/") or "."
        if not self.folder or said.startswith("/"):
            return said
        return self.folder if said == "." else f"{self.folder}/{said}"


def go_runs(command: str) -> list[GoRun]:
    """Every call of go in the command."""
    return [taken for run in runs(command) if (taken := taken_run(run)) is not None]


def taken_run(run: Run) -> GoRun | None:
    """The same of one program; None where it isn't go."""
    return _taken(run) if run.tool == GO and run.words else None


def go_test(command: str) -> GoRun | None:
    """The one run of tests in the command; None where there is none, or several."""
    found = [run for run in go_runs(command) if run.verb == "test"]
    return found[0] if len(found) == 1 else None


def is_silent(run: GoRun) -> bool:
    """Whether it says nothing when all is well."""
    return run.verb in _BUILDS and not run.narrowed


def literals(pattern: str) -> tuple[str, ...]:
    """The names a pattern of `-run` surely chooses: `^(TestA|TestB)$`, `TestA/empty`."""
    heads, *inner = pattern.split("/")
    names = _alternatives(heads)
    for level in inner:
        names = [f"{name}/{each.replace(' ', '_')}" for name in names for each in _alternatives(level)]
    return tuple(dict.fromkeys(names))[:100]


def _alternatives(said: str) -> list[str]:
    plain = said.removeprefix("^").removesuffix("$")
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1]
    names = [name.removeprefix("^").removesuffix("$") for name in plain.split("|")]
    return names if all(_NAME.match(name) for name in names) else []


def _taken(run: Run) -> GoRun:
    verb, *words = run.words
    patterns: list[str] = []
    pattern: str | None = None
    narrowed = run.dynamic
    at = 0
    while at < len(words):
        flag, equals, value = words[at].partition("=")
        at += 1
        if not flag.startswith("-") or flag == "-":
            patterns.append(words[at - 1])
            if verb == "run" and not words[at - 1].endswith(".go"):
                break  # the rest is the program's own
            continue
        flag = "-" + flag.lstrip("-").removeprefix("test.")
        narrowed = narrowed or (flag in _CHOICE and value != "false")
        if flag == "-args":
            break
        if not equals and flag not in _BARE and at < len(words):
            value = words[at]
            at += 1
        if flag == "-run":
            pattern = value
    return GoRun(verb, tuple(patterns), pattern, narrowed, run.decides, run.folder)


def _is_file(patterns: tuple[str, ...]) -> bool:
    return bool(patterns) and patterns[0].endswith(".go")
