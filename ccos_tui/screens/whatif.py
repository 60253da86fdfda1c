"""Two records side by side: a fork at the cursor that never touches the record, or another session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ccos_core.present.parts import node_name
from ccos_core.present.rows import Row, Span, clean, heading, row
from ccos_tui.bridge.ask import ask, typed
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.prompt import remembered
from ccos_tui.widgets.rows import Rows

OFFERED = (
    ("budget", "--budget {double}", "twice the budget"),
    ("budget", "--budget {half}", "half of it"),
    ("this step", "--without {step}", "as if this step hadn't happened"),
    ("half-life", "--half-life 16", "what was touched long ago matters less"),
    ("half-life", "--half-life 256", "what was touched long ago matters more"),
    ("edits", "--weight edit=96", "edits matter more"),
    ("a pass", "--with-pass", "as if everything passed now"),
    ("results", "--squeeze", "as if tool results had been shortened, in the whole session"),
)
"""What can be tried at once: (what is otherwise, how that is typed, what it means)."""


class WhatIfScreen(FullScreen):
    """Things to try, and what came of the last one."""

    keyed: ClassVar[str] = "whatif"
    slot: ClassVar[str] = "whatif"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "try", "search", "copy", "export", "back", "help")
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "try it", "try": "change"}

    def __init__(self, here: Focus) -> None:
        super().__init__()
        self.here = here
        self.said_last = ""

    def on_mount(self) -> None:
        self.title_is(f"What if, at step {self.here.step:,}", f"budget {self.here.budget:,}")
        self.fill()

    def fill(self) -> None:
        """The answer, and below it what else can be tried."""
        told = [*self.answer.as_rows(self.view), Row()] if self.answer is not None else []
        self.show([*told, *offered(self.here.step, self.here.budget, self.here.node)])

    def do_try(self, count: int | None, char: str) -> None:
        """Say what is to be otherwise."""
        self.ours.prompt("whatif ", self.attempt, filled=self.said_last, hint="--budget 4096 --without 41,50..60")

    def attempt(self, words: str) -> None:
        """Ask."""
        if not words.strip():
            return
        self.said_last = words.strip()
        self.show([row(Span("Recomputing the steps that follow ...", "quiet"))])
        line = f"whatif {self.here.step} {self.here.budget} {self.said_last}"
        self.ask_for(typed(line, self.here.step))

    def answered(self, message: Answered) -> None:
        super().answered(message)
        if message.slot == self.slot:
            self.list.select(0, told=False)

    def refused(self, message: Refused) -> None:
        if message.slot == self.slot and self.settle(message):
            self.fill()
            self.said(message.sentence)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        chosen = event.rows.selected
        if chosen is not None and chosen.leads is None and chosen.copies:
            event.prevent_default()
            self.attempt(chosen.copies)


def offered(step: int, budget: int, selected: str | None) -> list[Row]:
    """Things to try; a row's copy is what is typed for it."""
    rows = [heading("As if")]
    told = [*OFFERED]
    if selected is not None:
        told += [("a read", "--with-read " + node_name(selected), "as if it were read now")]
        told += [("a failure", "--with-failure " + node_name(selected), "as if something failed in it now")]
    for name, words, meaning in told:
        words = words.replace("{double}", str(budget * 2)).replace("{half}", str(max(budget // 2, 1)))
        words = words.replace("{step}", str(step))
        rows.append(Row((Span(f"  {name:<10}"), Span(f"{words:<28}", "link"), Span(meaning, "quiet")), copies=words))
    return rows


ASKING = "Enter the path of the other workspace; Esc goes back."


class CompareScreen(FullScreen):
    """Where two sessions part, and what that came to."""

    keyed: ClassVar[str] = "compare"
    slot: ClassVar[str] = "compare"
    title_words: ClassVar[str] = "Compare"
    footer: ClassVar[tuple[str, ...]] = ("down", "enter", "other", "search", "copy", "export", "back", "help")

    def __init__(self, budget: int, lens: str) -> None:
        super().__init__()
        self.budget = budget
        self.lens = lens
        self.other = ""
        self.awaits_line = True

    def on_mount(self) -> None:
        self.show([row(Span(ASKING, "quiet"))])
        self.do_other(None, "")

    def do_other(self, count: int | None, char: str) -> None:
        """Say which one."""
        self.ours.prompt("compare with ", self.compare, filled=self.other, before=self.ours.compared)

    def compare(self, path: str) -> None:
        """Ask."""
        if not path.strip():
            return
        self.other = path.strip()
        self.ours.compared = remembered(self.ours.compared, self.other)
        self.title_is(f"Compare with {self.other}")
        self.show([row(Span("Reading the other workspace ...", "quiet"))])
        self.ask_for(ask("compare", budget=self.budget, lens=self.lens, other=self.other))

    def refused(self, message: Refused) -> None:
        if message.slot == self.slot and self.settle(message):
            self.show([row(Span(clean(message.sentence), "bad")), Row(), row(Span(ASKING, "quiet"))])
