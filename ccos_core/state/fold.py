"""The fold: one op after the other, each by a short function of its own.

Takes ops as the record has them and facts as they were recorded, and nothing else; what no fact says stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from ccos_core.state import conversation, sightings, trouble
from ccos_core.state.rules import rules_of
from ccos_core.state.world import World
from ccos_core.values.code import Outline
from ccos_core.values.outcome import Report

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain


class Facts(Protocol):
    """What is known of contents and outputs."""

    def outline(self, content: str, path: str) -> Outline | None:
        """What a content of the record says of itself as a file at that path."""

    def outline_of_text(self, text: str, path: str) -> Outline | None:
        """The same for a text that is no content of the record."""

    def text(self, content: str) -> str | None:
        """A content of the record; None where it was erased."""

    def report(self, op: Plain) -> Report | None:
        """What the output of a call says went wrong or works."""

    def under(self, pins: Mapping[str, int]) -> None:
        """From here on, by these versions of whatever finds facts."""


def apply(world: World, step: int, op: Plain, facts: Facts) -> None:
    """Bring the world forward by one op."""
    looking = is_looking(op)
    if not (looking and world.looking):  # a burst of looks is one look: nobody asks in the middle of it
        world.graph.settle()
        world.looking = step if looking else 0
    world.step = step
    world.clock += world.rules.tick(op["kind"], op.get("how", ""))
    if (handler := HANDLERS.get(op["kind"])) is not None:
        handler(world, op, facts)
    world.drop_cold()


def is_looking(op: Plain) -> bool:
    """Whether somebody just looks at the tree, and says what is there."""
    return op["kind"] in ("gone", "renamed") or (op["kind"] == "seen" and op["how"] == "ingest")


def _epoch(world: World, op: Plain, facts: Facts) -> None:
    world.rule(rules_of(op))
    world.pins.append((world.step, dict(op["interpreters"])))
    facts.under(op["interpreters"])


def _retune(world: World, op: Plain, _: Facts) -> None:
    world.rule(world.rules.retuned(op["weights"]))


def _paged_in(world: World, op: Plain, _: Facts) -> None:
    for node in op["nodes"]:
        world.away.pop(node, None)
        world.pinned[node] = world.step
        world.moved[node] = None


def _paged_out(world: World, op: Plain, _: Facts) -> None:
    for node in op["nodes"]:
        world.pinned.pop(node, None)
        world.away[node] = world.step
        world.moved[node] = None


def _attention(world: World, op: Plain, _: Facts) -> None:
    for node in dict.fromkeys(op["nodes"]):
        world.away.pop(node, None)
        world.touch(node, "engaged")


def _tool(world: World, op: Plain, facts: Facts) -> None:
    conversation.result(world, op, facts)
    trouble.tool(world, op, facts)


HANDLERS: Mapping[str, Callable[[World, Plain, Facts], None]] = {
    "epoch": _epoch,
    "retune": _retune,
    "seen": sightings.seen,
    "gone": sightings.gone,
    "renamed": sightings.renamed,
    "tool": _tool,
    "failed": trouble.failed,
    "passed": trouble.passed,
    "paged_in": _paged_in,
    "paged_out": _paged_out,
    "attention": _attention,
    "recall": conversation.recall,
    "prompt": conversation.prompt,
    "thought": conversation.thought,
    "turn": conversation.turn,
    "usage": conversation.usage,
    "compaction": conversation.compaction,
    "cleared": conversation.cleared,
}
"""What each kind of op does. Kinds that aren't here only move the clock, if anything."""
