"""The price of forgetting: of what real agents read again after a compaction, how much would our window have held?

A file counts as held when at least half of the lines that were read again are in the window. The window is made from
what came before the compaction alone, by the lens `ours.LENS`, and so are the baselines. Transcripts are those beside
the checkout (`../shared/sessions`), or those in the folders that `CCOS_TRANSCRIPTS` names. The ratio is the best
baseline's share to ours.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.bench.corpora import transcripts_in
from tests.bench.forgetting import made, ours
from tests.bench.forgetting.baselines import BASELINES, Held, packed
from tests.bench.forgetting.rereads import Cut, cuts
from tests.bench.harness import Result

BUDGETS = 2_048, 8_192
OWED = 2
"""Times the best baseline's share."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        with tempfile.TemporaryDirectory() as folder:
            yield from _judged([made.transcript(Path(folder))], each=False)
        return
    found = sorted(each for folder in transcripts_in("claude-code") for each in folder.rglob("*.jsonl"))
    if not found:
        print("forgetting: SKIPPED, there are no transcripts; CCOS_TRANSCRIPTS names folders that have some")
        return
    yield from _judged(found, each=True)


def _judged(transcripts: list[Path], each: bool) -> Iterator[Result]:
    totals = {budget: Counter[str]() for budget in BUDGETS}
    for transcript in transcripts:
        for budget, told in _one(transcript):
            totals[budget].update(told)
            if each:
                print(f"forgetting: {transcript.stem[:40]:<40} {budget:>5} tokens: {_said(told)}")
    for budget, total in totals.items():
        again = total["again"] or 1
        best = max(total[name] for name in BASELINES)
        share, baseline = 100 * total["ours"] / again, 100 * best / again
        ratio = best / total["ours"] if total["ours"] else float(best > 0)
        yield Result(f"forgetting: {ours.LENS} of {budget:,}, held", share, "%", 1 / OWED, baseline, ratio)


def _one(transcript: Path) -> Iterator[tuple[int, Counter[str]]]:
    """What each window of a transcript holds."""
    found = cuts(transcript)
    if not found:
        return
    with ours.imported(transcript) as timeline:
        steps = ours.compactions(timeline)
        for budget in BUDGETS:
            told = Counter(again=sum(len(cut.again) for cut in found), ours=0)
            for cut in found:
                held = ours.held(timeline, steps[cut.number] - 1, budget)
                told["ours"] += _found(cut, {path: held[short] for path in cut.files if (short := _short(path, held))})
                for name, order in BASELINES.items():
                    told[name] += _found(cut, packed(order(cut), cut.files, budget))
            yield budget, told


def _said(told: Counter[str]) -> str:
    held = "  ".join(f"{name} {count}" for name, count in told.items() if name != "again")
    return f"{told['again']} read again; held: {held}"


def _found(cut: Cut, held: Held) -> int:
    """How many of the files that were read again a window holds."""
    return sum(2 * sum(line in held.get(path, ()) for line in lines) >= len(lines) > 0 for path, lines in cut.again)


def _short(path: str, held: Held) -> str:
    """What the record calls a file that the transcript spells in full."""
    return next((each for each in held if path == each or path.endswith("/" + each.removeprefix("~/"))), "")
