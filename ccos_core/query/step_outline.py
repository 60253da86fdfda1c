"""Which steps of a record are one row: the groups of all steps, found in one pass over the journal's columns.

A group is a run of consecutive steps of one context: a call with its effects (`seen`, `gone`, `renamed`, `failed`,
`passed`), a short text or a sealed thought directly before it, and the usage told after it. Every step is in exactly
one group. No op is read, except a few usages of each host.

    outline = outline_of(timeline)
    outline.steps_of(outline.group_of(42))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.contexts import contexts_of
from ccos_core.replay.codes import HOW_CODES, KIND_CODES, NO_TIME, OUTCOME_CODES
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import BYTES

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

SHORT_BYTES = 100
"""A text of the agent up to this size, directly before a call, shares the call's row."""
BLANK_BYTES = 2
"""Some hosts record a text of two line ends before the real one."""
USAGES_READ = 4
"""Usages of each host that are read to learn whether they are told after the message they are about."""
HOW_BITS = 48
"""Bits below those of `how`: room for the kinds of the vocabulary."""
UNTOLD = -(2**62)
"""Stands for a growth that the host did not tell."""

TOOL, TURN, PROMPT, THOUGHT, USAGE = (KIND_CODES[kind] for kind in ("tool", "turn", "prompt", "thought", "usage"))
EPOCH, FAILED = KIND_CODES["epoch"], KIND_CODES["failed"]
EFFECTS = [KIND_CODES[kind] for kind in ("seen", "gone", "renamed", "failed", "passed")]
ACTS = [TOOL, TURN, THOUGHT]
SAYS = [TOOL, TURN, THOUGHT, PROMPT, KIND_CODES["compaction"]]
"""Kinds whose texts enter the window as they are; what an effect holds is part of its call's result."""
BAD = [OUTCOME_CODES["error"], OUTCOME_CODES["interrupted"]]
SKILL, COMMAND, OUTPUT = (HOW_CODES[how] for how in ("skill", "command", "output"))


@dataclass(frozen=True, slots=True)
class Outline:
    """All groups of a record, as columns: one entry for each group, in the order of their first steps."""

    head: int
    """The last step."""

    first: Numbers
    """The first step of each group."""

    step: Numbers
    """The step each group is about: the call, not the text before it."""

    done: Numbers
    """The last of its steps but for the usage: all that it did has happened."""

    kind: Numbers
    """The code of that step's kind, ..."""

    how: Numbers
    """... how it saw a file or which kind of prompt it is, ..."""

    outcome: Numbers
    """... and its outcome, as in the journal."""

    fails: Numbers
    """Failures that its steps report."""

    context: Numbers
    """The place of its context in `contexts`."""

    turn: Numbers
    """The step of the user's prompt that it belongs to; 0 before the first one."""

    tokens: Numbers
    """Estimated tokens of its texts."""

    grew: Numbers
    """Tokens by which the window grew with it; UNTOLD where the host did not say."""

    window: Numbers
    """Tokens in the window after it; 0 where the host did not say."""

    at: Numbers
    """When, in milliseconds since 1970; NO_TIME where that is unknown."""

    is_look: Numbers
    """Whether it is a scan of the project's folder."""

    kinds: Numbers
    """The kinds of all its steps, and how they saw files, as bits: see `kind_bit` and `how_bit`."""

    contexts: tuple[str, ...]
    """Names of contexts: a subagent's, or empty for a main thread."""

    tool: Numbers
    """The place of the called tool's name in `names`; -1 where none was called."""

    touched: tuple[Numbers, Numbers]
    """Pairs of a group's place and the place in `names` of a file that its steps name, by group."""

    names: tuple[str, ...]
    """Names of tools, and paths of files."""

    def __len__(self) -> int:
        return len(self.first)

    @property
    def began(self) -> int | None:
        """When the first step with a time was."""
        known = np.flatnonzero(self.at != NO_TIME)
        return int(self.at[known[0]]) if len(known) else None

    def waited(self, place: int) -> int:
        """Return the milliseconds since the group before; 0 where a time is unknown."""
        at, before = int(self.at[place]), int(self.at[place - 1]) if place else NO_TIME
        return max(at - before, 0) if NO_TIME not in (at, before) else 0

    def failed_groups(self, held: slice) -> int:
        """Return how many of some groups went wrong."""
        return int(((self.fails[held] > 0) | np.isin(self.outcome[held], BAD)).sum())

    def grown(self, held: slice) -> int | None:
        """Return by how much the windows of some groups grew together; None if that was not told."""
        told = self.grew[held][self.grew[held] != UNTOLD]
        return int(told.sum()) if len(told) else None

    def group_of(self, step: int) -> int:
        """Return the place of the group that holds a step; of a step before the first, the first place."""
        return max(int(np.searchsorted(self.first, step, "right")) - 1, 0)

    def steps_of(self, place: int) -> range:
        """Return the steps of one group."""
        end = int(self.first[place + 1]) if place + 1 < len(self.first) else self.head + 1
        return range(int(self.first[place]), end)


