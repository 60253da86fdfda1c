"""vitest in small: suites, files and stray errors that fail, and the lists of its versions."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.values.outcome import Frame, Pass
from tests.core.intake.test_javascript_jest import places

RULE = "⎯" * 12
VITEST = f"""\

 RUN  v3.1.0 /home/ann/shop

stderr | test/cart.test.ts > logs
Error: logged, not failed
    at log (/home/ann/shop/src/log.ts:3:9)

 ❯ test/cart.test.ts (3 tests | 2 failed) 7ms
   ✓ logs 1ms
   × opens 5ms
     → negative
   × closes 1ms
     → negative
 ✓ |web| test/till.test.ts (2 tests) 3ms
 ✓ test/some.test.ts (3 tests | 1 skipped) 3ms
 ↓ test/none.test.ts (1 test | 1 skipped)

{RULE} Failed Suites 2 {RULE}

 FAIL  test/lost.test.ts [ test/lost.test.ts ]
Error: Failed to load url ../src/gone (resolved id: ../src/gone) in /home/ann/shop/src/cart.ts. Does the file exist?
 ❯ loadAndTransform node_modules/vite/dist/node.js:9:17

{RULE}[1/4]⎯

 FAIL  test/late.test.ts > late
TypeError: no
 ❯ Till.get total [as total] src/till.ts:31:12
     29| code
     30| code
 ❯ test/late.test.ts:7:17

{RULE}[2/4]⎯

{RULE} Failed Tests 2 {RULE}

 FAIL  test/cart.test.ts > opens
 FAIL  test/cart.test.ts > closes
RangeError: negative

- Expected
+ Received

 ❯ new Till src/till.ts:26:26
 ❯ test/cart.test.ts:49:10

Caused by: Error: below
 ❯ deep src/deep.ts:2:1

{RULE}[3/4]⎯

{RULE} Unhandled Errors {RULE}

Vitest caught 1 unhandled error during the test run.

{RULE} Unhandled Rejection {RULE}
TypeError: later
 ❯ later src/later.ts:9:3

This error originated in "test/till.test.ts" test file. It may not be of it.
{RULE}{RULE}

 Test Files  3 failed | 1 passed | 1 skipped (5)
      Tests  2 failed | 5 passed | 2 skipped (9)
     Errors  1 error
   Start at  05:18:27
   Duration  1.89s (transform 98ms)

"""


def test_vitest_suites_tests_and_what_nobody_handled() -> None:
    report = read(VITEST, "npx vitest run")
    assert [(each.test, each.message) for each in report.failures] == [
        (
            "test/lost.test.ts",
            "Error: Failed to load url ../src/gone (resolved id: ../src/gone) in /home/ann/shop/src/cart.ts. "
            "Does the file exist?",
        ),
        ("test/late.test.ts > late", "TypeError: no"),
        ("test/cart.test.ts > opens", "RangeError: negative"),
        ("test/cart.test.ts > closes", "RangeError: negative"),
        ("test/till.test.ts", "TypeError: later"),
    ]
    lost, late, opens, _, later = report.failures
    assert places(lost)[-1] == ("/home/ann/shop/src/cart.ts", 0)
    assert late.frames == (Frame("src/till.ts", 31, "Till.total"), Frame("test/late.test.ts", 7))
    assert places(opens) == [("src/deep.ts", 2), ("src/till.ts", 26), ("test/cart.test.ts", 49)]
    assert places(later) == [("src/later.ts", 9)]


def test_vitest_files_pass_whole_and_no_file_that_leaves_an_error_behind() -> None:
    assert read(VITEST, "npx vitest run").passes == (Pass("vitest", "tests", ("test/cart.test.ts > logs",)),)


LIST = " RUN  v3.1.0 /home/ann/shop\n\n{}\n\n Test Files  1 passed (1)\n      Tests  {}\n   Duration  1s\n"

# the list, the sum, the command; what passes
VITEST_PASSES = [
    (" ✓ a.test.ts (2 tests) 3ms", "2 passed (2)", "", [Pass("vitest", "files", (), ("a.test.ts",))]),
    (" ✓ a.test.ts (2)", "2 passed (2)", "", [Pass("vitest", "files", (), ("a.test.ts",))]),
    (" ✓ |web| a.test.ts (2 tests) 3ms", "2 passed (2)", "", [Pass("vitest:web", "files", (), ("a.test.ts",))]),
    (" ✓  TS  a.test-d.ts (2 tests)", "2 passed (2)", "", [Pass("vitest", "files", (), ("a.test-d.ts",))]),
    (
        " ✓ a.test.ts (2 tests | 1 skipped) 3ms",
        "1 passed | 1 skipped (2)",
        "npx vitest run",
        [Pass("vitest", "all", (), (), 1)],
    ),
    (
        " ✓ a.test.ts (2 tests | 1 todo) 3ms\n   ✓ one 1ms\n   □ two",
        "1 passed | 1 todo (2)",
        "",
        [Pass("vitest", "tests", ("a.test.ts > one",))],
    ),
    (
        " ✓ a.test.ts > cart > one 3ms\n ✓ b.test.ts > two",
        "2 passed (2)",
        "",
        [Pass("vitest", "files", (), ("a.test.ts", "b.test.ts"))],
    ),
    (" ✓ a.test.ts > one 3ms", "1 passed | 1 skipped (2)", "", [Pass("vitest", "tests", ("a.test.ts > one",))]),
    ("", "2 passed (2)", "npx vitest run --reporter=dot", [Pass("vitest", "all")]),
    ("", "2 passed (2)", "pnpm vitest run src/a.test.ts", [Pass("vitest", "files", (), ("src/a.test.ts",))]),
    ("", "2 passed (2)", "pnpm vitest run -t one", [Pass("vitest", "unknown")]),
    ("", "2 passed (2)", "vitest related src/a.ts", [Pass("vitest", "unknown")]),
    ("", "2 passed (2)", "", [Pass("vitest", "unknown")]),
    ("", "1 failed | 1 passed (2)", "npx vitest run", []),
    ("", "no tests", "npx vitest run", []),
]


@pytest.mark.parametrize(("listed", "counts", "command", "expected"), VITEST_PASSES)
def test_vitest_passes(listed: str, counts: str, command: str, expected: list[Pass]) -> None:
    assert list(read(LIST.format(listed, counts), command).passes) == expected


def test_vitest_a_test_below_an_unnamed_suite_is_not_believed() -> None:
    listed = " ❯ a.test.ts (2 tests | 1 failed) 7ms\n   ✓ one 1ms\n     ✓ two 1ms\n     × three 1ms\n   ✓ suite (2)"
    report = read(LIST.format(listed, "1 failed | 2 passed (3)"))
    assert report.passes == (Pass("vitest", "tests", ("a.test.ts > one",)),)


def test_vitest_a_list_without_its_end_still_names_what_failed() -> None:
    text = " RUN  v3.1.0 /x\n\n ❯ a.test.ts (2 tests | 1 failed) 7ms\n   ✓ one 1ms\n   × cart > two 1ms\n     → no\n"
    assert [each.test for each in read(text).failures] == ["a.test.ts > cart > two"]
