"""Search over all sessions of a machine: 700 MB of transcripts, made of recorded sessions that are told in other words.

Building the index stands against parsing every line of the same files as JSON, both in seconds of CPU time: the build
spreads over the processors. At 40 times a parse, which takes 2.6 s on an idle machine, it takes 52 s on two. A warm
search, with the look for what is new, stands against one pass through the bytes of the same files: what a search
without an index takes at least. A session that has grown by a few lines stands against the same pass.
"""

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

from ccos_core.session.search import Asked, bring_up_to_date, search
from ccos_core.storage import search_index
from tests.bench.harness import Result, paired

SHARED = Path(__file__).resolve().parents[3] / "shared" / "sessions"
OURS = Path(__file__).resolve().parents[2] / "sample_workspaces" / "transcripts"
BYTES = 700 * 10**6
REPLACED = 40
"""Words of a recording that have another form in each copy."""
BUILD, WARM, GROWN, RARE = 40.0, 2.0, 1.0, 0.5
QUERIES = ("permission denied", '"tests pass"', "fail*", "the")


def lines(smoke: bool) -> Iterator[Result]:
    recordings = sorted(OURS.glob("*.jsonl")) if smoke else _recordings()
    if not recordings:
        print("searching: SKIPPED, the recorded sessions aren't here")
        return
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held, "projects", "all")
        _write(recordings, folder, 2**16 if smoke else BYTES)
        homes = {"XDG_CACHE_HOME": f"{held}/cache", "XDG_STATE_HOME": f"{held}/state", "CLAUDE_CONFIG_DIR": held}
        with patch.dict(os.environ, {**homes, "CODEX_HOME": f"{held}/none"}):
            yield from _measured(sorted(folder.iterdir()), 1 if smoke else 5)


def _measured(files: list[Path], runs: int) -> Iterator[Result]:
    size = sum(file.stat().st_size for file in files)
    name = f"search index of {size / 10**6:,.0f} MB"
    building = _cpu(bring_up_to_date)
    parsing = _cpu(lambda: _parse(files))
    yield Result(name, building, "s", BUILD, parsing, building / parsing)
    kept = os.stat(search_index.path()).st_size
    yield Result("... its size, of the transcripts'", kept / 10**6, "MB", RARE, size / 10**6, kept / size)
    for query in QUERIES:
        warm = paired(lambda query=query: search(Asked(query), bring_up_to_date()), lambda: _pass(files), runs)
        yield warm.result(f"... warm search for {query}", WARM)
    line = files[0].read_bytes().split(b"\n", 1)[0] + b"\n"

    def grown() -> None:
        with files[0].open("ab") as file:
            file.write(line)
        search(Asked(QUERIES[0]), bring_up_to_date())

    yield paired(grown, lambda: _pass(files), runs).result("... of a session that has grown", GROWN)


def _cpu(run: Callable[[], object]) -> float:
    """Seconds of CPU time, those of other processes that were started for it included."""
    before = os.times()
    run()
    return max(sum(os.times()[:4]) - sum(before[:4]), 0.01)  # the clock ticks in hundredths


def _parse(files: list[Path]) -> None:
    for file in files:
        with file.open("rb") as told:
            for line in told:
                try:
                    json.loads(line)
                except ValueError:
                    continue


def _pass(files: list[Path]) -> int:
    return sum(b"\x00permission denied" in file.read_bytes() for file in files)


def _recordings() -> list[Path]:
    found = [*SHARED.glob("claude-code/*.jsonl"), *SHARED.glob("codex/*.jsonl")]
    return sorted(each for each in found if each.stat().st_size > 100_000)


def _write(recordings: list[Path], folder: Path, most: int) -> None:
    folder.mkdir(parents=True)
    texts = {file: file.read_bytes() for file in recordings}
    common = {file: _common_words(text) for file, text in texts.items()}
    written = number = 0
    while written < most:
        for file, text in texts.items():
            copy = text
            for at, word in enumerate(common[file]):
                if (at + number) % 3 == 0:
                    copy = copy.replace(word, word + b"%d" % (number + at))
            Path(folder, f"{number}-{file.stem}.jsonl").write_bytes(copy)
            written += len(copy)
        number += 1


def _common_words(text: bytes) -> list[bytes]:
    """Words of a recording's texts; none that is the name of a field or the value of one that readers look at."""
    quoted = set(re.findall(rb'"([a-zA-Z_]+)"', text))
    counted = Counter(re.findall(rb"\b[a-z]{6,14}\b", text))
    return [word for word, _ in counted.most_common(400) if not any(word in each for each in quoted)][:REPLACED]
