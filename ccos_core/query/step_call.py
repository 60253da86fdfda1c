"""The text of a tool call: its command or arguments, what it did to files, and what it gave back.

An edit is a diff of what is known of the file before and after it. Where that isn't known, it is a diff of the two
texts that the call was given. A long text among the arguments is a part of its own, for JSON would fold it into a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from ccos_core.intake.tools import COMMANDS, line_of
from ccos_core.present.words import visible
from ccos_core.query.step_text import Part, language_of_text, parsed, part, pretty, read_blob, with_images
from ccos_core.values.sheet import UNKNOWN, Sheet
from ccos_core.values.unified import unified

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline

EFFECTS = ("seen", "gone", "renamed")
MOST_EFFECTS = 400  # of one call
LOOKED_BACK = 64  # steps between an effect and its call
LONG_ARGUMENT = 160  # characters from which an argument is a part of its own
UNSEEN = "(not seen)"
"""Stands for a line that no step showed."""
OLD_NAMES = ("old_string", "old_str", "oldString", "old_text", "oldText", "search")
NEW_NAMES = ("new_string", "new_str", "newString", "new_text", "newText", "replace")
PATHS = ("file_path", "path", "filePath", "notebook_path", "absolute_path", "file", "filename")
BEGIN_PATCH = "*** Begin Patch"
PATCH = re.compile(r"\*\*\* Begin Patch|diff --git |--- \S")
LANGUAGES = {
    ".py": "python", ".pyi": "python", ".ts": "typescript", ".mts": "typescript", ".tsx": "tsx", ".js": "javascript",
    ".mjs": "javascript", ".cjs": "javascript", ".jsx": "jsx", ".go": "go", ".rs": "rust", ".c": "c", ".h": "c",
    ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp", ".java": "java", ".kt": "kotlin", ".swift": "swift",
    ".rb": "ruby", ".php": "php", ".lua": "lua", ".pl": "perl", ".r": "r", ".jl": "julia", ".ex": "elixir",
    ".erl": "erlang", ".hs": "haskell", ".scala": "scala", ".clj": "clojure", ".zig": "zig", ".dart": "dart",
    ".sh": "bash", ".bash": "bash", ".zsh": "bash", ".fish": "fish", ".ps1": "powershell", ".sql": "sql",
    ".html": "html", ".vue": "html", ".svelte": "html", ".css": "css", ".scss": "scss", ".less": "less",
    ".xml": "xml", ".svg": "xml", ".json": "json", ".jsonl": "json", ".yaml": "yaml", ".yml": "yaml",
    ".toml": "toml", ".ini": "ini", ".cfg": "ini", ".md": "markdown", ".rst": "rst", ".tex": "tex",
    ".proto": "protobuf", ".tf": "terraform", ".nix": "nix", ".diff": "diff", ".patch": "diff", ".mod": "go",
}  # fmt: skip
"""Suffix of a file → its language, as highlighters call it."""
FILES = {"Dockerfile": "docker", "Makefile": "make", "CMakeLists.txt": "cmake", "Gemfile": "ruby"}


def language_of_path(path: str) -> str:
    """Return the language of a file, as highlighters call it; `text` where the name doesn't say."""
    name = PurePosixPath(path)
    return FILES.get(name.name) or LANGUAGES.get(name.suffix.lower(), "text")


def effects_of(timeline: Timeline, step: int, op: Plain) -> list[tuple[int, Plain]]:
    """Return (step, op) of what a call did to files: the steps right behind it that name the same call."""
    if "call" not in op:
        return []
    found = []
    for later, each in timeline.between(step + 1, min(step + MOST_EFFECTS, timeline.head)):
        if each["kind"] not in EFFECTS or each.get("call") != op["call"] or _context(each) != _context(op):
            break
        found.append((later, each))
    return found


