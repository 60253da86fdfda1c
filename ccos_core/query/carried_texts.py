"""The texts that went into one context of the agent, and how long each of them was in its window.

Prompts, texts, thoughts, calls and summaries are items whose presence the journal holds. A result that showed a file
counts there with the file, and what the agent's program attached is held as a file as well: their texts stay until a
cut takes them out, whatever becomes of the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.falls import falls
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.measure import cuts
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.hosted import Hosted
from ccos_core.replay.residency.runs import IN, OUT, UNCERTAIN, WITHIN
from ccos_core.text.retrieval.phrases import PhraseIndex
from ccos_core.text.sanitize.joints import without_literals
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

FIELDS = {
    "prompt": (("said", "prompt"),),
    "turn": (("said", "text"),),
    "thought": (("said", "thought"),),
    "tool": (("arguments", "call"), ("result", "result")),
    "compaction": (("summary", "summary"),),
    "recall": (("said", "delivery"),),
}
"""Kind of op → its fields that went into the window, and how the item of each begins."""
FIELD_NAMES = ("said", "arguments", "result", "summary", "content")
_NUMBER = re.compile(r"^[ ]{0,20}[0-9]{1,9}(?:→|\t)", re.MULTILINE)
"""What a listing of a file puts before each line."""
READ_BATCH = 2_000
"""Ops, with their texts, that are read at once."""
CARRYING_CODES = [KIND_CODES[kind] for kind in (*FIELDS, "seen")]

Interval = tuple[int, int, int]
"""The first step of a state, the first step after it, the state."""


class Text(NamedTuple):
    """One text that went into the window."""

    item: str
    """`prompt:N`, `result:N`, ...; `file:PATH` of what the agent's program attached."""
    step: int
    call: str
    """The host's name for what brought it."""
    is_file: bool
    """Whether it is the text of a file, and not only quotes it."""


class CarriedTexts:
    """The texts of one context, up to the step up to which they were read."""

    def __init__(self, context: int) -> None:
        self.context = context
        self.texts: list[Text] = []
        self.index = PhraseIndex()
        self.upto = 0
        self.files: dict[str, list[str]] = {}
        """Call → the files that it showed."""
        self._answered: set[str] = set()
        """Calls that have a result."""

    def read(self, timeline: Timeline) -> None:
        """Read what came since."""
        steps = timeline.journal.steps
        if self.upto == timeline.head:
            return
        mine = np.isin(steps["kind"][self.upto :], CARRYING_CODES) & (steps["context"][self.upto :] == self.context)
        found = (np.flatnonzero(mine) + self.upto + 1).tolist()
        for at in range(0, len(found), READ_BATCH):
            ops = read_ops(timeline, found[at : at + READ_BATCH])
            contents = contents_of(timeline, ops.values())
            for step, op in ops.items():
                self._add(step, op, contents)
            self.upto = found[min(at + READ_BATCH, len(found)) - 1]
        self.upto = timeline.head

    def _add(self, step: int, op: Plain, contents: Mapping[str, bytes]) -> None:
        call = op.get("call", "")
        if op["kind"] == "seen":
            if op["how"] == "read":
                item = file_node(op["path"])
                self.files.setdefault(call, []).append(item)
                if call not in self._answered:  # else the result has these words
                    self._add_text(item, step, call, op.get("content"), contents)
            return
        for field, prefix in FIELDS[op["kind"]]:
            self._add_text(f"{prefix}:{step}", step, call, op.get(field), contents)
        if op["kind"] == "tool" and "result" in op and call:
            self._answered.add(call)

    def _add_text(
        self, item: str, step: int, call: str, blob: dict[str, Any] | None, contents: Mapping[str, bytes]
    ) -> None:
        content = contents.get(blob["blob"], b"").decode("utf-8", "replace") if blob is not None else ""
        if content:
            is_listing = _NUMBER.match(content) is not None
            self.texts.append(Text(item, step, call, is_listing or item.startswith("file:")))
            self.index.add(_arguments(content) if item.startswith("call:") else [_plain(content, is_listing)])


class ReadTexts:
    """What was read of each context, which goes on with the journal."""

    def __init__(self) -> None:
        self.contexts: dict[int, CarriedTexts] = {}

    def of(self, timeline: Timeline, context: int) -> CarriedTexts:
        """Return the texts of a context up to the head."""
        known = self.contexts.setdefault(context, CarriedTexts(context))
        known.read(timeline)
        return known

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Forget those that were read further than the journal goes now."""
        self.contexts = {context: each for context, each in self.contexts.items() if each.upto <= sizes["steps"]}


def texts_of(timeline: Timeline, context: int) -> CarriedTexts:
    """Return the texts that went into a context."""
    read: ReadTexts = timeline.journal.growing("carried texts", ReadTexts)
    return read.of(timeline, context)


class _Cut(NamedTuple):
    """A cut of the context."""

    step: int
    kept: frozenset[str]
    """What survived, by the host's names."""
    exact: bool


