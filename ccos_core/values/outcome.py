"""What the output of a command says: what failed, where, and what passes.

A `Report` is a fact: a pure function of an output, of the command that made it and of the interpreter's version, with
one spelling as canonical bytes. Paths and the names of tests stand as the output spells them; what they are called in
a workspace is for `intake/failures/paths.py` to say. Lines count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.values.canon import canonical, parse_known

TESTS, FILES, ALL, UNKNOWN = "tests", "files", "all", "unknown"

EXACT = ("cargo", "rustdoc", "rustc", "clippy", "rust", "go", "go build", "go vet", "go run")
"""Runners whose passes name each test whole; a name that ends in one of `WITHIN` takes in all that begins with it."""
WITHIN = ("::", "/", ".", " (")
ARROWED = ("jest", "vitest", "mocha", "node-test")
"""Runners whose tests are called `file > suite > test`; one of several projects stands behind a colon: `jest:web`."""
ARROW = " > "
PROGRAMS = ("node", "tsc", "tsc-build", "vue-tsc", "vue-tsc-build")
"""Runners whose `test` is a script or a project; of one that still fails, `paths` are the files that do."""


PASSED, FAILED, UNTOLD = "passed", "failed", "untold"
"""How a program ended, as far as anybody knows."""

KINDRED = {
    "rustdoc": "cargo", "rustc": "cargo", "clippy": "cargo", "rust": "cargo", "tsc-build": "tsc",
    "vue-tsc-build": "vue-tsc", "node-test": "node",
}  # fmt: skip
"""Runner → the program that it is, where that has another name."""

_UNNAMED_GO_TEST = re.compile(r"(?:Test|Fuzz|Example|Benchmark)\w*(?:/|$)")
"""A test of Go's without its package, which was cut off the output."""
_GO_TEST_NAME = re.compile(r"\.((?:Test|Fuzz|Example|Benchmark)\w*(?:/.*)?)$", re.DOTALL)

_DEEPEST = 20
"""Modules inside of modules."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A place that was reached when it failed."""

    path: str
    line: int
    """0 where only the file is known."""
    name: str = ""
    """The function; empty at the top level of a file, and where nobody says."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that failed."""

    runner: str
    """pytest, unittest, python (a traceback nobody else claims), ...: whoever gives `test` its meaning."""

    test: str = ""
    """The runner's own name of it: `tests/test_api.py::TestX::test_y[a b]`, `tests.test_api.TestX.test_y`, the script a
    traceback begins in. What could not even be loaded has the name of the whole: `tests/test_api.py`. Empty where there
    is none; such a failure is known by where it happened."""

    frames: tuple[Frame, ...] = ()
    """Innermost first, each once. Of chained exceptions, what an exception was raised `from` comes before it, and one
    that merely was being handled comes after it."""

    message: str = ""
    """The first line of what was said."""

    part: str = ""
    """Which of the test's subtests: `[msg] (i=1)`. When the test passes, so do all its parts."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Something that passes, and how much of it. A failure is inside or it isn't; see `ends`."""

    runner: str

    scope: str
    """`tests`, `files`: those listed. `all`: whatever the runner finds below the folder it ran in, which `paths` names
    where the command went there itself. `unknown`: it passed, and nobody can tell what it was."""

    tests: tuple[str, ...] = ()
    """By the runner's names; the name of a class, or of a test with parameters, stands for all it holds. See `EXACT`
    for those who have it otherwise."""

    paths: tuple[str, ...] = ()
    """Files, and folders for all below them; `folder/*` for its own files only. Beside tests that are named without
    their files: where those are."""

    untold: int = 0
    """How many tests in this scope were skipped or expected to fail, without the output saying which."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program of the command line whose output this is."""

    tool: str
    """Its name."""

    key: str
    """The command in a normal form: two with the same key and folder are the same command. Empty
    where the shell would have to work it out: no other run is the same."""

    folder: str
    """Where the command line went before, by `cd`; empty where it didn't."""

    end: str
    """`PASSED`, `FAILED` or `UNTOLD`."""

    complete: bool = False
    """Whether all it reports stands in the output."""


