"""What this program stands on: the interpreter and its packages, the grammars, SQLite, and the user's state folder."""

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

from ccos_core.session.doctor.findings import Finding, Patient
from ccos_core.storage import locate

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
        said = "it finds ccos-tui through PYTHONPATH only; setup writes that down for the servers it wires"
        yield Finding("interpreter", "note", said, python)


def grammars(patient: Patient) -> Iterator[Finding]:
    """Whether every language we know can be read, and the commands of agents."""
    from ccos_core.intake.calls.shell import can_parse
    from ccos_core.text.syntax.languages import LANGUAGES
    from ccos_core.text.syntax.parse import machinery

    missing = [language.name for language in LANGUAGES if machinery(language) is None]
    if missing:
        said = f"no grammar for {', '.join(missing)}: their files count as a whole, without symbols"
        said += "" if can_parse() else "; nor for bash: what commands did to files isn't recorded"
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
        mend = "Make room and permission there, or set XDG_STATE_HOME to a folder on a local disk."
        yield Finding("sqlite", "wrong", f"a database can't be written: {error}", folder, mend)
        return
    if mode != "wal":
        mend = "Set XDG_STATE_HOME to a folder on a local disk."
        said = f"SQLite {sqlite3.sqlite_version} has no write-ahead log there, so writers wait for readers"
        yield Finding("sqlite", "wrong", said, folder, mend)
    else:
        yield Finding("sqlite", "well", f"SQLite {sqlite3.sqlite_version}, with a write-ahead log")


def state_folder(patient: Patient) -> Iterator[Finding]:
    """Whether what is kept of a user is theirs to write, and nobody else's to read."""
    folder = locate.state_home()
    if not os.path.lexists(folder):
        yield _to_be_made(folder)
        return
    if not os.path.isdir(folder):
        mend = "Move it away, or set XDG_STATE_HOME to another folder."
        yield Finding("state", "wrong", "is no folder, so nothing can be recorded", folder, mend)
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
        return Finding("state", "well", "nothing is kept yet", folder)
    mend = f"Make {shlex.quote(above)} a folder of yours, or set XDG_STATE_HOME to another."
    return Finding("state", "wrong", "can't be made, so nothing can be recorded", folder, mend)


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
        yield Finding("state", "wrong", "others may write into it", folder, f"chmod go-w {shlex.quote(folder)}")
    folders = [each for each in glob(os.path.join(escape(folder), "*")) if os.path.isdir(each)]
    kept = glob(os.path.join(escape(folder), "*", "*" + locate.SUFFIX + "*"))
    kept += glob(os.path.join(escape(project), locate.HERE, "*" + locate.SUFFIX + "*"))
    readable = sorted(path for path in (*folders, *kept) if _others_may(path, 0o077))
    if readable:
        named = " ".join(map(shlex.quote, readable[:MOST_NAMED]))
        more = f", and {len(readable) - MOST_NAMED} more" if len(readable) > MOST_NAMED else ""
        yield Finding("state", "wrong", f"others may read what was recorded{more}", readable[0], f"chmod go= {named}")


def _others_may(path: str, how: int) -> bool:
    try:
        return bool(stat.S_IMODE(os.stat(path).st_mode) & how)
    except OSError:
        return False


def _room(folder: str) -> str:
    free = shutil.disk_usage(folder).free
    return f"can be written, {free / 10**9:,.1f} GB free"
