"""The same attempt at the same failure, over and over."""

from __future__ import annotations

from tests.bench.drifts.desk import Desk, Run
from tests.bench.drifts.habits import (
    Place,
    Unfit,
    answer,
    breaking_edit,
    busy,
    claim,
    explore,
    is_narrow,
    late_end,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.model import Answer, Fault, Test
from tests.bench.drifts.phrases import following
from tests.bench.drifts.tweaks import tweaked

SHAPES = ("upstream", "upstream", "upstream", "same file", "same file", "to and fro", "only running")


def tell(desk: Desk) -> Answer:
    ground, rng = desk.ground, desk.rng
    shape = rng.choice(SHAPES)
    fault = ground.own if shape == "same file" else ground.main
    if fault is None:
        raise Unfit
    always = rng.random() < 0.5
    late = 0.35
    if always:
        desk.put(fault)
        late = 0.35 if shape == "same file" or is_narrow(ground) else 1.0
    around = pool(desk, rivals=rng.choice((0, 1)))
    opening(desk, around, rng.randint(0, 5))
    busy(desk, rng.randint(0, 2), around, only=always)
    only = selection(desk)
    if not always:
        _own_doing(desk, fault)
    first = desk.run(only)
    rounds = rng.randint(6, 9) if shape == "to and fro" else rng.randint(4, 8)
    tries = [first, *_again(desk, _places(desk, shape, fault), rounds, only, edits=shape != "only running")]
    claim(desk, "loop", first.at, tries[-1].at, fault)
    late_end(desk, fault, late, only)
    said = f"the same attempt {len(tries)} times, and the same failure; what is wrong stands in {fault.path}"
    return answer(desk, "loop", shape, first.at, tries[2].at, said, fault)


def _own_doing(desk: Desk, fault: Fault) -> None:
    """It worked, until the agent changed something."""
    if desk.rng.random() < 0.8:
        desk.run()
    desk.read(fault.path)
    breaking_edit(desk, fault)
    if desk.rng.random() < 0.5:
        explore(desk, pool(desk), desk.rng.randint(1, 3))


def _places(desk: Desk, shape: str, fault: Fault) -> list[Place]:
    places = workplaces(desk)
    if shape == "same file":
        name = desk.ground.function_in(desk.rng, fault.path, desk.files[fault.path])
        return [(fault.path, fault.symbol.rpartition(".")[2] if desk.rng.random() < 0.5 else name)]
    return places[:2] if shape == "to and fro" else [desk.rng.choice(places)]


def _again(desk: Desk, places: list[Place], rounds: int, only: Test | None, edits: bool) -> list[Run]:
    """To and fro between a few states of the same lines, with a run after each."""
    rng, found = desk.rng, []
    for path, _ in places:
        if rng.random() < 0.8:
            desk.read(path)
    most = rng.choice((1, 1, 2)) if len(places) == 1 else 1
    states = {place: _states(desk, place, most) for place in places}
    for turn in range(rounds):
        place = places[turn % len(places)]
        if edits:
            other = [text for text in states[place] if text != desk.files[place[0]]]
            desk.change(place[0], rng.choice(other[:1] * 2 + other))
        elif rng.random() < 0.6:
            desk.read(place[0]) if rng.random() < 0.5 else desk.search(place[1] or "amount")
        if rng.random() < 0.2:
            desk.prompt(following(rng))
        found.append(desk.run(only))
    return found


def _states(desk: Desk, place: Place, most: int) -> list[str]:
    """The file as it is, and as it is tried."""
    ground, text = desk.ground, desk.files[place[0]]
    tried = [tweaked(desk.rng, ground.family, text, place[1], ground.kept) for _ in range(most)]
    return list(dict.fromkeys([text, *tried]))
