"""How much a test run takes in, by its arguments. Asked only where the output doesn't name what passed.

An option that chooses among tests, or an argument only the shell could work out, leaves the scope unknown: then a
passing run says nothing of any particular test.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ccos_core.intake.failures.command import Run, runs
from ccos_core.values.outcome import ALL, FILES, TESTS, UNKNOWN, Pass

_PYTEST_CHOICE = {
    "-k", "-m", "--lf", "--last-failed", "--deselect", "--ignore", "--ignore-glob", "--sw", "--stepwise", "--pyargs",
    "--co", "--collect-only", "--collectonly", "--testmon", "--picked", "--splits", "--group", "--lfnf", "--shard-id",
}  # fmt: skip
_PYTEST_VALUE = {
    "-p", "-n", "-c", "-o", "-W", "-r", "--tb", "--maxfail", "--rootdir", "--confcutdir", "--cov", "--cov-report",
    "--dist", "--durations", "--timeout", "--color", "--junitxml", "--junit-xml", "--log-level", "--log-cli-level",
    "--capture", "--override-ini", "--numprocesses", "--basetemp", "--import-mode", "--reruns", "--show-capture",
    "--cov-config", "--durations-min", "--verbosity", "--ds", "--config-file", "--maxprocesses", "--tx",
    "--cov-fail-under",
}  # fmt: skip
_UNITTEST_CHOICE = {"-k", "-p", "--pattern", "--tag", "--exclude-tag", "--test-name-patterns"}
_UNITTEST_VALUE = {
    "-s", "-t", "--start-directory", "--top-level-directory", "--durations", "--settings", "--parallel", "-v",
    "--verbosity", "--pythonpath", "--testrunner", "--shuffle", "--pattern",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run was asked to take in."""

    tests: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    narrowed: bool = False
    """Whether it then left some of it out."""
    folder: str = ""

    def passes(self, runner: str, untold: int) -> list[Pass]:
        """What passes when the run did."""
        if self.narrowed:
            return [Pass(runner, UNKNOWN)]
        if not self.tests and not self.paths:
            return [Pass(runner, ALL, (), (self.folder,) if self.folder else (), untold)]
        tests = [Pass(runner, TESTS, self.tests, (), untold)] if self.tests else []
        return tests + ([Pass(runner, FILES, (), self.paths, untold)] if self.paths else [])


def pytest_scope(command: str) -> Scope | None:
    """The scope of the one run of pytest in the command; None where there is no such one."""
    run = _only(command, ("pytest",))
    if run is None:
        return None
    named, options, clear = _sorted(run.words, _PYTEST_VALUE)
    narrowed = run.dynamic or not clear or any(_is_option(option, _PYTEST_CHOICE) for option in options)
    tests = tuple(_tidy(word) for word in named if "::" in word)
    paths = tuple(_tidy(word) for word in named if "::" not in word)
    whole = "." in paths
    return Scope(() if whole else tests, () if whole else paths, narrowed, run.folder)


def unittest_scope(command: str) -> Scope | None:
    """The same of unittest, of Django's runner, of nose, and of a script that runs its own tests."""
    run = _only(command, ("unittest", "django", "nose", "python"))
    if run is None:
        return None
    words = run.words
    if run.tool == "python":
        return _own(run)
    if run.tool == "django":
        words = words[1:]
    discovering = words[:1] == ("discover",)
    named, options, clear = _sorted(words[1:] if discovering else words, _UNITTEST_VALUE)
    narrowed = run.dynamic or not clear or any(_is_option(option, _UNITTEST_CHOICE) for option in options)
    start = tuple(_tidy(value) for value in _values(words, ("-s", "--start-directory")) if value != ".")
    if discovering:
        named = [word for word in named[:1] if word != "."]
        return Scope((), start + tuple(_tidy(word) for word in named), narrowed, run.folder)
    paths = tuple(_tidy(word) for word in named if "/" in word or word.endswith(".py"))
    tests = tuple(word.replace(":", ".") for word in named if not ("/" in word or word.endswith(".py")))
    return Scope(tests, start + paths, narrowed, run.folder)


def labels(command: str) -> tuple[str, ...]:
    """The dotted names a run of unittest was given."""
    scope = unittest_scope(command)
    return scope.tests if scope is not None else ()


def _own(run: Run) -> Scope:
    """`python test_x.py TestX.test_y`: the names in it begin with `__main__`."""
    script = run.words[:1]
    if not script or not script[0].endswith(".py"):
        return Scope(narrowed=True, folder=run.folder)
    named, options, clear = _sorted(run.words[1:], _UNITTEST_VALUE)
    choice = any(_is_option(option, _UNITTEST_CHOICE) for option in options)
    tests = tuple(f"__main__.{word}" for word in named)
    return Scope(tests, () if tests else (_tidy(script[0]),), run.dynamic or not clear or choice, run.folder)


def _only(command: str, tools: tuple[str, ...]) -> Run | None:
    found = [run for run in runs(command) if run.tool in tools]
    if len(found) > 1:  # a script that prepares something is no run of tests
        found = [run for run in found if run.tool != "python"]
    return found[0] if len(found) == 1 else None


def _sorted(words: tuple[str, ...], with_value: set[str]) -> tuple[list[str], list[str], bool]:
    """(what is named, the options, whether it is clear which is which)."""
    named: list[str] = []
    options: list[str] = []
    clear = True
    ahead = iter(range(len(words)))
    for at in ahead:
        word = words[at]
        if not word.startswith("-"):
            named.append(word)
            clear = clear and not (at and _may_take_a_value(words[at - 1], with_value) and not _names_tests(word))
            continue
        options.append(word)
        if word in with_value or word in ("-k", "-m"):
            next(ahead, None)
    return named, options, clear


def _may_take_a_value(option: str, known: set[str]) -> bool:
    return option.startswith("--") and "=" not in option and option not in known


def _names_tests(word: str) -> bool:
    return "::" in word or "/" in word or word.endswith(".py") or "." in word


def _is_option(word: str, options: set[str]) -> bool:
    return word.partition("=")[0] in options or (word[:2] in ("-k", "-m") and word[:2] in options and word[2:3] != "-")


def _values(words: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    after = [value for option, value in pairwise(words) if option in options]
    return after + [word.partition("=")[2] for word in words if word.startswith(tuple(f"{o}=" for o in options))]


def _tidy(word: str) -> str:
    path, mark, inner = word.replace("\\", "/").partition("::")
    while path.startswith("./"):
        path = path[2:]
    return (path.rstrip("/") or ("/" if path else ".")) + mark + inner
