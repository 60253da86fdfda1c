"""What Gemini CLI's tools did to files: from a call's arguments, what it printed and what the host noted about it.

Qwen Code's tools are descended from these; where they print something else, that is read here as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Effect, Replaced, Shown, Wrote, effects_of_mcp
from ccos_core.intake.calls.numbered import found_by_search
from ccos_core.intake.importers.fields import at, decoded, text, text_or_none

SHELL = "run_shell_command"
ASKS_USER = "ask_user"
WRAPPED = re.compile(r"<untrusted_context>\n(.*)\n</untrusted_context>", re.DOTALL)
RAN = re.compile(r"(?:\A|\n)Output: (.*)", re.DOTALL)
AFTER = re.compile(r"\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*\Z")
"""A line that the host puts behind what a command printed."""
CODE = re.compile(r"\nExit Code: (-?\d{1,9})(?=\n|\Z)")
PART = re.compile(
    r"\nIMPORTANT: The file content has been truncated\.\nStatus: Showing lines (\d{1,9})-(\d{1,9}) of (\d{1,9}) total"
    r" lines\.\n.*?\n--- FILE CONTENT \(truncated\) ---\n"
    r"|Showing lines (\d{1,9})-(\d{1,9}) of (\d{1,9}) total lines\.\n\n---\n\n",
    re.DOTALL,
)
"""What stands before a part of a file: in Gemini CLI, and in Qwen Code."""
CUT_LINE = "... [truncated]"
FILE = "File: "
HIT = re.compile(r"L(\d{1,9})[:-] ?(.*)")
HIT_IN_FILE = re.compile(r"([^:\n]+):(\d{1,9}):(.*)")
"""A line that Qwen Code's search found."""


def failed(name: str, shown: str, refused: bool) -> bool:
    """Whether a call failed: by the host's word, or by the exit code that a command ended with."""
    code = CODE.search(shown) if name == SHELL else None
    return refused or (code is not None and int(code[1]) != 0)


def unwrapped(shown: str) -> str:
    """Return what a tool printed without the mark that the host puts around what it doesn't trust."""
    wrapped = WRAPPED.fullmatch(shown)
    return wrapped[1] if wrapped is not None else shown


def answers_in(name: str, shown: str) -> str:
    """Return what the user answered to a question of the agent's, one line for each answer; empty for other calls."""
    answers = at(decoded(shown), "answers") if name == ASKS_USER else None
    return "\n".join(each for each in answers.values() if isinstance(each, str)) if isinstance(answers, dict) else ""


def effects_of(name: str, given: Any, noted: Any, shown: str, succeeded: bool, cwd: str) -> Iterator[Effect]:
    """What a call did that went well, or a command however it ended. `noted` is what the host showed of it."""
    path = text(given, "file_path") or text(given, "absolute_path")
    before, after = text_or_none(noted, "originalContent"), text_or_none(noted, "newContent")
    if name == SHELL:
        folder = text(given, "dir_path") or text(given, "directory")
        cwd = folder if folder.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{folder}".rstrip("/")
        yield from effects_of_command(text(given, "command"), _printed(shown), succeeded, cwd or ".")
    elif name == "read_file" and path:
        yield from _read(path, shown)
    elif name == "write_file" and path:
        yield Wrote(path, text(given, "content") if after is None else after, before)
    elif name in ("replace", "edit") and path:
        yield _replaced(path, given, before, after)
    elif name in ("grep_search", "search_file_content"):
        yield from _found(shown, text(given, "dir_path") or text(given, "path"))
    else:
        yield from effects_of_mcp(name, given, shown)


def _read(path: str, shown: str) -> Iterator[Effect]:
    """A file as it is, or a part of it below a head that says which."""
    if CUT_LINE in shown:  # lines that were cut aren't the file's
        return
    part = PART.match(shown)
    if part is None:
        yield Shown(path, shown, whole=True)
        return
    first, last, total = (int(number) for number in part.groups() if number is not None)
    yield Shown(path, shown[part.end() :].removesuffix("\n") + "\n", first, ends=last == total and first > 1)


def _replaced(path: str, given: Any, before: str | None, after: str | None) -> Effect:
    """By what was asked for, where that gives what the host says the file is now."""
    old, new = text(given, "old_string"), text(given, "new_string")
    everywhere = any(at(given, name) is True for name in ("allow_multiple", "replace_all"))
    if not old:
        return Wrote(path, new if after is None else after, before)
    if before is None or after is None or before.replace(old, new, -1 if everywhere else 1) == after:
        return Replaced(path, old, new, everywhere, before)
    return Replaced(path, before, after, before=before) if before else Wrote(path, after, before)


def _found(shown: str, folder: str) -> Iterator[Effect]:
    """Files that a search named, each above its lines, or before each of them."""
    hits: dict[str, dict[int, str]] = {}
    path = ""
    for line in shown.split("\n"):
        if line.startswith(FILE):
            path = line.removeprefix(FILE)
        elif path and (hit := HIT.fullmatch(line)) is not None:
            hits.setdefault(path, {})[int(hit[1])] = hit[2]
        elif not path and (hit := HIT_IN_FILE.fullmatch(line)) is not None:
            hits.setdefault(hit[1], {})[int(hit[2])] = hit[3]
    for named, lines in hits.items():
        place = f"{folder.rstrip('/')}/{named}" if folder and not named.startswith("/") else named
        yield from found_by_search(place, sorted(lines.items()))


def _printed(shown: str) -> str:
    """What a command printed. The host takes away white space around it, so the end of its last line is put back."""
    found = RAN.search(shown)
    output = found[1] if found is not None else ""
    while (after := AFTER.search(output)) is not None:
        output = output[: after.start()]
    return f"{output}\n" if output and output != "(empty)" else ""
