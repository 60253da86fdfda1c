"""Diffs: every changed line stays, except in files that a program writes, and unchanged lines only near a change."""

from __future__ import annotations

import re

from ccos_core.text.compress.shortened import Shortened, without_lines

CONTEXT_LINES = 3
"""Unchanged lines that stay on either side of a change: what git shows by default."""
_FILE = re.compile(r"^(?:diff |Index: |--- |\+\+\+ |\*\*\* )")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@", re.MULTILINE)
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
    """Leave out what lock files and the like changed, and unchanged lines far from a change."""
    kept: set[int] = set()
    is_written = in_hunk = False
    for at, line in enumerate(text.split("\n")):
        if named := _PATH.match(line):
            is_written = _WRITTEN.search(named[1]) is not None
        if _HUNK.match(line):
            in_hunk = True
            kept.add(at)
        elif line.startswith(("diff ", "commit ", "Index: ")):
            in_hunk = False
        if not in_hunk:
            kept.add(at)
        elif not is_written and line.startswith(("+", "-", "\\")):
            kept.update(range(at - CONTEXT_LINES, at + CONTEXT_LINES + 1))
    return without_lines("diff", text, kept, ref)
