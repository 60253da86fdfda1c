"""All that users said in the recordings is a statement of theirs, channel by channel, and nothing else is."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Observation
from ccos_core.memory.speech import words_of_user
from ccos_core.query.said import said_until
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.statements import statements_of
from tests.core.query.raw_words import FILLER, SHARED, content_of, recordings, said_in

MARK = re.compile(r"\d{1,3}|[a-z]")
"""A word that may be the number of a list item, which isn't said."""
WHOLE = "sessions/claude-code/entire-cli_432b48f6b6e6_248tools_2compact.jsonl"
Heard = tuple[str, tuple[str, ...]]


def heard(channel: str, text: str) -> Heard:
    return channel, tuple(word for word in normalised_words(text) if not MARK.fullmatch(word))


def as_statements(prompt: Observation) -> Heard:
    channel, words = words_of_user(prompt, prompt["said"])
    return heard(channel, " ".join(word for each in statements_of(words) for word in each.words))


def read(path: Path) -> tuple[str, list[Observation]]:
    transcript = Transcript(path.name)
    told = [*transcript.feed(content_of(path)), *transcript.finish()]
    return transcript.format.name if transcript.format else "", told


def test_every_channel_of_every_recording() -> None:
    paths = recordings()
    if not paths:
        pytest.skip(f"NO RECORDINGS IN {SHARED}: nothing the users of hosts said was compared")
    said, found, missing, more = Counter[str](), Counter[str](), [], []
    for path in paths:
        host, told = read(path)
        if not host:
            continue
        raw = Counter(heard(*each) for each in said_in(path, host))
        ours = Counter(as_statements(each) for each in told if each["kind"] == "prompt" and each["said"] != FILLER)
        raw, ours = (Counter({each: n for each, n in some.items() if each[1]}) for some in (raw, ours))
        said.update(each[0] for each in raw.elements())
        found.update(each[0] for each in (raw & ours).elements())
        missing += [(path.name, *each) for each in raw - ours]
        more += [(path.name, *each) for each in ours - raw]
    for channel in sorted(said):
        print(f"{channel or 'prompt':8} {found[channel]:4} of {said[channel]:4}")
    assert not missing
    assert not more
    assert set(said) >= {"", "queued", "answer", "refusal", "command"}


def test_a_record_says_what_its_transcript_says(tmp_path: Path) -> None:
    path = SHARED / WHOLE
    if not path.exists():
        pytest.skip(f"NO RECORDINGS IN {SHARED}: no record was compared with its transcript")
    with Importing(str(tmp_path / "a.ccos"), None) as importing:
        importing.take(Story(Tail(str(path))))
    with open_record(str(tmp_path / "a.ccos")) as record:
        timeline = timeline_of(record)
        session = next(op for op in map(timeline.op, range(2, timeline.head)) if "session" in op)
        statements = said_until(timeline, timeline.head, (session["host"], session["session"]))
    ours = {word for each in statements for word in each.words}
    words = {word for channel, text in said_in(path, "claude-code") for word in heard(channel, text)[1]}
    assert words - ours == set()
    assert {place.channel for each in statements for place in each.places} == {"", "queued", "refusal"}
