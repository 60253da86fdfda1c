"""The working memory: search among 100,000 entries as an agent sees them, storing, filling anew, and appends beside it.

The entries are of 25 words that follow each other in this project's pages and sources, so words are as frequent as in
real text; the queries are of 3 to 12 words of one of them, and now and then of all 25. All but the appends are measured
in time of this process on a processor, as other programs run meanwhile.
"""

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Any

from ccos_core.memory.backend import Cursor, Search
from ccos_core.memory.entry import Entry, content_hash
from ccos_core.memory.facade import WorkingMemory
from ccos_core.memory.view import Policy, view_of
from ccos_core.session.lifecycle import init
from ccos_core.session.session import Session, open_session
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_sqlite import MemorySqlite
from tests.bench.harness import Result, paired

ROOT = Path(__file__).resolve().parents[2]
WORDS = 25
LEVELS = (1, 2, 2, 2, 2, 2, 3, 4)


def lines(smoke: bool) -> Iterator[Result]:
    chance = random.Random(7)
    words = real_words()
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        yield from searched(Path(folder), entries(words, chance, 2_000 if smoke else 100_000), chance, smoke)
        yield stored(Path(folder), entries(words, chance, 200 if smoke else 10_000))
        yield filled(Path(folder), words, chance, 200 if smoke else 20_000)
        yield appended(Path(folder), 3 if smoke else 201)


def real_words() -> list[str]:
    pages = [*sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "ccos_core").rglob("*.py"))]
    return " ".join(page.read_text("utf-8") for page in pages).split()


def some_words(words: Sequence[str], chance: random.Random, many: int = WORDS) -> str:
    at = chance.randrange(len(words) - many)
    return " ".join(words[at : at + many])


def entries(words: Sequence[str], chance: random.Random, many: int) -> list[Entry]:
    made = []
    for number in range(many):
        said = some_words(words, chance)
        labels: dict[str, Any] = {"privacy": chance.choice(LEVELS), "tags": (f"tag{chance.randrange(20)}",)}
        steps = {"first": number + 1, "last": number + 1, "intent": f"prompt:{number // 50}"}
        hash_ = content_hash(said)
        made.append(Entry(f"memo:{number:016x}", "said", said[:60], said, content=hash_, **steps, **labels))
    return made


def searched(folder: Path, made: Sequence[Entry], chance: random.Random, smoke: bool) -> Iterator[Result]:
    view = view_of(Policy(), "agent")
    with closing(MemorySqlite(str(folder / "search"))) as store:
        store.store_batch(made)
        store.settle()
        store.query(Search("warm"))
        taken = []
        for _ in range(20 if smoke else 400):
            said = chance.choice(made).words.split()
            many = chance.choice((3, 5, 8, 12, WORDS))
            search = Search(
                " ".join(chance.sample(said, many)), max_privacy=2, labels=view.grants, labels_key="agent", limit=10
            )
            begun = process_time()
            found = store.query(search)
            taken.append(process_time() - begun)
            assert all(entry.privacy <= 2 for entry in found.entries)
        name = f"search {len(made):,} entries as an agent, p95"
        yield Result(name, 1_000 * quantiles(taken, n=20)[-1], "ms", 10)
        memory = WorkingMemory(store)
        memory.query(Search("kept answer"))
        hits = 20 if smoke else 2_000
        begun = process_time()
        for _ in range(hits):
            memory.query(Search("kept answer"))
        yield Result("an answer that is kept", 1e6 * (process_time() - begun) / hits, "µs", 50)


def stored(folder: Path, made: Sequence[Entry]) -> Result:
    with closing(MemorySqlite(str(folder / "store"))) as store:
        begun = process_time()
        store.store_batch(made, Cursor(1, "a"))
        return Result(f"store_batch of {len(made):,}", 1_000 * (process_time() - begun), "ms", 2_000)


def filled(folder: Path, words: Sequence[str], chance: random.Random, many: int) -> Result:
    """From a record of calls, reads, turns and prompts, without the index of words, which the next search makes."""
    path = str(folder / "fill.ccos")
    init(path)
    header = {"host": "bench", "session": "one", "actor": "agent"}
    with open_session(path, clock=lambda: 1_771_061_460_000) as session:
        made = []
        for number in range(many):
            said = some_words(words, chance)
            op: dict[str, Any] = {"kind": "seen", "how": "read", "path": f"src/m{number % 300}.py", "content": said}
            if number % 4 == 1:
                op = {"kind": "tool", "name": "Bash", "outcome": "ok", "arguments": {"command": said}}
            elif number % 4 == 2:
                op = {"kind": "turn", "said": said, "model": "model"}
            elif number % 40 == 3:
                op = {"kind": "prompt", "said": said, "source": "user"}
            made.append({**op, **header, "call": f"c{number}"})
        session.record(made)
    ingestor = Ingestor(path, lambda: MemorySqlite(str(folder / "fill")))
    begun = process_time()
    done = ingestor.catch_up()
    return Result("fill anew, per 1,000 ops", 1e6 * (process_time() - begun) / done.ops, "ms", 50)


class Sleepy(MemoryLines):
    """A store that takes a second for each batch."""

    def store_batch(self, *given: Any) -> list[str]:
        time.sleep(1)
        return super().store_batch(*given)


def appended(folder: Path, runs: int) -> Result:
    """Beside a subscriber that sleeps a second for each batch."""
    paths = [str(folder / f"{name}.ccos") for name in ("heard", "alone")]
    for path in paths:
        init(path)
    ingestor = Ingestor(paths[0], Sleepy)
    steps = count(1)

    def append(session: Session) -> None:
        session.record([{"kind": "turn", "said": f"Step {next(steps)}.", "host": "bench", "session": "one"}])

    with open_session(paths[0]) as heard, open_session(paths[1]) as alone:
        ingestor.subscribe()
        ingestor.start()
        measured = paired(lambda: append(heard), lambda: append(alone), runs)
        ingestor.stop()
        ingestor.unsubscribe()
    return measured.result("append beside a sleeping subscriber", 1.05)
