"""Are the planted violations found, each as what it is, and is nothing found in their counterparts?

The generator and the detector were written apart. `autopsy` is asked about the whole session, `told` about the step.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ccos_core.query.autopsy import autopsy
from ccos_core.query.told import told_about
from ccos_core.replay.codes import KIND_CODES
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from tests.core.told.planted import KINDS, PAIRS, Case, pairs
from tests.depth import at_depth

SEED = 2
ASKED_PAIRS = at_depth(8, PAIRS)
LEAST_FOUND_PERCENT = 95
FINDINGS = {"lost": "forgotten", "held": "ignored", "subagent": "uninformed", "superseded": "outdated"}


class Judged(NamedTuple):
    """What both questions say of a case."""

    found: tuple[tuple[str, int], ...]
    """Kind and step of the findings on instructions."""
    violated: tuple[str, ...]
    """The statements that the step breaks."""
    step: int


def judged(case: Case, folder: Path) -> Judged:
    name = f"{case.name}-{case.broken}"
    (folder / f"{name}.jsonl").write_bytes(case.transcript)
    with Importing(str(folder / f"{name}.ccos"), None) as importing:
        importing.take(Story(Tail(str(folder / f"{name}.jsonl"))))
    with open_record(str(folder / f"{name}.ccos")) as record:
        timeline = timeline_of(record)
        calls = (timeline.journal.steps["kind"] == KIND_CODES["tool"]).nonzero()[0] + 1
        step = next(step for step in calls.tolist() if timeline.op(step).get("call") == case.call)
        findings = autopsy(timeline, timeline.head).findings
        answer = told_about(timeline, timeline.head, step, 0)
    found = tuple((each.kind, each.step) for each in findings if each.kind in FINDINGS.values())
    violated = tuple(plain(each.text) for each in answer.statements if each.verdict == "violates")
    return Judged(found, violated, step)


def plain(text: str) -> str:
    return " ".join(text.split()).strip(" .")


@pytest.mark.parametrize("kind", KINDS)
def test_broken_instructions_are_found_and_kept_ones_are_not(kind: str, tmp_path: Path) -> None:
    some = list(pairs(SEED, kind))[:ASKED_PAIRS]
    missed, accused = [], []
    for broken, kept in some:
        answer = judged(broken, tmp_path)
        if answer.found != ((FINDINGS[kind], answer.step),) or answer.violated != (plain(broken.text),):
            missed.append(f"{broken.rule} {broken.text!r}: {answer}")
        other = judged(kept, tmp_path)
        if other.found or other.violated:
            accused.append(f"{kept.rule} {kept.text!r}: {other}")
    print(
        f"{kind}: {len(some) - len(missed)} of {len(some)} found, {len(accused)} accused", *missed, *accused, sep="\n"
    )
    assert not accused
    assert 100 * (len(some) - len(missed)) >= LEAST_FOUND_PERCENT * len(some)
