"""What was tried against a trouble: the changes between one run that told it and the next.

Code counts as tried as long as nothing else that failed just then depends on it: mending another failure isn't
a wrong way with this one. Settings count as code does; notes and documents only where the trouble depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from ccos_core.query.autopsy.deeds import Deed, Deeds
from ccos_core.query.autopsy.troubles import Trouble
from ccos_core.text.syntax import languages


class Attempt(NamedTuple):
    """Changes that were made, and the run that told the same failure again."""

    files: dict[int, list[int]]
    """File → the steps at which it was changed."""
    first: int
    """The step of the first change."""
    context: int
    """Where that was made."""
    told: int
    """The run that failed again; 0 if nothing was run any more."""


SOON = 100
"""Steps after it was told last in which a change that wasn't run may have been meant for it."""

SETTINGS = ("toml", "json", "yaml", "yml", "ini", "cfg", "conf", "mod", "xml", "gradle", "properties", "env")

Meant = Callable[[Deed, int], bool]
"""Whether a change, with the run after it, was meant for the trouble."""


def attempts(deeds: Deeds, trouble: Trouble, meant: Meant) -> list[Attempt]:
    """All that was tried in vain, in order; and what was tried last and never run, if the trouble is alive."""
    spans = list(pairwise(trouble.told))
    if not trouble.end:
        spans.append((trouble.told[-1], deeds.after(trouble.told[-1], SOON)))
    found = []
    for at, (after, upto) in enumerate(spans, 1):
        counted = [deed for deed in deeds.edits_in(after, upto) if meant(deed, upto)]
        if counted:
            told = upto if at < len(trouble.told) else 0
            found.append(Attempt(_by_file(counted), counted[0].step, counted[0].context, told))
    return found


def last_changes(deeds: Deeds, trouble: Trouble) -> dict[int, list[int]]:
    """File → the steps at which it was changed after the trouble was told last and before it was over."""
    if not trouble.end:
        return {}
    after = trouble.told[-1]
    every = deeds.edits_in(after, trouble.end)
    found = _by_file([deed for deed in every if deeds.is_certain(deed.file, deed.step)] or every)
    for file in deeds.changed_in(after, trouble.end):
        if file not in found and (changes := deeds.changes_in(file, after, trouble.end)):
            found[file] = [change.step for change in changes]
    return found


def is_code(deeds: Deeds, file: int) -> bool:
    """Whether a file is code of a language we know."""
    return languages.is_code(deeds.files.path(file))


def is_setting(deeds: Deeds, file: int) -> bool:
    """Whether a file settles how code is built or run."""
    return deeds.files.path(file).rpartition(".")[2].lower() in SETTINGS


def _by_file(deeds: Iterable[Deed]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for deed in deeds:
        found.setdefault(deed.file, []).append(deed.step)
    return found
