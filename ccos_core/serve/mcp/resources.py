"""What a host can read by name (the window, the timeline, a step of it, a node), and the prompts.

Reading changes nothing, unless the server was told to record the windows it hands out.
"""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Prompt, Resource, Wrong
from ccos_core.serve.mcp.schema import fitting
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.asking import node_of, put, ready, step_of
from ccos_core.serve.mcp.tools.windows import window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ccos_core.serve.mcp.offer import Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live

CONTEXT, TIMELINE = "ccos://session/context", "ccos://session/timeline"
PLAIN = "text/plain"
LENSES = (
    "working-set",
    "around:",
    "task:",
    "hybrid:",
    "causal-flash",
    "resume",
    "memo:",
    "rules:",
    "bundle:",
    "brief",
    "brief:",
)
BUDGETS = ("1024", "2048", "4096", "8192", "16384")
LONGEST_NUMBER = 12
"""Digits; whoever says more means no number."""


def resources(door: Door) -> tuple[Resource, ...]:
    """Them all, in the order in which they are listed."""
    return (
        Resource(
            uri=CONTEXT,
            name="context",
            title="Current window",
            description=f"The code that matters now, within {schemas.BUDGET:,} tokens.",
            mime=PLAIN,
            read=lambda uri, said, call: _context(door, said, call),
            complete=None,
        ),
        Resource(
            uri=TIMELINE,
            name="timeline",
            title="Timeline",
            description="The last 500 recorded steps, one a line.",
            mime=PLAIN,
            read=lambda uri, said, call: _timeline(door, call),
            complete=None,
        ),
        Resource(
            uri=f"{CONTEXT}{{?lens,budget}}",
            name="context-of",
            title="A window",
            description="A window within a budget: working-set, around:X, task:TEXT, hybrid:TEXT, ...",
            mime=PLAIN,
            read=lambda uri, said, call: _context(door, said, call),
            complete=lambda name, typed, others: _complete_context(door, name, typed),
        ),
        Resource(
            uri="ccos://session/step/{n}",
            name="step",
            title="A step",
            description="What a step recorded, and a summary of the state.",
            mime=PLAIN,
            read=lambda uri, said, call: _step(door, said, call),
            complete=lambda name, typed, others: _steps(door, typed),
        ),
        Resource(
            uri="ccos://node/{id}",
            name="node",
            title="A file or symbol",
            description="The recorded text, by path, symbol or node id.",
            mime=PLAIN,
            read=lambda uri, said, call: _node(door, said, call),
            complete=lambda name, typed, others: nodes_like(door, typed),
        ),
    )


def nodes_like(door: Door, typed: str) -> list[str]:
    """Paths and symbols that begin so, or of which a part does."""
    live = _known(door)
    names = [_plain(node) for node in live.desk.timeline.names()]
    begin = [name for name in names if name.startswith(typed)]
    within = [name for name in names if not name.startswith(typed) and typed.casefold() in name.casefold()]
    return [*sorted(begin), *sorted(within)]


def _plain(node: str) -> str:
    """How a person types a node."""
    from ccos_core.values.ids import path_of

    path, mark, name = path_of(node) or node, *node.partition("#")[1:]
    return f"{path}{mark}{name}" if node.startswith("sym:") else path


def _known(door: Door) -> Live:
    live = door.live()
    live.keep_up()
    return live


def _context(door: Door, said: Mapping[str, str], call: Call) -> str:
    budget = said.get("budget") or str(schemas.BUDGET)
    if not (budget.isascii() and budget.isdigit() and len(budget) <= LONGEST_NUMBER):
        raise Wrong("budget", f"{budget!r} isn't a number of tokens.", str(schemas.BUDGET))
    lens = {"lens": said["lens"]} if said.get("lens") else {}
    answer = window(door, {**lens, "budget": fitting(schemas.budget(), int(budget), "budget")}, call)
    if "text" not in answer:
        raise Wrong("lens", f"{said['lens']!r} has no text of its own; call recall for its contents.", "working-set")
    return str(answer["text"]) or "\n".join(answer.get("notes", ()))


def _timeline(door: Door, call: Call) -> str:
    return _lines(ready(door, call), call, "timeline", {})


def _step(door: Door, said: Mapping[str, str], call: Call) -> str:
    live, number = ready(door, call), said.get("n", "")
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        raise Wrong("n", f"{number!r} isn't a step.", str(live.step))
    at = step_of(live, int(number), "n")
    told = [_lines(live, call, question, {}, at) for question in ("state", "show")]
    return "\n\n".join(filter(None, told))


def _node(door: Door, said: Mapping[str, str], call: Call) -> str:
    live = ready(door, call)
    return _lines(live, call, "show", {"node": node_of(live, said.get("id", ""), "id")})


def _lines(live: Live, call: Call, question: str, said: dict[str, str], at: int | None = None) -> str:
    from click import unstyle

    from ccos_core.serve.printing import as_lines

    asked = put(live, call, question, said, at)
    return "\n".join(map(unstyle, as_lines(asked.answer, None, partial=asked.partial)))


def _complete_context(door: Door, name: str, typed: str) -> Sequence[str]:
    if name == "budget":
        return [each for each in BUDGETS if each.startswith(typed)]
    if typed.startswith("around:"):
        return [f"around:{each}" for each in nodes_like(door, typed.removeprefix("around:"))]
    return [each for each in LENSES if each.startswith(typed)]


def _steps(door: Door, typed: str) -> Sequence[str]:
    """Steps whose number begins so, the last ones first."""
    last = _known(door).step
    return [number for each in range(last, -1, -1) if (number := str(each)).startswith(typed)]


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
