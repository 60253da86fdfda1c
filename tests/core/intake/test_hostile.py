"""Whatever the text: never an exception, never more than linear time, always bytes that come back the same."""

import gc
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import MOST_FAILURES, _merged, read
from ccos_core.intake.failures.page import MOST_FRAMES
from ccos_core.intake.failures.paths import Known, anchor, placed
from ccos_core.values.outcome import Failure, Frame, Report, report_from
from tests.core.intake.outputs import known_paths, pytest_outputs, python

pytestmark = pytest.mark.xdist_group("real outputs")

KNOWN = Known(known_paths())
COMMANDS = ["", "pytest tests", "python -m unittest units", "python a.py", "make", "cat a.log"]

PIECES = [
    "Traceback (most recent call last):",
    '  File "a.py", line 3, in f',
    "    raise ValueError",
    "ValueError: no",
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
    "  + Exception Group Traceback (most recent call last):",
    '  |   File "a.py", line 4, in g',
    "  +-+---------------- 1 ----------------",
    "    +------------------------------------",
    "=" * 30 + " FAILURES " + "=" * 30,
    "=" * 30 + " ERRORS " + "=" * 30,
    "=" * 25 + " test session starts " + "=" * 25,
    "=" * 25 + " short test summary info " + "=" * 25,
    "=" * 25 + " warnings summary " + "=" * 25,
    "=" * 25 + " 1 failed, 2 passed in 0.1s " + "=" * 25,
    "1 passed, 1 skipped in 0.1s",
    "_" * 30 + " test_a[x] " + "_" * 30,
    "_" * 30 + " ERROR at setup of test_a " + "_" * 30,
    "-" * 30 + " Captured stdout call " + "-" * 30,
    "_ _ _ _ _ _ _ _",
    "FAILED a.py::test_a[x] - ValueError: no",
    "ERROR a.py",
    "a.py::test_b PASSED  [ 10%]",
    "a.py::test_b ",
    "PASSED",
    "[gw0] [ 10%] PASSED a.py::test_c",
    "a.py ..F  [100%]",
    "E   ValueError: no",
    ">   f()",
    "    def f():",
    "a.py:3: ValueError",
    "a.py:3: in f",
    "=" * 70,
    "-" * 70,
    "FAIL: test_a (m.T.test_a)",
    "test_a (m.T.test_a) ... ok",
    "Ran 3 tests in 0.1s",
    "OK (skipped=1)",
    "FAILED (failures=1)",
    "*" * 70,
    'File "a.py", line 3, in a.f',
    "Failed example:",
    "[... lines left out: 12 ...]",
    "a.c:1:2: error: x",
    "",
    "\x1b[31mred\x1b[0m",
]

lines = st.sampled_from(PIECES) | st.text(max_size=30)
indents = st.sampled_from(["", "", "", "  ", "    ", "12\t", "| "])
jumbles = st.lists(st.tuples(indents, lines).map("".join), max_size=40).map("\n".join)


def check(output: str, command: str = "", ok: bool | None = False) -> Report:
    report = read(output, command, ok)
    assert report_from(report.to_bytes()) == report
    for failure in report.failures:
        assert len(failure.frames) <= MOST_FRAMES
        assert all(at.line >= 0 and at.path for at in failure.frames)
        anchor(failure, KNOWN)
    placed(report, KNOWN)
    return report


@given(st.text(), st.sampled_from(COMMANDS))
def test_any_text(output: str, command: str) -> None:
    check(output, command)


@given(st.text(st.characters(), max_size=50))
def test_even_half_a_character(output: str) -> None:
    check(f'Traceback (most recent call last):\n  File "{output}", line 3, in {output}\nValueError: {output}\n')


