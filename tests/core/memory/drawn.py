"""Random entries, and random queries over them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ccos_core.memory.asking import CameUp, Compared, Dated, Has, Says, Since
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.text.boolean import Every, Some, Without

DAY = 86_400_000
NOW = 20_000 * DAY
CLASSES, TAGS, REGIONS = ("said", "preference", "tool"), ("build", "db", "a b"), ("EU", "US")
SENTENCES = ("Use tabs in the Makefile.", "use TABS", "Never push to main.", 'Quote "this" one.')


@st.composite
def entries(draw: st.DrawFn, number: int = 0) -> Entry:
    first = draw(st.integers(1, 40))
    words = draw(st.sampled_from(SENTENCES))
    at = draw(st.sampled_from((0, NOW - 40 * DAY, NOW - 3 * DAY, NOW)))
    return Entry(
        f"memo:{number:016x}",
        draw(st.sampled_from(CLASSES)),
        words[:8],
        words,
        tags=tuple(sorted(draw(st.sets(st.sampled_from(TAGS))))),
        privacy=draw(st.integers(0, len(LEVELS) - 1)),
        regions=tuple(sorted(draw(st.sets(st.sampled_from(REGIONS))))),
        first=first,
        last=first + draw(st.integers(0, 10)),
        count=draw(st.integers(1, 3)),
        at=at,
        last_at=at and at + draw(st.sampled_from((0, DAY))),
        tokens=draw(st.integers(0, 30)),
        session=draw(st.sampled_from(("s1", "s2"))),
        context=draw(st.sampled_from(("", "sub"))),
        intent=draw(st.sampled_from(("", "prompt:1", "prompt:2"))),
        call=draw(st.sampled_from(("", "call-1"))),
        author=draw(st.sampled_from(("user", "agent", "file"))),
        provider=draw(st.sampled_from(("", "claude-code/opus", "codex/gpt"))),
    )


def many_entries(most: int = 12) -> st.SearchStrategy[list[Entry]]:
    return st.integers(0, most).flatmap(lambda size: st.tuples(*(entries(number) for number in range(size)))).map(list)


def _conditions() -> st.SearchStrategy[Any]:
    steps = st.none() | st.integers(0, 45)
    dates = st.sampled_from(("", "7d", "24h", "2024-10-04", "2024-10-01T00:00"))
    ends = st.tuples(dates, dates).filter(any)
    return st.one_of(
        st.builds(lambda values: Has("class", values), _some(CLASSES)),
        st.builds(lambda values: Has("tag", values), _some((*TAGS, "none"))),
        st.builds(lambda values: Has("region", values), _some(REGIONS)),
        st.builds(lambda values: Has("intent", values), _some(("prompt:1", "prompt:2"))),
        st.builds(lambda values: Has("author", values), _some(("user", "agent"))),
        st.builds(lambda values: Has("session", values), _some(("s1",))),
        st.builds(lambda values: Has("provider", values), _some(("codex", "claude-code/opus"))),
        st.builds(
            Compared, st.sampled_from(("count", "tokens")), st.sampled_from(("=", "!=", "<", ">=")), st.integers(0, 9)
        ),
        st.builds(Compared, st.just("privacy"), st.sampled_from(("=", "<=", ">")), st.integers(0, 4)),
        st.builds(Says, st.sampled_from(("tabs", "TABS", "Use", '"this"', "push to", "zebra"))),
        st.builds(Since, st.integers(0, 45)),
        st.tuples(steps, steps).filter(lambda both: both != (None, None)).map(lambda both: CameUp(*both)),
        ends.map(lambda both: Dated(*both)),
    )


def _some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True).map(tuple)


def _joined(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(several.map(Every), several.map(Some), parts.map(Without))


def queries() -> st.SearchStrategy[Any]:
    """Return queries of any depth, as trees."""
    return st.recursive(_conditions(), _joined, max_leaves=6)


def nested(key: str, said: Any) -> Any:
    """Put a condition in 3,000 others."""
    for _ in range(3_000):
        said = {key: said if key == "not" else [said]}
    return said
