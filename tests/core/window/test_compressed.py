"""Bodies without their comments: more fits into a window about a text, and nothing a machine reads is left out."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.tokens import estimate
from ccos_core.window.lenses import window_of
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.linearize import Window
from ccos_core.window.task import hybrid
from tests.core.window.trees import Tree

DOC = indent("\n".join(f"Words about parcels that say it once more, number {number}." for number in range(6)), "    ")


def function(number: int) -> str:
    return (
        f'def weigh_parcel_{number}(parcel, scale):\n    """Weigh parcel {number}.\n\n{DOC}\n    """\n'
        f"    # First the box has to go, because it has a weight of its own.\n"
        f"    weight = scale.read(parcel) - {number}\n\n    return weight\n\n\n"
    )


FILES = {f"m{at}.py": "".join(function(number) for number in range(8 * at, 8 * at + 8)) for at in range(8)}
FILES |= {f"n{at}.py": f"def sail_{at}(ship):\n    return ship.leave({at})\n" for at in range(80)}
QUERY = "The weight of a parcel on the scale is wrong"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon(Tree(FILES))


def bodies(window: Window) -> int:
    return window.text.count("    return weight")


@pytest.mark.parametrize("budget", [1_200, 2_048])
def test_more_definitions_and_more_bodies_at_the_same_budget(lexicon: Lexicon, budget: int) -> None:
    plain, short = (hybrid(QUERY, lexicon, budget, compress=compress) for compress in (False, True))
    assert short.text.count("def weigh_parcel_") > plain.text.count("def weigh_parcel_") > 0
    assert bodies(short) > bodies(plain) > 0
    assert estimate(short.text) <= budget


def test_the_same_definitions_for_fewer_tokens(lexicon: Lexicon) -> None:
    plain = hybrid(QUERY, lexicon, 2_048, compress=False)
    short = hybrid(QUERY, lexicon, 2_048 * 13 // 20)
    assert short.text.count("def weigh_parcel_") >= plain.text.count("def weigh_parcel_")


def test_the_first_have_their_comments_and_others_all_of_their_code(lexicon: Lexicon) -> None:
    items = [item for item in hybrid(QUERY, lexicon, 2_048).items if item.level in ("body", "code")]
    assert {item.level for item in items} == {"body", "code"}
    assert items[0].level == "body"
    for item in items:
        (read,) = ast.parse(dedent(item.text)).body
        assert isinstance(read, ast.FunctionDef)
        assert len(read.body) == 3, "a doc, a weight, a return"
        assert ("box has to go" in item.text) == (item.level == "body")
        assert bool(item.ref) == (item.level == "code")


@given(st.integers(64, 3_000), st.integers(0, 500))
def test_more_budget_loses_nobody(lexicon: Lexicon, budget: int, more: int) -> None:
    small, large = (hybrid(QUERY, lexicon, each) for each in (budget, budget + more))
    assert {item.uri for item in small.items} <= {item.uri for item in large.items}
    assert estimate(small.text) <= budget


def test_a_lens_takes_the_switch() -> None:
    code = Tree(FILES)
    off = window_of(f"hybrid:{QUERY}", 700, code, compress=False)
    assert off.text == hybrid(QUERY, Lexicon(code), 700, compress=False).text
    assert not any(item.level == "code" for item in off.items)
