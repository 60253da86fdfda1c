"""What the journal's columns know of steps: one pass each, and no op is read.

A mask has a place for every step of the record, the first one's first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.query.contexts import meant
from ccos_core.query.finding.automaton import Automaton
from ccos_core.query.finding.pattern import glob
from ccos_core.query.finding.tree import Compared, Flag, Span, Times
from ccos_core.query.op_text import text_of
from ccos_core.replay.codes import HOW_CODES, KIND_CODES, NO_TIME, OUTCOME_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.text.moments import moment
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MARKS: Mapping[str, Callable[[Any, Any], Any]] = {"=": eq, "!=": ne, ">": gt, ">=": ge, "<": lt, "<=": le}
READ = ("read",)
CUTS = ("compaction", "cleared")


def nothing(timeline: Timeline) -> Numbers:
    """No step."""
    return np.zeros(timeline.head, bool)


def compared(timeline: Timeline, asked: Compared) -> Numbers:
    """Steps whose figure or name fits; those that have none don't fit, whatever they are compared with."""
    if (numbers := _NUMBERS.get(asked.name)) is not None:
        found, known = numbers(timeline)
        within: Numbers = MARKS[asked.mark](found, int(asked.values[0]))
        return within if known is None else np.logical_and(within, known)
    fits = nothing(timeline)
    for value in asked.values:
        fits |= _NAMES[asked.name](timeline, value, asked.mark == "~")
    return np.logical_and(_has(timeline, asked.name), ~fits) if asked.mark == "!=" else fits


def of_kind(timeline: Timeline, *kinds: str) -> Numbers:
    """Steps of these kinds; of files that were seen so, or of prompts that are this rather than typed."""
    steps = timeline.journal.steps
    found: Numbers = np.isin(steps["kind"], [KIND_CODES[kind] for kind in kinds if kind in KIND_CODES])
    found &= (steps["kind"] != KIND_CODES["prompt"]) | (steps["how"] == 0)  # a prompt is what the user typed
    found |= np.isin(steps["how"], [HOW_CODES[kind] for kind in kinds if kind in HOW_CODES])
    return found


def flagged(timeline: Timeline, flag: Flag) -> Numbers:
    """Steps that are so."""
    return _FLAGS[flag.name](timeline)


def between(timeline: Timeline, span: Span) -> Numbers:
    """Steps by their numbers."""
    found = nothing(timeline)
    found[max(span.first or 1, 1) - 1 : timeline.head if span.last is None else span.last] = True
    return found


def timed(timeline: Timeline, times: Times) -> Numbers:
    """Steps by their times; of those that have one."""
    at = timeline.journal.steps["at"]
    known = at != NO_TIME
    if not known.any():
        return nothing(timeline)
    begin = int(at[int(np.argmax(known))])
    found: Numbers = known
    if times.first is not None:
        first = moment(times.first)
        found = np.logical_and(found, at >= first.begin + begin * first.is_offset)
    if times.last is not None:
        last = moment(times.last)
        found = np.logical_and(found, at <= last.end + begin * last.is_offset)
    return found


def epochs(timeline: Timeline) -> Numbers:
    """Of each step, in which epoch it lies."""
    found: Numbers = np.cumsum(timeline.journal.steps["kind"] == KIND_CODES["epoch"])
    return found


# ---- by name ----


def _has(timeline: Timeline, name: str) -> Numbers:
    """Steps that have a name of that sort at all."""
    if name == "tool":
        return of_kind(timeline, "tool")
    if name == "path":
        return (timeline.journal.steps["name"] >= 0) & ~of_kind(timeline, "tool")
    if name == "outcome":
        has: Numbers = timeline.journal.steps["outcome"] > 0
        return has
    return ~nothing(timeline)


def _kind(timeline: Timeline, value: str, _: bool) -> Numbers:
    return of_kind(timeline, value)


def _outcome(timeline: Timeline, value: str, _: bool) -> Numbers:
    found: Numbers = timeline.journal.steps["outcome"] == OUTCOME_CODES[value]
    return found


def _session(timeline: Timeline, value: str, _: bool) -> Numbers:
    return np.isin(timeline.journal.steps["context"], meant(timeline, value, None))


def _context(timeline: Timeline, value: str, _: bool) -> Numbers:
    return np.isin(timeline.journal.steps["context"], meant(timeline, None, value))


def _tool(timeline: Timeline, value: str, is_pattern: bool) -> Numbers:
    """Capitals don't matter where none is said."""
    low = value == value.lower()
    automaton = Automaton(glob(value, path=False)) if is_pattern else None
    calls = of_kind(timeline, "tool")

    def fits(name: str) -> bool:
        name = name.lower() if low else name
        return automaton.fits(name) if automaton is not None else name == value

    return _named(timeline, calls, fits)


