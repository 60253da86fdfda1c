"""Find what is pasted into a text without a fence: logs, stack traces, diffs, JSON, output of terminals, code, entries
of a log whose fields have labels (`Author: …`, `Date: …`).

A line counts as pasted where its form leaves no doubt. Pasted lines that belong together are one block, with the few
lines between them that have no such form. Sentences and list items are never a reason for a block.

    pasted_blocks(["It fails:", "Traceback (most recent call last):", '  File "a.py", line 1', "Why?"])  →  [(1, 3)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

GAP_LINES = 3
"""Lines without a form of their own that a block may have between two that have one."""
SHORT_CHARACTERS = 80
"""A longer line that isn't indented is a paragraph, and ends a block."""
INDENT = "    "
END_CHARACTERS = 200
"""Of a long line only the begin and the end are looked at."""

_FORMS = re.compile(
    r"""\s*(?:
    # times of logs
    \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d[\].,\s] | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d
    # JSON
    | [{}\[\]()]+[,;]?\s*$ | \{\s*" | "[^"\n]{1,80}"\s*:\s*\S
    # terminals and tools
    | [⏺⎿❯│├└╭╰┌┐┘┤┬┴┼✓✔✗✘●○] | \$\ \S | [─═━]{4,} | ={3,}\s.*\s={3,}\s*$ | -{3}\s(?:FAIL|PASS|SKIP):
    | \S{1,300}\.\w{1,5}:\d+(?::\d+)?:\s | (?:npm|yarn|pnpm)\ (?:ERR|WARN) | (?:FAILED|PASSED)\s\S+:: | E\ {3}\S
    | (?:ok|FAIL|\?)\s+\S{1,300}/\S+\s | (?:create|delete)\ mode\ \d{6}\s | \d+\ files?\ changed,
    | (?:error|warning)(?:\[\w+\]|\ TS\d+):\s | fatal:\s | (?:go|make|bash|zsh|sh|cargo|git):\s\S
    # stack traces
    | Traceback\ \(most\ recent | File\ "[^"\n]+",\ line\ \d | at\ (?:async\ )?\S{1,300}\ ?\(\S{1,300}:\d+
    | at\ (?:async\ )?\S{1,300}:\d+:\d+ | [\w.]*(?:Error|Exception):\s | panic:\s | goroutine\ \d+\ \[
    | thread\ '[^'\n]*'\ panicked
    # diffs
    | diff\ --git\s | @@\ -\d | \+{3}\ \S | -{3}\ [ab]/ | index\ [0-9a-f]{7,}\.\.
    # code
    | (?:def|class|async\ def)\ \w[^\n]*:\s*$ | (?:func|fn|function|type|interface|struct|enum|public|private|export
    |import|package|const|let|var|if|for|while|switch|else|return|case)\b[^\n]*[{;]\s*$ | \}\s*\w[^\n]*[{;(]\s*$
    | [\w.\[\]]+(?:\s*[-+|]?:?=(?!=)\s*)[^\n]*[\w)\]}"';,{(]\s*$ | [\w.]+\([^\n]*\)[;{]?\s*$
    | [^\n]*[=()\[\]{}][^\n]*;\s*$ | [^\n]*\{\s*$
    | \#include\s | from\ [\w.]+\ import\s | import\ [\w.]+\s*$ | </?\w[^<>\n]*>\s*$
    )""",
    re.VERBOSE,
)
_LABEL = re.compile(r"\s*(?:[A-Z][\w #./-]{0,40}:(?:\s|$)|commit [0-9a-f]{7,40}\b)")
_TIMED = re.compile(
    r"\s*(?:Timestamp|Time|Date|Created|Sent|When)\b[^:\n]{0,20}:(?=[^\n]{0,60}\b\d{4}\b)[^\n]{0,60}\d:\d\d\b"
)
"""A field of a log that says when: with a year and a time of day."""
_QUOTED = re.compile(r"\s*>")
_CHANGED = re.compile(r"[-+ ]")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_SENTENCE = re.compile(r"[.!?…:][\"'”’)\]*_`]*\s*$")


