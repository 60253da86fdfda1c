"""Prompts: how to find out what went wrong in a session, and how to work from a window."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Prompt
from ccos_core.serve.mcp.resources import nodes_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccos_core.serve.mcp.tools.door import Door

POST_MORTEM = """\
Find out why this coding session went wrong. Use its record, not your memory.{symptom}

1. timeline: note the steps of failures, compactions, and edits that were undone.
2. autopsy: treat the suspects as leads, not as verdicts. Each names its evidence by step.
3. For each node that mattered: missing tells when it left the window and what pushed it out; why tells what it lacked
   at that step; drift_cause tells which steps changed its heat.
4. recall_what_if at the step before the mistake: did the window hold what was needed? Would it with another budget?
5. diff between the last right step and the first wrong one.

Answer with: the step at which the session went wrong; what was missing from the agent's window there, and why; what
the agent did instead; what would have kept it in the window. Give a step for every statement, and say what is not
recorded.
"""

WORKING = """\
Work from a window of the code instead of opening files one by one.{task}

1. Call recall with {way} and read the text. With reasons it tells why each item is included.
2. For an item shown in part, call ccos_retrieve with its ref. Open what is missing.
3. Before you change code that others use, call causal_intervene on it, or recall with it as anchor.
4. Run the tests and give their whole output to page_fault, even if they pass. Work from the window it returns.
5. After your own context was compacted, call recall with lens resume first.
"""


def prompts(door: Door) -> tuple[Prompt, ...]:
    """Them all, in the order in which they are listed."""
    return (
        Prompt(
            name="post_mortem",
            title="Post-mortem of a session",
            description="Find where a session went wrong, from its record.",
            arguments=(("symptom", "What went wrong, if known.", False),),
            say=_post_mortem,
            complete=None,
        ),
        Prompt(
            name="work_from_window",
            title="Work from a window",
            description="Do a task from a window of the code that matters for it.",
            arguments=(
                ("task", "The task.", False),
                ("anchor", "The file or symbol to work on, if known.", False),
            ),
            say=_working,
            complete=lambda name, typed, others: _complete(door, name, typed),
        ),
    )


def _post_mortem(said: Mapping[str, str]) -> str:
    symptom = said.get("symptom", "").strip()
    return POST_MORTEM.format(symptom=f"\n\nKnown symptom: {symptom}" if symptom else "")


def _working(said: Mapping[str, str]) -> str:
    task, anchor = said.get("task", "").strip(), said.get("anchor", "").strip()
    way = f"anchor {anchor}" if anchor else "the task as text" if task else "no argument, for what is hot now"
    return WORKING.format(task=f"\n\nThe task: {task}" if task else "", way=way)


def _complete(door: Door, name: str, typed: str) -> Sequence[str]:
    return nodes_like(door, typed) if name == "anchor" else ()
