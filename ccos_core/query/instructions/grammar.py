"""The regular expressions of the readers, out of `grammar.txt`: `[name]`, then its lines, which are one expression.

`{{name}}` stands for what another section says. Paragraphs of a section are expressions of their own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in resources.files(__package__).joinpath("grammar.txt").read_text("utf-8").split("\n"):
        if named := re.fullmatch(r"\[([a-z_]+)\]", line):
            lines = found.setdefault(named[1], [""])
        elif line and lines:
            lines[-1] += line
        elif lines:
            lines.append("")
    return {name: [each for each in lines if each] for name, lines in found.items()}


def source(name: str, number: int = 0) -> str:
    """Return the text of an expression."""
    return re.sub(r"\{\{([a-z_]+)\}\}", lambda found: source(found[1]), _sections()[name][number])


def pattern(name: str) -> re.Pattern[str]:
    """Return the expression of a section, deaf to capitals."""
    return re.compile(source(name), re.IGNORECASE)


def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the expressions of a section that has several."""
    return tuple(re.compile(source(name, number), re.IGNORECASE) for number in range(len(_sections()[name])))
