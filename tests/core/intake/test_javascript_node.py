"""node: errors nobody caught, and errors that were only printed."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Failure, Pass, Report, ends

KNOWN = Known(["src/cart.js", "src/prices.js", "main.js", "main.mjs", "test/cart.test.js", "test/lost.test.js"])


def places(failure: Failure) -> list[tuple[str, int]]:
    return [(path, at.line) for at in failure.frames if (path := KNOWN.find(at.path)) is not None]


def only(report: Report) -> Failure:
    (failure,) = report.failures
    return failure


LOADING = """\
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
"""
STARTING = """\
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49
"""
THROWN = f"""\
before
/home/ann/shop/src/prices.js:6
    throw new TypeError('no');
    ^

TypeError: no
more of it
    at Till.parse [as price] (/home/ann/shop/src/prices.js:6:11)
    at /home/ann/shop/src/cart.js:4:46
    at Array.map (<anonymous>)
    at async Promise.all (index 0)
    at eval (eval at <anonymous> (/home/ann/shop/src/cart.js:9:1), <anonymous>:1:1)
    at new Cart (file:///home/ann/shop/src/cart.js:7:5)
    at Object.<anonymous> (/home/ann/shop/main.js:7:1)
{LOADING}{STARTING}
Node.js v20.20.2
after
"""


def test_an_error_nobody_caught() -> None:
    failure = only(read(THROWN))
    assert (failure.runner, failure.test, failure.message) == ("node", "/home/ann/shop/main.js", "TypeError: no")
    assert [(at.line, at.name) for at in failure.frames[:5]] == [
        (6, "Till.parse"),
        (4, ""),
        (9, ""),
        (7, "Cart"),
        (7, ""),
    ]
    assert places(failure) == [
        ("src/prices.js", 6),
        ("src/cart.js", 4),
        ("src/cart.js", 9),
        ("src/cart.js", 7),
        ("main.js", 7),
    ]
    at = anchor(failure, KNOWN)
    assert at is not None
    assert (at.path, at.line) == ("src/prices.js", 6)


def test_it_is_one_failure_whoever_else_might_read_it() -> None:
    assert len(read(THROWN, "node main.js", ok=False).failures) == 1


CAUSED = """\
/home/ann/shop/src/cart.js:20
    throw new Error('cannot load', { cause: error });
    ^

Error: cannot load
    at load (/home/ann/shop/src/cart.js:20:11)
    at Object.<anonymous> (/home/ann/shop/main.js:1:24)
    ... 5 lines matching cause stack trace ...
    at node:internal/main/run_main_module:28:49 {
  code: 'E_LOAD',
  [cause]: TypeError: no amount
      at parse (/home/ann/shop/src/prices.js:6:11)
      at load (/home/ann/shop/src/cart.js:18:12) {
    [cause]: RangeError: deeper
        at below (/home/ann/shop/src/prices.js:2:1)
  }
}

Node.js v20.20.2
"""


def test_causes_come_before_what_they_caused() -> None:
    failure = only(read(CAUSED))
    assert failure.message == "Error: cannot load"
    assert places(failure) == [
        ("src/prices.js", 2),
        ("src/prices.js", 6),
        ("src/cart.js", 18),
        ("src/cart.js", 20),
        ("main.js", 1),
    ]


SEVERAL = """\
node:internal/process/promises:391
    triggerUncaughtException(err, true /* fromPromise */);
    ^

[AggregateError: All promises were rejected] {
  [errors]: [
    TypeError: one
        at first (/home/ann/shop/src/cart.js:1:11)
        at async Promise.any (index 0),
    TypeError: two
        at second (/home/ann/shop/src/prices.js:2:11)
  ]
}

Node.js v20.20.2
"""


def test_of_several_errors_the_first_comes_first() -> None:
    failure = only(read(SEVERAL, "node main.js"))
    assert (failure.test, failure.message) == ("main.js", "AggregateError: All promises were rejected")
    assert places(failure) == [("src/cart.js", 1), ("src/prices.js", 2)]


SYNTAX = f"""\
/home/ann/shop/src/prices.js:1
const = 3;
      ^

SyntaxError: Unexpected token '='
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
    at require (node:internal/modules/helpers:182:18)
    at Object.<anonymous> (/home/ann/shop/main.js:1:1)
{LOADING}
Node.js v20.20.2
"""
LINKING = """\
file:///home/ann/shop/main.mjs:1
import { gone } from './src/cart.js';
         ^^^^
SyntaxError: The requested module './src/cart.js' does not provide an export named 'gone'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)

