"""What Claude Code's tools did to files, from a call's blocks, arguments and result.

Beside the text the agent saw, a record holds the tool's own result in fields: an edit has the whole file as it was, a
read its lines without numbers. Where these are missing, as in records of subagents, the text has to do.

A search of a folder names the file before each line, one of a single file does not. A hit has colons around its line
number, a neighbour dashes; `--` separates stretches. Hits name their file relative to the working folder, neighbours
often in full, so a stretch is read by the file its hit names. The tool takes whatever precedes a line's first colon
for a path and tidies it, text too; such lines say nothing exact of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Effect, Hunk, Patched, Replaced, Shown, Wrote, effects_of_mcp
from ccos_core.intake.calls.numbered import found_by_search, numbered, stretches
from ccos_core.intake.importers.fields import number, objects, text, text_or_none
from ccos_core.intake.importers.images import placeholder_of_block
from ccos_core.values.paths import recorded

Fields = Mapping[str, Any]

NOTHING: Fields = {}


def fields(value: Any) -> Fields:
    """An object; an empty one where it is none."""
    return value if isinstance(value, dict) else NOTHING


def texts(value: Any) -> list[str]:
    """The texts of a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def blocks(content: Any) -> Iterator[Fields]:
    """What a message is made of. A plain text is one block of text, and a block may stand alone."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, dict):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield {"type": "text", "text": block} if isinstance(block, str) else fields(block)


def said(content: Any) -> str:
    """What a message says in words. Images and documents are lines with their size and hash."""
    return "\n".join(filter(None, map(_words, blocks(content))))


def _words(block: Fields) -> str:
    kind = block.get("type")
    if kind == "text":
        return text(block, "text")
    if kind in ("image", "document"):
        return placeholder_of_block(block)
    if kind == "tool_reference":
        return f"[{kind}: {text(block, 'tool_name')}]"
    return ""


_HIT = re.compile(r"([^\t]+?):(\d{1,9}):(.*)", re.DOTALL)
_PLAIN = re.compile(r"(\d{1,9})([:-])(.*)", re.DOTALL)
_BESIDE = re.compile(r"-(\d{1,9})(?=-)")
_LONGEST_PATH = 4_096
_LEFT_OUT = ("[Omitted long matching line]", "[Omitted long context line]")

Line = tuple[int, str]


def shown(printed: str, searched: str, cwd: str) -> list[Shown]:
    """What a search showed; `searched` is where it was asked to look."""
    found: dict[str, list[Line]] = {}
    for stretch in _stretches(printed):
        read = _in_one_file(stretch, searched) or _in_files(stretch, cwd)
        for path, at, line in read:
            found.setdefault(path, []).append((at, line))
    return [each for path, lines in found.items() for each in found_by_search(path, _rising(lines))]


def _stretches(printed: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in (*printed.split("\n"), "--"):
        if line in ("--", ""):
            if lines:
                yield lines
            lines = []
        else:
            lines.append(line)


def _in_one_file(stretch: list[str], searched: str) -> list[tuple[str, int, str]]:
    """All of its lines begin with their number; nothing otherwise."""
    read = [match for line in stretch if (match := _PLAIN.fullmatch(line)) is not None]
    if not searched or len(read) < len(stretch):
        return []
    return [(searched, int(each[1]), each[3]) for each in read if each[2] == ":" or not _tidied(each[3])]


def _in_files(stretch: list[str], cwd: str) -> list[tuple[str, int, str]]:
    """Nearly all of its lines name their file: hits by themselves, what stands beside them as a hit of the stretch
    does; nothing otherwise."""
    hits = [match[1] for line in stretch if (match := _HIT.fullmatch(line)) is not None]
    spelled = dict.fromkeys(each for path in dict.fromkeys(hits) for each in (path, recorded(path, cwd=cwd)))
    beside = [_beside(line, spelled) for line in stretch]
    read = [told for near, line in zip(beside, stretch, strict=True) if (told := near or _hit(line)) is not None]
    if len(read) * 10 < len(stretch) * 9:
        return []
    left_out = [near for near in beside if near is not None and _tidied(near[2])]
    return [(recorded(told[0], cwd=cwd), told[1], told[2]) for told in read if told not in left_out]


def _hit(line: str) -> tuple[str, int, str] | None:
    match = _HIT.fullmatch(line)
    return (match[1], int(match[2]), match[3]) if match is not None else None


def _beside(line: str, spelled: Mapping[str, None]) -> tuple[str, int, str] | None:
    """A line in front of which one of these files stands."""
    for match in _BESIDE.finditer(line, 1, _LONGEST_PATH):
        if line[: match.start()] in spelled:
            return line[: match.start()], int(match[1]), line[match.end() + 1 :]
    return None


def _tidied(line: str) -> bool:
    """Whether a line that only stands beside a hit may have lost something."""
    before, colon, _ = line.partition(":")
    return bool(colon) and "/" in before


def _rising(lines: list[Line]) -> list[Line]:
    """In order, each once, without those that were too long to be printed."""
    by_number = {number: line for number, line in lines if line not in _LEFT_OUT and number >= 1}
    return sorted(by_number.items())


READ_AT_ONCE = 2_000
"""Lines a read gives when it isn't told how many."""