def call_of(timeline: Timeline, step: int, op: Plain) -> int | None:
    """Return the step of the call that an effect belongs to; None if no call near it has the same name."""
    if "call" in op:
        for earlier in range(step - 1, max(step - LOOKED_BACK, 0), -1):
            each = timeline.op(earlier)
            if each.get("call") != op["call"] or _context(each) != _context(op):
                return None
            if each["kind"] == "tool":
                return earlier
    return None


def _context(op: Plain) -> tuple[object, ...]:
    return op.get("host"), op.get("session"), op.get("context")


# ---- a call ----


def call_parts(timeline: Timeline, step: int, op: Plain) -> Iterator[Part]:
    """What a call was asked, what it changed, and what it gave back."""
    effects = effects_of(timeline, step, op)
    given, missing = read_blob(timeline, op.get("arguments"))
    arguments = parsed(given)
    lone = _lone_text(given) if arguments is None else ""
    patch = lone if PATCH.match(lone) else ""
    command = _command(arguments) if not lone else "" if patch else lone
    role = "patch" if BEGIN_PATCH in given or PATCH.match(given) else "edit"
    certain = [(later, effect) for later, effect in effects if not _is_uncertain(effect)]
    changes = [each for later, effect in certain for each in _change(timeline, later, effect, role)]
    if missing:
        yield Part("arguments", op["name"], missing=missing)
    if command:
        yield part("command", op["name"], visible(command), "bash")
    yield from (change.part for change in changes)
    if patch and not changes:
        yield part("patch", "patch" if op["outcome"] == "ok" else "patch (not done)", visible(patch), "diff")
    if isinstance(arguments, dict):
        yield from _arguments(op, arguments, command, changes)
    elif isinstance(arguments, list):
        yield part("arguments", op["name"], visible(pretty(arguments)), "json")
    if "withheld" in op:
        yield Part("note", "content", missing=f"withheld: {op['withheld']}")
    yield from _result(timeline, op, effects, command)
    yield from _reads(effects)


def _lone_text(given: str) -> str:
    """Return arguments that are one text, as JSON or as it is."""
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return value if isinstance(value, str) else given


