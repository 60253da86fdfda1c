"""What a row of steps says: a call as a person would name it, and what came of it.

describe(ops, 42, content, fails=2)  ->  ("Bash go test ./…", "2 fail")
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError
from ccos_core.intake.tools import command_of
from ccos_core.present.cells import clip_path
from ccos_core.query.telling import SMALL, Content, one_line, op_words

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

SEALED = "sealed thought"
OLD_NAMES = ("old_string", "oldString", "old_str", "old_text", "old")
NEW_NAMES = ("new_string", "newString", "new_str", "new_text", "new")
WHOLE_NAMES = ("content", "file_text", "contents")
"""Arguments under which tools take the text before, after, and of a whole file."""
PATCH_NAMES = ("patch", "input", "diff", "patchText", "patch_text", "command")
PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
BEGIN_PATCH = "*** Begin Patch"
PATCH_MARKS = (BEGIN_PATCH, "--- ", "diff --git ", "@@ ")
CHANNELS = {"refusal": "refused", "queued": "meanwhile"}
"""Through which channel a prompt came → how its row begins; of any other its own name."""
REFUSED = ("error", "interrupted")
TAGS = re.compile(r"</?[a-z_]+>")
BEGINS_ERROR = re.compile(r"(?:[\w./-]+: )?(?:fatal|error|panic|[A-Za-z.]*(?:Error|Exception))\b[:[]", re.IGNORECASE)
NAMES_ERROR = re.compile(
    r"\b(?!0 (?:errors?|failures?))(error|errors|failed|failure|fatal|panic|exception|denied|not found|no such|cannot"
    r"|can't|invalid|refused|not allowed|does not exist|has not been)\b|[a-z]Error\b",
    re.IGNORECASE,
)
CHANGED_FOLDER = re.compile(r"^\s*cd [^\s;&|]+ && (?=\S)")
"""A change of folder before a command; what follows says more."""
ALIGNED_LINES = 200
"""Lines up to which texts are aligned, which takes time by the square; longer ones are compared as sets of lines."""
PATH_COLUMNS = 32
ERROR_LENGTH = 80
"""Characters of an error that stand beside its call."""


def describe(ops: Mapping[int, Plain], step: int, content: Content, fails: int) -> tuple[str, str]:
    """Return what a group about `step` says, and what came of it; `ops` are the group's, in order."""
    op = ops[step]
    if op["kind"] == "tool":
        return _call(op, ops, content, fails)
    if op["kind"] == "thought" and "said" not in op:
        sealed = sum(each["kind"] == "thought" for each in ops.values())
        return SEALED if sealed == 1 else f"{sealed:,} {SEALED}s", ""
    says = one_line(op_words(op, content))
    if "channel" in op:  # what was said so answers something: a reader who counts prompts is to see that
        says = f"{CHANNELS.get(op['channel'], op['channel'])}: {says}"
    return says, f"{fails:,} fail" if fails else ""


def _call(op: Plain, ops: Mapping[int, Plain], content: Content, fails: int) -> tuple[str, str]:
    arguments = _read(op, "arguments", content)
    given = _parsed(arguments)
    command = command_of(arguments)
    effects = [each for each in ops.values() if each["kind"] in ("seen", "gone", "renamed")]
    patch = patch_of(given)
    paths = dict.fromkeys([str(each["path"]) for each in effects] or PATCHED.findall(patch))
    if (not command or patch) and len(paths) == 1:
        about = next(iter(paths)) + _lines(effects)
    elif (not command or patch) and paths:
        about = f"{len(paths):,} files: {' '.join(paths)}"
    elif command:
        about = one_line(CHANGED_FOLDER.sub("", command))
    else:
        about = _searched(given) or one_line(op_words(op, content)).partition(" ")[2] or one_line(_text_in(given))
    return f"{op['name']} {about}".rstrip(), _result(op, given, patch, content, fails)


def _searched(given: Any) -> str:
    """Return what a search looks for, and where; empty if the call is none."""
    if not isinstance(given, dict) or not isinstance(given.get("pattern"), str):
        return ""
    path = given.get("path")
    where = f" in {clip_path(path, PATH_COLUMNS)}" if isinstance(path, str) and path else ""
    return f"{one_line(given['pattern'])}{where}"