Node.js v20.20.2
"""
NOT_FOUND = """\
node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x/gone.js' imported from /home/ann/shop/main.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2
"""
WORDS = "\n/home/ann/shop/main.js:3\nthrow 'just words';\n^\njust words\n(Use --trace-uncaught)\n\nNode.js v20.20.2\n"
FATAL = [
    (SYNTAX, "SyntaxError: Unexpected token '='", [("src/prices.js", 1), ("main.js", 1)]),
    (
        LINKING,
        "SyntaxError: The requested module './src/cart.js' does not provide an export named 'gone'",
        [("main.mjs", 1)],
    ),
    (
        NOT_FOUND,
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x/gone.js' imported from /home/ann/shop/main.mjs",
        [("main.mjs", 0)],
    ),
    (WORDS, "just words", [("main.js", 3)]),
]


@pytest.mark.parametrize(("text", "message", "expected"), FATAL)
def test_where_the_stack_does_not_lead(text: str, message: str, expected: list[tuple[str, int]]) -> None:
    failure = only(read(text, "node main.js"))
    assert failure.message == message
    assert places(failure) == expected
    assert failure.test.endswith("main.js")


LOGGED = (
    "GET / 200\noh TypeError: no\n    at total (/home/ann/shop/src/cart.js:4:46)\n    at run (node:x:1:2)\nGET / 200\n"
)


@pytest.mark.parametrize(("ok", "count"), [(True, 0), (None, 1), (False, 1)])
def test_an_error_that_was_only_printed(ok: bool | None, count: int) -> None:
    report = read(LOGGED, "node server.js", ok)
    assert len(report.failures) == count
    assert all(places(failure) == [("src/cart.js", 4)] for failure in report.failures)


NO_ERRORS = [
    "Trace: here\n    at f (/home/ann/shop/main.js:1:9)\n",
    "(node:12) Warning: old\n    at f (/home/ann/shop/main.js:1:9)\n",
    "Error: x\n    at com.shop.Cart.total(Cart.java:12)\n",
    "Error: x\n\tat Shop.Cart.Total() in C:\\shop\\Cart.cs:line 12\n",
    "see /home/ann/shop/main.js:1\nfor more\n",
    "meet me at home (or elsewhere:12:30)\n",
    "    at f (/home/ann/shop/main.js:1:9)\n",
]


@pytest.mark.parametrize("text", NO_ERRORS)
def test_no_errors(text: str) -> None:
    assert read(text, "node main.js").failures == ()


# command, ok; the scripts that pass
SCRIPTS = [
    ("node main.js --fast", True, ("main.js",)),
    ("cd shop && npx tsx scripts/seed.ts", True, ("shop/scripts/seed.ts",)),
    ("node -r ts-node/register --enable-source-maps main.ts", True, ("main.ts",)),
    ("node main.js", None, ()),
    ("node main.js", False, ()),
    ("node main.js || true", True, ()),
    ("node main.js | head", True, ()),
    ("node main.js; ls", True, ()),
    ("node $SCRIPT", True, ()),
    ("node -e 'f()'", True, ()),
    ("node", True, ()),
    ("cat main.js", True, ()),
]


@pytest.mark.parametrize(("command", "ok", "expected"), SCRIPTS)
def test_a_script_that_runs_through(command: str, ok: bool | None, expected: tuple[str, ...]) -> None:
    passes = read("fine\n", command, ok).passes
    assert passes == ((Pass("node", "tests", expected),) if expected else ())


def test_a_script_ends_its_own_failure_and_no_other() -> None:
    failed = placed(read(THROWN, "node main.js"), KNOWN).failures[0]
    passed = placed(read("fine\n", "node ./main.js", ok=True), KNOWN).passes[0]
    other = placed(read("fine\n", "node main.mjs", ok=True), KNOWN).passes[0]
    assert ends(passed, failed)
    assert not ends(other, failed)
