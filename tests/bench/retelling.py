"""After a compaction: are the standing statements that no carrier holds any more in our words, and how much of these
did the window hold anyway?

Statements are labelled by hand (`told/README.md`); sessions lie beside the checkout. What a window holds is judged from
the raw transcript: by the host's summary alone, its words compared by runs of three. Figures are shares that miss, in
percent, so that a limit is a limit. The weights of `ccos_core.text.standing` were made on other sessions or guessed;
beside them it is told what is reached with each session left out when choosing among variants of them.
"""

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from ccos_core.query.contexts import contexts_of
from ccos_core.query.retelling import retelling
from ccos_core.query.retold_text import CUT, WORDS_TOKENS, retold_text, size_of
from ccos_core.replay.timeline import Timeline
from ccos_core.text import standing
from ccos_core.text.retrieval.carried import normalised_words
from tests.bench.choosing import Tally, left_out, together
from tests.bench.forgetting.ours import compactions, imported
from tests.bench.harness import Result
from tests.bench.told.labels import Session, in_force, read
from tests.bench.told.raw_words import _records, blocks, spoken

SHARED = Path(__file__).resolve().parents[3] / "shared"
LOST_LIMIT, UNLABELLED_LIMIT, REQUEST_LIMIT, HELD_LIMIT = 15.0, 80.0, 0.0, 5.0
"""Percent of lost standing statements that we don't tell; of what we tell that neither reading labels as standing (86
before questions and go-aheads came last); of last requests that are in neither, word for word; of our
tokens that the window held anyway."""
LANDED = "landed"
SETTINGS = {
    LANDED: {},
    **{f"without {name}": {name: 0} for name in standing.WEIGHTS},
    **{f"twice {name}": {name: 2 * weight} for name, weight in standing.WEIGHTS.items()},
}


class Cut(NamedTuple):
    """One compaction of a labelled session."""

    step: int
    summary: str
    """As the raw transcript has it."""

    standing: list[str]
    """Statements in force that this summary doesn't hold."""

    request: list[str]
    """The sentences of the last request that it doesn't hold word for word."""

    labelled: list[str]
    """Statements in force by either reading."""


def lines(smoke: bool) -> Iterator[Result]:
    sessions = [each for each in read() if each.compactions and (SHARED / each.file).exists()]
    if not sessions:
        print("retelling: SKIPPED, the labelled sessions aren't in ../shared")
        return
    found: dict[str, dict[str, Tally]] = {name: {} for name in SETTINGS}
    second = {each.file: each for each in read("second")}
    again = Tally()
    for session in sessions[: 2 if smoke else None]:
        with opened(session) as timeline:
            if not compactions(timeline):
                print(f"  {session.file}: its compaction isn't recorded")
                continue
            cuts = list(cuts_of(session, timeline, second.get(session.file)))
            for name, setting in SETTINGS.items():
                with patch.dict(standing.WEIGHTS, setting):
                    found[name][session.file] = _total(judge(timeline, cut) for cut in cuts)
            if session.file in second:
                again += _total(judge(timeline, cut) for cut in cuts_of(second[session.file], timeline))
            print(f"  {Path(session.file).name[:30]}: {dict(found[LANDED][session.file])}", flush=True)
    landed, chosen = together(found[LANDED]), left_out(found, lambda tally: tally["told"])
    yield _missed("lost standing statements not told", landed, "told", "lost", LOST_LIMIT)
    yield _missed("the same, each session left out", chosen, "told", "lost", LOST_LIMIT)
    yield _missed("told that neither reading labels", landed, "labelled", "listed", UNLABELLED_LIMIT)
    yield _missed("lost by the second reading, not told", again, "told", "lost", LOST_LIMIT)
    yield _missed("last requests not word for word", landed, "whole", "requests", REQUEST_LIMIT)
    yield _missed("tokens told that the window held", landed, "new tokens", "tokens", HELD_LIMIT)
    print(f"  {landed['cut']} of the last requests were cut at their end, which is said")


