"""The answer to `whatif --squeeze`: what shortened results would have saved, and what the agent would have lacked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, table, title
from ccos_core.present.words import count
from ccos_core.query.squeezing.compactions import Compactions, moved_compactions
from ccos_core.query.squeezing.course import Course, squeezed_course
from ccos_core.query.squeezing.ledger import FETCHABLE, MISSING, SHOWN

if TYPE_CHECKING:
    from ccos_core.replay.fork import Progress
    from ccos_core.replay.timeline import Timeline

ABSENT_MOST = 100
"""Needed lines that weren't shown, as the answer lists them."""
LISTED = 6
"""Those of them that a terminal shows."""


@dataclass(frozen=True, slots=True)
class SqueezedKind:
    """Results of one kind."""

    kind: str
    """`source`, `reread`, `log`, `diff`, `search`, `listing`, `json`; `read` and `plain` stay as they are."""

    results: int
    """How many there are."""

    tokens: int
    left: int
    """Tokens after shortening."""


@dataclass(frozen=True, slots=True)
class SqueezedCuts:
    """The compactions of one context."""

    context: str
    """A subagent's name; empty for the main thread."""

    recorded: tuple[int, ...]
    """Steps at which they came."""

    then: tuple[int, ...]
    """Steps at which they would have come."""


@dataclass(frozen=True, slots=True)
class AbsentLine:
    """A line that the agent used, and that wouldn't have been shown."""

    step: int
    how: str
    """`edited` or `cited`."""

    what: str
    fate: str
    """`fetchable` by a marker, or `missing`."""


@dataclass(frozen=True, slots=True)
class SqueezedSession:
    """The answer to `whatif --squeeze`."""

    schema: ClassVar[str] = "ccos.whatif_squeezed/1"
    step: int
    head: int
    """The last step there is."""

    tokens: int
    """Of all tool results up to the step."""

    left: int
    """The same with each result shortened."""

    kinds: tuple[SqueezedKind, ...]
    """What saves most comes first."""

    compactions: tuple[SqueezedCuts, ...]
    """Of each context that had any."""

    shown: int
    """Lines that the agent edited or cited soon after it was shown them: still shown, ..."""

    fetchable: int
    """... behind a marker, ..."""

    missing: int
    """... and neither."""

    absent: tuple[AbsentLine, ...]
    """Those that weren't shown, in the order of their use; at most 100."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def squeezed_session(timeline: Timeline, step: int, progress: Progress) -> SqueezedSession:
    """Replay the record up to a step with shortened results."""
    last = timeline.at(step).last
    course = squeezed_course(timeline, last, progress)
    fates = Counter(need.fate for need in course.needs)
    absent = [AbsentLine(*need) for need in course.needs if need.fate != SHOWN]
    kinds = tuple(_kinds(course))
    return SqueezedSession(
        step=step,
        head=timeline.head,
        tokens=sum(kind.tokens for kind in kinds),
        left=sum(kind.left for kind in kinds),
        kinds=kinds,
        compactions=tuple(map(_cuts, moved_compactions(course))),
        shown=fates[SHOWN],
        fetchable=fates[FETCHABLE],
        missing=fates[MISSING],
        absent=tuple(absent[:ABSENT_MOST]),
    )


def _kinds(course: Course) -> Iterator[SqueezedKind]:
    results = Counter(each.kind for each in course.results)
    tokens, saved = course.tokens_by_kind(), course.saved_by_kind()
    for kind in sorted(tokens, key=lambda kind: (-saved[kind], -tokens[kind], kind)):
        yield SqueezedKind(kind, results[kind], tokens[kind], tokens[kind] - saved[kind])


def _cuts(each: Compactions) -> SqueezedCuts:
    return SqueezedCuts(each.context, each.recorded, each.then)


# ---- rows ----


def _rows(answer: SqueezedSession, view: View) -> Iterator[Row]:
    yield title(f"step {answer.step:,}  if ", Span("tool results are shortened", "strong"))
    if not answer.tokens:
        yield note("  no tool result is recorded")
        return
    yield from table(
        [
            ("as it was", f"{answer.tokens:,} tokens", ""),
            ("then", f"{answer.left:,} tokens", _saved(answer.tokens, answer.left)),
        ]
    )
    yield row("by kind", role="heading")
    yield from table([_kind_cells(each) for each in answer.kinds])
    for cuts in answer.compactions:
        who = f"compactions of {clean(cuts.context)}" if cuts.context else "compactions"
        yield row(f"{who}: at step {_steps(cuts.recorded)}; then {_steps(cuts.then)}")
    yield from _needed(answer, view)
    yield note("  inferred: the session replayed in memory, nothing written")
    yield note("  what the agent would have done instead is unknown")


def _kind_cells(each: SqueezedKind) -> tuple[str, ...]:
    sizes = f"{each.tokens:,} → {each.left:,} tokens" if each.left != each.tokens else f"{each.tokens:,} tokens"
    return f"  {clean(each.kind)}", count(each.results, "result"), sizes, _saved(each.tokens, each.left)


def _saved(tokens: int, left: int) -> str:
    tenths = (tokens - left) * 1_000 // max(tokens, 1)
    return f"−{tenths // 10}.{tenths % 10} %" if tenths else ""


def _steps(steps: Sequence[int]) -> str:
    return ", ".join(f"{step:,}" for step in steps) or "none"


def _needed(answer: SqueezedSession, view: View) -> Iterator[Row]:
    used = answer.shown + answer.fetchable + answer.missing
    said = f"{count(used, 'line')} edited or cited soon after: {answer.shown:,} shown"
    role = "bad" if answer.missing else "good"
    yield row(f"{said}, {answer.fetchable:,} behind a marker, ", Span(f"{answer.missing:,} missing", role))
    listed, _ = view.some(answer.absent, LISTED)
    width = max(view.width // 2, 20)
    cells = [
        (
            Span(f"  {each.step:,}", "link"),
            clean(each.how),
            clean(each.fate),
            clip(clip_path(clean(each.what), width), width),
        )
        for each in listed
    ]
    yield from table(cells, leads=[Moment(step=each.step) for each in listed])
    yield from and_more(answer.fetchable + answer.missing - len(listed), "line")
