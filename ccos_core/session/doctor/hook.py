"""The hook, tried for real: the very line that setup writes, an event of a usual size, and a state folder of its own.

What it would record goes into a temporary folder and away again. What went wrong in earnest is in its log.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping

from ccos_core.session.doctor.findings import Finding, Patient, elsewhere
from ccos_core.session.trouble_log import read_troubles, trouble_path

TRIES = 5
EVENT_BYTES = 4_000
PATIENCE = 10.0
"""Seconds for one try."""
SLOW = 1.0
"""Seconds for one event that somebody would feel."""
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
            yield _wrong(patient, f"took longer than {PATIENCE:.0f} s")
            return
        except OSError as error:
            yield _wrong(patient, f"can't be run: {error.strerror}")
            return
        heard = _heard(os.path.join(folder, "state"))
    if trouble := next((said for _, said in taken if said), ""):
        yield _wrong(patient, trouble)
    elif not heard:
        yield _wrong(patient, "hears nothing: an event was told to it, and nothing was recorded")
    else:
        yield _measured([seconds for seconds, _ in taken], empty)


def log(patient: Patient) -> Iterator[Finding]:
    """What went wrong in hooks that nobody was told about."""
    troubles = read_troubles()
    if not troubles:
        yield Finding("log", "well", "no trouble is noted")
        return
    newest = "; ".join(f"{_moment(each.at)} {each.said}" for each in troubles[: -NEWEST_SHOWN - 1 : -1])
    said = f"{len(troubles)} noted, the newest first: {newest}"
    mend = f"Once it is seen to, remove {trouble_path()}"
    yield Finding("log", "wrong", said, trouble_path(), mend)


def _tried(line: str, event: bytes, environment: Mapping[str, str]) -> tuple[float, str]:
    """(seconds, what was wrong with it)."""
    shell = ["cmd", "/c", line] if os.name == "nt" else ["/bin/sh", "-c", line]
    seconds, done = _timed(shell, event, environment)
    if done.returncode:
        return seconds, f"ends with {done.returncode}, which an agent would feel"
    said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
    return seconds, f"says what an agent might read: {said[:80]}" if said else ""


def _timed(
    words: list[str], given: bytes, environment: Mapping[str, str]
) -> tuple[float, subprocess.CompletedProcess[bytes]]:
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603  (the line that setup writes)
        words, input=given, env=dict(environment), capture_output=True, timeout=PATIENCE, check=False
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
    said = f"hears an event in {seconds * 1_000:.0f} ms, {seconds / bare:.1f} times an empty Python"
    if seconds > SLOW:
        return Finding("hook", "wrong", said, mend="Is the machine busy, or the disk slow? Run this again.")
    return Finding("hook", "well", said)


def _wrong(patient: Patient, said: str) -> Finding:
    mend = f"Run it by hand: echo '{{}}' | {patient.program.hook}"
    return Finding("hook", "wrong", said, mend=mend)


def _moment(millis: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(millis // 1_000))
