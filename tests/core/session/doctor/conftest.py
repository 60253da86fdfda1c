"""A patient: somebody's home, project and installation, in which things are made wrong."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ccos_core.session.doctor.examining import LOOKS
from ccos_core.session.doctor.findings import Finding, Patient
from ccos_core.session.setup import plan
from ccos_core.session.setup.hosts import BY_NAME, Machine, Program, Scope
from ccos_core.storage import locate

HEARS = '/bin/mkdir -p "$XDG_STATE_HOME/p" && /bin/cat > "$XDG_STATE_HOME/p/work.ccos-heard"'
"""A line that does what the hook does, as far as somebody outside can tell."""


@dataclass
class Ward:
    """A patient, and what one look sees of it."""

    folder: Path
    patient: Patient

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def workspace(self) -> Path:
        return Path(locate.default_path(str(self.project)))

    def see(self, look: str, of: str = "") -> list[Finding]:
        return [each for each in LOOKS[look](self.patient) if not of or each.check == of]

    def one(self, look: str, of: str = "") -> Finding:
        (finding,) = self.see(look, of)
        return finding

    def with_hook(self, line: str) -> None:
        self.patient = replace(self.patient, program=replace(self.patient.program, hook=line))

    def wire(self, host: str, scope: Scope = "user", **changed: object) -> None:
        program = replace(self.patient.program, **changed)  # type: ignore[arg-type]
        changes, refused = plan.wiring(BY_NAME[host].targets(self.patient.machine, scope, program), "")
        assert not refused
        for change in changes:
            plan.perform(change, "")


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ward:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    line = f"{sys.executable} -P -m ccos_tui hook || exit 0"
    program = Program(sys.executable, line, f"{line} --inject", {}, ("PostToolUse", "Stop"), {})
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(tmp_path / "home")}
    machine = Machine(str(tmp_path / "home"), {**environment, "PATH": ""}, "linux", str(tmp_path / "project"))
    return Ward(tmp_path, Patient(machine, program))
