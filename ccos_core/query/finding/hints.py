"""What is said where a query names something that never came up: the name that comes nearest, or what there is."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.finding.columns import compared, of_kind
from ccos_core.query.finding.tree import Compared, Tree, parts_of
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

FEW = 6
"""Names that are told where none is near."""


def hints(timeline: Timeline, tree: Tree) -> Iterator[str]:
    """A sentence for each tool and each path that was asked for and isn't in the record."""
    for part in parts_of(tree):
        if isinstance(part, Compared) and part.name in ("tool", "path"):
            for value in part.values:
                mark = "~" if part.mark == "~" else "="
                if not compared(timeline, Compared(part.name, mark, (value,))).any():
                    yield _hint(timeline, part.name, value)


def _hint(timeline: Timeline, name: str, value: str) -> str:
    what = "no tool is called" if name == "tool" else "no path is"
    known = _tools(timeline) if name == "tool" else _paths(timeline)
    lowered = {each.lower(): each for each in reversed(known)}
    near = [lowered[each] for each in get_close_matches(value.lower()[:200], list(lowered), 1)]
    if near:
        return f"{what} {value}; did you mean {near[0]}?"
    return f"{what} {value}; there are {', '.join(known[:FEW])}" if known and name == "tool" else f"{what} {value}"


def _tools(timeline: Timeline) -> list[str]:
    """The most used first."""
    names = timeline.journal.steps["name"][of_kind(timeline, "tool")]
    numbers, counts = np.unique(names, return_counts=True)
    return [timeline.journal.name(at) for at in numbers[np.argsort(-counts, kind="stable")].tolist()]


def _paths(timeline: Timeline) -> list[str]:
    names = timeline.journal.steps["name"][~of_kind(timeline, "tool")]
    return [path_of(timeline.journal.name(at)) or "" for at in np.unique(names[names >= 0]).tolist()]
