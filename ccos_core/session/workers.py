"""Work spread over the processors, with the answers in the order of the questions.

What we spread (the gate, outlines) is pure and holds Python's lock, so threads would not help. A small amount isn't
worth another process. No more is under way than the workers can take, so memory stays bounded however much there is.
"""

from __future__ import annotations

import os
import signal
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ccos_core.session.child_process import end_with_parent, idle_processors, prepare

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Job = TypeVar("Job")
Answer = TypeVar("Answer")

MOST_WORKERS = 8
AHEAD = 3
"""Jobs under way for each worker: one in hand, the next ones waiting."""


class Crew:
    """Other processes that are handed one job after the other, while the caller goes on."""

    def __init__(self) -> None:
        self._pool = _pool(processors())
        self._end = weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)

    def hand(self, work: Callable[[Job], Answer], job: Job) -> Callable[[], Answer]:
        """Have a job done; what comes back waits for its answer."""
        return partial(_answer, work, job, _submitted(self._pool, work, job))

    def leave(self) -> None:
        """Nothing more is to be done."""
        self._end.detach()
        self._pool.shutdown(wait=True, cancel_futures=True)


def processors() -> int:
    """How many jobs can be done at a time."""
    return idle_processors(min(os.cpu_count() or 1, MOST_WORKERS))


def spread(work: Callable[[Job], Answer], jobs: Iterable[Job], *, worth_it: bool) -> Iterator[Answer]:
    """`work` for each job, in their order; by other processes where that is worth it and there are processors.

    A worker that dies (a machine short of memory kills the largest) costs nothing but time: what it had in hand, and
    all that follows, is done here.
    """
    workers = processors()
    if not worth_it or workers == 1:
        yield from map(work, jobs)
        return
    pool = _pool(workers)
    try:
        under_way: deque[tuple[Job, Future[Answer]]] = deque()
        for job in jobs:
            under_way.append((job, _submitted(pool, work, job)))
            if len(under_way) >= workers * AHEAD:
                yield _answer(work, *under_way.popleft())
        while under_way:
            yield _answer(work, *under_way.popleft())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def shares(jobs: Iterable[Job], size: Callable[[Job], int], most: int) -> Iterator[list[Job]]:
    """Jobs in shares to be handed out, in their order; none is larger than `most`, unless one job is."""
    share: list[Job] = []
    held = 0
    for job in jobs:
        more = size(job)
        if share and held + more > most:
            yield share
            share, held = [], 0
        share.append(job)
        held += more
    if share:
        yield share


def _pool(workers: int) -> ProcessPoolExecutor:
    """Loaded where there is work to spread: it takes sockets and locks along, and most who come by here only ask."""
    from concurrent.futures import ProcessPoolExecutor

    prepare()
    return ProcessPoolExecutor(workers, initializer=live_as_a_worker, initargs=(os.getpid(),))


def _submitted(pool: ProcessPoolExecutor, work: Callable[[Job], Answer], job: Job) -> Future[Answer]:
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool

    try:
        return pool.submit(work, job)
    except BrokenProcessPool as broken:
        failed: Future[Answer] = Future()
        failed.set_exception(broken)
        return failed


def _answer(work: Callable[[Job], Answer], job: Job, future: Future[Answer]) -> Answer:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        return work(job)


def live_as_a_worker(parent: int) -> None:
    """Leave Ctrl-C to the parent, which talks to the person, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
