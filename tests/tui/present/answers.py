"""Answers of any content for the presenters: all that their dataclasses allow, with texts a terminal would obey."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.memory.view import LISTS, Grant, Policy
from ccos_core.present.rows import Row, View
from ccos_core.present.words import STATES
from ccos_core.query.autopsy.answer import CERTAINTIES
from ccos_core.query.hosted.both import Compared, Overlap
from ccos_core.query.hosted.rows import WHAT
from ccos_core.query.hosted.watch import AgentWatch
from ccos_core.query.hosted.whose import Whose
from ccos_core.query.missing_rows import CAME, LEFT
from ccos_core.query.overview import Lane, Overview
from ccos_core.query.overview_rows import SORTS
from ccos_core.query.resting import RESTING
from ccos_core.query.telling import Run, Told
from ccos_core.query.watch import SuggestedWatch, Watch
from ccos_core.query.whatif import Place
from ccos_core.query.why_rows import AGAIN, WITH
from ccos_core.query.windows import Shown
from ccos_core.state.rules import CAUSES
from ccos_tui.present.rows import fitted
from ccos_tui.themes import ROLES

HOSTILE = (
    "src/db.py", "日本語/ファイル.py", "a\x1b[31mred\x1b[0m", "tab\tand\x00nul", "[bold]markup[/bold]",
    "e\u0301\u0301\u0301", "\u202eleft", "line\nend\r", "👩‍👩‍👧", "", " ", "x" * 300, "[", "\\[", "\x9b2J",
)  # fmt: skip
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=40))
NODES = st.one_of(
    TEXTS.map(lambda text: f"file:{text}"),
    st.builds(lambda path, name: f"sym:{path}#{name}", TEXTS, TEXTS),
    TEXTS,
)
NUMBERS = st.integers(0, 10_000_000)
WIDTHS = st.integers(1, 200)
STATE = st.sampled_from(sorted(STATES))
KNOWN: Mapping[tuple[str, str], st.SearchStrategy[Any]] = {
    ("", "state"): STATE,
    ("", "node"): NODES,
    ("Pressure", "level"): st.sampled_from(("low", "medium", "high", "critical")),
    ("", "cause"): st.sampled_from(CAUSES),
    ("", "tier"): st.sampled_from(("pinned", "fails here", "warm", "sent away", "gone", "cold")),
    ("", "wall"): st.sampled_from(("start", "end")),
    ("", "fate"): st.sampled_from(("there", "dropped", "uncertain")),
    ("ToldStatement", "verdict"): st.sampled_from(("violates", "follows", "touches")),
    ("", "question"): st.sampled_from(("blame", "impact")),
    ("Census", "head"): st.just("a1590bdfb0eda211"),
    ("Census", "space"): st.fixed_dictionaries(
        dict.fromkeys(("contents", "facts", "archive", "ops", "file", "wal", "cache"), st.integers(0, 10**12))
    ),
    ("", "hash"): st.sampled_from(("", "a1590bdfb0eda211")),
    ("Shown", "level"): st.sampled_from(("name", "signature", "skeleton", "body")),
    ("Loss", "again"): st.sampled_from(sorted(AGAIN)),
    ("Dependant", "how"): st.sampled_from(sorted(WITH)),
    ("Rest", "how"): st.sampled_from(sorted(RESTING)),
    ("CoUse", "together"): st.lists(st.tuples(NODES, st.integers(1, 10**6)), max_size=3).map(tuple),
    ("Resting", "names"): st.lists(NODES, max_size=3).map(tuple),
    ("Turn", "before"): STATE,
    ("Turn", "after"): STATE,
    ("Happening", "before"): STATE,
    ("Eviction", "what"): st.sampled_from(sorted(LEFT)),
    ("Entrance", "what"): st.sampled_from(sorted(CAME)),
    ("Happening", "what"): st.sampled_from(sorted(WHAT)),
    ("HeldTurn", "before"): STATE,
    ("HeldTurn", "what"): st.sampled_from(sorted(WHAT)),
    ("Lost", "what"): st.sampled_from(sorted(WHAT)),
    ("FileTurn", "how"): st.sampled_from(("new", "gone", "renamed", "changed")),
    ("Mover", "causes"): st.lists(st.sampled_from(CAUSES), max_size=4).map(tuple),
    ("Moved", "moved"): st.integers(-100_000, 100_000),
    ("Mover", "moved"): st.integers(-100_000, 100_000),
    ("Cause", "moved"): st.integers(-100_000, 100_000),
    ("Given", "moved"): st.integers(-100_000, 100_000),
    ("Suspect", "certainty"): st.sampled_from(CERTAINTIES),
    ("Finding", "certainty"): st.sampled_from(CERTAINTIES),
    ("Member", "before"): st.deferred(lambda: any_of(Place)),  # a member is in one of the two windows, at least
    ("Change", "moved"): st.integers(-100_000, 100_000),
    ("Total", "lost"): st.integers(-100_000, 0),
    ("Energy", "lost"): st.integers(-100_000, 0),
    ("Told", "says"): TEXTS,
    ("", "runs"): st.deferred(lambda: runs()),
    ("Governed", "policy"): st.deferred(lambda: policies()),
    ("Edition", "content"): st.sampled_from(("", "a1590bdfb0eda211")),
}
"""(class, field) → what it may hold, where that is less than its type allows; without a class of any."""


def any_of(answer: type, most: int = 3) -> st.SearchStrategy[Any]:
    """Any answer of a class; lists hold at most `most`, and those within them fewer, for else it takes minutes."""
    known = {"Told": Told, "Shown": Shown, "Overlap": Overlap, **vars(sys.modules[answer.__module__])}
    if answer is Overview:
        return overviews()
    hints = get_type_hints(answer, localns=known)
    return st.builds(
        answer, **{each.name: _field(answer, each.name, hints[each.name], most) for each in fields(answer)}
    )


def policies() -> st.SearchStrategy[Mapping[str, Any]]:
    """Policies as they are recorded."""
    words = st.lists(TEXTS, max_size=2).map(tuple)
    grants = st.builds(Grant, st.integers(0, 4), **dict.fromkeys(LISTS, words))
    numbers = st.dictionaries(TEXTS, st.integers(0, 10**12), max_size=2)
    return st.builds(Policy, st.dictionaries(TEXTS, grants, max_size=3), numbers, numbers, numbers).map(Policy.as_json)


def _field(answer: type, name: str, hint: Any, most: int) -> st.SearchStrategy[Any]:
    anywhere = KNOWN.get(("", name)) if hint is str or name == "runs" else None
    known = KNOWN.get((answer.__name__, name), anywhere)
    return known if known is not None else _typed(hint, most)


def _typed(hint: Any, most: int) -> st.SearchStrategy[Any]:
    if hint in SIMPLE:
        return SIMPLE[hint]
    if is_dataclass(hint):
        return st.deferred(lambda: any_of(hint, max(most - 1, 1)))  # type: ignore[arg-type]
    if get_origin(hint) is tuple:
        return st.lists(_typed(get_args(hint)[0], most), max_size=most).map(tuple)
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of(*(_typed(each, most) for each in get_args(hint)))
    if get_origin(hint) is dict:
        return st.dictionaries(*(_typed(each, most) for each in get_args(hint)), max_size=most)
    raise TypeError(hint)


SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    int: NUMBERS, str: TEXTS, bool: st.booleans(), type(None): st.none(),
}  # fmt: skip


@st.composite
def overviews(draw: st.DrawFn) -> Overview:
    """An overview of some steps; what it says of them fits together."""
    first, size = draw(st.integers(1, 1_000)), draw(st.integers(1, 300))
    count = draw(st.integers(1, size))
    steps = st.integers(first, first + size - 1)
    heat = draw(st.lists(st.integers(0, 5_000), min_size=count, max_size=count))
    held = draw(st.lists(st.none() | st.integers(1, 200_000), min_size=count, max_size=count))
    some = st.sets(steps, max_size=5).map(lambda found: tuple(sorted(found)))
    return Overview(
        first=first,
        last=first + size - 1,
        head=first + size,
        at=first,
        begins=tuple(first + at * size // count for at in range(count)),
        heat=tuple(heat),
        hottest=draw(steps) if any(heat) else None,
        held=tuple(held),
        fullest=draw(steps) if any(held) else None,
        cliffs=draw(some),
        lanes=tuple(Lane(name, draw(some)) for name in SORTS),
    )


@st.composite
def runs(draw: st.DrawFn, head: int | None = None) -> tuple[Run, ...]:
    """The states of a node, from step 0 to the head."""
    last = draw(st.integers(0, 500)) if head is None else head
    begins = sorted({0, *draw(st.sets(st.integers(0, last), max_size=12))})
    ends = [*(begin - 1 for begin in begins[1:]), last]
    return tuple(Run(first, end, draw(STATE)) for first, end in zip(begins, ends, strict=True))


def watch(stretches: tuple[Run, ...], node: str = "file:src/db.py", left: int = 0) -> Watch:
    """An answer about a suggested window with these runs."""
    head = stretches[-1].last
    side = SuggestedWatch("working-set", 2_048, stretches[-1].state, (), left, left + 1, None, stretches)
    return Watch(node, head, head, side, None, None)


def host_watch(stretches: tuple[Run, ...], node: str = "file:src/db.py", lost: int = 0) -> Watch:
    """One about the agent's window."""
    head = stretches[-1].last
    whose = Whose("host", "claude-code", "one", "")
    side = AgentWatch(whose, stretches[-1].state, (), lost, lost + 1, None, stretches)
    return Watch(node, head, head, None, side, None)


def both_watches(suggested: Watch, agent: Watch) -> Watch:
    """One about both."""
    return replace(suggested, agent=agent.agent, compared=Compared((), 0, 0, 0, 0, 0))


def check(rows: Sequence[Row], width: int) -> None:
    """Rows fit, say nothing a terminal would obey, and name roles that there are."""
    for row in rows:
        spans = fitted(row, width)
        assert sum(cell_len(span.text) for span in spans) == width
        text = "".join(span.text for span in (*row.spans, *row.right))
        assert all(ord(char) >= 32 and not 127 <= ord(char) < 160 for char in text), text
        assert {span.role for span in spans} | {row.role} <= set(ROLES)


def rows_of(answer: Any, width: int) -> list[Row]:
    """What a pane of this width shows of an answer, its title included."""
    return list(answer.as_rows(View(width, full=True)))
