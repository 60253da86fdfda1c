"""Edits that the host refused because the agent no longer knew the file: most often right after a cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings.sentences import listed_steps
from ccos_core.query.autopsy.words import Note, evidence_of

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.findings.calls import Failed

AFTER_CUT_STEPS = 60
SEVERAL = 3
"""Refusals from which they count without a cut before them."""
WEIGHT = 600


def find(work: Work) -> Iterator[Finding]:
    """Yield one finding for each cut that edits were refused after, and one for all others if they are several."""
    after: dict[int, list[Failed]] = {}
    for call in (call for call in work.calls.failed if call.is_unread_edit):
        after.setdefault(_cut_before(work, call), []).append(call)
    for cut, calls in sorted(after.items()):
        steps = [call.step for call in calls]
        notes: list[Note] = [(step, "refused: the agent does not know the file as it is") for step in steps]
        count = f"{len(steps):,} edits were" if len(steps) > 1 else "an edit was"
        if cut:
            notes.append((cut, "the context is cut"))
            away = f"{steps[0] - cut:,} steps" if steps[0] - cut > 1 else "one step"
            where = f"{listed_steps(steps)}, {'the first ' if len(steps) > 1 else ''}{away} later"
            says = f"After the cut at step {cut:,} {count} refused ({where}): the agent no longer knew the file."
        elif len(steps) >= SEVERAL:
            says = f"{len(steps):,} edits were refused ({listed_steps(steps)}): the agent did not know the file."
        else:
            continue
        yield Finding(
            "refused",
            "certain",
            True,
            steps[0],
            steps[-1],
            says,
            evidence_of(work, notes),
            WEIGHT + min(len(steps), 20),
        )


def _cut_before(work: Work, call: Failed) -> int:
    """The cut of its context that a refusal follows; 0 if there is none within reach."""
    begin = work.deeds.before(call.step, AFTER_CUT_STEPS)
    cuts = [at for at, _ in work.deeds.cuts.get(call.context, []) if begin <= at < call.step]
    return cuts[-1] if cuts else 0
