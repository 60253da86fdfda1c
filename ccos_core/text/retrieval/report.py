"""A report in its parts: what its first line says, what is said in words, what was pasted.

A form's own words to the one who fills it in stand in comments, and are nobody's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 2**18
"""Characters that are read."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
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
    return Report(said, title, _PASTED.sub("\n", rest), pasted)
