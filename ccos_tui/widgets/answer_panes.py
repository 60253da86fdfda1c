"""Panes that each show one answer: why a node is in the window, its origin, what changed, what fills a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ccos_core.present.rows import Row, Span, View, row
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import THEIRS, Focus
from ccos_tui.present.unselected import unselected
from ccos_tui.widgets.diffing import diff_of, span_of
from ccos_tui.widgets.pane import Pane
from ccos_tui.widgets.window_pane import subtitle

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

CURVE_COLUMNS = 20


class NodePane(Pane):
    """About the selected node, with the answer's title: the border doesn't name the node."""

    hint: ClassVar[str]
    """What to show if no node is selected."""

    def nothing(self, here: Focus) -> Sequence[Row]:
        return unselected(self.hint, cast("CcosApp", self.app).keys)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        rows: Sequence[Row] = answer.as_rows(View(width, full=True))
        return rows


class WhyPane(NodePane):
    """Why it is in the window, or not: the suggested one, the agent's, or both."""

    slot: ClassVar[str] = "why"
    title: ClassVar[str] = "Why"
    hint: ClassVar[str] = "{why} there tells why that is in the window, or why not."

    def question(self, here: Focus) -> Ask | None:
        is_code = here.node is None or here.node.startswith(("file:", "sym:"))
        lens = here.lens if is_code else THEIRS  # a prompt or a result is in no suggested window
        self.say_below(subtitle(replace(here, lens=lens)))
        return ask("why", here.step, node=here.node, **here.through(lens)) if here.node is not None else None


class ProvenancePane(NodePane):
    """Who showed it first, its versions, its sightings, what was noted of it, what fails there."""

    slot: ClassVar[str] = "provenance"
    title: ClassVar[str] = "Provenance"
    hint: ClassVar[str] = "{provenance} there tells where what is known of it comes from."

    def question(self, here: Focus) -> Ask | None:
        return ask("provenance", here.step, node=here.node) if here.node is not None else None


class SpanPane(Pane):
    """What changed by this step, or since the mark."""

    def nothing(self, here: Focus) -> Sequence[Row]:
        return (row(Span("There is no earlier step.", "quiet")),)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        first, last = span_of(here)
        marked = " since the mark" if here.mark is not None and here.mark != here.step else ""
        self.say_below(f"{first:,} → {last:,}{marked}")
        return super().rows_of(answer, here, width)


class DiffPane(SpanPane):
    """What the window gained and lost, and what became of the code."""

    slot: ClassVar[str] = "diff"
    title: ClassVar[str] = "Diff"

    def question(self, here: Focus) -> Ask | None:
        return diff_of(here)


class EnergyPane(SpanPane):
    """The heat that moved, and what moved it."""

    slot: ClassVar[str] = "energy"
    title: ClassVar[str] = "Energy"

    def question(self, here: Focus) -> Ask | None:
        first, last = span_of(here)
        return ask("energy", last, span=f"{first}..{last}", columns=CURVE_COLUMNS) if first != last else None


class CompositionPane(Pane):
    """The parts of the agent's window."""

    slot: ClassVar[str] = "composition"
    title: ClassVar[str] = "Composition"

    def question(self, here: Focus) -> Ask | None:
        return ask("composition", here.step, session=here.session, context=here.context)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        self.say_below(f"{answer.tokens:,} tokens")
        return super().rows_of(answer, here, width)
