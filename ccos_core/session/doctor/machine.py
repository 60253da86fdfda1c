"""Look at what this program stands on, and at the workspace of the current project.

The interpreter and its packages, the grammars, SQLite and the state folder; whether the workspace is whole, how large
it is and what waits for it. That is a quick look at the newest steps and SQLite's own check; `verify` proves it all.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Iterator
from glob import escape, glob
from importlib.util import find_spec

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

OLDEST = (3, 11)
NEEDED = ("blake3", "click", "networkx", "numpy", "rich", "textual", "tree_sitter", "tree_sitter_language_pack")
MOST_NAMED = 3


def interpreter(patient: Patient) -> Iterator[Finding]:
    """Whether it is new enough, has what we import, and finds us from anywhere."""
    python = patient.program.python
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST:
        mend = "Install ccos-tui for Python 3.11 or newer."
        yield Finding("interpreter", "wrong", f"Python {version} is too old", python, mend)
    elif missing := [name for name in NEEDED if find_spec(name) is None]:
        mend = f"{shlex.quote(python)} -m pip install --upgrade ccos-tui"
        yield Finding("interpreter", "wrong", f"Python {version} lacks {', '.join(missing)}", python, mend)
    else:
        yield Finding("interpreter", "well", f"Python {version}", python)
    if patient.program.environment:
        said = "finds ccos-tui through PYTHONPATH only; setup writes PYTHONPATH into the configuration"
        yield Finding("interpreter", "note", said, python)


def grammars(patient: Patient) -> Iterator[Finding]:
    """Whether every language we know can be read, and the commands of agents."""
    from ccos_core.intake.calls.shell import can_parse
    from ccos_core.text.syntax.languages import LANGUAGES
    from ccos_core.text.syntax.parse import is_ready

    missing = [language.name for language in LANGUAGES if not is_ready(language)]
    if missing:
        said = f"no grammar for {', '.join(missing)}: their files are recorded without symbols"
        said += "" if can_parse() else "; none for bash: changes made by shell commands aren't recorded"
        pack = "tree-sitter 'tree-sitter-language-pack==0.13.0'"
        mend = f"{shlex.quote(patient.program.python)} -m pip install {pack}"
        yield Finding("grammars", "wrong", said, mend=mend)
    else:
        yield Finding("grammars", "well", ", ".join(language.name for language in LANGUAGES))


def sqlite(patient: Patient) -> Iterator[Finding]:
    """Whether a database works where workspaces lie, with several writers at once."""
    folder = locate.state_home()
    try:
        mode = _journal_mode(folder if os.path.isdir(folder) else tempfile.gettempdir())
    except (OSError, sqlite3.Error) as error:
        mend = "Free space and check permissions there, or set XDG_STATE_HOME to a folder on a local disk."
        yield Finding("sqlite", "wrong", f"a database can't be written: {error}", folder, mend)
        return
    if mode != "wal":
        mend = "Set XDG_STATE_HOME to a folder on a local disk."
        said = f"SQLite {sqlite3.sqlite_version} has no write-ahead log there, so writers wait for readers"
        yield Finding("sqlite", "wrong", said, folder, mend)
    else:
        yield Finding("sqlite", "well", f"SQLite {sqlite3.sqlite_version}, with a write-ahead log")


def state_folder(patient: Patient) -> Iterator[Finding]:
    """Return whether only the user can read and write what is kept for them."""
    folder = locate.state_home()
    if not os.path.lexists(folder):
        yield _to_be_made(folder)
        return
    if not os.path.isdir(folder):
        mend = "Move it away, or set XDG_STATE_HOME to another folder."
        yield Finding("state", "wrong", "isn't a folder, so nothing can be recorded", folder, mend)
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        mend = f"chmod u+rwx {shlex.quote(folder)}"
        yield Finding("state", "wrong", "can't be written, so nothing can be recorded", folder, mend)
    else:
        yield Finding("state", "well", _room(folder), folder)
    yield from _open_to_others(folder, patient.machine.project)


def _to_be_made(folder: str) -> Finding:
    """Whether a folder that isn't there can be made where it belongs."""
    above = os.path.dirname(folder)
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
        return Finding("state", "well", "empty", folder)
    mend = f"Make {shlex.quote(above)} a folder you can write to, or set XDG_STATE_HOME to another folder."
    return Finding("state", "wrong", "can't be created, so nothing can be recorded", folder, mend)


def _journal_mode(folder: str) -> str:
    made = tempfile.mkdtemp(prefix=".doctor-", dir=folder)
    try:
        connection = sqlite3.connect(os.path.join(made, "try.ccos"))
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            connection.execute("CREATE TABLE written (it)")
            connection.commit()
        finally:
            connection.close()
        return str(mode)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _open_to_others(folder: str, project: str) -> Iterator[Finding]:
    """What others may read of what was recorded; of the state folder itself, only whether they may write into it."""
    if os.name == "nt":
        return
    if _others_may(folder, 0o022):
        yield Finding("state", "wrong", "other users can write to it", folder, f"chmod go-w {shlex.quote(folder)}")
    folders = [each for each in glob(os.path.join(escape(folder), "*")) if os.path.isdir(each)]
    kept = glob(os.path.join(escape(folder), "*", "*" + locate.SUFFIX + "*"))
    kept += glob(os.path.join(escape(project), locate.HERE, "*" + locate.SUFFIX + "*"))
    readable = sorted(path for path in (*folders, *kept) if _others_may(path, 0o077))
    if readable:
        named = " ".join(map(shlex.quote, readable[:MOST_NAMED]))
        more = f", and {len(readable) - MOST_NAMED} more" if len(readable) > MOST_NAMED else ""
        yield Finding("state", "wrong", f"other users can read recordings{more}", readable[0], f"chmod go= {named}")


