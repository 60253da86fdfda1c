"""A report in its parts: what its first line says, what is said in words, what was pasted.

Projects ask for reports by forms, and what a form says itself stands in all of them: its comments, its headings, its
boxes to tick, its tags. Such lines are known by their shape, and have no weight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 2**18
"""Characters that are read."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(
    r"^ {0,3}(?:#{1,6} .*|\*\*[^*\n]{1,60}\*\*:?|__[^_\n]{1,60}__:?"
    r"|[^\n]{1,60}\n {0,3}(?:={3,}|-{3,})) *$",
    re.MULTILINE,
)
_BOX = re.compile(r"^ *(?:[-*]|\d{1,3}\.) +\[[ xX]?\].*$", re.MULTILINE)
_TAG = re.compile(r"</?(?:details|summary|br|p|b|i|h[1-6]|sub|sup|hr|a|img|pre|code)\b[^<>\n]{0,300}>", re.IGNORECASE)
_PASTED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody's text."""

    text: str
    """All of it that counts."""
    title: str
    """Its first line, ..."""
    prose: str
    """... the rest without what is fenced off, ..."""
    pasted: str
    """... and that: code, logs, output."""


def report(text: str) -> Report:
    """The parts of a text."""
    said = _COMMENT.sub(" ", text[:LONGEST]).lstrip()
    title, _, rest = said.partition("\n")
    pasted = "\n".join(found[0] for found in _PASTED.finditer(rest))
    prose = _without_form(_PASTED.sub("\n", rest))
    return Report(said, title, prose, pasted)


def _without_form(prose: str) -> str:
    """What somebody wrote, without what a form says itself."""
    for shape in (_HEADING, _BOX, _TAG):
        prose = shape.sub(" ", prose)
    return prose