@dataclass(frozen=True, slots=True)
class Report:
    """All of it, in the order of the text."""

    failures: tuple[Failure, ...] = ()
    passes: tuple[Pass, ...] = ()
    flaws: tuple[str, ...] = ()
    """Why this may be incomplete: `cut`, a part of the output is missing; `many`, there was more than is kept."""

    ran: tuple[Ran, ...] = ()
    """What ran, in its order."""

    looked: tuple[Pass, ...] = ()
    """What a run that failed took in: what it doesn't report of that any more is over."""

    def __bool__(self) -> bool:
        return bool(self.failures or self.passes or self.looked or any(each.end == PASSED for each in self.ran))

    def blamed(self, failure: Failure) -> tuple[Ran, ...]:
        """The programs that may have reported a failure: those of its runner, else those known to have failed, else
        all that aren't known to have passed."""
        name = failure.runner.partition(" ")[0].partition(":")[0]
        own = tuple(each for each in self.ran if each.tool == KINDRED.get(name, name))
        failed = tuple(each for each in self.ran if each.end == FAILED)
        open_ = tuple(each for each in self.ran if each.end != PASSED)
        return own or failed or open_ or self.ran

    def to_plain(self) -> dict[str, Any]:
        """The fact as plain values."""
        return {
            "failures": [
                [f.runner, f.test, [[at.path, at.line, at.name] for at in f.frames], f.message, f.part]
                for f in self.failures
            ],
            "passes": [_plain_pass(each) for each in self.passes],
            "flaws": list(self.flaws),
            "ran": [[ran.tool, ran.key, ran.folder, ran.end, ran.complete] for ran in self.ran],
            "looked": [_plain_pass(each) for each in self.looked],
        }

    def to_bytes(self) -> bytes:
        """The canonical bytes of the fact."""
        return canonical(self.to_plain())


def report_from(body: bytes) -> Report:
    """The report these canonical bytes are."""
    return report_of(parse_known(body))


def report_of(told: Mapping[str, Any]) -> Report:
    """The report these plain values are."""
    return Report(
        tuple(
            Failure(runner, test, tuple(Frame(*at) for at in frames), message, part)
            for runner, test, frames, message, part in told["failures"]
        ),
        _passes_of(told["passes"]),
        tuple(told["flaws"]),
        tuple(Ran(*each) for each in told.get("ran", ())),
        _passes_of(told.get("looked", ())),
    )


def _plain_pass(each: Pass) -> list[Any]:
    return [each.runner, each.scope, list(each.tests), list(each.paths), each.untold]


def _passes_of(told: Iterable[Any]) -> tuple[Pass, ...]:
    return tuple(
        Pass(runner, scope, tuple(tests), tuple(paths), untold) for runner, scope, tests, paths, untold in told
    )


def ends(passing: Pass, failure: Failure) -> bool:
    """Whether the failure is inside of what passes. Both must be spelt alike: see `paths.placed`.

    Certain or not at all: as long as a skipped test in the scope could be this one, it ends nothing.
    """
    if passing.runner != failure.runner or passing.untold or passing.scope == UNKNOWN:
        return False
    if passing.scope == ALL and not passing.paths:
        return True
    if passing.scope == TESTS and (is_arrowed(passing.runner) or passing.runner in PROGRAMS):
        return _is_listed(passing, failure)
    if passing.scope == TESTS and passing.runner in EXACT:
        if is_without_package(failure):
            return any(_is_unnamed(failure, test) for test in passing.tests)
        return any(_is_named(failure.test, test) for test in passing.tests)
    if passing.scope == TESTS:
        return any(_is_within(failure.test, test) or _proves(test, failure.test) for test in passing.tests)
    return any(_is_below(home, path) for home in homes(failure) for path in passing.paths)


def homes(failure: Failure) -> tuple[str, ...]:
    """The files a failure may be said to belong to: its test's, else those it happened in."""
    if failure.runner == "pytest" and failure.test:
        return (failure.test.partition("::")[0],)
    if is_arrowed(failure.runner) and (file := failure.test.partition(ARROW)[0]):
        return (file,)
    module = failure.test.split(".")
    if failure.runner == "unittest" and module[0] not in ("", "__main__"):
        return tuple("/".join(module[:size]) + ".py" for size in range(1, len(module) + 1))
    if failure.runner in ("cargo", "rustdoc") and "::" in failure.test:
        return _modules(failure.test)
    if failure.runner == "go build" and failure.test.endswith(" [test]"):
        return ()  # a build leaves tests alone
    return tuple(frame.path for frame in failure.frames)


