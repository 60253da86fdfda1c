"""The watched nodes, each with its strip over the whole session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events

from ccos_core.present.rows import Moment, Row
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import BOTH, OURS, THEIRS, Focus, Watched, Watches
from ccos_tui.present import watch
from ccos_tui.widgets.several import SeveralPane
from ccos_tui.widgets.window_pane import subtitle

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp


class WatchPane(SeveralPane):
    """A question a node, asked anew only where the window is another: an answer covers every step."""

    slot: ClassVar[str] = "watch"
    title: ClassVar[str] = "Watch"
    always: ClassVar[bool] = True

    def __init__(self, watches: Watches) -> None:
        super().__init__()
        self.watches = watches
        self.presented: Callable[[], object] | None = None
        """Hears that other answers are shown: others show them as well."""

    def asks(self, here: Focus) -> Mapping[str, Ask]:
        return {str(each.number): self._ask(each, here) for each in self.watches.each}

    def rows_here(self, here: Focus, width: int) -> Sequence[Row]:
        self.say_below(subtitle(here))
        return watch.rows_of(self._seen(), here.step, width, cast("CcosApp", self.app).keys)

    def present(self) -> None:
        super().present()
        if self.presented is not None:
            self.presented()

    @property
    def chosen(self) -> Watched | None:
        """The watched node whose row is selected; the first one where that is none of them."""
        row = self.selected
        node = row.leads.node if row is not None and row.leads is not None else None
        return next((each for each in self.watches.each if each.node == node), next(iter(self.watches.each), None))

    def lens_of(self, node: str, here: Focus, *, forward: bool) -> str:
        """In whose window the next change is to be looked for: of both in that where it is nearer."""
        if here.lens != BOTH:
            return here.lens
        number = next((str(each.number) for each in self.watches.each if each.node == node), "")
        answer = self.answer_to(number)
        if answer is None or answer.suggested is None or answer.agent is None:
            return THEIRS
        return OURS if watch.nearest(answer, here.step, forward=forward) == OURS else THEIRS

    def on_click(self, event: events.Click) -> None:
        """Within a strip a click goes to the step; Textual tells the list of it as well, which selects the row."""
        within, seen = event.get_content_offset(self), self._seen()
        index = within.y + round(self.scroll_y) if within is not None else -1
        row = self.row_at(index) if 0 <= index < self.count() else None
        if within is None or row is None or row.leads is None or all(span.role != "mark" for span in row.spans):
            return
        place = watch.place_of(seen, max(self.scrollable_content_region.width, 1))
        if (step := place.step(within.x, self._head)) is not None:
            cast("CcosApp", self.app).lead_to(Moment(step, row.leads.node))

    @property
    def _head(self) -> int:
        return cast("CcosApp", self.app).steps.head

    def _ask(self, watched: Watched, here: Focus) -> Ask:
        return ask("watch", watched.at, node=watched.node, **here.through())

    def _seen(self) -> list[watch.Seen]:
        names = [(str(each.number), each.node) for each in self.watches.each]
        return [watch.Seen(node, self.answer_to(name), self.refusal_of(name)) for name, node in names]
