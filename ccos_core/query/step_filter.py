"""Filters over groups of steps: by kind, context, outcome and file.

Several values of one filter mean any of them; several filters mean all.

    matching(outline, Filter(kinds=("edit", "write"), files=("src/",)))  ->  one truth value for each group
    parse_filter("kind=edit,write outcome=failed app.py", outline)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import Usage
from ccos_core.query.contexts import MAIN
from ccos_core.query.step_outline import BAD as BAD_CODES
from ccos_core.query.step_outline import Outline, how_bit, kind_bit
from ccos_core.replay.codes import HOW_CODES, HOWS, KIND_CODES, OUTCOME_CODES, OUTCOMES

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers

FAILED, PASSED, BAD = "failed", "passed", "bad"
"""Outcomes besides those of calls: failures are reported; anything that went wrong."""
OUTCOME_WORDS = (*filter(None, OUTCOMES), FAILED, PASSED, BAD)
ALIASES = {"text": "turn", "call": "tool", "thinking": "thought", "clear": "cleared"}
"""What people call kinds of steps."""
KEYS = {"kind": "kinds", "context": "contexts", "outcome": "outcomes", "file": "files"}


@dataclass(frozen=True, slots=True)
class Filter:
    """Which groups are wanted; an empty part wants all."""

    kinds: tuple[str, ...] = ()
    """Kinds of steps, ways to see a file, kinds of prompts, or names of tools."""

    contexts: tuple[str, ...] = ()
    """`main`, or how names of subagents begin."""

    outcomes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Parts of paths."""

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))

    @property
    def text(self) -> str:
        """It as one types it."""
        parts = ((key, getattr(self, name)) for key, name in KEYS.items())
        return " ".join(f"{key}={','.join(values)}" for key, values in parts if values)


def matching(outline: Outline, wanted: Filter) -> Numbers:
    """Return for each group whether it is wanted."""
    found = np.ones(len(outline), bool)
    for values, of in (
        (wanted.kinds, _of_kind),
        (wanted.contexts, _of_context),
        (wanted.outcomes, _of_outcome),
        (wanted.files, _of_file),
    ):
        if values:
            found &= np.any([of(outline, value) for value in values], axis=0)
    return found


def parse_filter(text: str, outline: Outline | None = None) -> Filter:
    """Read a filter as it is typed: `kind=edit,write outcome=failed app.py`.

    A word without a key is a kind, an outcome or a context if there is one of that name, else a part of a path. Raises
    Usage for a word that can't be any."""
    found = Filter()
    for word in text.split():
        key, mark, values = word.partition("=")
        if not mark:
            key, mark, values = word.partition(":")
        if not mark:
            key, values = _meant(word, outline), word
        if key not in KEYS:
            near = get_close_matches(key, KEYS, 1) or [*KEYS]
            raise Usage("isn't a filter", place=word, hint=f"Filters: {', '.join(each + '=' for each in near)}")
        given = tuple(filter(None, values.split(",")))
        found = replace(found, **{KEYS[key]: (*getattr(found, KEYS[key]), *given)})
    return checked(found, outline)


def checked(wanted: Filter, outline: Outline | None = None) -> Filter:
    """Return the filter; raises Usage for a kind or an outcome that does not exist."""
    _all_known(wanted.outcomes, OUTCOME_WORDS, "isn't an outcome")
    tools = tools_of(outline) if outline is not None else None
    if tools is not None:
        _all_known(wanted.kinds, (*_kind_words(), *tools), "isn't a kind of step or a tool")
    return wanted


def tools_of(outline: Outline) -> list[str]:
    """Return the names of the tools that were called."""
    return [outline.names[place] for place in np.unique(outline.tool[outline.tool >= 0]).tolist()]


def _kind_words() -> tuple[str, ...]:
    return (*KIND_CODES, *filter(None, HOWS), *ALIASES)


def _meant(word: str, outline: Outline | None) -> str:
    first = word.partition(",")[0].casefold()
    tools = [name.casefold() for name in tools_of(outline)] if outline is not None else []
    if first in OUTCOME_WORDS and first not in KIND_CODES:
        return "outcome"
    if first in _kind_words() or first in tools:
        return "kind"
    if first == MAIN or (outline is not None and first in (each.casefold() for each in outline.contexts if each)):
        return "context"
    return "file"


def _all_known(words: Iterable[str], known: Sequence[str], fact: str) -> None:
    folded = {each.casefold(): each for each in known}
    for word in words:
        if word.casefold() not in folded:
            near = get_close_matches(word.casefold(), folded, 1)
            raise Usage(fact, place=word, hint=f"Did you mean {folded[near[0]]}?" if near else "")


def _of_kind(outline: Outline, word: str) -> Numbers:
    """A group is of a kind if any of its steps is; of a tool if that was called."""
    folded = word.casefold()
    folded = ALIASES.get(folded, folded)
    bits = kind_bit(KIND_CODES[folded]) if folded in KIND_CODES else 0
    bits |= how_bit(HOW_CODES[folded]) if folded in HOW_CODES else 0
    tools = [place for place, name in enumerate(outline.names) if name.casefold() == word.casefold()]
    found: Numbers = ((outline.kinds & bits) != 0) | np.isin(outline.tool, tools)
    return found


def _of_context(outline: Outline, word: str) -> Numbers:
    named = [
        place
        for place, name in enumerate(outline.contexts)
        if (name.startswith(word) if name and word != MAIN else (word == MAIN and not name))
    ]
    return np.isin(outline.context, named)


def _of_outcome(outline: Outline, word: str) -> Numbers:
    fails = outline.fails > 0
    found: Numbers = outline.outcome == OUTCOME_CODES.get(word, -1)
    if word == FAILED:
        found = fails
    elif word == PASSED:
        found = (outline.kinds & kind_bit(KIND_CODES[PASSED])) != 0
    elif word == BAD:
        found = fails | np.isin(outline.outcome, BAD_CODES)
    return found


def _of_file(outline: Outline, part: str) -> Numbers:
    folded = part.casefold()
    named = [place for place, name in enumerate(outline.names) if folded in name.casefold()]
    places, files = outline.touched
    found = np.zeros(len(outline), bool)
    found[places[np.isin(files, named)]] = True
    return found
