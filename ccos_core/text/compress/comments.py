"""Which lines of a source file say nothing to a machine: blank ones, comments, and all of a docstring but two lines.

    spare_lines(text, "src/app.py")     # {3, 4, 17}: counted from 1

A line is only spare if it lies outside of strings and begins as a comment does. What tools and people look for stays:
directives such as `# noqa` or `//go:build`, and TODO, FIXME, SAFETY and the like. Of a docstring its first and its last
line stay, so Python still reads what is left. Where a scan is misled, lines stay that could have gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

HASH, SLASHES, RUST = "hash", "slashes", "rust"
FAMILIES = {
    **dict.fromkeys(("py", "pyi"), HASH),
    **dict.fromkeys(("go", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), SLASHES),
    "rs": RUST,
}
"""End of a path → how its comments and strings are written."""
_DOUBLE = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?'
_SINGLE = r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'?"
_COMMENT = r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
_SCANS = {  # what isn't closed goes on to the end: looking for another way to read it would take quadratic time
    HASH: re.compile(
        r'(?P<long>"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\\?\Z)'
        r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\\?\Z))|(?P<comment>\#[^\n]*)" + f"|{_DOUBLE}|{_SINGLE}",
        re.DOTALL,
    ),
    SLASHES: re.compile(rf"{_COMMENT}|(?P<long>`[^`\\]*(?:\\.[^`\\]*)*(?:`|\\?\Z))|{_DOUBLE}|{_SINGLE}", re.DOTALL),
    RUST: re.compile(
        rf"{_COMMENT}|(?P<long>\br(?P<marks>#+)\".*?(?:\"(?P=marks)|\Z)|\"[^\"\\]*(?:\\.[^\"\\]*)*(?:\"|\\?\Z))"
        r"|'(?:\\.[^'\n]{0,8}|[^'\\\n])'",
        re.DOTALL,
    ),
}
_STAYS = re.compile(
    r"TODO|FIXME|XXX|HACK|WARN|SAFETY|DEPRECATED|noqa|nolint|pragma|type:|pylint:|mypy:|ruff:|fmt:|isort:|go:|\+build"
    r"|eslint|prettier|@ts-|istanbul|c8 |cspell|#!|-\*-|coding[:=]|export |#line|region\b",
)
_SHORTEST_DOC = 3


def family_of(path: str) -> str:
    """Return how comments of a file are written; empty where that isn't known."""
    return FAMILIES.get(path.rpartition(".")[2].lower(), "")


def spare_lines(text: str, path: str) -> frozenset[int]:
    """Return the lines that could be left out, counted from 1; none of a language that isn't known."""
    family = family_of(path)
    if not family:
        return frozenset()
    found = set(_spare(text, _SCANS[family], family))
    return frozenset(found)


def _spare(text: str, scan: re.Pattern[str], family: str) -> Iterator[int]:
    line, at = 1, 0
    inside: set[int] = set()
    """Lines that lie in a long string: a blank one among them says something."""
    for match in scan.finditer(text):
        is_comment = match["comment"] is not None
        if not is_comment and match["long"] is None:
            continue
        begin, end = match.span()
        line += text.count("\n", at, begin)
        at = begin
        size = text.count("\n", begin, end)
        if is_comment:
            if _is_alone(text, begin, end) and not _STAYS.search(match[0]):
                yield from range(line, line + size + 1)
        elif size:
            inside.update(range(line, line + size + 1))
            if family == HASH and size + 1 >= _SHORTEST_DOC and _is_doc(text, begin, end):
                yield from range(line + 1, line + size)
    for number, each in enumerate(text.split("\n"), 1):
        if number not in inside and not each.strip():
            yield number


def _is_alone(text: str, begin: int, end: int) -> bool:
    """Tell whether nothing else stands in the lines of a comment."""
    before = text.rfind("\n", 0, begin) + 1
    after = text.find("\n", end)
    return not text[before:begin].strip() and not text[end : after if after >= 0 else len(text)].strip()


def _is_doc(text: str, begin: int, end: int) -> bool:
    """Tell whether a long string of Python is a statement of its own at the start of a block."""
    if not _is_alone(text, begin, end):
        return False
    before = text[max(begin - 400, 0) : begin].rstrip(" \trRuU\n")
    return before.endswith(":") or (not before and begin < 400)
