"""What was said for a question's arguments, made into what its `ask` takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ccos_core.errors import Usage
from ccos_core.query.question import FURTHER, HOST, MANY, REST, Argument, Question
from ccos_core.query.steps import span_of, step_of
from ccos_core.query.words import AT, SEPARATOR, nearest
from ccos_core.values.ids import SPOKEN_PREFIXES
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LENSES = {"working-set": False, "around": True, "task": True, "hybrid": True}
"""Lens → whether something is said behind it."""
LONGEST = 10_000
"""Characters of an argument that isn't a text."""
LONGEST_SAID = 40
"""Characters of it that are repeated where it is far too long."""
WORDS_HINT = "Words are looked for by watch, missing, last, next, why, show, provenance, impact, find and statement."
MOST_TOKENS = 2**31 - 1
_NUMBER = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})([km]?)", re.IGNORECASE)
_BEYOND = re.compile(r"-[0-9]+[km]?|[0-9]{13,}[km]?", re.IGNORECASE)
"""Numbers no budget is as low or as high as."""
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is asked: the record, the step, the marks."""

    timeline: Timeline
    at: int
    """The cursor."""

    marks: tuple[Mark, ...] = ()
    opened: Callable[[str], Timeline] | None = None
    """Opens another workspace."""
    user: Timeline | None = None
    """The user's own record, for questions that need it."""
    words: bool = False
    """Whether several words that name no node may be words to look for."""


def typed(question: Question, said: Mapping[str, str], place: Place) -> tuple[int, dict[str, Any]]:
    """(the step it is asked as of, the arguments of its `ask`)."""
    at = step_of(said[AT], place.timeline, place.at, place.marks) if AT in said else place.at
    there = replace(place, at=at, words=takes_words(question))
    found = {}
    for argument in question.arguments:
        given = said.get(argument.name)
        keyword = argument.name.replace("-", "_")
        found[keyword] = argument.default if given is None else value_of(argument, given, there)
    if any(isinstance(each, str) and each.startswith(SPOKEN_PREFIXES) for each in nodes_in(question, found)):
        _look_at_words(question, found)
    return at, found


def nodes_in(question: Question, found: Mapping[str, Any]) -> list[Any]:
    """Return what was said for each argument that names a node."""
    return [found[each.name.replace("-", "_")] for each in question.arguments if each.form == "node"]


def takes_words(question: Question) -> bool:
    """Tell whether a question's node may be words."""
    return question.words or any(HOST in argument.further for argument in question.arguments)


def _look_at_words(question: Question, found: dict[str, Any]) -> None:
    """Look at words in the agent's window, the only one that holds them."""
    if not takes_words(question):
        raise Usage("looks at code, not at words", hint=WORDS_HINT)
    if not question.words:
        found["lens"] = HOST


def value_of(argument: Argument, said: str, place: Place) -> Any:
    """What one argument is."""
    if len(said) > LONGEST and argument.form not in (*REST, *MANY):
        raise Usage(f"is too long for {argument.name.upper()}", place=said[:40] + "…")
    return _FORMS[argument.form](argument, said, place)


def _word(argument: Argument, said: str, _: Place) -> str:
    if said not in argument.words:
        hint = nearest(said, argument.words) or f"One of: {'  '.join(argument.words)}"
        raise Usage(f"isn't a {argument.name}", place=said, hint=hint)
    return said


def _lens(argument: Argument, said: str, _: Place) -> str:
    if said in argument.further:
        return said
    name, mark, about = said.partition(":")
    if name in LENSES and bool(mark and about.strip()) == LENSES[name]:
        return said
    if about.strip() and any(each.startswith(f"{name}:") for each in argument.further):
        return said
    every = [f"{lens}:{'X' if lens == 'around' else 'TEXT'}" if about else lens for lens, about in LENSES.items()]
    hint = "One of: " + "  ".join([*every, *argument.further])
    is_known = said in FURTHER or any(each.startswith(f"{name}:") for each in FURTHER)
    raise Usage("isn't available for this question" if is_known else "isn't a window", place=said, hint=hint)


def _count(argument: Argument, said: str, _: Place) -> int:
    found = _NUMBER.fullmatch(said)
    if found is None:
        raise Usage(f"isn't a {argument.name}: give a number", place=said)
    return int(found[1].replace(",", "")) * _TIMES[found[2].lower()]


def _budget(argument: Argument, said: str, place: Place) -> int:
    budget = 0 if _BEYOND.fullmatch(said) else _count(argument, said, place)
    if not 1 <= budget <= MOST_TOKENS:
        raise Usage(f"isn't a {argument.name}: give 1 to {MOST_TOKENS:,} tokens", place=said[:LONGEST_SAID])
    return budget


def _workspace(_: Argument, said: str, place: Place) -> Timeline:
    if place.opened is None:
        raise Usage("can't open another workspace here", place=said)
    return place.opened(said)


def _node(_: Argument, said: str, place: Place) -> str:
    from ccos_core.query.spoken import node_meant  # which knows statements, and few nodes are such

    return node_meant(place.timeline, said, place.at, guess=place.words)


def _thing(_: Argument, said: str, place: Place) -> str:
    from ccos_core.query.node_names import node_named  # which few questions need

    return node_named(place.timeline, said, place.at, place.user)


def _span(_: Argument, said: str, place: Place) -> tuple[int, int]:
    if said.startswith(SPOKEN_PREFIXES) or len(said.split()) > 1:
        raise Usage("takes two steps, not words", place=said[:LONGEST_SAID], hint=WORDS_HINT)
    return span_of(said, place.timeline, place.at, place.marks)


_FORMS: Mapping[str, Callable[[Argument, str, Place], Any]] = {
    "step": lambda _, said, place: step_of(said, place.timeline, place.at, place.marks),
    "span": _span,
    "node": _node,
    "budget": _budget,
    "lens": _lens,
    "count": _count,
    "word": _word,
    "name": lambda _, said, __: said,
    "text": lambda _, said, __: said,
    "switch": lambda _, said, __: True,
    "workspace": _workspace,
    "thing": _thing,
    "things": lambda argument, said, place: tuple(
        dict.fromkeys(_thing(argument, each, place) for each in said.split(SEPARATOR))
    ),
    "texts": lambda _, said, __: tuple(dict.fromkeys(said.split(SEPARATOR))),
}
