"""`hook --inject`: a word to an agent whose host has cut its window, of what was lost and matters.

At the start of a session after a compaction, and with a prompt. Facts and no orders, within a budget, nothing twice in
a session, and nothing at all where that takes longer than a person would notice. Unlike the rest of a hook this knows
the engine; it runs after the event is safely on disk. A server that has the workspace open says the same, see
`next_door`: what was told is remembered in one place, whoever told it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from ccos_core.errors import CcosError
from ccos_core.intake.hooks.heard import INJECTED
from ccos_core.intake.importers.claude_code.reader import HOST
from ccos_core.serve.next_door import Wanted, wanted
from ccos_core.session.collecting import uncollected
from ccos_core.session.disk_check import DiskCheck
from ccos_core.session.hearing import take_in
from ccos_core.session.lost import Lost, failing, lost
from ccos_core.session.session import open_session
from ccos_core.session.settings import switched_off
from ccos_core.session.worlds import Knowing
from ccos_core.state.host import Held
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from ccos_core.values.tokens import text_parts, tokens

if TYPE_CHECKING:
    from ccos_core.session.live import Live
    from ccos_core.state.world import World
    from ccos_core.window.source import Source
    from ccos_core.window.state import State

Found: TypeAlias = tuple[str, Lost]
"""What is said above the window, and what was lost."""

BUDGET = 600
"""Tokens of all that is said."""
PATIENCE = 0.1
"""Seconds to wait for others who write."""
KEPT = "injected"
"""What the record calls what was told: {session: [names]}."""
MOST_SESSIONS, MOST_NAMES = 50, 2_000
"""Sessions, and things told in one, that are remembered."""
MOST_FAILS = 5
LONGEST_NAME, DEAREST_NAME = 120, 60
"""Characters and tokens of what is said of one."""
FOR_SINCE = 30
"""Tokens of the line above the window."""
HEAD = "From the record that ccos-tui keeps of this session; your window may no longer contain it."


def answer(event: dict[str, Any], ws: str) -> bytes:
    """Two lines: what is to stand on stdout for an event, and what is to be recorded once it does. Nothing for most
    events."""
    want = wanted(event)
    if want is None:
        return b""
    take_in(ws, PATIENCE)
    if not os.path.exists(ws):
        return b""
    with open_record(ws, patience=PATIENCE) as record:
        known = _told(record).get(want.session, [])
        knowing = Knowing(record)

        def find(check: DiskCheck) -> Found:
            return _found(knowing.world, knowing.world, knowing.source, want, known, check)

        check = DiskCheck.of(record)
        found = find(check)
        if _record_present(ws, check):
            knowing.catch_up()
            found = find(DiskCheck.of(record))
    return _said(ws, want, *found, knowing.step)


def answer_live(
    live: Live, want: Wanted, heard: Callable[[int, int], None], is_there: Callable[[], bool]
) -> bytes | None:
    """The same of a workspace that is open, where it is known so far that nothing has to be folded first but what is
    new. None where it isn't, or whoever asked isn't `is_there` any more; `heard` may raise to have it stopped."""
    ws = live.session.recorded.path
    take_in(ws, PATIENCE)
    if not live.desk.journaling.goes_on:
        return None
    world = live.desk.world(heard)
    if live.behind or live.desk.broken is not None:
        return None
    known = _told(live.session.recorded).get(want.session, [])

    def find(check: DiskCheck) -> Found:
        moment = live.desk.timeline.at(live.step)  # ranks by columns, where a world does so one by one
        with uncollected():
            return _found(moment, world, moment.source, want, known, check)

    check = DiskCheck.of(live.session.recorded)
    found = find(check)
    if live.look_again(check.differing):
        world = live.desk.world(heard)
        found = find(DiskCheck.of(live.session.recorded))
    return _said(ws, want, *found, live.step) if is_there() else None


def _words_of(above: str, found: Lost) -> str:
    """What is said."""
    since = f"What mattered most until step {found.since:,}:" if found.since else "What mattered most:"
    return "\n".join([above, since, "", found.window.text])


def get_ready(ws: str) -> None:
    """Understand what a workspace says, and keep that, so that the next one who is asked has time for it."""
    from ccos_core.session.journaling import Journaling  # numpy, for which nobody waits here

    take_in(ws)
    if os.path.exists(ws):
        with open_record(ws) as record:
            Journaling(record).keep_state()


def _record_present(ws: str, check: DiskCheck) -> bool:
    """Record what shown files read now, without heat, so that the current text can be shown; gives whether anything was
    recorded. A record that takes nothing in, a paused one for instance, only has these files left out."""
    present = check.present()
    if not present or switched_off():
        return False
    from ccos_core.session.ingest import ingest

    try:
        with open_session(ws, patience=PATIENCE) as session:
            for path in present:
                with suppress(CcosError):  # one that can't be recorded keeps no other out
                    ingest(session, [path])
            return session.added > 0
    except CcosError:
        return False


def _found(
    state: State,
    world: World,
    sources: Callable[[str], Source],
    want: Wanted,
    told: Collection[str],
    check: DiskCheck,
) -> Found:
    held = world.hosts.contexts.get((HOST, want.session, ""), Held())
    above = _above(failing(state.failures.live))
    budget = BUDGET - _taken(above) - FOR_SINCE
    return above, lost(
        state, world.graph, sources, held, budget, set(told), everything=want.is_cut, stands=check.stands
    )


def _said(ws: str, want: Wanted, above: str, found: Lost, step: int) -> bytes:
    """The bytes of it; none where there is nothing to say, or somebody has said some of it just now."""
    if not found.told or not _remember(ws, want.session, found.told):
        return b""
    output = {"hookEventName": want.kind, "additionalContext": _words_of(above, found)}
    delivery = {
        "kind": INJECTED,
        "agent": HOST,
        "session": want.session,
        "step": step,
        "budget": found.window.budget,
        "items": [[item.uri, item.level, item.tokens] for item in found.window.items],
        "window": digest(found.window.text.encode("utf-8", "surrogatepass")).hex(),
    }
    lines = [json.dumps(each, ensure_ascii=False) for each in ({"hookSpecificOutput": output}, delivery)]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _above(fails: Sequence[str]) -> str:
    """What is said before the window."""
    if not fails:
        return HEAD
    more = len(fails) - MOST_FAILS
    named = [*map(_short, fails[:MOST_FAILS]), *([f"{more} more"] if more > 0 else [])]
    return f"{HEAD}\nFailing: {'; '.join(named)}"


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


def _remember(ws: str, session: str, names: Collection[str]) -> bool:
    """What was told is told before it is said: rather not at all than twice. False where some of it has been told
    since it was looked up."""
    with open_record(ws, write=True, stay=False, patience=PATIENCE) as record, record.write() as writing:
        told = _told(record)
        known = told.pop(session, [])
        if not set(names).isdisjoint(each for each in known if isinstance(each, str)):
            return False
        told[session] = list(dict.fromkeys([*known, *names]))[-MOST_NAMES:]
        writing.set_local(KEPT, json.dumps(dict(list(told.items())[-MOST_SESSIONS:])))
    return True
