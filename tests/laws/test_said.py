"""Statements are the same bytes however a record came to be: in any batches, delivered again, archived, read anew."""

import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.said import said_until
from ccos_core.query.saying.utterance import AUTHORS
from ccos_core.replay.timeline import Timeline
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.archive import move_older
from ccos_core.storage.opening import open_record
from tests.core.intake.importers.claude_code_fixtures import CWD, SESSION, Talk, read_of

WORDS = st.sampled_from(
    [
        "Use tabs.",
        "- use `tabs`!",
        "Never push to main.\n\nUse Go.",
        "```\nx = 1\n```",
        "Vérifie d'abord.",
        "必ずタブを使う。",
    ]
)
SAID = st.sampled_from(["prompt", "queued", "refusal", "command", "todo", "file", "summary"])
TALKS = st.lists(st.tuples(SAID, WORDS), min_size=1, max_size=8)
REFUSED = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
SESSIONS = ("claude-code", SESSION)


def lines_of(talk: list[tuple[str, str]]) -> bytes:
    told = Talk()
    told.prompt("Begin.")
    for number, (kind, words) in enumerate(talk):
        _tell(told, kind, words, f"t{number}")
    told.prompt("End.")
    return b"".join(json.dumps(value).encode() + b"\n" for value in told.values)


def _tell(told: Talk, kind: str, words: str, call: str) -> None:
    match kind:
        case "prompt":
            told.prompt(words)
        case "queued":
            told.queue("enqueue", content=words)
            told.queue("remove")
        case "refusal":
            told.call(call, "Edit", {}, REFUSED + words, is_error=True)
        case "command":
            told.prompt(f"<command-name>/x</command-name>\n<command-args>{words}</command-args>")
        case "todo":
            told.call(call, "TodoWrite", {"todos": [{"content": words, "status": "pending"}]})
        case "file":
            told.call(call, "Read", {"file_path": f"{CWD}/CLAUDE.md"}, words, read_of(f"{CWD}/CLAUDE.md", words))
        case _:
            told.compact(words)


def stated(timeline: Timeline) -> list[bytes]:
    """The statements of all authors at every step, as bytes."""
    steps = range(timeline.head + 1)
    return [json.dumps([asdict(each) for each in said_until(timeline, at, SESSIONS, AUTHORS)]).encode() for at in steps]


def imported(ws: Path, *transcripts: Path) -> None:
    for transcript in transcripts:
        with Importing(str(ws), None) as importing:
            importing.take(Story(Tail(str(transcript))))


def read_anew(ws: Path) -> list[bytes]:
    for cache in ws.parent.glob(f"{ws.name}-*"):
        shutil.rmtree(cache) if cache.is_dir() else cache.unlink()
    with open_record(str(ws)) as record:
        return stated(timeline_of(record))


@settings(max_examples=12, deadline=None)
@given(talk=TALKS, cuts=st.lists(st.integers(0, 100), max_size=3), keep=st.integers(0, 6))
def test_any_batches_and_an_archive_change_no_byte(talk: list[tuple[str, str]], cuts: list[int], keep: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ccos-said-") as name:
        folder, lines = Path(name), lines_of(talk)
        whole = folder / "whole.jsonl"
        whole.write_bytes(lines)
        imported(folder / "a.ccos", whole)
        expected = read_anew(folder / "a.ccos")
        assert json.loads(expected[-1])[0]["text"] == "Begin."
        growing = folder / "growing.jsonl"
        for cut in [*sorted(cuts), 100]:
            growing.write_bytes(lines[: len(lines) * cut // 100])
            imported(folder / "b.ccos", growing)
        assert read_anew(folder / "b.ccos") == expected
        with open_record(str(folder / "b.ccos"), write=True) as record, record.write() as writing:
            move_older(record, writing, keep, None)
        assert read_anew(folder / "b.ccos") == expected


@settings(max_examples=12, deadline=None)
@given(talk=TALKS, times=st.integers(1, 3), part=st.integers(0, 100))
def test_what_is_delivered_again_is_said_once(talk: list[tuple[str, str]], times: int, part: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ccos-said-") as name:
        folder, lines = Path(name), lines_of(talk)
        (folder / "one.jsonl").write_bytes(lines)
        copied = lines.split(b"\n")
        (folder / "copy.jsonl").write_bytes(b"\n".join(copied[: len(copied) * part // 100]) + b"\n")
        imported(folder / "a.ccos", folder / "one.jsonl")
        imported(folder / "b.ccos", *[folder / "one.jsonl", folder / "copy.jsonl"] * times)
        assert read_anew(folder / "b.ccos") == read_anew(folder / "a.ccos")
