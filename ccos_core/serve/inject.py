"""`hook --inject`: tell an agent whose host has cut its window what was lost and matters.

In this order, within a budget: the user's last request, what the user said and nothing in the window says any more,
open todos, what was tried and failed, what fails, and code. Claude Code starts a session anew before it says what its
summary says; so what that summary lost is told with the first call or prompt after it. A subagent is told what the
user said when it begins. Facts and no orders, nothing twice between two cuts, and nothing at all where it takes
longer than a person would notice. Unlike the rest of a hook this knows the engine; it runs after the event is safely
on disk. A server that has the workspace open says the same, see `next_door`: what was told is remembered in one
place, whoever told it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ccos_core.errors import CcosError
from ccos_core.intake.hooks.heard import INJECTED
from ccos_core.intake.importers.claude_code.reader import HOST
from ccos_core.memory.view import AGENT
from ccos_core.query.contexts import Context
from ccos_core.query.retelling import is_just_cut, retelling
from ccos_core.query.retold_text import FRAME_TOKENS, HOOK_TOKENS, NOTHING, retold_text
from ccos_core.serve.next_door import Wanted, wanted
from ccos_core.session.asking import Desk
from ccos_core.session.collecting import uncollected
from ccos_core.session.disk_check import DiskCheck
from ccos_core.session.hearing import take_in
from ccos_core.session.journaling import Journaling
from ccos_core.session.lost import Lost, failing, lost
from ccos_core.session.session import open_session
from ccos_core.session.settings import switched_off
from ccos_core.session.told_before import ToldBefore, conversation, remember, told_before
from ccos_core.state.host import Held
from ccos_core.storage.opening import open_record
from ccos_core.text.delivered import CLOSING, LOST
from ccos_core.text.fenced import fenced, without_marks
from ccos_core.values.canon import digest
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.memory.view import View
    from ccos_core.session.live import Live
    from ccos_core.state.world import World

BUDGET_UNKNOWN = 250
"""Those of what is said of a cut whose summary isn't known yet: code and failures."""
BUDGET_SUBAGENT = 300
PATIENCE = 0.1
"""Seconds to wait for others who write."""
KEEPS_EVERY = 64
"""Steps after which the journal is kept before the answer; else that is left to whoever gets it ready."""
MOST_FAILS = 5
LONGEST_NAME, DEAREST_NAME = 120, 60
"""Characters and tokens of what is said of one."""
FOR_SINCE = 30
"""Tokens of the line above the window."""
FOR_FENCE = 10


class Found(NamedTuple):
    """What there is to tell."""

    known: ToldBefore
    """What was told before."""

    words: str
    """What was said and is lost."""

    names: Sequence[str]
    """By which it is known that these words were told."""

    above: str
    """What fails."""

    code: Lost

    view: View
    """Who is told, by which policy."""


def answer(event: dict[str, Any], ws: str) -> bytes:
    """Return two lines: what is to stand on stdout for an event, and what is to be recorded once it does. Nothing for
    most events."""
    want = wanted(event)
    if want is None:
        return b""
    take_in(ws, PATIENCE)
    if not os.path.exists(ws):
        return b""
    with open_record(ws, patience=PATIENCE) as record, Desk(record) as desk:
        desk.principal = AGENT
        told = told_before(record, conversation(want.session, want.context))
        journaling = Journaling(record, keeps_every=KEEPS_EVERY)

        def find(check: DiskCheck) -> Found:
            world = journaling.world()
            desk.take(journaling.timeline())
            return _found(desk, world, want, told, check)

        check = DiskCheck.of(record)
        found = find(check)
        if _record_present(ws, check):
            found = find(DiskCheck.of(record))
        step = journaling.journal.head
    return _said(ws, want, found, step)


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
    told = told_before(live.session.recorded, conversation(want.session, want.context))

    def find(check: DiskCheck) -> Found:
        with uncollected():
            return _found(live.desk, world, want, told, check)

    check = DiskCheck.of(live.session.recorded)
    found = find(check)
    if live.look_again(check.differing):
        world = live.desk.world(heard)
        found = find(DiskCheck.of(live.session.recorded))
    return _said(ws, want, found, live.step) if is_there() else None


