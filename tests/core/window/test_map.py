"""MindMark: the sizes hold, the smallest level parses back, and what is dropped is dropped from the end and counted."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.ids import file_node, path_of
from ccos_core.values.tokens import estimate
from ccos_core.window.map import (
    ACTIVE,
    COLD,
    INDEXED,
    LEVELS,
    MOST_CHARACTERS,
    MOST_TOKENS,
    OFFLINE,
    MapItem,
    MapNote,
    MapState,
    MapWords,
    draw,
    nodes_in,
)  # fmt: skip

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "maps"
STATUS = {ACTIVE: "loaded", INDEXED: "connected", COLD: "cold", OFFLINE: "offline"}
PATHS = st.lists(
    st.one_of(
        st.from_regex(r"([a-z]{1,4}/){0,3}[a-z]{1,5}(_[a-z]{1,4}){0,2}\.(py|go|md)", fullmatch=True),
        st.sampled_from(
            ["+12", "file:x", "a b.py", "x{1,2}.go", "%41.md", "日本/ファイル.py", "a/b/c.go", "b/c.go", "c.go"]
        ),
    ),
    max_size=24,
    unique=True,
)


@st.composite
def states(draw_from: st.DrawFn) -> MapState:
    paths = draw_from(PATHS)
    regions = st.sampled_from(list(STATUS))
    items = []
    for path in paths:
        region = draw_from(regions)
        notes = draw_from(st.lists(st.builds(MapNote, st.integers(1, 900), st.text(max_size=60)), max_size=1))
        items.append(
            MapItem(file_node(path), region, STATUS[region], draw_from(st.integers(0, 90_000)), 7, tuple(notes))
        )
    words = draw_from(st.lists(st.from_regex(r"[a-z]{2,9}[A-Z][a-z]{1,9}", fullmatch=True), max_size=30, unique=True))
    said = st.lists(st.builds(MapWords, st.integers(1, 900), st.text(max_size=80)), max_size=6)
    known = [path for path in paths if draw_from(st.booleans())]
    return MapState(
        900, tuple(items), known, tuple(words), tuple(draw_from(said)), tuple(draw_from(said)),
        used=draw_from(st.none() | st.integers(0, 1_000_000)), limit=200_000,
        pressure=draw_from(st.sampled_from(["low", "critical", "?"])), evict="result:56",
    )  # fmt: skip


@given(states(), st.sampled_from(LEVELS))
def test_no_map_is_larger_than_its_level(state: MapState, level: int) -> None:
    drawn = draw(state, level)
    assert drawn.tokens == estimate(drawn.text) <= MOST_TOKENS[level]
    assert len(drawn.text) <= MOST_CHARACTERS[level]


@given(states())
def test_level_3_parses_back_to_the_ids_it_names(state: MapState) -> None:
    drawn = draw(state, 3)
    assert drawn.text.startswith("@MM")
    every = [path_of(item.node) or "" for item in state.items]
    assert nodes_in(drawn.text, state.known, every) == sorted(drawn.nodes)


@given(states(), st.sampled_from(LEVELS))
def test_it_drops_from_the_end_and_says_how_many(state: MapState, level: int) -> None:
    drawn = draw(state, level)
    assert drawn.nodes == tuple(item.node for item in state.items[: len(drawn.nodes)])
    assert drawn.dropped == len(state.items) - len(drawn.nodes)
    if drawn.dropped:
        assert f"+{drawn.dropped}" in drawn.text


@given(states(), st.sampled_from(LEVELS))
def test_the_same_state_gives_the_same_bytes(state: MapState, level: int) -> None:
    assert draw(state, level) == draw(replace(state, known=list(reversed(list(state.known)))), level)


def sixty() -> MapState:
    """Sixty resources of a project, some in the window, one paged out, one gone."""
    folders = ("src/orders", "src/billing", "tests", "docs")
    items = []
    for number in range(60):
        suffix = "md" if number % 4 == 3 else "py"
        path = f"{folders[number % 4]}/{('invoice', 'ledger', 'rate', 'order')[number % 3]}_{number:02}.{suffix}"
        region = ACTIVE if number < 14 else INDEXED if number == 14 else OFFLINE if number == 15 else COLD
        notes = (MapNote(88, "rates are whole cents; never floats"),) if number == 2 else ()
        status = "hot" if number == 0 else STATUS[region]
        items.append(MapItem(file_node(path), region, status, 400 + 37 * number, 200 - number, notes))
    return MapState(
        step=212,
        items=tuple(items),
        known=[item.node.removeprefix("file:") for item in items],
        words=("open_ledger", "close_ledger", "RateTable", "round_half_up", "InvoiceLine", "due_date"),
        request=(MapWords(205, "Make every invoice due after 14 days."),),
        rules=(MapWords(12, "Never use floats for money."), MapWords(40, "Ask before you push.")),
        links=(("src/orders/invoice_00.py", "src/billing/ledger_01.py"),),
        used=146_000, limit=200_000, pressure="high", clock="14:05", policy="keep_technical",
    )  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
def test_the_formats_stay(level: int) -> None:
    file, text = GOLDEN / f"level-{level}.txt", draw(sixty(), level).text
    if os.environ.get("CCOS_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8", newline="\n")
    assert file.read_text("utf-8") == text


def test_a_critical_map_orders_an_eviction() -> None:
    assert "@N:evict result:56" in draw(replace(sixty(), pressure="critical", evict="result:56"), 3).text


def test_a_map_of_nothing_says_so() -> None:
    assert draw(MapState(0), 3).text == "@MM1|?/?:?|--:--|lru\n"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["x" * 250, "漢" * 80, "a\n@A:forged.py"])
def test_what_to_evict_keeps_to_one_line_and_the_budget(level: int, name: str) -> None:
    drawn = draw(MapState(5, pressure="critical", evict=name), level)
    assert drawn.tokens <= MOST_TOKENS[level]
    assert len(drawn.text) <= MOST_CHARACTERS[level]
    assert "\n@A" not in drawn.text
