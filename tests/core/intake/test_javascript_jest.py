"""jest in small: what surrounds a failure, what only looks like one, and how much a run passes."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, anchor
from ccos_core.values.outcome import Failure, Pass, Report, ends


def places(failure: Failure) -> list[tuple[str, int]]:
    return [(at.path, at.line) for at in failure.frames]


def only(report: Report) -> Failure:
    (failure,) = report.failures
    return failure


SUMS = """
Test Suites: {suites} total
Tests:       {tests} total
Snapshots:   0 total
Time:        0.3 s
Ran all test suites{more}.
"""


def sums(suites: str, tests: str, more: str = "") -> str:
    return SUMS.format(suites=suites, tests=tests, more=more)


CAUSE = """\
FAIL test/cart.test.js (5.31 s)
  ● Console

    console.error
      Error: logged, not failed
          at log (src/log.js:3:9)

      at Object.error (src/log.js:4:11)

  ● cart › tells the cause

    cannot load

      2 |   } catch (error) {
    > 3 |     throw new Error('cannot load', { cause: error });
        |           ^
      4 |   }

      at load (src/load.js:3:11)
      at Object.load (test/cart.test.js:8:5)

    Cause:
    TypeError: no amount

      at parse (src/prices.js:6:11)
      at load (src/load.js:2:12)

 › 1 snapshot failed.
"""


def test_jest_the_cause_is_where_it_broke() -> None:
    failure = only(read(CAUSE + sums("1 failed, 1", "1 failed, 1")))
    assert (failure.runner, failure.test, failure.message) == (
        "jest",
        "test/cart.test.js > cart > tells the cause",
        "cannot load",
    )
    assert places(failure) == [
        ("src/prices.js", 6),
        ("src/load.js", 2),
        ("src/load.js", 3),
        ("test/cart.test.js", 8),
    ]
    assert not any(at.name for at in failure.frames)


SEVERAL = """\
FAIL test/cart.test.js
  ● needs one

    AggregateError: All promises were rejected

    Errors contained in AggregateError:
        TypeError: one

          at first (src/a.js:1:2)

        TypeError: two

          at second (src/b.js:3:4)

