"""`hook --inject` asks next door: a server that has the workspace open knows at once what takes the engine seconds.

Both sides meet at a Unix socket in a folder that is this user's alone, named by the workspace. Whoever asks gives up
early and does its own work. On the hook's path: nothing of the engine, and no `socket`, which makes enums of all there
is in it.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections import namedtuple

from ccos_core.storage.locate import state_home
from ccos_core.values.canon import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, NamedTuple

    class Wanted(NamedTuple):
        kind: str
        """The event's."""
        session: str
        is_cut: bool
        """Whether the host has just cut its window."""
        context: str = ""
        """The subagent that begins; empty for the main conversation."""

else:
    Wanted = namedtuple("Wanted", "kind session is_cut context", defaults=("",))

BEGUN = "SubagentStart"
KINDS = ("SessionStart", "UserPromptSubmit", "PostToolUse", BEGUN)
"""Events that may have an answer."""

FOLDER = "near"
LONGEST_PLACE = 100
"""Bytes of a socket's name; systems end between 104 and 108."""
LONGEST_QUESTION, LONGEST_ANSWER = 4_096, 2**18
"""Bytes of each."""
CONNECT = 0.02
"""Seconds to get through, ..."""
TAKEN_UP = 0.06
"""... and to hear that the question is looked at. A server that is at something else is left alone."""
LEAST = 0.01
"""Seconds that are left to whoever asks when it hasn't heard anything."""
TAKEN = b"+"
"""Says that a question is looked at; what follows is the answer's size, a line break, and the answer."""


def wanted(event: dict[str, Any]) -> Wanted | None:
    """What an event is to be answered with; None for most."""
    kind, session = event.get("hook_event_name"), event.get("session_id")
    agent = event.get("agent_id", "")
    is_cut = kind == "SessionStart" and event.get("source") == "compact"
    if not (is_cut or kind in KINDS[1:]) or not isinstance(session, str):
        return None
    if not isinstance(agent, str) or bool(agent) != (kind == BEGUN):
        return None
    return Wanted(str(kind), session, is_cut, agent)


def asked(ws: str, want: Wanted, seconds: float) -> bytes | None:
    """What a server of this workspace answers, in so many seconds, like `inject.answer`; None where none does."""
    sockets = unix_sockets()
    if sockets is None:
        return None
    until = time.monotonic() + seconds - LEAST
    for place in places(ws):
        if is_ours(os.path.dirname(place)) and os.path.exists(place):
            try:
                return _heard(sockets, place, question_of(want, until - time.monotonic()), want, until)
            except (OSError, ValueError, RecursionError):  # gone, busy, late, or not one of ours
                continue
    return None


def places(ws: str) -> list[str]:
    """Where a server of a workspace may be reached, the best first."""
    name = digest(os.fsencode(os.path.realpath(ws))).hex()[:24]
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folders = [os.path.join(runtime, "ccos-tui")] if os.path.isabs(runtime) and os.path.isdir(runtime) else []
    found = [os.path.join(folder, name) for folder in (*folders, os.path.join(state_home(), FOLDER))]
    return [place for place in found if len(os.fsencode(place)) <= LONGEST_PLACE]


def is_ours(folder: str) -> bool:
    """Whether a folder belongs to this user, and to nobody else."""
    try:
        known = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(known.st_mode) and known.st_uid == os.geteuid() and not known.st_mode & 0o077


def unix_sockets() -> ModuleType | None:
    """What makes them, where there are any."""
    try:
        import _socket
    except ImportError:
        return None
    return _socket if hasattr(_socket, "AF_UNIX") and hasattr(os, "geteuid") else None


def question_of(want: Wanted, seconds: float) -> bytes:
    """The line that asks."""
    said = {**want._asdict(), "millis": int(seconds * 1_000)}
    line = json.dumps(said).encode() + b"\n"
    if len(line) > LONGEST_QUESTION:
        raise ValueError("a question has more bytes than anybody takes")
    return line


def understood(line: bytes) -> tuple[Wanted, float]:
    """(what such a line asks for, in how many seconds)."""
    said = json.loads(line)
    if not isinstance(said, dict):
        raise ValueError("that is no question")
    kind, session, is_cut, context, millis = (said.get(name) for name in (*Wanted._fields, "millis"))
    if kind not in KINDS or not isinstance(session, str) or type(is_cut) is not bool or not isinstance(context, str):
        raise ValueError("that is no question")
    if type(millis) is not int or not 0 < millis < 60_000:
        raise ValueError("nobody waits that long")
    return Wanted(kind, session, is_cut, context), millis / 1_000


def answer_of(said: bytes) -> bytes:
    """An answer as it travels, after `TAKEN`."""
    return b"%d\n%b" % (len(said), said)


# -- one conversation -------------------------------------------------------------------------------------------------


def _heard(sockets: ModuleType, place: str, question: bytes, want: Wanted, until: float) -> bytes:
    with_it = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    try:
        with_it.settimeout(CONNECT)
        with_it.connect(place)
        with_it.sendall(question)
        if _some(with_it, 1, min(time.monotonic() + TAKEN_UP + CONNECT, until)) != TAKEN:
            raise ValueError("that is no server of ours")
        said = _answer(with_it, until)
    finally:
        with_it.close()
    if said and not _fits(json.loads(said.partition(b"\n")[0]), want):
        raise ValueError("that is no answer of ours")
    return said


def _answer(with_it: Any, until: float) -> bytes:
    """All of it, or it isn't one."""
    said = b""
    while b"\n" not in said[:10]:
        if len(said) >= 10:
            raise ValueError("that is no size")
        said += _some(with_it, 2**16, until)
    size, _, said = said.partition(b"\n")
    if not size.isdigit() or int(size) > LONGEST_ANSWER:
        raise ValueError("that is no size")
    while len(said) < int(size):
        said += _some(with_it, 2**16, until)
    return said[: int(size)]


def _some(with_it: Any, most: int, until: float) -> bytes:
    """What comes next."""
    left = until - time.monotonic()
    if left <= 0:
        raise ValueError("it takes too long")
    with_it.settimeout(left)
    said = bytes(with_it.recv(most))
    if not said:
        raise ValueError("it is gone")
    return said


def _fits(told: Any, want: Wanted) -> bool:
    output = told.get("hookSpecificOutput") if isinstance(told, dict) else None
    return (
        isinstance(output, dict)
        and output.get("hookEventName") == want.kind
        and isinstance(output.get("additionalContext"), str)
    )
