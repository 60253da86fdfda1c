"""`cause` against a tale told step by step: each moment's change of a node's score, its rank before and after."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.query.cause import Change
from ccos_core.state.heat import BITS, scaled
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import AWAY, NORMAL, World
from tests.core.query.asked import ask
from tests.core.query.slowly import called
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

TOOK_ITS_PLACE = [("read", "api.py", INVOICES["dates.py"], None, {}), ("rename", "dates.py", "api.py")]
"""A file takes the place of one that reads alike, and gets its heat: nothing else is another there."""


@settings(deadline=None, max_examples=80)
@example(TOOK_ITS_PLACE, 8, "file:api.py")
@given(stories, st.integers(1, 40), st.sampled_from(NODES))
def test_changes_are_those_of_the_moments(story: list[tuple[Any, ...]], step: int, node: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    last = timeline.at(step).last
    answer = ask(timeline, "cause", step, node=node, limit=0)
    found = {timeline.journal.steps["look"][each.op.step - 1] or each.op.step: each for each in answer.changes}
    assert len(found) == len(answer.changes)
    worlds = [as_of(tale, at).world for at in ends(timeline, last)]
    begins = [0, *(at + 1 for at in ends(timeline, last))]
    before = as_of(tale, 0).world
    for begin, now in zip(begins, worlds, strict=False):
        name = called(tale, now.step, last, node)
        was = called(tale, before.step, last, node)
        each = found.pop(begin, None) if begin else None
        prior = prior_of(now, name) or prior_of(before, was)
        unit = exact(scaled(scaled(now.unit(), now.rules.weights["read"], 4), prior, 4)) if prior else 0
        moved = (counted(now, name) - counted(before, was)) / unit if unit else Fraction(0)
        if each is None:
            assert abs(moved) <= Fraction(2, 100)
            assert (now.heat_of(name) == before.heat_of(was)) or abs(moved) <= Fraction(2, 100)
        else:
            assert abs(each.moved - 100 * moved) <= 2
            assert not misses(each, before.heat_of(was), now.heat_of(name), now)
            assert each.rank_before == rank(before, was)
            assert each.rank == rank(now, name)
        before = now
    assert not found
    assert [(-abs(each.moved), -each.op.step) for each in answer.changes] == sorted(
        (-abs(each.moved), -each.op.step) for each in answer.changes
    )


def ends(timeline: Any, last: int) -> list[int]:
    return sorted({timeline.at(each).last for each in range(1, last + 1)})


def misses(each: Change, before: Sequence[int], after: Sequence[int], world: World) -> list[str]:
    """Causes of whose heat another part came, or went, than is told."""
    told, weights = {share.cause: share.moved for share in each.causes}, world.rules.weights
    read = exact(scaled(world.unit(), weights["read"], 4))
    moved = {
        cause: 100 * (exact(scaled(new, weights[cause], 4)) - exact(scaled(old, weights[cause], 4))) / read
        for cause, old, new in zip(CAUSES, before, after, strict=True)
    }
    return [cause for cause in CAUSES if abs(told.get(cause, 0) - moved[cause]) > 1]


def counted(world: World, node: str) -> Fraction:
    there = world.is_there(node) and world.tier(node, {}) != AWAY
    return exact(world.score(node)) if there else Fraction(0)


def prior_of(world: World, node: str) -> int:
    return world.prior(node) if world.is_there(node) else 0


def exact(heat: int) -> Fraction:
    return Fraction(heat & ((1 << BITS) - 1)) * Fraction(2) ** (heat >> BITS)


def rank(world: World, node: str) -> int | None:
    ranked = [(tier, score, each) for tier, score, each in world.ranking()[1] if score or tier != NORMAL]
    return next((at for at, (_, _, each) in enumerate(ranked, 1) if each == node), None)


def test_change_points_by_size() -> None:
    tale = Tale(INVOICES).read("api.py", "def handle(request):\n", 4, 4).fail("sym:api.py#handle").works()
    tale.edit("api.py", INVOICES["api.py"].replace("invoice(request)", "invoice(request) + 1"))
    answer = ask(timeline_of(tale), "cause", 10, node="sym:api.py#handle")
    assert [(each.op.step, each.moved, each.became, each.rank) for each in answer.changes] == [
        (8, 800, "fails here", 1),
        (9, -783, "works again", 1),
        (10, 300, "", 1),
        (7, 100, "", 1),
    ]
    assert [(each.cause, each.gained, each.ops) for each in answer.totals] == [
        ("read", 100, 1),
        ("edit", 300, 1),
        ("failure", 800, 2),
    ]


def test_sending_away_takes_all_of_it() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).tell({"kind": "paged_out", "nodes": ["file:api.py"]})
    answer = ask(timeline_of(tale), "cause", 8, node="file:api.py", limit=1)
    (change,) = answer.changes
    assert (change.became, change.moved, change.rank_before, change.rank) == ("sent away", -100, 1, None)
    assert answer.more == 1


def test_it_goes_back_through_renames() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    tale.tell({"kind": "renamed", "path": "api.py", "to": "new.py"}).read("new.py", INVOICES["api.py"])
    answer = ask(timeline_of(tale), "cause", 9, node="file:new.py")
    assert answer.was == ("file:api.py",)
    assert [(each.op.step, each.moved) for each in answer.changes] == [(9, 100), (7, 100)]


def test_what_was_never_warm_has_no_cause() -> None:
    assert ask(timeline_of(Tale(INVOICES)), "cause", 6, node="file:api.py").changes == ()
