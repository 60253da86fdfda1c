"""Read a bug report: its first line, its words, what was pasted, and what it names outright (files, paths, code).

Forms repeat their own comments, headings, boxes and tags in every report; such lines are known by their shape and have
no weight. Reports quote tracebacks, links to lines, names in backticks. Whether these exist is for the caller to know.
Everything is bounded by counts: a report may hold megabytes of logs.
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


MOST_PLACES = 400
MOST_NAMES = 2_000
LONGEST_LINK = 60
"""Lines of a linked stretch that are looked at."""

_PLACE = re.compile(
    r"(?<![\w./\\~@+:-])(?P<path>[\w./\\~@+:-]{0,300}\w\.[A-Za-z]{1,5})"
    r"(?:[\"']?,? line |:|#L)(?P<line>\d{1,7})(?:-L(?P<last>\d{1,7}))?(?::?,? in (?P<function>[\w.<>]+))?"
)
_PATH = re.compile(r"(?<![\w./\\~@+:-])[\w./\\~@+:-]{0,300}\w\.[A-Za-z]{1,5}\b")
_BREAK = re.compile(r"Traceback \(most recent call|During handling of the above|direct cause of the following")
_DOTTED = re.compile(r"\b[^\W\d]\w{0,80}(?:(?:\.|::|#)[^\W\d]\w{0,80}){1,20}")
_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"(?<!`)`{1,2}([^`\n]{1,120})`{1,2}(?!`)")
_CALLED = re.compile(r"\b([^\W\d]\w{0,80})\(")


@dataclass(frozen=True, slots=True)
class Spot:
    """Lines of a file, or a function in it."""

    path: str
    line: int
    last: int
    function: str
    run: int
    """The traceback it is a frame of; a link is a run of its own."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """All of it, each once, in the order of the text."""

    spots: tuple[Spot, ...]
    paths: tuple[str, ...]
    dotted: tuple[tuple[str, ...], ...]
    """`Session.request`, `a.b.C`: in their parts."""
    names: tuple[str, ...]
    """Names that are spelt like no word of prose, ..."""
    quoted: tuple[str, ...]
    """... and words that are set or called as code."""


def mentions(text: str) -> Mentions:
    """What `text` names."""
    quoted = [name for part in _QUOTED.findall(text) for name in _NAME.findall(part)] + _CALLED.findall(text)
    return Mentions(
        _spots(text),
        tuple(dict.fromkeys(_PATH.findall(text)))[:MOST_PLACES],
        tuple(dict.fromkeys(tuple(_NAME.findall(each)) for each in _DOTTED.findall(text)))[:MOST_NAMES],
        tuple(name for name in dict.fromkeys(_NAME.findall(text)) if _is_shaped(name))[:MOST_NAMES],
        tuple(dict.fromkeys(quoted))[:MOST_NAMES],
    )


def _spots(text: str) -> tuple[Spot, ...]:
    breaks = [found.start() for found in _BREAK.finditer(text)]
    found: dict[Spot, None] = {}
    run = passed = 0
    for told in _PLACE.finditer(text):
        linked = "#L" in told[0]
        while passed < len(breaks) and breaks[passed] < told.start():
            passed += 1
            run += 1
        run += linked
        line = int(told["line"])
        last = min(max(int(told["last"] or 0), line), line + LONGEST_LINK)
        found[Spot(told["path"], line, last, told["function"] or "", run)] = None
        run += linked
        if len(found) == MOST_PLACES:
            break
    return tuple(found)


def _is_shaped(name: str) -> bool:
    """Whether it is joined of words, as names in code are: `a_b`, `_a`, `aB`, `HTTPDigest`."""
    if "_" in name.strip("_"):
        return True
    return name[0] == "_" or (name != name.lower() and name != name.upper() and name != name.capitalize())
