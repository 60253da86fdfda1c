"""A report: what is in it came from strangers, so none of it becomes Markdown, and no fence ends before its text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.autopsy.answer import Autopsy
from ccos_core.query.when import When
from ccos_core.values.marks import Mark
from ccos_tui.present.report import Part, Report, fenced, markdown, quoted
from tests.tui.answers import answer
from tests.tui.present.answers import TEXTS, any_of

FENCES = TEXTS | st.sampled_from(("```", "````sh", "~~~", "text ``````` text"))
PARTS = st.builds(Part, TEXTS, TEXTS, st.lists(FENCES, max_size=4), st.sampled_from(("", "ccos.autopsy/1")))
REPORTS = st.builds(
    Report, TEXTS, TEXTS, st.none() | any_of(When), st.none() | any_of(Autopsy), st.lists(any_of(Mark), max_size=3),
    st.lists(PARTS, max_size=3), TEXTS,
)  # fmt: skip


@given(REPORTS)
def test_any_report_can_be_written_and_obeys_nobody(report: Report) -> None:
    text = markdown(report)
    text.encode()
    assert all(char == "\n" or ord(char) >= 32 for char in text.replace("\t", " ").replace("\r\n", "\n"))
    headings = [line for line in outside(text) if line.startswith("#")]
    assert len(headings) == 2 + len(report.parts)


@given(st.lists(FENCES, min_size=1, max_size=5))
def test_a_fence_ends_behind_its_last_line(lines: list[str]) -> None:
    made = fenced(lines)
    fence = made[-1]
    assert made[0] == fence + "text"
    assert not any(re.match(rf"^ {{0,3}}{fence}", line) for line in made[1:-1])


@given(st.text(st.sampled_from("`*_[]<>|~&\\ab"), min_size=1))
def test_nothing_quoted_is_markup(text: str) -> None:
    bare = re.sub(r"\\[\\`*_{}\[\]<>|~&]", "", quoted(text))
    assert not set(bare) & set("`*_[]<>|~&\\")


def test_the_verdict_and_who_is_suspect_stand_in_sentences() -> None:
    autopsy = answer("autopsy")
    part = Part("What went wrong", "ccos-tui autopsy demo.ccos", ["as lines"], autopsy.schema)
    text = markdown(Report("demo", "ccos://demo.ccos/step/61", answer("when"), autopsy, (), [part], "ccos-tui verify"))
    assert quoted(autopsy.verdict) in text
    assert "as lines" not in text
    assert "ccos-tui autopsy demo.ccos" in text
    for suspect in autopsy.suspects:
        for each in suspect.evidence:
            assert f"step {each.step:,}: " in text
    assert answer("when").hash in text


def test_marks_stand_by_their_steps() -> None:
    part = Part("Marks", "ccos-tui mark demo.ccos", ["as lines"], "ccos.marks/1")
    marks = (Mark(4, "here", "why"), Mark(1_234, "", "so"))
    text = markdown(Report("demo", "", None, None, marks, [part], ""))
    assert "- step 4: **here**: why\n- step 1,234: note: so\n" in text


def test_an_answer_of_thousands_of_lines_is_told_in_part() -> None:
    part = Part("Failures", "ccos-tui failures demo.ccos", [f"line {number}" for number in range(1_402)])
    text = markdown(Report("demo", "", None, None, (), [part], ""))
    assert "\nline 399\n... and 1,002 more lines\n```" in text


def outside(text: str) -> list[str]:
    """The lines that stand in no fence."""
    found: list[str] = []
    fence = ""
    for line in text.split("\n"):
        ticks = re.match(r"^`{3,}", line)
        if not fence and ticks:
            fence = ticks[0]
        elif fence and line == fence:
            fence = ""
        elif not fence:
            found.append(line)
    assert not fence
    return found
