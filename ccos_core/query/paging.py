"""`page-in`, `page-out`, `attention`: which nodes the window should hold, and how much weight they get."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ccos_core.errors import Usage
from ccos_core.query.question import Argument, Plan
from ccos_core.query.recorded import home_of, planned, writing
from ccos_core.query.remembered import FULL_WEIGHT, PAGED
from ccos_core.query.remembering import bounded_text, one_home

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MOST_WEIGHT = 2_000  # thousandths


def page(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    actor: str,
    nodes: tuple[str, ...],
    reason: str | None,
    *,
    kind: str,
) -> Plan:
    """Plan to page nodes in or out, those that aren't yet; the reason is a note on each."""
    home = one_home(timeline, user, nodes)
    new = [node for node in nodes if home.known(node, actor).paged != PAGED[kind]]
    reason = bounded_text(reason)
    ops: list[dict[str, Any]] = [{"kind": kind, "nodes": new}] if new else []
    if reason:  # as notes, whose texts `forget` can erase
        ops = [*({"kind": "annotation", "node": node, "note": reason} for node in new), *ops]
    return planned(home, new or nodes, ops, kind, text=reason if new else "", actor=actor)


def attend(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, weight: int) -> Plan:
    """Plan how much attention a node gets."""
    if weight > MOST_WEIGHT:
        raise Usage(f"is more than {MOST_WEIGHT:,}", place=f"{weight:,}", hint="1000 is the usual weight.")
    home = home_of(timeline, user, node)
    is_new = home.known(node, actor).weight != weight
    ops = [{"kind": "weighed", "nodes": [node], "weight": weight}] if is_new else []
    return planned(home, [node], ops, "weighed", text=f"{weight:,} of {FULL_WEIGHT:,}", actor=actor)


ARGUMENTS = (
    Argument("nodes", "things", "statements, paths or symbols", required=True),
    Argument("reason", "name", "why", flag=True),
)
QUESTIONS = {
    "page-in": writing(
        partial(page, kind="paged_in"),
        "page-in src/db.py",
        ARGUMENTS,
        about="What is paged in ranks before everything else in the suggested window.",
    ),
    "page-out": writing(
        partial(page, kind="paged_out"),
        "page-out src/db.py",
        ARGUMENTS,
        about="What is paged out stays out of the suggested window until it is needed again.",
    ),
    "attention": writing(
        attend,
        "attention src/db.py 1500",
        (
            Argument("node", "thing", "a statement, a path or a symbol", required=True),
            Argument("weight", "count", "0 to 2000; 1000 is usual", required=True),
        ),
    ),
}
