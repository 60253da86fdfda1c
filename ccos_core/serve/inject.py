"""`hook --inject`: a word to an agent whose host has cut its window, of what was lost and matters.

At the start of a session after a compaction, and with a prompt. Facts and no orders, within a budget, nothing twice in
a session, and nothing at all where that takes longer than a person would notice. Unlike the rest of a hook this knows
the engine; it runs after the event is safely on disk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ccos_core.intake.importers.claude_code.reader import HOST
from ccos_core.session.hearing import take_in
from ccos_core.session.knowing import Knowing
from ccos_core.session.lost import Lost, failing, lost
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.tokens import text_parts, tokens

BUDGET = 600
"""Tokens of all that is said."""
PATIENCE = 0.1
"""Seconds to wait for others who write."""
KEPT = "injected"
"""What the record calls what was told: {session: [names]}."""
MOST_SESSIONS, MOST_NAMES = 50, 2_000
"""Sessions, and things told in one, that are remembered."""
MOST_FAILS = 5
LONGEST_NAME, DEAREST_NAME = 70, 40
"""Characters and tokens of the name of one."""
FOR_SINCE = 30
"""Tokens of the line above the window."""
HEAD = "From the record that ccos-tui keeps of this session; the host's own window may not have it any more."


def answer(event: dict[str, Any], ws: str) -> bytes:
    """What is to stand on stdout for an event; nothing for most."""
    kind, session = event.get("hook_event_name"), event.get("session_id")
    is_cut = kind == "SessionStart" and event.get("source") == "compact"
    if not (is_cut or kind == "UserPromptSubmit") or not isinstance(session, str) or "agent_id" in event:
        return b""
    take_in(ws, PATIENCE)
    if not os.path.exists(ws):
        return b""
    with open_record(ws, patience=PATIENCE) as record:
        told = _told(record)
        known = told.get(session, [])
        knowing = Knowing(record)
        above = _above(failing(knowing))
        budget = BUDGET - _taken(above) - FOR_SINCE
        found = lost(knowing, HOST, session, budget, set(known), everything=is_cut)
    if not found.told:
        return b""
    names = dict.fromkeys([*known, *found.told])
    _remember(
        ws, {**{name: each for name, each in told.items() if name != session}, session: list(names)[-MOST_NAMES:]}
    )
    output = {"hookEventName": kind, "additionalContext": _text_of(above, found)}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _above(fails: Sequence[str]) -> str:
    """What is said before the window."""
    if not fails:
        return HEAD
    more = len(fails) - MOST_FAILS
    named = [*map(_short, fails[:MOST_FAILS]), *([f"{more} more"] if more > 0 else [])]
    return f"{HEAD}\nFailing: {'; '.join(named)}"


def _text_of(above: str, found: Lost) -> str:
    since = f"What mattered most until step {found.since:,}:" if found.since else "What mattered most:"
    return "\n".join([above, since, "", found.window.text])


def _short(said: str) -> str:
    """A name, cut where it takes more than names do: some scripts take three tokens a character."""
    line = " ".join(said.split())
    if len(line) > LONGEST_NAME:
        line = line[: LONGEST_NAME - 1] + "…"
    while _taken(line) > DEAREST_NAME:
        line = line[: len(line) // 2] + "…"
    return line


def _taken(said: str) -> int:
    return tokens(text_parts(said))


def _told(record: Record) -> dict[str, list[str]]:
    local = record.local(KEPT)
    try:
        told = json.loads(local) if isinstance(local, str) else {}
    except ValueError:
        return {}
    return {str(name): each for name, each in told.items() if isinstance(each, list)} if isinstance(told, dict) else {}


def _remember(ws: str, told: dict[str, list[str]]) -> None:
    """What was told is told before it is said: rather not at all than twice."""
    newest = dict(list(told.items())[-MOST_SESSIONS:])
    with open_record(ws, write=True, stay=False, patience=PATIENCE) as record, record.write() as writing:
        writing.set_local(KEPT, json.dumps(newest))
