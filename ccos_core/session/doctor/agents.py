"""Look at the agents of this machine, and try the hook and the MCP server for real.

Are we in an agent's configuration, and does that start what is there? The hook is tried with the very line that setup
writes, an event of usual size and a state folder of its own; the server is started as an agent starts it, greeted, and
left. Both work in temporary folders.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping

from ccos_core.errors import CcosError
from ccos_core.intake.importers.fields import at
from ccos_core.learn.trauma import TRAUMA
from ccos_core.memory.entry import memo_id
from ccos_core.session.doctor.findings import Finding, Patient, elsewhere
from ccos_core.session.setup import toml_text, writing
from ccos_core.session.setup.editing import doors, has_guard, has_ours, programs, switched_off, with_ours
from ccos_core.session.setup.hosts import GUARDED, HOSTS, Host, Scope, Target
from ccos_core.session.setup.plan import guarding
from ccos_core.session.trouble_log import read_troubles, trouble_path
from ccos_core.text.retrieval.carried import normalised_words

SCOPES: tuple[Scope, ...] = ("user", "project")
WHAT = {"hooks": "hooks", "json": "MCP server", "toml": "MCP server", "both": "MCP server and hooks", "whole": "plugin"}


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
        target = guarding(target, patient.program)
        mend = _setup(host, target.scope)
        what = WHAT[target.form]
        gone = [each for each in programs(data, target) if not _starts(each, patient)]
        gone += [each for each in doors(data, target) if not os.path.exists(each)]
        if gone:
            yield Finding(host.name, "wrong", f"{what} connected to {gone[0]}, which is missing", target.path, mend)
        elif switched_off(data, target):
            yield Finding(host.name, "note", f"{what} connected but switched off", target.path)
        elif with_ours(data, target) == data:
            yield _untrusted(target, patient) or Finding(host.name, "well", f"{what} connected", target.path)
        elif programs(data, target) == [patient.program.python]:
            yield Finding(host.name, "wrong", f"{what} connected by another version", target.path, mend)
        else:
            said = f"{what} connected to another installation: {programs(data, target)[0]}"
            yield Finding(host.name, "note", said, target.path, mend)
    except CcosError as error:
        yield Finding(host.name, "wrong", error.fact, target.path, error.hint or "Correct the file by hand.")


def _untrusted(target: Target, patient: Patient) -> Finding | None:
    """Whether Codex has never been told to trust hooks of this file: it doesn't run them then, and says nothing."""
    if target.host != "codex" or target.form != "hooks":
        return None
    config = os.path.join(patient.machine.folder("CODEX_HOME", ".codex"), "config.toml")
    said = toml_text.values((writing.read(config) or b"").decode("utf-8", "replace"))
    state = at(said, "hooks", "state")
    if isinstance(state, dict) and any(key.startswith(f"{target.path}:") for key in state):
        return None
    mend = "Open /hooks in Codex and trust the hooks of ccos-tui."
    return Finding(
        target.host, "wrong", "hooks connected but not trusted, so Codex doesn't run them", target.path, mend
    )


def _lacking(host: Host, targets: list[Target], findings: list[Finding]) -> Iterator[Finding]:
    """What an agent that is there could have of ours, and hasn't."""
    places = {finding.place for finding in findings}
    there = {target.form for target in targets if target.path in places}
    lacking = [form for form in dict.fromkeys(target.form for target in targets) if form not in there]
    if not there:
        yield Finding(host.name, "note", "is installed but not connected", mend=_setup(host, "user"))
    elif lacking:
        yield Finding(host.name, "note", f"{WHAT[lacking[0]]} not connected", mend=_setup(host, "user"))


def _starts(program: str, patient: Patient) -> bool:
    if os.path.isabs(program):
        return os.access(program, os.X_OK)
    return shutil.which(program, path=patient.machine.environment.get("PATH", "")) is not None


def _setup(host: Host, scope: Scope) -> str:
    return f"ccos-tui setup --host {host.name}" + (" --project" if scope == "project" else "")


TRIES = 5
EVENT_BYTES = 4_000
HOOK_TIMEOUT = 10.0
"""Seconds for one try."""
SLOW_HOOK = 1.0
"""Seconds for one event that a user would feel."""
NEWEST_SHOWN = 3


