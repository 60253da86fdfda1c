"""`compare WS2`: where two records part, and what that came to.

As far as their chains agree they are one record. Behind that, ops are alike when they say the same, whatever the clock
and the ids of the host say; the rules of epochs are compared by themselves. Steps are compared by their numbers, and
the agent's own ones once more without the looks and counts between them, which differ for any reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.present.rows import Row, View
from ccos_core.query.compare_course import Course, course_of
from ccos_core.query.compare_rows import compare_rows
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told, one_line, told
from ccos_core.query.windows import window_at
from ccos_core.replay.codes import HOW_CODES, KIND_CODES, OUTCOME_CODES
from ccos_core.values.canon import parse
from ccos_core.values.ids import path_of
from ccos_core.window.linearize import DEFAULT_BUDGET, Item

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.prices import Prices

Progress = Callable[[int, int], None]

OWN = ("tool", "prompt", "turn", "failed", "passed", "compaction", "cleared", "attention", "paged_in", "paged_out")
"""What an agent and its user did, besides reading and changing files."""
TOUCHES = ("read", "edit", "write")
NO_MATTER = ("at", "call", "session", "phase", "millis", "v")
"""What two ops that say the same may differ in."""
RULES = ("epoch", "retune")
ALIKE = ("kind", "how", "outcome", "size", "tokens")
"""Columns that agree where ops are alike."""
OFTEN = 200
"""Ops between two words about how far it has come."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One of the two records."""

    name: str
    steps: int
    prompts: int
    calls: int
    errors: int
    """Calls that ended in one."""

    read: int
    """Files that were read, ..."""

    changed: int
    """... and changed."""

    failures: int
    """Different ones there ever were, ..."""

    live: int
    """... and those that live at the end."""

    compactions: int
    tokens: int
    """The fullest the host's window was said to be."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the two say something else for the first time."""

    here: Told | None
    """Nothing where this record had ended."""

    there: Told | None
    fields: tuple[str, ...]
    """In what the two ops differ."""


@dataclass(frozen=True, slots=True)
class Held:
    """A node in one of the two windows at the end, or in both."""

    node: str
    here: str
    """Its level; nothing where it isn't in."""

    there: str
    same_text: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """The answer to `compare`."""

    schema: ClassVar[str] = "ccos.compare/1"
    here: Whole
    there: Whole
    common: int
    """Steps from the first on that are the same by their hashes."""

    alike: int
    """Steps from the first on that say the same."""

    parting: Parting | None
    """What comes then; nothing where both end."""

    own_alike: int
    """The same for what the agent did alone: so many ops of it, ..."""

    own_parting: Parting | None
    same_rules: bool
    """Whether both are folded by the same rules at their ends."""

    lens: str
    budget: int
    windows: tuple[Held, ...]
    """Where the windows at the ends differ: what only one has, and what they show differently."""

    in_both: int
    """Nodes that both show alike."""

    files_here: tuple[str, ...]
    """Files that were read or changed here and not there, ..."""

    files_there: tuple[str, ...]
    failures_here: tuple[str, ...]
    """... and what failed here and never there."""

    failures_there: tuple[str, ...]
    course_here: Course | None = None
    """How this session went, ..."""

    course_there: Course | None = None
    """... and the other one."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(compare_rows(self, view))


def compare(
    timeline: Timeline, at: int, *, other: Timeline, lens: str, budget: int, progress: Progress, prices: Prices
) -> Compared:
    """This record and another one."""
    common = _common(timeline, other)
    alike = _alike(timeline, other, _every(timeline), _every(other), common, progress)
    mine, theirs = _own(timeline), _own(other)
    own_alike = _alike(timeline, other, mine, theirs, int(np.searchsorted(mine, common, side="right")), progress)
    held, in_both = _held(timeline, other, lens, budget)
    files, failures = (_touched(timeline), _touched(other)), (_failed(timeline), _failed(other))
    return Compared(
        here=_whole(timeline),
        there=_whole(other),
        common=common,
        alike=alike,
        parting=_parting(timeline, other, _every(timeline), _every(other), alike),
        own_alike=own_alike,
        own_parting=_parting(timeline, other, mine, theirs, own_alike),
        same_rules=timeline.at(timeline.head).rules == other.at(other.head).rules,
        lens=lens,
        budget=budget,
        windows=tuple(held),
        in_both=in_both,
        files_here=_only(files[0], files[1]),
        files_there=_only(files[1], files[0]),
        failures_here=_only(failures[0], failures[1]),
        failures_there=_only(failures[1], failures[0]),
        course_here=course_of(timeline, progress, prices),
        course_there=course_of(other, progress, prices),
    )


# ---- where they part ----


def _common(one: Timeline, other: Timeline) -> int:
    """A hash takes in all before it, so halving finds the last one they share."""
    low, high = 0, min(one.head, other.head)
    while low < high:
        middle = (low + high + 1) // 2
        if one.hash(middle) == other.hash(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _alike(one: Timeline, other: Timeline, mine: Numbers, theirs: Numbers, known: int, progress: Progress) -> int:
    """How many of these steps say the same, from the first on. Columns tell where that ends at the latest."""
    size = min(len(mine), len(theirs))
    differ = np.zeros(size, bool)
    for name in ALIKE:
        differ |= one.journal.steps[name][mine[:size] - 1] != other.journal.steps[name][theirs[:size] - 1]
    differ &= ~np.isin(one.journal.steps["kind"][mine[:size] - 1], [KIND_CODES[kind] for kind in RULES])
    latest = int(np.argmax(differ)) if differ.any() else size
    pairs = zip(_ops(one, mine[known:latest]), _ops(other, theirs[known:latest]), strict=True)
    for at, (here, there) in enumerate(pairs, known):
        if at % OFTEN == 0:
            progress(at, latest)
        if _differing(here, there):
            return at
    return max(latest, known)


def _parting(one: Timeline, other: Timeline, mine: Numbers, theirs: Numbers, at: int) -> Parting | None:
    steps = [int(steps[at]) if at < len(steps) else 0 for steps in (mine, theirs)]
    if not any(steps):
        return None
    here, there = (told(each, step) if step else None for each, step in zip((one, other), steps, strict=True))
    fields = _differing(one.op(steps[0]), other.op(steps[1])) if all(steps) else ()
    return Parting(here, there, tuple(fields))


def _differing(here: Plain, there: Plain) -> list[str]:
    """In which fields two ops don't say the same."""
    if here["kind"] == there["kind"] and here["kind"] in RULES:
        return []
    one, other = _meaning(here), _meaning(there)
    return [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]


