"""The toolset `rules`, and the resources of the playbook: what many sessions taught, told when it matters.

A conversation is told a rule once, and again if its maturity changed or the window was cut meanwhile.
"""

from __future__ import annotations

from functools import partial

from ccos_core.serve.mcp.offer import Resource, Tool
from ccos_core.serve.mcp.tools import plain, schemas
from ccos_core.serve.mcp.tools.asking import put, ready, told
from ccos_core.serve.mcp.tools.questions import question_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ccos_core.query.playbook.rules import Rules
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live

BUDGET = 600
"""Tokens, as the question has it; a test compares."""
MOST_BUDGET = 20_000
"""Tokens of the rules among which those are that weren't told yet."""
DAYS, MOST_DAYS = 7, 3_650
"""Days back that `reflect` reads, as its command has it; a test compares."""
SESSIONS, MOST_SESSIONS = 50, 1_000
ENDINGS_SHOWN = 20
"""Sessions of the resource of outcomes, the newest."""
PATIENCE = 0.5
"""Seconds to wait for others who write."""
PAGES: tuple[tuple[str, str, str, str, dict[str, str]], ...] = (
    ("playbook", "Playbook", "All rules in force, with score and maturity.", "rules", {"budget": str(MOST_BUDGET)}),
    ("diary", "Diary", "What each session did, decided, met and learned.", "diary", {}),
    ("stats", "Statistics", "What the workspace contains.", "stats", {}),
)
"""Name, title and description of each resource, and the question that it is, with its arguments."""


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    return (
        Tool(
            name="rules",
            title="Rules for a task",
            description="Get the rules that earlier sessions bore out and that matter for a task, once a session. "
            "Nothing if none has to do with it.",
            takes=schemas.takes(
                task=schemas.text("The task; without it all rules in force."),
                budget=schemas.number("Tokens the rules may take.", 1, MOST_BUDGET, BUDGET),
                again=schemas.switch("Tell also what this conversation was told before."),
            ),
            gives=schemas.gives("ccos.rules/1", text=schemas.TEXT, rules=schemas.LIST, why=schemas.TEXT),
            toolset="rules",
            reads_only=not door.record_recalls,
            repeats=not door.record_recalls,
            run=lambda given, call: _rules(door, given, call),
            plain=plain.rules_text,
        ),
        *question_tools(door, "rules"),
        Tool(
            name="reflect",
            title="Learn from new sessions",
            description="Read the sessions of this project that weren't read yet, and tell the rules that they bear "
            "out. Records them only if dry_run is false. No model is asked.",
            takes=schemas.takes(
                dry_run=schemas.switch("Tell each step and record nothing.", default=True),
                days=schemas.number("Read sessions of that many last days.", 1, MOST_DAYS, DAYS),
                limit=schemas.number("Sessions to read.", 1, MOST_SESSIONS, SESSIONS),
            ),
            gives=schemas.gives("ccos.reflection/1", dry_run=schemas.FLAG, judged=schemas.LIST, text=schemas.TEXT),
            toolset="rules",
            reads_only=False,
            repeats=True,
            run=lambda given, call: _reflect(door, given, call),
            plain=plain.page_text,
        ),
    )


def resources(door: Door) -> tuple[Resource, ...]:
    """The playbook, the diary, the statistics and the outcomes of sessions as text."""
    pages = tuple(
        _resource(name, title, description, partial(_page, door, question=question, given=given))
        for name, title, description, question, given in PAGES
    )
    outcomes = f"How the last {ENDINGS_SHOWN} sessions ended, and the rules that each followed."
    return (*pages, _resource("outcomes", "Outcomes", outcomes, partial(_outcomes, door)))


def _resource(name: str, title: str, description: str, page: Callable[[Call], str]) -> Resource:
    return Resource(
        uri=f"ccos://{name}",
        name=name,
        title=title,
        description=description,
        mime="text/plain",
        read=lambda uri, said, call: page(call),
        complete=None,
    )


def _page(door: Door, call: Call, question: str, given: dict[str, str]) -> str:
    asked = put(ready(door, call), call, question, dict(given))
    return _printed(asked.answer, asked.partial)


def _outcomes(door: Door, call: Call) -> str:
    """Return how each session ended, the newest first. Nothing is recorded."""
    live = ready(door, call)
    sessions = put(live, call, "diary", {}).answer.sessions[:ENDINGS_SHOWN]
    asked = [put(live, call, "outcome", {"verdict": "show", "session": each.session}) for each in sessions]
    return "\n\n".join(_printed(each.answer, each.partial) for each in asked) or "No session is recorded."


def _reflect(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.session.reflecting import reflect_on

    live = ready(door, call)
    found = reflect_on(
        door.path,
        (),
        now=live.session.clock(),
        days=given["days"],
        limit=given["limit"],
        dry_run=given["dry_run"],
        principal=door.principal,
    )
    if found.ops and not found.dry_run:
        ready(door, call, whole=True)
    return {**told(door, given, found), "text": _printed(found)}


def _printed(answer: Any, missing: int = 0) -> str:
    from click import unstyle

    from ccos_core.serve.printing import as_lines

    return "\n".join(map(unstyle, as_lines(answer, None, partial=missing)))


def _rules(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.query.playbook.rules import without

    live = ready(door, call)
    said = {"budget": str(MOST_BUDGET), **({"task": given["task"]} if given.get("task") else {})}
    asked = put(live, call, "rules", said)
    is_again = given.get("again") or door.scripted
    found = without(asked.answer, (), given["budget"]) if is_again else _untold(live, asked.answer, given["budget"])
    answer = told(door, given, found, asked.partial)
    return _recorded(live, found, answer) if found.rules and door.record_recalls else answer


def _untold(live: Live, found: Rules, budget: int) -> Rules:
    """Return the rules that the conversation that spoke last wasn't told since its window was cut, and remember that
    it is told them now. Without a known conversation all are told."""
    from contextlib import suppress

    from ccos_core.errors import CcosError
    from ccos_core.query.playbook.rules import told_name, without
    from ccos_core.session.told_before import ToldBefore, conversation_now, remember, told_before

    name, cuts = conversation_now(live.desk.timeline)
    if not name:
        return without(found, (), budget)
    key = f"rules\t{name}"
    known = told_before(live.session.recorded, key)
    left = without(found, known.names if known.cuts >= cuts else (), budget)
    if left.rules:
        now = ToldBefore(cuts, known.tokens + left.tokens, [told_name(each) for each in left.rules])
        with suppress(CcosError):  # it can't be written just now: better told twice than never
            remember(live.session.recorded.path, key, now, PATIENCE)
    return left


def _recorded(live: Live, found: Rules, answer: Answer) -> Answer:
    """Record that the rules were handed out."""
    from ccos_core.errors import CcosError
    from ccos_core.query.playbook.rules import as_window
    from ccos_core.session.recalls import record_recall

    try:
        return {**answer, "recorded": record_recall(live.session, as_window(found), live.step, view=live.desk.view)}
    except CcosError as error:
        return {**answer, "notes": [*answer.get("notes", ()), f"These rules were not recorded as given: {error.fact}."]}