def hook(patient: Patient) -> Iterator[Finding]:
    """Whether the line hears an event, says nothing, and takes how long."""
    line = patient.program.hook
    with tempfile.TemporaryDirectory(prefix="ccos-doctor-") as folder:
        environment = elsewhere(patient, folder)
        event = _event(folder)
        try:
            taken = [_tried(line, event, environment) for _ in range(TRIES)]
            empty = [_timed([patient.program.python, "-c", "pass"], b"", environment)[0] for _ in range(TRIES)]
        except subprocess.TimeoutExpired:
            yield _hook_wrong(patient, f"took longer than {HOOK_TIMEOUT:.0f} s")
            return
        except OSError as error:
            yield _hook_wrong(patient, f"can't be run: {error.strerror}")
            return
        heard = _heard(os.path.join(folder, "state"))
    if trouble := next((said for _, said in taken if said), ""):
        yield _hook_wrong(patient, trouble)
    elif not heard:
        yield _hook_wrong(patient, "records nothing: a test event was lost")
    else:
        yield _measured([seconds for seconds, _ in taken], empty)


def guard(patient: Patient) -> Iterator[Finding]:
    """Whether the guard, where it is installed, asks before a dangerous command and lets a harmless one pass."""
    targets = [each for scope in SCOPES for each in HOSTS[0].targets(patient.machine, scope, patient.program)]
    if not any((data := writing.read(each.path)) is not None and has_guard(data, each) for each in targets):
        return
    with tempfile.TemporaryDirectory(prefix="ccos-doctor-") as folder:
        ws = os.path.join(folder, "tried.ccos")
        _keep_trauma(ws)
        environment = elsewhere(patient, folder) | {"CCOS_WORKSPACE": ws}
        said = [_guarded(patient.program.guard, command, folder, environment) for command in GUARD_TRIED]
    if said == ["ask", ""]:
        yield Finding("guard", "well", f"asks before `{GUARD_TRIED[0]}` and lets `{GUARD_TRIED[1]}` pass")
    else:
        mend = f"Run it by hand: echo '{{}}' | {patient.program.guard}"
        yield Finding("guard", "wrong", f"doesn't work: it said {said}", mend=mend)


GUARD_TRIED = ("git push --force", "git push --force-with-lease")
"""A command that did harm by what is remembered, and a harmless one."""


def _keep_trauma(ws: str) -> None:
    """Make a workspace that remembers a command as one that did harm."""
    from ccos_core.session.lifecycle import init
    from ccos_core.session.session import open_session

    words = f"Never run `{GUARD_TRIED[0]}`."
    memo = memo_id(normalised_words(words))
    init(ws)
    with open_session(ws, stay=False) as session:
        session.record([{"kind": "remembered", "memo": memo, "class": TRAUMA, "words": words, "actor": "user"}])


def _guarded(line: str, command: str, folder: str, environment: Mapping[str, str]) -> str:
    """Return what the guard decides about a command; empty if it says nothing."""
    event = {"hook_event_name": GUARDED, "session_id": "doctor", "cwd": folder, "tool_name": "Bash"}
    event["tool_input"] = {"command": command}  # type: ignore[assignment]
    shell = ["cmd", "/c", line] if os.name == "nt" else ["/bin/sh", "-c", line]
    try:
        _, done = _timed(shell, json.dumps(event).encode(), environment)
        return str(json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"]) if done.stdout else ""
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        return type(error).__name__


def log(patient: Patient) -> Iterator[Finding]:
    """Return what went wrong in hooks without a message."""
    troubles = read_troubles()
    if not troubles:
        yield Finding("log", "well", "no errors logged")
        return
    newest = "; ".join(f"{_moment(each.at)} {each.said}" for each in troubles[: -NEWEST_SHOWN - 1 : -1])
    said = f"{len(troubles)} logged, newest first: {newest}"
    mend = f"After fixing the cause, remove {trouble_path()}"
    yield Finding("log", "wrong", said, trouble_path(), mend)


def _tried(line: str, event: bytes, environment: Mapping[str, str]) -> tuple[float, str]:
    """(seconds, what was wrong with it)."""
    shell = ["cmd", "/c", line] if os.name == "nt" else ["/bin/sh", "-c", line]
    seconds, done = _timed(shell, event, environment)
    if done.returncode:
        return seconds, f"ends with exit code {done.returncode}, which the agent would notice"
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    return seconds, f"prints text that the agent would read: {said[:80]}" if said else ""


def _timed(
    words: list[str], given: bytes, environment: Mapping[str, str]
) -> tuple[float, subprocess.CompletedProcess[bytes]]:
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603  (the line that setup writes)
        words, input=given, env=dict(environment), capture_output=True, timeout=HOOK_TIMEOUT, check=False
    )
    return time.perf_counter() - start, done