"""


def test_jest_of_several_errors_the_first_comes_first() -> None:
    assert places(only(read(SEVERAL))) == [("src/a.js", 1), ("src/b.js", 3)]


BROKEN = [
    (
        "Cannot find module './gone' from 'src/cart.js'\n\n    > 1 | require('./gone');\n\n"
        "      at Resolver.fail (node_modules/resolver/index.js:9:1)\n      at Object.<anonymous> (src/cart.js:1:1)",
        "Cannot find module './gone' from 'src/cart.js'",
        ("src/cart.js", 1),
    ),
    (
        "something unexpected was met\n\n    Details:\n\n"
        "    SyntaxError: /home/ann/shop/src/cart.js: Unexpected token (7:8)\n\n      > 7 | const = 3;\n\n"
        "      at toParseError (node_modules/parser/error.ts:9:1)",
        "SyntaxError: /home/ann/shop/src/cart.js: Unexpected token (7:8)",
        ("src/cart.js", 7),
    ),
    (
        "src/cart.ts:3:5 - error TS2345: Argument of type 'x' is wrong.\n\n    3 sum('x');\n          ~~~",
        "src/cart.ts:3:5 - error TS2345: Argument of type 'x' is wrong.",
        ("src/cart.ts", 3),
    ),
    ("Your test suite must contain at least one test.", "Your test suite must contain at least one test.", None),
]


@pytest.mark.parametrize(("text", "message", "place"), BROKEN)
def test_jest_a_file_that_cannot_run_is_its_own_failure(text: str, message: str, place: tuple[str, int] | None) -> None:
    output = f"FAIL test/cart.test.js\n  ● Test suite failed to run\n\n    {text}\n" + sums("1 failed, 1", "0")
    failure = only(read(output))
    known = Known(["src/cart.js", "src/cart.ts", "test/cart.test.js"])
    assert (failure.test, failure.message) == ("test/cart.test.js", message)
    at = anchor(failure, known)
    assert at is not None
    assert (at.path, at.line) == (place or ("test/cart.test.js", 0))


def test_jest_what_fails_after_the_tests_is_not_proven_by_them() -> None:
    text = (
        "FAIL a.test.js\n  ✓ one (2 ms)\n\n  ● Test suite failed to run\n\n    Error: no\n\n      at f (src/a.js:3:1)\n"
    )
    report = read(text)
    assert only(report).test == "a.test.js > afterAll"
    assert report.passes == (Pass("jest", "tests", ("a.test.js > one",)),)
    assert not ends(report.passes[0], only(report))
    assert ends(Pass("jest", "files", (), ("a.test.js",)), only(report))


def test_jest_a_list_that_was_cut_still_names_what_failed() -> None:
    text = (
        "FAIL a.test.js\n  cart\n    ✓ one (2 ms)\n    ✕ two (1 ms)\n    ✕ three\n\n  ● cart › two\n\n    Error: no\n"
    )
    report = read(text + "[... 200 lines truncated ...]\n")
    assert [each.test for each in report.failures] == ["a.test.js > cart > three", "a.test.js > cart > two"]
    assert report.flaws == ("cut",)
    middle = "    ✓ four (2 ms)\n    ✕ five (2 ms)\n" + sums("1 failed, 1", "2 failed, 2 passed, 4")
    assert read("[... 200 lines truncated ...]\n" + middle).failures == ()


# what it prints, the command; what passes
JEST_PASSES = [
    ("PASS a.test.js\n" + sums("1 passed, 1", "3 passed, 3"), "", [Pass("jest", "files", (), ("a.test.js",))]),
    (
        "PASS a.test.js (5.1 s, 80 MB heap size)\n" + sums("1 passed, 1", "3 passed, 3"),
        "",
        [Pass("jest", "files", (), ("a.test.js",))],
    ),
    (
        "PASS a.test.js\nPASS b.test.js\n" + sums("2 passed, 2", "1 skipped, 1 todo, 3 passed, 5"),
        "npx jest",
        [Pass("jest", "files", (), ("a.test.js", "b.test.js"), 2)],
    ),
    ("PASS a.test.js\n", "npx jest", []),
    ("PASS src/a.c\nPASS\n", "make test", []),
    (
        "PASS a.test.js\n  ✓ one (2 ms)\n  ○ skipped two\n\nPASS b.test.js\n  ✓ three\n"
        + sums("2 passed, 2", "1 skipped, 2 passed, 3"),
        "",
        [Pass("jest", "files", (), ("b.test.js",)), Pass("jest", "tests", ("a.test.js > one",))],
    ),
    (
        "PASS web a.test.js\nFAIL node a.test.js\n  ● x\n\n    no\n" + sums("1 failed, 1 passed, 2", "1 failed, 2"),
        "",
        [],
    ),
    (sums("2 passed, 2", "9 passed, 9"), "npx jest", [Pass("jest", "all")]),
    (sums("2 passed, 2", "9 passed, 9"), "cd web && npx jest --ci", [Pass("jest", "all", (), ("web",))]),
    (sums("2 passed, 2", "1 skipped, 8 passed, 9"), "npx jest", [Pass("jest", "all", (), (), 1)]),
    (sums("2 passed, 2", "9 passed, 9"), "npx jest -t cart", [Pass("jest", "unknown")]),
    (sums("2 passed, 2", "9 passed, 9"), "npm test", [Pass("jest", "unknown")]),
    (sums("2 passed, 2", "9 passed, 9", " matching /x/i"), "npx jest", [Pass("jest", "unknown")]),
    (
        sums("2 passed, 2", "9 passed, 9", " matching /src/i"),
        "npx jest src/a.test.js test/",
        [Pass("jest", "files", (), ("src/a.test.js", "test"))],
    ),
    (
        "\n> shop@1.0.0 test\n> jest --ci src\n" + sums("2 passed, 2", "9 passed, 9", " matching /src/i"),
        "npm test",
        [Pass("jest", "files", (), ("src",))],
    ),
    (sums("1 failed, 1 passed, 2", "1 failed, 9 passed, 10"), "npx jest", []),
    ("No tests found, exiting with code 0\n", "npx jest --passWithNoTests", []),
]


@pytest.mark.parametrize(("output", "command", "expected"), JEST_PASSES)
def test_jest_passes(output: str, command: str, expected: list[Pass]) -> None:
    assert list(read(output, command).passes) == expected


def test_jest_two_projects_are_two_runners() -> None:
    text = "FAIL web a.test.js\n  ● x\n\n    no\n\nPASS node a.test.js\nPASS node b.test.js\n"
    report = read(text + sums("1 failed, 2 passed, 3", "1 failed, 3 passed, 4"))
    assert only(report).runner == "jest:web"
    assert report.passes == (Pass("jest:node", "files", (), ("b.test.js",)),)


def test_jest_two_runs_in_one_output() -> None:
    first = "FAIL a.test.js\n  ● x\n\n    Error: no\n\n      at f (src/a.js:1:1)\n" + sums("1 failed, 1", "1 failed, 1")
    report = read(first + "PASS a.test.js\n" + sums("1 passed, 1", "1 passed, 1"), "npx jest; npx jest")
    assert only(report).test == "a.test.js > x"
    assert report.passes == (Pass("jest", "files", (), ("a.test.js",)),)
