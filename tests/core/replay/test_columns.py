"""Rows are the same whether they came one by one or many at once, and whenever somebody looked."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay import columns
from ccos_core.replay.columns import Table, Texts

numbers = st.integers(-(2**31), 2**31 - 1)
rows = st.tuples(numbers, st.binary(min_size=4, max_size=4))
deeds = st.one_of(
    st.tuples(st.just("add"), rows),
    st.tuples(st.just("add_all"), st.lists(rows, max_size=5)),
    st.tuples(st.just("extend"), st.lists(rows, min_size=1, max_size=5)),
    st.tuples(st.just("cut"), st.integers(0, 4)),
    st.tuples(st.just("look"), st.none()),
)


@given(st.lists(deeds, max_size=20), st.integers(1, 6))
def test_a_table_is_its_rows(told: list[tuple[str, Any]], many: int) -> None:
    before, columns.MANY = columns.MANY, many
    try:
        table, known = Table("some", {"number": "<i4", "mark": "|V4"}), []
        for deed, what in told:
            known = _done(table, known, deed, what)
            assert len(table) == len(known)
        assert list(zip(table["number"].tolist(), table["mark"].tolist(), strict=True)) == known
    finally:
        columns.MANY = before


@given(st.lists(st.binary(max_size=5)), st.lists(st.binary(max_size=5)), st.integers(0, 5))
def test_texts_keep_their_numbers(some: list[bytes], more: list[bytes], size: int) -> None:
    texts = Texts("some")
    assert [texts.add(each) for each in some] == list(range(len(some)))
    assert texts.all() == some
    size = min(size, len(some))
    texts.cut(size)
    assert [texts.add(each) for each in more] == [size + at for at in range(len(more))]
    assert [texts[at] for at in range(len(texts))] == some[:size] + more


@given(st.lists(numbers).map(sorted), st.lists(numbers, min_size=1))
def test_up_to_a_step_there_are_all_rows_that_hold_from_it_on_or_sooner(steps: list[int], asked: list[int]) -> None:
    table = Table("some", {"step": "<i4"})
    table.add_all([(step,) for step in steps])
    for step in (*asked, *steps):
        assert table.upto(step) == sum(each <= step for each in steps)


def _done(table: Table, known: list[Any], deed: str, what: Any) -> list[Any]:
    if deed == "add":
        table.add(*what)
        return [*known, what]
    if deed == "add_all":
        table.add_all(what)
        return [*known, *what]
    if deed == "extend":
        table.extend(number=[each for each, _ in what], mark=[each for _, each in what])
        return [*known, *what]
    if deed == "cut":
        table.cut(min(what, len(known)))
        return known[: min(what, len(known))]
    assert len(table["mark"]) == len(known)
    return known
