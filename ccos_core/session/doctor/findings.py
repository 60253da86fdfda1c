"""What a look at an installation says: a state, a sentence, and what mends it. The patient is what is looked at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from ccos_core.session.setup.hosts import Machine, Program

State = Literal["well", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    check: str
    """What was looked at."""
    state: State
    """`well`, `note` for what the user may want, `wrong` for what doesn't work as it should."""
    said: str
    place: str = ""
    """The file it is about."""
    mend: str = ""
    """A command or a sentence that mends it."""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined."""

    machine: Machine
    program: Program
    """This installation, as setup would write it down."""


Look = Callable[[Patient], Iterator[Finding]]


def elsewhere(patient: Patient, folder: str) -> dict[str, str]:
    """The user's environment for what is tried, with everything we keep in a folder of its own."""
    ours = ("CCOS_OFF", "CCOS_WORKSPACE")
    kept = {name: value for name, value in patient.machine.environment.items() if name not in ours}
    return kept | {"XDG_STATE_HOME": os.path.join(folder, "state"), "XDG_CACHE_HOME": os.path.join(folder, "cache")}
