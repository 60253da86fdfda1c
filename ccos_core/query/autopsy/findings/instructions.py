"""The agent does what the user forbade, or not what the user demanded: because it had lost the words, or with them.

    forgotten    the words had left its window                  ignored   its window held them
    uninformed   it is a subagent that never got them           outdated  it followed a wording that had been replaced
    said-again   the user says again what the window had lost, and no step is known that broke it

What a step breaks is judged by `query.instructions`, where its words show it. A call that the user refused breaks
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.sentences import times
from ccos_core.query.autopsy.words import Note, evidence_of
from ccos_core.query.contexts import Context, contexts_of
from ccos_core.query.instructions.bearing import Instruction, Instructions, Judged, deed_steps, repeats
from ccos_core.query.instructions.deeds import EDITED, GONE, MOVED, WRITTEN, Deed, deed_of
from ccos_core.query.instructions.judging import VIOLATES
from ccos_core.query.instructions.presence import Had, Presence
from ccos_core.query.telling import one_line
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, STALE, UNBORN

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

FORGOTTEN, IGNORED, UNINFORMED, OUTDATED, SAID_AGAIN = "forgotten", "ignored", "uninformed", "outdated", "said-again"
WEIGHTS = {FORGOTTEN: 885, UNINFORMED: 875, OUTDATED: 870, IGNORED: 765, SAID_AGAIN: 345}
QUOTED, NAMED = 160, 60
"""Characters of an instruction, and of a command, in a sentence."""
MOST_NOTES = 6
AT_ONCE, FEW_EFFECTS = 500, 20
"""Deeds read in one sweep, and steps behind the last of them in which its effects are."""


_ORDERING = re.compile(
    r"\b(?:never|not|don't|dont|no|nothing|only|must|always|instead|rather|avoid|off[- ]limits|alone|before|without|use"
    r"|needs?|begins?|starts?|nicht|nie|niemals|kein\w*|statt|nur|immer|bleibt|braucht|jede[rs]?|finger)\b",
    re.IGNORECASE,
)
"""Words by which an instruction is one."""


class Broken(NamedTuple):
    """A step that breaks an instruction."""

    deed: Deed
    judged: Judged
    had: Had


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each instruction and each way in which it was broken."""
    contexts = contexts_of(work.deeds.timeline)
    presence = Presence(work.deeds.timeline)
    for session in dict.fromkeys((each.host, each.session) for each in contexts.values()):
        instructions = Instructions(work.deeds.timeline, session, work.deeds.upto)
        if any(each.rules for each in instructions.every):
            numbers = {number for number, each in contexts.items() if (each.host, each.session) == session}
            yield from _of_session(work, instructions, numbers, presence, contexts)


def _of_session(
    work: Work, instructions: Instructions, numbers: set[int], presence: Presence, contexts: dict[int, Context]
) -> Iterator[Finding]:
    broken: dict[tuple[str, str], list[Broken]] = {}
    for each in _broken(work, instructions, numbers, presence):
        kind = _kind(each, presence, contexts)
        if kind:
            broken.setdefault((kind, each.judged.instruction.said.memo), []).append(each)
    again = dict(_said_again(instructions, presence, contexts))
    for (kind, _), found in broken.items():
        yield _finding(work, kind, found, again, contexts)
    known = {memo for _, memo in broken}
    for memo, (earlier, later, had) in again.items():
        if memo not in known and later.last(work.deeds.upto + 1) and earlier.rules:
            yield _repeated(work, earlier, later, had)


def _broken(work: Work, instructions: Instructions, numbers: set[int], presence: Presence) -> Iterator[Broken]:
    timeline = work.deeds.timeline
    first = min(each.first for each in instructions.every)
    steps = [
        step for step in deed_steps(timeline, work.deeds.upto) if step > first and work.deeds.context(step) in numbers
    ]
    refused = {call.step for call in work.calls.failed if call.is_refused}
    done = 0
    for at, step in enumerate(steps):
        if at % AT_ONCE == 0:
            timeline.have_ready(range(step, min(steps[at : at + AT_ONCE][-1] + FEW_EFFECTS, timeline.head) + 1))
        deed = deed_of(timeline, step)
        if deed.step == done or not deed or deed.step in refused or work.deeds.by_user(step):
            continue
        done = deed.step
        for judged in instructions.on(deed):
            if judged.verdict.kind == VIOLATES:
                yield Broken(deed, judged, presence.before(judged.instruction.said, deed.context, deed.step))


def _kind(each: Broken, presence: Presence, contexts: dict[int, Context]) -> str:
    """What a broken instruction is a case of; empty where that can't be said."""
    old, state = each.judged.old, each.had.state
    is_sub = bool(contexts[each.deed.context].context)
    if old is not None and presence.before(old.said, each.deed.context, each.deed.step).state != UNBORN:
        return OUTDATED
    is_bare = state == PARTIAL and each.had.cut is not None and not _ORDERING.search(each.had.cut.summary)
    if state == OUT or (is_bare and _ORDERING.search(each.judged.instruction.said.text)):
        return FORGOTTEN  # a summary that names what it is about, and not that it is forbidden, carries no instruction
    if state == UNBORN:
        return UNINFORMED if is_sub else ""
    return IGNORED if state in (IN, PARTIAL, STALE) else ""


