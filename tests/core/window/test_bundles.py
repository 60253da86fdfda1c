"""Bundles stay within their budget, a larger one never loses a line, and what is left out is said."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.values.tokens import estimate
from ccos_core.window.bundles import Part, pack

LINES = st.text(alphabet="ab _-.é\U0001f600#`1", max_size=60).map(lambda text: f"- {text}")
PARTS = st.lists(
    st.builds(
        Part,
        st.sampled_from(["Rules", "Map", "Tasks"]),
        st.lists(LINES, max_size=12).map(tuple),
        st.integers(1, 8),
        st.sampled_from(["", "cos://soul", "cos://memory"]),
    ),
    max_size=5,
)


@settings(max_examples=300, deadline=None)
@given(PARTS, st.integers(0, 400))
def test_a_budget_is_a_ceiling_and_what_is_left_out_is_said(parts: list[Part], budget: int) -> None:
    found = pack(parts, budget)
    assert found.tokens == (estimate(found.text) if found.text else 0) <= budget
    filled = [part for part in parts if part.lines]
    assert [each.lines + each.left for each in found.sections] == [len(part.lines) for part in filled]
    assert ("Left out:" in found.text) == bool(found.text and any(each.left for each in found.sections))
    for part, each in zip(filled, found.sections, strict=True):
        assert bool(each.tokens_left) == bool(each.left)
        if found.text and each.left:
            told = f"{each.title} {each.left:,} of {len(part.lines):,} lines (about {each.tokens_left:,} tokens"
            assert told in found.text
        if found.text:
            assert "\n".join(part.lines[: each.lines]) in found.text


@settings(max_examples=300, deadline=None)
@given(PARTS, st.integers(0, 300), st.integers(0, 300))
def test_a_larger_budget_never_loses_a_line(parts: list[Part], budget: int, more: int) -> None:
    small, large = pack(parts, budget), pack(parts, budget + more)
    for one, other in zip(small.sections, large.sections, strict=True):
        assert one.lines <= other.lines


def test_parts_share_by_their_weight() -> None:
    heavy, light = (
        Part(name, tuple(f"- line {at}" for at in range(100)), weight) for name, weight in (("A", 3), ("B", 1))
    )
    one, other = pack([heavy, light], 300).sections
    assert 2 * other.lines < one.lines < 4 * other.lines
    assert pack([heavy, light], 10_000).sections[1].left == 0


def test_words_of_the_user_are_never_cut() -> None:
    long = "- " + "word " * 200
    assert long in pack([Part("Rules", (long,), exact=True)], 1_000).text
    assert long not in pack([Part("Rules", (long,))], 1_000).text
