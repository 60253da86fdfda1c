"""unittest and its kin: real runs, and the forms that other versions and runners give the same thing."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known
from ccos_core.values.outcome import Failure, Frame, Pass
from tests.core.intake.outputs import known_paths, python

UNITS = "units/test_units.py"
CORE = "pkg/core.py"


def ours(failure: Failure) -> list[tuple[str, int, str]]:
    known = Known(known_paths())
    return [(path, at.line, at.name) for at in failure.frames if (path := known.find(at.path)) is not None]


def expected(module: str) -> dict[tuple[str, str], list[tuple[str, int, str]]]:
    return {
        (f"{module}.Sums.test_error", ""): [
            (CORE, 9, "parse"),
            (CORE, 14, "load"),
            (CORE, 16, "load"),
            (UNITS, 18, "test_error"),
        ],
        (f"{module}.Never", ""): [(CORE, 5, "add"), (UNITS, 41, "setUpClass")],
        (f"{module}.Sums.test_fail", ""): [(UNITS, 15, "test_fail")],
        (f"{module}.Sums.test_parts", "[msg] (i=0)"): [(UNITS, 23, "test_parts")],
        (f"{module}.Sums.test_parts", "[msg] (i=2)"): [(UNITS, 23, "test_parts")],
        (f"{module}.Sums.test_surprise", ""): [],
    }


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (("-m", "unittest", "units.test_units"), "units.test_units"),
        (("-m", "unittest", "-v", "units.test_units"), "units.test_units"),
        (("-m", "unittest", "-b", "units.test_units"), "units.test_units"),
        (("-m", "unittest", "discover", "-s", "units", "-t", ".", "-p", "test_units.py"), "units.test_units"),
        (("units/test_units.py",), "__main__"),
    ],
)
def test_a_real_run(words: tuple[str, ...], module: str) -> None:
    found = read(python(*words))
    assert {(each.test, each.part): ours(each) for each in found.failures} == expected(module)
    assert {each.runner for each in found.failures} == {"unittest"}
    listed = (Pass("unittest", "tests", (f"{module}.Sums.test_ok",)),)
    assert found.passes == (listed if "-v" in words else ())


def test_a_module_that_can_not_be_imported_has_the_name_the_command_knows() -> None:
    words = ("-m", "unittest", "units.test_lost")
    found = read(python(*words), "python " + " ".join(words))
    assert [(each.test, ours(each)) for each in found.failures] == [
        ("units.test_lost", [("units/test_lost.py", 1, "")])
    ]
    assert [each.test for each in read(python(*words)).failures] == ["test_lost"]


@pytest.mark.parametrize(
    ("words", "passes"),
    [
        ("-m unittest units.test_fine", Pass("unittest", "tests", ("units.test_fine",))),
        ("-m unittest units.test_fine.Fine.test_a", Pass("unittest", "tests", ("units.test_fine.Fine.test_a",))),
        ("-m unittest units/test_fine.py", Pass("unittest", "files", (), ("units/test_fine.py",))),
        ("-m unittest discover -s units -p test_fine.py", Pass("unittest", "unknown")),
        ("-m unittest units.test_fine -k test_a", Pass("unittest", "unknown")),
        (
            "-m unittest -v units.test_fine",
            Pass("unittest", "tests", ("units.test_fine.Fine.test_a", "units.test_fine.Fine.test_b")),
        ),
    ],
)
def test_what_passes(words: str, passes: Pass) -> None:
    assert read(python(*words.split()), f"python3 {words}").passes == (passes,)


RULE = "=" * 70
LINE = "-" * 70

DJANGO = f"""\
Found 3 test(s).
Creating test database for alias 'default'...
System check identified no issues (0 silenced).
F..
{RULE}
FAIL: test_price (shop.tests.PriceTests.test_price)
Prices are rounded.
{LINE}
Traceback (most recent call last):
  File "/app/shop/tests.py", line 12, in test_price
    self.assertEqual(price(1), 2)
    ~~~~~~~~~~~~~~~~^^^^^^^^^^^^^
AssertionError: 1 != 2

{LINE}
Ran 3 tests in 0.012s

FAILED (failures=1)
Destroying test database for alias 'default'...
"""

DJANGO_FINE = f"""\
Found 4 test(s).
Operations to perform:
  Applying shop.0001_initial... OK
System check identified no issues (0 silenced).
test_price (shop.tests.PriceTests) ... ok
test_tax (shop.tests.PriceTests)
Taxes come on top. ... ok
test_later (shop.tests.PriceTests) ... skipped 'later'
test_odd (shop.tests.PriceTests) ... expected failure

