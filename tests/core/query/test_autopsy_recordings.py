"""`autopsy` on recorded sessions, judged by what an engineer would name in them (`recorded_sessions.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.query.autopsy import autopsy
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from tests.core.query.recorded_sessions import LABELS, judge

SHARED = Path(__file__).resolve().parents[4] / "shared" / "sessions"
GOOD = ("right", "partly")
LEAST_GOOD_PERCENT = 90


def judged(recording: Path, ws: Path, name: str) -> str:
    with Importing(str(ws), None) as importing:
        importing.take(Story(Tail(str(recording))))
    with open_record(str(ws)) as record:
        timeline = timeline_of(record)
        answer = autopsy(timeline, timeline.head)
        verdict = judge(timeline, answer, LABELS[name])
        print(f"{verdict:8} {name}: {answer.verdict}", *(f"\n  {each.kind}: {each.says}" for each in answer.findings))
        return verdict


def test_recorded_sessions_are_right_or_partly_right_and_none_is_noise_or_wrong(tmp_path: Path) -> None:
    there = [name for name in LABELS if (SHARED / name).exists()]
    if not there:
        pytest.skip(f"NO RECORDINGS IN {SHARED}: autopsy was judged on none")
    verdicts = {name: judged(SHARED / name, tmp_path / f"{at}.ccos", name) for at, name in enumerate(there)}
    print(*(f"{verdict:8} {name}" for name, verdict in verdicts.items()), sep="\n")
    assert not [name for name, verdict in verdicts.items() if verdict in ("noise", "wrong")]
    good = sum(verdict in GOOD for verdict in verdicts.values())
    assert 100 * good >= LEAST_GOOD_PERCENT * len(verdicts)
