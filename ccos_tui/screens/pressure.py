"""How full the agent's window is at a step, what fills it, and what could be dropped; `l` and `h` go from step to step.

Three questions are asked, the screen's own one last: when its answer comes, the others are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from ccos_core.present.later import untitled
from ccos_core.present.rows import Row, Span, heading, row
from ccos_tui.bridge.ask import ask
from ccos_tui.screens.full import FullScreen

FILLING, CANDIDATES = "pressure:composition", "pressure:candidates"
"""The slots of the answers below its own."""
NAMED_FROM = 80  # columns from which on the title says how many tokens


class PressureScreen(FullScreen):
    """The answers to `pressure`, `composition` and `candidates`, one below the other."""

    keyed: ClassVar[str] = "pressure"
    slot: ClassVar[str] = "pressure"
    others: ClassVar[tuple[str, ...]] = (FILLING, CANDIDATES)
    footer: ClassVar[tuple[str, ...]] = (
        "down", "enter", "pressure-on", "pressure-back", "search", "copy", "export", "back", "help",
    )  # fmt: skip
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def on_mount(self) -> None:
        self.title_is("Pressure")
        self.show([row(Span("Reading the agent's window ...", "quiet"))])
        self.look()

    def look(self) -> None:
        """Ask about the step at the cursor."""
        inside = self.ours.home.inside
        at, whose = inside.step, {"session": inside.session, "context": inside.context}
        self.ask_for(ask("composition", at, **whose), FILLING)
        self.ask_for(ask("candidates", at, limit=0, **whose), CANDIDATES)
        self.ask_for(ask("pressure", at, **whose))

    def fill(self) -> None:
        if (own := self.answer) is None:
            return
        used = f", {own.context_used:,} of {own.context_max:,} tokens" if self.size.width >= NAMED_FROM else ""
        share = f"{own.utilization // 10}.{own.utilization % 10} %"
        self.title_is(f"Pressure {own.level}: {share}{used}", f"step {own.at:,}")
        rows = [*untitled(replace(own, eviction_candidates=()).as_rows(self.view))]
        if (filling := self.beside.get(FILLING)) is not None:
            parts = replace(filling, dead=None, growth=())  # which the Composition pane lists
            rows += [Row(), heading("What fills the window"), *untitled(parts.as_rows(self.view))]
        if (candidates := self.beside.get(CANDIDATES)) is not None:
            head, _whose, *each = candidates.as_rows(self.view)
            rows += [Row(), replace(head, role="heading"), *each]
        self.show(rows)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_pressure_on(self, count: int | None, char: str) -> None:
        self._step(count or 1)

    def do_pressure_back(self, count: int | None, char: str) -> None:
        self._step(-(count or 1))

    def _step(self, by: int) -> None:
        home = self.ours.home
        step = min(max(home.here.step + by, 1), self.ours.steps.head)
        if step == home.here.step:
            self.said("this is the last step" if by > 0 else "this is the first step")
            return
        home.go(home.here.at(step))
        self.look()