{LINE}
Ran 4 tests in 0.012s

OK (skipped=1, expected failures=1)
"""


def test_django() -> None:
    found = read(DJANGO, "python manage.py test shop")
    assert found.failures == (
        Failure(
            "unittest",
            "shop.tests.PriceTests.test_price",
            (Frame("/app/shop/tests.py", 12, "test_price"),),
            "AssertionError: 1 != 2",
        ),
    )
    assert found.passes == ()


def test_django_lists_what_passes() -> None:
    named = ("shop.tests.PriceTests.test_price", "shop.tests.PriceTests.test_tax")
    assert read(DJANGO_FINE, "python manage.py test -v 2").passes == (Pass("unittest", "tests", named),)


@pytest.mark.parametrize(
    ("command", "passes"),
    [
        ("python manage.py test", Pass("unittest", "all", (), (), 1)),
        ("cd backend && ./manage.py test --parallel 4", Pass("unittest", "all", (), ("backend",), 1)),
        ("python manage.py test shop.tests.PriceTests", Pass("unittest", "tests", ("shop.tests.PriceTests",), (), 1)),
        ("python manage.py test --tag slow", Pass("unittest", "unknown")),
        ("./tests/runtests.py basic", Pass("unittest", "tests", ("basic",), (), 1)),
        ("tox", Pass("unittest", "unknown")),
    ],
)
def test_the_command_says_how_much(command: str, passes: Pass) -> None:
    output = f"...s\n{LINE}\nRan 4 tests in 0.001s\n\nOK (skipped=1)\n"
    assert read(output, command).passes == (passes,)


@pytest.mark.parametrize(
    ("head", "test", "part"),
    [
        ("test_x (pkg.tests.T.test_x)", "pkg.tests.T.test_x", ""),
        ("test_x (pkg.tests.T)", "pkg.tests.T.test_x", ""),
        ("test_x (__main__.T.test_x)", "__main__.T.test_x", ""),
        ("test_x (pkg.tests.T.test_x) (i=1)", "pkg.tests.T.test_x", "(i=1)"),
        ("test_x (pkg.tests.T.test_x) [deep (a)] (i=1)", "pkg.tests.T.test_x", "[deep (a)] (i=1)"),
        ("test_x (pkg.tests.make.<locals>.T.test_x)", "pkg.tests.make.<locals>.T.test_x", ""),
        ("setUpClass (pkg.tests.T)", "pkg.tests.T", ""),
        ("setUpModule (pkg.tests)", "pkg.tests", ""),
        ("pkg.tests (unittest.loader._FailedTest)", "pkg.tests", ""),
        ("pkg.tests (unittest.loader._FailedTest.pkg.tests)", "pkg.tests", ""),
        ("pkg.tests.test_function", "pkg.tests.test_function", ""),
        ("pkg.tests.test_generator(1, 2)", "pkg.tests.test_generator(1, 2)", ""),
        ("Failure: ImportError (No module named x)", "", ""),
    ],
)
def test_names(head: str, test: str, part: str) -> None:
    body = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: x\n'
    found = read(f"E\n{RULE}\nERROR: {head}\n{LINE}\n{body}\n{LINE}\nRan 1 test in 0.1s\n\nFAILED (errors=1)\n")
    assert found.failures == (Failure("unittest", test, (Frame("a.py", 3, "f"),), "ValueError: x", part),)


def test_the_first_rule_may_be_cut_off() -> None:
    found = read(DJANGO[DJANGO.index("FAIL:") :])
    assert [each.test for each in found.failures] == ["shop.tests.PriceTests.test_price"]


def test_captured_output_is_no_failure() -> None:
    inner = 'Traceback (most recent call last):\n  File "b.py", line 9, in h\n    x\nKeyError: 1\n'
    text = DJANGO.replace("AssertionError: 1 != 2\n", f"AssertionError: 1 != 2\n\nStderr:\n{inner}")
    assert read(text).failures == read(DJANGO).failures


def test_no_tests_ran() -> None:
    assert not read(f"\n{LINE}\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n", "python -m unittest")
    assert not read(f"\n{LINE}\nRan 0 tests in 0.000s\n\nOK\n", "python -m unittest")


def test_doctests_alone() -> None:
    found = read(python("-m", "doctest", "pkg/documented.py"))
    assert [(each.runner, each.test, each.message, ours(each)) for each in found.failures] == [
        ("doctest", "documented", "Expected: 2 Got: 1", [("pkg/documented.py", 3, "")]),
        (
            "doctest",
            "documented.one",
            "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
            [("pkg/documented.py", 10, "")],
        ),
    ]
