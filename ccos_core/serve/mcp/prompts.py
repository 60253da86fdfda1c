"""Prompts: how to find out what went wrong in a session, and how to work from a window."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Prompt
from ccos_core.serve.mcp.resources import nodes_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccos_core.serve.mcp.tools.door import Door

POST_MORTEM = """\
Find out why this coding session went wrong, from its record and not from memory.{symptom}

1. timeline: see what happened. Note the steps of failures, of compactions, and of edits that were undone.
2. autopsy: take the suspects as leads, not as verdicts; each names its evidence by step.
3. For each node that mattered: missing tells since when it was out of the window and what pushed it out; why tells what
   it lacked at that step; drift_cause tells which steps moved its heat.
4. recall_what_if at the step before the mistake: was what was needed in the window then? With another budget?
5. diff between the last step that was right and the first that was wrong.

Answer with: the step at which it turned; what the agent didn't have in its window there, and why; what it did
instead; what would have kept it there. Give the step for every statement, and say of what isn't recorded that it isn't.
"""

WORKING = """\
Work from a window of the code instead of opening files one after the other.{task}

1. recall with {way}: read the text. With reasons it says why each item is in.
2. What is shown in part comes whole by ccos_retrieve with its ref. What isn't there, open.
3. Before you change something others use: causal_intervene on it, or recall with it as anchor.
4. Run the tests, and hand all of their output to page_fault, also when they pass. Work from the window it gives.
5. After your own context was cut: recall with lens resume first.
"""


def prompts(door: Door) -> tuple[Prompt, ...]:
    """Them all, in the order in which they are listed."""
    return (
        Prompt(
            name="post_mortem",
            title="Post-mortem of a session",
            description="Find where a session went wrong, from its record.",
            arguments=(("symptom", "What went wrong, as far as you know.", False),),
            say=_post_mortem,
            complete=None,
        ),
        Prompt(
            name="work_from_window",
            title="Work from a window",
            description="Do a task from the window of what matters for it.",
            arguments=(
                ("task", "What is to be done.", False),
                ("anchor", "The file or symbol it is about, where you know it.", False),
            ),
            say=_working,
            complete=lambda name, typed, others: _complete(door, name, typed),
        ),
    )


def _post_mortem(said: Mapping[str, str]) -> str:
    symptom = said.get("symptom", "").strip()
    return POST_MORTEM.format(symptom=f"\n\nWhat is known: {symptom}" if symptom else "")


def _working(said: Mapping[str, str]) -> str:
    task, anchor = said.get("task", "").strip(), said.get("anchor", "").strip()
    way = f"anchor {anchor}" if anchor else "the task as text" if task else "nothing said, for what is hot"
    return WORKING.format(task=f"\n\nThe task: {task}" if task else "", way=way)


def _complete(door: Door, name: str, typed: str) -> Sequence[str]:
    return nodes_like(door, typed) if name == "anchor" else ()
