"""Two agents of different kinds work on one project at once, one heard by its hooks and one followed in its transcript:
each is recorded as if it were alone, in one chain."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.query.hosted.window import agent_window
from ccos_core.serve.hook import hear
from ccos_core.session.hearing import take_in
from ccos_core.session.imported import UnderWay
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from tests.core.intake.importers.rows import LINES, as_lines
from tests.laws.test_hooked import TALES, Act, ops, played, record, without

FOLLOWED = {each.name: as_lines(made()) for each, made in LINES if each.name in ("codex", "gemini", "qwen-code", "pi")}
HEARD = "claude-code"


def told_by(ws: Path, host: str) -> list[dict[str, Any]]:
    return [without(op, "at") if host == HEARD else op for op in ops(ws) if op.get("host") == host]


def held(ws: Path, host: str) -> list[tuple[str, str, int]]:
    """What each conversation of an agent holds at the end, without the steps by which its parts are called."""
    found = []
    with open_record(str(ws)) as opened:
        assert prove(opened).valid
        timeline = timeline_of(opened)
        sessions = sorted({op["session"] for op in ops(ws) if op.get("host") == host and "session" in op})
        for session in sessions:
            try:
                window = agent_window(timeline, timeline.head, lens="host", session=session, context="")
            except CcosError:
                continue
            items = [(each.node.partition(":")[0], each.state, each.tokens) for each in window.items]
            found += [(session, *map(str, each)) for each in items]
    return sorted(map(tuple, found))


def together(ws: Path, events: list[dict[str, Any]], transcript: Path, raw: bytes, cuts: list[int]) -> None:
    """The hooks' events and the pieces of the transcript, in turns."""
    places = sorted(min(cut, len(raw)) for cut in cuts)
    pieces = [raw[first:last] for first, last in zip([0, *places], [*places, len(raw)], strict=True)]
    transcript.write_bytes(b"")
    waiting = list(events)
    with Importing(str(ws)) as importing:
        story = UnderWay(Story(Tail(str(transcript))))
        for number, piece in enumerate(pieces):
            share = len(waiting) if number == len(pieces) - 1 else len(events) // len(pieces)
            for event in waiting[:share]:
                hear(["--ws", str(ws)], json.dumps(event).encode())
            del waiting[:share]
            take_in(str(ws))
            with transcript.open("ab") as file:
                file.write(piece)
            importing.go_on(story)
        importing.end(story)
    assert take_in(str(ws)).waiting == 0


@settings(max_examples=12)
@given(TALES, st.sampled_from(sorted(FOLLOWED)), st.lists(st.integers(0, 4_000), max_size=4))
def test_each_is_recorded_as_if_it_were_alone(tale: list[Act], other: str, cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        agent = played(folder, tale)
        raw, transcript = FOLLOWED[other], folder / "other.jsonl"
        transcript.write_bytes(raw)
        alone = record(folder / "alone.ccos", agent.events, [])
        followed = folder / "followed.ccos"
        with Importing(str(followed)) as importing:
            importing.take(Story(Tail(str(transcript))))
        both = folder / "both.ccos"
        together(both, agent.events, folder / "growing.jsonl", raw, cuts)
        assert told_by(both, HEARD) == told_by(alone, HEARD)
        assert [op["kind"] for op in told_by(both, other)] == [op["kind"] for op in told_by(followed, other)]
        assert {op.get("call") for op in told_by(both, other)} == {op.get("call") for op in told_by(followed, other)}
        assert held(both, HEARD) == held(alone, HEARD)
        assert len(ops(both)) == len(told_by(both, HEARD)) + len(told_by(both, other)) + len(
            [op for op in ops(both) if op.get("host") not in (HEARD, other)]
        )


@pytest.mark.parametrize("other", sorted(FOLLOWED))
def test_what_both_told_is_told_once_however_often_it_is_read(tmp_path: Path, other: str) -> None:
    agent = played(tmp_path, [])
    raw, transcript, both = FOLLOWED[other], tmp_path / "growing.jsonl", tmp_path / "both.ccos"
    together(both, agent.events, transcript, raw, [500])
    before = len(ops(both))
    for event in agent.events:
        hear(["--ws", str(both)], json.dumps(event).encode())
    take_in(str(both))
    with Importing(str(both)) as importing:
        importing.take(Story(Tail(str(transcript))))
    assert len(ops(both)) == before
