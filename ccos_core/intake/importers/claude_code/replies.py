"""What the user says through the result of a call: why it was refused, answers to questions, an edited plan."""

from __future__ import annotations

from typing import NamedTuple

from ccos_core.intake.importers.claude_code.tools import Use, fields
from ccos_core.intake.importers.fields import text

REFUSED = "The user doesn't want to proceed with this tool use."
REASONS = ("To tell you how to proceed, the user said:\n", "The user provided the following reason for the rejection:")
"""What stands before the user's words in the result of a refused call, in newer and older versions."""
EDITED_PLAN = "## Approved Plan (edited by user):\n"


class Reply(NamedTuple):
    """Words of the user, and the channel they came through."""

    channel: str
    words: str


def reply_of(use: Use) -> Reply | None:
    """Return what the user said through a call's result; None if it holds no words of theirs."""
    if use.outcome == "error" and use.printed.startswith(REFUSED):
        words = next((use.printed.partition(mark)[2].strip() for mark in REASONS if mark in use.printed), "")
        return Reply("refusal", words) if words else None
    if use.name == "AskUserQuestion":
        return _answers(use)
    if use.name == "ExitPlanMode":
        _, mark, plan = use.printed.partition(EDITED_PLAN)
        return Reply("plan", plan.strip()) if mark and plan.strip() else None
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
