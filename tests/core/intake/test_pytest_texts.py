"""pytest in forms that a run of ours doesn't give: other versions, plugins, pipes, and texts meant to mislead."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.values.outcome import Failure, Frame, Pass


def sep(char: str, title: str, width: int = 80) -> str:
    return f" {title} ".center(width, char)


START = sep("=", "test session starts")
FAILURES = sep("=", "FAILURES")
SUMMARY = sep("=", "short test summary info")


def head(title: str) -> str:
    return sep("_", title)


def closing(counts: str) -> str:
    return sep("=", f"{counts} in 0.12s")


SHORT = "tests/test_a.py:3: in test_x\n    f()\nsrc/a.py:7: in f\n    1 / 0\nE   ZeroDivisionError: division by zero\n"
FRAMES = (Frame("src/a.py", 7, "f"), Frame("tests/test_a.py", 3, "test_x"))
FAILURE = Failure("pytest", "tests/test_a.py::test_x", FRAMES, "ZeroDivisionError: division by zero")
LINE = "FAILED tests/test_a.py::test_x - ZeroDivisionError: division by zero"
RUN = (
    f"{START}\n\ntests/test_a.py F.  [100%]\n\n{FAILURES}\n{head('test_x')}\n{SHORT}{SUMMARY}\n{LINE}\n"
    f"{closing('1 failed, 1 passed')}\n"
)


def ids(text: str, command: str = "") -> list[str]:
    return [failure.test for failure in read(text, command).failures]


def test_the_usual() -> None:
    assert read(RUN).failures == (FAILURE,)


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "some log\nhttp://host:80/a.py:12\n{}\nmore\n",
        "  {}",
        "Exit code 1\n{}",
        "$ pytest\n{}$ ",
    ],
)
def test_what_stands_around_it(around: str) -> None:
    assert read(around.format(RUN)).failures == (FAILURE,)


def test_two_runs_in_one_output() -> None:
    other = RUN.replace("test_a", "test_b")
    assert ids(RUN + other) == ["tests/test_a.py::test_x", "tests/test_b.py::test_x"]


def test_the_same_name_in_two_files() -> None:
    second = SHORT.replace("test_a", "test_b").replace(":7", ":8")
    text = RUN.replace(SUMMARY, f"{head('test_x')}\n{second}{SUMMARY}").replace(
        LINE, f"{LINE}\n{LINE.replace('_a', '_b')}"
    )
    found = read(text).failures
    assert [(each.test, each.frames[0].line) for each in found] == [
        ("tests/test_a.py::test_x", 7),
        ("tests/test_b.py::test_x", 8),
    ]


def test_an_error_and_a_failure_of_the_same_name() -> None:
    text = (
        f"{sep('=', 'ERRORS')}\n{head('ERROR at setup of test_x')}\n{SHORT.replace(':7', ':9')}"
        f"{FAILURES}\n{head('test_x')}\n{SHORT}{SUMMARY}\n{LINE}\nERROR tests/test_b.py::test_x - E\n"
        f"{closing('1 failed, 1 error')}\n"
    )
    assert {each.test: each.frames[0].line for each in read(text).failures} == {
        "tests/test_a.py::test_x": 7,
        "tests/test_b.py::test_x": 9,
    }


@pytest.mark.parametrize("word", ["FAILED", "FAIL"])
@pytest.mark.parametrize("tail", ["", " - ZeroDivisionError", " - ZeroDivisionErr..."])
def test_the_summary_of_other_versions(word: str, tail: str) -> None:
    assert read(RUN.replace(LINE, f"{word} tests/test_a.py::test_x{tail}")).failures == (FAILURE,)


def test_a_message_of_several_lines_in_the_summary() -> None:
    assert read(RUN.replace(LINE, f"{LINE}\n  +  where 2 = f(1)\nassert FAILED\n")).failures == (FAILURE,)


@pytest.mark.parametrize(
    "parameters", ["a - b", "]", "[", "a]-[b", "x::y", "p/q.py::z", "ü ß", "FAILED", "1.5-True", " "]
)
def test_parameters_may_hold_anything(parameters: str) -> None:
    name = f"test_x[{parameters}]"
    text = RUN.replace(head("test_x"), head(name)).replace("::test_x", f"::{name}")
    assert ids(text) == [f"tests/test_a.py::{name}"]


def test_grepped_for_what_failed() -> None:
    assert ids(f"{LINE}\nERROR tests/test_b.py\n1 failed, 1 error in 0.2s\n") == [
        "tests/test_a.py::test_x",
        "tests/test_b.py",
    ]
    assert ids("tests/test_a.py::test_x FAILED   [ 50%]\n") == ["tests/test_a.py::test_x"]


def test_only_the_tail_is_left() -> None:
    whole = RUN.split("\n")
    for at in range(len(whole) - 3):
        found = read("\n".join(whole[at:])).failures
        assert [each.test for each in found] == [FAILURE.test]
        assert set(found[0].frames) <= set(FRAMES)


def test_captured_output_belongs_to_the_test() -> None:
    inner = 'Traceback (most recent call last):\n  File "other.py", line 1, in g\n    x\nValueError: y\n'
    printed = f"{sep('-', 'Captured stdout call')}\n{inner}other.py:4: in g\nE   KeyError: 1\n"
    assert read(RUN.replace(SUMMARY, printed + SUMMARY)).failures == (FAILURE,)


@pytest.mark.parametrize("quiet", [True, False])
def test_a_run_that_a_failing_test_printed(quiet: bool) -> None:
    nested = (
        f"{FAILURES}\n{head('test_inner')}\n{SHORT.replace('test_a', 'test_inner')}{SUMMARY}\n"
        "FAILED test_inner.py::test_inner\n"
    )
    nested = f"{nested}1 failed in 0.12s\n" if quiet else f"{START}\n{nested}{closing('1 failed')}\n"
    printed = f"{sep('-', 'Captured stdout call')}\n{nested}more\n"
    assert read(RUN.replace(SUMMARY, printed + SUMMARY)).failures == (FAILURE,)


@pytest.mark.parametrize("title", ["FAILURES", "ERRORS", "results", "short test summary info", "warnings summary"])
def test_a_title_that_a_failing_test_printed(title: str) -> None:
    printed = f"{sep('-', 'Captured stdout call')}\n{sep('=', title, 60)}\nFAILED tests/test_q.py::test_q\n"
    second = f"{head('test_w')}\n{SHORT.replace('test_x', 'test_w')}"
    text = RUN.replace(SUMMARY, printed + second + SUMMARY).replace(LINE, f"{LINE}\n{LINE.replace('test_x', 'test_w')}")
    assert [(each.test, len(each.frames)) for each in read(text).failures] == [
        ("tests/test_a.py::test_x", 2),
        ("tests/test_a.py::test_w", 2),
    ]


ASIDE = {
    "warnings": f"{sep('=', 'warnings summary')}\ntests/test_a.py::test_y\n  /app/b.py:9: UserWarning: old\n\n",
    "durations": f"{sep('=', 'slowest 3 durations')}\n0.12s call     tests/test_a.py::test_y\n",
    "coverage": f"{sep('=', 'tests coverage')}\nName     Stmts   Miss  Cover\nsrc/a.py    12      1    92%\n",
    "passes": f"{sep('=', 'PASSES')}\n{head('test_y')}\n{sep('-', 'Captured stdout call')}\n"
    'Traceback (most recent call last):\n  File "q.py", line 1, in g\nValueError: y\n',
    "xfailures": f"{sep('=', 'XFAILURES')}\n{head('test_odd')}\n{SHORT}",
}


@pytest.mark.parametrize("name", ASIDE)
def test_sections_that_are_no_failures(name: str) -> None:
    assert read(RUN.replace(SUMMARY, ASIDE[name] + SUMMARY)).failures == (FAILURE,)
    passing = f"{START}\n\ntests/test_a.py ..  [100%]\n\n{ASIDE[name]}{closing('2 passed')}\n"
    assert read(passing).failures == ()
    assert read(passing).passes == (Pass("pytest", "files", (), ("tests/test_a.py",)),)


def test_subtests() -> None:
    text = f"""\
{START}
tests/test_a.py uu.  [100%]

