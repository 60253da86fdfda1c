"""What Codex's tools did to files: shells, patches, and scripts that call them.

A shell may go on running; what it prints later is asked for by other calls, and what it did is known when it has ended.
Which lines a patch changed is said best by the host's own event of having applied it, where there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Changed, Effect, Moved, Patched, Removed, Shown, Wrote, effects_of_mcp
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.patches import parse_hunks, parse_patch
from ccos_core.intake.importers.codex.outputs import Answer
from ccos_core.intake.importers.fields import at, text
from ccos_core.intake.importers.telling import Call
from ccos_core.intake.tools import line_of
from ccos_core.values.paths import is_absolute

RUN = ("shell", "shell_command", "local_shell", "exec_command", "container.exec", "unified_exec")
MOST_RUNNING = 64
LISTED = re.compile(r"L(\d{1,9}): (.*)")
CALLED = re.compile(r"\btools\.(\w{1,60})\(\s*")
PRINTED = re.compile(r"\btext\(\s*[\w.\[\]]*\boutput\s*\)")


@dataclass(slots=True)
class Process:
    """A command that hadn't ended when its call did."""

    command: str
    cwd: str
    output: list[str]
    alone: bool = True
    """Whether nobody typed anything into it."""
    cut: bool = False


@dataclass(slots=True)
class Tools:
    """The tools of one session."""

    files: Files = field(default_factory=Files)
    running: dict[str, Process] = field(default_factory=dict)
    applied: dict[str, list[Effect]] = field(default_factory=dict)
    """Call → what the host said its patch did."""

    def effects(self, call: Call, answer: Answer) -> list[Effect]:
        """What a call that ended did to files."""
        name, arguments, cwd = call.name.rpartition("__")[2], call.arguments, call.where.cwd
        applied = self.applied.pop(call.where.id, None)
        if applied is not None:
            return applied if answer.outcome != "error" else []
        if call.name.startswith("mcp__"):
            return effects_of_mcp(call.name, arguments, answer.output, answer.cut) if answer.outcome == "ok" else []
        if name == "write_stdin":
            return self._went_on(arguments, answer)
        if (patch := _patch(name, arguments)) is not None:
            return parse_patch(patch) if answer.outcome == "ok" else []
        if name in RUN and (command := command_of(arguments)):
            return self._ran(command, cwd, answer)
        if name == "exec" and isinstance(arguments, str):
            return self._scripted(arguments, cwd, answer)
        if name == "read_file" and answer.outcome == "ok":
            return list(_listed(text(arguments, "file_path"), answer.output))
        return []

    def folder(self, name: str, arguments: Any, cwd: str) -> str:
        """Return the folder a call runs in: of input to a process, that of the process."""
        if name.rpartition("__")[2] == "write_stdin" and (process := self._process(arguments)) is not None:
            return process.cwd or cwd
        return folder_of(arguments, cwd)

    def patched(self, call: str, changes: Any) -> None:
        """The host said that it applied a patch."""
        if isinstance(changes, dict):
            self.applied[call] = [effect for path, change in changes.items() for effect in _change(path, change)]

    def _ran(self, command: str, cwd: str, answer: Answer) -> list[Effect]:
        if answer.process:
            while len(self.running) >= MOST_RUNNING:
                del self.running[next(iter(self.running))]
            self.running[answer.process] = Process(command, cwd, [answer.output], cut=answer.cut)
            return []
        return self._of_command(command, cwd, answer.output, _succeeded(answer), answer.cut)

    def _of_command(self, command: str, cwd: str, output: str, succeeded: bool | None, cut: bool) -> list[Effect]:
        text_of = partial(self.files.text, cwd=cwd or ".")
        effects = effects_of_command(command, output, succeeded, cwd or ".", text_of)
        if not cut:
            return effects
        return [replace(effect, whole=False) if isinstance(effect, Shown) else effect for effect in effects]

    def _went_on(self, arguments: Any, answer: Answer) -> list[Effect]:
        process = self._process(arguments)
        if process is None:
            return []
        process.alone = process.alone and not at(arguments, "chars")
        if not process.cut:
            process.output.append(answer.output)
        process.cut = process.cut or answer.cut
        if answer.process or answer.outcome == "interrupted":
            return []
        del self.running[str(at(arguments, "session_id"))]
        if not process.alone:
            return []
        return self._of_command(process.command, process.cwd, "".join(process.output), _succeeded(answer), process.cut)

    def _process(self, arguments: Any) -> Process | None:
        name = at(arguments, "session_id")
        return self.running.get(str(name)) if isinstance(name, (str, int)) else None

    def _scripted(self, script: str, cwd: str, answer: Answer) -> list[Effect]:
        """What a script's calls did, where it makes one and prints its output, or applies patches that stand in it."""
        calls = [(found[1], script[found.end() :]) for found in CALLED.finditer(script)]
        if answer.outcome != "ok":
            return []
        if [name for name, _ in calls] == ["exec_command"] and len(PRINTED.findall(script)) == script.count(
            "text("
        ) == 1:
            command, folder = _written(calls[0][1], "cmd"), _written(calls[0][1], "workdir")
            cwd = folder_of({"workdir": folder}, cwd)
            return self._of_command(command, cwd, answer.output, None, answer.cut) if command else []
        patches = [_literal(rest) for name, rest in calls if name == "apply_patch"]
        return [replace(effect, inferred=True) for patch in patches for effect in parse_patch(patch)]


