"""The failure pointed one way, and the first edits went another."""

from __future__ import annotations

from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import (
    Place,
    answer,
    breaking_edit,
    busy,
    claim,
    explore,
    idle_edit,
    is_narrow,
    late_end,
    opening,
    pool,
    selection,
    workplaces,
)
from tests.bench.drifts.model import Answer
from tests.bench.drifts.phrases import following
from tests.bench.drifts.tweaks import annotated

SHAPES = ("decoy", "decoy", "decoy", "unrelated", "unrelated", "test", "settings", "caller")
SETTINGS = {"python": "pyproject.toml", "typescript": "package.json", "rust": "Cargo.toml", "go": "go.mod"}


def tell(desk: Desk) -> Answer:
    ground, rng = desk.ground, desk.rng
    shape, fault = rng.choice(SHAPES), ground.main
    origin = rng.choice(("own", "own", "always", "theirs"))
    if origin == "always":
        desk.put(fault)
    around = pool(desk, rivals=rng.choice((0, 1)))
    opening(desk, around, rng.randint(1, 6))
    busy(desk, rng.randint(0, 3), around, only=origin == "always" or rng.random() < 0.5)
    _came_to_be(desk, origin)
    only = selection(desk)
    first = desk.run(only)
    if rng.random() < 0.7:
        desk.read(ground.felt)
    edits, last = [], first
    for path, name in _wrong_places(desk, shape):
        edits.append(_wrong_edit(desk, path, name))
        if rng.random() < 0.3:
            idle_edit(desk, path, name) if shape != "settings" else None
        last = desk.run(only)
        if len(edits) == 1:
            after = last.at
        if rng.random() < 0.25:
            explore(desk, around, rng.randint(1, 3))
    claim(desk, "elsewhere", first.at, last.at, fault)
    late = 1.0 if origin == "always" and not is_narrow(ground) else 0.5
    late_end(desk, fault, late, only)
    said = f"{fault.test.name} failed by {fault.path}, and the first edit after it went to {_name(desk, edits[0])}"
    return answer(desk, "elsewhere", shape, first.at, after, said)


def _came_to_be(desk: Desk, origin: str) -> None:
    """Who put it there: the agent by an edit of its own, or somebody else meanwhile."""
    fault, rng = desk.ground.main, desk.rng
    if origin == "always":
        return
    if rng.random() < 0.85:
        desk.run()
    if origin == "own":
        desk.read(fault.path)
        breaking_edit(desk, fault)
        if rng.random() < 0.4:
            explore(desk, pool(desk), rng.randint(1, 3))
        return
    desk.theirs(fault.path, fault.broken(desk.files[fault.path]))
    desk.prompt(following(rng))


def _wrong_places(desk: Desk, shape: str) -> list[Place]:
    """Two to five places, none of them to blame."""
    ground, rng = desk.ground, desk.rng
    unrelated = [(path, ground.function_in(rng, path)) for path in ground.apart() if path != ground.decoy[0]]
    rng.shuffle(unrelated)
    first = {
        "decoy": [ground.decoy] * rng.randint(1, 3),
        "unrelated": unrelated[:2],
        "test": [(ground.main.test.path, "")] * rng.randint(1, 2),
        "settings": [(_settings(desk), "")],
        "caller": ground.callers or workplaces(desk)[:1],
    }[shape] or [ground.decoy]
    more = [*unrelated[2:4], ground.decoy, *workplaces(desk)[:1]]
    return [*first, *rng.sample(more, min(len(more), rng.randint(1, 2)))]


def _settings(desk: Desk) -> str:
    path = SETTINGS[desk.ground.family]
    return path if path in desk.files else next(iter(sorted(desk.files)))


def _wrong_edit(desk: Desk, path: str, name: str) -> int:
    if desk.rng.random() < 0.7:
        desk.read(path)
    if path.endswith(".toml"):
        return desk.change(path, desk.files[path].rstrip("\n") + f"\n# checked {desk.rng.randint(2, 90)}\n")
    if path.endswith(".json"):
        return desk.change(
            path, desk.files[path].replace('"version"', f'"checked{desk.rng.randint(2, 90)}": true,\n  "version"', 1)
        )
    if path.endswith(".mod"):
        return desk.change(path, desk.files[path].rstrip("\n") + f"\n// checked {desk.rng.randint(2, 90)}\n")
    if path == desk.ground.main.test.path:
        return desk.change(path, annotated(desk.rng, desk.ground.family, desk.files[path]))
    return idle_edit(desk, path, name)


def _name(desk: Desk, at: int) -> str:
    return str(desk.observations[at].get("path", ""))
