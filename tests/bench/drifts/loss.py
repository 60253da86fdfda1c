"""A compaction dropped what was needed, and it was all read again; sometimes twice."""

from __future__ import annotations

from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import (
    Unfit,
    answer,
    busy,
    claim,
    feature,
    idle_edit,
    late_end,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.model import Answer, Test
from tests.bench.drifts.phrases import following

SHAPES = ("closing in", "closing in", "closing in", "again and again", "before it failed", "no failure")


def tell(desk: Desk) -> Answer:
    shape = desk.rng.choice(SHAPES)
    if shape == "no failure":
        return _without_failure(desk)
    rng, fault = desk.rng, desk.ground.main
    desk.put(fault)
    around = pool(desk, rivals=rng.choice((0, 1)))
    opening(desk, around, rng.randint(0, 3))
    only = selection(desk)
    if shape != "before it failed":
        desk.run(only)
    place = workplaces(desk)[0]
    others = rng.sample(around, min(len(around), rng.randint(3, 4)))
    needed = [place[0], *others, fault.path]
    _read_all(desk, needed)
    if rng.random() < 0.4 and shape != "before it failed":
        idle_edit(desk, *place)
        desk.run(only)
    if rest := [path for path in around if path not in needed]:
        busy(desk, rng.choice((0, 1)), rest)
    lost = desk.compact()
    last = _wasted(desk, needed, only)
    for _ in range(rng.choice((1, 2)) if shape == "again and again" else rng.choice((0, 0, 1))):
        desk.compact()
        last = _wasted(desk, needed, only)
    for path in needed[1:]:
        claim(desk, "reread", lost, last, path)
    if rng.random() < 0.4:
        idle_edit(desk, *place)
        desk.run(only)
    late_end(desk, fault, 0.6, only)
    return answer(
        desk, "loss", shape, lost, last,
        f"the compaction dropped {fault.path} and {len(needed) - 1} more, and all of it was read again",
    )  # fmt: skip


def _without_failure(desk: Desk) -> Answer:
    """Work on several files; what was known of them is dropped, and read again."""
    rng, around = desk.rng, pool(desk, rivals=3)
    opening(desk, around, rng.randint(0, 3))
    sources = [path for path in desk.ground.sources() if path in around]
    if len(sources) < 4:
        raise Unfit
    needed = rng.sample(sources, min(len(sources), rng.randint(4, 7)))
    _read_all(desk, needed)
    worked = needed[0]
    feature(desk, worked, read=False)
    lost = desk.compact()
    again = _wasted(desk, needed, None, run=rng.random() < 0.5)
    if rng.random() < 0.7:
        desk.compact()
        again = _wasted(desk, needed, None, run=False)
    for path in needed:
        claim(desk, "reread", lost, again, path)
    idle_edit(desk, worked)
    desk.run()
    said = f"the compaction dropped {len(needed)} files that were needed, and all of them were read again"
    return Answer("loss", "no failure", tuple(f"file:{path}" for path in needed), lost, again, said)


def _read_all(desk: Desk, paths: list[str]) -> None:
    for path in desk.rng.sample(paths, len(paths)):
        desk.read(path)
        if desk.rng.random() < 0.2:
            desk.search(desk.ground.function_in(desk.rng, path, desk.files[path]) or "amount")


def _wasted(desk: Desk, needed: list[str], only: Test | None, run: bool = True) -> int:
    """All of it again; gives the number of the last sighting."""
    if desk.rng.random() < 0.4:
        desk.prompt(following(desk.rng))
    first_run = run and desk.rng.random() < 0.5
    if first_run:
        desk.run(only)
    _read_all(desk, needed)
    last = desk.here - 1
    if run and not first_run:
        desk.run(only)
    return last
