"""mocha in small: titles over several lines, hooks, and names without files."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Pass, ends
from tests.core.intake.test_javascript_jest import only, places

MOCHA = """

  cart
    ✔ adds up
    1) tells the cause
    - is for later
    a: b
      2) "before each" hook for "opens"

  3) waits

  1 passing (12ms)
  1 pending
  3 failing

  1) cart
       tells the cause:
     Error: cannot load
      at load (src/load.js:20:11)
      at Context.<anonymous> (test/cart.test.js:26:5)
     Caused by: TypeError: no amount
      at parse (src/prices.js:6:11)

  2) cart
       a: b
         "before each" hook for "opens":

      AssertionError [ERR_ASSERTION]: values differ

1 !== 2

      + expected - actual

      -1
      +2

      at Context.<anonymous> (test/cart.test.js:41:10)
      at process.processImmediate (node:internal/timers:483:21)

  3) waits:
     Error: Timeout of 20ms exceeded. (/home/ann/shop/test/cart.test.js)
      at listOnTimeout (node:internal/timers:581:17)



"""


def test_mocha() -> None:
    report = placed(read(MOCHA, "npx mocha"), Known(["test/cart.test.js", "src/load.js", "src/prices.js"]))
    assert [(each.test, each.message) for each in report.failures] == [
        ("test/cart.test.js > cart > tells the cause", "Error: cannot load"),
        ("test/cart.test.js > cart > a: b > opens", "AssertionError [ERR_ASSERTION]: values differ"),
        ("test/cart.test.js > waits", "Error: Timeout of 20ms exceeded. (/home/ann/shop/test/cart.test.js)"),
    ]
    assert places(report.failures[0]) == [("src/prices.js", 6), ("src/load.js", 20), ("test/cart.test.js", 26)]
    assert report.passes == (Pass("mocha", "tests", (" > cart > adds up",), (".",)),)


def test_mocha_without_its_function_in_the_stack_a_test_is_known_by_the_command() -> None:
    text = "\n\n  0 passing (1ms)\n  1 failing\n\n  1) says\n       no:\n     Error: words\n\n"
    assert only(read(text)).test == ""
    assert only(read(text, "npx mocha test/a.test.js")).test == "test/a.test.js > says > no"


ONE = Pass("mocha", "tests", ("test/a.test.js > cart > one",))
MOCHA_PASSES = [
    ("npx mocha", "", [Pass("mocha", "tests", (" > cart > one",), (".",))]),
    ("cd web && npx mocha", "", [Pass("mocha", "tests", (" > cart > one",), ("web/.",))]),
    ("npx mocha test", "  1 pending\n", [Pass("mocha", "tests", (" > cart > one",), ("test",))]),
    ("npx mocha test/a.test.js", "", [ONE]),
    ("npx mocha -g one test/a.test.js", "", [ONE]),
    ("npx mocha -g one test", "", [Pass("mocha", "unknown")]),
    ("npx mocha test/*.js", "", [Pass("mocha", "unknown")]),
    ("npm test", "", [Pass("mocha", "unknown")]),
]


@pytest.mark.parametrize(("command", "more", "expected"), MOCHA_PASSES)
def test_mocha_passes(command: str, more: str, expected: list[Pass]) -> None:
    text = f"\n\n  cart\n    ✔ one (52ms)\n    - two\n\n\n  1 passing (3ms)\n{more}\n"
    assert list(read(text, command).passes) == expected


def test_mocha_a_name_ends_what_is_called_so_in_the_files_that_ran() -> None:
    known = Known(["web/test/a.test.js", "api/test/a.test.js"], cwd="web")
    text = "\n\n  cart\n    ✔ one\n\n\n  1 passing (3ms)\n\n"
    (passing,) = placed(read(text, "npx mocha"), known).passes
    assert ends(passing, Failure("mocha", "web/test/a.test.js > cart > one"))
    assert not ends(passing, Failure("mocha", "web/test/a.test.js > cart > two"))
    assert not ends(passing, Failure("mocha", "web/test/a.test.js > one"))
    assert not ends(passing, Failure("mocha", "api/test/a.test.js > cart > one"))
    (elsewhere,) = placed(read(text, "npx mocha test"), known).passes
    assert ends(elsewhere, Failure("mocha", "web/test/a.test.js > cart > one"))
