"""However a tree of files comes about, its links are those of the tree; and what didn't change costs nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Resolver, in_order
from tests.core.text.syntax import ecmascript_cases, go_cases, markdown_cases, rust_cases
from tests.core.text.syntax.cases import Links, Trees
from tests.core.text.syntax.trees import empty, fill, put, remembered

CASES = [go_cases.TREES, rust_cases.TREES, ecmascript_cases.TREES, markdown_cases.TREES]
EXAMPLES = [(case, *each) for case in CASES for each in case.examples]

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.family)


def all_links(found: Resolver, case: Trees) -> Links:
    return {path: found.links(path) for path in case.variants}


def trees(case: Trees) -> st.SearchStrategy[dict[str, str | None]]:
    return st.fixed_dictionaries({path: st.sampled_from(texts) for path, texts in case.variants.items()})


def changes(case: Trees) -> st.SearchStrategy[list[tuple[str, str | None]]]:
    """Each a path and what it becomes."""
    path = st.sampled_from(sorted(case.variants))
    return st.lists(path.flatmap(lambda at: st.tuples(st.just(at), st.sampled_from(case.variants[at]))), max_size=12)


def check_any_way(case: Trees, tree: dict[str, str | None], later: list[tuple[str, str | None]], asked: int) -> None:
    """Links after every change are those of building the tree afresh; every `asked`th time somebody asks for all."""
    found = fill(empty(case.family), tree)
    tree = dict(tree)
    for at, (path, text) in enumerate(later):
        if at % asked == 0:
            all_links(found, case)
        put(found, path, text)
        tree[path] = text
    afresh = fill(empty(case.family), dict(reversed(tree.items())))
    assert all_links(found, case) == all_links(afresh, case)


@every_case
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_any_way_to_a_tree_gives_the_links_of_the_tree(case: Trees, data: st.DataObject) -> None:
    check_any_way(case, data.draw(trees(case)), data.draw(changes(case)), data.draw(st.integers(1, 3)))


@pytest.mark.parametrize(("case", "tree", "later"), EXAMPLES)
def test_ways_that_once_went_wrong(
    case: Trees, tree: dict[str, str | None], later: list[tuple[str, str | None]]
) -> None:
    check_any_way(case, tree, later, 1)


@every_case
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_putting_what_is_there_changes_nothing(case: Trees, data: st.DataObject) -> None:
    tree = data.draw(trees(case))
    found = fill(empty(case.family), tree)
    before, kept = all_links(found, case), dict(found.memory.links)
    fill(found, tree)
    found.drop("never/was" + next(path for path in case.variants if language_of(path)))
    assert found.memory.links == kept
    assert all(found.memory.links[path] is links for path, links in kept.items())
    assert all_links(found, case) == before


@every_case
def test_the_first_tree_has_links(case: Trees) -> None:
    found = fill(empty(case.family), {path: texts[0] for path, texts in case.variants.items()})
    assert sum(map(len, all_links(found, case).values())) > case.fewest_links


@every_case
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_links_stay_inside_of_the_tree_and_are_ordered(case: Trees, data: st.DataObject) -> None:
    tree = data.draw(trees(case))
    found = fill(empty(case.family), tree)
    for path, links in all_links(found, case).items():
        assert list(links) == sorted(links, key=in_order)
        for link in links:
            text = tree[link.target.path]
            assert text is not None
            assert link.target.symbol < len(remembered(text, link.target.path).symbols)
            assert (path, link.owner) != (link.target.path, link.target.symbol)
