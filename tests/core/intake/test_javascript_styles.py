"""Whatever the runner and its style: the same tests fail in the same places, and what passes ends just what it ran."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Pass, Report, ends, report_from
from tests.core.intake.javascript_outputs import EVERY, LISTING, NAMING, ROOT, SUMMING, Case, File

PATHS = ["src/cart.js", "src/prices.ts", "src/ui/Till.tsx", "test/cart.test.js", "test/till.test.ts", "index.mjs"]
KNOWN = Known(PATHS)
WORDS = [
    "adds up",
    "a > b",
    "x › y",
    "is (2)",
    "# 3",
    "says 'no'",
    "2. one",
    "-less",
    "ok",
    "cart",
    "tëst",
    "a:",
    "//",
]

words = st.sampled_from(WORDS)
places = st.tuples(st.sampled_from(PATHS), st.integers(1, 9_999), st.sampled_from(["total", "Till.open", ""]))
outcomes = st.sampled_from(["passed", "passed", "failed", "skipped", "todo"])


@st.composite
def cases(draw: st.DrawFn, path: str) -> Case:
    names = tuple(draw(st.lists(words, min_size=1, max_size=3)))
    outcome = draw(outcomes)
    inner = draw(st.lists(places, max_size=3, unique=True)) if outcome == "failed" else []
    body = (path, draw(st.integers(1, 9_999)), "TestContext.<anonymous>")
    return Case(names, outcome, (*inner, body) if outcome == "failed" else ())


def joined(names: tuple[str, ...]) -> str:
    return " > ".join(names).replace(" › ", " > ")


def is_tree(made: list[Case]) -> bool:
    """Whether no two tests have one name, and no test has the name of a suite."""
    names = [joined(case.names) for case in made]
    suites = {joined(case.names[:size]) for case in made for size in range(1, len(case.names))}
    return len(set(names)) == len(names) and suites.isdisjoint(names)


@st.composite
def stories(draw: st.DrawFn, most: int = 2) -> list[File]:
    count = draw(st.integers(1, most))
    files = []
    for path in ["test/cart.test.js", "test/till.test.ts"][:count]:
        made = draw(st.lists(cases(path), min_size=1, max_size=5).filter(is_tree))
        files.append(File(path, tuple(made)))
    return files


def said(output: str, command: str, ok: bool | None = None) -> Report:
    report = read(output, command, ok)
    assert report_from(report.to_bytes()) == report
    return placed(report, KNOWN)


def named(file: File, case: Case) -> str:
    return f"{file.path} > {joined(case.names)}"


def failed(files: list[File]) -> dict[str, list[tuple[str, int]]]:
    return {
        named(file, case): list(dict.fromkeys((path, line) for path, line, _ in case.places))
        for file in files
        for case in file.cases
        if case.outcome == "failed"
    }


def told(report: Report) -> dict[str, list[tuple[str, int]]]:
    return {each.test: list(dict.fromkeys((at.path, at.line) for at in each.frames)) for each in report.failures}


def ended(report: Report, runner: str, test: str) -> bool:
    return any(ends(passing, Failure(runner, test)) for passing in report.passes)


@pytest.mark.parametrize("style", EVERY)
@given(story=stories())
def test_every_style_tells_the_same_failures(style: str, story: list[File]) -> None:
    runner, write = EVERY[style]
    report = said(write(story), f"npx {style}")
    assert told(report) == failed(story)
    assert {each.runner for each in report.failures} <= {runner}


@pytest.mark.parametrize("style", LISTING)
@given(story=stories())
def test_a_listed_test_ends_exactly_itself(style: str, story: list[File]) -> None:
    runner, write = LISTING[style]
    report = said(write(story), f"npx {style}")
    for file in story:
        for case in file.cases:
            assert ended(report, runner, named(file, case)) == (case.outcome == "passed")


@pytest.mark.parametrize("style", NAMING)
@given(story=stories(most=1))
def test_so_does_one_by_its_name_alone_where_there_is_one_file(style: str, story: list[File]) -> None:
    runner, write = NAMING[style]
    report = said(write(story), f"npx {style} {story[0].path}")
    for case in story[0].cases:
        assert ended(report, runner, named(story[0], case)) == (case.outcome == "passed")


@pytest.mark.parametrize("style", SUMMING)
@given(story=stories())
def test_a_file_passes_as_a_whole_or_not_at_all(style: str, story: list[File]) -> None:
    runner, write = SUMMING[style]
    report = said(write(story), f"npx {style}")
    for file in story:
        whole = all(case.outcome == "passed" for case in file.cases)
        for case in file.cases:
            assert case.outcome == "passed" or not ended(report, runner, named(file, case))
        assert ended(report, runner, f"{file.path} > gone") <= whole


@pytest.mark.parametrize("style", SUMMING)
@given(story=stories())
def test_a_file_without_skipped_tests_passes(style: str, story: list[File]) -> None:
    runner, write = SUMMING[style]
    story = [File(file.path, tuple(Case(case.names) for case in file.cases)) for file in story]
    report = said(write(story), "")
    assert report.passes == (Pass(runner, "files", (), tuple(file.path for file in story)),)


@pytest.mark.parametrize("style", NAMING)
@given(story=stories())
def test_without_a_file_a_run_ends_what_it_took_in_or_nothing(style: str, story: list[File]) -> None:
    runner, write = NAMING[style]
    """mocha by the names, which no other test of the run may have; node's runner as a whole."""
    report = said(write(story), f"npx {style}", ok=True)
    whole = all(case.outcome == "passed" for file in story for case in file.cases)
    others = {joined(case.names) for file in story for case in file.cases if case.outcome != "passed"}
    for file in story:
        for case in file.cases:
            alone = runner == "mocha" and joined(case.names) not in others
            assert ended(report, runner, named(file, case)) == (whole or alone)
    assert not ended(said(write(story), ""), runner, "test/cart.test.js > cart")


@pytest.mark.parametrize("style", EVERY)
@given(story=stories(), data=st.data())
def test_colours_and_line_ends_do_not_matter(style: str, story: list[File], data: st.DataObject) -> None:
    text = EVERY[style][1](story)
    plain = read(text, f"npx {style}")
    ats = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=30)))
    coloured = "".join(
        text[start:end] + data.draw(st.sampled_from(["\x1b[31m", "\x1b[0m", "\x1b[1;33m", "[U+001B ESC][7m"]))
        for start, end in zip([0, *ats], [*ats, len(text)], strict=True)
    )
    assert read(coloured, f"npx {style}") == plain
    assert read(text.replace("\n", "\r\n"), f"npx {style}") == plain


@pytest.mark.parametrize("style", EVERY)
@settings(max_examples=40)
@given(story=stories(), data=st.data())
def test_no_part_of_an_output_raises_or_passes_more_than_the_whole(
    style: str, story: list[File], data: st.DataObject
) -> None:
    """A piece may know less of what failed, so it is asked only of tests that passed nowhere."""
    runner, write = EVERY[style]
    lines = write(story).split("\n")
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    report = said("\n".join(lines[start:end]), f"npx {style}")
    for file in story:
        for case in file.cases:
            if case.outcome == "failed" and style in LISTING:
                assert not ended(report, runner, named(file, case))


def test_the_root_is_nobodys_name() -> None:
    assert ROOT not in str(told(said(EVERY["jest"][1]([File("test/cart.test.js", (Case(("a",), "failed"),))]), "jest")))
