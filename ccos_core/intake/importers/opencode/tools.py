"""What OpenCode's tools did to files, from the state of a call: its input, its output and what the host noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import (
    Changed,
    Effect,
    Moved,
    Patched,
    Removed,
    Replaced,
    Shown,
    Wrote,
    effects_of_mcp,
)
from ccos_core.intake.calls.numbered import found_by_search, stretches
from ccos_core.intake.calls.patches import hunks_of_diff, parse_patch
from ccos_core.intake.importers.fields import (
    at,
    number,
    objects,
    text,
    text_or_none,
    word,
)

REFUSED = "The user rejected permission to use this specific tool call with the following feedback:"
OWN_TOOLS = frozenset(
    {
        "apply_patch", "bash", "codesearch", "edit", "glob", "grep", "list", "ls", "lsp", "multiedit", "patch",
        "plan_enter", "plan_exit", "question", "read", "skill", "task", "todoread", "todowrite", "webfetch",
        "websearch", "write",
    }
)  # fmt: skip
"""Tools of the host. Those of plugins and servers have other names."""

_LINE = re.compile(r"(\d{1,9})(?:: |\| |:\Z|\|\Z)(.*)", re.DOTALL)
_CONTENT = re.compile(r"<(?:content|file)>\n(.*?)(?:\n</(?:content|file)>|\Z)", re.DOTALL)
_END = re.compile(r"^\(End of file - total (\d{1,9}) lines\)$", re.MULTILINE)
_PATH = re.compile(r"<path>(.+?)</path>")
_HIT = re.compile(r"  Line (\d{1,9}): ?(.*)", re.DOTALL)


def effects_of(tool: str, state: dict[str, Any], cwd: str) -> list[Effect]:
    """What a call that ended well did, or a command that ended in whichever way."""
    given, noted, printed = state.get("input"), state.get("metadata"), text(state, "output")
    path = text(given, "filePath") or text(given, "path")
    match tool:
        case "read":
            return read(path, printed, noted)
        case "write":
            return [_wrote(path, given, noted)] if path and isinstance(at(given, "content"), str) else []
        case "edit":
            return _edited(path, given, noted)
        case "multiedit":
            results, edits = list(objects(noted, "results")), list(objects(given, "edits"))
            found: list[Effect] = []
            for place, edit in enumerate(edits):
                named = text(edit, "filePath") or path
                found += _edited(named, edit, results[place] if len(results) == len(edits) else None)
            return found
        case "patch" | "apply_patch":
            return _patched(given, noted)
        case "grep":
            return list(found_in(printed))
        case "bash":
            return effects_of_command(text(given, "command"), printed, succeeded(state), cwd or ".")
    return effects_of_mcp(tool, given, printed)


def succeeded(state: dict[str, Any]) -> bool | None:
    """Whether a command did, as far as the host noted."""
    code = at(state, "metadata", "exit")
    return code == 0 if isinstance(code, int) and not isinstance(code, bool) else None


def read(path: str, printed: str, noted: Any = None) -> list[Effect]:
    """What a read showed."""
    display = at(noted, "display")
    if text(display, "type") == "file" and isinstance(at(display, "text"), str):
        return _displayed(path or text(display, "path"), display)
    content = _CONTENT.search(printed)
    named = _PATH.search(printed)
    path = path or (named[1] if named is not None else "")
    if content is None or not path:
        return []
    lines = [(int(match[1]), match[2]) for line in content[1].split("\n") if (match := _LINE.fullmatch(line))]
    end = _END.search(content[1])
    if lines and end is not None and [number for number, _ in lines] == [*range(1, int(end[1]) + 1)]:
        return [Shown(path, "".join(line + "\n" for _, line in lines), whole=True)]
    shown = stretches(path, lines)
    if shown and end is not None and lines[-1][0] == int(end[1]):
        shown[-1] = replace(shown[-1], ends=True)
    return list(shown)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _displayed(path: str, display: Any) -> list[Effect]:
    said = text(display, "text")
    first, last = number(display, "lineStart") or 1, number(display, "lineEnd")
    if not path or not said:
        return []
    lines = said.removesuffix("\n") + "\n"
    ends = last is not None and last == number(display, "totalLines") == first + lines.count("\n") - 1
    ends = ends and at(display, "truncated") is not True
    return [Shown(path, lines, first, whole=ends and first == 1, ends=ends and first > 1)]


def _wrote(path: str, given: Any, noted: Any) -> Effect:
    before = text_or_none(noted, "filediff", "before")
    if before is None and at(noted, "exists") is False:
        before = ""
    return Wrote(path, text(given, "content"), before)


def _edited(path: str, given: Any, noted: Any) -> list[Effect]:
    """By the whole file before, by the difference, or by the two texts: whatever is there, in this order."""
    if not path:
        return []
    old, new = at(given, "oldString"), at(given, "newString")
    before, after = at(noted, "filediff", "before"), at(noted, "filediff", "after")
    if isinstance(before, str) and isinstance(after, str):
        return [Wrote(path, after, before)] if not before else [_changed(path, before, after, given)]
    diff = text(noted, "diff") or text(noted, "filediff", "patch")
    if hunks := hunks_of_diff(diff):
        return [Patched(path, hunks)]
    if isinstance(old, str) and isinstance(new, str):
        return [Replaced(path, old, new, at(given, "replaceAll") is True) if old else Wrote(path, new)]
    return []


def _changed(path: str, before: str, after: str, given: Any) -> Effect:
    """An edit of a file that is known before and after."""
    old, new, everywhere = text(given, "oldString"), text(given, "newString"), at(given, "replaceAll") is True
    if old and (before.replace(old, new) if everywhere else before.replace(old, new, 1)) == after:
        return Replaced(path, old, new, everywhere, before)
    return Replaced(path, before, after, before=before)


def _patched(given: Any, noted: Any) -> list[Effect]:
    """A patch, with the files as they were where the host noted them."""
    found: list[Effect] = []
    for file in objects(noted, "files"):
        path, before, after = text(file, "filePath"), file.get("before"), file.get("after")
        if not path or not isinstance(before, str) or not isinstance(after, str):
            return parse_patch(text(given, "patchText"))
        moved = text(file, "movePath")
        if file.get("type") == "delete" or moved:
            found.append(Removed(path))
        if file.get("type") != "delete":
            found.append(Wrote(moved or path, after) if moved or not before else _changed(path, before, after, None))
    return found or parse_patch(text(given, "patchText"))


def found_in(printed: str) -> Iterator[Effect]:
    """A search prints a path, and the lines found in it indented below."""
    path, hits = "", list[tuple[int, str]]()
    for line in [*printed.split("\n"), ":"]:
        hit = _HIT.fullmatch(line)
        if hit is not None:
            hits.append((int(hit[1]), hit[2]))
        elif line.endswith(":"):
            yield from found_by_search(path, sorted(dict(hits).items())) if path else ()
            path, hits = line[:-1], []


def untold(files: list[str], told: set[str]) -> list[Effect]:
    """Files the host says changed in a step, that no call of it is known to have changed."""
    return [Changed(path, inferred=True) for path in files if path not in told]


def outcome_of(tool: str, status: str, state: dict[str, Any]) -> str:
    """How a call ended. A command that ended with another code than 0 is complete to its host."""
    if status == "error":
        return "interrupted" if "abort" in text(state, "error").lower()[:200] else "error"
    return "error" if tool == "bash" and succeeded(state) is False else "ok"


def changed_by(calls: Iterable[tuple[str, Any]], cwd: str) -> set[str]:
    """The files that these calls, (tool, state), tell to have changed."""
    told: set[str] = set()
    for tool, state in calls:
        if isinstance(state, dict) and word(state, "status") == "completed":
            for effect in effects_of(tool, state, cwd):
                if isinstance(effect, (Wrote, Replaced, Patched, Removed, Moved)):
                    told.add(effect.path if effect.path.startswith("/") else f"{cwd}/{effect.path}")
    return told


def reply_to(tool: str, status: str, state: Any) -> tuple[str, str]:
    """Return (channel, words) of what the user says through the end of a call: answers, one line for each, or why they
    refuse it; two empty texts where it says nothing. The error of a tool that isn't the host's own may say anything."""
    if tool == "question" and status == "completed":
        answers = at(state, "metadata", "answers")
        chosen = (each for each in answers if isinstance(each, list)) if isinstance(answers, list) else ()
        return "answer", "\n".join(said for each in chosen for said in each if isinstance(said, str))
    _, refused, words = text(state, "error").partition(REFUSED)
    if status == "error" and tool in OWN_TOOLS and refused and text(state, "error").startswith(REFUSED):
        return "refusal", words.strip()
    return "", ""