def kind_bit(code: int) -> int:
    """Return the bit of a kind in `Outline.kinds`."""
    return 1 << code


def how_bit(code: int) -> int:
    """Return the bit of a way to see a file, or of a kind of prompt, in `Outline.kinds`."""
    return 1 << (HOW_BITS + code)


def outline_of(timeline: Timeline) -> Outline:
    """Return the groups of all steps; computed once, until more is recorded."""
    found: Outline = timeline.journal.once("step outline", lambda: _outlined(timeline))
    return found


def _outlined(timeline: Timeline) -> Outline:
    journal = timeline.journal
    steps, head = journal.steps, journal.head
    contexts = contexts_of(timeline)
    numbers = np.array(sorted(contexts), np.int64)
    of_host = np.array([bool(contexts[number].host) for number in numbers.tolist()], bool)
    context = np.searchsorted(numbers, steps["context"]).astype(np.int32)
    joins, leads_in = _joins(journal, of_host[context])
    first = np.flatnonzero(~joins)
    last = np.append(first[1:], head) - 1
    places = np.cumsum(~joins) - 1
    own = np.where(leads_in, head, np.arange(head))
    about = np.minimum.reduceat(own, first) if len(first) else first
    about = np.where(about > last, first, about)  # nothing but what leads in
    acts = np.where(steps["kind"] == USAGE, 0, np.arange(head))
    done = np.maximum(np.maximum.reduceat(acts, first), about) if len(first) else first
    size = np.where(np.isin(steps["kind"], SAYS), steps["size"], 0)
    bits = (1 << steps["kind"].astype(np.int64)) | (1 << (HOW_BITS + steps["how"].astype(np.int64)))
    named = np.flatnonzero(steps["name"] >= 0)
    used = np.unique(steps["name"][named])
    names = tuple(path_of(name) or name for name in journal.spelled(used))
    files = named[steps["kind"][named] != TOOL]
    fails = _fails(journal) + (steps["kind"] == FAILED)
    grew, window = _growth(timeline)
    told = grew != UNTOLD
    total = np.bincount(places[told], grew[told], minlength=len(first)).astype(np.int64)
    has_told = np.bincount(places[told], minlength=len(first)) > 0
    return Outline(
        head=head,
        first=(first + 1).astype(np.int32),
        step=(about + 1).astype(np.int32),
        done=(done + 1).astype(np.int32),
        kind=steps["kind"][about],
        how=steps["how"][about],
        outcome=steps["outcome"][about],
        fails=_sums(fails, first),
        context=context[about],
        turn=_turns(timeline)[about],
        tokens=_sums(size, first) * BYTES[1] // BYTES[0],
        grew=np.where(has_told, total, UNTOLD),
        window=np.maximum.reduceat(window, first) if len(first) else window,
        at=steps["at"][about],
        is_look=(steps["look"][about] > 0) & ~of_host[context[about]],
        kinds=np.bitwise_or.reduceat(bits, first) if len(first) else bits,
        contexts=tuple(contexts[number].context for number in numbers.tolist()),
        tool=np.where(steps["kind"][about] == TOOL, np.searchsorted(used, steps["name"][about]), -1).astype(np.int32),
        touched=(places[files], np.searchsorted(used, steps["name"][files])),
        names=names,
    )


