"""node's own test runner in small, in both of its styles: names from the tree, places from the section below it."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import placed
from ccos_core.values.outcome import Frame, Pass, ends
from tests.core.intake.test_javascript_node import KNOWN, places

SPEC = """\
said on the way
✔ adds up (2.77ms)
✖ is off by one (0.99ms)
  AssertionError [ERR_ASSERTION]: values differ

  1 !== 2

      at TestContext.<anonymous> (file:///home/ann/shop/test/cart.test.js:11:10)
      at Test.run (node:internal/test_runner/test:796:25) {
    code: 'ERR_ASSERTION'
  }

▶ cart
  ▶ when empty
    ✖ has no price (1.09ms)
      TypeError [Error]: no amount
          at parse (/home/ann/shop/src/prices.js:6:11)

    ✔ is zero (0.13ms)
  ✖ when empty (1.38ms)
  ✖ never ends (51.5ms)
    'test timed out after 50ms'

  ﹣ is for later (0.30ms) # SKIP
  ✖ will be right (4.70ms) # one day
    AssertionError: no

✖ cart (77.8ms)
▶ late
  ✔ opens late (0.09ms)
✖ late (0.27ms)
  TypeError [Error]: after
      at SuiteContext.<anonymous> (/home/ann/shop/test/cart.test.js:63:17)

node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './gone'
Require stack:
- /home/ann/shop/test/lost.test.js
    at require (node:internal/modules/helpers:182:18)
    at Object.<anonymous> (/home/ann/shop/test/lost.test.js:1:1)

Node.js v20.20.2
✖ /home/ann/shop/test/lost.test.js (66.07ms)
  'test failed'

ℹ tests 9
ℹ suites 3
ℹ pass 3
ℹ fail 4
ℹ cancelled 1
ℹ skipped 1
ℹ todo 1
ℹ duration_ms 695.8

✖ failing tests:
"""
PLACES = """\

test at test/cart.test.js:10:1
✖ is off by one (0.99ms)
  AssertionError [ERR_ASSERTION]: values differ

      at TestContext.<anonymous> (file:///home/ann/shop/test/cart.test.js:11:10)

test at test/cart.test.js:16:5
✖ has no price (1.09ms)
  TypeError [Error]: no amount
      at parse (/home/ann/shop/src/prices.js:6:11)

test at test/cart.test.js:37:3
✖ never ends (51.5ms)
  'test timed out after 50ms'

test at test/cart.test.js:45:3
✖ will be right (4.70ms) # one day
  AssertionError: no

test at test/cart.test.js:61:1
✖ late (0.27ms)
  TypeError [Error]: after
      at SuiteContext.<anonymous> (/home/ann/shop/test/cart.test.js:63:17)

test at test/lost.test.js:1:1
✖ /home/ann/shop/test/lost.test.js (66.07ms)
  'test failed'
"""
CART = "test/cart.test.js > "


def test_the_tree_has_the_names_and_the_section_the_places() -> None:
    report = placed(read(SPEC + PLACES, "node --test"), KNOWN)
    assert {each.test: each.message for each in report.failures} == {
        CART + "is off by one": "AssertionError [ERR_ASSERTION]: values differ",
        CART + "cart > when empty > has no price": "TypeError [Error]: no amount",
        CART + "cart > never ends": "test timed out after 50ms",
        CART + "late": "TypeError [Error]: after",
        "test/lost.test.js": "Error: Cannot find module './gone'",
    }
    assert places(report.failures[-1]) == [("test/lost.test.js", 1)]
    assert {each.runner for each in report.failures} == {"node-test"}
    assert report.passes == ()


def test_without_the_section_a_test_is_found_through_its_function() -> None:
    report = placed(read(SPEC.partition("✖ failing")[0], "node --test"), KNOWN)
    tests = [each.test for each in report.failures]
    assert tests == [CART + "is off by one", "", "", CART + "late", "test/lost.test.js"]
    whole = placed(read(SPEC.partition("✖ failing")[0], "node --test test/cart.test.js"), KNOWN)
    assert [each.test for each in whole.failures][1:3] == [
        CART + "cart > when empty > has no price",
        CART + "cart > never ends",
    ]


def test_without_the_tree_the_suites_are_not_known_and_nothing_ends_it_by_name() -> None:
    report = read("✖ failing tests:\n" + PLACES)
    assert [each.test for each in report.failures][1] == CART + "… > has no price"
    listed = Pass("node-test", "tests", (CART + "has no price", CART + "cart > when empty > has no price"))
    assert not any(ends(listed, failure) for failure in report.failures)
    assert all(ends(Pass("node-test", "files", (), ("test",)), each) for each in report.failures[:-1])


GOOD = "▶ cart\n  ✔ one (0.5ms)\n✔ cart (0.9ms)\n✔ two (1.5ms)\n"
COUNTS = "ℹ tests 3\nℹ suites 1\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped {}\nℹ todo 0\nℹ duration_ms 9.5\n"
BOTH = (CART + "cart > one", CART + "two")

# the command, how many were skipped; what passes
NODE_PASSES = [
    ("node --test", 0, [Pass("node-test", "all")]),
    ("cd web && node --test", 0, [Pass("node-test", "all", (), ("web",))]),
    ("node --test", 1, [Pass("node-test", "all", (), (), 1)]),
    ("node --test test", 0, [Pass("node-test", "files", (), ("test",))]),
    ("node --test test/cart.test.js", 0, [Pass("node-test", "files", (), ("test/cart.test.js",))]),
    ("node test/cart.test.js", 0, [Pass("node-test", "files", (), ("test/cart.test.js",))]),
    ("node --test test/cart.test.js", 1, [Pass("node-test", "tests", BOTH)]),
    ("node --test --test-name-pattern=o test/cart.test.js", 0, [Pass("node-test", "tests", BOTH)]),
    ("node --test --test-name-pattern o", 0, [Pass("node-test", "unknown")]),
    ("npm test", 0, [Pass("node-test", "unknown")]),
    ("", 0, [Pass("node-test", "unknown")]),
]


@pytest.mark.parametrize(("command", "skipped", "expected"), NODE_PASSES)
def test_node_passes(command: str, skipped: int, expected: list[Pass]) -> None:
    assert list(read(GOOD + COUNTS.format(skipped), command).passes) == expected


def test_a_script_of_the_package_is_read_off_the_output() -> None:
    shown = "\n> shop@1.0.0 test\n> node --test test\n\n"
    assert read(shown + GOOD + COUNTS.format(0), "npm test").passes == (Pass("node-test", "files", (), ("test",)),)


TAP = """\
TAP version 13
# said on the way
# Subtest: cart
    # Subtest: parses \\# 3
    not ok 1 - parses \\# 3
      ---
      duration_ms: 1.1
      location: '/home/ann/shop/test/cart.test.js:16:5'
      failureType: 'testCodeFailure'
      error: 'no amount'
      code: 'ERR_TEST_FAILURE'
      stack: |-
        parse (/home/ann/shop/src/prices.js:6:11)
        async TestContext.<anonymous> (/home/ann/shop/test/cart.test.js:17:7)
      ...
    # Subtest: is for later
    ok 2 - is for later # SKIP
      ---
      duration_ms: 0.1
      ...
    # Subtest: will be right
    not ok 3 - will be right # TODO one day
      ---
      duration_ms: 0.1
      location: '/home/ann/shop/test/cart.test.js:20:5'
      error: 'no'
      ...
    1..3
not ok 1 - cart
  ---
  duration_ms: 9.1
  type: 'suite'
  location: '/home/ann/shop/test/cart.test.js:14:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# Subtest: /home/ann/shop/test/lost.test.js
not ok 2 - /home/ann/shop/test/lost.test.js
  ---
  duration_ms: 70.6
  location: '/home/ann/shop/test/lost.test.js:1:1'
  error: 'test failed'
  ...
1..2
# tests 4
# pass 0
# fail 2
# skipped 1
# todo 1
# duration_ms 99.5
"""


def test_tap() -> None:
    report = placed(read(TAP), KNOWN)
    assert [(each.test, each.message) for each in report.failures] == [
        (CART + "cart > parses # 3", "no amount"),
        ("test/lost.test.js", "test failed"),
    ]
    assert report.failures[0].frames == (Frame("src/prices.js", 6, "parse"), Frame("test/cart.test.js", 17))


def test_tap_of_somebody_else_is_left_alone() -> None:
    assert not read("TAP version 13\nok 1 - one\nnot ok 2 - two\n1..2\n# tests 2\n# pass 1\n# fail 1\n", "prove")