def _meaning(op: Plain) -> dict[str, Any]:
    """What it says; of a context only that it is none of the main thread's."""
    said = {name: value for name, value in op.items() if name not in NO_MATTER}
    return {**said, "context": bool(said["context"])} if "context" in said else said


def _ops(timeline: Timeline, steps: Numbers) -> Iterator[Plain]:
    """The ops of these steps, read in one go."""
    wanted = set(steps.tolist())
    if wanted:
        for step, op in timeline.between(int(steps[0]), int(steps[-1])):
            if step in wanted:
                yield op


def _every(timeline: Timeline) -> Numbers:
    return np.arange(1, timeline.head + 1)


def _own(timeline: Timeline) -> Numbers:
    steps = timeline.journal.steps
    own = np.isin(steps["kind"], [KIND_CODES[kind] for kind in OWN])
    found: Numbers = np.nonzero(own | np.isin(steps["how"], [HOW_CODES[how] for how in TOUCHES]))[0] + 1
    return found


# ---- what it came to ----


def _whole(timeline: Timeline) -> Whole:
    steps = timeline.journal.steps
    kinds, hows = steps["kind"], steps["how"]

    def many(kind: str) -> int:
        return int(np.count_nonzero(kinds == KIND_CODES[kind]))

    def files(*named: str) -> int:
        return len(np.unique(steps["name"][np.isin(hows, [HOW_CODES[how] for how in named])]))

    return Whole(
        name=timeline.name,
        steps=timeline.head,
        prompts=int(np.count_nonzero((kinds == KIND_CODES["prompt"]) & (hows == 0))),
        calls=many("tool"),
        errors=int(np.count_nonzero(steps["outcome"] == OUTCOME_CODES["error"])),
        read=files("read"),
        changed=files("edit", "write"),
        failures=len(_failed(timeline)),
        live=len(timeline.at(timeline.head).failures.live),
        compactions=many("compaction"),
        tokens=int(steps["tokens"].max(initial=0)),
    )


def _touched(timeline: Timeline) -> dict[str, None]:
    """The paths that were read or changed, sorted."""
    steps = timeline.journal.steps
    named = np.unique(steps["name"][np.isin(steps["how"], [HOW_CODES[how] for how in TOUCHES])])
    return dict.fromkeys(sorted(path_of(timeline.journal.name(at)) or "" for at in named.tolist()))


def _failed(timeline: Timeline) -> dict[str, None]:
    """Everything that ever failed, by its runner and its test, sorted."""
    journal = timeline.journal
    keys = np.unique(journal.failures["key"][journal.failures["told"] >= 0])
    named = (parse(journal.name(at).encode("utf-8", "surrogatepass")) for at in keys.tolist())
    return dict.fromkeys(sorted(one_line(" ".join(filter(None, key))) for key in named))


def _only(mine: Mapping[str, None], theirs: Mapping[str, None]) -> tuple[str, ...]:
    return tuple(each for each in mine if each not in theirs)


def _held(one: Timeline, other: Timeline, lens: str, budget: int) -> tuple[list[Held], int]:
    """Where the windows at both ends differ; and how many nodes they show alike."""
    here, there = (_items(window_at(each, each.head, lens, budget).items) for each in (one, other))
    both = [_both(node, here.get(node), there.get(node)) for node in dict.fromkeys((*here, *there))]
    differing = [each for each in both if not each.same_text]
    return differing, len(both) - len(differing)


def _items(items: Iterable[Item]) -> dict[str, Item]:
    return {item.uri: item for item in items}


def _both(node: str, here: Item | None, there: Item | None) -> Held:
    same = here is not None and there is not None and (here.level, here.text) == (there.level, there.text)
    return Held(node, here.level if here else "", there.level if there else "", same)


QUESTION = Question(
    ask=compare,
    answers=(Compared,),
    example="compare other.ccos",
    arguments=(
        Argument("other", "workspace", "the other workspace", required=True),
        Argument("lens", "lens", "which windows to compare at the last steps", default="working-set", flag=True),
        Argument("budget", "budget", "size of these windows", default=DEFAULT_BUDGET, flag=True),
    ),
    timeless=True,
    needs=("progress", "prices"),
    about="Two steps are equal if they record the same thing; times and the agent's ids are ignored.",
)
