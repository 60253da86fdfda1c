"""pytest as it really speaks: whatever the style, the same tests fail, in the same places, and the same tests pass."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Failure, Pass, Report, report_from
from tests.core.intake.outputs import known_paths, pytest_outputs

API = "tests/test_api.py"
CORE = "pkg/core.py"
SUM = "TypeError: unsupported operand type(s) for +: 'int' and "
JSON = "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"
BRACE = "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"

# test, message, frames of the project: innermost first
FAILURES = [
    ("test_assert", "AssertionError: sums are off", [(API, 16, "test_assert")]),
    ("test_raises_deep", SUM + "'str'", [(CORE, 5, "add"), (API, 26, "test_raises_deep")]),
    ("test_parse[{]", BRACE, [(CORE, 9, "parse"), (API, 31, "test_parse")]),
    ("test_parse[a b]", JSON, [(CORE, 9, "parse"), (API, 31, "test_parse")]),
    ("test_parse[x[1]::y]", JSON, [(CORE, 9, "parse"), (API, 31, "test_parse")]),
    ("test_parse[ok - no]", JSON, [(CORE, 9, "parse"), (API, 31, "test_parse")]),
    (
        "test_chain",
        "KeyError: 'wrapped'",
        [(CORE, 9, "parse"), (CORE, 14, "load"), (CORE, 16, "load"), (API, 35, "test_chain")],
    ),
    (
        "test_handling",
        "KeyError: 'gone'",
        [(CORE, 23, "swallow"), (API, 39, "test_handling"), (CORE, 9, "parse"), (CORE, 21, "swallow")],
    ),
    (
        "test_forever",
        "RecursionError: maximum recursion depth exceeded",
        [(CORE, 31, "forever"), (API, 43, "test_forever")],
    ),
    (
        "test_group",
        "ExceptionGroup: several (2 sub-exceptions)",
        [(CORE, 9, "parse"), (CORE, 38, "group"), (CORE, 41, "group"), (API, 47, "test_group")],
    ),
    ("TestX::test_y", "assert [1, 2, 3] == [1, 2, 4]", [(API, 70, "test_y")]),
    ("TestX::TestInner::test_z", "ZeroDivisionError: division by zero", [(CORE, 27, "deep"), (API, 74, "test_z")]),
    ("Old::test_old", "AssertionError: 3 != 4", [(API, 79, "test_old")]),
    ("test_setup", SUM + "'NoneType'", [(CORE, 5, "add"), ("tests/conftest.py", 8, "broken")]),
    ("test_teardown", SUM + "'str'", [(CORE, 5, "add"), ("tests/conftest.py", 14, "late")]),
]
FULL = ["auto", "long", "short", "native", "quiet", "locals", "verbose", "wordy", "all", "colour"]


def said(style: str, command: str = "") -> Report:
    report = read(pytest_outputs()[style], command)
    assert report_from(report.to_bytes()) == report
    return placed(report, Known(known_paths()))


def places(failure: Failure) -> set[tuple[str, int]]:
    return {(at.path, at.line) for at in failure.frames}


def facts(failures: tuple[Failure, ...]) -> dict[str, tuple[str, list[tuple[str, int, str]]]]:
    known = Known(known_paths())
    return {
        failure.test: (
            failure.message,
            [(at.path, at.line, at.name) for at in failure.frames if known.find(at.path)],
        )
        for failure in failures
    }


@pytest.mark.parametrize("style", FULL)
def test_every_style_tells_the_same(style: str) -> None:
    found = said(style)
    expected = {f"{API}::{test}": (message, frames) for test, message, frames in FAILURES}
    assert facts(found.failures) == expected
    assert {failure.runner for failure in found.failures} == {"pytest"}


def test_without_a_summary_the_headlines_are_enough() -> None:
    """But for the file of the two whose frames begin in a fixture."""
    expected = {f"{API}::{test}": (message, frames) for test, message, frames in FAILURES}
    for test in ("test_setup", "test_teardown"):
        expected[test] = expected.pop(f"{API}::{test}")
    assert facts(said("bare").failures) == expected


def test_a_line_for_each_failure_is_the_place_it_was_raised_at() -> None:
    found = said("line")
    places = {failure.test: [(at.path, at.line) for at in failure.frames] for failure in found.failures}
    assert set(places) == {f"{API}::{test}" for test, _, _ in FAILURES}
    assert places[f"{API}::test_raises_deep"] == [(CORE, 5)]
    assert places[f"{API}::test_group"] == [(CORE, 41)]
    assert places[f"{API}::test_assert"] == [(API, 16)]
    assert places[f"{API}::TestX::test_y"] == [(API, 70)]
    assert places[f"{API}::test_parse[{{]"][0][0].endswith("decoder.py")


def test_without_tracebacks_the_summary_names_the_tests() -> None:
    found = said("no")
    assert {failure.test for failure in found.failures} == {f"{API}::{test}" for test, _, _ in FAILURES}
    assert not any(failure.frames for failure in found.failures)
    known = Known(known_paths())
    at = anchor(next(each for each in found.failures if each.test.endswith("test_z")), known)
    assert at is not None
    assert (at.path, at.line, at.name) == (API, 0, "test_z")


def test_it_stopped_at_the_first() -> None:
    found = said("first")
    assert facts(found.failures) == {f"{API}::test_assert": (FAILURES[0][1], FAILURES[0][2])}
    assert found.passes == ()


@pytest.mark.parametrize("style", ["auto", "quiet", "line", "no"])
def test_a_run_with_failures_passes_nothing_it_does_not_list(style: str) -> None:
    assert said(style, "pytest tests/test_api.py").passes == ()


@pytest.mark.parametrize("style", ["verbose", "wordy", "all", "colour"])
def test_listed_tests_pass_unless_they_failed_too(style: str) -> None:
    """`test_teardown` is listed as passed, and then as an error."""
    assert said(style).passes == (Pass("pytest", "tests", (f"{API}::test_passes",)),)


def test_what_could_not_be_collected() -> None:
    found = facts(said("collecting").failures)
    assert found == {
        "tests/test_bad.py": ("ModuleNotFoundError: No module named 'pkg.nothing'", [("tests/test_bad.py", 1, "")]),
        "tests/test_syntax.py": ("SyntaxError: invalid syntax", [("tests/test_syntax.py", 1, "")]),
        "units/test_lost.py": ("ModuleNotFoundError: No module named 'pkg.nothing'", [("units/test_lost.py", 1, "")]),
    }


def test_doctests() -> None:
    found = facts(said("doctest").failures)
    assert found == {
        "pkg/documented.py::pkg.documented": ("Expected: 2 Got: 1", [("pkg/documented.py", 3, "")]),
        "pkg/documented.py::pkg.documented.one": (
            "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
            [("pkg/documented.py", 10, "")],
        ),
    }


GOOD = "tests/test_good.py"
PARTLY = "tests/test_partly.py"

# style, command, what passes
PASSES = [
    ("good", "pytest tests/test_good.py tests/test_partly.py", Pass("pytest", "files", (), (GOOD,))),
    ("good", "", Pass("pytest", "files", (), (GOOD,))),
    ("good quiet", "pytest -q tests", Pass("pytest", "files", (), ("tests",), 1)),
    ("good quiet", "pytest -q", Pass("pytest", "all", (), (), 1)),
    ("good quiet", "", Pass("pytest", "unknown")),
    ("good quiet", "make check", Pass("pytest", "unknown")),
    (
        "good verbose",
        "",
        Pass("pytest", "tests", (f"{GOOD}::test_good", f"{GOOD}::test_better", f"{PARTLY}::test_one")),
    ),
    ("good only", "pytest tests/test_good.py", Pass("pytest", "files", (), (GOOD,))),
    ("good only quiet", "python -m pytest -q ./tests/test_good.py", Pass("pytest", "files", (), (GOOD,))),
    ("good only quiet", "cd /app && pytest -q", Pass("pytest", "all", (), ("/app",))),
    ("good only quiet", "pytest -q $TESTS", Pass("pytest", "unknown")),
    ("one", "pytest tests/test_good.py::test_good", Pass("pytest", "tests", (f"{GOOD}::test_good",))),
    ("chosen", "pytest tests/test_good.py -k better", Pass("pytest", "unknown")),
    ("chosen", "", Pass("pytest", "unknown")),
    ("none", "pytest tests/test_good.py -k nothing", None),
    ("mixed", "pytest tests", Pass("pytest", "files", (), (GOOD,))),
]


@pytest.mark.parametrize(("style", "command", "expected"), PASSES)
def test_what_passes(style: str, command: str, expected: Pass | None) -> None:
    assert read(pytest_outputs()[style], command).passes == ((expected,) if expected else ())


@pytest.mark.parametrize("style", FULL)
def test_dress_does_not_matter(style: str) -> None:
    """Carriage returns, an indentation, a gutter, escapes made visible, the prefix of a service or a clock."""
    output = pytest_outputs()[style]
    lines = output.split("\n")
    plain = facts(read(output).failures)
    dressed = {
        "crlf": output.replace("\n", "\r\n"),
        "indented": "\n".join("    " + line for line in lines),
        "numbered": "\n".join(f"{at:6}\t{line}" for at, line in enumerate(lines, 1)),
        "piped": "\n".join(f"{at:4} | {line}" for at, line in enumerate(lines, 7)),
        "escaped": output.replace("\x1b", "[U+001B ESC]"),
        "coloured": "\n".join(f"\x1b[1m\x1b[31m{line}\x1b[0m" for line in lines),
        "service": "\n".join(f"web_1  | {line}" for line in lines),
        "stamped": "\n".join(f"2024-05-06T07:08:09.1234567Z {line}" for line in lines),
    }
    for name, text in dressed.items():
        assert facts(read(text).failures) == plain, name


@pytest.mark.parametrize("style", FULL)
def test_a_cut_invents_nothing(style: str) -> None:
    """Wherever lines are missing: no test fails or passes that didn't, and no frame moves to another test."""
    lines = pytest_outputs()[style].split("\n")
    known = Known(known_paths())
    whole = placed(read("\n".join(lines)), known)
    frames = {failure.test: places(failure) for failure in whole.failures}
    passed = {test for passing in whole.passes for test in passing.tests}
    mark = "[... lines left out: 120; blake3 of all 9,999 bytes: 00ff ...]"
    for at in range(0, len(lines), max(1, len(lines) // 40)):
        for text in ([*lines[:at], mark, *lines[at + 120 :]], lines[at:], lines[:at]):
            found = placed(read("\n".join(text)), known)
            for failure in found.failures:
                assert not failure.test or any(test.endswith(failure.test) for test in frames), (at, failure)
                assert places(failure) <= frames.get(failure.test, set().union(*frames.values())), (at, failure)
            assert {test for passing in found.passes for test in passing.tests} <= passed | {f"{API}::test_teardown"}
