"""Dead weight in the agent's window: what was delivered and is no longer worth its room.

A file that was read again, lines that were edited since, and results of which the agent named nothing again as long as
they were there. The last is judged with hindsight, and only of results that name files or symbols at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import CcosError
from ccos_core.query.composition_columns import NO_KIND, Balance
from ccos_core.query.hosted.item_kinds import KIND_NUMBERS, KINDS
from ccos_core.query.hosted.item_names import item_names, range_words, read_ops
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.journal import NEVER
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

LEAST_TOKENS = 100
"""Smaller results are not judged."""
JUDGED_MOST = 1_000
"""Results that are judged, the newest; a window seldom holds as many."""
TEXT_STEPS_MOST = 4_000
"""Steps whose texts are searched for names."""
SOON_STEPS = 20
"""A result is not judged as unused within so many steps of the end."""
NAMES_MOST = 300
"""Names of one result that are looked for."""
SHORTEST_NAME = 4
SMALL = 1 << 18
"""Bytes of a content that is searched for names."""
JUDGED = tuple(KIND_NUMBERS[kind] for kind in ("read", "search", "command", "result"))
AGAIN, EDITED, UNUSED = "read again", "edited", "not named again"
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*[A-Za-z0-9_]")
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_\-]*\.[A-Za-z]{1,5}\b")


@dataclass(frozen=True, slots=True)
class DeadItem:
    """Something in the window that could be left out."""

    item: str
    """Its id, as in `recall`, ..."""

    says: str
    """... what it is called, ..."""

    kind: str
    """... and its kind."""

    step: int
    """Since when it is there."""

    tokens: int
    """What of it is dead."""

    why: str
    """`read again`: a later read shows the same lines; `edited`: those lines have changed; `not named again`: no later
    call or text of the agent names a file or symbol in it, as long as it was there."""

    by: int
    """The step of the later read or edit; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class DeadWeight:
    """All of it."""

    tokens: int
    items: tuple[DeadItem, ...]
    """The largest first, ..."""

    more: int
    """... and how many there are besides."""

    judged: int
    """Results that were looked at."""


class Read(NamedTuple):
    """A file, or a part of it, that a call showed."""

    step: int
    path: str
    first: int
    last: int
    """0 where the whole file was shown."""


def dead_weight(timeline: Timeline, balance: Balance, at: int, limit: int) -> DeadWeight:
    """Find what in a context's window at a step is dead weight."""
    texts = balance.texts
    there = balance.there(at)
    there = there[np.isin(texts.kinds[there - 1], JUDGED) & (texts.tokens[there - 1] >= LEAST_TOKENS)][-JUDGED_MOST:]
    if not len(there):
        return DeadWeight(0, (), 0, 0)
    case = _Case(timeline, balance, at, there)
    found = sorted(case.found(), key=lambda each: (-each.tokens, each.step))
    shown = found[: limit or None]
    names = item_names(timeline, [each.item for each in shown])
    told = tuple(_named(each, names[each.item].says, case.reads.get(each.step, ())) for each in shown)
    return DeadWeight(sum(each.tokens for each in found), told, len(found) - len(shown), len(there))


def _named(item: DeadItem, says: str, reads: Sequence[Read]) -> DeadItem:
    """The same with its name; where it showed one file it is that."""
    node = item.item
    if len(reads) == 1:
        (read,) = reads
        node = file_node(read.path)
        says = f"{read.path} {range_words([(read.first, read.last)]) if read.last else ''}".rstrip()
    return DeadItem(node, says, item.kind, item.step, item.tokens, item.why, item.by)


