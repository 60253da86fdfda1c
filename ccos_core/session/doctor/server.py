"""The MCP server, tried for real: started as an agent starts it, greeted, and left. It works in a folder of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator

from ccos_core.session.doctor.findings import Finding, Patient, elsewhere

PATIENCE = 20.0
SLOW = 5.0
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
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            yield _wrong(patient, f"didn't leave within {PATIENCE:.0f} s of being greeted")
            return
        except OSError as error:
            yield _wrong(patient, f"can't be started: {error.strerror}")
            return
        seconds = time.perf_counter() - begun
    if not _answers(done.stdout):
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or "nothing is said of why"
        yield _wrong(patient, f"doesn't answer: {said[:120]}")
    elif seconds > SLOW:
        mend = "Is the machine busy, or the disk slow? Run this again."
        yield Finding("server", "wrong", f"came, answered and left in {seconds:.1f} s", mend=mend)
    else:
        yield Finding("server", "well", f"came, answered and left in {seconds * 1_000:.0f} ms")


def _answers(said: bytes) -> bool:
    try:
        answer = json.loads(said.partition(b"\n")[0])
        return answer["id"] == GREETING["id"] and isinstance(answer["result"]["serverInfo"], dict)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _wrong(patient: Patient, said: str) -> Finding:
    by_hand = shlex.join(patient.program.command) if os.name != "nt" else " ".join(patient.program.command)
    return Finding("server", "wrong", said, mend=f"Run it by hand, and type a line: {by_hand}")