def pasted_blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first, end) of each block, counted from 0, in order."""
    marked = _marked(lines)
    found: list[tuple[int, int]] = []
    for at, is_pasted in enumerate(marked):
        if not is_pasted:
            if found and found[-1][1] == at and _goes_on(lines[at - 1], lines[at]):
                found[-1] = found[-1][0], at + 1
        elif found and _belongs(lines, found[-1], at):
            found[-1] = found[-1][0], at + 1
        else:
            found.append((at, at + 1))
    return found


# ---- helpers ----


def _marked(lines: Sequence[str]) -> list[bool]:
    """Tell of each line whether its form, or a hunk it stands in, says that it is pasted."""
    marked = [_QUOTED.match(line) is not None or is_form(line) for line in lines]
    read = 0
    for at, line in enumerate(lines):
        if at >= read and _TIMED.match(line[:END_CHARACTERS]):
            first, read, is_entry = _entry(lines, at)
            marked[first:read] = [each or is_entry for each in marked[first:read]]
        if hunk := _HUNK.match(line):
            for inside in _hunk(lines, at, int(hunk[1] or 1), int(hunk[2] or 1)):
                marked[inside] = True
    return marked


def is_form(line: str) -> bool:
    """Tell whether the form of a line says that it is code, a log or output."""
    if len(line) > 2 * END_CHARACTERS:
        line = line[:END_CHARACTERS] + line[-END_CHARACTERS:]
    return not _ITEM.match(line) and _FORMS.match(line) is not None


def _entry(lines: Sequence[str], at: int) -> tuple[int, int, bool]:
    """Return (first, end) of an entry of a log around the field that says when, and whether it is one, with other
    fields: those before it, what follows up to an empty line, and the indented lines behind that, as in a log of
    commits."""
    first, end = at, at + 1
    while first and _LABEL.match(lines[first - 1][:END_CHARACTERS]):
        first -= 1
    while end < len(lines) and lines[end].strip():
        end += 1
    fields = sum(_LABEL.match(line[:END_CHARACTERS]) is not None for line in lines[first:end])
    for inside in range(end, len(lines)):
        if lines[inside].strip() and not (lines[inside].startswith(INDENT) and not _ITEM.match(lines[inside])):
            break
        end = inside + 1 if lines[inside].strip() else end
    return first, end, fields > 1


def _hunk(lines: Sequence[str], at: int, old: int, new: int) -> Iterator[int]:
    """Yield the lines of a hunk of a diff, as many as its head says."""
    for inside in range(at + 1, len(lines)):
        line = lines[inside]
        if (old <= 0 and new <= 0) or (line and not _CHANGED.match(line)):
            return
        old -= not line.startswith("+")
        new -= not line.startswith("-")
        yield inside


def _goes_on(last: str, line: str) -> bool:
    """Tell whether an indented line without a form is the next of code."""
    is_inner = last[:1].isspace() or last.rstrip().endswith((":", "{", "(", "[", ","))
    return is_inner and line[:1].isspace() and bool(line.strip()) and not _ITEM.match(line)


def _belongs(lines: Sequence[str], block: tuple[int, int], at: int) -> bool:
    """Tell whether a pasted line goes on with the block before it; quotes and other forms don't mix."""
    between = lines[block[1] : at]
    if bool(_QUOTED.match(lines[block[1] - 1])) != bool(_QUOTED.match(lines[at])):
        return False
    return len(between) <= GAP_LINES and all(map(_has_no_form, between))


def _has_no_form(line: str) -> bool:
    """Tell whether a line between two pasted ones may be part of them: empty, indented, or too short to be prose."""
    if not line.strip():
        return True
    if _ITEM.match(line):
        return False
    return line[:1].isspace() or (len(line) <= SHORT_CHARACTERS and not _SENTENCE.search(line))
