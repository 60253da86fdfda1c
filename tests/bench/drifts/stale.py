"""The cause was read, then changed by somebody else, and the agent went on by what it remembered."""

from __future__ import annotations

from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import (
    answer,
    breaking_edit,
    busy,
    claim,
    explore,
    feature,
    flail,
    idle_edit,
    late_end,
    off_the_spot,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.model import Answer
from tests.bench.drifts.phrases import following
from tests.bench.drifts.tweaks import annotated, tweaked

SHAPES = ("user", "user", "subagent", "pulled", "own command", "other session", "off the spot")


def tell(desk: Desk) -> Answer:
    ground, rng = desk.ground, desk.rng
    shape, fault = rng.choice(SHAPES), ground.main
    around = pool(desk, rivals=rng.choice((0, 0, 1)))
    opening(desk, around, rng.randint(0, 4))
    desk.read(fault.path)
    if rng.random() < 0.35:
        feature(desk, fault.path, read=False)
    places = off_the_spot(desk) if shape == "off the spot" else workplaces(desk)
    if rng.random() < 0.7:
        desk.read(places[0][0])
    busy(desk, rng.randint(0, 3), around, only=rng.random() < 0.5)
    if rng.random() < 0.5:
        desk.run()
    changed = _changed(desk, shape)
    if rng.random() < 0.6:
        desk.prompt(following(rng))
    busy(desk, rng.choice((0, 0, 1)), around)
    if rng.random() < 0.7:
        idle_edit(desk, *places[0])
    only = selection(desk)
    desk.run(only)
    tries = flail(desk, places, rng.randint(2, 6), only)
    claim(desk, "stale", changed, tries[-1][1].at, fault)
    late_end(desk, fault, 0.4, only)
    return answer(
        desk, "stale", shape, changed, tries[0][1].at,
        f"{fault.path} had changed since it was read, and {places[0][0]} was edited by what it used to say",
    )  # fmt: skip


def _changed(desk: Desk, shape: str) -> int:
    """Somebody else changes the cause's file for the worse, and perhaps others besides."""
    fault, rng = desk.ground.main, desk.rng
    if shape == "subagent":
        with desk.subagent():
            explore(desk, pool(desk), rng.randint(0, 3))
            desk.read(fault.path)
            return _theirs_by_edit(desk)
    if shape == "other session":
        with desk.other_session():
            desk.prompt()
            desk.read(fault.path)
            return _theirs_by_edit(desk)
    if shape == "pulled":
        desk.command("git pull --rebase", "Updating 90b1d77..c7e01aa\nFast-forward\n")
    if shape == "own command":
        desk.command(f"sed -i 's/{_word(fault.right)}/{_word(fault.wrong)}/' {fault.path}", "")
    others = [] if shape == "own command" else rng.sample(desk.ground.apart(), min(2, len(desk.ground.apart())))
    others = others[: rng.randint(0, 2)]
    at = desk.theirs(
        fault.path, fault.broken(_touched(desk, fault.path) if rng.random() < 0.5 else desk.files[fault.path])
    )
    for path in others:
        desk.theirs(path, _touched(desk, path))
        if rng.random() < 0.4:
            desk.read(path)
    return at


def _theirs_by_edit(desk: Desk) -> int:
    at = breaking_edit(desk, desk.ground.main)
    if desk.rng.random() < 0.5:
        idle_edit(desk, desk.ground.cause)
    return at


def _touched(desk: Desk, path: str) -> str:
    ground, text = desk.ground, desk.files[path]
    name = ground.function_in(desk.rng, path, text)
    if not name:
        return annotated(desk.rng, ground.family, text)
    return tweaked(desk.rng, ground.family, text, name, ground.kept)


def _word(line: str) -> str:
    return line.strip().replace("/", r"\/")[:60]
