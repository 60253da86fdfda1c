"""Names in short: whatever they are, they come back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.braces import expand, fold

WORDS = st.sampled_from(
    ["manual", "commit", "Hooks", "test", "go", "py", "a", "", "x{y}", "a,b", " ", "%41", "|", "日本", "\u00a0"]
)
NAMES = st.one_of(
    st.lists(st.tuples(WORDS, st.sampled_from(["_", "-", "/", ".", ""])), min_size=1, max_size=5).map(
        lambda parts: "".join(word + mark for word, mark in parts)
    ),
    st.text(max_size=12),
).filter(bool)


@given(st.lists(NAMES, max_size=12))
def test_what_is_folded_expands_to_the_same_names(names: list[str]) -> None:
    assert expand(fold(names)) == sorted(set(names))


@given(st.lists(st.from_regex(r"[a-z]{1,6}(_[a-z]{1,4}){0,3}\.(go|py)", fullmatch=True), min_size=1, max_size=12))
def test_it_is_no_longer_than_the_names_side_by_side(names: list[str]) -> None:
    assert len(fold(names)) <= len(" ".join(sorted(set(names)))) + 2  # braces around stems of one suffix


def test_it_is_what_a_shell_expands() -> None:
    names = ["manual_commit.go", "manual_commit_hooks.go", "manual_commit_test.go", "README"]
    assert fold(names) == "README manual_commit{,_hooks,_test}.go"


def test_a_brace_without_an_end_is_a_name() -> None:
    assert expand("a{b c}d ,e") == [",e", "a{b", "c}d"]
