"""The agent tries again what had failed, after the attempt and its failure had left its window.

The same lines are brought into the same file; a run told the same failure after both; and between the two the context
was cut, with a summary that doesn't have the lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.words import evidence_of, node_of
from ccos_core.query.instructions.deeds import deed_of
from ccos_core.query.op_text import text_of
from ccos_core.text.retrieval.carried import NONE, carried

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.deeds import Deed

WEIGHT = 690
LEAST_CHARACTERS = 12
"""Of what an attempt adds: less may be the same by chance."""


def find(work: Work) -> Iterator[Finding]:
    """Yield the first attempt that was repeated so, for each file."""
    tried: dict[tuple[int, int, str], list[int]] = {}
    named: set[int] = set()
    for edit in work.deeds.edits if any(trouble.told[1:] for trouble in work.troubles) else ():
        cuts = [step for step, recorded in work.deeds.cuts.get(edit.context, ()) if recorded]
        if not cuts or work.deeds.by_user(edit.step):
            continue
        added = _added(work, edit)
        earlier = tried.setdefault((edit.context, edit.file, added), [])
        before = next((step for step in earlier if any(step < cut < edit.step for cut in cuts)), 0)
        earlier.append(edit.step)
        if before and added and edit.file not in named:
            found = _finding(work, edit, before, max(cut for cut in cuts if cut < edit.step), added)
            if found is not None:
                named.add(edit.file)
                yield found


def _added(work: Work, edit: Deed) -> str:
    """The lines that an edit adds, without their indentation; empty if they are too few to be the same by design."""
    path = work.deeds.files.path(edit.file)
    edits = [each for each in deed_of(work.deeds.timeline, edit.step).edits if each.path == path]
    added = "\n".join(line.strip() for each in edits for line in each.added if line.strip())
    return added if len(added) >= LEAST_CHARACTERS else ""


def _finding(work: Work, edit: Deed, before: int, cut: int, added: str) -> Finding | None:
    for trouble in work.troubles:
        first = next((step for step in trouble.told if before < step < cut), 0)
        again = next((step for step in trouble.told if step > edit.step), 0)
        if trouble.begin < before and first and again and not _is_carried(work, cut, added):
            path = work.deeds.files.path(edit.file)
            says = (
                f"At step {edit.step:,} the agent changed {path} as it had at step {before:,}, which had failed at "
                f"step {first:,}. Both had left its window at step {cut:,}, and it failed again at step {again:,}."
            )
            notes = [
                (before, "tried first"), (first, "still fails"), (cut, "dropped from the agent's window"),
                (edit.step, "tried again"), (again, "still fails"),
            ]  # fmt: skip
            node = node_of(work, edit.file)
            return Finding("retried", "likely", True, edit.step, again, says, evidence_of(work, notes), WEIGHT, node)
    return None


def _is_carried(work: Work, cut: int, added: str) -> bool:
    summary = text_of(work.deeds.timeline, work.deeds.op(cut).get("summary"))
    return carried(added, summary).state != NONE
