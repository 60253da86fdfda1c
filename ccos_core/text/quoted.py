"""Leave out what a text only quotes: code, text between quotation marks, lines of logs, what hosts put into tags.

Statements keep such text, as blocks (`pasted.py`); here it is gone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)")
_FENCED = re.compile(r"(```|~~~).*?(?:\1|\Z)|\"[^\"\n]{3,200}\"|“[^”\n]{3,200}”", re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)\b[^<>]*>")
_QUOTED_LINE = re.compile(
    r"^\s*(?:>|[{<|]|\[[\d\"{\[]|❯|⏺|⎿|\$ |\+{3} |-{3} |@@ |\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d"
    r"|[A-Z][a-z]{2} +\d+ \d\d:\d\d"
    r"|at \S+ ?\(|File \"|Traceback |\S*(?:Error|Exception)\b.{0,3}:|\S+:\d+(?::\d+)?:? |E  |FAIL\b"
    r"|FAILED |npm (?:ERR|WARN))"
)


def unquoted_lines(text: str) -> Iterator[str]:
    """Yield the lines that are neither code nor quoted, with a blank for what stands between quotation marks."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif mark is not None:
            fence = mark[1]
        elif not line.startswith(("    ", "\t", ">")):
            yield _QUOTED.sub(" ", line)


def without_quotes(text: str) -> str:
    """Return the words of a prompt without code, whatever tags enclose, and lines that are quoted or of a log."""
    text = _without_tagged(_FENCED.sub("\n", text))
    return "\n".join(line for line in text.splitlines() if line.strip() and not _QUOTED_LINE.match(line)).strip()


def _without_tagged(text: str) -> str:
    """Leave out what stands from a tag to the next one that closes it."""
    tags = list(_TAG.finditer(text))
    ends: dict[str, deque[int]] = {}
    for tag in tags:
        if tag[1]:
            ends.setdefault(tag[2], deque()).append(tag.end())
    kept, at = [], 0
    for tag in tags:
        closing = ends.get(tag[2], deque())
        while closing and closing[0] <= tag.end():
            closing.popleft()
        if not tag[1] and tag.start() >= at and closing:
            kept.append(text[at : tag.start()])
            at = closing[0]
    return " ".join([*kept, text[at:]])
