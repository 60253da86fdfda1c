"""Diffs: every changed line stays, except in files that a program writes, and unchanged lines only near a change."""

from __future__ import annotations

import re

from ccos_core.text.compress.shortened import Shortened, without_lines

CONTEXT_LINES = 3
"""Unchanged lines that stay on either side of a change: what git shows by default."""
_FILE = re.compile(r"^(?:diff |Index: |--- |\+\+\+ |\*\*\* )")
_HUNK = re.compile(r"^@@ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@", re.MULTILINE)
_WRITTEN = re.compile(
    r"(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock"
    r"|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$"
    r"|\.min\.(?:js|css)$|\.map$|\.snap$|(?:^|/)(?:node_modules|vendor|dist)/|_pb2?\.(?:py|go)$|\.pb\.go$"
)
_PATH = re.compile(r"^(?:diff --git a/.* b/|\+\+\+ (?:b/)?)(\S+)")


def is_diff(text: str) -> bool:
    """Tell whether a text is the output of diff or of git diff, or has one behind a commit's message."""
    return _HUNK.search(text) is not None and any(map(_FILE.match, text.split("\n", 60)[:60]))


def shorten_diff(text: str, ref: str) -> Shortened | None:
    """Leave out what lock files and the like changed, and unchanged lines far from a change.

    A hunk is as long as its head says; what stands behind it, such as the output of a test run, stays.
    """
    kept: set[int] = set()
    is_written = False
    old = new = 0
    """Lines of the hunk that are still to come, of the file before and after."""
    for at, line in enumerate(text.split("\n")):
        if old <= 0 and new <= 0:
            kept.add(at)
            if named := _PATH.match(line):
                is_written = _WRITTEN.search(named[1]) is not None
            if hunk := _HUNK.match(line):
                old, new = (int(size or 1) for size in hunk.groups())
        elif line[:1] in ("+", "-", "\\"):
            old, new = old - (line[0] == "-"), new - (line[0] == "+")
            if not is_written:
                kept.update(range(at - CONTEXT_LINES, at + CONTEXT_LINES + 1))
        elif line[:1] in (" ", ""):
            old, new = old - 1, new - 1
        else:
            kept.add(at)
            old = new = 0
    return without_lines("diff", text, kept, ref)
