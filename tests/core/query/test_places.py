"""`timeline`, `goto`, `state`, `next`, `prev`, `when`, `epochs`: what they say is what a replay from zero says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, NotFound
from ccos_core.log.chain import GENESIS
from ccos_core.ops import epoch
from ccos_core.query.epochs import Change, epochs
from ccos_core.query.state import State, back, forth, goto, state
from ccos_core.query.telling import one_line, told_op
from ccos_core.query.timeline import LIMIT, Steps, timeline
from ccos_core.query.when import when
from ccos_core.replay.timeline import Timeline
from ccos_core.values.marks import Mark
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, told_tale


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40))
def test_a_state_is_what_a_replay_up_to_there_gives(story: list[tuple[Any, ...]], step: int) -> None:
    tale = told_tale(story)
    line = timeline_of(tale)
    step = min(step, line.head)
    found = state(line, step)
    world = as_of(tale, line.at(step).last).world
    assert found.files == len(world.graph.files)
    assert found.symbols == sum(len(each.outline.symbols) for each in world.graph.files.values())
    assert found.warm == sum(world.is_there(node) and world.score(node) > 0 for node in world.warm())
    assert found.failures == len(world.failures.live)
    assert len(found.failing) == min(found.failures, 5)
    assert (found.step, found.head) == (step, line.head)
    told = [op["window"] for op in tale.ops[:step] if op["kind"] == "usage"]
    assert found.tokens == (told[-1] if told else None)


def walked() -> Timeline:
    tale = Tale(INVOICES)
    tale.tell({"kind": "usage", "window": 700, "at": 5_000}).prompt().fail("sym:store.py#save", test="test_save")
    return timeline_of(tale)


def test_the_ends_are_walls() -> None:
    line = walked()
    assert (line.head, forth(line, 3, **NOTHING).step, back(line, 3).step) == (9, 4, 2)
    assert (forth(line, 9, **NOTHING).step, forth(line, 9, **NOTHING).wall) == (9, "end")
    assert (back(line, 0).step, back(line, 0).wall) == (0, "start")
    assert back(line, 1).wall == forth(line, 8, **NOTHING).wall == ""
    assert state(line, 0) == State(
        0, 9, 0, 0, None, GENESIS.hex(), "ccos://tale/step/0", None, "", 0, 0, 0, 0, (), 0, None
    )


NOTHING: dict[str, Any] = {"node": None, "lens": "working-set", "budget": 2048, "progress": lambda done, total: None}


def test_goto_goes_there() -> None:
    line = walked()
    assert goto(line, 9, step=7) == state(line, 7)
    assert state(line, 9).failing == ("user test_save",)
    assert state(line, 7).tokens == 700
    with pytest.raises(NotFound):
        goto(line, 9, step=10)


def test_when_is_the_moment() -> None:
    line = replace_name(walked(), "/somewhere/else/my work.ccos")
    found = when(line, 7)
    assert (found.step, found.head, found.percent, found.epoch, found.at) == (7, 9, 77, 1, 5_000)
    assert found.hash == line.hash(7)
    assert found.moment == "ccos://my work.ccos/step/7"
    assert when(line, 0).epoch == 0


def replace_name(line: Timeline, name: str) -> Timeline:
    line.name = name
    return line


# ---- the list of steps ----


@settings(deadline=None)
@given(st.integers(0, 30), st.tuples(st.integers(0, 30), st.integers(0, 30)) | st.none(), st.integers(0, 12))
def test_the_list_is_the_span_around_the_cursor(at: int, span: tuple[int, int] | None, limit: int) -> None:
    found = listed(LONG, at, span=span, limit=limit)
    first, last = (max(min(span), 1), max(span)) if span else (1, 30)
    steps = [told.step for told in found.steps]
    assert steps == list(range(first + found.before, last + 1 - found.after))
    assert len(steps) == (min(limit, last - first + 1) if limit else max(last - first + 1, 0))
    if first <= at <= last and steps:
        assert at in steps
    assert [mark.step for mark in found.marks] == [step for step in (4, 20) if step in steps]


def listed(line: Timeline, at: int, **said: Any) -> Steps:
    given: dict[str, Any] = {"span": None, "limit": LIMIT, "session": None, "context": None, **said}
    return timeline(line, at, marks=(Mark(4, "here", ""), Mark(20, "", "a note")), **given)


def long() -> Timeline:
    """Thirty steps: an epoch, and then turns of three contexts."""
    tale = Tale()
    contexts = ({}, {"session": "alpha"}, {"session": "alpha", "context": "sub"}, {"session": "albert"})
    for at in range(29):
        tale.tell({"kind": "usage", "window": at, "host": "h", **contexts[at % 4]})
    return timeline_of(tale)


LONG = long()


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ({"session": "alpha"}, [3, 4, 7, 8, 11, 12, 15, 16, 19, 20, 23, 24, 27, 28]),
        ({"session": "alpha", "context": "main"}, [3, 7, 11, 15, 19, 23, 27]),
        ({"context": "sub", "span": (10, 20)}, [12, 16, 20]),
        ({"session": "alb"}, [5, 9, 13, 17, 21, 25, 29]),
    ],
)
def test_only_a_session_or_a_context(said: dict[str, Any], steps: list[int]) -> None:
    assert [told.step for told in listed(LONG, 30, **said).steps] == steps


@pytest.mark.parametrize(
    ("said", "hint"),
    [({"session": "al"}, "One of: alpha  albert"), ({"session": "alphaa"}, "Did you mean alpha?"),
     ({"context": "subb"}, "Did you mean sub?")],
)  # fmt: skip
def test_a_stream_that_is_not_there(said: dict[str, Any], hint: str) -> None:
    with pytest.raises(CcosError) as refused:
        listed(LONG, 30, **said)
    assert refused.value.hint == hint


def test_an_op_is_told_in_a_line() -> None:
    tale = Tale()
    tale.tell({"kind": "prompt", "said": tale.facts.keep("first\n\n  second " + "x" * 400), "source": "user"})
    told = timeline_of(tale)
    found = listed(told, 2).steps[1]
    assert found.says.startswith("first second xxx")
    assert found.says.endswith("…")
    assert len(found.says) == 240
    assert found.bytes == 416
    assert found == told_op(2, tale.ops[1], told.content)


@given(st.text())
def test_a_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert len(one_line(text, 20)) <= 20


# ---- rules ----


def test_epochs_say_what_became_another() -> None:
    tale = Tale()
    tale.prompt()
    tale.tell({"kind": "retune", "v": 1, "weights": {"edit": 96}, "reason": "edits matter", "at": 7})
    new = {**epoch.current(interpreters={"python": 4}), "caps": {**epoch.CAPS, "reach": 9}}
    tale.prompt().tell(new)
    found = epochs(timeline_of(tale), 4)
    assert [(each.number, each.kind, each.first, each.last, each.reason) for each in found.epochs] == [
        (1, "epoch", 1, 2, ""),
        (1, "retune", 3, 4, "edits matter"),
        (2, "epoch", 5, 5, ""),
    ]
    assert found.epochs[1].changes == (Change("weights.edit", 48, 96),)
    assert found.epochs[2].changes == (
        Change("caps.reach", 400, 9),
        Change("interpreters.python", None, 4),
        Change("weights.edit", 96, 48),
    )