def _path(timeline: Timeline, value: str, is_pattern: bool) -> Numbers:
    fits = path_fits(value, is_pattern)

    def is_file(name: str) -> bool:
        path = path_of(name)
        return path is not None and fits(path)

    found = _named(timeline, ~of_kind(timeline, "tool"), is_file)
    for step in (np.nonzero(of_kind(timeline, "renamed") & ~found)[0] + 1).tolist():
        found[step - 1] = fits(timeline.op(step)["to"])
    return found


def path_fits(value: str, is_pattern: bool) -> Callable[[str], bool]:
    """Whether a path is one that is meant."""
    if is_pattern:
        return Automaton(glob(value, path=True)).fits
    whole = value.removeprefix("/")
    return lambda path: path == whole or (whole == value and path.endswith("/" + value))


def _named(timeline: Timeline, among: Numbers, fits: Callable[[str], bool]) -> Numbers:
    """Steps with a name that fits; each name is looked at once."""
    names = timeline.journal.steps["name"]
    among = among & (names >= 0)
    numbers = [at for at in np.unique(names[among]).tolist() if fits(timeline.journal.name(at))]
    return among & np.isin(names, numbers)


# ---- by what they are ----


def _error(timeline: Timeline) -> Numbers:
    return _outcome(timeline, "error", False)


def _fail(timeline: Timeline) -> Numbers:
    """A row of a failure that lives tells since when."""
    rows, found = timeline.journal.failures, nothing(timeline)
    begun = (rows["told"] >= 0) & (rows["since"] == rows["step"])
    found[rows["step"][begun] - 1] = True
    return found


def _refail(timeline: Timeline) -> Numbers:
    """The same, of a failure that was known before."""
    rows, found = timeline.journal.failures, nothing(timeline)
    again = (rows["told"] >= 0) & (rows["since"] < rows["step"]) & (rows["last"] == rows["step"])
    found[rows["step"][again] - 1] = True
    return found


def _pass(timeline: Timeline) -> Numbers:
    """But for renames, under which a failure only takes another name."""
    rows, found = timeline.journal.failures, nothing(timeline)
    found[rows["step"][rows["told"] < 0] - 1] = True
    found &= timeline.journal.steps["look"] == 0
    return found


def _reread(timeline: Timeline) -> Numbers:
    """A read of a file that its context had read before, with a cut of that context between them."""
    steps = timeline.journal.steps
    found = nothing(timeline)
    reads, cuts = of_kind(timeline, "read", "edit", "write"), of_kind(timeline, *CUTS)
    for context in np.unique(steps["context"][cuts]).tolist():
        mine = steps["context"] == context
        places = np.nonzero(mine & (reads | cuts))[0]
        seen, cut = np.cumsum(cuts[places]), cuts[places]
        names = steps["name"][places]
        at = np.nonzero(~cut)[0]
        order = at[np.argsort(names[at], kind="stable")]
        again = (names[order[1:]] == names[order[:-1]]) & (seen[order[1:]] > seen[order[:-1]])
        found[places[order[1:][again]]] = True
    return found & of_kind(timeline, *READ)


def _refused(timeline: Timeline) -> Numbers:
    """A call whose result says that the user refused it, and a prompt that came as the reason."""
    known: Numbers = timeline.journal.once("refused", lambda: _told_as_refused(timeline))
    return known


def _told_as_refused(timeline: Timeline) -> Numbers:
    from ccos_core.query.autopsy.findings.calls import REFUSED_BEGINNINGS, SMALL_BYTES

    found = nothing(timeline)
    bad = np.isin(timeline.journal.steps["outcome"], [OUTCOME_CODES["error"], OUTCOME_CODES["interrupted"]])
    steps = (np.flatnonzero(bad | of_kind(timeline, "prompt")) + 1).tolist()
    timeline.have_ready(steps)
    for step in steps:
        op = timeline.op(step)
        result = op.get("result")
        is_small = result is not None and result["bytes"] <= SMALL_BYTES
        says = text_of(timeline, result) if is_small else ""
        found[step - 1] = op.get("channel") == "refusal" or says.startswith(REFUSED_BEGINNINGS)
    return found


_NUMBERS: Mapping[str, Callable[[Timeline], tuple[Numbers, Numbers | None]]] = {
    "tokens": lambda timeline: (timeline.journal.steps["tokens"], timeline.journal.steps["tokens"] > 0),
    "bytes": lambda timeline: (timeline.journal.steps["size"], None),
    "epoch": lambda timeline: (epochs(timeline), None),
    "step": lambda timeline: (np.arange(1, timeline.head + 1), None),
}
"""The figure of each step, and which have one."""
_NAMES: Mapping[str, Callable[[Timeline, str, bool], Numbers]] = {
    "kind": _kind,
    "outcome": _outcome,
    "session": _session,
    "context": _context,
    "tool": _tool,
    "path": _path,
}
_FLAGS: Mapping[str, Callable[[Timeline], Numbers]] = {
    "error": _error,
    "fail": _fail,
    "refail": _refail,
    "pass": _pass,
    "refused": _refused,
    "reread": _reread,
}
