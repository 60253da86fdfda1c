"""What setup remembers of what it did, so that it can be undone: one small file under the user's state folder.

An entry is a file that was written. It is put down before the file is, so that nothing is ever changed that nobody
remembers; an entry of a file that then wasn't written says so by its hashes. Lost or spoiled, it costs exactness and
nothing else: ours is known by what it says as well.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from typing import Any

from ccos_core.errors import CcosError, Unavailable
from ccos_core.session.setup import writing
from ccos_core.session.setup.hosts import Form, Scope, Target
from ccos_core.storage.locate import state_home
from ccos_core.values.canon import digest

SCHEMA = "ccos.setup-kept/1"
ABSENT = ""
"""The hash of no file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that was written, and how it was before."""

    path: str
    host: str
    scope: Scope
    project: str
    """Its root; empty for what is the user's everywhere."""
    form: Form
    keys: tuple[str, ...]
    before: str
    """Hash of what it held; empty where it wasn't there."""
    after: str
    backup: str
    """Where what it held is kept."""
    made: tuple[tuple[str, ...], ...]
    """Containers in it that were made for ours."""
    folders: tuple[str, ...]
    """Folders that were made for it."""
    exact: bool
    """Whether what it held before had nothing of ours in it, so that putting it back undoes all."""

    def target(self) -> Target:
        """What was written, as far as taking it out needs it."""
        return Target(self.host, self.scope, self.path, self.form, self.keys, {})


def path() -> str:
    return os.path.join(state_home(), "setup.json")


def entries() -> list[Entry]:
    """What is remembered, in the order it was done."""
    try:
        told = json.loads(writing.read(path()) or b"{}")
        return [_entry(each) for each in told.get("files", [])]
    except (ValueError, TypeError, AttributeError, KeyError, CcosError):
        return []


def remember(entry: Entry) -> None:
    """Put an entry down, in its old place if its file has one."""
    known = entries()
    places = [each.path for each in known]
    if entry.path in places:
        known[places.index(entry.path)] = entry
    _write(known if entry.path in places else [*known, entry])


def forget(entry: Entry) -> None:
    """Drop an entry. Folders of it that aren't empty yet go over to whoever is in them."""
    left = [folder for folder in entry.folders if os.path.isdir(folder)]
    _write([_heir(each, left) for each in entries() if each.path != entry.path])


def _heir(entry: Entry, left: list[str]) -> Entry:
    around = [folder for folder in left if os.path.realpath(entry.path).startswith(folder + os.sep)]
    return replace(entry, folders=tuple(dict.fromkeys((*around, *entry.folders))))


def hash_of(data: bytes | None) -> str:
    return ABSENT if data is None else digest(data).hex()


def _write(files: list[Entry]) -> None:
    try:
        os.makedirs(os.path.dirname(path()), mode=0o700, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the folder can't be made: {error.strerror}", place=os.path.dirname(path())) from error
    told = {"schema": SCHEMA, "files": [asdict(each) for each in files]}
    writing.replace(path(), writing.read(path()), json.dumps(told, indent=1).encode())


def _entry(told: dict[str, Any]) -> Entry:
    made = tuple(tuple(keys) for keys in told["made"])
    return Entry(**{**told, "keys": tuple(told["keys"]), "made": made, "folders": tuple(told["folders"])})
