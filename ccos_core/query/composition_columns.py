"""What fills the agent's window, worked out for every step of a session from the journal's columns.

A step that brings text has a kind and a size, and is in its context's window from that step until a cut takes it out.
What the agent's program counted beyond that is split: what stood there at the first count (the system prompt and the
tools), what came back with the first count after a cut, and the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.query.falls import falls
from ccos_core.query.hosted.item_kinds import BY_PREFIX, KIND_NUMBERS, KINDS, OWN_PROMPTS, kind_of_tool
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.replay.codes import HOW_CODES, KIND_CODES, KIND_NAMES, context_of
from ccos_core.replay.journal import NEVER, STATES
from ccos_core.replay.measure import CUTS, counted, held_at
from ccos_core.state.holding import OUT, UNCERTAIN
from ccos_core.values.tokens import BYTES

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

NO_KIND = len(KINDS)
"""The kind of a step that brings no text into a window."""
KIND_OF_OP = {"prompt": "prompt", "turn": "text", "thought": "thinking", "compaction": "summary", "tool": "result"}
"""Kind of an op → the kind of what it brings; of a tool the result, the call is counted apart."""
CALL = KIND_NUMBERS["call"]
PERCENT = 100
LARGE, LARGE_SHARE = 600, 80
"""Tokens, and percent of all that came between two counts, from which on one result shows what the program counts for
our tokens: little else came with it."""
ENOUGH = 5
"""Such results that it takes; their median counts."""
LEAST_SCALE, MOST_SCALE = 50, 200
"""Percent within which a ratio is taken for one of tokenizers."""


class WindowTexts(NamedTuple):
    """What each step brought, with a place for every step, the first one's first."""

    kinds: Numbers
    """Numbers of `KINDS`; `NO_KIND` where it brought nothing."""
    tokens: Numbers
    """What that took, as we estimate it; of a call with its result, the result alone."""
    calls: Numbers
    """What the call took, where the fold tells it."""
    ends: Numbers
    """The step at which it left the window; `NEVER` where it is there to the end."""


class ItemPrefixes:
    """What kind of item each name of the journal is, by its beginning; goes on as names come."""

    def __init__(self) -> None:
        self._kinds = np.empty(0, np.int8)

    def of(self, journal: Journal) -> Numbers:
        """Return a number of `KINDS` for each name; `NO_KIND` for code and all else."""
        known = len(self._kinds)
        if known < len(journal.names):
            names = journal.spelled(np.arange(known, len(journal.names)))
            new = [_prefix_kind(name) for name in names]
            self._kinds = np.concatenate([self._kinds, np.array(new, np.int8)])
        return self._kinds

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first names are what they were."""
        self._kinds = self._kinds[: sizes["names"]]


def _prefix_kind(name: str) -> int:
    prefix, mark, _ = name.partition(":")
    is_item = bool(mark) and prefix in BY_PREFIX and prefix not in ("file", "sym", "memory")
    return KIND_NUMBERS[BY_PREFIX[prefix]] if is_item else NO_KIND


def texts_of(journal: Journal) -> WindowTexts:
    """Return what every step brought into the window of its context."""
    found: WindowTexts = journal.once("texts in windows", lambda: _texts(journal))
    return found


def _texts(journal: Journal) -> WindowTexts:
    steps = journal.steps
    kinds = _kinds(journal)
    tokens = -(-steps["size"].astype(np.int64) * BYTES[1] // BYTES[0])
    tokens[kinds == NO_KIND] = 0
    calls = np.zeros(len(tokens), np.int64)
    ends = _next_cuts(journal)
    if len(journal.held):
        _take_from_items(journal, kinds, tokens, calls, ends)
    return WindowTexts(kinds, tokens, calls, ends)


def _kinds(journal: Journal) -> Numbers:
    """The kind of what each step brought, by its op, its tool, and how a prompt came about."""
    steps = journal.steps
    by_op = np.full(len(KIND_NAMES), NO_KIND, np.int8)
    for op, kind in KIND_OF_OP.items():
        by_op[KIND_CODES[op]] = KIND_NUMBERS[kind]
    kinds: Numbers = by_op[steps["kind"]]
    is_tool = steps["kind"] == KIND_CODES["tool"]
    tools = steps["name"][is_tool]
    unique, places = np.unique(tools, return_inverse=True)
    by_tool = [KIND_NUMBERS[kind_of_tool(journal.name(number)) if number >= 0 else "result"] for number in unique]
    kinds[is_tool] = np.array(by_tool, np.int8)[places] if len(unique) else 0
    own = [HOW_CODES[how] for how in OWN_PROMPTS]
    kinds[(steps["kind"] == KIND_CODES["prompt"]) & ~np.isin(steps["how"], own)] = KIND_NUMBERS["note"]
    return kinds


def _next_cuts(journal: Journal) -> Numbers:
    """The step of the first cut of its context behind each step; a cut's own summary outlives it."""
    steps = journal.steps
    ends = np.full(len(steps), NEVER, np.int64)
    is_cut = np.isin(steps["kind"], CUTS)
    for context in np.unique(steps["context"][is_cut]).tolist():
        cuts = np.nonzero(is_cut & (steps["context"] == context))[0] + 1
        mine = np.nonzero(steps["context"] == context)[0]
        places = np.searchsorted(cuts, mine + 1, side="right")
        ends[mine] = np.append(cuts, NEVER)[places]
    return ends


