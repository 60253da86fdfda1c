"""What the rows of many answers are made of: a node's name, an op in a few words, the sign of a state, a bar, a strip.

A sign never stands alone: its word is near, or in the legend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip
from ccos_core.present.rows import Moment, Part, Row, Span, clean, heading, note, row
from ccos_core.present.words import STATES, count, node_words

if TYPE_CHECKING:
    from ccos_core.query.telling import Looked, Run, Told

EIGHTHS = " ▏▎▍▌▋▊▉█"
HEIGHTS = "▁▂▃▄▅▆▇█"
STRIP = 72
"""Signs of a strip where the width isn't known."""
CAUSES = {"read": "reads", "edit": "edits", "engaged": "attention", "failure": "failures"}
"""Cause of heat → how it is called."""


def node_name(node: str) -> str:
    """Return a node as people name it, `src/db.py#load`, harmless and on one line."""
    return clean(node_words(node))


def op_words(op: Told, longest: int = 60) -> str:
    """Return an op for use in a sentence: `step 42, edit src/db.py`."""
    return f"step {op.step:,}, {clean(op.kind)} {clip(clean(op.says), longest)}".rstrip()


def op_link(op: Told, longest: int = 60) -> Span:
    """Return the same as a span that looks like a link."""
    return Span(op_words(op, longest), "link")


def op_row(op: Told, *before: Part, longest: int = 60) -> Row:
    """Build a row about an op, which leads to its step."""
    return row(*before, op_link(op, longest), leads=Moment(op.step))


def by_words(op: Told | None, only: int = -1) -> str:
    """Return `, by step 42, edit src/db.py`, or `, by this step` if `only` that step is looked at."""
    if op is None:
        return ""
    return ", by this step" if op.step == only else f", by {op_words(op, 40)}"


def state_span(state: str) -> Span:
    """Return `● in`; the role is the state's own name."""
    sign, word = STATES[state]
    return Span(f"{sign} {word}", state, word)


def bar(value: int, most: int, cells: int) -> str:
    """Return a bar as long as a value's share of the most, in eighths of a cell; what isn't 0 is visible."""
    eighths = max(value * cells * 8 // max(most, 1), 1 if value > 0 else 0)
    full, rest = divmod(min(eighths, cells * 8), 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(cells)


def hot(value: int, most: int) -> str:
    """Return the role of a value by its share of the most, `hot-1` to `hot-5`."""
    return f"hot-{min(1 + 5 * value // max(most, 1), 5)}"


def curve(course: Sequence[int]) -> list[Span]:
    """Return a sparkline: the largest value is as high as it goes, 0 is empty."""
    most = max(course, default=0)
    spans: list[Span] = []
    for each in course:
        high = (each * len(HEIGHTS) - 1) // most if each else -1
        role = f"hot-{1 + high * 5 // len(HEIGHTS)}" if each else "quiet"
        sign = HEIGHTS[high] if each else " "
        if spans and spans[-1].role == role:
            spans[-1] = Span(spans[-1].text + sign, role, "")
        else:
            spans.append(Span(sign, role, ""))
    return spans


def reads(hundredths: int) -> str:
    """Return heat as `1.00`, `12.50`: 1.00 is a fresh read."""
    return f"{hundredths // 100:,}.{hundredths % 100:02}"


def signed(hundredths: int) -> str:
    """Return a change of heat as `+1.00`, `-12.50`."""
    return ("-" if hundredths < 0 else "+") + reads(abs(hundredths))


def strip(
    runs: Sequence[Run], columns: int | None, words: Callable[[str], str] = lambda state: STATES[state][1]
) -> list[Span]:
    """Return `·●●●●○○●●`, a sign for each step, or for as many steps as it takes to fit the columns.

    A sign for several steps shows the state among them that is the rarest in the whole. Read aloud, every run
    is said."""
    if not runs:
        return []
    room = min(STRIP, max(columns, 8)) if columns is not None else STRIP
    first, last = runs[0].first, runs[-1].last
    size = last - first + 1
    if size <= room:
        cells = [run.state for run in runs for _ in range(run.last - run.first + 1)]
    else:
        total: dict[str, int] = {}
        for run in runs:
            total[run.state] = total.get(run.state, 0) + run.last - run.first + 1
        cells = [""] * room
        for run in runs:
            for cell in range((run.first - first) * room // size, (run.last - first) * room // size + 1):
                if not cells[cell] or total[run.state] < total[cells[cell]]:
                    cells[cell] = run.state
    spans: list[Span] = []
    for state in cells:
        if spans and spans[-1].role == state:
            spans[-1] = Span(spans[-1].text + STATES[state][0], state, "")
        else:
            spans.append(Span(STATES[state][0], state, ""))
    said = "; ".join(f"{steps(run.first, run.last)}: {words(run.state)}" for run in runs)
    return [*spans[:-1], Span(spans[-1].text, spans[-1].role, said)]


def legend(runs: Iterable[Run]) -> Span:
    """Return what the signs of a strip mean. It isn't read aloud, for the strip is."""
    there = {run.state for run in runs}
    return Span("  ".join(f"{sign} {word}" for state, (sign, word) in STATES.items() if state in there), "quiet", "")


def steps(first: int, last: int) -> str:
    """Return `steps 3 to 9`, or `step 3` for one."""
    return f"steps {first:,} to {last:,}" if first < last else f"step {first:,}"


def times(number: int) -> str:
    """Return `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def looked(answer: Looked | None) -> str:
    """Return `looked at 200 of 1,560 moments, not between them`; nothing where every step is known."""
    if answer is None:
        return ""
    if answer.moments >= answer.of:
        return f"looked at all {count(answer.of, 'moment')} at which that could change"
    return f"looked at {answer.moments:,} of {count(answer.of, 'moment')} at which that could change, not at the others"


def skipped(answer: Looked | None) -> bool:
    """Whether there are moments that weren't looked at."""
    return answer is not None and answer.moments < answer.of


def since_look(after: int | None) -> str:
    """Return ` or earlier, after step 12`: when something happened of which only the outcome was seen."""
    return f" or earlier, after step {after:,}" if after is not None else ""


def fact(name: str, *said: Part) -> Row:
    """Build a row of a name and what is said of it; all such rows are aligned."""
    return row(Span(f"{name:<10} ", "quiet", f"{name}: "), *said)


def and_more(left_out: int, one: str, many: str = "") -> list[Row]:
    """Say how many are left out, if any: `and 3 more nodes`."""
    said = count(left_out, f"more {one}", f"more {many or one + 's'}")
    return [note(f"  and {said}")] if left_out > 0 else []


def section(name: str, rows: Sequence[Row], more: int = 0, one: str = "", many: str = "") -> list[Row]:
    """Build a heading with how many there are, the rows, and how many are left out; nothing without rows."""
    if not rows:
        return []
    return [Row(), heading(f"{name} ({len(rows) + more:,})"), *rows, *and_more(more, one, many)]
