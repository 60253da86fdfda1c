"""Are rules of other users understood that the detector wasn't made for? A wording and a step at a time.

Whole sessions of these rules take minutes; what a session adds to a step is judged by `test_planted_found.py`.
`FRESH_C` only judges: its whole sessions are counted and printed, a share of them unless the run is deep. No threshold
applies, and the rules that were missed aren't named, so that nothing is developed against them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest

from ccos_core.query.instructions.deeds import EDITED, WRITTEN, Deed, Edit
from ccos_core.query.instructions.judging import VIOLATES, judge
from ccos_core.query.instructions.rules import rules_of
from tests.core.told.fresh_rules import FRESH_A, FRESH_C, fresh_pairs
from tests.core.told.planted import KINDS, Case
from tests.core.told.planted_rules import Step
from tests.core.told.test_planted_found import FINDINGS, judged, plain
from tests.depth import at_depth

LEAST_FOUND_PERCENT = 85
SEED = 3
COUNT_EVERY = at_depth(10, 1)
"""Of so many pairs of `FRESH_C` one is counted; the first differs by kind."""
NAMES = {"pkg": "zod", "stem": "ledger", "branch": "main", "topic": "order-12", "ticket": "PAY-123"}
EARLIER = Deed(1, 0, "Edit", "", [Edit("src/core/rows.py", EDITED, ("rows = []",))])


def filled(text: str) -> str:
    return Template(text).substitute(NAMES)


def deed_of(step: Step) -> Deed:
    if step.tool == "Bash":
        return Deed(9, 0, step.tool, filled(step.after))
    old, new = (filled(text).splitlines() for text in (step.before, step.after))
    added = tuple(line for line in new if line not in old)
    removed = tuple(line for line in old if line not in new)
    is_new = step.tool == "Write"
    return Deed(
        9, 0, step.tool, "", [Edit(filled(step.path), WRITTEN if is_new else EDITED, added, removed, is_new, is_new)]
    )


def is_broken(text: str, deed: Deed) -> bool:
    verdicts = [judge(rule, deed, [EARLIER]) for rule in rules_of(text)]
    return any(each is not None and each.kind == VIOLATES for each in verdicts)


def test_rules_of_others_are_found_broken_and_never_where_they_are_kept() -> None:
    missed, accused, asked = [], [], 0
    for rule in FRESH_A:
        for wording in map(filled, rule.wordings):
            asked += 1
            if not is_broken(wording, deed_of(rule.breaks)):
                missed.append(wording)
            background = [EARLIER, *(Deed(9, 0, "Bash", command) for command in ("ls", "git status", "git diff"))]
            if any(is_broken(wording, deed) for deed in (deed_of(rule.keeps), *background)):
                accused.append(wording)
    print(f"{asked - len(missed)} of {asked} found", *missed, sep="\n")
    assert not accused
    assert 100 * (asked - len(missed)) >= LEAST_FOUND_PERCENT * asked


def counted_pairs(kind: str) -> Iterator[tuple[Case, Case]]:
    for number, pair in enumerate(fresh_pairs(FRESH_C, SEED, kind)):
        if (number + KINDS.index(kind)) % COUNT_EVERY == 0:
            yield pair


@pytest.mark.parametrize("kind", KINDS)
def test_rules_of_a_third_author_are_counted(kind: str, tmp_path: Path) -> None:
    found, accused, asked = 0, [], 0
    for broken, kept in counted_pairs(kind):
        asked += 1
        answer, other = judged(broken, tmp_path), judged(kept, tmp_path)
        found += answer.found == ((FINDINGS[kind], answer.step),) and answer.violated == (plain(broken.text),)
        if other.found or other.violated:
            accused.append(f"{kept.rule} {kept.text!r}: {other}")
    print(f"{kind}: {found} of {asked} found, {len(accused)} of {asked} accused", *accused, sep="\n")
    assert asked >= len(FRESH_C) // COUNT_EVERY