def _said_again(
    instructions: Instructions, presence: Presence, contexts: dict[int, Context]
) -> Iterator[tuple[str, tuple[Instruction, Instruction, Had]]]:
    """(memo, (the instruction, what says it again, how the window had it)) of what was lost when it was said again."""
    main = {(each.host, each.session): number for number, each in contexts.items() if not each.context}
    for earlier in instructions.every:
        for later in instructions.every if earlier.rules else ():
            step = later.steps[-1]
            if step <= earlier.first or not repeats(later, earlier):
                continue
            context = int(instructions.timeline.journal.steps["context"][step - 1])
            had = presence.before(earlier.said, context, step)
            if context in main.values() and had.state == OUT and had.cut is not None and had.since < step:
                yield earlier.said.memo, (earlier, later, had)
                break


# ---- sentences ----


def _finding(
    work: Work,
    kind: str,
    found: list[Broken],
    again: dict[str, tuple[Instruction, Instruction, Had]],
    contexts: dict[int, Context],
) -> Finding:
    first = found[0]
    instruction, had = first.judged.instruction, first.had
    said = instruction.last(first.deed.step)
    quoted = one_line(instruction.said.text, QUOTED).rstrip(".")
    who = (
        f"the subagent {contexts[first.deed.context].context}" if contexts[first.deed.context].context else "the agent"
    )
    more = f", and {times(len(found) - 1)} more later" if len(found) > 1 else ""
    notes: list[Note] = [(said, "the user says it")]
    if kind == OUTDATED:
        old = first.judged.old
        assert old is not None
        notes = [(old.last(first.deed.step), "the older wording"), (said, "the user says it otherwise")]
        says = (
            f"At step {first.deed.step:,} {who} {deed_words(first)}{more}, as the user had said at step "
            f"{old.last(first.deed.step):,}; the user had replaced that at step {said:,}: “{quoted}”{_window(had)}."
        )
    else:
        says = (
            f"At step {first.deed.step:,} {who} {deed_words(first)}{more}, though the user had said at step {said:,}: "
            f"“{quoted}”. {_WHY[kind].format(step=f'{had.since:,}')}"
        )
    if had.cut is not None:
        notes.append((had.cut.step, "dropped from the agent's window"))
    notes += [(each.deed.step, f"breaks it: {', '.join(each.judged.verdict.words[:2])}") for each in found[:MOST_NOTES]]
    repeated = again.get(instruction.said.memo)
    if repeated is not None and repeated[1].steps[-1] > first.deed.step:
        step = repeated[1].steps[-1]
        says += f" The user said it again at step {step:,}."
        notes.append((step, "the user says it again"))
    sure = kind in (UNINFORMED, OUTDATED) or (had.cut.exact if had.cut is not None else had.state == IN)
    node = next((f"file:{path}" for path in first.deed.paths if path in first.judged.verdict.words), "")
    return Finding(
        kind, "certain" if sure else "likely", True, first.deed.step, found[-1].deed.step, says,
        evidence_of(work, notes), WEIGHTS[kind] + min(len(found), 4), node,
    )  # fmt: skip


_WHY = {
    FORGOTTEN: "That had left the agent's window at step {step}.",
    IGNORED: "The agent's window held that.",
    UNINFORMED: "This subagent had never been told.",
}


def _window(had: Had) -> str:
    """Say that the window lacked the new wording, if it did."""
    if had.state == OUT:
        return f", which had left the agent's window at step {had.since:,}"
    return ", which this context never got" if had.state == UNBORN else ""


_DID = {EDITED: "changed", WRITTEN: "wrote", GONE: "deleted", MOVED: "renamed"}


def deed_words(each: Broken) -> str:
    """Say what a deed did, as far as an instruction speaks of it."""
    words = each.judged.verdict.words
    path = next((path for path in each.deed.paths if path in words), "")
    if not path and each.deed.paths and not each.deed.command:
        path = each.deed.paths[0]
    if path:
        how = next(edit.how for edit in each.deed.edits if edit.path == path)
        return f"{_DID[how]} {path}"
    if each.deed.command:
        return f"ran `{one_line(each.deed.command, NAMED)}`"
    return f"read {', '.join(each.deed.reads[:1])}"


def _repeated(work: Work, earlier: Instruction, later: Instruction, had: Had) -> Finding:
    step = later.steps[-1]
    said = earlier.last(step)
    says = (
        f"At step {step:,} the user said again what had left the agent's window at step {had.since:,}: "
        f"“{one_line(earlier.said.text, QUOTED).rstrip('.')}” (step {said:,})."
    )
    notes = [
        (said, "the user says it"),
        (had.since, "dropped from the agent's window"),
        (step, "the user says it again"),
    ]
    return Finding(SAID_AGAIN, "certain", False, step, step, says, evidence_of(work, notes), WEIGHTS[SAID_AGAIN])
