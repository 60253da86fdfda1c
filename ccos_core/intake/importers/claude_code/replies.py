"""What the user says through the result of a call: why it was refused, answers to questions, an edited plan.

A tool may print what a refusal prints. So a refusal counts only where the host's own result beside it says the same;
and of a tool of an MCP server only where the transcript shows that the call never ran: it has records of progress for
the calls of such tools that did, and none for this one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ccos_core.intake.importers.claude_code.tools import Fields, Use, fields
from ccos_core.intake.importers.fields import text

REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "Permission for this tool use was denied. The tool use was rejected",
)
"""How the result of a refused call begins; the second in a subagent."""
REASONS = (
    "To tell you how to proceed, the user said:\n",
    "). The user said:\n",
    "The user provided the following reason for the rejection:",
)
"""What stands before the user's words in it, in newer and older versions."""
HINT = "\n\nNote: The user's next message may contain a correction"
"""What newer versions put behind them."""
PLAN_HEADING = re.compile(r"^## Approved Plan( \(edited by user\))?:\n", re.MULTILINE)
"""What stands before a plan, which may hold the same words further down."""
MCP = "mcp__"
RAN = ("mcp_progress", "bash_progress", "agent_progress")
"""Progress of a call that runs; hooks have some before it does."""
REJECTED, ERROR, DENIAL = "User rejected tool use", "Error: ", "toolDenialKind"


class Reply(NamedTuple):
    """Words of the user, and the channel they came through."""

    channel: str
    words: str


class Progress:
    """The calls that ran, as far as a transcript notes that they do."""

    def __init__(self) -> None:
        self._ran: set[str] = set()
        self._notes_mcp = False

    def read(self, value: Fields) -> None:
        """Take in a record of progress."""
        kind = fields(value.get("data")).get("type")
        if kind in RAN:
            self._ran.add(text(value, "parentToolUseID"))
            self._notes_mcp |= kind == RAN[0]

    def allows_refusal(self, tool: str, call: str) -> bool:
        """Whether this call was certainly refused, if its result says so."""
        return call not in self._ran and (not tool.startswith(MCP) or self._notes_mcp)


def is_host_refusal(value: Fields, told: object, printed: str) -> bool:
    """Whether what the host `told` beside a printed result is what it tells of a refusal. Subagents have nothing there,
    and newer versions name the kind of the refusal."""
    return told is None or DENIAL in value or told in (REJECTED, ERROR + printed)


def reply_of(use: Use, *, is_refusable: bool = True) -> Reply | None:
    """Return what the user said through a call's result; None if it holds no words of theirs. Of a call that may have
    run (not `is_refusable`) no result is a refusal."""
    if use.outcome == "error" and use.printed.startswith(REFUSED):
        if not is_refusable:
            return None
        words = next((use.printed.partition(mark)[2].strip() for mark in REASONS if mark in use.printed), "")
        words = words.partition(HINT)[0].strip()
        return Reply("refusal", words) if words else None
    if use.name == "AskUserQuestion":
        return _answers(use)
    if use.name == "ExitPlanMode":
        heading = PLAN_HEADING.search(use.printed)
        plan = use.printed[heading.end() :].strip() if heading and heading[1] else ""
        return Reply("plan", plan) if plan else None
    return None


def _answers(use: Use) -> Reply | None:
    """One line for each answer, with the notes that were written to it."""
    notes = fields(use.structured.get("annotations"))
    said: list[str] = []
    for question, answer in fields(use.structured.get("answers")).items():
        said += [
            each for each in (answer, text(fields(notes.get(question)), "notes")) if isinstance(each, str) and each
        ]
    return Reply("answer", "\n".join(said)) if said else None
