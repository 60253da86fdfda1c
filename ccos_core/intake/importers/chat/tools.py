"""What tools did to files that many agents have by much the same names and arguments.

They are known by their names, without case and marks. What isn't known by a name here is looked up among the tools of
common file servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import PARTS, Changed, Effect, Patched, Replaced, Shown, Wrote, effects_of_mcp
from ccos_core.intake.calls.numbered import lines_of, numbered, stretches
from ccos_core.intake.calls.patches import hunks_of_diff, parse_patch
from ccos_core.intake.importers.fields import at, objects, text
from ccos_core.intake.tools import COMMANDS, line_of

SHELLS = frozenset(
    {
        "bash", "developershell", "exec", "execcommand", "execute", "executebash", "executecommand", "runcommand",
        "runincommandline", "runinterminal", "runshellcommand", "runterminal", "runterminalcmd", "runterminalcommand",
        "shell", "terminal",
    }
)  # fmt: skip
READS = frozenset({"openfile", "read", "readfile", "view", "viewfile"})
WRITES = frozenset({"create", "createfile", "createnewfile", "savefile", "write", "writefile", "writetofile"})
EDITS = frozenset(
    {
        "edit",
        "editfile",
        "multiedit",
        "replace",
        "replaceinfile",
        "replacestringinfile",
        "searchreplace",
        "singlefindandreplace",
        "strreplace",
    }
)
EDITORS = frozenset({"developertexteditor", "texteditor", "strreplacebasededittool", "strreplaceeditor"})
EDITOR_COMMANDS = {"view": "view", "create": "create", "write": "write", "str_replace": "strreplace"}
"""What the commands of one tool that views and edits do, as tools of their own."""
PATCHES = frozenset({"applydiff", "applypatch", "patch"})
PATHS = (
    "path", "file_path", "filePath", "filepath", "target_file", "absolute_path", "AbsolutePath", "TargetFile", "file",
)  # fmt: skip
CONTENTS = ("content", "file_text", "contents", "CodeContent")
FOLDERS = ("cwd", "workdir", "working_dir", "dir_path", "Cwd")
OLD = ("old_string", "old_str", "oldText", "oldString", "old_text", "search")
NEW = ("new_string", "new_str", "newText", "newString", "new_text", "replace")
EVERYWHERE = ("replace_all", "replaceAll", "allow_multiple")
MOST_AROUND = 4
"""Lines that may stand around a numbered listing."""
DOTTED = re.compile(r"^(\d{1,9})\. ?(.*)$", re.MULTILINE)
HEADING = re.compile(r"\AContents? of [^\n]+:\n")
SEARCHED = re.compile(r"<{7} SEARCH\n(.*?)\n?={7}\n(.*?)\n?>{7} REPLACE", re.DOTALL)


def is_shell(name: str) -> bool:
    """Whether a tool runs commands."""
    return _plain(name) in SHELLS


def effects_of(
    name: str, given: Any, printed: str, succeeded: bool | None, cwd: str, noted: Any = None, *, bare: bool = False
) -> list[Effect]:
    """Return what a call did. Without its end (`succeeded` is None) only what it was asked to change, as inferred.
    `bare` says that the host's reads print files as they are."""
    plain, path = _plain(name), _first(given, PATHS).removeprefix("file://")
    inferred = succeeded is None
    if plain in EDITORS:
        plain = EDITOR_COMMANDS.get(text(given, "command"), "")
    if plain in SHELLS:
        return [] if inferred else _ran(given, printed, succeeded, cwd)
    if plain in PATCHES:
        return _patched(given, path)
    if not path:
        return []
    if plain in READS:
        return [] if inferred else _read(path, given, printed, bare)
    if plain in WRITES:
        content = _first(given, CONTENTS)
        told = bool(content) or any(at(given, name) is not None for name in CONTENTS)
        return [Wrote(path, content, _before(noted), inferred)] if told else _changed(path, inferred)
    if plain in EDITS:
        return _edited(path, given, noted, inferred)
    return [] if inferred else effects_of_mcp(name, given, printed)


# -- one way per kind of tool -----------------------------------------------------------------------------------------


def _ran(given: Any, printed: str, succeeded: bool | None, cwd: str) -> list[Effect]:
    command = next((line for name in COMMANDS if (line := line_of(at(given, name)))), "")
    folder = _first(given, FOLDERS)
    place = folder if folder.startswith("/") or not cwd else f"{cwd.rstrip('/')}/{folder}".rstrip("/")
    return effects_of_command(command, printed, succeeded, place or ".") if command else []


def _read(path: str, given: Any, printed: str, bare: bool) -> list[Effect]:
    """Numbered lines are what they say; other text is the file where reads are bare and no part was asked for."""
    part = any(at(given, name) is not None for name in PARTS)
    lines = numbered(printed) or [(int(line[1]), line[2]) for line in DOTTED.finditer(printed)]
    count = len(lines_of(printed))
    if lines and len(lines) + MOST_AROUND >= count and lines[-1][0] - lines[0][0] + 1 == len(lines):
        if lines[0][0] == 1 and not part and len(lines) == count:
            return [Shown(path, "".join(f"{line}\n" for _, line in lines), whole=True)]
        return list(stretches(path, lines))
    shown = HEADING.sub("", printed)
    return [Shown(path, shown, whole=True)] if bare and shown and not part else []


def _edited(path: str, given: Any, noted: Any, inferred: bool) -> list[Effect]:
    edits = list(objects(given, "edits")) or [given]
    found: list[Effect] = []
    for edit in edits:
        old, new = _first(edit, OLD), _first(edit, NEW)
        everywhere = any(at(edit, name) is True for name in EVERYWHERE)
        if old:
            found.append(Replaced(path, old, new, everywhere, inferred=inferred))
    if not found:
        blocks: Iterable[re.Match[str]] = SEARCHED.finditer(text(given, "diff"))
        found += [Replaced(path, block[1], block[2], inferred=inferred) for block in blocks]
    content = _first(given, CONTENTS)
    return found or ([Wrote(path, content, _before(noted), inferred)] if content else _changed(path, inferred))


def _changed(path: str, inferred: bool) -> list[Effect]:
    """A change whose text isn't told, once it is known that it was made."""
    return [] if inferred else [Changed(path)]


def _patched(given: Any, path: str) -> list[Effect]:
    patch = given if isinstance(given, str) else _first(given, ("input", "patch", "patchText", "diff"))
    hunks = hunks_of_diff(patch) if path else ()
    return [Patched(path, hunks)] if hunks else parse_patch(patch)


# -- values -----------------------------------------------------------------------------------------------------------


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _first(given: Any, names: Iterable[str]) -> str:
    return next((found for name in names if (found := text(given, name))), "")


def _before(noted: Any) -> str | None:
    before = at(noted, "before")
    return before if isinstance(before, str) else None
