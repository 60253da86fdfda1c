"""Where each thing that a session works with is at a step: in the agent's window, paged out behind a summary, known, or
not there. Nothing of it is stored; it follows from the ops.

What was paged in is `asked` until a delivery brings it into the window, and `lost` after the window was cut. What was
paged out is `connected` as long as its summary is of the text that stands there now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.remembered import FULL_WEIGHT, Annotation, assertion_ops, assertions_of, ops_about
from ccos_core.query.sourced import text_of_node
from ccos_core.replay.journal import STATES
from ccos_core.replay.measure import held_at
from ccos_core.state.holding import OUT
from ccos_core.values.canon import digest
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import estimate
from ccos_core.window.map import (
    ACTIVE,
    ASKED,
    COLD,
    CONNECTED,
    HOT,
    INDEXED,
    LOADED,
    LOST,
    MISSING,
    OFFLINE,
    UNLOADED,
)  # fmt: skip

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline
    from ccos_core.state.holding import Standing


GONE = ("gone", "erased")
"""Why a file has no text that can be had again."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing, as it stands at a step."""

    node: str
    region: str
    """`ACTIVE`, `INDEXED`, `COLD` or `OFFLINE`."""

    status: str
    """`loaded`, `hot`, `connected`, `cold` or `offline`; `asked` or `lost` of what was paged in."""

    tokens: int
    """What the window holds of it; of another, what all of it would take."""

    last: int
    """The step at which it came up last."""

    weight: int
    """Its attention, in thousandths."""

    summary: str = ""
    """Hash of the summary that stands for it; empty if it has none, or none of the text it has now."""


class Standings:
    """The state of one step, asked for any node."""

    def __init__(self, timeline: Timeline, at: int, context: int | None) -> None:
        self.timeline, self.at, self.context = timeline, at, context
        self.said = assertion_ops(timeline, at)
        last = timeline.at(at).last
        self.held: Mapping[str, Standing] = held_at(timeline.journal, context, last) if context is not None else {}

    def resource(self, node: str, last: int = 0) -> Resource:
        """Return how a node stands; `last` is the step at which it came up last."""
        known = assertions_of(self.timeline, node, self.at) if node in self.said else None
        weight = known.weight if known is not None else FULL_WEIGHT
        last = max([last, *(step for step, _ in ops_about(self.timeline, node, self.at))])
        if (held := self.held.get(node)) is not None:
            return Resource(node, ACTIVE, HOT if weight > FULL_WEIGHT else LOADED, held.tokens, last, weight)
        text = text_of_node(self.timeline, node, self.at)
        if text is None:
            region, status = (OFFLINE, MISSING) if self._is_gone(node) else (COLD, UNLOADED)
            return Resource(node, region, status, 0, last, weight)
        tokens = estimate(text)
        if known is None or not known.paged:
            return Resource(node, COLD, UNLOADED, tokens, last, weight)
        step, op = self._paged(node)[-1]
        if op["kind"] == "paged_in":
            return Resource(node, COLD, LOST if self._was_held(node, step) else ASKED, tokens, last, weight)
        summary = op.get("summary", {}).get("blob", "")
        if summary and op.get("source") == digest(text.encode("utf-8", "surrogatepass")).hex():
            return Resource(node, INDEXED, CONNECTED, tokens, last, weight, summary)
        return Resource(node, COLD, UNLOADED, tokens, last, weight)

    def notes(self, node: str) -> tuple[Annotation, ...]:
        """Return the notes on a node."""
        return assertions_of(self.timeline, node, self.at).notes if node in self.said else ()

    def spoken_of(self) -> Iterable[str]:
        """Return the nodes that were annotated, weighed or paged up to the step."""
        return [node for node, ops in self.said.items() if any(_places(op) for step, op in ops if step <= self.at)]

    def _is_gone(self, node: str) -> bool:
        """Whether a file that was known isn't there any more, or its text can't be had."""
        path = path_of(node)
        if path is None:
            return False
        versions = [each for each in self.timeline.sources.versions(path) if each.step <= self.at]
        return bool(versions) and (versions[-1].why in GONE or bool(versions[-1].content))

    def last_paged(self, node: str) -> Plain | None:
        """Return the last op that paged a node in or out."""
        ops = self._paged(node)
        return ops[-1][1] if ops else None

    def _paged(self, node: str) -> list[tuple[int, Plain]]:
        """(step, op) of those that paged a node in or out."""
        return [
            each for each in ops_about(self.timeline, node, self.at) if each[1]["kind"] in ("paged_in", "paged_out")
        ]

    def _was_held(self, node: str, since: int) -> bool:
        """Whether the window had a node at any time since a step."""
        held = self.timeline.journal.held
        upto = held.upto(self.at)
        mine = (held["context"][:upto] == self.context) & (held["item"][:upto] == self.timeline.journal.id(node))
        return bool(np.any(mine & (held["step"][:upto] > since) & (held["state"][:upto] != STATES.index(OUT))))


def _places(op: Plain) -> bool:
    return op["kind"] in ("annotation", "weighed", "paged_in", "paged_out")