@settings(max_examples=300)
@given(jumbles, st.sampled_from(COMMANDS), st.sampled_from([True, False, None]))
def test_any_jumble(output: str, command: str, ok: bool | None) -> None:
    check(output, command, ok)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A real output with a piece left out, repeated, or another one in between."""
    real = st.sampled_from([*pytest_outputs().values(), python("-m", "unittest", "-v", "units.test_units")])
    one = draw(real).split("\n")
    start = draw(st.integers(0, len(one)))
    end = draw(st.integers(start, min(len(one), start + 80)))
    kind = draw(st.sampled_from(["prefix", "without", "twice", "mixed", "chars"]))
    if kind == "prefix":
        return "\n".join(one[:end])
    if kind == "without":
        return "\n".join(one[:start] + one[end:])
    if kind == "twice":
        return "\n".join(one[:end] + one[start:])
    if kind == "mixed":
        return "\n".join(one[:start] + draw(real).split("\n")[start:end] + one[end:])
    text = "\n".join(one[start:end])
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.text(max_size=5)) + text[at + 1 :]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mangled())
def test_any_mangled_output(output: str) -> None:
    check(output)


FLOODS = [
    'File "',
    '  File "',
    '  File "a.py", line 3, in f\n',
    '  File "a.py", line 3, in f',
    "Traceback (most recent call last):\n",
    "Traceback (most recent call last): ",
    "E   ",
    "E   a.py:3: in f\n",
    "E   ValueError: x\n",
    "____",
    "_ ",
    "____ a ____\n",
    "::",
    "a::b ",
    "a.py::t ",
    "a.py::t PASSED\n",
    "a.py::t SKIPPED (",
    "FAILED a.py::t - ",
    "FAILED a.py::t[\n",
    "[gw0] ",
    "[gw0] [ 1%] ",
    "=",
    "= a ",
    "==== FAILURES ====\n",
    "==== 1 failed in 0.1s ====\n",
    "1 passed, ",
    "1 passed in 0.1s\n",
    "a.py ....\n",
    ".",
    "....\n",
    "a.py:1:",
    "a.py:1: ",
    "a.py:3: in ",
    "a.py(1,",
    "a/",
    "a.",
    "a b.c:1 error ",
    "C:\\",
    "FAIL: a (b.c)\n",
    "FAIL: a (b.c)\n" + "-" * 70 + "\n",
    "a (b.c) ... ",
    "a (b.c) ... ok\n",
    "Ran 3 tests in 0.1s\n",
    "Failed example:\n",
    'File "a.py", line 3, in a\nFailed example:\n',
    "=" * 70 + "\n",
    "-" * 70 + "\n",
    "\x1b[",
    "\x1b]",
    "[U+001B ESC]",
    "[U+001B ESC][31m",
    "12\n",
    "1\t",
    "a | ",
    "a | \n",
    "  | ",
    "  + Exception Group Traceback (most recent call last):\n",
    "[... truncated ",
    "(truncated)\n",
    "…1 x truncated…",
    "\r",
    "\r\n",
    "(",
    "[",
    "\\",
    "'",
    "\ud800",
    "\0",
    "-->",
    "at line ",
    "a.py line ",
    "Error",
    "a.b.c.",
    "The above exception was the direct cause of the following exception:\n",
    "INTERNALERROR> ",
    "ImportError while loading conftest 'a'.\n",
    "Current thread 0x1 (most recent call first):\n",
]
SIZE = 200_000
"""Characters: enough that an explosion would never end. Nothing is timed here."""


@pytest.mark.parametrize("piece", FLOODS)
def test_no_flood_runs_away(piece: str) -> None:
    output = (piece * (SIZE // len(piece) + 1))[:SIZE]
    report = read(output, output[:40_000], ok=False)
    assert len(report.failures) <= MOST_FAILURES
    assert report_from(report.to_bytes()) == report


HEAD = "_" * 30 + " t{0} " + "_" * 30 + "\n"
NAMED = "FAILED a.py::q{0} - W: {0}\n"

# what is repeated with a number, what then follows with a number
CROWDS = [
    ("[... lines left out ...]\nE   V: {0}\na.py:{0}: in f\nE   V: {0}\n" + HEAD, NAMED),
    ("a{0}.py .\n", HEAD + "b{0}.py:3: in f\nE   x\n"),
    ("a.py::t{0} FAILED\n", HEAD + "a.py:3: in f\nE   x\n"),
    (HEAD, NAMED),
    ('Traceback (most recent call last):\n  File "a{0}.py", line 3, in f\nV: {0}\n\n' + PIECES[5] + "\n\n", ""),
    ("FAIL: t (m.T{0})\n" + "-" * 70 + "\n", "t (m.T{0}) ... ok\n"),
]


@pytest.mark.parametrize(("first", "second"), CROWDS)
def test_no_crowd_runs_away(first: str, second: str) -> None:
    many = range(SIZE // len(first + second))
    output = (
        "=== FAILURES ===\n" + "".join(map(first.format, many)) + PIECES[13] + "\n" + "".join(map(second.format, many))
    )
    check(output)


def test_more_failures_than_are_kept() -> None:
    text = "".join(f"FAILED a.py::test_{at} - no\n" for at in range(MOST_FAILURES + 5))
    report = read(text + "9 failed in 0.1s\n")
    assert len(report.failures) == MOST_FAILURES
    assert report.flaws == ("many",)


def test_failures_beyond_the_limit_are_not_kept() -> None:
    """Their names take 50 MB, those of the kept ones 10."""
    count, size = 5_000, 10_000
    gc.collect()
    tracemalloc.start()
    merged, is_whole = _merged(Failure("tsc", "x" * size + str(at)) for at in range(count))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [failure.test[size:] for failure in merged] == [str(at) for at in range(MOST_FAILURES)]
    assert not is_whole
    assert peak < (MOST_FAILURES + 200) * size


def test_a_failure_within_the_limit_gets_frames_from_behind_it() -> None:
    first, again = (Failure("go", "T", (Frame("a.go", line),)) for line in (1, 2))
    others = [Failure("go", str(at)) for at in range(MOST_FAILURES)]
    merged, is_whole = _merged([first, *others, again])
    assert merged[0].frames == (Frame("a.go", 1), Frame("a.go", 2))
    assert (len(merged), is_whole) == (MOST_FAILURES, False)
    assert _merged([first, *others[1:], again]) == ([merged[0], *others[1:]], True)
