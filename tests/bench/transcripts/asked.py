"""What questions cost in one workspace that holds many real sessions, of several projects and agents.

Transcripts are those beside the checkout (`../shared/sessions`), or those in the folders that `CCOS_TRANSCRIPTS` names;
where there are none, that is said. They go in by the command a user types, and so does the first question, which folds.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ccos_core.query.contexts import contexts_of
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record
from tests.bench.asking import questioning
from tests.bench.corpora import transcripts_in
from tests.bench.harness import Result, timed

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "sample_workspaces" / "transcripts"
AGENTS = ("claude-code", "codex", "mini-swe-agent", "opencode", "swe-agent")
"""Folders of recordings whose format is read."""
ENDINGS = (".jsonl", ".json", ".traj")
FOLDED, ASKED = 2.5, 1.0
"""Seconds: for each 4 MB that are imported and folded; for a process that asks later."""
MEGABYTES = 4e6
COMMAND = "import sys; from ccos_tui.__main__ import main; sys.exit(main(sys.argv[1:]))"


def lines(smoke: bool) -> Iterator[Result]:
    found = list(_transcripts(smoke))
    if not found:
        print("transcripts asked: SKIPPED, there are none; CCOS_TRANSCRIPTS names folders that have some")
        return
    size = sum(path.stat().st_size for path in found)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        ws = Path(held) / "all.ccos"
        imported = _seconds("import", *map(str, found), "-o", str(ws))
        folded = _seconds("goto", str(ws), "end")
        told = f"{len(found)} transcripts, {size / 1e6:.0f} MB"
        yield Result(f"{told}: import, fold 4 MB", (imported + folded) / size * MEGABYTES, "s", FOLDED)
        yield Result(f"{told}: asked again", _seconds("missing", str(ws), questioning.hottest(ws)), "s", ASKED)
        for each in questioning.questioned(ws, few=False, session=_longest(ws)):
            yield replace(each, name=f"{each.name}, of all")


def _longest(ws: Path) -> str:
    """Whose main conversation has most steps, as a question names it."""
    with open_record(str(ws)) as record:
        timeline = timeline_of(record)
        steps = Counter(timeline.journal.steps["context"].tolist())
        mains = {number: each for number, each in contexts_of(timeline).items() if each.session and not each.context}
        longest = mains[max(mains, key=lambda number: (steps[number], -number))]
    return f"{longest.host}/{longest.session}"


def _transcripts(smoke: bool) -> Iterator[Path]:
    """What is to be imported, always in the same order."""
    for folder in [SAMPLES] if smoke else transcripts_in(*AGENTS):
        yield from (path for path in sorted(folder.rglob("*")) if _is_one(path))


def _is_one(path: Path) -> bool:
    """Whether a file is a recording, and not what somebody knows about some."""
    return path.name.endswith(ENDINGS) and path.stem not in ("answers", "ground_truth")


def _seconds(*words: str) -> float:
    """What a command takes, as somebody waits for it who types it."""
    command = [sys.executable, "-c", COMMAND, *words]
    return timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT))