def _take_from_items(journal: Journal, kinds: Numbers, tokens: Numbers, calls: Numbers, ends: Numbers) -> None:
    """Take from what the fold noted of items: what calls took, what survived a cut, and which results were files."""
    held, kind_of_item = journal.held, journal.growing("item prefixes", ItemPrefixes).of(journal)
    of_items = kind_of_item[held["item"]]
    rows = np.nonzero(of_items != NO_KIND)[0]
    rows = rows[np.lexsort((rows, held["item"][rows], held["context"][rows]))]
    if not len(rows):
        return
    item, state, step = held["item"][rows], held["state"][rows], held["step"][rows]
    is_out = state == STATES.index(OUT)
    begins = np.append(True, (item[1:] != item[:-1]) | (held["context"][rows][1:] != held["context"][rows][:-1]))
    first = np.nonzero(begins)[0]
    last = np.append(first[1:], len(rows)) - 1
    came, of_first = held["delivered"][rows][first] - 1, of_items[rows][first]
    good = (came >= 0) & ~is_out[first]
    first, last, came, of_first = first[good], last[good], came[good], of_first[good]
    prompts = np.nonzero(journal.steps["kind"] == KIND_CODES["prompt"])[0]
    told_by_result = np.setdiff1d(prompts, came)  # words that stand in the result of a call, and are no item
    kinds[told_by_result], tokens[told_by_result] = NO_KIND, 0
    is_call = of_first == CALL
    calls[came[is_call]] = held["tokens"][rows][first[is_call]]
    np.subtract(tokens, calls, out=tokens, where=calls > 0)
    np.maximum(tokens, 0, out=tokens)
    thought = of_first == KIND_NUMBERS["thinking"]
    counted_last = np.where(is_out[last], np.maximum(last - 1, first), last)  # a count may tell its size later
    tokens[came[thought]] = held["tokens"][rows][counted_last[thought]]
    gone = np.where(is_out[last], step[last], NEVER)
    by_kind = journal.steps["kind"][np.minimum(gone, len(journal.steps)) - 1]
    by_cut = (gone == NEVER) | np.isin(by_kind, CUTS) | thought  # thoughts leave as well when the user speaks again
    ends[came[by_cut & ~is_call]] = gone[by_cut & ~is_call]
    _mark_files(journal, kinds, came[~by_cut], gone[~by_cut])


def _mark_files(journal: Journal, kinds: Numbers, came: Numbers, gone: Numbers) -> None:
    """A result that turned out to be the text of a file is a file that was read, whichever tool gave it."""
    was_read = journal.steps["how"][gone - 1] == HOW_CODES["read"]
    is_edit = kinds[came] == KIND_NUMBERS["edit"]
    kinds[came[was_read & ~is_edit]] = KIND_NUMBERS["read"]


class TokenScale(NamedTuple):
    """How many tokens the agent's program counts for a hundred of our estimate."""

    percent: int
    samples: int
    """Large results it was measured on; 0 where there were too few, and the estimate stands as it is."""


