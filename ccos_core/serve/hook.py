"""`ccos-tui hook`: what a host says while its agent works, heard and put on disk.

Runs at every tool call of a live agent. So it does almost nothing, prints nothing and ends with 0 whatever happens; its
own troubles go to a log. On a busy machine it takes as long as its host allows: what was heard comes first, and an
event that can't be kept is counted. No SQLite, no click, no dataclasses: a Python, json, re and blake3.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time

from ccos_core.session.bounds import Withholding
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.cut_marks import (
    mark_answered,
    mark_beginning,
    mark_cut,
    mark_summary,
    tells_of_beginning,
    tells_of_cut,
    waits,
    was_cut,
)
from ccos_core.session.heard import append, line_of
from ccos_core.session.heard_said import said_text
from ccos_core.session.settings import switched_off
from ccos_core.storage.locate import paused_path, project_root, recorded_into, user_path
from ccos_core.values.paths import Place, recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

HEARING_SECONDS = 600.0
"""How long an event may take from its host to the disk. No host waits longer, so this only ends a hook that nobody
waits for any more."""
ENDING_SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
"""What a host sends a hook that takes too long, or a terminal when it closes."""
SECONDS_TO_ANSWER = 0.34
"""The same for an answer to a prompt, counted from when an interpreter has begun: with that it is less than 0.4."""
SECONDS_AFTER_CUT = 2.0
"""The same for the first answer after the host has compacted, which took it many seconds, and for a subagent's."""
SECONDS_TO_GET_READY = 120
"""The same for understanding a record where nobody waits for it."""
CUT, CALLED, BEGUN = "PostCompact", "PostToolUse", "SubagentStart"
ANSWERED = ("SessionStart", "UserPromptSubmit", CALLED, BEGUN)
"""Events that may have an answer."""
GUARD = "--guard"
"""What `setup --guard` runs a hook with before each command of a shell."""
SECONDS_TO_GUARD = 5.0
GET_READY = "--get-ready"
"""What a hook runs itself with for that."""
LARGEST = 64 * 2**20
"""Bytes of one event."""
CHUNK = 2**20
LONGEST_HOST = 100
"""Characters of a host's name."""
CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,4096}")')
"""Where an event happened, in one that can't be parsed."""


class Unheard(BaseException):
    """An event is lost; says why."""


class Hearing:
    """One event on its way to disk, and whether its host still waits for the hook."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = arguments
        self.pieces: list[bytes] = []
        """What the host has said so far."""
        self.is_read = False
        self.is_over = False
        """Whether the hook is to end as soon as the event is on disk."""

    def run(self) -> dict[str, Any] | None:
        """Put the event on stdin on disk, or count it as lost; return it where it was recorded."""
        self._on_signals()
        try:
            _read_stdin(self.pieces)
            self.is_read = True
            event = hear(self.arguments, b"".join(self.pieces))
        except BaseException as error:  # whatever it is, it is not the agent's problem
            said = str(error) if isinstance(error, Unheard) else f"{type(error).__name__}: {error}"
            self._count(said)
            return None
        return None if self.is_over else event

    def _on_signals(self) -> None:
        _give_up_after(HEARING_SECONDS, self._too_late)
        for name in ENDING_SIGNALS:
            _on_signal(name, self._end)

    def _end(self, *_: object) -> None:
        if not self.is_read:
            raise Unheard("the host ended the hook before it had said all of it")
        self.is_over = True

    def _too_late(self, *_: object) -> None:
        raise Unheard(f"it took longer than {HEARING_SECONDS:g} s")

    def _count(self, why: str) -> None:
        try:
            _give_up_after(0, self._too_late)
            if self.pieces and not switched_off():
                from ccos_core.session.lost_events import count_lost

                count_lost(workspace_for(_as_far_as_known(self.pieces), self.arguments)[0], why)
            else:
                _note(f"hook: {why}")
        except BaseException as error:
            _note(f"hook: {type(error).__name__}: {error}")


def _as_far_as_known(pieces: list[bytes]) -> dict[str, Any]:
    """Return an event of which only a part may have come, or one that is no JSON: all of it, or where it happened."""
    raw = b"".join(pieces)
    try:
        event = json.loads(raw.decode("utf-8", "surrogateescape")) if len(raw) <= LARGEST else None
        if isinstance(event, dict):
            return event
    except (ValueError, RecursionError):
        pass
    said = CWD.search(raw)
    return {"cwd": json.loads(said[1].decode("utf-8", "surrogateescape"))} if said is not None else {}


def main(arguments: Sequence[str]) -> None:
    """Hear what stands on stdin, and end the process."""
    begun = time.monotonic()
    try:
        if arguments and arguments[0] == GET_READY:
            _get_ready(arguments[1])
        if GUARD in arguments:
            _guard(arguments)
        event = Hearing(arguments).run()
        for name in ENDING_SIGNALS:
            _on_signal(name, lambda *_: os._exit(0))
        if event is not None and "--inject" in arguments:
            _answer(event, arguments, begun)
    except BaseException as error:  # whatever it is, it is not the agent's problem
        _note(f"hook: {type(error).__name__}: {error}")
    os._exit(0)


def _guard(arguments: Sequence[str]) -> None:
    """Answer the event on stdin, which isn't recorded, and end the process; in time or not at all."""
    _give_up_after(SECONDS_TO_GUARD, lambda *_: os._exit(0))
    pieces: list[bytes] = []
    _read_stdin(pieces)
    event = json.loads(b"".join(pieces))
    if not switched_off() and isinstance(event, dict):
        from ccos_core.serve.guarding import answer

        os.write(1, answer(event, workspace_for(event, arguments)[0]))
    os._exit(0)


