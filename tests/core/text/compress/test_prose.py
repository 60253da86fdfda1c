"""Summaries by lines: bounded, the same every time, and no fact is lost without being told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.compress.prose import facts_in, summarized
from ccos_core.values.tokens import estimate

LINES = st.lists(
    st.sampled_from(
        [
            "# Deploying", "Run `make_release` in tools/release.py.", "", "It failed with E0308 and ECONNREFUSED.",
            "The limit is 14.5% of 2,048 rows.", "Nothing of note here, only words.", "see src/db.py, openStore",
            "x" * 90, "日本語のメモ", "ValueError in load_rows at src/rows.py",
        ]
    ),
    max_size=40,
).map("\n".join)  # fmt: skip


@given(LINES, st.integers(0, 200))
def test_each_fact_survives_or_is_told_as_dropped(text: str, budget: int) -> None:
    short = summarized(text, budget)
    assert set(facts_in(text)) == set(facts_in(short.text)) | set(short.dropped)
    assert not set(facts_in(short.text)) & set(short.dropped)


@given(LINES | st.text(max_size=300), st.integers(0, 200))
def test_it_fits_its_budget(text: str, budget: int) -> None:
    short = summarized(text, budget)
    assert not short.text or estimate(short.text) <= budget
    assert short == summarized(text, budget)


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert summarized("Use tabs.\n", 20).text == "Use tabs.\n"


def test_lines_with_facts_come_before_lines_without() -> None:
    text = "\n".join(
        ["Some words that say nothing at all, and go on and on."] * 30 + ["It broke in src/db.py with E0308."]
    )
    assert "src/db.py with E0308" in summarized(text, 40).text
