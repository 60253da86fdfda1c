"""How many tokens of tool results would whole recorded sessions have been spared, by what they are?

The baseline is each result as the host showed it. What a context held just before a read comes from a fold of the
record, so that a compaction, another context or a change takes lines away; a later read counts as if it had been shown
in full. Truncation stands beside it, which loses what it cuts. Nothing is chosen by these sessions.
"""

import gzip
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ccos_core.replay.fork import Fork
from ccos_core.replay.timeline import Timeline
from ccos_core.state.sightings import context_of
from ccos_core.text.compress.reread import shorten_read
from ccos_core.text.compress.router import reference_of, shorten
from ccos_core.values.tokens import estimate
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


def lines(smoke: bool) -> Iterator[Result]:
    paths = [path for glob in SESSIONS for path in sorted(SHARED.glob(glob))]
    paths = [path for path in paths if not any(part in path.name for part in PARTS_OF_ANOTHER)]
    if not paths:
        print("frugality: SKIPPED, no sessions in ../shared")
        return
    shown, saved = Counter[str](), Counter[str]()
    for path in paths[: 1 if smoke else None]:
        with tempfile.TemporaryDirectory() as folder:
            if path.suffix == ".gz":
                unpacked = Path(folder) / path.stem
                unpacked.write_bytes(gzip.decompress(path.read_bytes()))
                path = unpacked
            with imported(path) as timeline:
                was, less = measured(timeline)
        if was:
            print(f"  {path.name[:44]:<44} {was.total():>8} tokens  {_told(less, was.total())}", flush=True)
        shown += was
        saved += less
    whole = shown.total()
    print(f"  shown: {_told(shown, whole)}")
    truncated = saved.pop("truncation", 0)
    yield Result("tool tokens left, re-reads alone", 100 - 100 * saved["reread"] / whole, "%", REREAD_LEFT_LIMIT)
    yield Result("tool tokens left, truncated (no verdict)", 100 - 100 * truncated / whole, "%", 100.0)
    yield Result("tool tokens left, switched off (no verdict)", 100.0, "%", 100.0)
    yield Result("tool tokens left, all together", 100 - 100 * saved.total() / whole, "%", LEFT_LIMIT)


def measured(timeline: Timeline) -> tuple[Counter[str], Counter[str]]:
    """Tokens of the results that were shown, and saved, by kind; what truncation saves stands by itself."""
    ops = list(timeline.between(1, timeline.head))
    reads: dict[str, list[Any]] = {}
    for _, op in ops:
        if op["kind"] == "seen" and op["how"] == "read" and "call" in op:
            reads.setdefault(op["call"], []).append(op)
    fork = Fork(timeline.facts)
    shown, saved = Counter[str](), Counter[str]()
    for step, op in ops:
        if op["kind"] == "tool" and "result" in op:
            text = timeline.content(op["result"]["blob"]).decode("utf-8", "replace")
            ref, size = reference_of(text.encode()), estimate(text)
            short = shorten(text, ref=ref)
            read = reads.get(op.get("call", ""), [])
            shown["read" if read else short.kind] += size
            if len(read) == 1:
                held = fork.world.hosts.held(context_of(op)).lines(read[0]["path"])
                short = shorten_read(text, held, ref, read[0].get("slice", [1])[0]) or short
            saved[short.kind] += size - estimate(short.text)
            saved["truncation"] += max(size - TRUNCATED_TOKENS, 0)
        fork.tell(step, op)
    return shown, saved


def _told(tokens: Counter[str], whole: int) -> str:
    return "  ".join(f"{kind} {100 * count / whole:.1f} %" for kind, count in tokens.most_common() if count)
