"""The table of looks, and one walk through it. A look that fails itself is a finding and no end of the others."""

from __future__ import annotations

from collections.abc import Iterator

from ccos_core.session.doctor.agents import agents, guard, hook, log, server
from ccos_core.session.doctor.findings import Finding, Look, Patient
from ccos_core.session.doctor.machine import grammars, interpreter, recording, spool, sqlite, state_folder, workspace

LOOKS: dict[str, Look] = {
    "interpreter": interpreter,
    "grammars": grammars,
    "sqlite": sqlite,
    "state": state_folder,
    "recording": recording,
    "agents": agents,
    "hook": hook,
    "guard": guard,
    "log": log,
    "server": server,
    "workspace": workspace,
    "spool": spool,
}


def examine(patient: Patient) -> Iterator[Finding]:
    """Everything there is to say, in the order of the table."""
    for name, look in LOOKS.items():
        try:
            yield from look(patient)
        except Exception as error:
            said = f"couldn't be checked: {type(error).__name__}: {error}"
            yield Finding(name, "wrong", said, mend="This is a bug in ccos-tui. Please report it.")