{FAILURES}
{head("TestA.test_x (i=0)")}
tests/test_a.py:3: in test_x
    f()
E   AssertionError: 0 != 1
{head("test_y [msg] (i=2)")}
tests/test_a.py:9: in test_y
    g()
E   AssertionError: 2 != 1
{head("test_y")}
contains 1 failed subtest
{SUMMARY}
SUBFAILED(i=0) tests/test_a.py::TestA::test_x - AssertionError: 0 != 1
SUBFAILED[msg] (i=2) tests/test_a.py::test_y - AssertionError: 2 != 1
FAILED tests/test_a.py::test_y - contains 1 failed subtest
{closing("3 failed, 1 passed")}
"""
    assert [(each.test, each.part, len(each.frames)) for each in read(text).failures] == [
        ("tests/test_a.py::TestA::test_x", "(i=0)", 1),
        ("tests/test_a.py::test_y", "[msg] (i=2)", 1),
        ("tests/test_a.py::test_y", "", 0),
    ]


def test_subtests_in_a_listing_fail_their_test() -> None:
    text = (
        "tests/test_a.py::test_x SUBFAILED[msg] (i=0)   [ 50%]\ntests/test_a.py::test_x PASSED   [ 50%]\n"
        "tests/test_a.py::test_y SUBPASSED(i=0)   [100%]\ntests/test_a.py::test_y PASSED   [100%]\n"
    )
    found = read(text)
    assert [(each.test, each.part) for each in found.failures] == [("tests/test_a.py::test_x", "[msg] (i=0)")]
    assert found.passes == (Pass("pytest", "tests", ("tests/test_a.py::test_y",)),)


def test_workers() -> None:
    text = f"""\
{START}
2 workers [4 items]

