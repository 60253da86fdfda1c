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
    """Check everything that recording and serving need, and show how to repair what is wrong.

    It checks the interpreter, grammars, SQLite, the state folder and its permissions, the configuration of every
    agent, the hook (run once with its own state folder), and the workspace of this folder's project with the events
    that wait for it. It changes nothing. Exit code 1 if it finds a problem.
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
        return f"{words.count(wrong, 'problem')} found" + (f", {noted}" if noted else "")
    return f"No problems found; {noted}" if noted else "No problems found"


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
