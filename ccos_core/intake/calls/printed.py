"""What a host or a shell put into an output that no program printed: marks of what was left out, complaints.

Behind a mark nothing is certain any more. A file may hold such words as well; then less is said of it than could be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(
    r"Warning: truncated output \([^\n]{0,80}\)\n(?:Total output lines: \d+\n)?\n?"
    r"|<persisted-output>\nOutput too large [^\n]{0,400}\n\nPreview \([^\n]{0,80}\):\n"
)
_COUNTED = r"(?:lines?|characters|chars|tokens|bytes)"
_LEFT_OUT = (
    "truncated",
    "omitted",
    "elided",
    "clipped",
    "skipped",
    "not shown",
    "too l",
    "…",
    "persisted-output",
    "output_tail",
)
"""Words without which there is no mark, in small letters: most outputs have none of them."""
_MARK = re.compile(
    rf"… ?\+?\d[\d,]{{0,15}} {_COUNTED}|…[^\n]{{0,20}}truncated…"
    rf"|\d[\d,]{{0,15}} (?:more )?{_COUNTED}\]? (?:were )?(?:truncated|omitted|elided|clipped|skipped|not shown)"
    rf"|\[(?:\.\.\. ?)?(?:output |content |observation |results? )?(?:truncated|omitted|clipped|elided)"
    rf"|<response clipped>|<(?:output_tail|elided_chars)>|</?persisted-output>|\n\.\.\.\n</persisted-output>"
    rf"|(?:output|observation)[^\n]{{0,20}} (?:was |is |has been )?(?:truncated|clipped|too large|too long)",
    re.IGNORECASE,
)
_SHELL = re.compile(
    r"(?:/\S+: line \d+: \S+: (?:Operation not permitted|No such file or directory|Permission denied)"
    r"|(?:\S*/)?(?:bash|sh|zsh): (?:warning: setlocale|warning: shell level|cannot set terminal process group"
    r"|no job control in this shell)[^\n]*)\n"
)
_TROUBLE = (
    "o such file or directory", "ermission denied", "Is a directory", "Not a directory", "Read-only file system",
    "did not match any", "not under version control", "cannot overwrite", "are the same file",
    "Operation not permitted", "bad source", "would be over",
)  # fmt: skip
_LOST = re.compile(
    r"(?:^|\n|: )(?:cd: |(?:zsh|\(eval\)):cd:\d+: )[^\n]{0,300}"
    r"(?:No such file|Not a directory|Permission denied)",
    re.IGNORECASE,
)
COMPLAINT = (
    r"(?:(?:zsh|\(eval\)):(?:\w{{1,20}}:)?\d+: "
    r"|(?:[\w./-]{{0,80}}: )?(?:line \d+: |\d+: )?(?:[\w./-]{{0,80}}/)?(?:{}): )"
)
"""What a program or the shell that couldn't run it says of it, in front."""


def seen(output: str) -> tuple[str, bool]:
    """(the part of an output that is as it was printed, whether something was left out behind it)."""
    header = _HEADER.match(output)
    start = header.end() if header is not None else 0
    while (noise := _SHELL.match(output, start)) is not None:
        start = noise.end()
    text, small = output[start:], output.lower()
    mark = _MARK.search(text) if any(word in small for word in _LEFT_OUT) else None
    if mark is None:
        return text, header is not None
    return text[: text.rfind("\n", 0, mark.start()) + 1], True


def complains(text: str, program: str) -> bool:
    """Whether a text begins as a complaint of a program does, or of the shell that was to run it."""
    return re.match(COMPLAINT.format(f"{re.escape(program)}|bash|sh|zsh|dash"), text) is not None


def is_calm(text: str, programs: Sequence[str]) -> bool:
    """Whether none of these programs, and no shell, says that something couldn't be done."""
    said = [name for name in (*programs, "bash", "sh", "zsh") if f"{name}: " in text]
    names = "|".join(map(re.escape, said))
    shell = "zsh:" in text or "(eval):" in text
    return not (said or shell) or re.search("^" + COMPLAINT.format(names), text, re.MULTILINE) is None


def complaints(output: str) -> list[str]:
    """The lines that say that something couldn't be done."""
    found = [words for words in _TROUBLE if words in output]
    return [line for line in output.split("\n") if any(words in line for words in found)] if found else []


def got_lost(output: str) -> bool:
    """Whether a `cd` went nowhere."""
    return "cd:" in output and _LOST.search(output) is not None
