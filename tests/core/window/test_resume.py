"""`resume`: files and regions by turns, never over the budget, nothing that wasn't in hands, the newest first."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.code import Outline
from ccos_core.values.tokens import text_parts, tokens
from ccos_core.window.resume import EXCERPT, Region, resume
from ccos_core.window.source import Source


def line(name: str, at: int) -> str:
    return "\n" if at % 7 == 5 else f"line {at} of {name}, as it stands there now\n"


SOURCES = {
    name: Source(name, "".join(line(name, at) for at in range(1, size)), Outline())
    for name, size in (("small.py", 4), ("middle.py", 60), ("other.py", 60), ("large.py", 900))
}
TOLD = {"read": "read at step {}", "edit": "edited at step {}", "write": "edited at step {}", "around": "around"}


def region(path: str, first: int, last: int, step: int = 1, how: str = "read") -> Region:
    return Region(path, tuple(range(first, last + 1)), step, how, TOLD[how].format(step))


regions = st.lists(
    st.builds(
        lambda path, first, size, step, how: region(path, first, first + size - 1, step, how),
        st.sampled_from(sorted(SOURCES)),
        st.integers(1, 950),
        st.integers(1, 300),
        st.integers(1, 99),
        st.sampled_from(sorted(TOLD)),
    ),
    max_size=12,
)


def lines_of(some: list[Region], path: str) -> set[str]:
    source = SOURCES[path]
    told = {line for each in some if each.path == path for line in each.lines if line <= len(source.lines)}
    return {source.lines[line - 1] for line in told} - {""}


def paths_of(some: list[Region], budget: int) -> list[str]:
    found = dict.fromkeys(item.path for item in resume(some, SOURCES.__getitem__, budget).items)
    return [path.removesuffix(".py") for path in found]


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
        assert sorted(shown) == sorted(lines_of(some, path))


def test_files_take_turns_before_one_shows_all() -> None:
    window = resume([region("large.py", 1, 899, 9), region("small.py", 1, 2, 3, "edit")], SOURCES.__getitem__, 1_000)
    assert [item.path for item in window.items] == ["large.py", "small.py"]
    assert "line 1 of large.py" in window.text
    assert "line 2 of small.py" in window.text
    assert "line 899 of large.py" not in window.text


def test_what_comes_first_begins_with_more() -> None:
    some = [region(path, 1, 59) for path in ("middle.py", "large.py", "other.py")]
    sizes = [item.tokens for item in resume(some, SOURCES.__getitem__, 1_500).items]
    assert min(sizes[:2]) > sizes[2] > 100


def test_the_newest_region_of_a_file_comes_first() -> None:
    some = [region("large.py", 500, 529, 9, "edit"), region("large.py", 1, 399, 3)]
    window = resume(some, SOURCES.__getitem__, 500)
    assert "line 529 of large.py" in window.text
    assert next(item.reason for item in window.items) == "edited at step 9"


def test_lines_that_were_had_often_come_before_those_that_were_had_last() -> None:
    often = [region("large.py", 1, 40, step) for step in (8, 7, 5)]
    window = resume([region("large.py", 300, 339, 9), *often], SOURCES.__getitem__, 500)
    assert "line 30 of large.py" in window.text
    assert next(item.reason for item in window.items) == "read at step 8"
    once = resume([region("large.py", 300, 339, 9), *often[:1]], SOURCES.__getitem__, 500)
    assert next(item.reason for item in once.items) == "read at step 9"


def test_no_region_shows_all_before_the_others_of_its_file_show_some() -> None:
    some = [region("large.py", 1, 399, 9), region("large.py", 500, 529, 3)]
    window = resume(some, SOURCES.__getitem__, 1_100)
    assert "line 529 of large.py" in window.text
    assert "line 50 of large.py" in window.text
    assert "line 300 of large.py" not in window.text


def test_what_is_around_waits_for_all_that_was_in_hands() -> None:
    some = [region("large.py", 1, 60, 9), region("large.py", 500, 599, 3), region("large.py", 400, 408, 9, "around")]
    for budget in range(200, 4_000, 200):
        text = resume(some, SOURCES.__getitem__, budget).text
        assert "line 400 of large.py" not in text or "line 599 of large.py" in text


def test_a_file_that_was_changed_and_left_waits_longer() -> None:
    read = [region(path, 1, 3, 1) for path in ("middle.py", "other.py", "small.py")]
    assert paths_of([region("large.py", 1, 3, 9, "edit"), *read], 900) == ["large", "middle", "other", "small"]
    sources = {path: Source(path, "one\ntwo\nthree", Outline()) for path in "abcdef"}
    some = [region(path, 1, 3, 9, "edit" if path == "d" else "read") for path in sources]
    assert [item.path for item in resume(some, sources.__getitem__, 900).items] == ["a", "b", "c", "e", "d", "f"]


def test_what_was_written_whole_comes_last() -> None:
    some = [region("large.py", 1, 3, 9, "write"), region("small.py", 1, 3, 2), region("middle.py", 1, 3, 1, "edit")]
    assert paths_of(some, 900) == ["small", "middle", "large"]


def test_lines_with_nothing_on_them_are_left_out() -> None:
    window = resume([region("middle.py", 1, 8)], SOURCES.__getitem__, 500)
    assert "line 4 of middle.py, as it stands there now\nline 6 of middle.py" in window.text
