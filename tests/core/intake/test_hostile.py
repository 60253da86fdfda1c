"""Whatever the text: never an exception, never more than linear time, always bytes that come back the same."""

import gc
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import MOST_FAILURES, _merged, read
from ccos_core.intake.failures.page import MOST_FRAMES
from ccos_core.intake.failures.paths import anchor, placed
from ccos_core.values.outcome import Failure, Frame, Report, report_from
from tests.core.intake import go_hostile, javascript_hostile, python_hostile, rust_hostile
from tests.core.intake.hostile import Texts
from tests.growth import assert_linear_cpu, lines_at_most

CASES = [python_hostile.TEXTS, javascript_hostile.TEXTS, go_hostile.TEXTS, rust_hostile.TEXTS]
FLOODS = [(case, flood) for case in CASES for flood in case.floods]
CROWDS = [(case, command, *crowd) for case in CASES for crowd in case.crowds for command in case.commands[:2]]
PRINTED = [
    pytest.param(output, command, id=f"{name} {at} {command}")
    for name, real, commands in (
        ("go", go_hostile.REAL, go_hostile.COMMANDS),
        ("rust", rust_hostile.REAL, rust_hostile.COMMANDS),
    )
    for at, output in enumerate(real)
    for command in commands
]

CHARACTERS = 5_000
"""The smaller of the two sizes whose CPU time is compared; its lines are counted."""
LINES_PER_CHARACTER = 60
FLOODED_COMMAND = 2_000

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
oks = st.sampled_from([True, False, None])


def check(case: Texts, output: str, command: str = "", ok: bool | None = False) -> Report:
    report = read(output, command, ok)
    assert report_from(report.to_bytes()) == report
    for failure in report.failures:
        assert len(failure.frames) <= MOST_FRAMES
        assert all(at.line >= 0 and at.path for at in failure.frames)
        assert not failure.test.endswith(" > ")
        anchor(failure, case.known)
    placed(report, case.known)
    return report


# ---- any text ----


@every_case
@given(output=st.text(), data=st.data())
def test_any_text(case: Texts, output: str, data: st.DataObject) -> None:
    check(case, output, data.draw(st.sampled_from(case.commands)))


@given(st.text(st.characters(), max_size=50))
def test_even_half_a_character(output: str) -> None:
    text = f'Traceback (most recent call last):\n  File "{output}", line 3, in {output}\nValueError: {output}\n'
    check(python_hostile.TEXTS, text)


indents = st.sampled_from(["", "", "", "", "  ", "    ", "12\t", "| ", "\x1b[31m"])


@every_case
@settings(max_examples=500)
@given(data=st.data(), ok=oks)
def test_any_jumble(case: Texts, data: st.DataObject, ok: bool | None) -> None:
    lines = st.tuples(indents, st.sampled_from(case.pieces) | st.text(max_size=30)).map("".join)
    check(case, "\n".join(data.draw(st.lists(lines, max_size=50))), data.draw(st.sampled_from(case.commands)), ok)


@pytest.mark.parametrize("case", [case for case in CASES if case.real], ids=lambda case: case.name)
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data(), ok=oks)
def test_any_piece_of_an_output(case: Texts, data: st.DataObject, ok: bool | None) -> None:
    """A part is left out, said twice, or stands between parts of another."""
    assert case.real is not None
    real = st.sampled_from(case.real())
    lines = data.draw(real).split("\n")
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    kind = data.draw(st.sampled_from(["prefix", "piece", "without", "cut", "twice", "mixed", "chars"]))
    command = data.draw(st.sampled_from(case.commands))
    if kind == "mixed":
        lines = lines[:start] + data.draw(real).split("\n")[start:end] + lines[end:]
    elif kind == "chars":
        text = "\n".join(lines[start:end])
        at = data.draw(st.integers(0, len(text)))
        lines = [text[:at], data.draw(st.text(max_size=5)), text[at + 1 :]]
    else:
        lines = {
            "prefix": lines[:end],
            "piece": lines[start:end],
            "without": lines[:start] + lines[end:],
            "cut": [*lines[:start], "[... lines left out ...]", *lines[end:]],
            "twice": lines[:end] + lines[start:],
        }[kind]
    check(case, ("" if kind == "chars" else "\n").join(lines), command, ok)


@pytest.mark.parametrize(("output", "command"), PRINTED)
def test_colours_and_line_ends_do_not_matter(output: str, command: str) -> None:
    plain = read(output, command, ok=False)
    for reset in ("\x1b[0m", "\x1b(B\x1b[m"):
        coloured = "\n".join(f"\x1b[1m\x1b[31m{line}{reset}" for line in output.split("\n"))
        assert read(coloured, command, ok=False) == plain
    assert read(output.replace("\n", "\r\n"), command, ok=False) == plain
    assert read(coloured.replace("\x1b", "[U+001B ESC]"), command, ok=False) == plain


# ---- any size ----


@pytest.mark.parametrize(("case", "piece"), FLOODS, ids=[f"{case.name} {piece!a}" for case, piece in FLOODS])
def test_no_flood_runs_away(case: Texts, piece: str) -> None:
    def flood(characters: int) -> str:
        return (piece * (characters // len(piece) + 1))[:characters]

    def work(output: str) -> None:
        report = read(output, case.runs + output[:FLOODED_COMMAND], ok=False)
        assert len(report.failures) <= MOST_FAILURES
        assert report_from(report.to_bytes()) == report

    assert_linear_cpu(flood, work, CHARACTERS)
    with lines_at_most(LINES_PER_CHARACTER * CHARACTERS):
        work(flood(CHARACTERS))


@pytest.mark.parametrize(("case", "command", "first", "second"), CROWDS)
def test_no_crowd_runs_away(case: Texts, command: str, first: str, second: str) -> None:
    def crowd(characters: int) -> str:
        many = range(characters // len(first + second))
        return case.before + "".join(map(first.format, many)) + case.between + "".join(map(second.format, many))

    assert_linear_cpu(crowd, lambda output: check(case, output, command), CHARACTERS)
    text = crowd(CHARACTERS)
    with lines_at_most(LINES_PER_CHARACTER * len(text)):
        check(case, text, command)


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
