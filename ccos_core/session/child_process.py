"""Processes of our own: how one is started, ends with its parent, and gives way to other work.

Every child that isn't detached calls `end_with_parent` before it works. On Linux the kernel then kills it together with
the thread that started it, however that ends and whatever the child is at. Elsewhere a thread of the child looks for
its parent. Imports next to nothing, because a server that starts one makes its host wait.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Arming = Callable[[], bool]

PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder that holds this program. A child imports from there, and not from the working folder."""
CHILD_PROGRAM = (
    "import sys; sys.path[0] = sys.argv[1]; from ccos_core.session.child_process import end_with_parent; "
    "end_with_parent(int(sys.argv[2])); from {module} import main; main(sys.argv[3:])"
)
"""Runs `main` of a module as a child that ends with its parent; its words are PACKAGES, the parent's number, and those
that `main` takes."""
PARENT_POLL_SECONDS = 0.5
PR_SET_PDEATHSIG, SIGKILL = 1, 9
NICENESS = 10
PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0
"""How long one call of `pause_while_busy` sleeps at most, so that no amount of load stops the work."""

_arming: list[Arming] = []
"""What asks the kernel for the parent-death signal, once it is loaded."""
_gives_way: list[bool] = []


def start(words: Sequence[str], *, detached: bool = False) -> int | None:
    """Start a process with these words and no streams; return its number, or None where that is impossible.

    A `detached` process outlives this one and gets no signal from its terminal.
    """
    if not hasattr(os, "posix_spawn"):
        return None
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    try:
        return os.posix_spawn(words[0], list(words), os.environ, file_actions=silent, setsid=detached)
    except (OSError, NotImplementedError):
        return None


def start_module(module: str, arguments: Sequence[str]) -> int | None:
    """Start `main(arguments)` of a module as a child that ends with this process."""
    program = CHILD_PROGRAM.format(module=module)
    return start([sys.executable, "-c", program, PACKAGES, str(os.getpid()), *arguments])


def prepare() -> None:
    """Load what `end_with_parent` needs: call it before a fork, since a forked child should import nothing."""
    if not _arming:
        _arming.append(_kernel_arming())


def end_with_parent(parent: int) -> None:
    """Make this process end when the process `parent`, which started it, ends; end at once where it already has."""
    prepare()
    if not _arming[0]():
        _poll_for(parent)
    if os.getppid() != parent:  # it ended before the kernel was asked
        os._exit(1)


def give_way() -> None:
    """Run at a low priority from now on, and leave busy processors to others."""
    if not _gives_way:
        _gives_way.append(True)
        if hasattr(os, "nice"):
            os.nice(NICENESS)


def idle_processors(count: int) -> int:
    """Return how many of `count` processors this process may use: all, unless it gives way; 1 at least."""
    return max(1, min(count, count - _others_running())) if _gives_way else count


def pause_while_busy() -> None:
    """Sleep while this process gives way and others need all processors; at most LONGEST_PAUSE_SECONDS."""
    from time import monotonic, sleep

    until = monotonic() + LONGEST_PAUSE_SECONDS
    while _gives_way and _others_running() > (os.cpu_count() or 1) and monotonic() < until:
        sleep(PAUSE_SECONDS)


def _others_running() -> int:
    """Return how many other processes want a processor at this moment; 0 where the system doesn't say."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].partition(b"/")[0]) - 1
    except (OSError, ValueError, IndexError):
        return 0


def _kernel_arming() -> Arming:
    """Return what asks Linux for SIGKILL at the parent's death; elsewhere, what does nothing and returns False."""
    if sys.platform != "linux":
        return bool
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return bool
    return lambda: prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0


def _poll_for(parent: int) -> None:
    import threading
    from time import sleep

    def end_after_parent() -> None:
        while os.getppid() == parent:
            sleep(PARENT_POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=end_after_parent, daemon=True).start()
