"""Sessions in which nothing drifts, made of the same bricks: things fail, windows are cut, files are read again."""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import (
    Unfit,
    breaking_edit,
    broken_and_mended,
    busy,
    claim,
    explore,
    feature,
    idle_edit,
    mend,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.healthy_tests import changed_on_purpose, flaky, step_by_step, test_first
from tests.bench.drifts.model import Answer, Fault, Test
from tests.bench.drifts.phrases import following
from tests.bench.drifts.tweaks import extended


def tell(desk: Desk) -> Answer:
    shape = desk.rng.choice(sorted(STORIES))
    STORIES[shape](desk)
    return Answer("control", shape, (), 0, 0, "no drift")


def _seen_through(desk: Desk) -> None:
    """A failure, traced to its cause, and mended there; sometimes after one try that was too short."""
    rng, fault = desk.rng, desk.ground.main
    own = rng.random() < 0.5
    if not own:
        desk.put(fault)
    _warm_up(desk, only=not own)
    if own:
        desk.read(fault.path)
        breaking_edit(desk, fault)
        busy(desk, rng.choice((0, 0, 1)), pool(desk))
    only = selection(desk)
    first = desk.run(only)
    if rng.random() < 0.3:
        idle_edit(desk, *_first_look(desk))
        desk.run(only)
    else:
        _first_look(desk)
    _mended(desk, fault, first.at, only, read=not own or rng.random() < 0.6)
    _cool_down(desk)


def _at_home(desk: Desk) -> None:
    """The cause stands where it is felt."""
    fault = desk.ground.own
    if fault is None:
        raise Unfit
    _warm_up(desk)
    desk.read(fault.path)
    breaking_edit(desk, fault)
    only = selection(desk)
    first = desk.run(only)
    if desk.rng.random() < 0.5:
        desk.read(fault.test.path)
    _mended(desk, fault, first.at, only, read=desk.rng.random() < 0.5)
    _cool_down(desk)


def _kept_over(desk: Desk) -> None:
    """A compaction in the middle that loses nothing needed: it survives, or is read again at once and mended."""
    rng, fault = desk.rng, desk.ground.main
    survives = rng.random() < 0.5
    _warm_up(desk)
    desk.read(fault.path)
    breaking_edit(desk, fault)
    if survives:
        desk.read(fault.path)
    busy(desk, rng.randint(1, 3), pool(desk))
    cut = desk.compact(kept=(fault.path,) if survives else ())
    if rng.random() < 0.5:
        desk.prompt(following(rng))
    only = selection(desk)
    first = desk.run(only)
    if rng.random() < 0.7:
        desk.read(_first_place(desk)[0])
    edit = _mended(desk, fault, first.at, only, read=not survives)
    if survives:
        claim(desk, "held", cut, edit, fault)
    _cool_down(desk)


def _cut_between(desk: Desk) -> None:
    """One piece of work, a cut, and another piece elsewhere."""
    rng = desk.rng
    _warm_up(desk)
    paths = desk.ground.apart()
    if len(paths) < 4:
        raise Unfit
    half = rng.sample(paths, len(paths))
    busy(desk, rng.randint(2, 4), half[: len(half) // 2], only=False)
    desk.clear() if rng.random() < 0.4 else desk.compact(keep=rng.choice((0, 2)))
    desk.prompt(following(rng))
    busy(desk, rng.randint(2, 4), half[len(half) // 2 :], only=False)
    _still_green(desk)


def _own_reread(desk: Desk) -> None:
    """Files are read again after edits of one's own, as careful people do."""
    rng, ground = desk.rng, desk.ground
    _warm_up(desk)
    for path in rng.sample(ground.apart(), min(3, len(ground.apart()))):
        desk.read(path)
        for _ in range(rng.randint(1, 3)):
            idle_edit(desk, path)
            if rng.random() < 0.7:
                desk.read(path)
    _still_green(desk)


def _one_after_another(desk: Desk) -> None:
    """The same command, time and again; each time something else fails, and is mended."""
    rng, ground = desk.rng, desk.ground
    faults = _apart_from_each_other(desk)[: rng.randint(2, 4)]
    if len(faults) < 2:
        raise Unfit
    desk.put(*faults)
    _warm_up(desk, only=True, paths=[path for path in pool(desk) if path not in {fault.path for fault in faults}])
    rng.shuffle(faults)
    for fault in faults:
        desk.run()
        if rng.random() < 0.5:
            desk.read(fault.test.path)
        if fault is ground.main and rng.random() < 0.6:
            _first_look(desk)
        edit = mend(desk, fault)
        after = desk.run(fault.test) if rng.random() < 0.5 else desk.run()
        claim(desk, "mended", edit, after.at, fault)
    _cool_down(desk)


def _long_walk(desk: Desk) -> None:
    """Much reading, some work, and nothing fails."""
    rng = desk.rng
    desk.begin()
    paths = [*pool(desk, rivals=4), desk.ground.cause, desk.ground.felt]
    began = desk.here
    for _ in range(rng.randint(3, 7)):
        explore(desk, paths, rng.randint(4, 9))
        if rng.random() < 0.4 and desk.ground.apart():
            feature(desk, rng.choice(desk.ground.apart()))
        if rng.random() < 0.4:
            desk.run()
        if rng.random() < 0.3:
            desk.prompt(following(rng))
    claim(desk, "green", began, desk.here - 1)


def _unfinished(desk: Desk) -> None:
    """It ends while something fails, with the cause in the window and in work."""
    rng, fault = desk.rng, desk.ground.main
    desk.put(fault)
    _warm_up(desk, only=True)
    only = selection(desk)
    desk.run(only)
    _first_look(desk)
    desk.read(fault.path)
    begun = desk.here
    for _ in range(rng.choice((1, 1, 2))):
        edit = idle_edit(desk, fault.path)
    if rng.random() < 0.6:
        desk.run(only)
    claim(desk, "held", begun, edit, fault)
    desk.say(always=True)


def _hard_nut(desk: Desk) -> None:
    """The right place from the start, and several tries there, each another, until one is right."""
    rng, fault = desk.rng, desk.ground.main
    desk.put(fault)
    _warm_up(desk, only=True)
    only = selection(desk)
    desk.run(only)
    _first_look(desk)
    desk.read(fault.path)
    begun = edit = desk.here
    for _ in range(rng.randint(1, 3)):
        edit = idle_edit(desk, fault.path, fault.symbol.rpartition(".")[2])
        desk.run(only)
    claim(desk, "held", begun, edit, fault)
    edit = mend(desk, fault, read=rng.random() < 0.3)
    claim(desk, "mended", edit, desk.run(only).at, fault)
    _cool_down(desk)


def _told_of_it(desk: Desk) -> None:
    """Somebody else changes a file; it is read again before it matters, or doesn't matter."""
    rng, fault = desk.rng, desk.ground.main
    _warm_up(desk)
    matters = rng.random() < 0.6
    if matters:
        desk.read(fault.path)
        busy(desk, rng.choice((0, 1)), pool(desk))
        desk.theirs(fault.path, fault.broken(desk.files[fault.path]))
        desk.prompt(following(rng))
        first = desk.run(selection(desk))
        _first_look(desk)
        edit = mend(desk, fault)
        after = desk.run()
        claim(desk, "mended", edit, after.at, fault)
        claim(desk, "soon", first.at, edit, fault)
    else:
        paths = desk.ground.apart()
        if len(paths) < 2:
            raise Unfit
        path, other = rng.sample(paths, 2)
        desk.read(path)
        desk.theirs(path, extended(rng, desk.ground.family, desk.files[path])[0])
        feature(desk, other)
        _still_green(desk)
    _cool_down(desk)


def _scouted(desk: Desk) -> None:
    """A subagent looks around first; then the agent reads what matters itself."""
    rng, fault = desk.rng, desk.ground.main
    desk.put(fault)
    _warm_up(desk, only=True)
    only = selection(desk)
    first = desk.run(only)
    with desk.subagent():
        explore(desk, pool(desk, rivals=3), rng.randint(2, 6))
        desk.read(fault.path)
    _mended(desk, fault, first.at, only)
    _cool_down(desk)


def _side_by_side(desk: Desk) -> None:
    """Breaks and mends of one's own, one after the other."""
    rng, ground = desk.rng, desk.ground
    if not ground.sides:
        raise Unfit
    _warm_up(desk)
    for _ in range(rng.randint(2, 4)):
        fault = rng.choice(ground.sides)
        broken_and_mended(desk, fault, fault.test if rng.random() < 0.5 else None)
        explore(desk, pool(desk), rng.randint(1, 4))
    _still_green(desk)


# ---- what they share ----


def _warm_up(desk: Desk, only: bool = True, paths: list[str] | None = None) -> None:
    paths = paths or pool(desk, rivals=desk.rng.choice((0, 1, 2)))
    opening(desk, paths, desk.rng.randint(2, 8))
    busy(desk, desk.rng.randint(0, 3), paths, only=only)


def _cool_down(desk: Desk) -> None:
    """What comes after: perhaps nothing."""
    if desk.rng.random() < 0.5:
        desk.prompt(following(desk.rng))
        busy(desk, desk.rng.randint(1, 2), pool(desk))
    if desk.rng.random() < 0.5:
        _still_green(desk)


def _still_green(desk: Desk) -> None:
    run = desk.run()
    claim(desk, "green", run.at, run.at)


def _first_place(desk: Desk) -> tuple[str, str]:
    return workplaces(desk)[0]


def _first_look(desk: Desk) -> tuple[str, str]:
    """Where it is felt is read, and often what lies between."""
    place = _first_place(desk)
    desk.read(place[0])
    for path, name in desk.ground.between:
        if desk.rng.random() < 0.5 and path not in (place[0], desk.ground.cause):
            desk.search(name)
            desk.read(path)
    return place


def _mended(desk: Desk, fault: Fault, first: int, only: Test | None, read: bool = True) -> int:
    edit = mend(desk, fault, read)
    after = desk.run(only)
    claim(desk, "mended", edit, after.at, fault)
    claim(desk, "soon", first, edit, fault)
    return edit


def _apart_from_each_other(desk: Desk) -> list[Fault]:
    """Faults of different files and tests."""
    found: dict[str, Fault] = {}
    for fault in [*desk.ground.sides, desk.ground.main]:
        if all(fault.test != other.test for other in found.values()):
            found.setdefault(fault.path, fault)
    return list(found.values())


STORIES: dict[str, Callable[[Desk], None]] = {
    "seen through": _seen_through,
    "at home": _at_home,
    "kept over a cut": _kept_over,
    "cut between": _cut_between,
    "own reread": _own_reread,
    "one after another": _one_after_another,
    "long walk": _long_walk,
    "unfinished": _unfinished,
    "told of it": _told_of_it,
    "scouted": _scouted,
    "side by side": _side_by_side,
    "hard nut": _hard_nut,
    "test first": test_first,
    "step by step": step_by_step,
    "changed on purpose": changed_on_purpose,
    "flaky": flaky,
}
