"""What a verb takes, and what was said for it: checked by name and kind, with the nearest name where one is wrong.

Nothing is left out silently: an argument nobody knows is an error, and so is a value of another kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import Usage
from ccos_core.query.words import nearest

KINDS = {"text": "a text", "number": "a whole number", "switch": "true or false", "texts": "a list of texts"}
LONGEST_SAID = 40


@dataclass(frozen=True, slots=True)
class Wanted:
    """One argument of a verb."""

    name: str
    kind: str
    """One of `KINDS`."""
    default: Any = None
    """What it is where nobody said it; None of a required one."""
    required: bool = False
    words: tuple[str, ...] = ()
    """The texts it may be; none means any."""
    least: int = 0
    """Of a number."""


def taken(verb: str, wanted: Sequence[Wanted], said: Mapping[str, Any]) -> dict[str, Any]:
    """What each argument is."""
    known = {each.name: each for each in wanted}
    for name in said:
        if name not in known:
            hint = nearest(name, known) or f"It takes: {'  '.join(known) or 'nothing'}"
            raise Usage(f"{verb} takes no such argument", place=name[:LONGEST_SAID], hint=hint)
    return {each.name: _value(verb, each, said) for each in wanted}


def _value(verb: str, wanted: Wanted, said: Mapping[str, Any]) -> Any:
    value = said.get(wanted.name)
    if value is None:
        if wanted.required:
            raise Usage(f"{verb} wants it: {KINDS[wanted.kind]}", place=wanted.name)
        return wanted.default
    if not _fits(wanted.kind, value):
        raise Usage(f"should be {KINDS[wanted.kind]}", place=wanted.name)
    if wanted.words and value not in wanted.words:
        hint = nearest(value, wanted.words) or f"One of: {'  '.join(wanted.words)}"
        raise Usage(f"can't be {value[:LONGEST_SAID]!r}", place=wanted.name, hint=hint)
    if wanted.kind == "number" and value < wanted.least:
        raise Usage(f"is at least {wanted.least}", place=wanted.name)
    return value


def _fits(kind: str, value: Any) -> bool:
    if kind == "text":
        return isinstance(value, str)
    if kind == "number":
        return type(value) is int and abs(value) < 2**31
    if kind == "switch":
        return isinstance(value, bool)
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
