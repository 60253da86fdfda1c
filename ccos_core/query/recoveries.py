"""`recoveries`: each failure with what was tried against it and the step that ended it, or that it fails still.

Failures that began with one run and ended with one are one entry. What was tried are the edits between its first
failing run and its end, and the runs in which it failed again. A call that ended in an error, without a reported
failure, is an entry as well: it is over when the same call succeeds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import FAILURE_SIGNS, count, duration
from ccos_core.query.failing import changes, last_change
from ccos_core.query.question import Argument, Question
from ccos_core.query.step_groups import FAILED, Group, described
from ccos_core.query.step_outline import BAD, TOOL, Outline, outline_of
from ccos_core.query.telling import one_line
from ccos_core.replay.codes import HOW_CODES
from ccos_core.replay.past import Outage, failure_told, outages
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

ENDED, DUE, FAILING = "ended", "rerun due", "failing"
NOT_AGAIN = "not tried again"
LISTED_TRIES, SHOWN_TRIES, SHOWN = 40, 6, 20
"""Attempts that an answer holds of a failure, that a terminal shows of one, and failures that it shows."""
LOOKED_ON = 40
"""Rows behind a failed call in which the same call is looked for."""
FILE_TOOLS = ("Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "read_file", "write_file", "edit", "replace")
"""Tools of which two calls about one file are the same once more."""
EDITS = [HOW_CODES["edit"], HOW_CODES["write"]]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One thing that was tried: an edit, or a run in which it failed again."""

    step: int
    kind: str
    """`edit` or `run`."""

    says: str
    """The call, on one line."""

    result: str
    """What came of it: `+3 −1`, `2 fail`."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """A failure, what was tried, and what became of it."""

    kind: str
    """`failure`, or `call` for a call that ended in an error."""

    name: str
    """The test or the message; of a call what was called."""

    runner: str
    """What reported it; of a call the tool."""

    others: tuple[str, ...]
    """Names of the failures that began and ended with it."""

    anchor: str
    """The node where it is located; empty if unknown."""

    state: str
    """`ended`, `failing`, `rerun due` (files were changed since it failed last), or of a call `not tried again`."""

    since: int
    """The step of its first failing run, ..."""

    since_says: str
    """... and what that was."""

    last: int
    """The step at which it failed last."""

    ended: int | None
    """The step that ended it; null if none did."""

    ended_says: str
    """What that was."""

    millis: int | None
    """How long it lasted, as far as the times are known."""

    tries: tuple[Attempt, ...]
    """What was tried, in order; the first and the last ones of many."""

    tries_more: int
    """How many attempts are left out."""

    before: Attempt | None = None
    """The last edit of its file before it failed first; of any file of the project where its own isn't known."""


