"""Outlining a risky text in a process of its own, so that a crash of native code ends that process alone.

`grammars.is_risky` says which texts. The process has limits on memory and processor time. Where it dies of the text,
the outline says `crashed`, and since that is recorded like any other outline, no process tries again.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from ccos_core.session.child_process import CHILD_PROGRAM, PACKAGES
from ccos_core.text.syntax.languages import LANGUAGES, Language
from ccos_core.values.code import Outline, outline_from

CRASHED = Outline(flaws=("crashed",))

MEMORY_BYTES = 400_000_000
"""Address space of the process: about a third of it is Python and a grammar."""
CPU_SECONDS = 2
PATIENCE_SECONDS = 120
"""On a machine so busy that two seconds of work take longer, there is no verdict."""
OUT_OF_MEMORY = 86
"""Exit code of the process where Python itself notices that memory ran out."""

PROGRAM = CHILD_PROGRAM.format(module="ccos_core.session.isolated_outline")

_VERDICTS = {
    -number
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGXCPU")
    if (number := getattr(signal, name, None)) is not None
} | {OUT_OF_MEMORY, 0xC0000005}
"""Return codes that only the text can be blamed for; the last one is an access violation on Windows."""


def outline_isolated(language: Language, content: bytes) -> Outline | None:
    """What `content` says about itself; None where the process ended for a reason outside of the text."""
    import subprocess

    words = [sys.executable, "-c", PROGRAM, PACKAGES, str(os.getpid()), language.name]
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            words,
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode in _VERDICTS:
        return CRASHED
    return outline_from(done.stdout) if done.returncode == 0 else None


def main(arguments: Sequence[str]) -> None:
    """Read a source on stdin, and write its outline as canonical bytes; the only argument is its language."""
    _set_limits()
    from ccos_core.text.syntax.parse import outline

    (name,) = arguments
    language = next(each for each in LANGUAGES if each.name == name)
    try:
        body = outline(language, sys.stdin.buffer.read()).to_bytes()
    except (MemoryError, RecursionError):
        os._exit(OUT_OF_MEMORY)
    sys.stdout.buffer.write(body)


def _set_limits() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_CORE, 0))
    for kind, most in wanted:
        hard = resource.getrlimit(kind)[1]
        with suppress(OSError, ValueError):  # macOS knows no limit on address space
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
