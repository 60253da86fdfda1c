"""Why what is selected is in the window, or not: ours, the host's, or ours above theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from ccos_core.present.rows import Row, Span, clean
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import BOTH, OURS, THEIRS, Focus
from ccos_tui.present import host_why, why
from ccos_tui.widgets.several import SeveralPane
from ccos_tui.widgets.window_pane import subtitle

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

HOSTS = "theirs"
"""The name of the second question, where both windows are looked at."""


class WhyPane(SeveralPane):
    """The verdict on a node, and what it rests on."""

    slot: ClassVar[str] = "why"
    title: ClassVar[str] = "Why"

    def asks(self, here: Focus) -> Mapping[str, Ask]:
        if here.node is None:
            return {}
        if here.lens == BOTH:
            return {"": _ask(here, OURS), HOSTS: _ask(here, THEIRS)}
        return {"": _ask(here, here.lens)}

    def rows_here(self, here: Focus, width: int) -> Sequence[Row]:
        self.border_subtitle = subtitle(here)
        if here.node is None:
            return why.nothing(cast("CcosApp", self.app).keys)
        ours, theirs = self.answer_to(""), self.answer_to(HOSTS)
        if ours is not None and theirs is not None:
            return host_why.both_of(ours, theirs, width)
        return [row for name in self.wanted for row in self._came_of(name, width)]

    def _came_of(self, name: str, width: int) -> Sequence[Row]:
        """One of the answers, or why there is none."""
        answer = self.answer_to(name)
        if answer is not None and answer.schema == "ccos.host-why/1":
            return host_why.rows_of(answer, width)
        if answer is not None:
            return why.rows_of(answer, width)
        refusal = self.refusal_of(name)
        return [Row((Span(clean(refusal), "note"),))] if refusal else []


def _ask(here: Focus, lens: str) -> Ask:
    return ask("why", here.step, node=here.node, **here.through(lens))
