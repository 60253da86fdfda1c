"""Work that is taken back because the user asks for it. Doing so is no mistake, but the work was in vain.

A request counts if the agent, before the user's next prompt, changes files that it had changed before the request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.phrases import asks_to_undo
from ccos_core.query.autopsy.findings.sentences import files_named, listed_steps, times, were
from ccos_core.query.autopsy.words import Note, evidence_of

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work

SOON_STEPS = 60
"""Steps after the request in which it is done, unless the user asks for something else before."""
BACK_STEPS = 250
"""Steps before it whose changes it may be about."""
MANY_EDITS = 5
"""Changes to the same files before, from which the work that was in vain was a detour."""
MOST_EDITS = 12
"""Changes beyond which a detour doesn't weigh more."""
WEIGHT_DETOUR, WEIGHT_SMALL = 650, 310


class Undone(NamedTuple):
    """The user asked for something back, and it was done."""

    asked: int
    done: int
    """The first step that did it."""
    files: Counter[int]
    """File → how often it had been changed before."""


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for all that was taken back."""
    found = list(_undone(work))
    if not found:
        return
    detour = max(found, key=lambda each: (sum(each.files.values()), -each.asked))
    changes = sum(detour.files.values())
    is_detour = changes >= MANY_EDITS or len(found) > 1
    notes: list[Note] = []
    for each in found:
        notes += [(each.asked, "the user asks to undo it"), (each.done, "it is put back")]
    asked = [each.asked for each in found]
    if len(found) == 1:
        changed = f"{files_named(work, detour.files)} {were(detour.files)}"
        says = f"At step {asked[0]:,} the user had work undone. Before that {changed} changed."
    else:
        says = f"The user had work undone {times(len(found))}, at {listed_steps(asked)}."
    weight = WEIGHT_DETOUR + 10 * min(changes, MOST_EDITS) if is_detour else WEIGHT_SMALL
    yield Finding("undone", "certain", False, asked[0], found[-1].done, says, evidence_of(work, notes), weight)


def _undone(work: Work) -> Iterator[Undone]:
    deeds, prompts = work.deeds, work.prompts.every
    for at, prompt in enumerate(prompts):
        if prompt.is_channelled or not asks_to_undo(prompt.words):
            continue
        following = prompts[at + 1].step if at + 1 < len(prompts) else deeds.upto
        after = deeds.edits_in(prompt.step, min(deeds.after(prompt.step, SOON_STEPS), following))
        before = Counter(deed.file for deed in deeds.edits_in(deeds.before(prompt.step, BACK_STEPS), prompt.step))
        again = Counter({deed.file: before[deed.file] for deed in after if deed.file in before})
        if again:
            yield Undone(prompt.step, next(deed.step for deed in after if deed.file in again), again)