def _others_may(path: str, how: int) -> bool:
    try:
        return bool(stat.S_IMODE(os.stat(path).st_mode) & how)
    except OSError:
        return False


def _room(folder: str) -> str:
    free = shutil.disk_usage(folder).free
    return f"writable, {free / 10**9:,.1f} GB free"


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
            yield Finding("workspace", "note", "nothing is recorded for this project yet", patient.machine.project)
        return
    try:
        with open_record(path) as record:
            if record.notice is not None:
                raise record.notice
            yield from _health(record)
        yield from _mirrors(path)
    except CcosError as error:
        mend = error.hint or f"Check how much is readable: ccos-tui verify {shlex.quote(path)}"
        yield Finding("workspace", "wrong", error.fact, path, mend)
    yield from _size(path)
    yield from _left_over(path)


def spool(patient: Patient) -> Iterator[Finding]:
    """Return what a hook heard that isn't taken in yet, or is lost."""
    path = place_of(patient)
    if (lost := lost_words(path)) is not None:
        mend = f"See the log above for the reason. Then: rm {shlex.quote(locate.lost_path(path))}"
        yield Finding("spool", "wrong", lost[0], locate.lost_path(path), mend)
    heard, aside = locate.heard_path(path), aside_path(path)
    if os.path.exists(aside):
        said = f"{_count(set_aside(path), 'event')} couldn't be read and were set aside"
        yield Finding("spool", "wrong", said, aside, f"Inspect them, then: rm {shlex.quote(aside)}")
    yield from _in_its_place(heard)
    if (many := waiting(path)) > MANY:
        mend = f"ccos-tui log {shlex.quote(path)}"
        yield Finding("spool", "wrong", f"{_count(many, 'event')} waiting; no command has recorded them", heard, mend)
    elif many:
        said = f"{_count(many, 'event')} waiting for the next command that opens the workspace"
        yield Finding("spool", "well", said, heard)
    else:
        yield Finding("spool", "well", "no events waiting")


def _in_its_place(path: str) -> Iterator[Finding]:
    """What is no file, so that no hook can write to it and no import reads it."""
    for each in (path, path + TAKEN):
        if os.path.lexists(each) and (os.path.islink(each) or not os.path.isfile(each)):
            yield Finding("spool", "wrong", "isn't a file, so hook events are lost", each, f"rm -d {shlex.quote(each)}")


def place_of(patient: Patient) -> str:
    """Where hooks record what happens here: into the project's workspace, or into one that was named for all."""
    return locate.recorded_into(patient.machine.environment.get("CCOS_WORKSPACE", ""), patient.machine.project)


def _health(record: Record) -> Iterator[Finding]:
    step = record.head()[0]
    if record.local("paused"):
        mend = f"ccos-tui resume {shlex.quote(record.path)}"
        yield Finding("workspace", "note", "recording is paused", record.path, mend)
    first = max(1, step - NEWEST + 1)
    before = record.op(first - 1)[1] if first > 1 else GENESIS
    broken = next((each for each in follow(before, record.rows(first), first) if isinstance(each, Break)), None)
    (checked,) = record.ask("PRAGMA quick_check(1)")[0]
    verify = f"ccos-tui verify {shlex.quote(record.path)}"
    if broken is not None:
        yield Finding("workspace", "wrong", f"its chain breaks at step {broken.step:,}", record.path, verify)
    elif checked != "ok":
        yield Finding("workspace", "wrong", f"its pages are inconsistent: {checked}", record.path, verify)
    else:
        walked = "its chain is intact" if first == 1 else f"the chain of the newest {NEWEST:,} is intact"
        yield Finding("workspace", "well", f"{_count(step, 'step')}, {walked}", record.path)


def _mirrors(path: str) -> Iterator[Finding]:
    """Say of each store outside of the record how far it is behind."""
    from ccos_core.session.mirrors import INDEX, lag_of, mirrors_of  # numpy

    for mirror in mirrors_of(path):
        if mirror == INDEX:
            continue
        mend = f"ccos-tui mirror run {shlex.quote(path)} {mirror.name}"
        try:
            lag = lag_of(path, mirror)
        except CcosError as error:
            yield Finding("mirror", "wrong", f"{mirror.name}: {error.fact}", mirror.place, error.hint or mend)
            continue
        if lag:
            yield Finding("mirror", "note", f"{mirror.name} is {_count(lag, 'step')} behind", mirror.place, mend)
        else:
            yield Finding("mirror", "well", f"{mirror.name} is up to date", mirror.place)


def _size(path: str) -> Iterator[Finding]:
    sizes = {"record": path, "write-ahead log": path + "-wal", "cache": cache_path(path)}
    taken = {name: _bytes(each) for name, each in sizes.items()}
    said = ", ".join(f"{name} {size / 10**6:,.1f} MB" for name, size in taken.items() if size)
    if taken["record"] > LARGE:
        mend = f"ccos-tui compact {shlex.quote(path)}, or see what takes up space: ccos-tui stats {shlex.quote(path)}"
        yield Finding("size", "note", said, path, mend)
    elif said:
        yield Finding("size", "well", said, path)


def _left_over(path: str) -> Iterator[Finding]:
    """Files that a killed process was making."""
    for each in left_over(os.path.dirname(os.path.realpath(path))):
        said = "left over from a killed process; the next workspace created here removes it"
        yield Finding("workspace", "note", said, each, f"rm {shlex.quote(each)}")


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def _bytes(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