def _sums(values: Numbers, first: Numbers) -> Numbers:
    """Return the sum of each group."""
    return np.add.reduceat(values, first) if len(first) else values


def _joins(journal: Journal, hosted: Numbers) -> tuple[Numbers, Numbers]:
    """Return which steps belong to the group of the step before, and which lead in to what follows them."""
    steps = journal.steps
    kind, how, size, look, context = (steps[name] for name in ("kind", "how", "size", "look", "context"))
    same = np.zeros(len(kind), bool)
    same[1:] = context[1:] == context[:-1]
    before, after = _shifted(kind, 1), _shifted(kind, -1)
    with_next = _shifted(same, -1)

    scans = same & ~hosted & (look > 0) & (look == _shifted(look, 1))
    effects = same & (np.isin(kind, EFFECTS) | ((kind == PROMPT) & np.isin(how, (SKILL, OUTPUT))))
    effects &= (look == 0) | hosted  # what a call found in a file it then changed is no scan
    cause = np.maximum.accumulate(np.where(effects, 0, np.arange(len(kind)))) if len(kind) else kind
    is_caused = (kind[cause] == TOOL) | ((kind[cause] == PROMPT) & (how[cause] == COMMAND) & (kind == PROMPT))
    counts = same & (kind == USAGE) & (before != EPOCH)
    thinks = same & (kind == THOUGHT) & (before == THOUGHT)

    sealed = (kind == THOUGHT) & (size == 0) & np.isin(after, ACTS)
    empty = (kind == TURN) & (size <= BLANK_BYTES) & np.isin(after, ACTS)
    short = (kind == TURN) & (size <= SHORT_BYTES) & (after == TOOL)
    early = (kind == USAGE) & ~same & np.isin(after, ACTS)
    leads_in = with_next & (sealed | empty | short | early)
    joins = scans | (effects & is_caused) | counts | thinks | _shifted(leads_in, 1)
    return joins, leads_in


def _shifted(column: Numbers, by: int) -> Numbers:
    """Return of each step what stands `by` steps before it; 0 beyond the ends."""
    moved = np.zeros_like(column)
    if by > 0:
        moved[by:] = column[:-by]
    else:
        moved[:by] = column[-by:]
    return moved


def _fails(journal: Journal) -> Numbers:
    """Return how many failures the output of each step reports."""
    failures = journal.failures
    reported = (failures["told"] >= 0) & (failures["last"] == failures["step"])
    return np.bincount(failures["step"][reported], minlength=journal.head + 1)[1 : journal.head + 1]


def _turns(timeline: Timeline) -> Numbers:
    """Return for each step the user's prompt before it in its session; of what belongs to no session, before it in
    the record."""
    journal, contexts = timeline.journal, contexts_of(timeline)
    asked = (journal.steps["kind"] == PROMPT) & (journal.steps["how"] == 0)
    prompts = np.where(asked, np.arange(1, journal.head + 1), 0).astype(np.int32)
    everywhere = np.maximum.accumulate(prompts) if len(prompts) else prompts
    sessions = {(each.host, each.session) for each in contexts.values()} - {("", "")}
    if len(sessions) <= 1:
        return everywhere
    numbered = {session: number for number, session in enumerate(sorted(sessions), 1)}
    table = np.zeros(max(contexts) + 1, np.int32)
    for number, each in contexts.items():
        table[number] = numbered.get((each.host, each.session), 0)
    session = table[journal.steps["context"]]
    order = np.argsort(session, kind="stable")
    found = prompts[order] + (session[order].astype(np.int64) << 32)  # a session's prompts exceed all before it
    within = (np.maximum.accumulate(found) & 0xFFFFFFFF).astype(np.int32)
    turns = np.empty_like(everywhere)
    turns[order] = within
    return np.where(session > 0, turns, everywhere)