def command_of(arguments: Any) -> str:
    """The line a shell was given; what another shell was started for is what it was told."""
    return next((line for name in ("command", "cmd") if (line := line_of(at(arguments, name)))), "")


def folder_of(arguments: Any, cwd: str) -> str:
    """Where a call ran: in the folder it names, or in the turn's."""
    named = text(arguments, "workdir") or text(arguments, "working_directory")
    if not named or is_absolute(named) or not cwd:
        return named or cwd
    return cwd if named in (".", "./") else f"{cwd.rstrip('/')}/{named}"


# -- helpers ----------------------------------------------------------------------------------------------------------


def _succeeded(answer: Answer) -> bool | None:
    return {"ok": True, "error": False}.get(answer.outcome)


def _patch(name: str, arguments: Any) -> str | None:
    """The patch a call asks to apply, if that is all it does."""
    if name == "apply_patch":
        return arguments if isinstance(arguments, str) else text(arguments, "input") or text(arguments, "patch")
    words = at(arguments, "command")
    if name in RUN and isinstance(words, list) and len(words) == 2 and words[0] in ("apply_patch", "applypatch"):
        return words[1] if isinstance(words[1], str) else None
    return None


def _change(path: Any, change: Any) -> Iterator[Effect]:
    """What the host says it did to one file, in either of its spellings: the kind as a field, or as the only key."""
    kind = text(change, "type")
    if not kind and isinstance(change, dict) and len(change) == 1:
        kind, change = next(iter(change.items()))
    if not isinstance(path, str) or not path:
        return
    if kind == "add" and isinstance(at(change, "content"), str):
        yield Wrote(path, text(change, "content"))
    elif kind == "delete":
        yield Removed(path)
    elif kind == "update":
        hunks = parse_hunks(text(change, "unified_diff"))
        if hunks is None:
            yield Changed(path)
        elif hunks:
            yield Patched(path, tuple(hunks))
        if (to := text(change, "move_path")) and to != path:
            yield Moved(path, to)


def _listed(path: str, output: str) -> Iterator[Effect]:
    """Lines with their numbers, as `read_file` prints them."""
    first, lines = 0, list[str]()
    for line in output.split("\n"):
        found = LISTED.fullmatch(line)
        if found is None or (lines and int(found[1]) != first + len(lines)):
            break
        first = first or int(found[1])
        lines.append(found[2])
    if path and lines and first:
        yield Shown(path, "".join(f"{line}\n" for line in lines), first)


def _written(rest: str, name: str) -> str:
    """The text a script gives under a name of the object that begins here."""
    try:
        told, _ = json.JSONDecoder().raw_decode(rest)
        return text(told, name)
    except (ValueError, RecursionError):
        found = re.search(rf"[{{,]\s*[\"']?{name}[\"']?\s*:\s*", rest)
        return _literal(rest[found.end() :]) if found else ""


def _literal(rest: str) -> str:
    """The text that begins here, in quotes as JSON has them, or in back quotes with nothing to fill in."""
    try:
        told, _ = json.JSONDecoder().raw_decode(rest)
    except (ValueError, RecursionError):
        plain = re.match(r"`([^`\\$]*)`", rest)
        return plain[1] if plain else ""
    return told if isinstance(told, str) else ""