class _Case:
    """One window, and what is known of the results in it."""

    def __init__(self, timeline: Timeline, balance: Balance, at: int, there: Numbers) -> None:
        self.timeline = timeline
        self.balance = balance
        self.at = at
        self.there = there
        begin = int(there[0])
        steps = timeline.journal.steps
        mine = balance.mine[begin - 1 : at] & (steps["kind"][begin - 1 : at] == KIND_CODES["seen"])
        self.seen: list[int] = (np.nonzero(mine)[0] + begin).tolist()
        self.ops = read_ops(timeline, sorted({*there.tolist(), *self.seen}))
        self.reads = self._reads()
        self.later = self._later_reads()
        self.named = _last_named(timeline, balance, begin, self._horizon(begin))

    def found(self) -> Iterator[DeadItem]:
        """Every item that is dead weight, in whole or in part."""
        for step in self.there.tolist():
            tokens = self.balance.scaled(int(self.balance.texts.tokens[step - 1]))
            kind = KINDS[int(self.balance.texts.kinds[step - 1])]
            item = f"result:{step}"
            reads = self.reads.get(step, [])
            if by := self._read_again(step, reads):
                yield DeadItem(item, "", kind, step, tokens, AGAIN, by)
            elif dead := self._edited(reads, tokens):
                yield DeadItem(item, "", kind, step, dead[0], EDITED, dead[1])
            elif self._is_unused(step, reads):
                yield DeadItem(item, "", kind, step, tokens, UNUSED, 0)

    def _reads(self) -> dict[int, list[Read]]:
        """Step of a result → the files it showed."""
        by_call: dict[str, list[Read]] = {}
        for step in self.seen:
            op = self.ops[step]
            if op["how"] == "read" and "call" in op:
                first, last = op.get("slice", (1, 0))
                by_call.setdefault(op["call"], []).append(Read(step, op["path"], first, last))
        return {step: by_call.get(self.ops[step].get("call", ""), []) for step in self.there.tolist()}

    def _later_reads(self) -> dict[str, list[Read]]:
        """Path → what this context was shown of it, or wrote, in order."""
        found: dict[str, list[Read]] = {}
        for step in self.seen:
            op = self.ops[step]
            if op["how"] in ("read", "write"):
                first, last = op.get("slice", (1, 0))
                found.setdefault(op["path"], []).append(Read(step, op["path"], first, last))
        return found

    def _read_again(self, step: int, reads: Sequence[Read]) -> int:
        """The step of the last of the reads that show all of it again; 0 where some of it is shown nowhere else."""
        by = [next((each.step for each in self.later[read.path] if _covers(each, read)), 0) for read in reads]
        return max(by) if by and all(by) else 0

    def _edited(self, reads: Sequence[Read], tokens: int) -> tuple[int, int] | None:
        """(tokens of the lines that aren't there any more, the step of the last edit) of a file that was edited."""
        if len(reads) != 1:
            return None
        (read,) = reads
        edits = [
            step
            for step in self.seen
            if step > read.step and self.ops[step]["path"] == read.path and self.ops[step]["how"] in ("edit", "write")
        ]
        if not edits:
            return None
        then, now = (self._lines(read.path, step) for step in (read.step, self.at))
        shown = then[read.first - 1 : read.last or len(then)]
        if not shown or not now:
            return None
        left = Counter(shown) - Counter(now)
        dead = tokens * left.total() // len(shown)
        return (dead, edits[-1]) if dead else None

    def _lines(self, path: str, step: int) -> Sequence[str]:
        sources = self.timeline.sources
        version = sources.at(path, self.timeline.at(step).last)
        return sources.source(path, version).lines if version is not None else ()

    def _is_unused(self, step: int, reads: Sequence[Read]) -> bool:
        """Whether nothing that it names was named again as long as it was there."""
        if self._horizon(step) - step < SOON_STEPS:
            return False
        names = set(self._names(step, reads))
        return bool(names) and all(self.named.get(name, 0) <= step for name in names)

    def _names(self, step: int, reads: Sequence[Read]) -> Iterable[str]:
        """The files that a result names or shows, and the symbols of those it shows."""
        if not reads:
            op = self.ops[step]
            text = _text(self.timeline, op.get("result"))
            return list(dict.fromkeys(_FILE.findall(text)))[:NAMES_MOST]
        found = []
        for read in reads:
            found.append(read.path.rpartition("/")[2])
            version = self.timeline.sources.at(read.path, self.timeline.at(read.step).last)
            if version is not None:
                source = self.timeline.sources.source(read.path, version)
                symbols = [each for each in source.nesting.outline.symbols if _is_shown(each.line, read)]
                found += [name for each in symbols if len(name := each.name.rpartition(".")[2]) >= SHORTEST_NAME]
        return found[:NAMES_MOST]

    def _horizon(self, step: int) -> int:
        """The last step at which a result was there."""
        end = int(self.balance.texts.ends[step - 1])
        return self.timeline.head if end == NEVER else end - 1


def _covers(later: Read, read: Read) -> bool:
    """Whether a later read shows all that one showed."""
    if later.step <= read.step:
        return False
    return not later.last or (bool(read.last) and later.first <= read.first and read.last <= later.last)


def _is_shown(line: int, read: Read) -> bool:
    return not read.last or read.first <= line <= read.last


def _last_named(timeline: Timeline, balance: Balance, begin: int, end: int) -> Mapping[str, int]:
    """Return the last step at which the agent named each word in a call or a text, between two steps."""
    known: dict[tuple[int, int, int], dict[str, int]] = timeline.journal.once("words named last", dict)
    end = min(end, begin + TEXT_STEPS_MOST)
    key = balance.context, begin, end
    if key not in known:
        known.clear()  # one window at a time: the words of a long one take megabytes
        known[key] = dict(_named_words(timeline, balance, begin, end))
    return known[key]


def _named_words(timeline: Timeline, balance: Balance, begin: int, end: int) -> Iterator[tuple[str, int]]:
    spoken = balance.mine[begin - 1 : end] & (balance.texts.kinds[begin - 1 : end] != NO_KIND)
    steps = (np.nonzero(spoken)[0] + begin).tolist()
    yield from words_of_agent(timeline, steps)


def words_of_agent(timeline: Timeline, steps: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield (word, step) for each word in the calls and texts of the agent at some steps."""
    blobs: list[tuple[int, str]] = []
    for step, op in read_ops(timeline, steps).items():
        if op["kind"] in ("tool", "turn", "thought"):
            said = op.get("arguments") if op["kind"] == "tool" else op.get("said")
            if isinstance(said, dict) and said["bytes"] <= SMALL:
                blobs.append((step, said["blob"]))
    with suppress(CcosError):
        contents = timeline.contents(dict.fromkeys(blob for _, blob in blobs))
        for step, blob in blobs:
            text = contents.get(blob, b"").decode("utf-8", "replace")
            for word in dict.fromkeys(_WORD.findall(text)):
                yield word, step


def _text(timeline: Timeline, blob: Mapping[str, object] | None) -> str:
    if blob is None:
        return ""
    try:
        return timeline.content(str(blob["blob"])).decode("utf-8", "replace")[:SMALL]
    except CcosError:
        return ""
