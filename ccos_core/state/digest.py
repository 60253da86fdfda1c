"""One hash for a whole state: two folds of the same record agree on it, on any machine, or one of them is wrong."""

from __future__ import annotations

from typing import Any

from ccos_core.state.failures import Key, Live
from ccos_core.state.host_rows import rows_of
from ccos_core.state.world import World
from ccos_core.values.canon import canonical, digest


def digest_of(world: World) -> str:
    """The hash of the state, in hex. Settles the graph."""
    world.graph.settle()
    edges = [[*edge, since] for path in sorted(world.graph.edges) for edge, since in _sorted(world, path)]
    return digest(canonical({**told(world), "edges": edges})).hex()


def told(world: World) -> dict[str, Any]:
    """Everything the state is but its edges, as plain values in one order: those there are many of, and who goes on
    from a state knows them by its links."""
    world.graph.settle()
    return {
        "step": world.step,
        "clock": world.clock,
        "paced": list(world.paced),
        "looking": world.looking,
        "pins": [[step, pins] for step, pins in world.pins],
        "rules": [_numbers(world.rules.ticks), _numbers(world.rules.weights), _numbers(world.rules.caps)],
        "heats": [[node, list(heats)] for node, heats in sorted(world.heats.items())],
        "failures": [_failure(key, live) for key, live in world.failures.live.items()],
        "pinned": [[node, step] for node, step in sorted(world.pinned.items())],
        "away": [[node, step] for node, step in sorted(world.away.items())],
        "files": [[path, [_version(each) for each in versions]] for path, versions in sorted(world.versions.items())],
        "sheets": [
            [path, sheet.text, [list(run) for run in sheet.runs], sheet.ended]
            for path, sheet in sorted(world.sheets.items())
        ],
        "past": [[*edge, since, world.graph.since] for edge, since in sorted(world.graph.ended.items())],
        **rows_of(world.hosts),
    }


def _numbers(numbers: Any) -> dict[str, int]:
    return {name: int(value) for name, value in numbers.items()}


def _version(version: Any) -> list[Any]:
    return [version.step, version.content, [list(run) for run in version.runs], version.why]


def _failure(key: Key, live: Live) -> list[Any]:
    failure = live.failure
    frames = [[frame.path, frame.line, frame.name] for frame in failure.frames]
    told = [failure.runner, failure.test, frames, failure.message, failure.part]
    return [
        list(key),
        told,
        list(live.anchors),
        live.since,
        live.step,
        live.unit,
        [list(e) for e in live.strengths.items()],
        [[list(command) for command in report] for report in live.by],
    ]


def _sorted(world: World, path: str) -> list[tuple[tuple[str, str, str], int]]:
    return sorted(world.graph.edges[path].items())
