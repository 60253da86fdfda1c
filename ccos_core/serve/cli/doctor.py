"""`doctor`: what is wrong with this installation, and what mends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from ccos_core.present import words
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option
from ccos_core.serve.cli.setup import machine_here, program_here
from ccos_core.session.doctor.examining import examine
from ccos_core.session.doctor.findings import Finding, Patient

SCHEMA = "ccos.doctor/1"
SIGNS = {"well": "✓", "note": "!", "wrong": "✗"}
ROLES = {"well": "good", "note": "note", "wrong": "bad"}
NAMES = 12
"""Columns for what was looked at."""


@click.command("doctor")
@json_option
def doctor_command(as_json: bool) -> int:
    """Look at everything recording and serving rest on, and say how to mend what is wrong.

    Interpreter, grammars, SQLite, the state folder and who may read it, the configuration of every agent, the hook
    (which is tried, with a state folder of its own), and the workspace of the project of this folder with what waits
    for it. Changes nothing. Exit code 1 if something is wrong.
    """
    found = list(_told(examine(Patient(machine_here(), program_here())), as_json))
    wrong = sum(finding.state == "wrong" for finding in found)
    warnings = sum(finding.state == "note" for finding in found)
    if as_json:
        give({"schema": SCHEMA, "well": not wrong, "findings": [asdict(finding) for finding in found]})
    else:
        terminal.show(verdict(wrong, warnings))
    return exits.NO if wrong else exits.DONE


def verdict(wrong: int, warnings: int) -> str:
    """Return the last line: how many things are wrong, and how many warnings stand above it."""
    noted = words.count(warnings, "warning") if warnings else ""
    if wrong:
        return f"{words.count(wrong, 'thing is', 'things are')} wrong" + (f", {noted}" if noted else "")
    return f"Nothing is wrong; {noted}" if noted else "All is well"


def _told(findings: Iterator[Finding], as_json: bool) -> Iterator[Finding]:
    """Each as it is found: the hook takes a moment to try."""
    for finding in findings:
        if not as_json:
            for line in as_text(finding):
                terminal.show(line)
        yield finding


def as_text(finding: Finding) -> Iterator[str]:
    """A finding in words."""
    sign = terminal.coloured(SIGNS[finding.state], ROLES[finding.state])
    place = f"  ({words.visible(finding.place)})" if finding.place else ""
    yield f"{sign} {finding.check:<{NAMES}} {words.visible(finding.said)}{place}"
    if finding.mend:
        yield f"  {'':<{NAMES}} → {words.visible(finding.mend)}"
