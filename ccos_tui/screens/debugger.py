"""The debugger: one cursor, and everything there is to see of where it stands.

The screen moves the cursor, and tells every pane; a pane knows what to ask, and gets its answer as a message. What is
on the screen at once depends on how large that is (`present/arrangement.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from ccos_core.present.parts import node_name
from ccos_core.present.rows import Moment, Row, Span, clean
from ccos_tui.bridge.ask import ask
from ccos_tui.focus import BUDGETS, OURS, THEIRS, Focus, Trail, next_lens
from ccos_tui.keys import Keys
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.arrangement import DECK, LEFT, PANES, RIGHT, SMALLEST, Arrangement, arranged, there
from ccos_tui.screens.following import Following
from ccos_tui.screens.grouping import Grouping
from ccos_tui.screens.growing import Growing
from ccos_tui.screens.keeping import Keeping
from ccos_tui.screens.keyed import MOST
from ccos_tui.screens.running import GO
from ccos_tui.screens.scrubbing import Scrubbing
from ccos_tui.screens.searching import SEARCH, Searching
from ccos_tui.screens.wording import LANES, TOLD, WINDOW, Wording
from ccos_tui.widgets.answer_panes import CompositionPane, DiffPane, EnergyPane, ProvenancePane, WhyPane
from ccos_tui.widgets.pane import Pane
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.scrubber import COURSE, OVERVIEW, Scrubber
from ccos_tui.widgets.status import Alert, Foot, Line, WorkLine
from ccos_tui.widgets.step_list import StepList
from ccos_tui.widgets.step_pane import StepPane
from ccos_tui.widgets.tree_pane import TreePane
from ccos_tui.widgets.watch_pane import WatchPane
from ccos_tui.widgets.window_pane import WindowPane, window_title

STATE, COMMITS = "state", "commits"
"""The question behind the line at the top, and that of the commits; each is its own slot."""
TITLES = {
    "steps": "Steps", "watch": "Watch", "window": "Window", "step": "Step", "diff": "Diff", "why": "Why",
    "composition": "Composition", "energy": "Energy", "tree": "Tree", "provenance": "Provenance",
}  # fmt: skip
FOOTER: Mapping[str, tuple[str, ...]] = {
    "steps": (
        "down", "enter", "autopsy", "search", "failure-on", "lens", "watch", "change-back", "compaction-on", "why",
        "next-pane", "find", "diff", "command", "help",
    ),
    "step": (
        "down", "enter", "watch-words", "sentence-on", "why", "unfold", "search", "copy", "open", "next-pane", "zoom",
        "stop", "help",
    ),
    "window": ("down", "enter", "lens", "why", "watch", "text", "more", "less", "next-pane", "zoom", "help"),
    "watch": ("change-back", "change-on", "down", "watch", "why", "next-pane", "zoom", "help"),
    "diff": ("down", "enter", "mark-here", "why", "watch", "next-pane", "zoom", "help"),
    "": ("down", "enter", "why", "watch", "search", "next-pane", "zoom", "help"),
}  # fmt: skip
"""Pane -> actions that the foot names while it has the focus: what one came for stands first, for narrow screens show
only those."""
FOOTER_WORDS: Mapping[str, Mapping[str, str]] = {
    "steps": {"enter": "open"},
    "": {
        "down": "row", "enter": "follow", "copy": "copy", "open": "in $PAGER", "stop": "steps", "zoom": "enlarge",
        "text": "text", "more": "budget", "less": "less", "mark-here": "mark", "change-on": "next",
    },
}  # fmt: skip
"""What those are called there, where their own word says something else."""
TOO_SMALL = "too small: at least {} by {}\nccos-tui postmortem asks the same."


class Debugger(Following, Growing, Grouping, Scrubbing, Wording, Searching, Keeping):
    """The home of whoever looks at one record."""

    keyed: ClassVar[str] = "debugger"
    CSS_PATH = "../styles/debugger.tcss"

    def __init__(self, here: Focus) -> None:
        super().__init__()
        self.here = here
        self.trail = Trail()
        self._panes = (
            WatchPane(self.watches), WindowPane(), StepPane(), DiffPane(), WhyPane(), CompositionPane(), EnergyPane(),
            TreePane(), ProvenancePane(),
        )  # fmt: skip
        self.shape = Arrangement((), {}, False)
        self.active = "steps"
        """The pane that had the focus last, ..."""
        self.latest = {"right": "step", "deck": "step"}
        """... and of those that share a place the one that did."""
        self.zoomed = False
        self._before_composition = self.active, dict(self.latest)
        """Where the focus was, and what was shown, when the composition was."""
        self._telling = False
        """Whether panes are about to be told."""

    def compose(self) -> ComposeResult:
        yield Line(id="head")
        yield Alert()
        yield Scrubber()
        with Horizontal(id="panes"):
            watch, *others = self._panes
            with Vertical(id="left"):
                yield StepList(self.ours.steps)
                yield watch
            with Vertical(id="right"):
                yield from others
        yield Static(TOO_SMALL.format(*SMALLEST), id="small", markup=False)
        yield WorkLine(id="work")
        yield Line(id="status")
        yield Foot()

    def on_mount(self) -> None:
        self.fit_in()
        self.steps.focus()
        self.steps.stepped = lambda step: self.go(self.here.at(step))
        self.steps.laid_out = self.tell_panes
        self.query_one(StepPane).is_row = self.steps.is_several
        self.query_one(WatchPane).presented = self.show_changes
        self.call_after_refresh(self.steps.stand, self.here.step)
        self.tell_name(None)
        self.tell_of_record()
        self._stand()
        self.tell_foot()

    def tell_foot(self) -> None:
        """Name the keys of the pane that has the focus."""
        ids = FOOTER.get(self.active, FOOTER[""])
        words = FOOTER_WORDS["steps" if self.active == "steps" else ""]
        self.query_one(Foot).tell(self.keys.foot(ids, words))

    @property
    def pane_of_keys(self) -> str:
        return self.active

    @property
    def inside(self) -> Focus:
        """The cursor, in the context of its step."""
        return self.steps.inside(self.here)

    def panes(self) -> Iterator[Pane]:
        """Those that ask something, as long as they are there."""
        return (pane for pane in self._panes if pane.is_attached)

    def _asked_by(self, slot: str) -> list[Pane]:
        """Whose question it was."""
        return [pane for pane in self.panes() if pane.slot == slot.partition(":")[0]]

    # -- the cursor ---------------------------------------------------------------------------------------------------

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else; a jump can be taken back."""
        if jump and here.step != self.here.step:
            self.trail.leave(self.here)
        stays = here.step == self.here.step
        self.here = here
        self.steps.stand(here.step, centred=jump)
        self.timeline.follow(here)
        self.sign_steps()
        self._stand()
        if self._telling:
            return  # they are told of here as soon as the cursor is painted
        if stays:
            self.tell_panes()
        else:
            self._telling = True
            self.steps.call_next(self.call_after_refresh, self.tell_panes)  # once the list has said what is to be drawn

    def tell_panes(self) -> None:
        """Let every pane that can be seen ask what it wants to know; after the cursor was painted, for who answers
        takes the painter's time."""
        self._telling = False
        if not self.query(Scrubber):
            return  # it was left before it was painted
        questions = [(STATE, ask(STATE, self.here.step))]
        if (overview := self.timeline.look(self.here)) is not None:
            questions += [(OVERVIEW, overview), (COMMITS, ask("commits"))]
        if (course := self.timeline.look_at_filling(self.here)) is not None:
            questions.append((COURSE, course))
        inside = self.inside
        for pane in self.panes():
            if pane.display or pane.always:
                questions += pane.questions(self.here if isinstance(pane, WatchPane) else inside)
        questions += self.look_for_said(inside)
        self.ours.engine.ask_all(questions)
        self.ask_what_was_told()

    def tell_anew(self) -> None:
        self.forget_said()
        super().tell_anew()

    def said(self, text: str) -> None:
        self.query_one("#status", Line).say(Row((Span(" " + clean(text), "note"),), self._where()))

    def _stand(self) -> None:
        self.query_one("#status", Line).say(Row((), self._where()))

    def _where(self) -> tuple[Span, ...]:
        head = self.ours.steps.head
        percent = 100 * self.here.step // max(head, 1)
        return (Span(f"step {self.here.step:,} of {head:,}  {percent}% ", "strong"),)

    # -- what is on the screen ----------------------------------------------------------------------------------------

    def fit_in(self) -> None:
        """Show what there is room for."""
        size = self.size
        self.shape = shape = arranged(
            size.width, size.height, self.latest, self.active, zoomed=self.zoomed, watching=bool(self.watches.each)
        )
        self.query_one("#small").display = shape.too_small
        self.timeline.display = not shape.too_small
        self.timeline.fit(size, lanes=shape.lanes, filling="composition" in shape.panes)
        for column, group in (("#left", LEFT), ("#right", RIGHT)):
            self.query_one(column).display = bool(set(group) & set(shape.panes))
        for name in PANES:
            for pane in self.query(f"#{name}"):
                pane.display = name in shape.panes
                pane.border_title = self._title(name, shape.tabs.get(name, (name,)))
        self.tell_panes()

    def _title(self, name: str, tabs: tuple[str, ...]) -> str:
        """Its name, and those that could stand in its place, which can be clicked."""
        others = [f"[dim @click=screen.pane('{each}')]{TITLES[each]}[/]" for each in tabs if each != name]
        return " · ".join([TITLES[name], *others])

    def show_pane(self, name: str) -> None:
        """Bring a pane to where it can be seen, and give it the focus."""
        for pane in self.query(f"#{name}"):
            self._note(name)
            self.fit_in()
            self.set_focus(pane)  # at once: keys that were typed ahead are for it

    def action_pane(self, name: str) -> None:
        """A tab was clicked."""
        self.show_pane(name)

    def _note(self, name: str) -> None:
        self.active = name
        if name in RIGHT:
            self.latest["right"] = name
        if name in DECK:
            self.latest["deck"] = name

    def on_resize(self) -> None:
        self.fit_in()
        self.tell_name(self.state)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if event.widget.id in PANES:
            self._note(event.widget.id)
            self.tell_foot()

    # -- what comes ---------------------------------------------------------------------------------------------------

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        row = event.rows.selected
        if isinstance(event.rows, WindowPane) and event.rows.unfold():
            return
        if isinstance(event.rows, StepPane):
            self.follow(event.rows)
        elif row is not None and row.leads is not None:
            self.lead_to(row.leads)
            if row.leads.node is None and self.active == event.rows.id:
                self.said(f"no single file: {self.keys.sign('open')} opens everything the step recorded")
        elif row is not None and row.text:
            self.said("this row links to nothing")

    def lead_to(self, moment: Moment) -> None:
        """Stand where something leads."""
        step = moment.step if moment.step is not None else self.here.step
        node = moment.node if moment.node is not None else self.here.node
        self.go(self.here.at(step).on(node), jump=True)
        if moment.node is not None:
            self.said(selected_words(moment.node, self.keys))

    def answered(self, message: Answered) -> None:
        """An answer to a question of ours."""
        self.at_rest()
        if message.slot == GO:
            self.went(message)
        elif message.slot == SEARCH:
            self.searched_for(message)
        elif message.slot == OVERVIEW:
            self.timeline.take(message)
        elif message.slot == COURSE:
            self.timeline.take_filling(message)
        elif message.slot == COMMITS:
            self.note_commits(message.answer)
        elif message.slot == STATE:
            self.tell_name(message.answer)
        elif message.slot in (LANES, WINDOW):
            self.heard_said(message)
        elif message.slot == TOLD:
            self.heard_told(message)
        for pane in self._asked_by(message.slot):
            pane.take(message)

    def refused(self, message: Refused) -> None:
        """A question of ours that has no answer."""
        for pane in self._asked_by(message.slot):
            pane.refuse(message)
        if message.slot == OVERVIEW:
            self.timeline.refuse(message)
        elif message.slot in (GO, SEARCH, "line"):
            self.said(message.sentence)

    # -- keys ---------------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Before it is known what the key does: nobody is to be in the painter's way."""
        self.ours.engine.touched()

    def do_next_pane(self, count: int | None, char: str) -> None:
        self._to_pane(1, count)

    def do_prev_pane(self, count: int | None, char: str) -> None:
        self._to_pane(-1, count)

    def _to_pane(self, by: int, count: int | None) -> None:
        panes = there(self.active, watching=bool(self.watches.each))
        at = panes.index(self.active)
        self.show_pane(PANES[min(count, len(PANES)) - 1] if count else panes[(at + by) % len(panes)])

    def do_lens(self, count: int | None, char: str) -> None:
        self._look_through(replace(self.here, lens=next_lens(self.here.lens)))

    def do_more(self, count: int | None, char: str) -> None:
        larger = [budget for budget in BUDGETS if budget > self.here.budget]
        doubled = max(min(self.here.budget * 2, MOST), self.here.budget)  # who holds the key down comes to an end
        self._look_through(replace(self.here, budget=larger[0] if larger else doubled))

    def do_less(self, count: int | None, char: str) -> None:
        smaller = [budget for budget in BUDGETS if budget < self.here.budget]
        self._look_through(replace(self.here, budget=smaller[-1] if smaller else max(self.here.budget // 2, 1)))

    def do_budget(self, count: int | None, char: str) -> None:
        """So many tokens as was counted, or as is said."""
        if count is not None:
            self._budget(str(count))
        else:
            self.ours.prompt("budget ", self._budget, filled=str(self.here.budget))

    def _budget(self, said: str) -> None:
        told = said.strip().replace(",", "")
        if told.isascii() and told.isdigit() and 0 < int(told) <= MOST:
            self._look_through(replace(self.here, budget=int(told)))
        else:
            self.said("the budget must be a number of tokens")

    def _look_through(self, here: Focus) -> None:
        """Look through another window, and say which: its pane may be out of sight."""
        budgeted = here.budget != self.here.budget and here.lens == THEIRS
        if "window" not in self.shape.panes:
            self.latest["right"] = "window"
            self.fit_in()
        self.go(here)
        if "window" not in self.shape.panes and not budgeted:
            self.show_pane("window")  # there is room for one pane alone
        self.said("the agent's window has no budget" if budgeted else f"window: {window_title(here)}")

    def do_back(self, count: int | None, char: str) -> None:
        """Back from a pane to the steps; who left a pane doesn't want to lose the session."""
        if self.active != "steps":
            self.leave_pane()
        else:
            super().do_back(count, char)

    def leave_pane(self) -> None:
        """Go back to the steps. The step's text stands again where another pane took its place."""
        self.latest = {**self.latest, "deck": "step"}
        if self.latest["right"] != "window":
            self.latest["right"] = "step"
        self.show_pane("steps")

    def do_mark_here(self, count: int | None, char: str) -> None:
        self.go(replace(self.here, mark=None if self.here.mark == self.here.step else self.here.step))
        self.said("marked: views now compare with this step" if self.here.mark is not None else "mark removed")

    def do_step_text(self, count: int | None, char: str) -> None:
        self.show_pane("step")

    def do_diff(self, count: int | None, char: str) -> None:
        """Show what changed; once more, leave that."""
        if self.active == "diff":
            self.leave_pane()
        else:
            self.show_pane("diff")

    def do_composition(self, count: int | None, char: str) -> None:
        """Show what fills the window; once more, what was there before."""
        if "composition" not in self.shape.panes:
            self._before_composition = self.active, dict(self.latest)
            self.show_pane("composition")
            return
        before, self.latest = self._before_composition
        self.show_pane(before)

    def do_order(self, count: int | None, char: str) -> None:
        """List the items of the agent's window the other way round."""
        pane = self.query_one(WindowPane)
        pane.by_age = not pane.by_age
        pane.present()
        self.said("the newest items first" if pane.by_age else "the largest items first")

    def do_autopsy(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.full import AutopsyScreen

        self.ours.push_screen(AutopsyScreen(self.here.step))

    def do_pressure(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.pressure import PressureScreen

        self.ours.push_screen(PressureScreen())

    def do_find(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.searching import FindScreen

        self.ours.push_screen(FindScreen(self.here.step, self.here.budget))

    def do_whatif(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.whatif import WhatIfScreen

        self.ours.push_screen(WhatIfScreen(self.here))

    def do_compare(self, count: int | None, char: str) -> None:
        from ccos_tui.screens.whatif import CompareScreen

        self.ours.push_screen(CompareScreen(self.here.budget, OURS))

    def do_zoom(self, count: int | None, char: str) -> None:
        self.zoomed = not self.zoomed
        self.fit_in()

    def do_jump_back(self, count: int | None, char: str) -> None:
        self._jump(self.trail.back(self.here), "no earlier jump")

    def do_jump_on(self, count: int | None, char: str) -> None:
        self._jump(self.trail.on(self.here), "no later jump")

    def _jump(self, there: Focus | None, otherwise: str) -> None:
        if there is None:
            self.said(otherwise)
        else:
            self.go(there)


def selected_words(node: str, keys: Keys) -> str:
    """What is selected now, and what can be done with it."""
    return f"{node_name(node)} selected: {keys.sign('why')} explains it, {keys.sign('watch')} watches it"
