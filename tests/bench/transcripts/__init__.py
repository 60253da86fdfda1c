"""Transcripts on this machine: how long it takes to list 700 MB of them, and to import and fold one of 4 MB.

Each is done by a process of its own, as somebody who types the command waits for it: with the bytecode an installed
program has, which the first of them makes. Memory is that of the process and those it starts, together.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.harness import Result
from tests.bench.transcripts import asked, made

ROOT = Path(__file__).resolve().parents[3]
LISTED, ONE = 700_000_000, 4_000_000
COLD, WARM, HELD, FOLDED = 3.0, 0.5, 200, 2.5
"""Limits: seconds, seconds, MB, seconds."""
DIFFERENT = 6
"""Transcripts that are made; the others are the same sessions under other names."""
LOOK_AFTER = 0.02

SESSIONS = "from ccos_tui.__main__ import main; sys.exit(main(['sessions', '--json']))"
USED = """
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import Story, Tail
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record
"""
FOLD = f"""{USED}
with Importing(sys.argv[2]) as importing:
    assert importing.take(Story(Tail(sys.argv[1]))).added
with open_record(sys.argv[2]) as record:
    assert timeline_of(record).head == record.head()[0]
"""


def lines(smoke: bool) -> Iterator[Result]:
    total, one = (2_000_000, 200_000) if smoke else (LISTED, ONE)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        folder = Path(held)
        run(folder, f"{USED}{SESSIONS.partition(';')[0]}")
        fill(folder, total, one)
        cold = run(folder, SESSIONS)
        yield Result("sessions, 700 MB, nothing known", cold.seconds, "s", COLD)
        yield Result("  memory of its processes", cold.megabytes, "MB", HELD)
        again = [run(folder, SESSIONS) for _ in range(1 if smoke else 5)]
        yield Result("sessions, the same again", sorted(each.seconds for each in again)[len(again) // 2], "s", WARM)
        yield Result("  memory of its processes", max(each.megabytes for each in again), "MB", HELD)
        for name, write in (("claude-code", made.claude_code), ("codex", made.codex)):
            path = folder / f"{name}.jsonl"
            path.write_bytes(write(one, 99))
            done = run(folder, FOLD, str(path), str(folder / f"{name}.ccos"))
            yield Result(f"import and fold 4 MB of {name}", done.seconds, "s", FOLDED)
    yield from asked.lines(smoke)


def fill(folder: Path, total: int, one: int) -> None:
    """So many bytes of sessions, where agents keep them."""
    different = [(made.codex if seed % 3 == 2 else made.claude_code)(one, seed) for seed in range(DIFFERENT)]
    for number in range(max(total // one, DIFFERENT)):
        seed = number % DIFFERENT
        below = (
            f"codex/sessions/2026/03/{number % 28 + 1:02}" if seed % 3 == 2 else f"claude/projects/-home-{number % 9}"
        )
        path = folder / below / f"{number:06}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(different[seed])


class Done:
    """What a process took."""

    def __init__(self, seconds: float, megabytes: float) -> None:
        self.seconds = seconds
        self.megabytes = megabytes


def run(folder: Path, code: str, *words: str) -> Done:
    """Run code as a process of its own."""
    places = {
        "CLAUDE_CONFIG_DIR": "claude",
        "CODEX_HOME": "codex",
        "XDG_CACHE_HOME": "cache",
        "XDG_STATE_HOME": "state",
        "PYTHONPYCACHEPREFIX": "bytecode",
    }
    known = {name: str(folder / place) for name, place in places.items()} | {"PYTHONDONTWRITEBYTECODE": ""}
    begun = time.perf_counter()
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}", *words]
    with subprocess.Popen(command, env={**os.environ, **known}, stdout=subprocess.DEVNULL) as process:
        peak: list[float] = [0.0]
        watching = threading.Thread(target=_watch, args=(process, peak))
        watching.start()
        process.wait()
        seconds = time.perf_counter() - begun
        watching.join()
    if process.returncode:
        raise RuntimeError(f"{code} ended with {process.returncode}")
    return Done(seconds, peak[0])


def _watch(process: "subprocess.Popen[bytes]", peak: list[float]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(map(_held, _family(process.pid))) / 1e6)
        time.sleep(LOOK_AFTER)


def _family(pid: int) -> list[int]:
    """A process and all that its threads have started; only itself where the system doesn't tell."""
    try:
        children = [
            child for each in Path(f"/proc/{pid}/task").glob("*/children") for child in each.read_text().split()
        ]
    except OSError:
        return [pid]
    return [pid, *(each for child in children for each in _family(int(child)))]


def _held(pid: int) -> int:
    """Bytes a process holds, its share of what it shares."""
    try:
        told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:"))