@contextmanager
def opened(session: Session) -> Iterator[Timeline]:
    """The record of a session; a packed transcript is unpacked first."""
    path = SHARED / session.file
    with tempfile.TemporaryDirectory() as folder:
        if path.suffix == ".gz":
            unpacked = Path(folder) / path.stem
            unpacked.write_bytes(gzip.decompress(path.read_bytes()))
            path = unpacked
        with imported(path) as timeline:
            yield timeline


def cuts_of(session: Session, timeline: Timeline, second: Session | None = None) -> Iterator[Cut]:
    """The compactions as the labels name them, each at the step that the record gives it."""
    records = dict(_records(SHARED / session.file))
    raw = {(block.line, block.number): block.raw for block in blocks(SHARED / session.file)}
    summarised = [step for step in compactions(timeline) if "summary" in timeline.op(step)]
    for (line, request), step in zip(session.compactions, summarised, strict=True):
        summary = next(
            json.dumps(record.get("message", ""), ensure_ascii=False).replace("\\n", "\n")
            for number, record in sorted(records.items())
            if number > line and record.get("isCompactSummary")
        )
        lost = [raw[label.line, label.block][label.start : label.end] for label in in_force(session, line)]
        labels = [*in_force(session, line), *(in_force(second, line) if second is not None else ())]
        asked = [each.text for each in spoken(SHARED / session.file) if each.line == request]
        yield Cut(
            step,
            summary,
            [text for text in lost if not is_held(text, summary)],
            [text for text in asked if normalised_words(text) and not stands_in(text, summary)],
            [raw[label.line, label.block][label.start : label.end] for label in labels],
        )


def judge(timeline: Timeline, cut: Cut) -> Tally:
    """What our words hold after a compaction."""
    context = int(timeline.journal.steps["context"][cut.step - 1])
    telling = retelling(timeline, cut.step, contexts_of(timeline)[context])
    text, names = retold_text(telling, WORDS_TOKENS, ())
    listed = [each.text for each in telling.statements if each.name in names]
    is_cut = CUT.partition("{")[0] in text.partition("\n-")[0]
    rows = [row for row in text.splitlines() if row.startswith(("> ", "- "))]
    is_whole = all(stands_in(row, text.replace("\n> ", "\n")) for row in cut.request)
    return Tally(
        lost=len(cut.standing),
        told=sum(stands_in(each, text.replace("\n> ", "\n")) for each in cut.standing),
        requests=1,
        whole=is_whole or is_cut,
        cut=is_cut,
        listed=len(listed),
        labelled=sum(any(_overlap(row, label) for label in cut.labelled) for row in listed),
        tokens=sum(map(size_of, rows)),
        **{
            "new tokens": sum(
                size_of(row) for row in rows if not is_held(row.partition("] ")[2] or row[2:], cut.summary)
            )
        },
    )


def stands_in(text: str, carrier: str) -> bool:
    """Whether a carrier has all words of a text, one behind the other."""
    return f" {' '.join(normalised_words(text))} " in f" {' '.join(normalised_words(carrier))} "


def is_held(text: str, carrier: str) -> bool:
    """Whether a carrier has a text whole, or half of its runs of three words."""
    if stands_in(text, carrier):
        return True
    runs, there = _runs(normalised_words(text)), set(_runs(normalised_words(carrier)))
    return len(runs) > 3 and 2 * sum(run in there for run in runs) >= len(runs)


def _overlap(said: str, label: str) -> bool:
    return stands_in(said, label) or is_held(label, said)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + 3]) for at in range(len(words) - 2)]


def _total(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _missed(name: str, tally: Tally, reached: str, of: str, limit: float) -> Result:
    missed = 100 * (tally[of] - tally[reached]) / tally[of] if tally[of] else 0.0
    return Result(f"{name} ({tally[of] - tally[reached]} of {tally[of]})", missed, "%", limit)
