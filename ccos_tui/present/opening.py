"""How long work looks, and what is said where something can't be opened: a bar, what is usable, what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ccos_core.present.parts import bar
from ccos_core.present.rows import Moment, Row, Span, clean, row
from ccos_core.present.words import count, short, size

if TYPE_CHECKING:
    from ccos_core.storage.proof import Proof

ESC = "Esc stops and keeps what is done."
BRIEFLY = "Esc stops."
WORKS = {
    "folding": ("folding", "step", f"The steps can be read. {ESC}"),
    "importing": ("importing", "byte", ESC),
    "making": ("creating the demonstration", "", ""),
    "looking": ("looking", "byte", ""),
    "reading": ("reading transcripts", "byte", ""),
    "proving": ("proving", "", "Esc stops."),
    "asking": ("asking", "", "Esc stops."),
    "following": ("importing new lines", "", ""),
}
"""Long work → what it is called, what is counted, and what a reader may do meanwhile."""
SHORTEST, LONGEST = 8, 40
"""Cells of a bar."""
GO_ON, OPEN, DEMO, SESSIONS, LEAVE = "continue", "open", "demo", "sessions", "leave"


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be done next."""

    does: str
    text: str


def percent(done: int, total: int) -> int:
    """How much of it is done; only what is done entirely is a hundred."""
    return min(100 * done // max(total, 1), 100)


def work_row(work: str, done: int, total: int, width: int, stop: str = "Esc") -> Row:
    """` folding  ████████▌          41%  41,000 of 100,000 steps  The steps can be read. ...`."""
    name, unit, meanwhile = WORKS.get(work, (clean(work), "", ""))
    stops = "Esc" in meanwhile
    meanwhile = meanwhile.replace("Esc", stop)
    cells = min(max(width // 8, SHORTEST), LONGEST)
    spans = [
        Span(f" {name} ", "strong"),
        Span("▕", "quiet"),
        Span(bar(done, total, cells), "number"),
        Span("▏", "quiet"),
        Span(f" {percent(done, total):>3}%", "strong"),
        Span(f"  {_amount(done, total, unit)}", "quiet"),
        Span(f"  {meanwhile}", "quiet"),
    ]
    if stops and sum(cell_len(each.text) for each in spans) > width:
        spans[-1] = Span(f"  {BRIEFLY.replace('Esc', stop)}", "quiet")
    return Row(tuple(spans))


def stopped_row(work: str, upto: int, total: int, sign: str) -> Row:
    """Somebody gave up long work in the debugger: what there is, and how to go on."""
    if work == "folding":
        said = f" Ready up to step {upto:,} of {total:,}."
    else:
        said = f" {WORKS.get(work, (work,))[0].capitalize()} was stopped; finished work is kept."
    return row(Span(" ‖", "note"), Span(said, "note"), Span(f"  {sign}", "key"), Span(" continues", "quiet"))


def alert_rows(word: str, fact: str, hint: str, width: int) -> list[Row]:
    """What is wrong with a record that can be read all the same, and the next step."""
    sign = f" ✗ {word} "
    lines = _wrapped(clean(fact), width - len(sign) - 1)
    rows = [row(Span(sign if at == 0 else " " * len(sign), "bad"), Span(line, "bad")) for at, line in enumerate(lines)]
    return rows + [row(Span(f"   {line}", "note")) for line in _wrapped(clean(hint), width - 4) if line]


def note_rows(text: str, width: int) -> list[Row]:
    """What a reader should know of a record that nothing is wrong with."""
    return [row(Span(f" · {line}", "note")) for line in _wrapped(clean(text), width - 4)]


def proof_row(proof: Proof) -> Row:
    """What a proof found, in a line."""
    first = proof.first_break
    if first is None:
        held = f"{count(proof.proven, 'step')} and {count(proof.contents, 'content')} are as recorded; head "
        return row(Span(" ✓ proven ", "good"), Span(held), Span(short(proof.head), "link"))
    where = f" at step {first.step:,}" if first.step else ""
    return row(
        Span(f" ✗ broken{where} ", "bad"),
        Span(clean(first.fact)),
        Span(f"; {count(proof.proven, 'step')} hold", "quiet"),
        leads=Moment(first.step) if first.step else None,
    )


def opening_rows(path: str, work: str, done: int, total: int, kept: int, width: int) -> list[Row]:
    """A transcript on its way into a workspace."""
    return [
        row(),
        row(Span("  "), Span(clean(path), "strong")),
        row(),
        work_row(work, done, total, width),
        row(),
        row(Span(f"  {_on_disk(kept)}", "quiet")),
    ]


def stopped_rows(path: str, work: str, done: int, total: int, kept: int) -> list[Row]:
    """It was given up."""
    name = WORKS.get(work, (work,))[0]
    return [
        row(),
        row(Span("  "), Span(clean(path), "strong")),
        row(),
        row(Span(f"  ‖ {name} was stopped at {percent(done, total)}%. ", "note"), Span(_on_disk(kept))),
        row(),
    ]


def trouble_rows(fact: str, place: str, hint: str, width: int) -> list[Row]:
    """It can't be opened, and this is why."""
    rows = [row(), row(Span("  ✗ can't be opened", "bad"))]
    rows += [row(Span(f"    {line}")) for said in (place, fact) if said for line in _wrapped(clean(said), width - 6)]
    if hint:
        rows += [row(), *(row(Span(f"    {line}", "note")) for line in _wrapped(clean(hint), width - 6))]
    return [*rows, row()]


def choice_rows(choices: list[Choice]) -> list[Row]:
    """What can be done next."""
    return [row(Span("  ▸ ", "key"), Span(each.text)) for each in choices]


def _on_disk(kept: int) -> str:
    return f"{count(kept, 'step is', 'steps are')} saved." if kept else "Nothing is saved yet."


def _amount(done: int, total: int, unit: str) -> str:
    if unit == "byte":
        return f"{size(done)} of {size(total)}"
    return f"{done:,} of {count(total, unit)}" if unit else ""


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(text, max(width, 20), break_on_hyphens=False) or [""]
