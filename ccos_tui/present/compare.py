"""Two records side by side: how far they are one, where they part, and what each has that the other hasn't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.present.parts import node_name, op_words
from ccos_tui.present.sides import sides

if TYPE_CHECKING:
    from ccos_core.query.compare import Compared, Held, Parting, Whole

FIGURES = (
    ("steps", "steps"), ("prompts", "prompts"), ("calls", "calls"), ("errors", "errors"), ("read", "files read"),
    ("changed", "files changed"), ("failures", "failures"), ("live", "live at the end"),
    ("compactions", "compactions"), ("tokens", "tokens at most"),
)  # fmt: skip


def rows_of(answer: Compared, width: int) -> list[Row]:
    """Everything that differs."""
    names = (f"here: {clean(answer.here.name)}", f"there: {clean(answer.there.name)}")
    rows = sides(Span(names[0], "heading"), Span(names[1], "heading"), width)
    rows += _figures(answer.here, answer.there, width)
    rows += [Row(), row(Span(_common(answer), "strong"), leads=Moment(answer.common) if answer.common else None)]
    rows += _parting("They part", answer.parting, width)
    if answer.own_parting != answer.parting:
        rows.append(row(Span(f"The agent's own ops: {count(answer.own_alike, 'op')} alike", "strong")))
        rows += _parting("Then", answer.own_parting, width)
    rows += [Row(), *_windows(answer, width)]
    rows += _only("Files", answer.files_here, answer.files_there, width)
    rows += _only("Failures", answer.failures_here, answer.failures_there, width)
    if not answer.same_rules:
        rows.append(row(Span("Their epochs have other rules: see epochs in each.", "note")))
    return rows


def _figures(here: Whole, there: Whole, width: int) -> Iterator[Row]:
    for name, words in FIGURES:
        mine, theirs = getattr(here, name), getattr(there, name)
        role = "changed" if mine != theirs else "quiet"
        yield from sides(Span(f"  {words:<16}{mine:>10,}", role), Span(f"  {words:<16}{theirs:>10,}", role), width)


def _common(answer: Compared) -> str:
    said = f"One record up to step {answer.common:,}" if answer.common else "No step has the same hash"
    if answer.parting is None:
        return f"{said}; they say the same to the end." if answer.common < answer.here.steps else f"{said}: the same."
    return f"{said}; {count(answer.alike, 'step')} say the same." if answer.alike > answer.common else f"{said}."


def _parting(word: str, parting: Parting | None, width: int) -> Iterator[Row]:
    if parting is None:
        return
    fields = f", by {', '.join(map(clean, parting.fields))}" if parting.fields else ""
    yield heading(f"{word}{fields}")
    here = op_words(parting.here) if parting.here is not None else "ended"
    there = op_words(parting.there) if parting.there is not None else "ended"
    leads = Moment(parting.here.step) if parting.here is not None else None
    yield from sides(Span(f"  {here}", "link"), Span(f"  {there}"), width, leads)


def _windows(answer: Compared, width: int) -> Iterator[Row]:
    yield heading(f"Windows at the ends: {clean(answer.lens)}, budget {answer.budget:,}")
    for each in answer.windows:
        yield from sides(*_held(each), width, Moment(node=each.node))
    yield row(Span(f"  {count(answer.in_both, 'node')} shown alike by both", "quiet"))


def _held(each: Held) -> tuple[Span, Span]:
    name = node_name(each.node)
    other = "" if each.same_text or not each.here or not each.there else ", another text"
    absent = Span("  −", "quiet")
    here = Span(f"  {name}  {each.here}", "" if each.there else "entered")
    there = Span(f"  {name}  {each.there}{other}", "" if each.here else "entered")
    return here if each.here else absent, there if each.there else absent


def _only(title: str, here: Sequence[str], there: Sequence[str], width: int) -> Iterator[Row]:
    if here or there:
        yield heading(f"{title} of one alone")
    for at in range(max(len(here), len(there))):
        left = Span(f"  {clean(here[at])}" if at < len(here) else "")
        right = Span(f"  {clean(there[at])}" if at < len(there) else "")
        yield from sides(left, right, width)