def _text_in(given: Any, depth: int = 3) -> str:
    """Return the first text among a call's arguments."""
    if isinstance(given, str):
        return given
    values = given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()
    return next(filter(None, (_text_in(each, depth - 1) for each in values)), "") if depth else ""


def _lines(effects: list[Plain]) -> str:
    """Return the lines that a call showed of its file: ` 1–120`."""
    spans = [each["slice"] for each in effects if each.get("how") == "read" and "slice" in each]
    return f" {spans[0][0]}–{spans[-1][1]}" if spans and len(spans) == len(effects) else ""


def _result(op: Plain, given: Any, patch: str, content: Content, fails: int) -> str:
    if fails:
        return f"{fails:,} fail"
    if op["outcome"] in REFUSED:
        return error_words(_read(op, "result", content))
    added, removed = changed_lines(given, patch)
    if added or removed:
        return " ".join([*([f"+{added:,}"] if added else []), *([f"−{removed:,}"] if removed else [])])
    return ""


def error_words(text: str) -> str:
    """Return the line of an error that says most: the first that begins with one, the last that names one, the last."""
    lines = [line for each in text.splitlines() if (line := TAGS.sub("", each).strip())]
    begins = (line for line in lines if BEGINS_ERROR.match(line))
    names = (line for line in reversed(lines) if NAMES_ERROR.search(line))
    return one_line(next(begins, next(names, lines[-1] if lines else "")), ERROR_LENGTH)


def changed_lines(given: Any, patch: str = "") -> tuple[int, int]:
    """Return how many lines a call's arguments add and remove, as they ask for it."""
    if patch:
        lines = [line for line in patch.splitlines() if not line.startswith(("+++ ", "--- "))]
        return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)
    if not isinstance(given, dict):
        return 0, 0
    edits = given.get("edits")
    if isinstance(edits, list):
        pairs = [changed_lines(edit) for edit in edits if isinstance(edit, dict)]
        return sum(added for added, _ in pairs), sum(removed for _, removed in pairs)
    old, new = _first(given, OLD_NAMES), _first(given, NEW_NAMES)
    if old is not None or new is not None:
        return _between(old or "", new or "")
    whole = _first(given, WHOLE_NAMES)
    return (len(whole.splitlines()), 0) if whole is not None else (0, 0)


def _between(old: str, new: str) -> tuple[int, int]:
    """Return the lines that one text has more than another, and less."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > ALIGNED_LINES:
        less, more = Counter(before), Counter(after)
        return (more - less).total(), (less - more).total()
    from difflib import SequenceMatcher

    added = removed = 0
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            removed, added = removed + b - a, added + d - c
    return added, removed


def patched_paths(arguments: str) -> list[str]:
    """Return the files that a patch among a call's arguments names."""
    return list(dict.fromkeys(PATCHED.findall(patch_of(_parsed(arguments) or arguments))))


def patch_of(given: Any) -> str:
    """Return the patch among a call's arguments; empty if there is none."""
    if isinstance(given, str):
        return given if given.lstrip().startswith(PATCH_MARKS) else ""
    if not isinstance(given, dict):
        return ""
    for name in PATCH_NAMES:
        text = given.get(name)
        if isinstance(text, list) and text:
            text = text[-1]
        if isinstance(text, str) and text.lstrip().startswith(PATCH_MARKS):
            return text
        if isinstance(text, str) and text.lstrip().startswith("apply_patch") and BEGIN_PATCH in text:
            return text[text.index(BEGIN_PATCH) :]
    return ""


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return next((given[name] for name in names if isinstance(given.get(name), str)), None)


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return None


def _read(op: Plain, field: str, content: Content) -> str:
    """Return a content of an op; empty if it has none, is too large to read for a row, or can't be had."""
    if field not in op or op[field]["bytes"] > 4 * SMALL:
        return ""
    try:
        return content(op[field]["blob"]).decode("utf-8", "replace")
    except CcosError:
        return ""