def is_without_package(failure: Failure) -> bool:
    """Whether this is a test of Go's of which the output didn't say in which package it is."""
    return failure.runner == "go" and _UNNAMED_GO_TEST.match(failure.test) is not None


def is_arrowed(runner: str) -> bool:
    """Whether this runner calls its tests by file, suites and name."""
    return runner.partition(":")[0] in ARROWED


def _is_listed(passing: Pass, failure: Failure) -> bool:
    """By the whole name alone; a test that ran proves that its file could be loaded."""
    test = failure.test
    if not test:
        return False
    if failure.runner in PROGRAMS:
        return test in passing.tests and not any(home in passing.paths for home in homes(failure))
    file, _, inner = test.partition(ARROW)
    if passing.paths:
        there = any(_is_same_or_in(file, path) for path in passing.paths)
        return there and bool(file and inner) and ARROW + inner in passing.tests
    return test in passing.tests or (not inner and any(named.startswith(test + ARROW) for named in passing.tests))


def _is_within(test: str, named: str) -> bool:
    if not test or not named:
        return False
    if test == named:
        return True
    return test.startswith((named + "::", named + "[") if _is_path(named) else named + ".")


def _is_named(test: str, named: str) -> bool:
    mark = next((mark for mark in WITHIN if named.endswith(mark)), "")
    if not mark or not test:
        return bool(test) and test == named
    if mark == "." and "." in test[len(named) :].partition("/")[0]:  # a package with a dot in its name, not a test
        return False
    return test == named.removesuffix(mark) or test.startswith(named)


def _is_unnamed(failure: Failure, named: str) -> bool:
    """The same where the failing test is known without its package: by the test's own name, or where the package lies
    in the folder of one of its frames."""
    package, dot, _ = named.rpartition(".") if named.endswith(".") else ("", "", "")
    if dot:
        folders = {frame.path.rpartition("/")[0] for frame in failure.frames}
        return any(folder and f"/{package}".endswith(f"/{folder}") for folder in folders)
    own = _GO_TEST_NAME.search(named)
    return own is not None and _is_named(failure.test, own[1])


def _modules(test: str) -> tuple[str, ...]:
    """The files a module of Rust may be in, the innermost first: `src/lib.rs::a::b::test`."""
    root, *modules = test.split("::")
    if not root.endswith((".rs", ".md")):  # nor where it is in doubt which of several it is
        return ()
    folder = root.rpartition("/")[0]
    inner = modules[:-1][:_DEEPEST]
    files: list[str] = []
    for size in range(len(inner), 0, -1):
        base = "/".join([folder, *inner[:size]]).lstrip("/")
        files += [f"{base}.rs", f"{base}/mod.rs"]
    return (*files, root)


def _proves(test: str, loaded: str) -> bool:
    """A test that ran proves that what it stands in could be loaded, and so could a `conftest.py` of a folder above."""
    folder, slash, file = loaded.rpartition("/")
    if file == "conftest.py":
        return test.startswith(folder + slash)
    return bool(loaded) and test.startswith(loaded + ("::" if _is_path(loaded) else "."))


def _is_path(test: str) -> bool:
    """Whether a test's name begins with its file; else it is made of dots."""
    return "::" in test or "/" in test or test.endswith(".py")


def _is_below(path: str, named: str) -> bool:
    if named.endswith("/*"):  # this folder's own files
        return (path.rpartition("/")[0] or ".") == named[:-2]
    if path.rpartition("/")[2] == "conftest.py":
        return named.startswith(path[: -len("conftest.py")]) or _is_same_or_in(path, named)
    return _is_same_or_in(path, named)


def _is_same_or_in(path: str, named: str) -> bool:
    return named == "." or path == named or path.startswith(named.rstrip("/") + "/")
