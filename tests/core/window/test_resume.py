"""`resume`: regions by turns, never over the budget, nothing that wasn't in hands, the newest first."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.code import Outline
from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.resume import EXCERPT, Region, resume
from ccos_core.window.source import Source

SOURCES = {
    name: Source(name, "".join(f"line {at} of {name}, as it stands there now\n" for at in range(1, size)), Outline())
    for name, size in (("small.py", 4), ("middle.py", 60), ("large.py", 900))
}
regions = st.lists(
    st.builds(
        lambda path, first, size, step: Region(path, tuple(range(first, first + size)), step, f"read at step {step}"),
        st.sampled_from(sorted(SOURCES)),
        st.integers(1, 950),
        st.integers(1, 300),
        st.integers(1, 99),
    ),
    max_size=12,
)


def lines_of(some: list[Region], path: str) -> set[str]:
    source = SOURCES[path]
    told = {line for each in some if each.path == path for line in each.lines if line <= len(source.lines)}
    return {source.lines[line - 1] for line in told}


@given(regions, st.integers(0, 4_000))
def test_never_more_than_the_budget_and_nothing_that_nobody_had(some: list[Region], budget: int) -> None:
    window = resume(some, SOURCES.__getitem__, budget)
    assert window.tokens <= budget
    assert window.tokens == (tokens(text_parts(window.text)) if window.text else 0)
    for item in window.items:
        assert item.level == EXCERPT
        assert set(item.text.split("\n")) <= lines_of(some, item.path)


@given(regions)
def test_a_large_budget_shows_all_of_it_each_line_once(some: list[Region]) -> None:
    window = resume(some, SOURCES.__getitem__, 200_000)
    for path in SOURCES:
        shown = [line for item in window.items if item.path == path for line in item.text.split("\n")]
        told = {line for line in lines_of(some, path) if line}
        assert sorted(each for each in shown if each) == sorted(told)


def test_files_take_turns_before_one_shows_all() -> None:
    some = [Region("large.py", tuple(range(1, 900)), 9, "read at step 9"), Region("small.py", (1, 2), 3, "edited")]
    window = resume(some, SOURCES.__getitem__, 1_000)
    assert [item.path for item in window.items] == ["large.py", "small.py"]
    assert "line 1 of large.py" in window.text
    assert "line 2 of small.py" in window.text
    assert "line 899 of large.py" not in window.text


def test_the_newest_region_of_a_file_comes_first() -> None:
    some = [
        Region("large.py", tuple(range(500, 530)), 9, "edited"),
        Region("large.py", tuple(range(1, 400)), 3, "read"),
    ]
    window = resume(some, SOURCES.__getitem__, 500)
    assert "line 529 of large.py" in window.text
    assert next(item.reason for item in window.items) == "edited"
