"""How many tokens of tool results would whole recorded sessions have been spared, and was anything needed lost?

The baseline is each result as the host showed it. What a context held just before a read comes from a fold of the
record in which a shortened read delivers only the lines it shows. Needed are lines that the agent edited or cited
within 40 calls after the host showed them. Truncation stands beside it, which loses what it cuts. Nothing is chosen by
these sessions.
"""

import gzip
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ccos_core.query.squeezing.course import squeezed_course
from ccos_core.query.squeezing.ledger import MISSING, SHOWN
from tests.bench.forgetting.ours import imported
from tests.bench.harness import Result

SHARED = Path(__file__).resolve().parents[3] / "shared"
SESSIONS = (
    *("sessions/claude-code/*.jsonl", "sessions/codex/*.jsonl", "sessions/mini-swe-agent/*.json"),
    *("sessions/swe-agent/*.traj", "sessions/opencode/*.json", "bench/compactions/*.jsonl.gz"),
)
PARTS_OF_ANOTHER = "growing-79e9becd_a", "growing-79e9becd_b"
LEFT_LIMIT, REREAD_LEFT_LIMIT = 65.0, 86.0
"""Percent of all tool tokens that are left at most, by everything and by re-reads alone."""
TRUNCATED_TOKENS = 2_000
NOT_SHOWN_LIMIT = 3.0
"""Percent of the needed lines."""


def lines(smoke: bool) -> Iterator[Result]:
    paths = [path for glob in SESSIONS for path in sorted(SHARED.glob(glob))]
    paths = [path for path in paths if not any(part in path.name for part in PARTS_OF_ANOTHER)]
    if not paths:
        print("frugality: SKIPPED, no sessions in ../shared")
        return
    shown, saved, needs = Counter[str](), Counter[str](), Counter[str]()
    truncated = 0
    for path in paths[: 1 if smoke else None]:
        with tempfile.TemporaryDirectory() as folder:
            if path.suffix == ".gz":
                unpacked = Path(folder) / path.stem
                unpacked.write_bytes(gzip.decompress(path.read_bytes()))
                path = unpacked
            with imported(path) as timeline:
                course = squeezed_course(timeline, timeline.head)
        was, less = course.tokens_by_kind(), course.saved_by_kind()
        if was:
            print(f"  {path.name[:44]:<44} {was.total():>8} tokens  {_told(less, was.total())}", flush=True)
        shown += was
        saved += less
        needs.update(each.fate for each in course.needs)
        truncated += sum(max(each.tokens - TRUNCATED_TOKENS, 0) for each in course.results)
    whole, used = shown.total(), max(needs.total(), 1)
    print(f"  shown: {_told(shown, whole)}")
    print(f"  needed lines: {dict(needs)}")
    yield Result("tool tokens left, re-reads alone", 100 - 100 * saved["reread"] / whole, "%", REREAD_LEFT_LIMIT)
    yield Result("tool tokens left, truncated (no verdict)", 100 - 100 * truncated / whole, "%", 100.0)
    yield Result("tool tokens left, switched off (no verdict)", 100.0, "%", 100.0)
    yield Result("tool tokens left, all together", 100 - 100 * saved.total() / whole, "%", LEFT_LIMIT)
    yield Result("needed lines not shown", 100 - 100 * needs[SHOWN] / used, "%", NOT_SHOWN_LIMIT)
    yield Result("needed lines neither shown nor fetchable", 100 * needs[MISSING] / used, "%", 0.0)


def _told(tokens: Counter[str], whole: int) -> str:
    return "  ".join(f"{kind} {100 * count / whole:.1f} %" for kind, count in tokens.most_common() if count)