@dataclass(frozen=True, slots=True)
class Use:
    """One call, with its end."""

    name: str
    arguments: Fields
    printed: str
    """The text the agent saw."""
    structured: Fields
    """The tool's own result; empty where it isn't recorded."""
    outcome: str
    cwd: str


def effects_of(use: Use) -> list[Effect]:
    """What a call did to files, in the order it happened."""
    way = _WAYS.get(use.name)
    if way is None and use.outcome == "ok" and use.name.startswith("mcp__"):
        return effects_of_mcp(use.name, use.arguments, use.printed)
    if way is None or (use.outcome != "ok" and use.name != "Bash"):
        return []
    return way(use)


def shown_file(file: Fields) -> list[Effect]:
    """A file, or a part of it, as a read tells of it in fields."""
    path, content = text(file, "filePath"), file.get("content")
    first, total = number(file, "startLine"), number(file, "totalLines")
    first = 1 if first is None else first
    if not path or not isinstance(content, str) or (not content and first > 1):
        return []
    if not content and total is not None and total > 1:
        return []  # its content was blanked out of the transcript
    ends = total is not None and first + content.count("\n") >= total
    if ends:
        return [Shown(path, content, max(first, 1), whole=first <= 1, ends=True)]
    return [Shown(path, content + "\n", max(first, 1))]


# -- one way per tool -------------------------------------------------------------------------------------------------


def _read(use: Use) -> list[Effect]:
    file = fields(use.structured.get("file"))
    if isinstance(file.get("content"), str):
        return shown_file(file)
    path, lines = text(use.arguments.get("file_path")), numbered(use.printed)
    if not path or use.structured.get("type") == "file_unchanged":
        return []
    asked = [use.arguments.get(name) for name in ("offset", "limit")]
    if asked == [None, None] and _counted_through(lines):
        return [Shown(path, "\n".join(line for _, line in lines), whole=True)]
    return list(stretches(path, lines))


def _counted_through(lines: list[tuple[int, str]]) -> bool:
    """Whether these are all lines a file has, given that nobody asked for only some of them."""
    return 0 < len(lines) < READ_AT_ONCE and lines[0][0] == 1 and lines[-1][0] == len(lines)


def _edit(use: Use) -> list[Effect]:
    told = use.structured
    path = text(told, "filePath") or text(use.arguments.get("file_path"))
    before = text_or_none(told, "originalFile")
    old = _either(told, use.arguments, "oldString", "old_string")
    new = _either(told, use.arguments, "newString", "new_string")
    if before == "" and old:
        before = None  # it can't have been empty: blanked out of the transcript
    if not path or old is None or new is None:
        return []
    everywhere = told.get("replaceAll", use.arguments.get("replace_all")) is True
    hunks = _hunks(told.get("structuredPatch"))
    is_said_by_patch = old not in before if before is not None else _are_exact(hunks, old)
    if hunks and (told.get("userModified") is True or is_said_by_patch):
        return [Patched(path, hunks, before)]
    return [_replaced(path, old, new, everywhere, before)]


def _replaced(path: str, old: str, new: str, everywhere: bool, before: str | None) -> Effect:
    """One edit, as this host does it: of nothing it makes a new file, and whole lines it takes away with their end."""
    if not old and not before:
        return Wrote(path, new, before)
    if not new and before is not None and not old.endswith("\n") and old + "\n" in before:
        old += "\n"
    return Replaced(path, old, new, everywhere, before)