tests/test_a.py::test_x
tests/test_a.py::test_y[a b]
[gw1] [ 25%] PASSED tests/test_a.py::test_y[a b]
[gw0] [ 50%] FAILED tests/test_a.py::test_x
[gw0] [ 75%] SKIPPED tests/test_a.py::test_z
[gw1] [100%] XFAIL tests/test_a.py::test_w

{FAILURES}
{head("test_x")}
[gw0] linux -- Python 3.11.7 /app/env/bin/python
{SHORT}{SUMMARY}
{LINE}
{closing("1 failed, 1 passed, 1 skipped, 1 xfailed")}
"""
    found = read(text)
    assert found.failures == (FAILURE,)
    assert found.passes == (Pass("pytest", "tests", ("tests/test_a.py::test_y[a b]",)),)


def test_what_a_test_prints_may_come_before_its_result() -> None:
    text = (
        "tests/test_a.py::test_x hello\nworld\nPASSED\n"
        "tests/test_a.py::test_y \n---- live log call ----\nINFO root:a.py:3 x\nFAILED   [100%]\n"
        "tests/test_b.py::T::test_z <- tests/base.py PASSED\n"
        "tests/test_b.py::test_skip SKIPPED (not: here::PASSED)   [100%]\n"
    )
    found = read(text)
    assert [each.test for each in found.failures] == ["tests/test_a.py::test_y"]
    assert found.passes == (Pass("pytest", "tests", ("tests/test_a.py::test_x", "tests/test_b.py::T::test_z")),)


def test_a_conftest_that_can_not_be_loaded() -> None:
    text = (
        "ImportError while loading conftest '/app/tests/conftest.py'.\n"
        "tests/conftest.py:5: in <module>\n    from tests.base import *\n"
        "tests/base.py:6: in <module>\n    import nothing\nE   ModuleNotFoundError: No module named 'nothing'\n"
    )
    assert read(text).failures == (
        Failure(
            "pytest",
            "/app/tests/conftest.py",
            (Frame("tests/base.py", 6), Frame("tests/conftest.py", 5)),
            "ModuleNotFoundError: No module named 'nothing'",
        ),
    )


def test_what_follows_such_a_conftest_is_not_its() -> None:
    text = (
        "ImportError while loading conftest '/app/conftest.py'.\nconftest.py:5: in <module>\n    f()\nE   KeyError: 1\n"
    )
    other = 'Traceback (most recent call last):\n  File "a.py", line 1, in g\n    x\nNameError: x\n'
    assert [(each.runner, each.frames[0].path) for each in read(text + other).failures] == [
        ("pytest", "conftest.py"),
        ("python", "a.py"),
    ]


def test_a_quiet_run_without_a_summary_ends_with_its_last_line() -> None:
    printed = f"{sep('-', 'Captured stdout call')}\nx\n"
    quiet = f"F.  [100%]\n{FAILURES}\n{head('test_x')}\n{SHORT}{printed}1 failed, 1 passed in 0.1s\n"
    other = 'Traceback (most recent call last):\n  File "a.py", line 1, in g\n    x\nNameError: x\n'
    assert [each.runner for each in read(quiet + other).failures] == ["pytest", "python"]


def test_its_own_end_is_a_traceback() -> None:
    text = (
        'INTERNALERROR> Traceback (most recent call last):\nINTERNALERROR>   File "/app/conftest.py", line 4, in hook\n'
        "INTERNALERROR>     x\nINTERNALERROR> KeyError: 'x'\n\nno tests ran in 0.01s\n"
    )
    assert [(each.runner, each.frames) for each in read(text).failures] == [
        ("python", (Frame("/app/conftest.py", 4, "hook"),))
    ]


@pytest.mark.parametrize(
    "last",
    [
        closing("1 failed, 1 passed"),
        "1 failed, 1 passed in 0.12s",
        "=== 1 failed, 1 passed in 0.12 seconds ===",
        "=== 1 failed, 1 passed, 3 pytest-warnings in 0.12 seconds ===",
        "=== 1 failed, 1 passed, 2 rerun in 62.10s (0:01:02) ===",
        "= 1 failed, 1 passed, 2 warnings, 4 subtests passed in 1.20s =",
        "=== 2 tests deselected, 1 failed, 1 passed in 1 day, 2:03:04 ===",
        "",
    ],
)
def test_closing_lines(last: str) -> None:
    text = RUN.replace(closing("1 failed, 1 passed"), last) + "Traceback (most recent call last):\n" * (not last)
    assert read(text).failures == (FAILURE,)


NOTHING = [
    closing("no tests ran"),
    "no tests ran in 0.01s",
    closing("3 deselected"),
    closing("2 skipped"),
    closing("1 xfailed, 2 skipped, 1 warning"),
    "ERROR: file or directory not found: tests/test_no.py\n\nno tests ran in 0.00s",
    "collected 0 items",
    "12 passed and went home",
    "the build took 12 passed in spirit",
    "= 5 =",
    "tests/test_a.py::test_x\n",
    "see tests/test_a.py::test_x for FAILED things",
    "==== ERRORS of mine ====",
    "_ _ _ _ _ _",
    "...",
    "E",
    "EEE",
]


@pytest.mark.parametrize("text", NOTHING)
def test_says_nothing(text: str) -> None:
    assert not read(text, "pytest")


PLAIN = "12 passed in 0.30s\n"
DOUBT = "12 passed, 2 skipped, 1 xfailed in 0.30s\n"

# what it printed, the command, what passes
SCOPES = [
    (PLAIN, "pytest tests/test_a.py::test_x", Pass("pytest", "tests", ("tests/test_a.py::test_x",))),
    (PLAIN, "pytest ./tests/test_a.py::TestX -q", Pass("pytest", "tests", ("tests/test_a.py::TestX",))),
    (PLAIN, "pytest 'tests/test_a.py::test_x[a b]'", Pass("pytest", "tests", ("tests/test_a.py::test_x[a b]",))),
    (PLAIN, "pytest tests/unit/ tests/test_b.py", Pass("pytest", "files", (), ("tests/unit", "tests/test_b.py"))),
    (PLAIN, "pytest", Pass("pytest", "all")),
    (PLAIN, "pytest .", Pass("pytest", "all")),
    (PLAIN, "cd sub && python -m pytest 2>&1 | tail -3", Pass("pytest", "all", (), ("sub",))),
    (DOUBT, "pytest", Pass("pytest", "all", (), (), 3)),
    (PLAIN, "pytest -x --tb=short -n 4 --maxfail 2 --cov pkg --cov-report term", Pass("pytest", "all")),
    (PLAIN, "pytest -p no:cacheprovider -o addopts= tests", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "poetry run pytest tests", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "docker compose exec -T web python -m pytest tests", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "coverage run -m pytest tests", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "PYTHONPATH=. /env/bin/pytest tests", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "bash -lc 'pytest tests'", Pass("pytest", "files", (), ("tests",))),
    (PLAIN, "pytest -k 'x and y'", Pass("pytest", "unknown")),
    (PLAIN, "pytest -kx", Pass("pytest", "unknown")),
    (PLAIN, "pytest -m slow tests", Pass("pytest", "unknown")),
    (PLAIN, "pytest --lf", Pass("pytest", "unknown")),
    (PLAIN, "pytest --deselect=tests/test_a.py::test_x tests", Pass("pytest", "unknown")),
    (PLAIN, "pytest tests/test_*.py", Pass("pytest", "unknown")),
    (PLAIN, "pytest $(git diff --name-only)", Pass("pytest", "unknown")),
    (PLAIN, "pytest --unheard-of thing", Pass("pytest", "unknown")),
    (PLAIN, "pytest a; pytest b", Pass("pytest", "unknown")),
    (PLAIN, "make test", Pass("pytest", "unknown")),
    (PLAIN, "", Pass("pytest", "unknown")),
    ("12 passed, 40 deselected in 0.30s\n", "pytest tests", Pass("pytest", "unknown")),
]


@pytest.mark.parametrize(("output", "command", "expected"), SCOPES)
def test_the_command_is_asked_where_the_output_does_not_say(output: str, command: str, expected: Pass) -> None:
    assert read(output, command).passes == (expected,)


@pytest.mark.parametrize(
    ("letters", "counts", "files"),
    [
        (
            "tests/test_a.py ..  [ 50%]\ntests/test_b.py ..  [100%]\n",
            "4 passed",
            ("tests/test_a.py", "tests/test_b.py"),
        ),
        ("tests/test_a.py ..  [ 50%]\ntests/test_b.py .s  [100%]\n", "3 passed, 1 skipped", ("tests/test_a.py",)),
        ("tests/test_a.py ..  [ 50%]\ntests/test_b.py .F  [100%]\n", "1 failed, 3 passed", ("tests/test_a.py",)),
        (
            "tests/test_a.py ..  [ 50%]\n..  [ 80%]\ntests/test_b.py x  [100%]\n",
            "4 passed, 1 xfailed",
            ("tests/test_a.py",),
        ),
        ("tests/test_a.py ..  [ 50%]\n.s  [100%]\n", "3 passed, 1 skipped", None),
        ("tests/test_a.py ..  [ 50%]\n[... lines left out: 3 ...]\n", "9 passed", None),
        ("tests/test_a.py ..  [ 50%]\n", "2 passed, 1 error", ()),
    ],
)
def test_files_that_are_shown_to_pass(letters: str, counts: str, files: tuple[str, ...] | None) -> None:
    found = read(f"{START}\n\n{letters}\n{closing(counts)}\n").passes
    expected = (Pass("pytest", "unknown"),) if files is None else (Pass("pytest", "files", (), files),) if files else ()
    assert found == expected


def test_a_listing_of_which_only_a_part_is_left() -> None:
    listed = "tests/test_a.py::test_x PASSED  [ 99%]\n" + closing("12 passed")
    named = Pass("pytest", "tests", ("tests/test_a.py::test_x",))
    assert read(listed).passes == (named, Pass("pytest", "unknown"))
    assert read(listed, "pytest -v tests | tail -2").passes == (named, Pass("pytest", "files", (), ("tests",)))


def test_pytest_and_others_in_one_output() -> None:
    other = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x\nNameError: x\n'
    assert [each.runner for each in read(other + RUN + other.replace("a.py", "b.py")).failures] == [
        "python",
        "pytest",
        "python",
    ]