def _growth(timeline: Timeline) -> tuple[Numbers, Numbers]:
    """Return for each step the growth that the usage behind it tells, and the window that a usage tells. A growth is
    split among the steps since the usage before, by the sizes of their texts."""
    steps = timeline.journal.steps
    grew, window = np.full(len(steps), UNTOLD, np.int64), np.zeros(len(steps), np.int64)
    counted = np.flatnonzero((steps["kind"] == USAGE) & (steps["tokens"] > 0))
    window[counted] = steps["tokens"][counted]
    counted = counted[np.argsort(steps["context"][counted], kind="stable")]
    context, tokens = steps["context"][counted], steps["tokens"][counted]
    is_next = np.append(False, context[1:] == context[:-1])
    since = tokens - np.where(is_next, _shifted(tokens, 1), 0)
    grew[counted] = since
    for number in _told_behind(timeline):  # such a usage tells the window before its own message
        mine = counted[context == number]
        grew[mine] = np.append(since[context == number][1:], UNTOLD)
    for number in np.unique(context).tolist():
        _split(timeline, counted[context == number], number, grew)
    return grew, window


def _split(timeline: Timeline, counted: Numbers, context: int, grew: Numbers) -> None:
    """Split what a context grew by at each usage but its first among the steps between, where texts came."""
    steps = timeline.journal.steps
    mine = np.flatnonzero((steps["context"] == context) & np.isin(steps["kind"], SAYS) & (steps["size"] > 0))
    mine = mine[mine < counted[-1]]
    usage = np.searchsorted(counted, mine)
    growth = grew[counted][usage]
    is_split = (usage > 0) & (growth != UNTOLD) & (growth > 0)
    mine, usage, growth = mine[is_split], usage[is_split], growth[is_split]
    if not len(mine):
        return
    first = np.append(True, usage[1:] != usage[:-1])
    sizes = np.cumsum(steps["size"][mine].astype(np.int64))
    starts = np.flatnonzero(first)
    before = np.repeat(np.append(0, sizes)[starts], np.diff(np.append(starts, len(mine))))
    total = np.repeat(np.append(sizes[starts[1:] - 1], sizes[-1]), np.diff(np.append(starts, len(mine)))) - before
    upto = growth * (sizes - before) // total
    grew[counted[usage]] = UNTOLD
    grew[mine] = upto - np.where(first, 0, _shifted(upto, 1))


def _told_behind(timeline: Timeline) -> Iterator[int]:
    """Yield the contexts of hosts that tell a usage behind the message that it is about."""
    contexts = contexts_of(timeline)
    hosts: dict[str, list[int]] = {}
    for number, each in contexts.items():
        hosts.setdefault(each.host, []).append(number)
    for numbers in hosts.values():
        with suppress(CcosError):  # its archive may be away
            if _names_turns(timeline, numbers):
                yield from numbers


def _names_turns(timeline: Timeline, contexts: list[int]) -> bool:
    """Whether the first usages of some contexts carry the id of a turn before them."""
    steps = timeline.journal.steps
    mine = np.isin(steps["context"], contexts)
    counted = (np.flatnonzero(mine & (steps["kind"] == USAGE))[:USAGES_READ] + 1).tolist()
    turns = np.flatnonzero(mine & (steps["kind"] == TURN)) + 1
    for step in counted:
        before = turns[turns < step]
        call = timeline.op(step).get("call")
        if len(before) and call is not None and timeline.op(int(before[-1])).get("call") == call:
            return True
    return False
