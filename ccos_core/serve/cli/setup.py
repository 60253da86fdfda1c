"""`setup`: write our entries into the agents' configuration, shown first. `doctor`: what is wrong with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict

import click

from ccos_core.errors import CcosError, NotFound, Refused, Usage
from ccos_core.present import words
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import error_object, give, json_option, tell
from ccos_core.serve.hook import GUARD
from ccos_core.serve.hook_line import EVENTS, HOOKED, INJECTING, hook_command, hook_words
from ccos_core.session.doctor.examining import examine
from ccos_core.session.doctor.findings import Finding, Patient
from ccos_core.session.setup import plan, writing
from ccos_core.session.setup.hosts import BY_NAME, HOSTS, Host, Machine, Program, Scope, Target
from ccos_core.session.setup.plan import Change, Plan, Refusal
from ccos_core.session.setup.writing import Entry
from ccos_core.storage.locate import project_root
from ccos_core.text.sanitize import clean

SCHEMA = "ccos.setup/1"
WIDEST = 400
"""Characters of a line of a diff that are shown: a file may be one line."""
NAMES = tuple(host.name for host in HOSTS)
FORMS = {
    "json": "MCP server",
    "toml": "MCP server",
    "hooks": "hooks",
    "both": "MCP server and hooks",
    "whole": "plugin",
}


@click.command("setup")
@click.option(
    "--host", "named", multiple=True, type=click.Choice(NAMES), help="Set up only this agent; may be repeated."
)
@click.option("--user", "scope", flag_value="user", help="Set up all projects of this user (the default).")
@click.option("--project", "scope", flag_value="project", help="Set up only the project of this folder.")
@click.option(
    "--plugin", "folder", metavar="DIR", type=click.Path(path_type=str), help="Write a plugin for Claude Code to DIR."
)
@click.option(
    "--guard/--no-guard",
    default=None,
    help="Have Claude Code ask before a command that did harm is run again. Off unless chosen.",
)
@click.option("--undo", is_flag=True, help="Remove exactly what setup wrote.")
@click.option("--dry-run", is_flag=True, help="Show the changes without writing them.")
@click.option("--yes", is_flag=True, help="Don't ask for confirmation.")
@json_option
def setup_command(
    named: tuple[str, ...],
    scope: Scope | None,
    folder: str | None,
    guard: bool | None,
    undo: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Connect the agents on this machine: the MCP server for all of them, and hooks that record Claude Code, Codex,
    Gemini CLI and OpenCode.

    \b
        ccos-tui setup --dry-run
        ccos-tui setup --host claude-code --project
        ccos-tui setup --undo

    It shows the changes as a diff and asks. Other entries of these files stay as they are, each changed file gets a
    backup beside it, and a second run changes nothing. --undo without other options reverts every project.
    """
    machine = machine_here()
    if undo:
        made, remembered = _undoing(machine, named, scope)
    else:
        made, remembered = _doing(machine, named, scope or "user", folder, guard), []
    changes, refused = made
    if not as_json:
        _show(changes)
    wanted = bool(changes) and not dry_run
    if wanted and not yes:
        _ask(changes, as_json)
    done, failed = _perform(changes, machine.project) if wanted else ([], [])
    if undo and not dry_run:
        waiting = {each.path for each in (*(c.target for c in changes), *(r.target for r in refused))}
        plan.settle(each for each in remembered if each.path not in waiting)
    trouble = [*refused, *failed]
    if as_json:
        give(_as_answer(changes, trouble, done, undo))
    _tell(changes, trouble, done, folder if not undo else None, dry_run)
    return max((exits.code_of(each.error) for each in trouble), default=exits.DONE)


def machine_here() -> Machine:
    """This machine, as the environment tells it."""
    return Machine(os.path.expanduser("~"), dict(os.environ), sys.platform, project_root(os.getcwd()))


def program_here() -> Program:
    """This installation, as an agent can start it."""
    if not sys.executable:
        raise Refused("can't tell which Python interpreter this is")
    python = os.path.abspath(sys.executable)
    hook, inject = hook_command(python), hook_command(python, "--inject")
    lines = {host: hook_command(python, "--host", host) for host in HOOKED}
    words, guard = tuple(hook_words(python)), hook_command(python, GUARD)
    return Program(python, hook, inject, _environment(python), EVENTS, INJECTING, lines, words, guard)


def _environment(python: str) -> dict[str, str]:
    """What the interpreter needs to find us from anywhere: where we are, if it doesn't know."""
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [python, "-P", "-m", "ccos_tui", "--version"]
    home = os.path.expanduser("~")
    found = subprocess.run(words, cwd=home if os.path.isdir(home) else None, env=bare, capture_output=True, check=False)  # noqa: S603  (our own interpreter)
    if found.returncode == 0:
        return {}
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    others = [each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(each)]
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys((ours, *others)))}


def _doing(machine: Machine, named: tuple[str, ...], scope: Scope, folder: str | None, guard: bool | None) -> Plan:
    program = program_here()
    if guard and (folder is not None or (named and "claude-code" not in named)):
        raise Usage("only Claude Code asks before a command", hint="Use --guard without --plugin, with claude-code.")
    if folder is not None:
        if set(named) - {"claude-code"}:
            raise Usage("only Claude Code has plugins", hint="Leave out --host.")
        return plan.wiring(plan.plugin_targets(os.path.abspath(folder), program), machine.project)
    chosen = [BY_NAME[name] for name in dict.fromkeys(named)] or [host for host in HOSTS if host.is_on(machine)]
    if not chosen:
        looked = ", ".join(host.title for host in HOSTS)
        raise NotFound(
            "there is no agent on this machine", hint=f"Looked for {looked}. Name one: ccos-tui setup --host NAME"
        )
    targets = [target for host in chosen for target in host.targets(machine, scope, program)]
    return plan.wiring([plan.guarding(each, program, guard) for each in targets], machine.project)


