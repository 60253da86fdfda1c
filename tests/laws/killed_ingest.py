"""Fill a store of entries and be killed in the middle of it, again and again; then go on, and compare.

    python killed_ingest.py KIND PLACE RECORD TIMES

Each time a child is killed (SIGKILL) at another of its calls, spread over all of them. Prints how often the store held
the same entries afterwards as one that was filled without being killed.
"""

import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from ccos_core.memory.backend import Cursor
from ccos_core.memory.entry import entry_bytes
from ccos_core.session import subscribing
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_lines import MemoryLines
from tests.core.storage.memory_stores import Opening, opening_of

subscribing.BATCH = 4


def main(kind: str, place: str, record: str, times: int) -> int:
    opening = opening_of(kind, place)
    anew = MemoryLines()
    Ingestor(record, lambda: anew).catch_up()
    wanted = [entry_bytes(entry) for entry in anew.entries()], anew.cursor()
    cleared(opening)
    calls = calls_of(opening, record)
    good = 0
    for number in range(times):
        cleared(opening)
        child = os.fork()
        if not child:
            dying(opening, record, calls * (2 * number + 1) // (2 * times))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        Ingestor(record, opening).catch_up()
        good += was_killed and held(opening) == wanted
    print(good)
    return 0


def cleared(opening: Opening) -> None:
    with closing(opening()) as store:
        store.clear()
        store.store_batch([], Cursor())


def held(opening: Opening) -> tuple[list[bytes], Cursor]:
    with closing(opening()) as store:
        return [entry_bytes(entry) for entry in store.entries()], store.cursor()


def calls_of(opening: Opening, record: str) -> int:
    """Count the calls of a run."""
    count = 0

    def seen(*_: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(seen)
    Ingestor(record, opening).catch_up()
    sys.setprofile(None)
    return count


def dying(opening: Opening, record: str, at: int) -> None:
    """Fill the store, and be killed at a call."""
    left = at

    def seen(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(seen)
    Ingestor(record, opening).catch_up()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
