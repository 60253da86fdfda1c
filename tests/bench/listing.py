"""A list of 5,000 sessions of more than ten formats: nothing known of them, all of them known, and the memory it takes.

Each is one of the sessions that the readers' tests use, with a prompt of its own. The `sessions` command is measured as
a whole process, against a Python that reads every byte of the files.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from tests.bench.harness import Result, as_installed
from tests.core.intake.importers.rows import DOCUMENTS, LINES, as_lines

ROOT = Path(__file__).resolve().parents[2]
SESSIONS, SMOKE_SESSIONS, FOLDERS, SEED = 5_000, 40, 50, 7
COLD_SECONDS, WARM_SECONDS, MEGABYTES = 3.0, 0.5, 200.0
LATER = ("generic", "swe-agent", "mini-swe-agent", "hermes", "crush")
"""Formats that nobody keeps in thousands of files, or only in a database."""
READING = "import glob, sys\nfor path in glob.glob(sys.argv[1] + '/*/*/*'):\n    open(path, 'rb').read()"


def lines(smoke: bool) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "sessions")
        make(made, SMOKE_SESSIONS if smoke else SESSIONS)
        environment = {**as_installed(), "XDG_CACHE_HOME": folder, "PYTHONPATH": str(ROOT)}
        reading = seconds([sys.executable, "-c", READING, made], environment)
        command = [sys.executable, "-m", "ccos_tui", "sessions", made, "--json"]
        cold, out = seconds(command, environment), os.path.join(folder, "out")
        for name, limit, took in (("cold", COLD_SECONDS, cold), ("warm", WARM_SECONDS, seconds(command, environment))):
            yield Result(f"{SESSIONS:,} sessions listed, {name}", took, "s", limit, reading)
        yield Result("their memory, nothing known of them", peak([*command], folder, environment, out), "MB", MEGABYTES)


def make(folder: str, count: int) -> None:
    chosen = random.Random(SEED)
    kinds = [(each.name, as_lines(made()), ".jsonl") for each, made in LINES if each.name not in LATER]
    kinds += [(each.name, json.dumps(made()).encode(), ".json") for each, made in DOCUMENTS if each.name not in LATER]
    for number in range(count):
        name, raw, suffix = kinds[number % len(kinds)]
        prompt = json.dumps("Fix it. " + "word " * chosen.randrange(40)).encode()
        times = chosen.choice((1, 1, 1, 4, 10)) if suffix == ".jsonl" else 1
        below = Path(folder, name, str(number % FOLDERS))
        below.mkdir(parents=True, exist_ok=True)
        (below / f"{number:08x}{suffix}").write_bytes(raw.replace(b'"Fix it."', prompt) * times)


def seconds(command: list[str], environment: dict[str, str]) -> float:
    begun = perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - begun


def peak(command: list[str], folder: str, environment: dict[str, str], out: str) -> float:
    """Megabytes that the largest of its processes held."""
    cache = os.path.join(folder, "again")
    said = (
        "import resource, subprocess, sys\nsubprocess.run(sys.argv[2:], stdout=open(sys.argv[1], 'wb'), check=True)\n"
    )
    said += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    asked = [sys.executable, "-c", said, out, *command]
    done = subprocess.run(asked, env={**environment, "XDG_CACHE_HOME": cache}, capture_output=True, check=True)
    return int(done.stdout) / 1_000