def _event(folder: str) -> bytes:
    said = {
        "hook_event_name": "PostToolUse",
        "session_id": "doctor",
        "cwd": folder,
        "tool_name": "Bash",
        "tool_use_id": "doctor",
        "tool_input": {"command": "true"},
        "tool_response": {"stdout": "so and so\n" * (EVENT_BYTES // 10), "stderr": "", "interrupted": False},
    }
    return json.dumps(said).encode()


def _heard(state: str) -> bool:
    files = [os.path.join(where, name) for where, _, names in os.walk(state) for name in names]
    return any(os.path.getsize(path) for path in files if not path.endswith(".log"))


def _measured(taken: list[float], empty: list[float]) -> Finding:
    seconds, bare = statistics.median(taken), statistics.median(empty)
    said = f"records an event in {seconds * 1_000:.0f} ms, {seconds / bare:.1f} times the start of an empty Python"
    if seconds > SLOW_HOOK:
        return Finding("hook", "wrong", said, mend="If the machine is busy, run this again. Otherwise check the disk.")
    return Finding("hook", "well", said)


def _hook_wrong(patient: Patient, said: str) -> Finding:
    mend = f"Run it by hand: echo '{{}}' | {patient.program.hook}"
    return Finding("hook", "wrong", said, mend=mend)


def _moment(millis: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(millis // 1_000))


SERVER_TIMEOUT = 20.0
SLOW_SERVER = 5.0
"""Seconds to the end of a greeting that a user would feel when an agent starts."""
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "ccos-tui doctor", "version": "1"},
    },
}


def server(patient: Patient) -> Iterator[Finding]:
    """Whether the command that setup writes starts a server that answers."""
    with tempfile.TemporaryDirectory(prefix="ccos-doctor-", ignore_cleanup_errors=True) as folder:
        environment = elsewhere(patient, folder) | dict(patient.program.environment)
        begun = time.perf_counter()
        try:
            done = subprocess.run(  # noqa: S603  (the command that setup writes)
                patient.program.command,
                input=json.dumps(GREETING).encode() + b"\n",
                env=environment,
                cwd=folder,
                capture_output=True,
                timeout=SERVER_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            yield _server_wrong(patient, f"didn't exit within {SERVER_TIMEOUT:.0f} s")
            return
        except OSError as error:
            yield _server_wrong(patient, f"can't be started: {error.strerror}")
            return
        seconds = time.perf_counter() - begun
    if not _answers(done.stdout):
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or "no reason given"
        yield _server_wrong(patient, f"doesn't answer: {said[:120]}")
    elif seconds > SLOW_SERVER:
        mend = "If the machine is busy, run this again. Otherwise check the disk."
        yield Finding("server", "wrong", f"started, answered and ended in {seconds:.1f} s", mend=mend)
    else:
        yield Finding("server", "well", f"started, answered and ended in {seconds * 1_000:.0f} ms")


def _answers(said: bytes) -> bool:
    try:
        answer = json.loads(said.partition(b"\n")[0])
        return answer["id"] == GREETING["id"] and isinstance(answer["result"]["serverInfo"], dict)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _server_wrong(patient: Patient, said: str) -> Finding:
    by_hand = shlex.join(patient.program.command) if os.name != "nt" else " ".join(patient.program.command)
    return Finding("server", "wrong", said, mend=f"Run it by hand and type a line: {by_hand}")
