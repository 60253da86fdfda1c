"""The cause was read, left the window, and wasn't thought of again while its consequence was worked on."""

from __future__ import annotations

from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import (
    Unfit,
    answer,
    breaking_edit,
    busy,
    claim,
    explore,
    feature,
    flail,
    late_end,
    off_the_spot,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.model import Answer
from tests.bench.drifts.phrases import following
from tests.bench.drifts.spotting import body_of

SHAPES = ("compacted", "compacted", "edited", "edited", "cleared", "fell", "told", "glimpsed", "off the spot")


def tell(desk: Desk) -> Answer:
    ground, rng = desk.ground, desk.rng
    shape, fault = rng.choice(SHAPES), ground.main
    always = shape not in ("edited",) and rng.random() < 0.6
    if always:
        desk.put(fault)
    around = pool(desk, rivals=rng.choice((0, 0, 1)))
    opening(desk, around, rng.randint(1, 5))
    _first_sight(desk, shape, always)
    busy(desk, rng.randint(1, 4), around)
    lost = _loss(desk, shape)
    if rng.random() < 0.6:
        desk.prompt(following(rng))
    if rng.random() < 0.4:
        explore(desk, around, rng.randint(1, 4))
    only = selection(desk)
    desk.run(only)
    if shape == "glimpsed":
        _glimpse(desk)
    places = off_the_spot(desk) if shape == "off the spot" else workplaces(desk)
    tries = flail(desk, places, rng.randint(3, 7), only)
    claim(desk, "out", lost, tries[-1][1].at, fault)
    late_end(desk, fault, 0.4, only)
    return answer(
        desk, "evicted", shape, lost, tries[0][1].at,
        f"{fault.path} was out of the window when {fault.test.name} failed, and {places[0][0]} was worked on instead",
    )  # fmt: skip


def _first_sight(desk: Desk, shape: str, always: bool) -> None:
    """The cause is seen, by the agent or by somebody it sent."""
    fault, rng = desk.ground.main, desk.rng
    if shape == "told":
        with desk.subagent():
            explore(desk, pool(desk), rng.randint(1, 3))
            desk.read(fault.path)
            if not always:
                breaking_edit(desk, fault)
        return
    desk.read(fault.path)
    if not always:
        breaking_edit(desk, fault)
    elif rng.random() < 0.3:
        feature(desk, fault.path, read=False)


def _loss(desk: Desk, shape: str) -> int:
    """It leaves the window; where only a subagent saw it, it never was in the main one."""
    if shape == "told":
        return desk.here - 1
    if shape == "cleared":
        return desk.clear()
    if shape == "fell":
        desk.usage()
        explore(desk, pool(desk), 2)
        return desk.fall()
    lost = desk.compact(keep=desk.rng.choice((0, 0, 2)))
    if desk.rng.random() < 0.2:
        busy(desk, 1, pool(desk))
        desk.compact()
    return lost


def _glimpse(desk: Desk) -> None:
    """Some lines of the cause's file are read again, and not those that matter."""
    fault = desk.ground.main
    lines = desk.files[fault.path].split("\n")
    wrong = lines.index(fault.wrong) + 1
    body = body_of(desk.ground.family, desk.files[fault.path], fault.symbol.rpartition(".")[2])
    before = (min(wrong, body.head + 1) if body else wrong) - 4
    after = (max(wrong, body.last + 1) if body else wrong) + 4
    spans = [(1, before), (after, len(lines) - 1)]
    able = [(first, last) for first, last in spans if last - first >= 8]
    if not able:
        raise Unfit
    first, last = desk.rng.choice(able)
    desk.read(fault.path, (first, min(last, first + desk.rng.randint(8, 40))))
