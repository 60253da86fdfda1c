"""A sheet costs as much as it has runs; what it says is what one that knows each line by itself would say."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import BLANK, DELIVERED, FARTHEST, INFERRED, PATCHED, UNKNOWN, Sheet

Line = tuple[str, str]
"""A line, and how it is known."""

texts = st.lists(st.sampled_from(["", "a", "b"]), min_size=1, max_size=5).map("\n".join)
firsts = st.integers(-1, 11) | st.just(FARTHEST + 1)
changes = st.lists(
    st.tuples(st.just("read"), firsts, texts, st.none())
    | st.tuples(st.just("edit"), firsts, texts, st.none() | st.integers(-1, 6)),
    max_size=8,
)


@given(st.none() | texts, changes)
def test_a_sheet_is_what_its_lines_are(begun: str | None, made: list[tuple[str, int, str, int | None]]) -> None:
    sheet = BLANK if begun is None else sheets.written(begun)
    slow: list[Line] = [] if begun is None else [(line, PATCHED) for line in begun.split("\n")]
    for way, first, text, took in made:
        if way == "read":
            sheet, slow = sheets.read_in_part(sheet, first, text), _read(slow, first, text)
        else:
            sheet, slow = sheets.edited_in_part(sheet, first, text, took), _edited(slow, first, text, took)
        assert _lines(sheet) == slow
        assert all(one[1] + 1 == other[0] and one[2] != other[2] for one, other in pairwise(sheet.runs))


@given(texts, texts)
def test_what_two_texts_begin_and_end_with(one: str, other: str) -> None:
    before, after = one.split("\n"), other.split("\n")
    head, tail = sheets.ends_alike(before, after)
    left = min(len(before), len(after)) - head
    assert before[:head] == after[:head]
    assert not left or before[head] != after[head]
    assert 0 <= tail <= left
    assert before[len(before) - tail :] == after[len(after) - tail :]
    assert tail == left or before[-tail - 1] != after[-tail - 1]


def _lines(sheet: Sheet) -> list[Line]:
    kinds = [kind for first, last, kind in sheet.runs for _ in range(first, last + 1)]
    return list(zip(sheet.lines, kinds, strict=True))


def _read(lines: list[Line], first: int, text: str) -> list[Line]:
    if not 1 <= first <= FARTHEST:
        return lines
    new, lines = text.removesuffix("\n").split("\n"), _reaching(lines, first)
    stood = lines[first - 1 : first - 1 + len(new)]
    if any(kind != UNKNOWN and line != now for (line, kind), now in zip(stood, new, strict=False)):
        lines = [_guess(each) for each in lines]
    return [*lines[: first - 1], *((line, DELIVERED) for line in new), *lines[first - 1 + len(new) :]]


def _edited(lines: list[Line], first: int, text: str, took: int | None) -> list[Line]:
    if not 1 <= first <= FARTHEST:
        return lines
    new, lines = text.removesuffix("\n").split("\n"), _reaching(lines, first)
    size = len(new) if took is None else max(took, 0)
    old, rest = lines[first - 1 :][:size], lines[first - 1 :][size:]
    head = 0
    while head < min(len(old), len(new)) and old[head][0] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail][0] == new[-1 - tail]:
        tail += 1
    kinds = [kind for _, kind in old[:head]] + [PATCHED] * (len(new) - head - tail)
    kinds += [kind for _, kind in old[len(old) - tail :]]
    marked = [(line, DELIVERED if kind == DELIVERED else PATCHED) for line, kind in zip(new, kinds, strict=True)]
    return [*lines[: first - 1], *marked, *(map(_guess, rest) if took is None else rest)]


def _reaching(lines: list[Line], first: int) -> list[Line]:
    return [*lines, *[("", UNKNOWN)] * (first - 1 - len(lines))]


def _guess(line: Line) -> Line:
    return line if line[1] == UNKNOWN else (line[0], INFERRED)
