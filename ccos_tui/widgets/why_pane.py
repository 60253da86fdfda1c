"""Why what is selected is in the window, or not: the suggested one, the agent's, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ccos_core.present.rows import Row, View
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import THEIRS, Focus
from ccos_tui.present.unselected import unselected
from ccos_tui.widgets.pane import Pane
from ccos_tui.widgets.window_pane import subtitle

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

NOTHING = "{why} there tells why that is in the window, or why not."


class WhyPane(Pane):
    """The verdict on a node, and what it rests on."""

    slot: ClassVar[str] = "why"
    title: ClassVar[str] = "Why"

    def question(self, here: Focus) -> Ask | None:
        is_code = here.node is None or here.node.startswith(("file:", "sym:"))
        lens = here.lens if is_code else THEIRS  # a prompt or a result is in no suggested window
        self.say_below(subtitle(replace(here, lens=lens)))
        return ask("why", here.step, node=here.node, **here.through(lens)) if here.node is not None else None

    def nothing(self, here: Focus) -> Sequence[Row]:
        return unselected(NOTHING, cast("CcosApp", self.app).keys)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        rows: Sequence[Row] = answer.as_rows(View(width, full=True))  # with its title: the border doesn't say the node
        return rows