class TextPresence:
    """How long each text of a context was in its window."""

    def __init__(self, timeline: Timeline, texts: CarriedTexts) -> None:
        self._journal = timeline.journal
        self._texts = texts
        self._known: dict[int, tuple[Interval, ...]] = {}
        self._cuts = [_cut(step, timeline.op(step)) for step in cuts(self._journal, texts.context, 1, timeline.head)]
        self._falls = [each.step for each in falls(self._journal, timeline.head) if each.context == texts.context]

    def of(self, number: int) -> tuple[Interval, ...]:
        """Return when a text was in the window, in order, and how surely."""
        if number not in self._known:
            text = self._texts.texts[number]
            by_journal = not text.item.startswith(("result:", "file:"))
            self._known[number] = tuple(self._held(text.item) if by_journal else self._until_cut(text))
        return self._known[number]

    def _held(self, item: str) -> Iterator[Interval]:
        """When the journal holds an item."""
        end = self._journal.head + 1
        course = Hosted(self._journal, [Name(item, 0, self._journal.head)], self._texts.context).course
        for (begin, state), (until, _) in zip(course, [*course[1:], (end, OUT)], strict=True):
            if state in WITHIN and begin < until:
                yield begin, until, state

    def _until_cut(self, text: Text) -> Iterator[Interval]:
        """From where it came to the first cut that didn't keep it; of a file that may have been brought back, on."""
        begin, last = text.step, self._journal.head + 1
        for cut in self._cuts[bisect_right(self._cuts, text.step, key=lambda each: each.step) :]:
            yield from self._sure(begin, cut.step)
            begin = cut.step
            if text.call not in cut.kept:
                if not cut.exact:
                    yield from self._brought_back(text, cut.step)
                return
        yield from self._sure(begin, last)

    def _sure(self, begin: int, end: int) -> Iterator[Interval]:
        """A text stays, and is uncertain since the host's count fell."""
        at = bisect_right(self._falls, begin)
        fell = min(self._falls[at], end) if at < len(self._falls) else end
        yield begin, fell, IN
        if fell < end:
            yield fell, end, UNCERTAIN

    def _brought_back(self, text: Text, step: int) -> Iterator[Interval]:
        """How long it is uncertain whether the host showed a file of this text again after a cut."""
        shown = [text.item] if text.item.startswith("file:") else self._texts.files.get(text.call, [])
        for item in shown if text.is_file else ():
            for begin, end, state in self._held(item):
                if begin <= step < end and state == UNCERTAIN:
                    yield step, end, UNCERTAIN


def _cut(step: int, op: Plain) -> _Cut:
    return _Cut(step, frozenset(op.get("kept", ())), op["kind"] != "compaction" or bool(op["exact"]))


def contents_of(timeline: Timeline, ops: Iterable[Plain]) -> Mapping[str, bytes]:
    """The texts of some ops; without those that were erased."""
    blobs = [op[field]["blob"] for op in ops for field in FIELD_NAMES if isinstance(op.get(field), dict)]
    try:
        return timeline.contents(dict.fromkeys(blobs))
    except CcosError:
        return dict(_read_each(timeline, blobs))


def _read_each(timeline: Timeline, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for blob in dict.fromkeys(blobs):
        with suppress(CcosError):
            yield blob, timeline.content(blob)


def _plain(text: str, is_listing: bool) -> str:
    """Return a text without the numbers of its lines, and without what the gate wrote for hidden characters."""
    text = _NUMBER.sub("", text) if is_listing else text
    return without_literals(text, " ")


def _arguments(text: str) -> list[str]:
    """Return the values of a call's arguments: what stands in two of them doesn't stand together."""
    return [without_literals(each, " ") for each in values_of(text)]


def values_of(text: str) -> list[str]:
    """Return the texts that a call's arguments (as JSON) have as values."""
    try:
        return list(_values(json.loads(text)))
    except (ValueError, RecursionError):
        return [text]


def _values(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (dict, list)):
            waiting += reversed(list(each.values()) if isinstance(each, dict) else each)
        elif isinstance(each, str):
            yield each
