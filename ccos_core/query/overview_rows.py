"""The rows of `overview`: a strip for the heat, one for the agent's window, and a line for each sort of event.

A sign stands for as many steps as it takes to fit the screen; what each means is said below them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.present.parts import HEIGHTS, reads, steps
from ccos_core.present.rows import Row, Span, View, note, row, title
from ccos_core.present.words import count

if TYPE_CHECKING:
    from ccos_core.query.overview import Lane, Overview

CLIFF = "|"
LABEL = 10
"""Characters of the longest name of a lane."""
INDENT = "  "
WIDEST = 100
"""Columns of the legend where there is no terminal, ..."""
NARROWEST = 40
"""... and at least."""
FEW = 12
"""Steps that are read aloud one by one."""


class Sort(NamedTuple):
    """What is said of a lane."""

    sign: str
    one: str
    many: str
    role: str = ""


SORTS = {
    "failure": Sort("!", "run with new failures", "runs with new failures", "bad"),
    "again": Sort('"', "failure told again", "failures told again", "bad"),
    "error": Sort("x", "call ended in an error", "calls ended in an error", "bad"),
    "prompt": Sort("u", "prompt", "prompts"),
    "compaction": Sort("C", "compaction or clear", "compactions or clears", "note"),
    "fall": Sort("~", "unexplained fall", "unexplained falls", "note"),
    "edit": Sort("e", "edit or write", "edits or writes"),
    "epoch": Sort("E", "change of rules", "changes of rules"),
    "commit": Sort("*", "commit, merge or push", "commits, merges or pushes", "good"),
    "mark": Sort("b", "mark or note", "marks or notes", "note"),
}
"""Lane → its sign and its words."""


def overview_rows(answer: Overview, view: View) -> Iterator[Row]:
    """Show both strips, the lanes in which anything happened, and the figures."""
    if not answer.begins:
        yield note("no steps")
        return
    cells = _cells(answer, view.columns)
    yield title(
        f"{steps(answer.first, answer.last)} of {answer.head:,}", Span(f", {_width(answer, cells)}", "quiet", "")
    )
    if answer.hottest is not None:
        yield _row("heat", _strip(_most(answer, answer.heat, cells)), "hot-3")
    if answer.fullest is not None or answer.cliffs:
        held = _strip(_most(answer, answer.held, cells))
        yield _row("window", _put(held, CLIFF, answer.cliffs, cells), "link")
    for lane in filter(_happened, answer.lanes):
        sort = SORTS[lane.name]
        signs = _put(" " * len(cells), sort.sign, lane.steps, cells)
        yield _row(lane.name, signs, sort.role, f"{_counted(lane)}: {_where(lane)}")
    yield row(INDENT, _heat(answer))
    yield row(INDENT, _held(answer))
    if answer.cliffs:
        fell = f"that window was cut or fell at {_listed(answer.cliffs)}"
        yield row(Span(f"{INDENT}{CLIFF} where that window was cut or fell", "", fell))
    yield from _legend(answer, max(view.columns or WIDEST, NARROWEST))
    none = ", ".join(SORTS[lane.name].many for lane in answer.lanes if not lane.steps)
    heard = Span("", "", f"  none of these: {none}") if none else Span("")
    yield row(Span(f"(cursor at step {answer.at:,} of {answer.head:,})", "quiet"), heard)


# ---- figures ----


def _heat(answer: Overview) -> str:
    if answer.hottest is None:
        return "heat: nothing was warm"
    return f"heat: {reads(max(answer.heat))} reads at the hottest, step {answer.hottest:,}"


def _held(answer: Overview) -> str:
    if answer.fullest is None:
        return "window: not recorded"
    most = max(each for each in answer.held if each is not None)
    return f"window: {count(most, 'token')} in the agent's window at the fullest, step {answer.fullest:,}"


def _happened(lane: Lane) -> bool:
    return bool(lane.steps)


def _counted(lane: Lane) -> str:
    sort = SORTS[lane.name]
    return count(len(lane.steps), sort.one, sort.many)


def _where(lane: Lane) -> str:
    """Where the window was lost at each step, else at the first and the last."""
    if lane.name in ("compaction", "fall", "epoch", "mark") or len(lane.steps) < 3:
        return _listed(lane.steps)
    return f"the first at step {lane.steps[0]:,}, the last at step {lane.steps[-1]:,}"


def _legend(answer: Overview, room: int) -> Iterator[Row]:
    """Each sign and how often it happened, as many on a line as fit."""
    line = ""
    for lane in filter(_happened, answer.lanes):
        said = f"{INDENT}{SORTS[lane.name].sign} {_counted(lane)}"
        if line and len(line + said) > room:
            yield row(Span(line, "quiet", ""))
            line = ""
        line += said
    if line:
        yield row(Span(line, "quiet", ""))


def _listed(steps: Sequence[int]) -> str:
    said = ", ".join(f"{step:,}" for step in steps[:FEW])
    more = f" and {len(steps) - FEW:,} more" if len(steps) > FEW else ""
    return f"{'step' if len(steps) == 1 else 'steps'} {said}{more}"


# ---- strips ----


def _cells(answer: Overview, columns: int | None) -> list[int]:
    """The first step of each sign: of several columns where there is no room for all."""
    begins = answer.begins
    room = len(begins)
    if columns is not None:
        room = min(room, max(columns, NARROWEST) - len(INDENT) - LABEL - len(INDENT))
    return [begins[at * len(begins) // room] for at in range(room)]


def _width(answer: Overview, cells: Sequence[int]) -> str:
    sizes = {after - before for before, after in pairwise([*cells, answer.last + 1])}
    least, most = min(sizes), max(sizes)
    return f"a sign for {f'{least:,} to ' if least < most else ''}{count(most, 'step')}"


def _most(answer: Overview, figures: Iterable[int | None], cells: Sequence[int]) -> list[int]:
    """The largest figure of each sign."""
    found = [0] * len(cells)
    for begin, figure in zip(answer.begins, figures, strict=True):
        cell = bisect_right(cells, begin) - 1
        found[cell] = max(found[cell], figure or 0)
    return found


def _strip(figures: Sequence[int]) -> str:
    """Against the largest of them; nothing at all has no sign."""
    most = max(figures)
    return "".join(HEIGHTS[(len(HEIGHTS) * figure - 1) // most] if figure else " " for figure in figures)


def _put(strip: str, sign: str, steps: Iterable[int], cells: Sequence[int]) -> str:
    """The sign over where these steps are."""
    there = {bisect_right(cells, step) - 1 for step in steps}
    return "".join(sign if at in there else other for at, other in enumerate(strip))


def _row(name: str, signs: str, role: str, heard: str = "") -> Row:
    return row(Span(f"{INDENT}{name:<{LABEL}}{INDENT}", "quiet", ""), Span(signs.rstrip(), role, heard))
