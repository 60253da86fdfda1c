"""Node ids: any path and any name go in and come out, and no two nodes share an id."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ccos_core.values.ids import escape, file_node, is_node, path_of, sym_node, sym_nodes, symbol_of, unescape

PATHS = st.text(min_size=1, max_size=20) | st.text(alphabet="a/%#~2\n\x7f", min_size=1, max_size=8)
NAMES = st.text(min_size=1, max_size=12) | st.text(alphabet="a~.#012", min_size=1, max_size=8)
NTHS = st.integers(1, 10**6)


@given(PATHS)
def test_paths_round_trip(path: str) -> None:
    assert unescape(escape(path)) == path
    assert path_of(file_node(path)) == path
    assert "#" not in escape(path)
    assert not any(ord(ch) < 0x20 or ord(ch) == 0x7F for ch in escape(path))


@given(PATHS, NAMES, NTHS)
def test_symbols_round_trip(path: str, name: str, nth: int) -> None:
    node = sym_node(path, name, nth)
    assert path_of(node) == path
    assert symbol_of(node) == (name, nth)
    assert is_node(node)


@given(PATHS, st.lists(NAMES | st.sampled_from(["f", "f~2"])))
def test_all_of_a_file_are_called_as_each(path: str, names: list[str]) -> None:
    each = [sym_node(path, name, names[: at + 1].count(name)) for at, name in enumerate(names)]
    assert sym_nodes(path, names) == each


@given(st.tuples(PATHS, NAMES, NTHS), st.tuples(PATHS, NAMES, NTHS))
def test_no_two_share_an_id(one: tuple[str, str, int], other: tuple[str, str, int]) -> None:
    assume(one != other)
    assert sym_node(*one) != sym_node(*other)


def test_the_second_of_a_name() -> None:
    assert sym_node("src/a.py", "f", 2) == "sym:src/a.py#f~2"
    assert sym_node("src/a.py", "f~2") == "sym:src/a.py#f~2~1"
    assert sym_node("a#b%.py", "f") == "sym:a%23b%25.py#f"


@pytest.mark.parametrize("node", ["sym:a#f~" + "9" * 5_000, "sym:a#f~x", "sym:a#~Foo", "sym:a", "claim:x~2"])
def test_what_people_type_never_trips(node: str) -> None:
    symbol_of(node)
    path_of(node)


def test_what_is_no_id() -> None:
    assert not is_node("src/a.py")
    assert not is_node("C:/x")
    assert not is_node("file:")
    assert path_of("claim:x") is None
    assert path_of("memory:CLAUDE.md") == "CLAUDE.md"
    assert symbol_of("file:a#b") is None
    assert unescape("100%") == "100%"
    assert unescape("%zz%4") == "%zz%4"
