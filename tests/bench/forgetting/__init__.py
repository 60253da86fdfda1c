"""The price of forgetting: of what real agents read again after a compaction, how much would our window have held?

A file counts as held when at least half of the lines that were read again are in the window. The window is made from
what came before the compaction alone, by the lens `ours.LENS`, and so are the baselines. Transcripts are those beside
the checkout (`../shared/sessions`), or those in the folders that `CCOS_TRANSCRIPTS` names. The ratio is the best
baseline's share to ours. Beside the share that is held with the numbers of `resume` as they are, it is told with each
session left out when choosing them (`settings.py`).
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ccos_core.replay.timeline import Timeline
from tests.bench.choosing import Tally, left_out
from tests.bench.corpora import transcripts_in
from tests.bench.forgetting import made, ours
from tests.bench.forgetting.baselines import BASELINES, Held, packed
from tests.bench.forgetting.rereads import Cut, cuts
from tests.bench.forgetting.settings import SETTINGS, set_to
from tests.bench.harness import Result

BUDGETS = 2_048, 8_192
OWED = 2
"""Times the best baseline's share."""
GOALS = {2_048: 24, 8_192: 60}
"""The share that is to be held, in percent: a setting is chosen by how near it comes to both."""


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
    settings: dict[str, dict[str, Tally]] = {name: {} for name in SETTINGS}
    for transcript in transcripts:
        found = cuts(transcript)
        if not found:
            continue
        with ours.imported(transcript) as timeline:
            steps = [ours.compactions(timeline)[cut.number] - 1 for cut in found]
            for budget in BUDGETS:
                told = _told(timeline, found, steps, budget)
                totals[budget].update(told)
                if each:
                    print(f"forgetting: {transcript.stem[:40]:<40} {budget:>5} tokens: {_said(told)}")
            for name, setting in SETTINGS.items():
                with set_to(setting):
                    reached = {str(budget): _held(timeline, found, steps, budget) for budget in BUDGETS}
                settings[name][str(transcript)] = Tally(reached)
    unseen = left_out(settings, _worth)
    for budget, total in totals.items():
        again = total["again"] or 1
        best = max(total[name] for name in BASELINES)
        share, baseline = 100 * total["ours"] / again, 100 * best / again
        ratio = best / total["ours"] if total["ours"] else float(best > 0)
        yield Result(f"forgetting: {ours.LENS} of {budget:,}, held", share, "%", 1 / OWED, baseline, ratio)
        if each:
            share = 100 * unseen[str(budget)] / again
            print(f"forgetting: the same, each session left out when choosing of {len(SETTINGS)}: {share:.1f} %")


def _worth(reached: Tally) -> float:
    return sum(reached[str(budget)] / goal for budget, goal in GOALS.items())


def _told(timeline: Timeline, found: list[Cut], steps: list[int], budget: int) -> Counter[str]:
    """What each window of a transcript holds."""
    told = Counter(again=sum(len(cut.again) for cut in found), ours=_held(timeline, found, steps, budget))
    for cut in found:
        for name, order in BASELINES.items():
            told[name] += _found(cut, packed(order(cut), cut.files, budget))
    return told


def _held(timeline: Timeline, found: list[Cut], steps: list[int], budget: int) -> int:
    """How many of the files that were read again our windows hold."""
    count = 0
    for cut, step in zip(found, steps, strict=True):
        held = ours.held(timeline, step, budget)
        count += _found(cut, {path: held[short] for path in cut.files if (short := _short(path, held))})
    return count


def _said(told: Counter[str]) -> str:
    held = "  ".join(f"{name} {count}" for name, count in told.items() if name != "again")
    return f"{told['again']} read again; held: {held}"


def _found(cut: Cut, held: Held) -> int:
    """How many of the files that were read again a window holds."""
    return sum(2 * sum(line in held.get(path, ()) for line in lines) >= len(lines) > 0 for path, lines in cut.again)


def _short(path: str, held: Held) -> str:
    """What the record calls a file that the transcript spells in full."""
    return next((each for each in held if path == each or path.endswith("/" + each.removeprefix("~/"))), "")