def hear(arguments: Sequence[str], raw: bytes) -> dict[str, Any] | None:
    """Put an event on disk; gives it, if it was one and may be recorded."""
    if switched_off():
        return None
    if len(raw) > LARGEST:
        raise ValueError("an event has more bytes than are taken in")
    event = json.loads(raw.decode("utf-8", "surrogateescape"))
    if not isinstance(event, dict):
        raise ValueError("what came in is no event")
    ws, root = workspace_for(event, arguments)
    if os.path.exists(paused_path(ws)):
        return None
    append(ws, line_of(_body(event, root, _said(arguments, "--host"))))
    if isinstance(event.get("session_id"), str):
        try:
            _mark(ws, event)
        except OSError as error:  # the event itself is on disk
            _note(f"hook: a session couldn't be marked: {error}")
    return event


def _mark(ws: str, event: dict[str, Any]) -> None:
    """Mark a session whose window lacks something from here on."""
    if tells_of_cut(event):
        (mark_summary if event["hook_event_name"] == CUT else mark_cut)(ws, event["session_id"])
    elif tells_of_beginning(event) and os.path.exists(user_path()):
        mark_beginning(ws, event["session_id"])


def workspace_for(event: dict[str, Any], arguments: Sequence[str]) -> tuple[str, str]:
    """(the workspace an event is for, the project it is from)."""
    said = event.get("cwd")
    cwd = said if isinstance(said, str) and os.path.isabs(said) and "\0" not in said else os.getcwd()
    root = project_root(cwd)
    return recorded_into(_said(arguments, "--ws") or os.environ.get("CCOS_WORKSPACE", ""), root), root


def _body(event: dict[str, Any], root: str, host: str) -> str:
    place = Place(tuple(dict.fromkeys((root, os.path.realpath(root)))), os.path.expanduser("~"))
    said = said_text(event, Withholding(place, CcosIgnore(root), _cwd(event, place)))
    return _line(root, host, said)


def _line(root: str, host: str, said: str) -> str:
    """What goes to disk, around what was said."""
    named = f'"host":{json.dumps(host[:LONGEST_HOST])},' if host else ""
    heard = f'"at":{time.time_ns() // 1_000_000},"root":{json.dumps(root, ensure_ascii=False)}'
    return f'{{{heard},{named}"said":{said.strip()}}}'


def _cwd(event: dict[str, Any], place: Place) -> str:
    said = event.get("cwd")
    return recorded(said, place) if isinstance(said, str) and said else "."


def _said(arguments: Sequence[str], option: str) -> str:
    """What an option says, by `--option X` or `--option=X`."""
    for at, word in enumerate(arguments):
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
        if word == option and at + 1 < len(arguments):
            return arguments[at + 1]
    return ""


