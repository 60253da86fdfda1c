"""Gemini CLI's hook events: each by itself, with what its tools did to files.

A call has no name of its own here, so it is known by what its event says, the time included. `PreCompress` with
`trigger` `auto` comes before every request to the model, whether or not anything is compressed, so only a manual one
counts. `BeforeTool` says nothing that `AfterTool` doesn't: that one comes for failed calls as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Effect, Replaced, Shown, Wrote
from ccos_core.intake.calls.numbered import found_by_search
from ccos_core.intake.hooks.heard import Course, Event, Heard, Told, told_at
from ccos_core.intake.importers.fields import at, decoded, text, text_or_none
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Call, Where

HOST = "gemini"
SILENT = frozenset(
    {
        "AfterModel", "BeforeModel", "BeforeTool", "BeforeToolSelection", "Notification", "SessionEnd", "SessionStart",
    }
)  # fmt: skip
"""Events that put nothing before the agent, or nothing that no other event says."""
SHELL = "run_shell_command"
ASKS_USER = "ask_user"
WRAPPED = re.compile(r"<untrusted_context>\n(.*)\n</untrusted_context>", re.DOTALL)
RAN = re.compile(r"(?:\A|\n)Output: (.*)", re.DOTALL)
AFTER = re.compile(r"\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*\Z")
"""A line that the host puts behind what a command printed."""
CODE = re.compile(r"\nExit Code: (-?\d{1,9})(?=\n|\Z)")
PART = re.compile(
    r"\nIMPORTANT: The file content has been truncated\.\nStatus: Showing lines (\d{1,9})-(\d{1,9}) of (\d{1,9}) total"
    r" lines\.\n.*?\n--- FILE CONTENT \(truncated\) ---\n",
    re.DOTALL,
)
CUT_LINE = "... [truncated]"
FILE = "File: "
HIT = re.compile(r"L(\d{1,9})[:-] ?(.*)")


def told(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    kind, event = text(heard.event, "hook_event_name"), heard.event
    if kind == "SessionStart" and event.get("source") == "clear":
        return _said(heard, "cleared", lambda course, where: course.telling.cleared(where, "/clear"))
    if kind == "PreCompress" and event.get("trigger") == "manual":
        return _said(heard, "compaction", lambda course, where: course.telling.compacted(where, trigger="manual"))
    way = _WAYS.get(kind)
    if way is not None:
        return way(heard)
    return iter((told_at(_where(heard), HOST),)) if kind in SILENT or kind == "PreCompress" else None


# -- one way per event ------------------------------------------------------------------------------------------------


def _call(heard: Heard) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, "tool", partial(_observed, heard.event, where))


def _prompt(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "prompt")
    return _said(heard, "prompt" if said else "", lambda course, where: course.telling.prompt(where, said))


def _turn(heard: Heard) -> Iterator[Told]:
    said = text(heard.event, "prompt_response")
    return _said(heard, "turn" if said else "", lambda course, where: course.telling.turn(where, said, stop="end"))


# -- calls ------------------------------------------------------------------------------------------------------------


def _observed(event: Event, where: Where, course: Course) -> Iterator[Observation]:
    name, given, response = text(event, "tool_name"), event.get("tool_input"), event.get("tool_response")
    course.telling.asked(Call(where, name, given))
    shown = _shown(at(response, "llmContent"))
    code = CODE.search(shown) if name == SHELL else None
    failed = at(response, "error") is not None or (code is not None and int(code[1]) != 0)
    told = not event.get("withheld") and (name == SHELL or not failed)
    effects = list(_effects(name, given, response, shown, not failed, where.cwd)) if told else []
    yield from course.telling.answered(where, shown, "error" if failed else "ok", effects)
    answers = at(decoded(shown), "answers") if name == ASKS_USER and not failed else None
    if isinstance(answers, dict):
        words = "\n".join(each for each in answers.values() if isinstance(each, str))
        yield from course.telling.prompt(where, words, channel="answer")


def _effects(name: str, given: Any, response: Any, shown: str, succeeded: bool, cwd: str) -> Iterator[Effect]:
    path, noted = text(given, "file_path"), at(response, "returnDisplay")
    before, after = text_or_none(noted, "originalContent"), text_or_none(noted, "newContent")
    if name == SHELL:
        folder = text(given, "dir_path") or text(given, "directory")
        cwd = folder if folder.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{folder}".rstrip("/")
        yield from effects_of_command(text(given, "command"), _printed(shown), succeeded, cwd or ".")
    elif name == "read_file" and path:
        yield from _read(path, shown)
    elif name == "write_file" and path:
        yield Wrote(path, text(given, "content") if after is None else after, before)
    elif name == "replace" and path:
        yield _replaced(path, given, before, after)
    elif name in ("grep_search", "search_file_content"):
        yield from _found(shown, text(given, "dir_path") or text(given, "path"))


def _read(path: str, shown: str) -> Iterator[Effect]:
    """A file as it is, or a part of it below a head that says which."""
    if CUT_LINE in shown:  # lines that were cut aren't the file's
        return
    part = PART.match(shown)
    if part is None:
        yield Shown(path, shown, whole=True)
        return
    first, last, total = (int(part[number]) for number in (1, 2, 3))
    yield Shown(path, shown[part.end() :].removesuffix("\n") + "\n", first, ends=last == total and first > 1)


def _replaced(path: str, given: Any, before: str | None, after: str | None) -> Effect:
    """By what was asked for, where that gives what the host says the file is now."""
    old, new, everywhere = text(given, "old_string"), text(given, "new_string"), at(given, "allow_multiple") is True
    if not old:
        return Wrote(path, new if after is None else after, before)
    if before is None or after is None or before.replace(old, new, -1 if everywhere else 1) == after:
        return Replaced(path, old, new, everywhere, before)
    return Replaced(path, before, after, before=before) if before else Wrote(path, after, before)


def _found(shown: str, folder: str) -> Iterator[Effect]:
    """A search prints a file's name, and its lines with their numbers below."""
    path, hits = "", list[tuple[int, str]]()
    for line in [*shown.split("\n"), FILE]:
        if line.startswith(FILE):
            yield from found_by_search(path, sorted(dict(hits).items())) if path and hits else ()
            named = line.removeprefix(FILE)
            path = f"{folder.rstrip('/')}/{named}" if folder and named and not named.startswith("/") else named
            hits = []
        elif (hit := HIT.fullmatch(line)) is not None:
            hits.append((int(hit[1]), hit[2]))


def _printed(shown: str) -> str:
    """What a command printed. The host takes away white space around it, so the end of its last line is put back."""
    found = RAN.search(shown)
    output = found[1] if found is not None else ""
    while (after := AFTER.search(output)) is not None:
        output = output[: after.start()]
    return f"{output}\n" if output and output != "(empty)" else ""


def _shown(content: Any) -> str:
    """What the model was given, without the mark around what a tool printed."""
    parts = content if isinstance(content, list) else [content]
    said = "".join(each if isinstance(each, str) else text(each, "text") for each in parts)
    wrapped = WRAPPED.fullmatch(said)
    return wrapped[1] if wrapped is not None else said


# -- helpers ----------------------------------------------------------------------------------------------------------


def _said(heard: Heard, kind: str, observe: Callable[[Course, Where], Iterator[Observation]]) -> Iterator[Told]:
    where = _where(heard)
    yield told_at(where, HOST, kind, lambda course: observe(course, where))


def _where(heard: Heard) -> Where:
    event = heard.event
    return Where(text(event, "session_id"), heard.name, heard.at, "", text(event, "cwd"))


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "AfterTool": _call,
    "BeforeAgent": _prompt,
    "AfterAgent": _turn,
}
