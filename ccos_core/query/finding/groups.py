"""Counting steps by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.contexts import MAIN, Context, contexts_of
from ccos_core.query.finding.columns import epochs, of_kind
from ccos_core.replay.codes import HOWS, KIND_CODES, KIND_NAMES, NO_TIME, OUTCOMES
from ccos_core.replay.columns import Numbers
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

HOUR = 3_600_000
IN_ORDER = ("epoch", "hour")
"""What is told by its own order; of all else the most come first."""
_OF_FILES = [KIND_CODES[kind] for kind in ("seen", "gone", "renamed")]
_YEARS = range(-62_000_000_000_000, 253_000_000_000_000)
"""Milliseconds a calendar has."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def groups(timeline: Timeline, steps: Numbers, by: str) -> list[tuple[str, int, int]]:
    """(name, how many of these steps have it, the first that has it)."""
    keys, named = _KEYS[by](timeline)
    if by == "path":
        keys, steps = _keys_of_files(timeline, keys, steps)
    else:
        keys = keys[steps - 1]
    values, first, counts = np.unique(keys, return_index=True, return_counts=True)
    rows: dict[str, tuple[int, int]] = {}
    for value, at, count in zip(values.tolist(), first.tolist(), counts.tolist(), strict=True):
        name = named(value)
        many, begin = rows.get(name, (0, int(steps[at])))
        rows[name] = many + count, min(begin, int(steps[at]))
    found = [(name, count, begin) for name, (count, begin) in rows.items()]
    return found if by in IN_ORDER else sorted(found, key=lambda each: (-each[1], each[0]))


Keys = tuple[Numbers, Callable[[int], str]]
"""The key of each step, and what a key is called."""


def _tool(timeline: Timeline) -> Keys:
    journal = timeline.journal
    keys = np.where(of_kind(timeline, "tool"), journal.steps["name"], -1)
    return keys, lambda key: journal.name(key) if key >= 0 else ""


def _path(timeline: Timeline) -> Keys:
    journal = timeline.journal
    keys = np.where(of_kind(timeline, "tool"), -1, journal.steps["name"])
    return keys, lambda key: path_of(journal.name(key)) or "" if key >= 0 else ""


def _keys_of_files(timeline: Timeline, keys: Numbers, steps: Numbers) -> tuple[Numbers, Numbers]:
    """The key and the step of each file these steps are about; of a call, of those that what follows it tells of."""
    rows = timeline.journal.steps
    told = np.isin(rows["kind"], _OF_FILES)
    calls, contexts = rows["kind"] == KIND_CODES["tool"], rows["context"]
    found: list[tuple[int, int]] = []
    for step in steps.tolist():
        mine = [int(keys[step - 1])]
        if calls[step - 1]:
            end = step
            while end < len(told) and told[end] and contexts[end] == contexts[step - 1]:
                end += 1
            mine = list(dict.fromkeys(keys[step:end].tolist())) or [-1]
        found += [(key, step) for key in mine]
    return np.array([key for key, _ in found], keys.dtype), np.array([step for _, step in found], steps.dtype)


def _kind(timeline: Timeline) -> Keys:
    kinds, hows = timeline.journal.steps["kind"].astype(np.int64), timeline.journal.steps["how"].astype(np.int64)
    keys = np.where(hows > 0, len(KIND_NAMES) + hows, kinds)
    return keys, lambda key: KIND_NAMES[key] if key < len(KIND_NAMES) else HOWS[key - len(KIND_NAMES)]


def _context(timeline: Timeline) -> Keys:
    known = contexts_of(timeline)
    return timeline.journal.steps["context"], lambda key: _stream(known[key])


def _session(timeline: Timeline) -> Keys:
    known = contexts_of(timeline)
    return timeline.journal.steps["context"], lambda key: known[key].session


def _outcome(timeline: Timeline) -> Keys:
    return timeline.journal.steps["outcome"], lambda key: OUTCOMES[key]


def _epoch(timeline: Timeline) -> Keys:
    return epochs(timeline), str


def _hour(timeline: Timeline) -> Keys:
    at = timeline.journal.steps["at"]
    return np.where(at == NO_TIME, NO_TIME, at // HOUR), _hour_named


def _hour_named(key: int) -> str:
    if key == NO_TIME or key * HOUR not in _YEARS:
        return ""
    return (_EPOCH + timedelta(hours=key)).strftime("%Y-%m-%d %H:00")


def _stream(context: Context) -> str:
    name = context.context or MAIN
    return f"{context.session} {name}" if context.session else name


_KEYS: Mapping[str, Callable[[Timeline], Keys]] = {
    "tool": _tool,
    "kind": _kind,
    "path": _path,
    "context": _context,
    "session": _session,
    "outcome": _outcome,
    "epoch": _epoch,
    "hour": _hour,
}
