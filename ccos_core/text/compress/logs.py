"""Output of tests, builds and services: every line that tells of an error, and of lines that are alike the first ones.

Lines are alike if they differ in numbers only, and so are reports of tests that passed and of steps of an installer.
What tells of an error stays word for word, with the lines around it; the same line again is left out.
"""

from __future__ import annotations

import re
from collections import Counter

from ccos_core.text.compress.shortened import Shortened, without_lines

HEAD_LINES, TAIL_LINES = 6, 12
"""Lines at the start and at the end that always stay: what was run, and what it came to."""
BEFORE_LINES, AFTER_LINES = 2, 4
"""Lines that stay around one that tells of an error."""
ALIKE_LINES = 2
"""Of lines that are alike, how many stay."""
LEAST_LINES = 24
"""A shorter output stays as it is."""
LONGEST_LINE = 1_000
"""Characters of a line that is looked at; a longer one always stays."""
LEAST_LIKE_LOG_PERCENT = 40
"""Part of the lines that a text must have of those below to be a log."""

PASSED = "passed"
_TROUBLE = re.compile(
    r"error|fail|fatal|panic|exception|traceback|assert|abort|denied|refused|undefined|unexpected|cannot|can't"
    r"|could not|not found|no such|unresolved|mismatch|timed? ?out|\b(?:code|rc|status)\b\W{0,2}[1-9]|core dumped"
    r"|critical|invalid|killed|segfault|warn|^\s*(?:E |>|\^|~|✗|✘|×|●|FAIL\b|not ok)|^\s*File \""
    r"|\b(?:expected|received|got|left|right|want|have)\b\s*(?:[:=]|-?\d)"
    r"|\w\.\w{1,5}:\d+",
    re.IGNORECASE,
)
_NO_TROUBLE = re.compile(r"\b(?:0|no) (?:errors?|fail\w*|warnings?)", re.IGNORECASE)
_PASSED = re.compile(
    r"\bPASSED\b\s*(?:\[ *\d+%\])?\s*$|\.\.\. ok\s*$"
    r"|^\s*(?:--- PASS:|=== (?:RUN|PAUSE|CONT)\b|ok\s+\S+\s|✓|✔|√|PASS\b)"
)
_NOT_ALL = re.compile(r"[✗✘×]|\b[1-9]\d* (?:failed|failures?|errors?)\b|\b(?:TODO|SKIP)\b", re.IGNORECASE)
"""What tells of trouble even in a line that says `passed`."""
_STEP = re.compile(
    r"^\s*(?:Compiling|Checking|Download(?:ing|ed)|Fetching|Collecting|Installing|Building|Resolving|Unpacking"
    r"|Using cached|Requirement already satisfied|Get:|Hit:|Setting up|Preparing|Selecting|Reusing|Adding|Updating"
    r"|Processing|Locking|Fresh|Documenting|go: downloading|npm (?:http|timing|sill|verb))\b"
)
_STAMP = re.compile(
    r"^\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:)"
    r"|\b(?:DEBUG|INFO|TRACE|NOTICE|WARN(?:ING)?|ERROR)\b"
)
_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{7,40}\b|\d+")


def is_log(text: str) -> bool:
    """Tell whether enough lines look like those of a log or of a test run."""
    lines = [line[:LONGEST_LINE] for line in text.split("\n", 400)[:400] if line.strip()]
    alike = sum(bool(_PASSED.search(line) or _STEP.match(line) or _STAMP.search(line)) for line in lines)
    return len(lines) >= LEAST_LINES and alike * 100 >= LEAST_LIKE_LOG_PERCENT * len(lines)


def shorten_log(text: str, ref: str) -> Shortened | None:
    """Leave out what passed and what repeats; None if nothing is gained."""
    lines = text.split("\n")
    if len(lines) < LEAST_LINES:
        return None
    seen: Counter[str] = Counter()
    kept = {*range(HEAD_LINES), *range(len(lines) - TAIL_LINES, len(lines))}
    passed: list[int] = []
    for at, line in enumerate(lines):
        if len(line) > LONGEST_LINE:
            kept.add(at)
            continue
        is_trouble = _is_trouble(line)
        sort = line if is_trouble else _sort_of(line)
        seen[sort] += 1
        if is_trouble and seen[sort] == 1:
            kept.update(range(at - BEFORE_LINES, at + AFTER_LINES + 1))
        elif seen[sort] <= ALIKE_LINES:
            kept.add(at)
        elif sort == PASSED:
            passed.append(at)
    return without_lines("log", text, kept.difference(passed), ref)


def _is_trouble(line: str) -> bool:
    if _NOT_ALL.search(line):
        return True
    return not _PASSED.search(line) and _TROUBLE.search(_NO_TROUBLE.sub("", line)) is not None


def _sort_of(line: str) -> str:
    """Return what lines that are alike have in common."""
    if _PASSED.search(line):
        return PASSED
    step = _STEP.match(line)
    return step.group() if step else _NUMBERS.sub("#", line)
