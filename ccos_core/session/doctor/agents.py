"""The agents of this machine: whether ours is in their configuration, and starts what is there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from ccos_core.errors import CcosError
from ccos_core.intake.importers.fields import at
from ccos_core.session.doctor.findings import Finding, Patient
from ccos_core.session.setup import toml_text, writing
from ccos_core.session.setup.editing import doors, has_ours, programs, switched_off, with_ours
from ccos_core.session.setup.hosts import HOSTS, Host, Scope, Target

SCOPES: tuple[Scope, ...] = ("user", "project")
WHAT = {"hooks": "hooks", "json": "server", "toml": "server", "both": "server and hooks", "whole": "plugin"}


def agents(patient: Patient) -> Iterator[Finding]:
    """Each agent of which there are traces, or something of ours."""
    for host in HOSTS:
        every = [target for scope in SCOPES for target in host.targets(patient.machine, scope, patient.program)]
        targets = list({target.path: target for target in reversed(every)}.values())[::-1]
        findings = [finding for target in targets for finding in _looked(host, target, patient)]
        yield from findings
        if host.is_on(patient.machine):
            yield from _lacking(host, targets, findings)


def _looked(host: Host, target: Target, patient: Patient) -> Iterator[Finding]:
    try:
        data = writing.read(target.path)
        if data is None or not has_ours(data, target):
            return
        mend = _setup(host, target.scope)
        what = WHAT[target.form]
        gone = [each for each in programs(data, target) if not _starts(each, patient)]
        gone += [each for each in doors(data, target) if not os.path.exists(each)]
        if gone:
            yield Finding(host.name, "wrong", f"{what} wired to {gone[0]}, which is gone", target.path, mend)
        elif switched_off(data, target):
            yield Finding(host.name, "note", f"{what} wired and switched off", target.path)
        elif with_ours(data, target) == data:
            yield _untrusted(target, patient) or Finding(host.name, "well", f"{what} wired", target.path)
        elif programs(data, target) == [patient.program.python]:
            yield Finding(host.name, "wrong", f"{what} wired otherwise than this version does it", target.path, mend)
        else:
            said = f"{what} wired to another installation: {programs(data, target)[0]}"
            yield Finding(host.name, "note", said, target.path, mend)
    except CcosError as error:
        yield Finding(host.name, "wrong", error.fact, target.path, error.hint or "Mend the file by hand.")


def _untrusted(target: Target, patient: Patient) -> Finding | None:
    """Whether Codex has never been told to trust hooks of this file: it doesn't run them then, and says nothing."""
    if target.host != "codex" or target.form != "hooks":
        return None
    config = os.path.join(patient.machine.folder("CODEX_HOME", ".codex"), "config.toml")
    said = toml_text.values((writing.read(config) or b"").decode("utf-8", "replace"))
    state = at(said, "hooks", "state")
    if isinstance(state, dict) and any(key.startswith(f"{target.path}:") for key in state):
        return None
    mend = "Open /hooks in Codex, and trust those of ccos-tui."
    return Finding(target.host, "wrong", "hooks wired and not trusted, so Codex doesn't run them", target.path, mend)


def _lacking(host: Host, targets: list[Target], findings: list[Finding]) -> Iterator[Finding]:
    """What an agent that is there could have of ours, and hasn't."""
    places = {finding.place for finding in findings}
    there = {target.form for target in targets if target.path in places}
    lacking = [form for form in dict.fromkeys(target.form for target in targets) if form not in there]
    if not there:
        yield Finding(host.name, "note", "is here and isn't wired", mend=_setup(host, "user"))
    elif lacking:
        yield Finding(host.name, "note", f"{WHAT[lacking[0]]} not wired", mend=_setup(host, "user"))


def _starts(program: str, patient: Patient) -> bool:
    if os.path.isabs(program):
        return os.access(program, os.X_OK)
    return shutil.which(program, path=patient.machine.environment.get("PATH", "")) is not None


def _setup(host: Host, scope: Scope) -> str:
    return f"ccos-tui setup --host {host.name}" + (" --project" if scope == "project" else "")
