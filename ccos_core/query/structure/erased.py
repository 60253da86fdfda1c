"""Imports that never run: those for a type checker alone, and all in files that only declare.

Which they are shows in the text and not in an outline, so a text is read again where it matters: of files that import
each other in circles. In doubt an import runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Link

DECLARING = (".pyi", ".d.ts", ".d.mts", ".d.cts")
_CHECKED = re.compile(r"([ \t]*)if[ \t]+(?:\w+\.)*TYPE_CHECKING[ \t]*:")
_TYPES = re.compile(
    r"^[ \t]*(?:import|export)\s+type\b(?:\s*\{[^{}]*\}\s*|\s*\*\s*(?:as\s+[\w$]+\s+)?|\s+(?!from\b)[\w$]+\s+)from\b",
    re.MULTILINE,
)


def runs(path: str, text: str) -> Callable[[Link], bool]:
    """Whether an import of this file runs."""
    if path.endswith(DECLARING):
        return lambda link: False
    lines = _lines(path, text)
    return lambda link: link.line not in lines or link.count > 1  # said twice, it may run once


def _lines(path: str, text: str) -> frozenset[int]:
    """The lines on which what is imported is for types alone."""
    language = language_of(path)
    if language is not None and language.family == "python":
        return frozenset(_under_checks(text.split("\n")))
    if language is not None and language.family == "ecmascript":
        return frozenset(line for found in _TYPES.finditer(text) for line in _spanned(text, *found.span()))
    return frozenset()


def _under_checks(lines: Sequence[str]) -> Iterable[int]:
    """The lines of `if TYPE_CHECKING:`, as far as what is under it goes."""
    depth = -1
    for number, line in enumerate(lines, 1):
        told = line.lstrip(" \t")
        if not told or told.startswith(("#", "\r")):
            continue
        if depth < 0 or len(line) - len(told) <= depth:
            check = _CHECKED.match(line)
            depth = len(check[1]) if check else -1
        if depth >= 0:
            yield number


def _spanned(text: str, start: int, end: int) -> range:
    first = text.count("\n", 0, start) + 1
    return range(first, first + text.count("\n", start, end) + 1)
