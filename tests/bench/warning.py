"""How early pressure warns before a recorded automatic compaction: the share of them that had no warning five points
before, in percent.

A warning is the level going up to high or critical. Its distance is what the window filled between that count and the
last one before the compaction, or what the host said of it, whichever is more. Sessions lie beside the checkout.
"""

import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ccos_core.query.pressure import LEVELS, THOUSAND, Sample, levels, samples
from ccos_core.replay.timeline import Timeline
from tests.bench.forgetting.ours import compactions, imported
from tests.bench.harness import Result

SHARED = Path(__file__).resolve().parents[3] / "shared"
AHEAD = 50  # thousandths of the window
HIGH = LEVELS.index("high")
LIMIT = 5.0


def lines(smoke: bool) -> Iterator[Result]:
    files = [*sorted((SHARED / "bench" / "compactions").glob("*.jsonl.gz"))]
    files += sorted((SHARED / "sessions" / "claude-code").glob("*.jsonl"))
    if not files:
        print("warning: SKIPPED, the recorded sessions aren't in ../shared")
        return
    found = [ahead for file in files[: 2 if smoke else None] for ahead in _ahead(file)]
    missed = sum(ahead is None or ahead < AHEAD for ahead in found)
    points = sorted(ahead for ahead in found if ahead is not None)
    print(f"  {len(found)} automatic compactions; points ahead: {[point / 10 for point in points]}")
    yield Result(
        f"compactions without a warning ({missed} of {len(found)})", 100 * missed / max(1, len(found)), "%", LIMIT
    )


def _ahead(file: Path) -> Iterator[int | None]:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / file.name.removesuffix(".gz")
        plain.write_bytes(gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes())
        with imported(plain) as timeline:
            yield from _of_session(timeline)


def _of_session(timeline: Timeline) -> Iterator[int | None]:
    """The distances of one session. What a host records twice, without a count between, is one compaction."""
    cuts = compactions(timeline)
    begin = 0
    for at, step in enumerate(cuts):
        context = int(timeline.journal.steps["context"][step - 1])
        course = [each for each in samples(timeline, context, step - 1) if each.step > begin]
        begin = step
        if not course:
            continue
        until = cuts[at + 1] if at + 1 < len(cuts) else step
        again = not any(step < each.step < until for each in samples(timeline, context, until))
        ops = [timeline.op(step), *([timeline.op(until)] if again else [])]
        if any(op.get("trigger") == "auto" for op in ops):
            yield _distance(course, max(op.get("before", 0) for op in ops))


def _distance(course: list[Sample], before: int) -> int | None:
    """How full the window got since the first warning, in thousandths; None without a warning."""
    warned = next((each for each, level in zip(course, levels(course), strict=True) if level >= HIGH), None)
    if warned is None:
        return None
    return (max(before, course[-1].used) - warned.used) * THOUSAND // warned.limit
