"""Files that left the agent's window and were read again, unchanged.

Looking something up again is no drift. It is one if most of what the agent reads after the loss, before it changes
anything, was known before; or if something fails that depends on the file: it failed once more without the file, or
several such files were lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from ccos_core.query.autopsy.attempts import is_code
from ccos_core.query.autopsy.case import Work
from ccos_core.query.autopsy.held import OUT, Standing

SOON = 60
"""Steps after it was dropped in which reading it again counts."""
TO_EDIT = 12
"""Steps after which a change says that it was read in order to be changed: hosts ask for that."""
MANY, SEVERAL = 3, 2
"""Files from which it is more than looking something up; and of those that something that fails depends on."""


class Reread(NamedTuple):
    """A file was shown again."""

    file: int
    step: int
    context: int
    before: Standing
    """What was held of it just before."""
    to_edit: bool
    """Whether it was read in order to be changed."""
    need: int = 0
    """How much what fails speaks for its being needed."""


def needed_again(work: Work) -> list[Reread]:
    """What was dropped, and turned out to be needed, in the order of the steps; nothing if it was but looked up."""
    every = rereads_of(work)
    failing = [each for each in every if not each.to_edit and _is_depended_on(work, each)]
    if len({each.file for each in failing}) >= SEVERAL or any(_failed_without(work, each) for each in every):
        return every
    losses = dict.fromkeys((each.context, each.before.by) for each in every)
    return every if any(_is_most(work, every, *loss) for loss in losses) else []


def rereads_of(work: Work) -> list[Reread]:
    """All of a session, worked out once."""
    known: list[Reread] | None = work.__dict__.get("_rereads")
    if known is None:
        known = work.__dict__["_rereads"] = rereads(work)
    return known


def rereads(work: Work) -> list[Reread]:
    """The first time each file of code was shown again after each loss."""
    deeds, held = work.deeds, work.held
    found: dict[tuple[int, int, int], Reread] = {}
    for deed in deeds.reads if deeds.cuts else ():
        if not is_code(deeds, deed.file) or not _is_after_cut(work, deed.context, deed.step):
            continue
        before = held.at(deed.context, deed.file, deed.step - 1)
        key = deed.context, deed.file, before.by
        if before.state != OUT or deeds.distance(before.by, deed.step) > SOON or key in found:
            continue
        if not deeds.changes_in(deed.file, before.shown, deed.step) and _is_same_part(work, before.shown, deed.step):
            edits = deeds.edits_in(deed.step, deeds.after(deed.step, TO_EDIT))
            to_edit = any((edit.file, edit.context) == (deed.file, deed.context) for edit in edits)
            found[key] = Reread(deed.file, deed.step, deed.context, before, to_edit)
    return list(found.values())


def _is_after_cut(work: Work, context: int, step: int) -> bool:
    cuts = work.deeds.cuts.get(context, [])
    at = bisect_right(cuts, (step, True))
    return at > 0 and work.deeds.distance(cuts[at - 1][0], step) <= SOON


def _is_same_part(work: Work, before: int, now: int) -> bool:
    """Whether some of the lines that were shown then are shown again."""
    one, other = (work.deeds.op(step).get("slice") for step in (before, now))
    return one is None or other is None or (one[0] <= other[1] and other[0] <= one[1])


def _is_most(work: Work, every: list[Reread], context: int, cut: int) -> bool:
    """Whether most of what was read after a loss had been there before, and was much; what is read once the work goes
    on, goes on with the work."""
    deeds = work.deeds
    soon = deeds.after(cut, SOON)
    upto = next((deed.step for deed in deeds.edits_in(cut, soon) if deed.context == context), soon)
    again = {each.file for each in every if (each.context, each.before.by) == (context, cut) and each.step <= upto}
    read = {deed.file for deed in deeds.reads_in(cut, upto) if deed.context == context and is_code(deeds, deed.file)}
    return len(again) >= MANY and 2 * len(again) >= len(read)


def _is_depended_on(work: Work, reread: Reread) -> bool:
    """Whether something failed then that depends on it, and had failed before it was dropped."""
    alive = [trouble for trouble in work.alive(reread.step) if trouble.begin < reread.before.by]
    return any(work.upstream(trouble).has(reread.file) for trouble in alive)


def _failed_without(work: Work, reread: Reread) -> bool:
    """Whether something that depends on it failed once more between its loss and its being read again."""
    for trouble in work.alive(reread.step):
        again = trouble.told[max(bisect_left(trouble.told, reread.before.by), 1) :]
        if again and again[0] < reread.step and work.upstream(trouble).has(reread.file):
            return True
    return False
