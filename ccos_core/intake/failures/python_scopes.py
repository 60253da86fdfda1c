"""How much a run of pytest, unittest and those that speak like it takes in, by its arguments."""

from __future__ import annotations

from itertools import pairwise

from ccos_core.intake.failures.arguments import Options, Scope, tidy, words_of
from ccos_core.intake.failures.command import Run, runs


def _options(choices: str, values: str) -> Options:
    marks = ("::", "/", ".")
    return Options(words_of(choices), words_of(values), taking=words_of("-k -m"), marks=marks, letters="km")


_PYTEST = _options(
    "-k -m --lf --last-failed --deselect --ignore --ignore-glob --sw --stepwise --pyargs --co --collect-only"
    " --collectonly --testmon --picked --splits --group --lfnf --shard-id",
    "-p -n -c -o -W -r --tb --maxfail --rootdir --confcutdir --cov --cov-report --dist --durations --timeout --color"
    " --junitxml --junit-xml --log-level --log-cli-level --capture --override-ini --numprocesses --basetemp"
    " --import-mode --reruns --show-capture --cov-config --durations-min --verbosity --ds --config-file"
    " --maxprocesses --tx --cov-fail-under",
)
_UNITTEST = _options(
    "-k -p --pattern --tag --exclude-tag --test-name-patterns",
    "-s -t --start-directory --top-level-directory --durations --settings --parallel -v --verbosity --pythonpath"
    " --testrunner --shuffle --pattern",
)


def pytest_scope(command: str) -> Scope | None:
    """The scope of the one run of pytest in the command; None where there is no such one."""
    run = _only(command, ("pytest",))
    if run is None:
        return None
    named, options, clear = _PYTEST.split(run.words)
    narrowed = run.dynamic or not clear or _PYTEST.narrow(options)
    tests = tuple(_tidy(word) for word in named if "::" in word)
    paths = tuple(tidy(word) for word in named if "::" not in word)
    return Scope((), (), narrowed, run.folder) if "." in paths else Scope(tests, paths, narrowed, run.folder)


def unittest_scope(command: str) -> Scope | None:
    """The same of unittest, of Django's runner, of nose, and of a script that runs its own tests."""
    run = _only(command, ("unittest", "django", "nose", "python"))
    if run is None:
        return None
    words = run.words[1:] if run.tool in ("django", "python") else run.words
    if run.tool == "python" and not (run.words and run.words[0].endswith(".py")):
        return Scope(narrowed=True, folder=run.folder)
    discovering = run.tool != "python" and words[:1] == ("discover",)
    named, options, clear = _UNITTEST.split(words[1:] if discovering else words)
    narrowed = run.dynamic or not clear or _UNITTEST.narrow(options)
    if run.tool == "python":  # `python test_x.py TestX.test_y`: the names in it begin with `__main__`
        tests = tuple(f"__main__.{word}" for word in named)
        return Scope(tests, () if tests else (_tidy(run.words[0]),), narrowed, run.folder)
    start = tuple(_tidy(value) for value in _values(words, ("-s", "--start-directory")) if value != ".")
    if discovering:
        named = [word for word in named[:1] if word != "."]
        return Scope((), start + tuple(map(_tidy, named)), narrowed, run.folder)
    files = [word for word in named if "/" in word or word.endswith(".py")]
    tests = tuple(word.replace(":", ".") for word in named if word not in files)
    return Scope(tests, start + tuple(map(_tidy, files)), narrowed, run.folder)


def _only(command: str, tools: tuple[str, ...]) -> Run | None:
    found = [run for run in runs(command) if run.tool in tools]
    if len(found) > 1:  # a script that prepares something is no run of tests
        found = [run for run in found if run.tool != "python"]
    return found[0] if len(found) == 1 else None


def _values(words: tuple[str, ...], options: tuple[str, ...]) -> list[str]:
    after = [value for option, value in pairwise(words) if option in options]
    return after + [word.partition("=")[2] for word in words if word.startswith(tuple(f"{o}=" for o in options))]


def _tidy(word: str) -> str:
    path, mark, inner = word.replace("\\", "/").partition("::")
    return tidy(path) + mark + inner
