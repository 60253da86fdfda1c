"""Record and ask for the map and the pressure, and be killed in the middle of it, again and again; then ask once more.

    python killed_questions.py FOLDER TIMES

Each time a child is killed (SIGKILL) at another of its calls, spread over all of them. Prints how often the record gave
the same map and pressure afterwards as a copy of it whose caches were deleted, and no op that was recorded was lost.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.story import START, new_session

WHERE = {"host": "story", "session": "s"}
SEEN = [
    {"kind": "seen", "how": "read", "path": f"src/{name}.py", "content": f"def {name}():\n    return 1\n", **WHERE}
    for name in ("rates", "dates", "store")
]
OPS: list[list[dict[str, Any]]] = [
    [{"kind": "prompt", "source": "user", "said": "Never push to main without asking me.", **WHERE}, *SEEN],
    [{"kind": "usage", "window": 120_000, **WHERE}],
    [{"kind": "paged_out", "nodes": ["file:src/dates.py"]}, {"kind": "usage", "window": 150_000, **WHERE}],
    [{"kind": "compaction", "trigger": "auto", "exact": False, "summary": "They look at rates.", **WHERE}],
    [{"kind": "paged_in", "nodes": ["file:src/dates.py"]}, {"kind": "usage", "window": 30_000, **WHERE}],
]


def main(folder: str, times: int) -> int:
    begun = Path(folder) / "begun"
    begun.mkdir()
    new_session(begun).close()
    work(copied(begun, Path(folder) / "warm"))  # what is loaded on first use isn't counted
    calls = counted(lambda: work(copied(begun, Path(folder) / "counted")))
    good = 0
    for number in range(times):
        path = copied(begun, Path(folder) / "killed")
        told, telling = os.pipe()
        child = os.fork()
        if not child:
            dying(lambda path=path, telling=telling: work(path, telling), calls * (2 * number + 1) // (2 * times))
            os._exit(0)
        os.close(telling)
        _, status = os.waitpid(child, 0)
        recorded = len(os.read(told, 1 << 10))
        os.close(told)
        was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        good += was_killed and is_whole(path, recorded, Path(folder))
    print(good)
    return 0


def work(path: str, telling: int = -1) -> None:
    """Record each of the ops and ask; a byte tells that one is recorded."""
    for ops in OPS:
        with open_session(path, clock=lambda: START) as session:
            session.record(ops)
        if telling >= 0:
            os.write(telling, b".")
        asked(path)


def asked(path: str) -> list[Any]:
    with open_record(path, write=True) as record, Desk(record) as desk:
        has_window = len(desk.timeline.journal.held["step"]) > 0
        names = ("mindmap", "pressure") if has_window else ("mindmap",)
        return [desk.ask(BY_NAME[name], {}).answer for name in names]


def is_whole(path: str, recorded: int, folder: Path) -> bool:
    """Whether nothing recorded is lost, and answers are those of a record that is folded anew."""
    bare = copied(Path(path).parent, folder / "bare")
    for each in Path(bare).parent.glob("*ccos-cache*"):
        each.unlink()
    with open_record(bare) as record:
        head = record.head()[0]
    least = 1 + sum(map(len, OPS[:recorded]))
    return head >= least and asked(path) == asked(bare)


def copied(source: Path, target: Path) -> str:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return str(target / "work.ccos")


def counted(act: Callable[[], None]) -> int:
    """Count the calls of a run."""
    count = 0

    def seen(*_: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(seen)
    act()
    sys.setprofile(None)
    return count


def dying(act: Callable[[], None], at: int) -> None:
    """Act, and be killed at a call."""
    left = at

    def seen(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(seen)
    act()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