@dataclass(frozen=True, slots=True)
class Recoveries:
    """The answer to `recoveries`."""

    schema: ClassVar[str] = "ccos.recoveries/1"
    at: int
    failures: tuple[Recovery, ...]
    """What still fails first, then what ended, each by its first step."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def recoveries(timeline: Timeline, at: int, *, calls: bool) -> Recoveries:
    """List failures up to a step; with `calls` also the calls that ended in an error."""
    reading = _Reading(timeline, at)
    found = [*reading.failures(), *(reading.calls() if calls else ())]
    return Recoveries(at, tuple(sorted(found, key=lambda each: (each.ended is not None, each.since))))


class _Reading:
    """The groups of a record up to a step, each described once."""

    def __init__(self, timeline: Timeline, at: int) -> None:
        self.timeline = timeline
        self.at = at
        self.outline: Outline = outline_of(timeline)
        self.end = self.outline.group_of(at) + 1 if len(self.outline) else 0
        """The place behind the last group."""
        changing = changes(timeline)
        edits = changing[np.isin(timeline.journal.steps["how"][changing - 1], EDITS)]
        self._edits: list[int] = np.unique(np.searchsorted(self.outline.first, edits, "right") - 1).tolist()
        """Places of the groups that edit or write a file of the project."""
        self._is_edit = frozenset(self._edits)
        self._edited = edits
        self._known: dict[int, Group] = {}

    def group(self, place: int) -> Group:
        if place not in self._known:
            self._read([place])
        return self._known[place]

    def _read(self, places: Iterable[int]) -> None:
        wanted = [place for place in dict.fromkeys(places) if place not in self._known]
        self._known.update(zip(wanted, described(self.timeline, self.outline, wanted), strict=True))

    # -- failures -----------------------------------------------------------------------------------------------------

    def failures(self) -> Iterator[Recovery]:
        together: dict[tuple[int, int], list[Outage]] = {}
        for each in outages(self.timeline.journal, self.timeline.at(self.at).last):
            ended = each.ended or (0 if each.last == each.since else -each.last)  # those that live, by their last run
            together.setdefault((self.outline.group_of(each.since), ended), []).append(each)
        changed = last_change(self.timeline, self.at)
        again = self._failed_again()
        for some in together.values():
            yield self._failure(some, changed, again)

    def _failure(self, some: list[Outage], changed: int, again: dict[int, list[int]]) -> Recovery:
        outage, journal = some[0], self.timeline.journal
        names = [_name_of(self.timeline, each) for each in some]
        (runner, _, _), live = failure_told(journal, outage.row)
        begin, ended = self.outline.group_of(outage.since), outage.ended
        last = max(each.last for each in some)
        until = self.outline.group_of(ended) if ended else self.end
        runs = {self.outline.group_of(step) for each in some for step in again.get(each.row, ()) if step > each.since}
        tries, more = self._tries(begin + 1, until, runs)
        state = ENDED if ended else DUE if changed > last else FAILING
        end = self.group(self.outline.group_of(ended)) if ended else None
        return Recovery(
            kind="failure", name=names[0], runner=runner, others=tuple(dict.fromkeys(names[1:])),
            anchor=live.anchors[0] if live.anchors else "", state=state, since=outage.since,
            since_says=_says(self.group(begin)), last=last, ended=ended or None,
            ended_says=_says(end) if end is not None else "", millis=self._millis(outage.since, ended or self.at),
            tries=tries, tries_more=more, before=self._before(begin, live.anchors),
        )  # fmt: skip

    def _before(self, begin: int, anchors: Sequence[str]) -> Attempt | None:
        """The last edit of the file of an anchor, or of any, before the group at a place."""
        path = path_of(anchors[0]) if anchors else None
        edits = self._edited[: int(np.searchsorted(self._edited, int(self.outline.first[begin])))]
        if path is not None:
            edits = edits[self.timeline.journal.steps["name"][edits - 1] == self.timeline.journal.id(file_node(path))]
        if not len(edits):
            return None
        group = self.group(self.outline.group_of(int(edits[-1])))
        return Attempt(group.step, "edit", group.says, group.result)

    def _failed_again(self) -> dict[int, list[int]]:
        """Last row of each outage → the steps at which it failed."""
        rows = self.timeline.journal.failures
        upto = rows.upto(self.timeline.at(self.at).last)
        keys, lasts, told = (rows[name][:upto].tolist() for name in ("key", "last", "told"))
        found: dict[int, list[int]] = {}
        running: dict[int, list[int]] = {}
        for row_, (key, last, tells) in enumerate(zip(keys, lasts, told, strict=True)):
            if tells < 0:
                running.pop(key, None)
                continue
            running.setdefault(key, []).append(last)
            found[row_] = running[key]
        return found

    def _tries(self, begin: int, until: int, runs: set[int]) -> tuple[tuple[Attempt, ...], int]:
        """Return the edits and `runs` at places from `begin` to before `until`, and how many are left out. Only the
        ends of many are looked at, for each of a thousand live failures may have all edits of a session behind it."""
        first, end = (bisect_left(self._edits, place) for place in (begin, max(begin, until)))
        again = sorted(place for place in runs if begin <= place < until)
        size = end - first + sum(place not in self._is_edit for place in again)
        half = LISTED_TRIES // 2 if size > LISTED_TRIES else LISTED_TRIES
        ends = [*self._edits[first : min(first + half, end)], *self._edits[max(end - half, first) : end]]
        places = sorted({*ends, *again[:half], *again[-half:]})
        some = places if size <= LISTED_TRIES else [*places[:half], *places[-half:]]
        self._read(some)
        tries = tuple(
            Attempt(group.step, "run" if place in runs else "edit", group.says, group.result)
            for place in some
            for group in (self.group(place),)
        )
        return tries, size - len(some)

    def _millis(self, first: int, last: int) -> int | None:
        begin, end = self.timeline.time(first), self.timeline.time(last)
        return max(end - begin, 0) if begin is not None and end is not None else None

    # -- calls --------------------------------------------------------------------------------------------------------

    def calls(self) -> Iterator[Recovery]:
        """Calls that ended in an error and report no failure; one that fails again belongs to the one before."""
        outline = self.outline
        bad = (outline.kind == TOOL) & np.isin(outline.outcome, BAD) & (outline.fails == 0)
        found: dict[str, Recovery] = {}
        for place in np.flatnonzero(bad[: self.end]).tolist():
            group = self.group(place)
            known = found.get(_same_call(group))
            if known is not None and (known.ended or self.at) >= group.step > known.since:
                continue
            found[_same_call(group)] = made = self._call(place, group)
            yield made

    def _call(self, place: int, group: Group) -> Recovery:
        self._read(range(place, min(place + LOOKED_ON, self.end)))
        tries: list[Attempt] = []
        last, end = group.step, None
        for later in range(place + 1, min(place + LOOKED_ON, self.end)):
            other = self.group(later)
            if (other.tool or other.kind == "tool") and _same_call(other) == _same_call(group):
                if other.outcome not in ("error", "interrupted", FAILED):
                    end = other
                    break
                last = other.step
                tries.append(Attempt(other.step, "run", other.says, other.result))
            elif later in self._is_edit:
                tries.append(Attempt(other.step, "edit", other.says, other.result))
        return Recovery(
            kind="call", name=one_line(group.says), runner=group.tool, others=(), anchor="",
            state=ENDED if end is not None else NOT_AGAIN, since=group.step, since_says=_says(group), last=last,
            ended=end.step if end is not None else None, ended_says=_says(end) if end is not None else "",
            millis=self._millis(group.step, end.step if end is not None else last),
            tries=tuple(tries[:LISTED_TRIES]) if end is not None or last > group.step else (),
            tries_more=max(len(tries) - LISTED_TRIES, 0) if end is not None else 0,
        )  # fmt: skip


def _name_of(timeline: Timeline, outage: Outage) -> str:
    (_, _, part), live = failure_told(timeline.journal, outage.row)
    name = live.failure.test or one_line(live.failure.message) or "failed"
    return f"{name} {part}".strip() if part else name


def _same_call(group: Group) -> str:
    """What two calls have in common that are the same once more: the tool and its file, or the program it ran."""
    words = [word for word in group.says.split() if not word.startswith(("-", "cd", "2>"))]
    if len(words) > 1 and words[0] in FILE_TOOLS:
        # a call that failed names its file as the agent did, one that succeeded as the record does
        return f"{words[0]} {(group.path or words[1]).rpartition('/')[2]}"
    return " ".join(words[:4])


def _says(group: Group) -> str:
    return f"{group.says}  {group.result}".strip()


# ---- its rows ----

SIGNS = {**FAILURE_SIGNS, NOT_AGAIN: ("·", "not tried again", "quiet")}


def _rows(answer: Recoveries, view: View) -> Iterator[Row]:
    """What fails first, then what ended."""
    if not answer.failures:
        yield title(f"nothing has failed up to step {answer.at:,}")
        return
    tests = [each for each in answer.failures if each.kind == "failure"]
    sizes = {words: _single(each for each in tests if each.state == state) for state, words in _COUNTED.items()}
    said = ", ".join(f"{size:,} {words}" for words, size in sizes.items() if size) or "no failure reported"
    yield title(f"at step {answer.at:,}: {said}")
    calls = [each for each in answer.failures if each.kind == "call"]
    for name, of in (("failures", tests), ("calls that ended in an error", calls)):
        some, more = view.some(of, SHOWN)
        if of:
            yield Row()
            groups = f", in {count(len(of), 'group')} that began and ended together" if _single(of) > len(of) else ""
            yield heading(f"{name} ({_single(of):,}){groups}")
        for each in some:
            yield from _recovery(each, view)
        yield from and_more(more, "more", "more")


_COUNTED = {FAILING: "failing now", DUE: "not run again since a change", ENDED: "ended"}


def _single(some: Iterable[Recovery]) -> int:
    """How many failures they are, each counted that began and ended with another."""
    return sum(1 + len(each.others) for each in some)


def _recovery(each: Recovery, view: View) -> Iterator[Row]:
    sign, spoken, role = SIGNS.get(each.state, SIGNS[FAILING])
    room = max(view.width * 6 // 10, 24)
    others = f" and {count(len(each.others), 'other')}" if each.others else ""
    where = f"  at {node_name(each.anchor)}" if each.anchor else ""
    yield row(
        Span(f"  {sign} ", role, f"{spoken}: "), Span(name_in(each.name, room), "strong"), others,
        Span(where, "quiet"), leads=Moment(each.since, each.anchor or None),
    )  # fmt: skip
    if each.before is not None:
        yield _step_row("edited", each.before.step, f"{each.before.says}  {each.before.result}".rstrip(), view)
    yield _step_row("failed", each.since, each.since_says, view)
    some, more = view.some(each.tries, SHOWN_TRIES)
    half = SHOWN_TRIES // 2
    first, last = (each.tries[:half], each.tries[-half:]) if more else (some, ())
    yield from (_attempt_row(attempt, view) for attempt in first)
    yield from and_more(more + each.tries_more, "attempt")
    yield from (_attempt_row(attempt, view) for attempt in last)
    if each.ended is not None:
        took = f", after {duration(each.millis)}" if each.millis is not None else ""
        tried = f"{count(each.ended - each.since, 'step')}{took}"
        yield _step_row("ended", each.ended, each.ended_says, view, tried)
    else:
        yield note(f"      {_still(each)}", role)


def name_in(name: str, room: int) -> str:
    """A failure's name, cut to fit; of one long word, such as a test's, the end says most."""
    name = clean(name)
    return clip(name, room) if " " in name else clip_path(name, room)


def _attempt_row(attempt: Attempt, view: View) -> Row:
    says = f"{attempt.says}  {attempt.result}".rstrip()
    return _step_row("tried" if attempt.kind == "edit" else "again", attempt.step, says, view)


def _still(each: Recovery) -> str:
    if each.state == DUE:
        return f"not run again since step {each.last:,}, and files were changed"
    if each.state == NOT_AGAIN:
        return f"not tried again since step {each.last:,}"
    return f"fails now: it failed at step {each.last:,}, the last run of it"


def _step_row(word: str, step: int, says: str, view: View, more: str = "") -> Row:
    said = clip(clean(says), min(max(view.width - 30 - len(more), 16), 100))
    tail = Span(f"  {more}", "quiet") if more else Span("")
    return row(
        Span(f"      {word:<7}", "quiet"), Span(f"step {step:,}", "link"), f"  {said}", tail,
        leads=Moment(step),
    )  # fmt: skip


QUESTION = Question(
    ask=recoveries,
    answers=(Recoveries,),
    example="recoveries --calls",
    arguments=(
        Argument("calls", "switch", "also list calls that ended in an error without a reported failure",
                 default=False, flag=True),
    ),
    nothing=lambda answer: not answer.failures,
    about="A failure ends when a passing run covers it. Edits and failing runs before that are what was tried. Above "
    "stands the last edit of its file before it failed; of any file where its own isn't known.",
)  # fmt: skip