def scale_of(journal: Journal, context: int) -> TokenScale:
    """Measure what a program counts for our tokens, over all contexts of a session: by what its count grew where one
    large result was nearly all that came."""
    host, session, _ = context_of(journal.name(context))
    every = np.unique(journal.steps["context"]).tolist()
    own = [number for number in every if context_of(journal.name(number))[:2] == (host, session)]
    ratios = np.sort(np.concatenate([_ratios(journal, number) for number in own]))
    ratios = ratios[(ratios >= LEAST_SCALE) & (ratios <= MOST_SCALE)]
    if len(ratios) < ENOUGH:
        return TokenScale(PERCENT, 0)
    return TokenScale(int(ratios[len(ratios) // 2]), len(ratios))


def _ratios(journal: Journal, context: int) -> Numbers:
    """Percent that a context's count grew by for our estimate, for each large result that came nearly alone."""
    counts = counted(journal, context, 1, journal.head)
    if len(counts) < 2:
        return np.empty(0, np.int64)
    texts, steps = texts_of(journal), journal.steps
    mine = steps["context"] == context
    taken = np.where(mine, texts.tokens + texts.calls, 0)
    begins = counts - 1
    came, most = (reduce(taken, begins)[:-1] for reduce in (np.add.reduceat, np.maximum.reduceat))
    grew = np.diff(steps["tokens"][begins])
    cuts = np.cumsum(mine & np.isin(steps["kind"], CUTS))[begins]
    good = (np.diff(cuts) == 0) & (came >= LARGE) & (most * PERCENT >= came * LARGE_SHARE) & (grew > 0)
    found: Numbers = grew[good] * PERCENT // came[good]
    return found


class Filling(NamedTuple):
    """What fills a context's window at some steps, one row a step. Each row adds up to what was counted."""

    counted: Numbers
    """What the agent's program counted last, without what came since; where it never did, an estimate."""
    kinds: Numbers
    """Tokens by kind, in the order of `KINDS`, at that count."""
    system: Numbers
    """What stood there before the first prompt."""
    restored: Numbers
    """What came with the first count after a cut and isn't recorded; estimated where there is no count yet."""
    left: Numbers
    """What the counts say is gone though no cut is recorded: 0 or less."""
    rest: Numbers
    """What isn't explained; below 0 where our sizes are too large."""

    @property
    def stacked(self) -> Numbers:
        """All of them but the count: system, restored, the kinds, what left, the rest."""
        found: Numbers = np.column_stack([self.system, self.restored, self.kinds, self.left, self.rest])
        return found


class Balance:
    """What fills a context's window at each count of its program."""

    def __init__(self, timeline: Timeline, context: int) -> None:
        self.timeline = timeline
        self.journal = journal = timeline.journal
        self.context = context
        self.texts = texts_of(journal)
        self.scale = scale_of(journal, context)
        steps = journal.steps
        self.mine = steps["context"] == context
        self.counts = counted(journal, context, 1, journal.head)
        self.cuts = np.nonzero(self.mine & np.isin(steps["kind"], CUTS))[0] + 1
        self._restored: dict[int, int] = {}

    def tokens(self, step: int) -> int:
        """Return how many tokens are in the window at a step: as counted last, or as estimated."""
        return int(self.at(np.array([step], np.int64)).counted[0])

    def at(self, steps: Numbers) -> Filling:
        """Return what fills the window at some steps, in order. A step shows the last count up to it since the last
        cut, or an estimate where there was none."""
        last = self.last_counts(steps)
        has = last > 0
        moments = np.where(has, last, steps)
        kinds = self.known(moments)
        known = kinds.sum(axis=1)
        system, restored = self._inferred(moments)
        sizes = known + system + restored
        sizes[has] = self._sizes(moments[has])
        beyond = sizes - known - system - restored
        left = self._left(moments)
        return Filling(sizes, kinds, system, restored, left, beyond - left)

    def last_counts(self, steps: Numbers) -> Numbers:
        """Return the last count up to some steps; 0 where there was none since the last cut. A cut of which its
        program said what it left is one."""
        every = np.sort(np.append(self.counts, np.array(list(self._afters), np.int64)))
        counts = np.append(0, every)[np.searchsorted(every, steps, side="right")]
        return np.where(counts >= self._cut_before(steps), counts, 0)

    def _sizes(self, counts: Numbers) -> Numbers:
        """What was counted at some counts."""
        sizes: Numbers = self.journal.steps["tokens"][counts - 1].astype(np.int64)
        for step, after in self._afters.items():
            sizes[counts == step] = after
        return sizes

    @cached_property
    def _afters(self) -> dict[int, int]:
        """The step of each cut of which its program said what it left → how many tokens."""
        ops = read_ops(self.timeline, self.cuts.tolist())
        return {step: op["after"] for step, op in ops.items() if "after" in op}

    def counts_since_cut(self, step: int) -> Numbers:
        """Return the counts up to a step since the last cut."""
        since = int(self._cut_before(np.array([step]))[0])
        return self.counts[(self.counts >= since) & (self.counts <= step)]

    def there(self, step: int) -> Numbers:
        """Return the steps whose texts are in the window at a step."""
        texts = self.texts
        found = self.mine[:step] & (texts.kinds[:step] != NO_KIND) & (texts.ends[:step] > step)
        return np.nonzero(found & (texts.tokens[:step] + texts.calls[:step] > 0))[0] + 1

    def items(self, step: int) -> list[int]:
        """Return how many items of each kind are in the window, in the order of `KINDS`."""
        there = self.there(step) - 1
        found = np.bincount(self.texts.kinds[there][self.texts.tokens[there] > 0], minlength=len(KINDS))
        found[CALL] += int(np.count_nonzero(self.texts.calls[there]))
        items: list[int] = found.tolist()
        return items

    def scaled(self, tokens: int) -> int:
        """Return our estimate as the agent's program would count it."""
        return tokens * self.scale.percent // PERCENT

    def _cut_before(self, steps: Numbers) -> Numbers:
        places = np.searchsorted(self.cuts, steps, side="right")
        found: Numbers = np.append(0, self.cuts)[places]
        return found

    def known(self, moments: Numbers) -> Numbers:
        """Return tokens by kind of what is recorded in the window at some steps, as the program counts."""
        found = np.zeros((len(moments), len(KINDS)), np.int64)
        for kind in range(len(KINDS)):
            mine = np.nonzero(self.mine & (self.texts.kinds == kind))[0]
            found[:, kind] = self._there(mine, self.texts.tokens, moments)
        found[:, CALL] += self._there(np.nonzero(self.mine & (self.texts.calls > 0))[0], self.texts.calls, moments)
        return found * self.scale.percent // PERCENT

    def _there(self, mine: Numbers, tokens: Numbers, moments: Numbers) -> Numbers:
        """What came up to some steps, less what left up to them."""
        if not len(mine):
            return np.zeros(len(moments), np.int64)
        came = np.append(0, np.cumsum(tokens[mine]))[np.searchsorted(mine + 1, moments, side="right")]
        order = np.argsort(self.texts.ends[mine], kind="stable")
        ends = self.texts.ends[mine][order]
        left = np.append(0, np.cumsum(tokens[mine][order]))[np.searchsorted(ends, moments, side="right")]
        found: Numbers = came - left
        return found

    def _left(self, moments: Numbers) -> Numbers:
        """What is gone since the count fell without a cut."""
        found = np.zeros(len(moments), np.int64)
        for step, until, tokens in self._losses:
            found[(moments >= step) & (moments < until)] -= tokens
        return found

    @cached_property
    def _losses(self) -> list[tuple[int, int, int]]:
        """(step of a fall, step of the next cut, by how many tokens more was known than was counted)."""
        found: list[tuple[int, int, int]] = []
        for fall in falls(self.journal, self.journal.head):
            if fall.context == self.context:
                before = sum(tokens for _, until, tokens in found if until > fall.step)
                over = -int(self._beyond(np.array([fall.step]))[0]) - before
                until = int(np.append(self.cuts, NEVER)[np.searchsorted(self.cuts, fall.step)])
                found += [(fall.step, until, over)] if over > 0 else []
        return found

    def _beyond(self, counts: Numbers) -> Numbers:
        """What some counts hold beyond what is recorded or inferred."""
        system, restored = self._inferred(counts)
        known = self.known(counts).sum(axis=1)
        found: Numbers = self.journal.steps["tokens"][counts - 1] - known - system - restored
        return found

    def _inferred(self, moments: Numbers) -> tuple[Numbers, Numbers]:
        """What was there beyond what is known: before the first prompt, and brought back after a cut."""
        pairs = np.array([self._inferred_at(step) for step in moments.tolist()], np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def _inferred_at(self, step: int) -> tuple[int, int]:
        """The same at one step: by the first count since the last cut; before it, by those before the cut."""
        stretch, beyond = int(np.searchsorted(self.cuts, step, side="right")), self._beyond_firsts
        first, over = beyond.get(stretch, (NEVER, 0))
        if step >= first:
            system = beyond[min(beyond)][1]
        else:
            system = min((each for at, (_, each) in beyond.items() if at < stretch), default=0)
            if step not in self._afters:
                return system, self._brought_back(stretch)
            over = max(0, self._afters[step] - int(self.known(np.array([step], np.int64)).sum()))
        return min(over, system), over - min(over, system)

    @cached_property
    def _beyond_firsts(self) -> dict[int, tuple[int, int]]:
        """Of each stretch between cuts with a count: its first count, and what that held beyond what is known."""
        stretches = np.searchsorted(self.cuts, self.counts, side="right")
        numbers, places = np.unique(stretches, return_index=True)
        firsts = self.counts[places]
        over = np.maximum(self.journal.steps["tokens"][firsts - 1] - self.known(firsts).sum(axis=1), 0)
        return dict(zip(numbers.tolist(), zip(firsts.tolist(), over.tolist(), strict=True), strict=True))

    def _brought_back(self, stretch: int) -> int:
        """What a program probably shows again after the cut before a stretch: half of the files that may be there.
        On 30 recorded compactions the median error of the estimate is then 10 % (all files 14 %, none 15 %)."""
        if not stretch:
            return 0
        if stretch in self._restored:
            return self._restored[stretch]
        held = held_at(self.journal, self.context, int(self.cuts[stretch - 1]))
        files = [each.tokens for node, each in held.items() if node.startswith("file:") and each.state == UNCERTAIN]
        self._restored[stretch] = sum(files) // 2
        return self._restored[stretch]