def _edits(use: Use) -> list[Effect]:
    """Several edits of one file, one after the other."""
    told = use.structured
    path = text(told, "filePath") or text(use.arguments.get("file_path"))
    known = text_or_none(told.get("originalFileContents", told.get("originalFile")))
    effects: list[Effect] = []
    for edit in objects(use.arguments, "edits") if path else ():
        old, new = edit.get("old_string"), edit.get("new_string")
        if isinstance(old, str) and isinstance(new, str):
            effect = _replaced(path, old, new, edit.get("replace_all") is True, known)
            known = _after(effect)
            effects.append(effect)
    return effects


def _after(effect: Effect) -> str | None:
    """What a file is after an edit of a text that is known."""
    if isinstance(effect, Wrote):
        return effect.text
    if isinstance(effect, Replaced) and effect.before is not None:
        return effect.before.replace(effect.old, effect.new, -1 if effect.everywhere else 1)
    return None


def _write(use: Use) -> list[Effect]:
    told = use.structured
    path = text(told, "filePath") or text(use.arguments.get("file_path"))
    content = _either(told, use.arguments, "content", "content")
    before = text_or_none(told, "originalFile")
    if not path or content is None:
        return []
    is_new = told.get("type") == "create"
    return [Wrote(path, content, "" if before is None and is_new else before)]


def _edit_notebook(use: Use) -> list[Effect]:
    told = use.structured
    path = text(use.arguments.get("notebook_path")) or text(told, "notebook_path")
    after = text_or_none(told, "updated_file")
    if not path:
        return []
    if after is not None:
        return [Wrote(path, after, text_or_none(told, "original_file"))]
    return [Replaced(path, "", text(use.arguments.get("new_source")))]


def _grep(use: Use) -> list[Effect]:
    if use.arguments.get("output_mode") != "content" or use.arguments.get("-n") is False:
        return []
    content = use.structured.get("content")
    printed = content if isinstance(content, str) else use.printed
    return list(shown(printed, text(use.arguments.get("path")), use.cwd))


def _bash(use: Use) -> list[Effect]:
    command, told = text(use.arguments.get("command")), use.structured
    in_background = use.arguments.get("run_in_background") is True or "backgroundTaskId" in told
    if not command or in_background:
        return []
    succeeded = None if told.get("returnCodeInterpretation") else use.outcome == "ok"
    if told.get("persistedOutputPath"):  # what was shown of it is a preview
        effects = effects_of_command(command, "", succeeded, use.cwd)
        return [effect for effect in effects if not isinstance(effect, Shown)]
    return effects_of_command(command, _output(use), succeeded, use.cwd)


def _output(use: Use) -> str:
    """What a command printed. The host takes the end of the last line off."""
    stdout = use.structured.get("stdout")
    printed = stdout if isinstance(stdout, str) else re.sub(r"\AExit code \d+\n", "", use.printed)
    return printed if not printed or printed.endswith("\n") else printed + "\n"


# -- helpers ----------------------------------------------------------------------------------------------------------


def _either(told: Fields, arguments: Fields, name: str, argument: str) -> str | None:
    """As the tool says it, or else as it was asked for."""
    said, asked = text_or_none(told, name), text_or_none(arguments, argument)
    return said if said is not None and (said or not asked) else asked  # an empty one may have been blanked out


def _hunks(patch: object) -> list[Hunk]:
    """The places of a patch; none where one of them can't be read."""
    found: list[Hunk] = []
    for each in patch if isinstance(patch, list) else ():
        lines, first = fields(each).get("lines"), number(fields(each).get("oldStart"))
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            return []
        old = tuple(line[1:] for line in lines if line[:1] in (" ", "-"))
        new = tuple(line[1:] for line in lines if line[:1] in (" ", "+"))
        found.append(Hunk(old, new, first or None))
    return found


def _are_exact(hunks: list[Hunk], old: str) -> bool:
    """Whether a patch has lines as they are in the file: some versions show its tabs as blanks."""
    return any(old in "\n".join(hunk.old) for hunk in hunks)


_WAYS: Mapping[str, Callable[[Use], list[Effect]]] = {
    "Read": _read,
    "Edit": _edit,
    "MultiEdit": _edits,
    "Write": _write,
    "NotebookEdit": _edit_notebook,
    "Grep": _grep,
    "Bash": _bash,
}