def _command(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return ""
    return next((line for name in COMMANDS if (line := line_of(arguments.get(name)))), "")


def _arguments(op: Plain, arguments: dict[str, Any], command: str, changes: Sequence[Change]) -> Iterator[Part]:
    """What no other part shows."""
    rest = {name: value for name, value in arguments.items() if not (command and line_of(value) == command)}
    if known := [text for change in changes for text in change.known]:
        rest = {name: value for name, value in rest.items() if name in PATHS or not _is_shown(value, known)}
    elif (diff := _asked_edit(rest)) is not None:
        path = next((value for name in PATHS if isinstance(value := rest.get(name), str)), "")
        yield part("edit", f"{path} ({'asked for' if op['outcome'] == 'ok' else 'not done'})".lstrip(), diff, "diff")
        rest = {name: value for name, value in rest.items() if name not in (*OLD_NAMES, *NEW_NAMES, "edits")}
    long = {name: value for name, value in rest.items() if isinstance(value, str) and _is_long(value)}
    short = {name: value for name, value in rest.items() if name not in long}
    if short:
        yield part("arguments", op["name"], visible(pretty(short)), "json")
    for name, value in long.items():
        yield part("arguments", name, visible(value), _language(name, value, rest))


def _is_long(text: str) -> bool:
    return "\n" in text.strip() or len(text) > LONG_ARGUMENT


def _language(name: str, text: str, arguments: dict[str, Any]) -> str:
    if PATCH.match(text):
        return "diff"
    if name in ("prompt", "plan", "description", "message"):
        return "markdown"
    path = next((value for key in PATHS if isinstance(value := arguments.get(key), str)), "")
    return language_of_path(path) if path else language_of_text(text)


def _is_shown(value: Any, known: Sequence[str]) -> bool:
    """Whether an argument is in what is known of the changed files, before or after the call."""
    if isinstance(value, (list, dict)):
        every = list(value.values()) if isinstance(value, dict) else value
        texts = [each for each in every if not isinstance(each, (bool, int))]
        return bool(texts) and all(_is_shown(each, known) for each in texts)
    if not isinstance(value, str):
        return False
    return bool(PATCH.match(value)) or any(value.strip("\n") in text for text in known)


def _asked_edit(arguments: dict[str, Any]) -> str | None:
    """Return a diff of the texts that an edit was given; None where it was given none."""
    edits = arguments.get("edits")
    each = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else [arguments]
    diffs = []
    for edit in each:
        old = next((edit[name] for name in OLD_NAMES if isinstance(edit.get(name), str)), None)
        new = next((edit[name] for name in NEW_NAMES if isinstance(edit.get(name), str)), None)
        if old is not None and new is not None:
            diffs.append(unified(old.split("\n"), new.split("\n"), "").partition("\n+++ b/\n")[2])
    return "\n".join(diffs) if diffs else None


def _result(timeline: Timeline, op: Plain, effects: Sequence[tuple[int, Plain]], command: str) -> Iterator[Part]:
    if "result" not in op:
        if op["outcome"] not in ("ok", "unknown"):
            yield Part("error", op["outcome"], missing="it gave nothing back")
        return
    text, missing = read_blob(timeline, op["result"])
    failed = op["outcome"] == "error"
    title = "error" if failed else "interrupted" if op["outcome"] == "interrupted" else "output"
    role = "error" if failed else "output"
    reads = [each for _, each in effects if each["kind"] == "seen" and each["how"] == "read"]
    if not command and len(reads) == 1 and (listing := _listing(text)) is not None:
        first, lines, rest = listing
        path = reads[0]["path"]
        yield part(role, path, lines, language_of_path(path), path=path, line=first, missing=missing)
        if rest.strip():
            yield part("note", "below it", rest.strip("\n"))
        return
    value = parsed(text)
    if isinstance(value, dict) and (long := {name: each for name, each in value.items() if _is_lines(each)}):
        for name, each in long.items():
            yield from with_images(role, title if name == "output" else name, visible(each), language_of_text(each))
        value = {name: each for name, each in value.items() if name not in long}
        title, text = "with it", ""
        if not value:
            return
    if value is not None:
        yield part(role, title, visible(pretty(value)), "json", missing=missing)
    else:
        yield from with_images(role, title, text, language_of_text(text), missing=missing)


def _is_lines(value: Any) -> bool:
    """Whether a value is a text of several lines, which JSON would show as one."""
    return isinstance(value, str) and "\n" in value


_NUMBERED = re.compile(r"\s{0,20}(\d{1,9})(?:→|\t)(.*)")


def _listing(text: str) -> tuple[int, str, str] | None:
    """Take a listing apart whose lines begin with their numbers: (first line, its text, what stands below it)."""
    lines = text.split("\n")
    first, found = 0, list[str]()
    for line in lines:
        match = _NUMBERED.fullmatch(line)
        if match is None or (found and int(match[1]) != first + len(found)):
            break
        first = first or int(match[1])
        found.append(match[2])
    return (first, "\n".join(found), "\n".join(lines[len(found) :])) if found else None


def _reads(effects: Sequence[tuple[int, Plain]]) -> Iterator[Part]:
    """The files that the result showed, where there are several."""
    reads = [each for _, each in effects if each["kind"] == "seen" and each["how"] == "read"]
    if len(reads) > 1:
        yield part("note", "files in the output", "\n".join(map(_place, reads)))
    for each in reads:
        if "withheld" in each:
            yield Part("note", each["path"], path=each["path"], missing=f"withheld: {each['withheld']}")
    if maybe := [each["path"] for _, each in effects if _is_uncertain(each)]:
        yield part("note", "files it may have changed", "\n".join(maybe))


def _is_uncertain(op: Plain) -> bool:
    """Whether a command may have changed a file, and nothing says how."""
    return op["kind"] == "seen" and op.get("withheld") == "uncertain" and "content" not in op


def _place(op: Plain) -> str:
    path: str = op["path"]
    return path + (" lines {}–{}".format(*op["slice"]) if "slice" in op else "")


# ---- what a call did to files ----


def effect_parts(timeline: Timeline, step: int, op: Plain) -> Iterator[Part]:
    """A file that was seen at a step of its own, and the call it belongs to."""
    call = call_of(timeline, step, op)
    if op["how"] in ("edit", "write"):
        yield from (change.part for change in _change(timeline, step, op))
    else:
        text, missing = read_blob(timeline, op.get("content"))
        if "withheld" in op:
            missing = f"withheld: {op['withheld']}"
        path = op["path"]
        first = op["slice"][0] if "slice" in op else 1
        yield part("output", _place(op), text, language_of_path(path), path=path, line=first, missing=missing)
    if call is not None:
        yield part("note", "part of", f"step {call:,}, {timeline.op(call)['name']}")


class Change(NamedTuple):
    """What one effect changed."""

    part: Part
    known: tuple[str, ...] = ()
    """The text of the file before and after, as far as they are known."""


def _change(timeline: Timeline, step: int, op: Plain, role: str = "edit") -> Iterator[Change]:
    path = op["path"]
    if op["kind"] == "gone":
        yield Change(part("note", "deleted", path, path=path))
    elif op["kind"] == "renamed":
        yield Change(part("note", "renamed", f"{path} → {op['to']}", path=op["to"]))
    elif op["how"] in ("edit", "write"):
        yield _changed(timeline, step, op, role)


def _changed(timeline: Timeline, step: int, op: Plain, role: str) -> Change:
    path = op["path"]
    if "withheld" in op and "content" not in op:
        return Change(Part(role, path, "", "diff", path, missing=f"withheld: {op['withheld']}"))
    before, after = _versions(timeline, path, step)
    was, now = _lines(timeline, path, before), _lines(timeline, path, after)
    if was is None or now is None:
        text, missing = ("\n".join(now), "") if now is not None else read_blob(timeline, op.get("content"))
        if op["how"] == "edit":
            missing = missing or "what it was before isn't known"
        first = op["slice"][0] if "slice" in op and now is None else 1
        return Change(
            part("write", path, text, language_of_path(path), path=path, line=first, missing=missing), (text,)
        )
    diff = unified(was, now, path)
    line = int(found[1]) if (found := _FIRST.search(diff)) else 1
    missing = "" if diff else "nothing in it changed"
    made = part(role, path, diff, "diff", path=path, line=line, missing=missing)
    return Change(made, ("\n".join(was), "\n".join(now)))


_FIRST = re.compile(r"^@@ -\S+ \+(\d+)", re.MULTILINE)


def _versions(timeline: Timeline, path: str, step: int) -> tuple[Version | None, Version | None]:
    """Return what a file was before a step, and what the step made of it."""
    every = timeline.sources.versions(path)
    after = next((each for each in every if each.step == step), None)
    before = next((each for each in reversed(every) if each.step < step), None)
    return (before if before is not None and before.why != "gone" else None), after


def _lines(timeline: Timeline, path: str, version: Version | None) -> Sequence[str] | None:
    """Return the lines of a version; None where nothing is known of its text."""
    if version is None or not version.content:
        return None
    sheet = timeline.sources.sheet(path, version)
    if sheet is None or not sheet.runs:
        return None
    lines = list(sheet.lines)
    for first, last, kind in sheet.runs:
        if kind == UNKNOWN:
            lines[first - 1 : last] = [UNSEEN] * (last - first + 1)
    return lines[:-1] if lines[-1] == "" and _is_ended(sheet) else lines


def _is_ended(sheet: Sheet) -> bool:
    return sheet.ended and len(sheet.lines) > 1