def _read_stdin(pieces: list[bytes]) -> None:
    """Read all of it, or so much that it is too much."""
    size = 0
    while size <= LARGEST and (piece := os.read(0, CHUNK)):
        pieces.append(piece)
        size += len(piece)


def _answer(event: dict[str, Any], arguments: Sequence[str], begun: float) -> None:
    """Say what there is to say, in time or not at all. The event is on disk. A session that was never cut has lost
    nothing, and pays for a look at a small file."""
    kind, session = event.get("hook_event_name"), event.get("session_id")
    if kind not in (*ANSWERED, CUT) or ("agent_id" in event) != (kind == BEGUN) or not isinstance(session, str):
        return
    ws, root = workspace_for(event, arguments)
    if kind == CUT:  # the next answer is to come in time
        _go_on_alone(ws)
        return
    is_first = waits(ws, session)
    if not (is_first or kind == BEGUN or (kind != CALLED and was_cut(ws, session))):
        return
    if kind == CALLED:  # one call waits for an answer, whether or not it comes in time
        mark_answered(ws, session)
    seconds = _seconds(event, arguments, is_first) - (time.monotonic() - begun)

    def late(*_: object) -> None:
        _go_on_alone(ws)
        os._exit(0)

    _give_up_after(max(seconds, 0.001), late)
    said, alone = _said_of(event, ws, seconds)
    _give_up_after(0, late)
    if kind == "UserPromptSubmit":
        mark_answered(ws, session)
    printed, _, delivery = said.partition(b"\n")
    left = printed + b"\n" if printed else b""
    while left:
        left = left[os.write(1, left) :]
    if delivery:  # now it is in the agent's window
        append(ws, line_of(_line(root, "", delivery.decode())))
    if alone:
        _go_on_alone(ws)


def _seconds(event: dict[str, Any], arguments: Sequence[str], is_first: bool) -> float:
    """How long an answer may take; `is_first` after a cut."""
    is_long = is_first or tells_of_cut(event) or event.get("hook_event_name") == BEGUN
    usual = SECONDS_AFTER_CUT if is_long else SECONDS_TO_ANSWER
    return float(_said(arguments, "--within") or usual)


def _said_of(event: dict[str, Any], ws: str, seconds: float) -> tuple[bytes, bool]:
    """By a server that knows, or else alone, by the engine, which begins anew."""
    from ccos_core.serve.next_door import asked, wanted

    want = wanted(event)
    if want is None:
        return b"", False
    said = asked(ws, want, seconds)
    if said is not None:
        return said, False
    from ccos_core.serve.inject import answer

    return answer(event, ws), True


def _go_on_alone(ws: str) -> None:
    """Have another process understand the workspace, for whoever is asked next; nobody waits for that."""
    from ccos_core.serve.hook_line import door
    from ccos_core.session.child_process import start

    if start([sys.executable, "-I", "-S", door(), GET_READY, ws], detached=True) is None:
        _note(f"hook: nobody could be started to understand {ws}")  # the next one begins anew, too


def _get_ready(ws: str) -> None:
    from ccos_core.session.child_process import give_way
    from ccos_core.session.live_scan import in_turn

    give_way()
    _give_up_after(SECONDS_TO_GET_READY, lambda *_: os._exit(0))
    from ccos_core.serve.inject import get_ready

    in_turn(ws, lambda: get_ready(ws), wait=False)
    os._exit(0)


def _give_up_after(seconds: float, way: Callable[..., object]) -> None:
    """Call `way` after so many seconds, instead of whatever was to be called; 0 for never."""
    try:
        import _signal as signals  # type: ignore[import-not-found]  # `signal` makes enums of all there is in it

        signals.signal(signals.SIGALRM, way)
        signals.setitimer(signals.ITIMER_REAL, seconds)
    except (ImportError, AttributeError, ValueError):  # a system without; its hosts have a limit of their own
        pass


def _on_signal(name: str, way: Callable[..., object]) -> None:
    try:
        import _signal as signals

        signals.signal(getattr(signals, name), way)
    except (ImportError, AttributeError, ValueError):
        pass


def _note(said: str) -> None:
    try:
        from ccos_core.session.trouble_log import note_trouble

        note_trouble(said)
    except BaseException:  # noqa: S110
        pass
