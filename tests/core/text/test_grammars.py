"""Bounds on parsing: nesting is counted before a grammar sees a text, work is counted while it does."""

import gc
import sys
import threading

import pytest
import tree_sitter
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.grammars import (
    NESTING_LIMIT,
    ROUNDS,
    is_risky,
    load_grammar,
    nesting_bound,
    parse_bounded,
    parse_or_refuse,
)


def parser(name: str) -> tree_sitter.Parser:
    grammar = load_grammar(name)
    assert grammar is not None
    return tree_sitter.Parser(grammar)


def open_at_once(source: bytes, opening: int, closing: int) -> int:
    """What the bound bounds, counted one by one."""
    now = most = 0
    for each in source:
        now = max(0, now + (each == opening) - (each == closing))
        most = max(most, now)
    return most


@given(
    st.lists(st.sampled_from([b"(", b")", b"[", b"]", b"{", b"}", b"x", b"((((((", b"))))", b"()" * 5]), max_size=200)
)
def test_the_bound_is_never_below_what_is_open_at_once(parts: list[bytes]) -> None:
    source = b"".join(parts)
    exact = max(open_at_once(source, *pair) for pair in (b"()", b"[]", b"{}"))
    assert exact <= nesting_bound(source) <= max(exact, source.count(b"("), source.count(b"["), source.count(b"{"))


@pytest.mark.parametrize("depth", [1, ROUNDS - 1, ROUNDS, ROUNDS + 1, 5_000])
def test_what_is_closed_is_counted_as_it_nests(depth: int) -> None:
    assert nesting_bound(b"(" * depth + b")" * depth) == depth
    assert nesting_bound((b"(" * depth + b")" * depth) * 3) == depth


def test_other_brackets_between_them_dont_hide_brackets() -> None:
    assert nesting_bound(b"(]" * 3_000) == 3_000
    assert nesting_bound(b'{["' * 3_000) == 3_000


@pytest.mark.parametrize("name", ["bash", "python", "go", "rust", "typescript", "tsx", "javascript"])
def test_what_is_nested_too_deep_is_refused_before_it_is_parsed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = parser(name)
    assert parse_or_refuse(ready, b"(" * NESTING_LIMIT) != "deep"
    monkeypatch.setattr(tree_sitter, "Parser", None)
    assert parse_or_refuse(ready, b"(" * (NESTING_LIMIT + 1)) == "deep"
    assert parse_or_refuse(ready, b'{["' * 66_667) == "deep"
    assert parse_bounded(ready, b'{["' * 66_667) is None


def test_reading_the_text_again_and_again_is_given_up() -> None:
    assert parse_or_refuse(parser("javascript"), b"</*=>" * 40_000) == "hostile"


def test_threads_dont_share_a_parser_at_work() -> None:
    """A callback lets other threads run, and a parser that is begun anew while it works ends the process."""
    ready = parser("python")
    sizes: list[int] = []

    def parse(lines: int) -> None:
        for _ in range(5):
            tree = parse_bounded(ready, b"x = (1, 2)\n" * lines)
            assert tree is not None
            sizes.append(tree.root_node.child_count - lines)

    threads = [threading.Thread(target=parse, args=(lines,)) for lines in (3_000, 2_000, 1_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [0] * 15


@pytest.mark.parametrize(
    ("source", "risky"),
    [
        (b"def f(x):\n    return x\n", False),
        (b"(" * 100, False),
        (b"(" * 300, True),
        (b"x" * 20_000, True),
        (b"".join(b"value_%d = %d\n" % (at, at * at) for at in range(5_000)), False),
        (b"".join(b"value_%d = %d\n" % (at, at * at) for at in range(20_000)), True),
        (b"-\n" * 20_000, True),
        (b"".join(b"value_%d = %d\n" % (at, at * at) for at in range(5_000)) + b"-\n" * 20_000, True),
        (b"", False),
    ],
)
def test_which_texts_are_risky(source: bytes, risky: bool) -> None:
    assert is_risky(source) is risky


def test_a_parse_keeps_nothing_of_its_source() -> None:
    """tree-sitter 0.26.1 keeps a reference to every chunk that it was handed."""
    python = parser("python")
    sources = [f"def f(a):\n    return a + {number}\n".encode() * 20 for number in range(200)]
    parse_bounded(python, sources[0])
    gc.collect()
    before = sys.getallocatedblocks()
    for source in sources:
        assert parse_bounded(python, source) is not None
    gc.collect()
    assert sys.getallocatedblocks() - before < len(sources) // 4