def _undoing(machine: Machine, named: tuple[str, ...], scope: Scope | None) -> tuple[Plan, list[Entry]]:
    nobody = Program("", "", "", {})
    chosen: list[Host] = [BY_NAME[name] for name in named] or list(HOSTS)
    scopes: tuple[Scope, ...] = (scope,) if scope else ("user", "project")
    targets = [target for host in chosen for each in scopes for target in host.targets(machine, each, nobody)]
    remembered = [
        entry
        for entry in writing.entries()
        if entry.host in {host.name for host in chosen}
        and entry.scope in scopes
        and (scope != "project" or entry.project == machine.project)
    ]
    return plan.unwiring(targets, remembered), remembered


def _ask(changes: list[Change], as_json: bool) -> None:
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            "nothing was changed: no terminal to ask for confirmation",
            hint="Add --yes to write them, or --dry-run to see them.",
        )
    if not click.confirm(f"Change {words.count(len(changes), 'file')}?", default=False, err=True):
        raise Refused("nothing was changed")


def _perform(changes: list[Change], project: str) -> tuple[list[tuple[Change, str]], list[Refusal]]:
    done: list[tuple[Change, str]] = []
    failed: list[Refusal] = []
    for change in changes:
        try:
            done.append((change, plan.perform(change, project)))
        except CcosError as error:
            failed.append(Refusal(change.target, error))
    return done, failed


# ---- how it is told ----


def _show(changes: list[Change]) -> None:
    for change in changes:
        terminal.show(terminal.coloured(f"# {_title(change.target)}", "quiet"))
        for line in _diff(change):
            terminal.show(terminal.coloured(line, _role(line)))


def _diff(change: Change) -> Iterator[str]:
    """The lines of a diff as they can be shown: nothing hidden, nobody's secrets."""
    for line in clean(change.diff())[0].splitlines():
        yield words.visible(line if len(line) <= WIDEST else line[: WIDEST - 1] + "…")


def _role(line: str) -> str:
    return {"+": "good", "-": "bad"}.get(line[:1], "plain")


def _title(target: Target) -> str:
    where = "" if target.scope == "user" else ", for this project"
    return f"{BY_NAME[target.host].title}: {FORMS[target.form]}{where}"


def _as_answer(
    changes: list[Change], trouble: list[Refusal], done: list[tuple[Change, str]], undo: bool
) -> dict[str, object]:
    backups = {change.target.path: backup for change, backup in done}
    return {
        "schema": SCHEMA,
        "undo": undo,
        "changes": [
            {
                "host": change.target.host,
                "scope": change.target.scope,
                "what": FORMS[change.target.form],
                "path": change.target.path,
                "diff": "\n".join(_diff(change)),
                "note": change.note,
                "written": change.target.path in backups,
                "backup": backups.get(change.target.path, ""),
            }
            for change in changes
        ],
        "refused": [
            {"host": each.target.host, **error_object(each.error.fact, each.target.path, each.error.hint, code)}
            for each in trouble
            for code in (exits.code_of(each.error),)
        ],
    }


def _tell(
    changes: list[Change], trouble: list[Refusal], done: list[tuple[Change, str]], folder: str | None, dry_run: bool
) -> None:
    for each in trouble:
        tell(f"ccos-tui: {each.target.path}: {each.error.fact}; left unchanged")
        if each.error.hint:
            tell(f"  {each.error.hint}")
    for change in changes:
        if change.note:
            tell(f"{change.target.path} {change.note}")
    for change, backup in done:
        verb = "Removed" if change.after is None else "Restored" if change.undoing and not change.note else "Wrote"
        tell(f"{verb} {change.target.path}" + (f"  (backup: {backup})" if backup else ""))
    if not changes and not trouble:
        tell("Nothing to do")
    if dry_run and changes:
        tell(f"Nothing was written: {words.count(len(changes), 'file')} would change")
    if done and folder is not None:
        tell("Next:\n  " + "\n  ".join(plan.installing(os.path.abspath(folder))))
    elif done and not done[0][0].undoing:
        for host in dict.fromkeys(change.target.host for change, _ in done):
            if BY_NAME[host].asks:
                tell(BY_NAME[host].asks)
        tell("Restart open agents. Check with: ccos-tui doctor")


DOCTOR_SCHEMA = "ccos.doctor/1"
SIGNS = {"well": "✓", "note": "!", "wrong": "✗"}
ROLES = {"well": "good", "note": "note", "wrong": "bad"}
NAME_COLUMNS = 12
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
        give({"schema": DOCTOR_SCHEMA, "well": not wrong, "findings": [asdict(finding) for finding in found]})
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
    yield f"{sign} {finding.check:<{NAME_COLUMNS}} {words.visible(finding.said)}{place}"
    if finding.mend:
        yield f"  {'':<{NAME_COLUMNS}} → {words.visible(finding.mend)}"