def _text_of(found: Found) -> str:
    """What is said."""
    parts = [found.words, found.above]
    if found.code.told:
        until = f" until step {found.code.since:,}" if found.code.since else ""
        parts += [f"What mattered most{until}; text of files, no instructions:", fenced(found.code.window.text)]
    return "\n".join([LOST, *map(without_marks, filter(None, parts)), CLOSING])


def get_ready(ws: str) -> None:
    """Understand what a workspace says, and keep that, so that the next one who is asked has time for it."""
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


def _found(desk: Desk, world: World, want: Wanted, told: ToldBefore, check: DiskCheck) -> Found:
    """What there is to tell at the head of a record."""
    timeline, user = desk.timeline, desk.user()
    whose = Context(HOST, want.session, want.context)
    held = world.hosts.contexts.get((whose.host, whose.session, whose.context), Held())
    is_unknown = want.is_cut and not (held.cuts and is_just_cut(timeline, whose, held.cuts[-1][0]))
    cuts = len(held.cuts) + is_unknown
    known = told if told.cuts >= cuts else ToldBefore(cuts, 0, ())
    most = BUDGET_SUBAGENT if want.context else BUDGET_UNKNOWN if is_unknown else HOOK_TOKENS
    budget = min(most, HOOK_TOKENS - known.tokens) - FRAME_TOKENS
    moment = timeline.at(timeline.head)
    above = "" if want.context else _above(failing(moment.failures.live))
    share = 0 if is_unknown else budget - (estimate(f"{above}\n") if above else 0)  # code has what words leave
    lacking = retelling(timeline, timeline.head, whose, user) if share > 0 else None
    words = retold_text(lacking, share, known.names) if lacking is not None else NOTHING
    words = words._replace(text=desk.shown(words.text))
    left = budget - estimate(f"{words.text}\n{above}\n") - FOR_SINCE - FOR_FENCE
    find_code = partial(
        lost,
        moment,  # ranks by columns, where a world does so one by one
        world.graph,
        moment.source,
        held if not want.context else Held(),
        told=set(known.names),
        everything=is_unknown,
        stands=check.stands,
    )
    return Found(known, *words, above, _fitting(find_code, max(left, 0)), desk.view)


def _fitting(find_code: Callable[[int], Lost], budget: int) -> Lost:
    """As much code as fits with the fence around it."""
    code = find_code(budget)
    while budget and (over := estimate(fenced(code.window.text)) - budget - FOR_FENCE) > 0:
        budget = max(budget - over, 0)
        code = find_code(budget)
    return code


def _said(ws: str, want: Wanted, found: Found, step: int) -> bytes:
    """The bytes of it; none where there is nothing to say, or somebody has said some of it just now."""
    names = (*found.names, *found.code.told)
    text = _text_of(found)
    now = ToldBefore(found.known.cuts, found.known.tokens + estimate(text), names)
    if not names or not remember(ws, conversation(want.session, want.context), now, PATIENCE):
        return b""
    output = {"hookEventName": want.kind, "additionalContext": text}
    delivery = {
        "kind": INJECTED,
        "agent": HOST,
        "session": want.session,
        "context": want.context,
        "step": step,
        "budget": found.code.window.budget,
        "items": [[item.uri, item.level, item.tokens] for item in found.code.window.items],
        "said": found.words,
        "principal": found.view.principal,
        "policy": found.view.policy,
        "window": digest(text.encode("utf-8", "surrogatepass")).hex(),
    }
    lines = [json.dumps(each, ensure_ascii=False) for each in ({"hookSpecificOutput": output}, delivery)]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _above(fails: Sequence[str]) -> str:
    """What fails, in a line."""
    more = len(fails) - MOST_FAILS
    named = [*map(_short, fails[:MOST_FAILS]), *([f"{more} more"] if more > 0 else [])]
    return f"Failing: {'; '.join(named)}" if fails else ""


def _short(said: str) -> str:
    """A name, cut where it takes more than names do: some scripts take three tokens a character."""
    line = " ".join(said.split())
    if len(line) > LONGEST_NAME:
        line = line[: LONGEST_NAME - 1] + "…"
    while estimate(line) > DEAREST_NAME:
        line = line[: len(line) // 2] + "…"
    return line
