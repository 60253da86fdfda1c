"""Whose window is meant: the context that was named, or that of the conversation at the step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import NotFound, Usage
from ccos_core.learn.rule import KINDS
from ccos_core.query.contexts import MAIN, Context, contexts_of, meant
from ccos_core.query.hosted.item_names import LONGEST, item_names
from ccos_core.query.question import BOTH, DELIVERED, HOST, Argument
from ccos_core.query.remembered import assertions_of
from ccos_core.query.spoken import Spoken, words_of_node
from ccos_core.query.telling import one_line
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.renames import Name, Renames, life, renames
from ccos_core.replay.residency.hosted import Delivered, Hosted
from ccos_core.replay.residency.lens import Watched
from ccos_core.values.ids import MEMO_PREFIX, SPOKEN_PREFIXES, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MOST = 8
"""Conversations that are listed where one has to be chosen."""
WHOSE = (
    Argument(
        "session",
        "name",
        "for the agent's window: a session, or the start of its name; else that of the step",
        flag=True,
    ),
    Argument("context", "name", "for the agent's window: main or a subagent's name", flag=True),
)
"""What questions take that can be asked about a host's window."""


@dataclass(frozen=True, slots=True)
class Whose:
    """A context, and what of it is asked about."""

    lens: str
    """`host` or `delivered`."""

    host: str
    session: str
    context: str
    """A subagent's name; empty for the main thread."""


def is_theirs(lens: str) -> bool:
    """Whether a lens is about a host's conversation."""
    return lens in (HOST, DELIVERED, BOTH)


def chosen(timeline: Timeline, at: int, lens: str, session: str | None, context: str | None) -> tuple[int, Whose]:
    """Return the number of the context that is meant at a step, and who that is. Of several sessions it is the one that
    spoke last up to the step, or else the first to speak after it."""
    lens = DELIVERED if lens == DELIVERED else HOST
    every = contexts_of(timeline)
    numbers = _named(timeline, every, session, context)
    found = {number: every[number] for number in numbers if number in _talking(timeline, lens)}
    if not found:
        what = "suggested window that was given to the agent" if lens == DELIVERED else "record of the agent's window"
        raise NotFound(f"there is no {what}", place=lens, hint=_nothing(lens))
    if session is None and (named := {number: each for number, each in found.items() if each.session}):
        found = named
    mains = {number: each for number, each in found.items() if not each.context}
    found = mains or found
    if len(found) > 1 and session is None:
        number = _speaking(timeline, list(found), at)
        found = {number: found[number]}
    if len(found) > 1:
        raise Usage("means several conversations", place=lens, hint=_choice(found))
    ((number, who),) = found.items()
    return number, Whose(lens, who.host, who.session, who.context)


def watched_there(timeline: Timeline, node: str, at: int, number: int, lens: str) -> Watched:
    """A node, or words, through all of a session, in the windows of a context."""
    if node.startswith(SPOKEN_PREFIXES):
        return Watched(HOST, [Name(node, 0, timeline.head)], Spoken(timeline, node, number))
    names = life(timeline, node, at)
    if lens == DELIVERED:
        return Watched(lens, names, Delivered(timeline, names, number))
    return Watched(HOST, names, Hosted(timeline.journal, names, number))


def item_called(timeline: Timeline, node: str, at: int) -> str:
    """Return what an item of the agent's window says it is, or a statement says, and of a rule whether it is in force;
    empty for code and phrases."""
    if node.startswith(MEMO_PREFIX):
        known = assertions_of(timeline, node, at)
        rule = (
            f", a rule that is {known.standing} since step {known.since or known.born:,}" if known.cls in KINDS else ""
        )
        return f"“{one_line(words_of_node(timeline, node).text, LONGEST)}”{rule}"
    names = item_names(timeline, [node]) if not node.startswith(SPOKEN_PREFIXES) else {}
    return names[node].says if node in names else ""


def names_of(timeline: Timeline, node: str, at: int) -> list[Name]:
    """What a node was called; at once where its file never had another path, for questions about many."""
    journal = timeline.journal
    paths: dict[str, None] = journal.once("paths renamed", lambda: Renames(renames(timeline, 0, timeline.head)).paths)
    return life(timeline, node, at) if path_of(node) in paths else [Name(node, 0, timeline.head)]


def _speaking(timeline: Timeline, contexts: list[int], at: int) -> int:
    """Return the context with the last op up to a step, or with the first one after it."""
    whose = timeline.journal.steps["context"]
    theirs = np.isin(whose, contexts)
    before, after = np.nonzero(theirs[:at])[0], np.nonzero(theirs[at:])[0]
    if len(before):
        return int(whose[before[-1]])
    return int(whose[at + after[0]]) if len(after) else contexts[0]


def _named(timeline: Timeline, every: dict[int, Context], session: str | None, context: str | None) -> list[int]:
    """The contexts that were named. Where two hosts have a session of one name, it is said as HOST/SESSION."""
    if session is not None:
        exact = [number for number, each in every.items() if f"{each.host}/{each.session}" == session]
        if exact:
            inside = set(meant(timeline, None, context)) if context is not None else set(exact)
            return [number for number in exact if number in inside and (context or not every[number].context)] or exact
    return meant(timeline, session, context)


def _talking(timeline: Timeline, lens: str) -> frozenset[int]:
    """The contexts of which a window is known: all that have a name, and the nameless one where it holds something."""
    found: dict[str, frozenset[int]] = timeline.journal.once("talking", lambda: _all_talking(timeline))
    return found[lens]


def _all_talking(timeline: Timeline) -> dict[str, frozenset[int]]:
    steps, held = timeline.journal.steps, timeline.journal.held
    handing = steps["kind"] == KIND_CODES["recall"]
    named = [number for number, each in contexts_of(timeline).items() if each.host or each.session or each.context]
    return {
        HOST: frozenset([*named, *np.unique(held["context"]).tolist()]),
        DELIVERED: frozenset(np.unique(steps["context"][handing]).tolist()),
    }


def _nothing(lens: str) -> str:
    if lens == DELIVERED:
        return "An agent gets one by calling the tool `recall`."
    return "A hook or an imported transcript records one."


def _choice(found: dict[int, Context]) -> str:
    """How to say which one."""
    sessions = dict.fromkeys(each.session for each in found.values())
    several = len({(each.host, each.session) for each in found.values()})
    if several == 1:
        names = [f"--context {each.context or MAIN}" for each in found.values()]
    elif several == len(sessions):
        names = [f"--session {session}" for session in sessions]
    else:
        names = [f"--session {each.host}/{each.session}" for each in found.values()]
    more = f"  and {len(names) - MOST:,} more" if len(names) > MOST else ""
    return "Say which: " + "  ".join(names[:MOST]) + more
