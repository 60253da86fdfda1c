"""What tools of file servers did, known by the names the common servers give them: `read_text_file`, `write_file`, ...

A host names such a tool after its server: `mcp__files__read_file`, `mcp__files.read_file`, `files_read_file`. What a
read printed is the file as it stands, unless its arguments or a line in front of it say that it is a part.
"""

from __future__ import annotations

import re
from typing import Any

from ccos_core.intake.calls.effects import Effect, Moved, Replaced, Shown, Wrote

READS = ("read_text_file", "read_file")
WRITES, EDITS, MOVES = ("write_file",), ("edit_file",), ("move_file",)
PATHS = ("path", "file_path", "filePath", "relative_path", "uri")
PARTS = (
    "head", "tail", "offset", "limit", "length", "start", "end", "start_line", "end_line", "line_start", "line_end",
    "startLine", "endLine", "range", "view_range",
)  # fmt: skip
"""Arguments that ask for a part of a file."""
_HEADER = re.compile(
    r"\[Reading (\d{1,9}) lines from (?:start|line (\d{1,9})) \(total: (\d{1,9}) lines, \d{1,9} remaining\)\]\n\n?"
)
"""What one server prints in front of lines; it counts them from 0."""


def effects_of_mcp(name: str, arguments: Any, printed: str, cut: bool = False) -> list[Effect]:
    """What a call of a file server that went well did. `cut` says that the host shortened what it printed."""
    tool = _tool(name)
    path = _text(arguments, *PATHS).removeprefix("file://")
    if tool in MOVES:
        source, to = _text(arguments, "source"), _text(arguments, "destination")
        return [Moved(source, to)] if source and to else []
    if not path:
        return []
    if tool in READS:
        return _read(path, arguments, printed, cut)
    if tool in WRITES and isinstance(arguments.get("content"), str):
        return [Wrote(path, arguments["content"])]
    if tool in EDITS and arguments.get("dryRun") is not True:
        edits = _objects(arguments.get("edits"))
        return [Replaced(path, _text(each, "oldText"), _text(each, "newText")) for each in edits]
    return []


def _tool(name: str) -> str:
    """The name its server gives a tool; empty for one of a host's own."""
    own = re.split(r"__|\.", name)[-1]
    if own != name:
        return own
    return next((each for each in (*READS, *WRITES, *EDITS, *MOVES) if name.endswith(f"_{each}")), "")


def _read(path: str, arguments: Any, printed: str, cut: bool) -> list[Effect]:
    header = _HEADER.match(printed)
    if header is not None:
        first, size = int(header[2] or 0) + 1, int(header[1])
        text = printed[header.end() :]
        ends = first + size > int(header[3])
        return [Shown(path, text, first, whole=ends and first == 1 and not cut)] if text else []
    asked = [each for each in PARTS if arguments.get(each) is not None]
    if asked not in ([], ["head"]) or not printed:
        return []  # nobody says which lines these are
    return [Shown(path, printed if not asked else f"{printed.removesuffix(chr(10))}\n", whole=not asked and not cut)]


def _text(arguments: Any, *names: str) -> str:
    if not isinstance(arguments, dict):
        return ""
    return next((arguments[name] for name in names if isinstance(arguments.get(name), str)), "")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
