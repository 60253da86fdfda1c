"""The sessions on this machine as rows: a line each, in columns that come and go with the room there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.rows import Row, Span, clean, row
from ccos_core.present.words import count, duration, homely, moment, size
from ccos_tui.keys import BY_THEMSELVES, Keys

if TYPE_CHECKING:
    from ccos_core.session.listing import Listed

NARROWEST = 12
"""Columns of what is given the room that is left, however narrow the screen is."""
SAID = 72
"""Cells of the screen from which on there is room for what was said first."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    title: str
    width: int
    """Its cells; 0 for what is left."""

    says: Callable[[Listed], str]
    role: Callable[[Listed], str] = lambda each: ""
    since: int = 0
    """Cells of the screen from which on there is room for it."""

    before: int = 1_000_000
    """... and from which on something better takes its place."""

    right: bool = False
    path: bool = False
    """Whether its end tells more than its beginning."""


COLUMNS = (
    Column("when, UTC", 16, lambda each: moment(each.started)[:16], since=138),
    Column("when, UTC", 11, lambda each: moment(each.started)[5:16], before=138),
    Column("agent", 11, lambda each: each.agent, before=138),
    Column("agent", 14, lambda each: each.agent, since=138),
    Column("project", 0, lambda each: _place(each), lambda each: "strong", before=SAID, path=True),
    Column("project", 16, lambda each: _place(each), lambda each: "strong", since=SAID, before=98, path=True),
    Column("project", 22, lambda each: _place(each), lambda each: "strong", since=98, before=150, path=True),
    Column("project", 30, lambda each: _place(each), lambda each: "strong", since=150, path=True),
    Column("first words", 0, lambda each: each.prompt or "-", since=SAID),
    Column("model", 25, lambda each: each.model or "-", lambda each: "quiet", since=180),
    Column("length", 11, lambda each: duration(each.millis), lambda each: "quiet", since=118, right=True),
    Column("records", 8, lambda each: f"{each.records:,}", lambda each: "quiet", since=150, right=True),
    Column("cuts", 6, lambda each: f"✂ {each.compactions:,}" if each.compactions else "",
           lambda each: "compaction", since=56, before=SAID, right=True),
    Column("cuts", 6, lambda each: f"✂ {each.compactions:,}" if each.compactions else "",
           lambda each: "compaction", since=98, right=True),
    Column("errors", 7, lambda each: f"✗ {each.failures:,}" if each.failures else "",
           lambda each: "bad", right=True),
    Column("size", 9, lambda each: size(each.bytes), lambda each: "quiet", since=150, right=True),
)  # fmt: skip


def title_row(width: int) -> Row:
    """What the columns are."""
    return Row(tuple(Span(text, "heading") for text in _cells([(each.title, each) for each in _fitting(width)], width)))


def session_row(each: Listed, width: int) -> Row:
    """One session."""
    columns = _fitting(width)
    texts = _cells([(clean(column.says(each)), column) for column in columns], width)
    spans = (Span(text, column.role(each)) for text, column in zip(texts, columns, strict=True))
    return Row(tuple(spans), copies=each.path)


def matching(sessions: Sequence[Listed], said: str) -> list[Listed]:
    """Those in whose first words, project, agent, model, name or path all of the words stand."""
    words = said.casefold().split()
    if not words:
        return list(sessions)
    return [each for each in sessions if all(word in _searched(each) for word in words)]


def empty_rows(
    places: Sequence[str], keys: Keys = BY_THEMSELVES, demos: Sequence[tuple[str, tuple[str, str]]] = ()
) -> list[Row]:
    """There is none: the demonstrations, and the three lines that get a real one."""
    return [
        row(),
        row(Span("  There is no agent session on this machine.", "strong")),
        row(),
        row(
            Span("  Look at one that we wrote: ", "quiet"), Span(keys.sign("enter"), "key"), Span(" opens it", "quiet")
        ),
        *demo_rows(demos),
        row(),
        row(Span("  Or get a real one", "quiet")),
        row(Span("    claude", "link"), Span("            or codex, in a project: its session")),
        row(Span("                      is listed here then")),
        row(Span("    ccos-tui PATH", "link"), Span("     opens a transcript from elsewhere")),
        row(Span("    ccos-tui setup", "link"), Span("    connects your other agents")),
        row(),
        row(Span("  Searched", "quiet")),
        *(row(Span(f"    {clean(homely(place))}")) for place in places),
    ]


def demo_rows(demos: Sequence[tuple[str, tuple[str, str]]]) -> list[Row]:
    """A row a demonstration, that copies its name."""
    return [
        Row((Span("  ▸ ", "key"), Span(f"{name:<10}", "strong"), Span(f"  {title}")), copies=name)
        for name, (title, _) in demos
    ]


def none_rows(said: str, total: int) -> list[Row]:
    """None of them is what was searched."""
    return [
        row(),
        row(Span(f"  0 of {count(total, 'session')}: none has ", "note"), Span(clean(said), "strong"),
            Span(" in its first words, project, agent, model or path.", "note")),
        row(),
        row(Span("  /", "key"), Span(" searches again; an empty search shows all.")),
    ]  # fmt: skip


def tally(shown: int, total: int, said: str) -> str:
    """`12 of 340 sessions with "shop"`."""
    if not said:
        return count(total, "session")
    return f'{shown:,} of {count(total, "session")} with "{clean(said)}"'


def _place(each: Listed) -> str:
    return homely(each.project) or homely(each.path)


def _searched(each: Listed) -> str:
    return f"{each.prompt}\n{each.project}\n{each.agent}\n{each.model}\n{each.session}\n{each.path}".casefold()


def _fitting(width: int) -> list[Column]:
    return [each for each in COLUMNS if each.since <= width < each.before]


def _cells(said: Sequence[tuple[str, Column]], width: int) -> list[str]:
    """The texts, each as wide as its column, with a space between two."""
    taken = sum(each.width for _, each in said) + len(said) + 1
    rest = max(width - taken, NARROWEST)
    return [_cell(text, each, each.width or rest) + " " for text, each in said]


def _cell(text: str, column: Column, width: int) -> str:
    cut = clip_path(text, width) if column.path else clip(text, width)
    gap = " " * max(width - cell_len(cut), 0)
    return gap + cut if column.right else cut + gap
