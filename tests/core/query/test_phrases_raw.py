"""Whether a window has some words, compared with a plain retelling of raw transcripts (`raw_windows`).

The recordings lie beside the checkout and aren't part of the project. A usual run compares some 60 sampled (phrase,
context, step); a deep one 500 and more.
"""

from __future__ import annotations

import gzip
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from ccos_core.query.carriers import Carriers
from ccos_core.query.contexts import contexts_of
from ccos_core.replay.residency.runs import STATES
from ccos_core.replay.timeline import Timeline
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import Story, Tail
from ccos_core.storage.opening import open_record
from tests.core.query.raw_windows import FOREVER, RawSession, RawText
from tests.depth import at_depth

SHARED = Path(__file__).resolve().parents[4] / "shared"
SESSIONS = [
    *sorted((SHARED / "sessions" / "claude-code").glob("entire-cli_*.jsonl")),
    *sorted((SHARED / "bench" / "compactions").glob("*.jsonl.gz")),
]
FEW = ("432b48f6", "adff0201", "1e0816ef", "b82405ba")
"""Sessions with two compactions, one with cleared results, and two with subagents."""
SAMPLES_EACH = at_depth(16, 24)
LONGEST_PHRASE = 12


class Sample(NamedTuple):
    """Words, and the line of the transcript after which they are looked for."""

    how: str
    words: tuple[str, ...]
    context: str
    line: int


@pytest.mark.skipif(not SESSIONS, reason=f"NO RECORDINGS IN {SHARED}: presence of words was compared with none")
@pytest.mark.parametrize(
    "path",
    [each for each in SESSIONS if at_depth(any(name in each.name for name in FEW), True)],
    ids=lambda path: path.name[:24],
)
def test_presence_is_that_of_a_plain_retelling(path: Path, tmp_path: Path) -> None:
    raw = RawSession(path)
    with imported(path, tmp_path) as timeline:
        steps = steps_of(timeline, raw)
        chosen = list(samples(raw, sorted(steps), random.Random(path.name)))
        found = [compare(timeline, raw, sample, steps[sample.line]) for sample in chosen]
    print(path.name, Counter((each.how, each.expected) for each in found))
    differing = [each for each in found if not each.agrees]
    assert not differing, "\n".join(map(str, differing))


class Compared(NamedTuple):
    """What both say of a sample."""

    how: str
    words: tuple[str, ...]
    context: str
    line: int
    step: int
    expected: str
    """`in`; `uncertain` where it came before a fall of what the host counted; `out`."""
    state: str
    by: tuple[str, ...]
    maybe: bool
    """Whether a file that may have been shown again has the words."""

    @property
    def agrees(self) -> bool:
        if self.expected == "out":
            return self.state in ("out", "unborn") or (self.state == "uncertain" and self.maybe)
        return self.state == self.expected


def compare(timeline: Timeline, raw: RawSession, sample: Sample, step: int) -> Compared:
    every = contexts_of(timeline).items()
    (number,) = [number for number, each in every if each.context == sample.context and each.session]
    carriers = Carriers(timeline, number)
    found = [each for each in carriers.of(sample.words, step) if each.whole]
    state, _ = carriers.state(found, step)
    told = raw.context(sample.context)
    there = [each for each in told.there(sample.line) if each.has(sample.words)]
    sure = any(told.is_sure(each, sample.line) for each in there)
    expected = "in" if sure else "uncertain" if there else "out"
    by = tuple(f"{each.kind} of line {each.line}" for each in there)
    maybe = any(each.has(sample.words) for each in told.maybe(sample.line))
    return Compared(*sample, step, expected, STATES[state], by, maybe)


def samples(raw: RawSession, lines: list[int], chance: random.Random) -> Iterator[Sample]:
    """Choose words from every kind of text, lost ones among them, words across two texts, and words never said."""
    streams = [name for name, each in raw.contexts.items() if each.texts and lines_of(raw, lines, name)]
    for number in range(SAMPLES_EACH):
        name = "" if number % 3 or len(streams) < 2 else chance.choice(streams)
        texts, at = raw.context(name).texts, lines_of(raw, lines, name)
        how = HOWS[number % len(HOWS)]
        lost = [(text, end) for text, end in texts if end != FOREVER and end < at[-1]]
        if how == "lost" and not lost:
            how = "said"
        kind = chance.choice(sorted({text.kind for text, _ in (lost if how == "lost" else texts)}))
        text, end = chance.choice([each for each in (lost if how == "lost" else texts) if each[0].kind == kind])
        words = phrase(text, chance)
        line = chance.choice([each for each in at if each > end] if how == "lost" else at)
        if how == "across":
            first = chance.randrange(max(len(texts) - 1, 1))
            ends = [text.parts for text, _ in texts[first : first + 2]]
            words = (*ends[0][-1][-3:], *ends[-1][0][:3])
        elif how == "never":
            words = tuple(chance.sample(words, len(words)))
        elif how == "elsewhere":
            other = chance.choice(streams)
            words = phrase(chance.choice(raw.context(other).texts)[0], chance)
        yield Sample(how, words, name, line)


HOWS = ("said", "lost", "said", "across", "lost", "never", "said", "elsewhere")


def phrase(text: RawText, chance: random.Random) -> tuple[str, ...]:
    """Choose a run of words of a text."""
    part = chance.choice([part for part in text.parts if part])
    size = min(chance.randint(1, LONGEST_PHRASE), len(part))
    begin = chance.randrange(len(part) - size + 1)
    return part[begin : begin + size]


def lines_of(raw: RawSession, lines: list[int], context: str) -> list[int]:
    return [line for line in lines if raw.named[line][0] == context]


def steps_of(timeline: Timeline, raw: RawSession) -> dict[int, int]:
    """Line → the step that a record had made once that line was read."""
    last: dict[tuple[str, str], int] = {}
    for step in range(1, timeline.head + 1):
        op = timeline.op(step)
        last[op.get("context", ""), op.get("call", "")] = step
    found = {}
    for line, (context, names) in raw.named.items():
        steps = [last[context, name] for name in names if (context, name) in last]
        if steps:
            found[line] = max(steps)
    return found


@contextmanager
def imported(path: Path, folder: Path) -> Iterator[Timeline]:
    """Import a recording; a packed one is unpacked first."""
    plain = path
    if path.suffix == ".gz":
        plain = folder / path.stem
        plain.write_bytes(gzip.decompress(path.read_bytes()))
    with Importing(str(folder / "ws.ccos"), None) as importing:
        importing.take(Story(Tail(str(plain))))
    with open_record(str(folder / "ws.ccos")) as record:
        yield timeline_of(record)
