"""`hook --guard`: ask the user before a command is run of a kind that did harm before.

A kind did harm if the record shows it (`dangers`), or if a trauma that was remembered quotes such a command in
backticks. All other commands pass without a word, and so does every command that takes too long to judge.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError
from ccos_core.intake.tools import line_of
from ccos_core.learn.guard import dangers_of, may_be_dangerous
from ccos_core.learn.trauma import TRAUMA, rules_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

PATIENCE = 0.5
"""Seconds to wait for others who write."""


def answer(event: dict[str, Any], ws: str) -> bytes:
    """Return what is to stand on stdout: a question to the user, or nothing."""
    given = event.get("tool_input")
    command = line_of(given.get("command")) if isinstance(given, dict) else ""
    if not may_be_dangerous(command):
        return b""
    found = dangers_of(command)
    known = harmful_rules(ws) if found else {}
    again = next((each for each in found if each.rule in known), None)
    if again is None:
        return b""
    reason = f"`{again.program}`: {again.rule} did harm before{known[again.rule]}. Run it all the same?"
    decision = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": reason}
    return json.dumps({"hookSpecificOutput": decision}, ensure_ascii=False).encode() + b"\n"


def harmful_rules(ws: str) -> dict[str, str]:
    """Return what makes commands dangerous that did harm → where that is told, by a record and the user's own."""
    from ccos_core.query.playbook.dangers import incidents
    from ccos_core.session.asking import Desk
    from ccos_core.session.hearing import take_in
    from ccos_core.storage.opening import open_record

    take_in(ws, PATIENCE)
    if not os.path.exists(ws):
        return {}
    with open_record(ws, patience=PATIENCE) as record, Desk(record) as desk:
        rules = dict.fromkeys(_remembered(desk.timeline), " by what is remembered in this project")
        user = desk.user()
        rules |= dict.fromkeys(_remembered(user) if user is not None else (), " by what you had remembered")
        found = incidents(desk.timeline, desk.timeline.head, lambda done, total: None)
        return rules | {each.rule: f", at step {each.step:,}" for each in found if each.harmed}


def _remembered(timeline: Timeline) -> list[str]:
    """Return the rules of the live traumas of a record."""
    from ccos_core.query.remembered import LIVE, remembered_until

    try:
        every = remembered_until(timeline, timeline.head).values()
    except CcosError:
        return []
    traumas = [each.text for each in every if each.cls == TRAUMA and each.standing == LIVE]
    return [rule for text in traumas for rule in sorted(rules_of(text))]
