"""The names pytest has for a test: its id, the headline of its failure, a line of its summary.

An id is `path::Class::test[parameters]`, the headline of the same test `Class.test[parameters]`. Parameters may hold
anything, brackets, colons and ` - ` too, and a summary line doesn't say where the id ends.
"""

from __future__ import annotations

import re

DOCTEST = "[doctest] "
"""How the headline of a doctest begins."""
_MOST_SPLITS = 12
_PART = re.compile(r"SUBFAIL(?:ED)?(?P<part>[\[(].*?[\])])?(?P<more> \(.*?\))?$")


def headline(test: str) -> str:
    """How the failure of this test is headed."""
    inner = test.partition("::")[2]
    head, bracket, parameters = inner.partition("[")
    return head.replace("::", ".") + bracket + parameters


def test_of(head: str, path: str) -> str:
    """The id for a headline, where nothing but the file is known."""
    head, doctest = head.removeprefix(DOCTEST), head.startswith(DOCTEST)
    name, bracket, parameters = head.partition("[")
    inner = (name if doctest else name.replace(".", "::")) + bracket + parameters
    return f"{path}::{inner}" if path else inner


def function_of(head: str) -> str:
    """`test_y` for `TestX.test_y[a]`."""
    return head.partition("[")[0].partition(" ")[0].rpartition(".")[2]


def entry(rest: str, heads: frozenset[str]) -> tuple[str, str]:
    """(id, message) of what stands behind FAILED; `heads` are the headlines that are known."""
    ends = _ends(rest)
    for end in ends:
        if headline(rest[:end]) in heads:
            return _without_origin(rest[:end]), _message(rest[end:])
    for end in ends:
        inner = rest[:end].partition("::")[2]
        if "[" not in inner or inner.endswith("]"):
            return _without_origin(rest[:end]), _message(rest[end:])
    return _without_origin(rest[: ends[0]]), _message(rest[ends[0] :])


def subtest(word: str) -> str | None:
    """`[msg] (i=1)` for `SUBFAILED[msg] (i=1)`; None for any other word."""
    found = _PART.match(word)
    return None if found is None else (found["part"] or "") + (found["more"] or "")


def _ends(rest: str) -> list[int]:
    """Where the id may end: before each ` - `, and at the very end."""
    ends: list[int] = []
    at = rest.find(" - ")
    while at > 0 and len(ends) < _MOST_SPLITS:
        ends.append(at)
        at = rest.find(" - ", at + 1)
    return [*ends, len(rest)]


def _without_origin(test: str) -> str:
    """`a.py::T::test <- base.py` is a test of a.py."""
    return test.partition(" <- ")[0].strip()


def _message(tail: str) -> str:
    return tail.removeprefix(" - ")
