"""Looking through a project while a server talks to its host already: a process of its own, by the rules of `ingest`.

It makes the workspace if there is none, records what is there without heat, and folds it: what it has understood it
keeps where each question finds it. All of it is durable as it goes: it may be stopped at any moment, and begins anew at
the next start. At most one process looks through a workspace at a time, it ends with its server, and it gives way to
other work. Starting it costs a host that waits nothing, so this imports next to nothing.
"""

from __future__ import annotations

import contextlib
import os
import time

from ccos_core.session.child_process import give_way, pause_while_busy, start_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODULE = "ccos_core.session.live_scan"
LOOK_AFTER = 0.01
"""Seconds between two looks whether it has ended."""


class Scan:
    """One look through a project under way."""

    def __init__(self, process: int) -> None:
        self.process = process
        self._ended = False

    def ended(self, wait: float = 0.0) -> bool:
        """Return whether it has ended, and wait that many seconds for it."""
        until = time.monotonic() + wait
        while not self._look() and time.monotonic() < until:
            time.sleep(LOOK_AFTER)
        return self._ended

    def stop(self) -> None:
        """Stop it; what it has recorded stays."""
        if not self._look():
            with contextlib.suppress(OSError):
                os.kill(self.process, 15)
            self.ended(1.0)

    def _look(self) -> bool:
        if not self._ended:
            try:
                self._ended = os.waitpid(self.process, os.WNOHANG)[0] != 0
            except OSError:  # another thread has waited for it
                self._ended = True
        return self._ended


def begin(path: str, root: str) -> Scan | None:
    """Look through the project at `root` for the workspace at `path`; None where no such process can be had."""
    process = start_module(MODULE, [path, root])
    return Scan(process) if process is not None else None


def too_wide(root: str) -> bool:
    """Return whether a folder is a home or a root: a host may start its servers anywhere, and that is no project."""
    home, root = (os.path.join(os.path.realpath(each), "") for each in (os.path.expanduser("~"), root))
    return home.startswith(root)


def make(path: str, root: str) -> None:
    """Make the workspace, unless another process was faster."""
    if os.path.exists(path):
        return
    from ccos_core.errors import Refused
    from ccos_core.session.lifecycle import init

    try:
        init(path, root)
    except Refused:
        if not os.path.exists(path):
            raise


def main(arguments: Sequence[str]) -> None:
    """The process itself."""
    from ccos_core.errors import CcosError, Refused
    from ccos_core.storage.drafts import clear_left_over

    path, root = arguments
    give_way()
    try:
        clear_left_over(os.path.dirname(os.path.abspath(path)))
        make(path, root)
        in_turn(path, lambda: look_through(path))
    except Refused:  # it is paused
        pass
    except Exception as error:  # questions go on without, and no user sees what this process says
        from ccos_core.session.trouble_log import note_trouble

        known = isinstance(error, CcosError | OSError)
        said = str(error) if known else f"a bug in ccos-tui ({type(error).__name__}: {error})"
        note_trouble(f"mcp: {root} couldn't be read: {said}")


def in_turn(path: str, look: Callable[[], object], *, wait: bool = True) -> bool:
    """Run `look` while no other process looks through the workspace; return whether it ran.

    With `wait`, wait for the other one. A look that began after this call and ended before its turn serves as well, so
    of many that wait only one runs. Without, another one serves in any case.
    """
    from ccos_core.storage import file_lock
    from ccos_core.storage.locate import scan_lock_path

    called = time.monotonic_ns()
    lock = file_lock.take(scan_lock_path(path), wait=wait)
    if lock is None:
        return False
    with lock:
        if called < lock.number() < time.monotonic_ns():
            return False
        began = time.monotonic_ns()
        look()
        lock.keep(began)
    return True


def look_through(path: str) -> None:
    """Record what lies in a workspace's project, and what it says."""
    from ccos_core.session.ingest import ingest
    from ccos_core.session.journaling import Journaling
    from ccos_core.session.session import ELSEWHERE, open_session

    pause_while_busy()
    with open_session(path) as session:
        journaling = Journaling(session.recorded)

        def heard(done: int, total: int) -> None:
            journaling.catch_up()
            pause_while_busy()

        if session.recorded.local(ELSEWHERE) is None and os.path.isdir(session.root):
            ingest(session, [session.root], heard)
        journaling.keep_state()
