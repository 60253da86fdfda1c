"""How much a command of Go's takes in, by its arguments.

`go test` names the packages it ran and without `-v` nothing more, so what `-run` chose has to be read off the command:
of its pattern only what is plainly a name. What `go build` and `go vet` took in is told nowhere else, for they are
silent when all is well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.intake.failures.arguments import tidy, words_of
from ccos_core.intake.failures.command import Run, runs
from ccos_core.values.outcome import FILES, TESTS, Pass

GO, BUILD, VET, RUN = "go", "go build", "go vet", "go run"

_BUILDS = ("build", "install", "vet", "run")
_BARE = words_of(
    "-v -race -short -failfast -json -cover -c -i -a -n -x -work -msan -asan -trimpath -benchmem -fullpath -artifacts"
    " -modcacherw -linkshared -buildvcs -test.v"
)
_CHOICES = words_of("-short -list -skip -c -n -i -args -exec -C -modfile -overlay -json-c")
_NAME = re.compile(r"[\w /#=,-]+$")


@dataclass(frozen=True, slots=True)
class GoRun:
    """One call of go."""

    verb: str
    patterns: tuple[str, ...]  # the packages it was given
    pattern: str | None  # what `-run` was given
    narrowed: bool  # it may leave out more than that
    decides: bool
    folder: str

    @property
    def picks_inside(self) -> bool:
        """Whether it may run a test and leave out some of its subtests."""
        return self.narrowed or (self.pattern is not None and "/" in self.pattern)

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing when all is well."""
        return self.verb in _BUILDS and not self.narrowed

    def chosen(self) -> tuple[str, ...]:
        """The tests that `-run` surely chose."""
        return literals(self.pattern) if self.pattern is not None and not self.narrowed else ()

    def passes(self) -> list[Pass]:
        """What was compiled, or vetted, when it succeeded in silence."""
        one = self.verb == "run" and not (self.patterns and self.patterns[0].endswith(".go"))
        named = (self.patterns[:1] if one else self.patterns) or (".",)
        paths = tuple(path for each in named if (path := self._path(each)))
        runners = (BUILD, VET) if self.verb == "vet" else (BUILD,)
        passes = [Pass(runner, FILES, (), paths) for runner in runners] if paths else []
        return passes + ([Pass(RUN, TESTS, (program,))] if (program := self.program()) else [])

    def program(self) -> str:
        """What `go run` runs, by its first word."""
        return self._within(self.patterns[0]) if self.verb == "run" and self.patterns else ""

    def _path(self, said: str) -> str:
        said = said.replace("\\", "/")
        if said.endswith(".go"):
            return self._within(said)
        if not said.startswith((".", "/")):  # by its import path, which may lie anywhere
            return ""
        whole = said.endswith("...")
        return self._within(said.removesuffix("...").rstrip("/")) if whole else f"{self._within(said)}/*"

    def _within(self, said: str) -> str:
        path = tidy(said.rstrip("/\\"))
        if not self.folder or path.startswith("/"):
            return path
        return self.folder if path == "." else f"{self.folder}/{path}"


def go_runs(command: str) -> list[GoRun]:
    """Every call of go in the command."""
    return [taken for run in runs(command) if (taken := go_run(run)) is not None]


def go_test(command: str) -> GoRun | None:
    """The one run of tests in the command; None where there is none, or several."""
    found = [run for run in go_runs(command) if run.verb == "test"]
    return found[0] if len(found) == 1 else None


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


def go_run(run: Run) -> GoRun | None:
    """What one program does, if it is go."""
    if run.tool != GO or not run.words:
        return None
    verb, *words = run.words
    patterns: list[str] = []
    pattern: str | None = None
    narrowed = run.dynamic
    ahead = iter(words)
    for word in ahead:
        flag, equals, value = word.partition("=")
        if not flag.startswith("-") or flag == "-":
            patterns.append(word)
            if verb == "run" and not word.endswith(".go"):
                break  # the rest is the program's own
            continue
        flag = "-" + flag.lstrip("-").removeprefix("test.")
        narrowed = narrowed or (flag in _CHOICES and value != "false")
        if flag == "-args":
            break
        if not equals and flag not in _BARE:
            value = next(ahead, value)
        pattern = value if flag == "-run" else pattern
    return GoRun(verb, tuple(patterns), pattern, narrowed, run.decides, run.folder)
