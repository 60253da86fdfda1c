"""`adopt`: remember a proposed rule, or all that the project's instruction files say, with what bears it.

Each becomes a memo of class `rule` or `anti-pattern` with its places, category and reason. The sessions that show it
are named by evidence of no weight: that it was observed there doesn't say that it helped. What an instruction file says
is imported with full weight, so it counts as established.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound
from ccos_core.learn.rule import CATEGORY_TAG, IMPORT, OUTCOME
from ccos_core.query.playbook.proposed import new_proposals
from ccos_core.query.question import Argument, Plan
from ccos_core.query.recorded import Home, planned, writing
from ccos_core.query.remembered import FOR, FULL_WEIGHT, MEMO, remembered_until
from ccos_core.query.saying.utterance import USER
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.learn.observed import Observation
    from ccos_core.learn.proposing import Proposal
    from ccos_core.replay.timeline import Timeline

INSTRUCTIONS = "instructions"
MOST_PLACES = 40  # places of a rule, and nodes of a piece of evidence
NODES = {"prompt": "prompt", "tool": "call"}
"""Kind of op → how a node of its step begins."""


def adopt(timeline: Timeline, at: int, actor: str, rule: str) -> Plan:
    """Plan to remember a proposed rule, named by its id or the start of it, or all of the instruction files."""
    new, _ = new_proposals(timeline, at)
    meant = [each for each in new if each[1].established] if rule == INSTRUCTIONS else _named(new, rule)
    if not meant:
        start = MEMO + rule.removeprefix(MEMO)
        adopted = [memo for memo in remembered_until(timeline, at) if memo.startswith(start) and start != MEMO]
        if len(adopted) == 1:
            raise NotFound("was adopted before", place=rule, hint=f"Look at it: rule {adopted[0]}")
        raise NotFound("no such rule is proposed", place=rule, hint="`proposals` lists them.")
    ops = [op for memo, each in meant for op in _ops(timeline, memo, each, actor)]
    return planned(Home(timeline), [memo for memo, _ in meant], ops, "remembered", text=meant[0][1].words, actor=actor)


def _named(new: list[tuple[str, Proposal]], rule: str) -> list[tuple[str, Proposal]]:
    start = MEMO + rule.removeprefix(MEMO)
    found = [each for each in new if each[0].startswith(start)]
    return found if len(found) == 1 and start != MEMO else []


def _ops(timeline: Timeline, memo: str, each: Proposal, actor: str) -> Iterator[dict[str, Any]]:
    places = [place for shown in each.observations for place in _places(timeline, shown)]
    yield {
        "kind": "remembered",
        "memo": memo,
        "class": each.cls,
        "words": each.words,
        "scope": "project",
        "tags": [CATEGORY_TAG + each.category],
        "reason": each.reason,
        "places": list(dict.fromkeys(places))[:MOST_PLACES],
        "inferred": actor != USER or None,
    }
    way, weight = (IMPORT, FULL_WEIGHT) if each.established else (OUTCOME, 0)
    for shown in {shown.session: shown for shown in each.observations if each.established or shown.session}.values():
        by = list(dict.fromkeys(node for node, _, _ in _places(timeline, shown)))[:MOST_PLACES]
        where = {"for_session": shown.session} if shown.session else {}
        yield {"kind": FOR, "claim": memo, "weight": weight, "way": way, "by": by, **where}


def _places(timeline: Timeline, shown: Observation) -> Iterator[tuple[str, int, int]]:
    """Yield (node, first, last line) of what shows it: a file, prompts, calls."""
    path, _, line = shown.detail.rpartition(":")
    if shown.kind == "instruction" and line.isdecimal():
        yield file_node(path), int(line), int(line)
        return
    for step in shown.steps:
        kind = NODES.get(timeline.op(step)["kind"])
        if kind is not None:
            yield f"{kind}:{step}", 1, 1


QUESTIONS = {
    "adopt": writing(
        adopt,
        "adopt memo:ae13bce2194772e7",
        (Argument("rule", "name", "the memo:ID of a proposal, or `instructions` for all of those", required=True),),
        about="A rule that a person adopts is asserted by that person; one that an agent adopts stays inferred.",
        needs=("actor",),
    ),
}
