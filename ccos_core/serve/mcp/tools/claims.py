"""The toolset `claims`: what an agent holds to be true, with what speaks for and against it, and since when."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.schema import nearest
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.asking import FOLDING, node_of, ready, told, with_notes
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.questions import question_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.query.believing import Belief
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live

ONE = 1_000


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    claim = schemas.word("The claim, worded the same each time.")
    belief = {"claim": schemas.TEXT, "belief": schemas.NUMBER, "tension": schemas.NUMBER, "trajectory": schemas.LIST}
    return (
        Tool(
            name="assert_claim",
            title="Assert a claim",
            description="Record evidence for or against a claim about the project. Returns the belief now, from "
            "-1000 to 1000, and the tension.",
            takes=schemas.takes(
                "claim",
                claim=claim,
                by=schemas.several("The evidence: paths, symbols, other claims."),
                supports=schemas.switch("Whether it supports the claim.", default=True),
                weight=schemas.number("Authority of the evidence.", 0, ONE, ONE),
                words=schemas.text("Why."),
            ),
            gives=schemas.gives("ccos.belief/1", step=schemas.NUMBER, **belief),
            toolset="claims",
            reads_only=False,
            repeats=False,
            run=lambda given, call: _assert(door, given, call),
        ),
        Tool(
            name="retract_claim",
            title="Retract a claim",
            description="Withdraw all evidence of a claim. Earlier steps keep the belief they had.",
            takes=schemas.takes("claim", claim=claim, words=schemas.text("Why.")),
            gives=schemas.gives("ccos.belief/1", step=schemas.NUMBER, **belief),
            toolset="claims",
            reads_only=False,
            repeats=False,
            run=lambda given, call: _retract(door, given, call),
        ),
        Tool(
            name="retrodict_belief",
            title="History of a belief",
            description="Get the belief in a claim, step by step. smoothed tells whether later evidence was "
            "applied to earlier steps.",
            takes=schemas.takes("claim", claim=claim),
            gives=schemas.gives("ccos.belief/1", **belief, smoothed=schemas.FLAG),
            toolset="claims",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _retrodict(door, given, call),
        ),
        *question_tools(door, "claims"),
    )


def claim_node(said: str) -> str:
    """The node of a claim, however its words are spaced."""
    words = " ".join(said.removeprefix("claim:").split())
    if not words:
        raise Wrong("claim", "it is empty.")
    return f"claim:{words}"


def _assert(door: Door, given: Arguments, call: Call) -> Answer:
    live = ready(door, call)
    by = [each if each.startswith(("claim:", "note:")) else node_of(live, each, "by") for each in given.get("by", ())]
    kind = "supported" if given["supports"] else "contradicted"
    said = {"kind": kind, "claim": claim_node(given["claim"]), "weight": given["weight"], "by": by}
    return _recorded(door, given, call, said)


def _retract(door: Door, given: Arguments, call: Call) -> Answer:
    claim = _known(ready(door, call, whole=True), given["claim"]).claim
    return _recorded(door, given, call, {"kind": "retracted", "claim": claim})


def _retrodict(door: Door, given: Arguments, call: Call) -> Answer:
    return told(door, given, _known(ready(door, call), given["claim"]))


def _recorded(door: Door, given: Arguments, call: Call, said: dict[str, object]) -> Answer:
    live = door.live()
    words = {"words": given["words"]} if given.get("words") else {}
    (step,) = live.tell([{**said, **words, "actor": "agent"}])
    live.keep_up(heard(call, FOLDING), whole=True)
    claim = str(live.desk.timeline.op(step)["claim"])
    return with_notes(door, given, {**told(door, given, _known(live, claim)), "step": step})


def _known(live: Live, said: str) -> Belief:
    """What is believed of a claim that somebody has asserted."""
    from ccos_core.query.believing import belief, claims

    timeline, claim = live.desk.timeline, claim_node(said)
    found = belief(timeline, timeline.head, claim)
    if found is None:
        near = nearest(claim, claims(timeline, timeline.head))
        raise Wrong("claim", "it was never asserted here.", near.removeprefix("claim:"))
    return found
