"""A first read shows the skeleton and what was spoken of; an edit's result what the agent didn't write."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.session.deriving import BY_NAME
from ccos_core.text.compress.reread import shorten_edit
from ccos_core.text.compress.source_reads import Mentions, shorten_source
from ccos_core.text.syntax.parse import outline
from ccos_core.values.tokens import estimate
from tests.core.text.compress.test_router import whole

REF = "0123456789ab"
NAMES = [f"parse_part_{at}" for at in range(30)]


def body(name: str) -> str:
    lines = "\n".join(f"    {name}_value = compute_total({name!r}, {at})" for at in range(8))
    return f"def {name}(text):\n{lines}\n    return {name}_value\n\n\n"


CONTENT = "LIMIT = 3\n\n\n" + "".join(map(body, NAMES))
SYMBOLS = getattr(outline(BY_NAME["python"], CONTENT.encode()), "symbols", ())
SHOWN = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(CONTENT.split("\n"), 1))


def mentions(*calls: str, said: str = "") -> Mentions:
    found = Mentions()
    found.add(said)
    for call in calls:
        found.add(call, is_call=True)
    return found


@given(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_bodies_that_were_named_stay_and_the_others_can_be_fetched(called: set[str], said: set[str]) -> None:
    short = shorten_source(SHOWN, CONTENT, SYMBOLS, mentions(*called, said=" ".join(said)), REF)
    named = called | said
    if len(named) == len(NAMES):
        assert short is None
        return
    assert short is not None
    assert whole(short, SHOWN) == SHOWN
    assert estimate(short.text) < estimate(SHOWN)
    for name in NAMES:
        assert f"def {name}(text):" in short.text, "every definition is shown"
        assert f"return {name}_value" in short.text, "and its last line"
        assert (f"compute_total({name!r}, 3)" in short.text) == (name in named)


def test_a_body_stays_if_it_uses_a_name_that_was_said_but_not_one_of_a_call_alone() -> None:
    assert shorten_source(SHOWN, CONTENT, SYMBOLS, mentions(said="Why does compute_total fail?"), REF) is None
    assert shorten_source(SHOWN, CONTENT, SYMBOLS, mentions("compute_total"), REF) is not None


def test_a_line_that_the_result_shows_otherwise_stays() -> None:
    other = SHOWN.replace(f"compute_total({NAMES[3]!r}, 3)", "changed()")
    short = shorten_source(other, CONTENT, SYMBOLS, Mentions(), REF)
    assert short is not None
    assert "changed()" in short.text


def test_a_slice_and_a_short_file() -> None:
    lines = CONTENT.split("\n")
    part, first = "\n".join(lines[3:]), 40
    symbols = getattr(outline(BY_NAME["python"], part.encode()), "symbols", ())
    shown = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines[3:], first))
    short = shorten_source(shown, part, symbols, mentions(NAMES[0]), REF, first)
    assert short is not None
    assert f"compute_total({NAMES[0]!r}, 3)" in short.text
    assert f"compute_total({NAMES[1]!r}, 3)" not in short.text
    assert shorten_source("\n".join(lines[:50]), "\n".join(lines[:50]), SYMBOLS, Mentions(), REF) is None


def test_what_an_edit_shows_beyond_what_is_known_stays() -> None:
    lines = [f"    total_{number} = compute({number}, 'a longer text')" for number in range(20)]
    text = "\n".join(["The file a.py has been updated:", *(f"  {at}→{line}" for at, line in enumerate(lines, 1)), "ok"])
    short = shorten_edit(text, {line.strip() for line in lines[:10]}, REF)
    assert short is not None
    assert whole(short, text) == text
    assert [(gap.first, gap.last) for gap in short.gaps] == [(2, 11)]
    assert shorten_edit(text, set(), REF) is None
