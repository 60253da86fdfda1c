"""What a cell of the timeline tells when the mouse rests on it: its steps, and what its sign or height stands for."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import HELD, LANES, SORTS, Band, reads

if TYPE_CHECKING:
    from ccos_core.query.overview import Overview

FEW = 4
"""Steps that are told one by one."""
ONE = {
    "failure": "run with new failures",
    "again": "known failure again",
    "fall": "fall",
    "error": "call ended in an error",
    "prompt": "prompt",
    "compaction": "compaction",
    "edit": "edit",
    "commit": "commit, merge or push",
    "said": "time the user said something",
    "said again": "time the user said something again",
    "lost": "loss of what was said from the agent's window",
    "superseded": "statement superseded",
    "watch": "change of the watched node",
    "mark": "bookmark or note",
}
MANY = {
    "failure": "runs with new failures",
    "again": "known failures again",
    "error": "calls ended in an error",
    "commit": "commits, merges or pushes",
    "said": "times the user said something",
    "said again": "times the user said something again",
    "lost": "losses of what was said from the agent's window",
    "superseded": "statements superseded",
    "watch": "changes of the watched node",
    "mark": "bookmarks and notes",
}


def hover(overview: Overview | None, band: Band, scale: Scale, cell: int) -> str:
    """A line or two."""
    first = scale.step(cell)
    last = max(scale.step(cell + 1) - 1 if cell + 1 < scale.width else scale.last, first)
    where = f"step {first:,}" if first == last else f"steps {first:,} to {last:,}"
    said = _happened(band, cell, alone=first == last) or (
        _figure(overview, band.name, first) if overview is not None else ""
    )
    return f"{said}\n{where}" if said else where


def _happened(band: Band, cell: int, *, alone: bool) -> str:
    steps = band.there.get(cell, ())
    if band.name not in LANES or not steps:
        return ""
    counted = Counter(band.sorts.get(step, band.name) for step in steps)
    names = [name for name, _ in SORTS.get(band.name, ((band.name, None),))]
    said = ", ".join(count(counted[name], ONE[name], MANY.get(name, "")) for name in names if counted[name])
    if alone:
        return said
    return f"{said}: {_listed(steps)}" if len(steps) <= FEW else f"{said}, the first at step {steps[0]:,}"


def _figure(overview: Overview, name: str, step: int) -> str:
    at = bisect_right(overview.begins, step) - 1
    if at < 0 or step > overview.last:
        return ""
    if name == "heat":
        return f"heat: {reads(overview.heat[at])} reads"
    if name != HELD:
        return ""
    held = overview.held[at]
    return "no token count recorded here" if held is None else f"{held:,} tokens in the agent's window"


def _listed(steps: Sequence[int]) -> str:
    return f"step{'s' * (len(steps) > 1)} {', '.join(f'{step:,}' for step in steps)}"
