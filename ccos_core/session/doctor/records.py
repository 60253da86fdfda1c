"""The workspace of the project somebody stands in: whether it is whole, how large it is, and what waits for it.

A quick look: the newest steps of the chain and SQLite's own check. The whole proof is `verify`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from ccos_core.errors import CcosError
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.session.doctor.findings import Finding, Patient
from ccos_core.session.hearing import TAKEN, aside_path, set_aside, waiting
from ccos_core.session.lost_events import lost_words
from ccos_core.storage import locate
from ccos_core.storage.cache import cache_path
from ccos_core.storage.drafts import left_over
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record

NEWEST = 20_000
"""Steps whose chain is walked."""
LARGE = 10**9
MANY = 100_000
"""Bytes of a workspace, and events that wait, worth a word."""


def recording(patient: Patient) -> Iterator[Finding]:
    """Whether recording is switched off."""
    if patient.machine.environment.get("CCOS_OFF", "") not in ("", "0"):
        yield Finding("recording", "note", "is switched off by CCOS_OFF", mend="unset CCOS_OFF")


def workspace(patient: Patient) -> Iterator[Finding]:
    """Whether the project's workspace can be read, and holds what was put into it."""
    path = place_of(patient)
    if not os.path.lexists(path):
        if not waiting(path):
            yield Finding("workspace", "note", "nothing is recorded of this project yet", patient.machine.project)
        return
    try:
        with open_record(path) as record:
            if record.notice is not None:
                raise record.notice
            yield from _health(record)
    except CcosError as error:
        mend = error.hint or f"See how far it can be read with: ccos-tui verify {shlex.quote(path)}"
        yield Finding("workspace", "wrong", error.fact, path, mend)
    yield from _size(path)
    yield from _left_over(path)


def spool(patient: Patient) -> Iterator[Finding]:
    """What a hook heard and nobody has taken in yet, or lost."""
    path = place_of(patient)
    if (lost := lost_words(path)) is not None:
        mend = f"Why stands in the log, as far as it has room. Then: rm {shlex.quote(locate.lost_path(path))}"
        yield Finding("spool", "wrong", lost[0], locate.lost_path(path), mend)
    heard, aside = locate.heard_path(path), aside_path(path)
    if os.path.exists(aside):
        said = f"{_count(set_aside(path), 'event')} couldn't be read, set aside"
        yield Finding("spool", "wrong", said, aside, f"Look at them, then: rm {shlex.quote(aside)}")
    yield from _in_its_place(heard)
    if (many := waiting(path)) > MANY:
        mend = f"ccos-tui log {shlex.quote(path)}"
        yield Finding("spool", "wrong", f"{_count(many, 'event')} waiting, and nobody takes them in", heard, mend)
    elif many:
        said = f"{_count(many, 'event')} waiting for the next command that opens the workspace"
        yield Finding("spool", "well", said, heard)
    else:
        yield Finding("spool", "well", "no event waits")


def _in_its_place(path: str) -> Iterator[Finding]:
    """What is no file, so that no hook can write to it and nobody reads it."""
    for each in (path, path + TAKEN):
        if os.path.lexists(each) and (os.path.islink(each) or not os.path.isfile(each)):
            yield Finding(
                "spool", "wrong", "is no file, so what hooks hear is lost", each, f"rm -d {shlex.quote(each)}"
            )


def place_of(patient: Patient) -> str:
    """Where hooks record what happens here: into the project's workspace, or into one that was named for all."""
    return locate.recorded_into(patient.machine.environment.get("CCOS_WORKSPACE", ""), patient.machine.project)


def _health(record: Record) -> Iterator[Finding]:
    step = record.head()[0]
    if record.local("paused"):
        mend = f"ccos-tui resume {shlex.quote(record.path)}"
        yield Finding("workspace", "note", "recording into it is paused", record.path, mend)
    first = max(1, step - NEWEST + 1)
    before = record.op(first - 1)[1] if first > 1 else GENESIS
    broken = next((each for each in follow(before, record.rows(first), first) if isinstance(each, Break)), None)
    (checked,) = record.ask("PRAGMA quick_check(1)")[0]
    verify = f"ccos-tui verify {shlex.quote(record.path)}"
    if broken is not None:
        yield Finding("workspace", "wrong", f"its chain breaks at step {broken.step:,}", record.path, verify)
    elif checked != "ok":
        yield Finding("workspace", "wrong", f"its pages contradict each other: {checked}", record.path, verify)
    else:
        walked = "its chain holds" if first == 1 else f"the chain of the newest {NEWEST:,} holds"
        yield Finding("workspace", "well", f"{_count(step, 'step')}, {walked}", record.path)


def _size(path: str) -> Iterator[Finding]:
    sizes = {"record": path, "not yet in it": path + "-wal", "cache": cache_path(path)}
    taken = {name: _bytes(each) for name, each in sizes.items()}
    said = ", ".join(f"{name} {size / 10**6:,.1f} MB" for name, size in taken.items() if size)
    if taken["record"] > LARGE:
        mend = f"ccos-tui compact {shlex.quote(path)}, or see what takes the space: ccos-tui stats {shlex.quote(path)}"
        yield Finding("size", "note", said, path, mend)
    elif said:
        yield Finding("size", "well", said, path)


def _left_over(path: str) -> Iterator[Finding]:
    """Files that a killed process was making."""
    for each in left_over(os.path.dirname(os.path.realpath(path))):
        said = "was left half made by a process that was killed; the next one that makes a workspace here removes it"
        yield Finding("workspace", "note", said, each, f"rm {shlex.quote(each)}")


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def _bytes(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
