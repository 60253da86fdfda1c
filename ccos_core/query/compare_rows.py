"""The rows of `compare`: the figures, how far both are the same, where they part, and what only one of them has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, heading, note, row, table, title
from ccos_core.present.steps import PIPED, step_row
from ccos_core.present.words import count, moment
from ccos_core.query.compare_course_rows import course_rows, edited_rows
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.compare import Compared, Held, Parting
    from ccos_core.query.telling import Told

FIGURES = {
    "steps": "steps", "prompts": "prompts", "calls": "calls", "errors": "errors", "read": "files read",
    "changed": "files changed", "failures": "failures", "live": "failing at the end", "compactions": "compactions",
    "tokens": "most tokens",
}  # fmt: skip
"""Figure of a record → how it is called."""
HERE, THERE = "here", "there"
COLUMNS = ("", Span(HERE, "quiet", ""), Span(THERE, "quiet", ""))
"""What stands above the columns; read aloud each cell says it."""
NODES, NAMES = 8, 4
"""Nodes, and names of files or failures, that a terminal shows."""
LONGEST_NAME = 60


def compare_rows(answer: Compared, view: View) -> Iterator[Row]:
    """Show what differs; a pane also shows the figures that don't."""
    yield title(f"{HERE}: {clean(answer.here.name)}  {THERE}: {clean(answer.there.name)}")
    if answer.course_here is not None and answer.course_there is not None:
        yield from course_rows(answer, answer.course_here, answer.course_there, view)
        yield Row()
        yield heading("in figures")
    yield from table([COLUMNS, *_figures(answer, view)], right=[1, 2])
    yield row(_common(answer), leads=Moment(answer.common) if answer.common else None)
    yield from _parting("they part", answer.parting, view)
    if answer.own_parting != answer.parting:
        yield row(f"of the agent's own ops {count(answer.own_alike, 'is', 'are')} equal")
        yield from _parting("then they part", answer.own_parting, view)
    yield from _windows(answer, view)
    yield from _only("files", answer.files_here, answer.files_there, view)
    yield from _only("failures", answer.failures_here, answer.failures_there, view)
    if view.full and answer.course_here is not None and answer.course_there is not None:
        yield from edited_rows(answer.course_here, answer.course_there)
    if not answer.same_rules:
        yield note("their epochs have different rules: see `epochs` in each", "note")


def _figures(answer: Compared, view: View) -> Iterator[tuple[Part, ...]]:
    for name, words in FIGURES.items():
        here, there = getattr(answer.here, name), getattr(answer.there, name)
        if view.full or here != there or name == "steps":
            role = "changed" if here != there else "quiet"
            yield words, Span(f"{here:,}", role, f"{here:,} {HERE}"), Span(f"{there:,}", role, f"{there:,} {THERE}")


def _common(answer: Compared) -> str:
    said = f"one record up to step {answer.common:,}" if answer.common else "no step has the same hash"
    if answer.parting is None:
        return f"{said}: the same" if answer.common >= answer.here.steps else f"{said}; all steps are equal"
    return f"{said}; {count(answer.alike, 'step is', 'steps are')} equal" if answer.alike > answer.common else said


def _parting(words: str, parting: Parting | None, view: View) -> Iterator[Row]:
    if parting is not None:
        fields = f"by {', '.join(map(clean, parting.fields))}" if parting.fields else ""
        yield heading(words, *([Span(fields, "quiet")] if fields else []))
        yield _op(HERE, parting.here, view)
        yield replace(_op(THERE, parting.there, view), leads=None)  # it is a step of the other record


def _op(side: str, op: Told | None, view: View) -> Row:
    before = Span(f"  {side:<5}  ", "quiet")
    if op is None:
        return row(before, "ended")
    width = (view.columns or PIPED) - len(before.text) - 1
    shown = step_row(op, op.step, width=width, clock=moment(op.at))
    return replace(shown, spans=(before, *shown.spans))


def _windows(answer: Compared, view: View) -> Iterator[Row]:
    lens = f"{clip(clean(answer.lens), 40)}, budget {answer.budget:,}: {count(answer.in_both, 'node')} alike"
    yield heading("windows at the ends", Span(lens, "quiet"))
    shown, hidden = view.some(answer.windows, NODES)
    if shown:
        cells = [COLUMNS, *(_held(each, view.width // 2) for each in shown)]
        yield from table(cells, leads=[None, *(Moment(node=each.node) for each in shown)])
        yield from and_more(hidden, "node")


def _held(held: Held, width: int) -> tuple[Part, ...]:
    name = Span(clip_path(node_name(held.node), max(width, 8)), "link")
    other = ", other text" if held.here and held.here == held.there and not held.same_text else ""
    here, there = clean(held.here) or "out", (clean(held.there) or "out") + other
    return (
        name,
        Span(here, "" if held.here else "out", f"{HERE} {here}"),
        Span(there, "" if held.there else "out", f"{THERE} {there}"),
    )


def _only(what: str, here: Sequence[str], there: Sequence[str], view: View) -> Iterator[Row]:
    for side, names in ((HERE, here), (THERE, there)):
        shown, hidden = view.some(names, NAMES)
        if shown:
            yield heading(f"{what} only {side} ({len(names):,})")
        for name in shown:
            leads = Moment(node=file_node(name)) if what == "files" and side == HERE else None
            yield row(f"  {clip(clean(name), LONGEST_NAME)}", leads=leads)
        yield from and_more(hidden, what[:-1])
