"""`page-in`, `page-out`, `attention`: which nodes the window should hold, and how much weight they get."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ccos_core.errors import Usage
from ccos_core.query.candidates import CLASS_WEIGHTS, POLICIES, policy_at
from ccos_core.query.paging_out import is_summarized, paged_out
from ccos_core.query.question import Argument, Plan
from ccos_core.query.recorded import Recorded, home_of, planned, writing
from ccos_core.query.remembered import FULL_WEIGHT, LIVE, PAGED
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
    reason = bounded_text(reason)
    if kind == "paged_out" and home.timeline is not None:
        found = {
            node: paged_out(home.timeline, home.at, node)
            for node in nodes
            if home.known(node, actor).paged != "out" or not is_summarized(home.timeline, home.at, node)
        }
        new, ops, out = list(found), [op for op, _ in found.values()], tuple(each for _, each in found.values())
    else:
        new, out = [node for node in nodes if home.known(node, actor).paged != PAGED[kind]], ()
        ops = [{"kind": kind, "nodes": new}] if new else []
    if reason:  # as notes, whose texts `forget` can erase
        ops = [*({"kind": "annotation", "node": node, "note": reason} for node in new), *ops]
    plan = planned(home, new or nodes, ops, kind, text=reason if new else "", actor=actor)
    return replace(plan, answer=replace(plan.answer, paged=out))


def attend(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, weight: int) -> Plan:
    """Plan how much attention a node gets."""
    if weight > MOST_WEIGHT:
        raise Usage(f"is more than {MOST_WEIGHT:,}", place=f"{weight:,}", hint="1000 is the usual weight.")
    home = home_of(timeline, user, node)
    is_new = home.known(node, actor).weight != weight
    ops = [{"kind": "weighed", "nodes": [node], "weight": weight}] if is_new else []
    return planned(home, [node], ops, "weighed", text=f"{weight:,} of {FULL_WEIGHT:,}", actor=actor)


def prioritize(timeline: Timeline, at: int, policy: str) -> Plan:
    """Plan in which order things should be dropped from the agent's window."""
    is_new = policy_at(timeline, timeline.head) != policy
    ops = [{"kind": "retune", "weights": dict(CLASS_WEIGHTS[policy]), "reason": policy}] if is_new else []
    return Plan(tuple(ops), Recorded("retune", (), policy, "", "", LIVE, "", 0, 0, is_new, False, 0))


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
    "priority": writing(
        prioritize,
        "priority size_first",
        (Argument("policy", "word", "the order", required=True, words=POLICIES),),
        about="lru: what came up longest ago. size_first: the largest. keep_relational: code and outputs before what "
        "is about people and agreements. keep_technical: the other way round.",
        needs=(),
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
