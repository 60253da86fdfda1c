"""Looking into what steps say: their own words, and the contents they brought. Every content is looked at once.

This is what costs: ops are read and contents unpacked, so it is done last, and only where nothing else has decided.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.ops.table import KINDS
from ccos_core.query.finding.automaton import Automaton
from ccos_core.query.finding.columns import nothing, of_kind
from ccos_core.query.finding.pattern import has_capitals, needed, pattern
from ccos_core.query.finding.tree import Text
from ccos_core.replay.columns import Numbers

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

APART = 64
"""Steps that weren't asked for but are read along, rather than asking for what is behind them by itself."""
OFTEN = 200
"""Steps between two words about how far it has come."""
WORDS = ("text", "texts", "path", "paths", "node", "nodes", "word")
"""Forms of fields that hold words."""

Progress = Callable[[int, int], None]


class Contents:
    """Searches of one question; what couldn't be looked at adds up."""

    def __init__(self, timeline: Timeline, progress: Progress) -> None:
        self._timeline = timeline
        self._progress = progress
        self._done, self._total = 0, 0
        self.unread: dict[str, None] = {}
        """Contents that were forgotten or can't be read."""
        self.cut: dict[str, None] = {}
        """Contents of which only the start and the end were kept, and in these it isn't."""

    def saying(self, asked: Text, among: Numbers) -> Numbers:
        """Steps that say something, among some."""
        fits = looked_for(asked, lambda: self._progress(self._done, self._total))
        known: dict[tuple[str, bool], bool] = {}
        found = nothing(self._timeline)
        for step, op in self.ops(among):
            found[step - 1] = fits(own_words(op)) or any(
                self._says(reference, is_json, fits, known) for reference, is_json in references(op)
            )
        return found

    def repeated(self) -> Numbers:
        """Calls with the tool and the arguments of a call before them in the same context."""
        found = nothing(self._timeline)
        contexts = self._timeline.journal.steps["context"]
        known: set[tuple[int, str, str]] = set()
        for step, op in self.ops(of_kind(self._timeline, "tool")):
            call = int(contexts[step - 1]), op["name"], op["arguments"]["blob"] if "arguments" in op else ""
            found[step - 1] = call in known
            known.add(call)
        return found

    def ops(self, among: Numbers) -> Iterator[tuple[int, Plain]]:
        """(step, op) of each step that is asked for."""
        wanted = (np.nonzero(among)[0] + 1).tolist()
        self._done, self._total = 0, len(wanted)
        for first, last in _stretches(wanted):
            for step, op in self._timeline.between(first, last):
                if among[step - 1]:
                    if self._done % OFTEN == 0:
                        self._progress(self._done, self._total)
                    self._done += 1
                    yield step, op

    def _says(
        self,
        reference: dict[str, Any],
        is_json: bool,
        fits: Callable[[str], bool],
        known: dict[tuple[str, bool], bool],
    ) -> bool:
        blob = str(reference["blob"])
        if (blob, is_json) not in known:
            try:
                text = self._timeline.content(blob).decode("utf-8", "replace")
            except CcosError:
                self.unread[blob] = None
                return False
            known[blob, is_json] = fits(said_in(text) if is_json else text)
            if not known[blob, is_json] and "dropped" in reference:
                self.cut[blob] = None
        return known[blob, is_json]


def looked_for(asked: Text, heard: Callable[[], None] = lambda: None) -> Callable[[str], bool]:
    """Whether a text says it. Where no capital is asked for, capitals don't matter."""
    if not asked.is_pattern:
        said = asked.said
        if said == said.lower():
            return lambda text: said in text.lower()
        return lambda text: said in text
    tree = pattern(asked.said)
    automaton, must, low = Automaton(tree, heard), needed(tree), not has_capitals(tree)

    def fits(text: str) -> bool:
        text = text.lower() if low else text
        return must in text and automaton.fits(text)

    return fits


def own_words(op: Plain) -> str:
    """The words in an op itself, a line each: paths, names, reasons."""
    found: list[str] = []
    for name, form, _ in KINDS[op["kind"]][1]:
        if name in op and form in WORDS:
            found += [op[name]] if isinstance(op[name], str) else op[name]
    return "\n".join(found)


def references(op: Plain) -> Iterator[tuple[dict[str, Any], bool]]:
    """The contents an op brought, and whether each is JSON."""
    for name, form, _ in KINDS[op["kind"]][1]:
        if name in op and form in ("blob", "json"):
            yield op[name], form == "json"


def said_in(text: str) -> str:
    """The words in a JSON text, a line each, as they were before they were written so; else the text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [part for pair in reversed(each.items()) for part in reversed(pair)]
        elif isinstance(each, list):
            waiting += reversed(each)
        else:
            yield each if isinstance(each, str) else json.dumps(each)


def _stretches(steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of steps that are near each other."""
    begin = last = 0
    for step in steps:
        if begin and step - last > APART:
            yield begin, last
            begin = step
        begin, last = begin or step, step
    if begin:
        yield begin, last
