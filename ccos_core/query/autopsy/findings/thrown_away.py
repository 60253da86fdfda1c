"""A change that ended a failure and was taken back soon after, though the user didn't ask for it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.attempts import last_changes
from ccos_core.query.autopsy.returning import Back, is_put_back
from ccos_core.query.autopsy.troubles import names_of
from ccos_core.query.autopsy.words import Note, evidence_of, node_of

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.deeds import Deed
    from ccos_core.query.autopsy.troubles import Trouble

SOON_STEPS = 60
"""Steps after the failure ended in which taking the change back throws it away."""
FEW_FILES = 2
"""Files that were changed when it ended; of more, which one mattered isn't known."""
WEIGHT = 790


def find(work: Work) -> Iterator[Finding]:
    """Yield the first time that it happened to each file."""
    told: set[int] = set()
    for trouble in work.troubles:
        if not trouble.end or trouble.presumed:
            continue
        for deed, recorded in _candidates(work, trouble):
            if deed.file in told or work.deeds.by_user(deed.step) or work.requests.to_undo(deed.step):
                continue
            fixes = last_changes(work.deeds, trouble)
            if deed.file in fixes and len(fixes) <= FEW_FILES and not _is_tried_out(work, trouble, deed):
                told.add(deed.file)
                yield _finding(work, trouble, fixes[deed.file], Back(deed.step, 0, 0, recorded), deed.file)


def _candidates(work: Work, trouble: Trouble) -> Iterator[tuple[Deed, bool]]:
    """Edits soon after a failure ended that made a file what it was when the failure was last reported, each with
    whether its text is recorded."""
    deeds = work.deeds
    begin = bisect_right(deeds.edit_steps, trouble.end)
    end = bisect_right(deeds.edit_steps, deeds.after(trouble.end, SOON_STEPS))
    for deed in deeds.edits[begin:end]:
        failing, passing = deeds.content(deed.file, trouble.told[-1]), deeds.content(deed.file, trouble.end)
        if any(failing) and failing != passing and deeds.content(deed.file, deed.step) == failing:
            yield deed, True
        elif deeds.op(deed.step).get("inferred") and is_put_back(deeds, deed):
            yield deed, False


def _is_tried_out(work: Work, trouble: Trouble, back: Deed) -> bool:
    """Whether the change came back, or its failure ended again, soon after: who checks that a test fails without a fix
    takes it back for a while."""
    deeds, soon = work.deeds, work.deeds.after(back.step, SOON_STEPS)
    passing = deeds.content(back.file, trouble.end)
    later = deeds.edits[bisect_right(deeds.edit_steps, back.step) : bisect_right(deeds.edit_steps, soon)]
    if any(each.file == back.file and deeds.content(back.file, each.step) == passing for each in later):
        return True
    again = [each for each in work.troubles if set(each.keys) & set(trouble.keys) and each.begin > back.step]
    return any(0 < each.end <= soon for each in again)


def _finding(work: Work, trouble: Trouble, changed: list[int], back: Back, file: int) -> Finding:
    path = work.deeds.files.path(file)
    name = names_of(work.deeds, trouble.keys)[0]
    says = (
        f"At step {back.step:,} the agent took back its change of {path}, after which {name} had passed at step "
        f"{trouble.end:,}."
    )
    notes: list[Note] = [
        (changed[-1], "changed"),
        (trouble.end, "passes"),
        (back.step, "put back to what it was before"),
    ]
    certainty = "certain" if back.recorded else "likely"
    return Finding(
        "thrown-away",
        certainty,
        True,
        back.step,
        back.step,
        says,
        evidence_of(work, notes),
        WEIGHT,
        node_of(work, file),
    )
