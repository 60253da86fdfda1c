"""The window at the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import THEIRS, Focus
from ccos_tui.present import window
from ccos_tui.present.rows import Row
from ccos_tui.widgets.pane import Pane


class WindowPane(Pane):
    """What an agent could see."""

    slot: ClassVar[str] = "window"
    title: ClassVar[str] = "Window"

    def question(self, here: Focus) -> Ask | None:
        budget = None if here.lens == THEIRS else here.budget
        return ask("recall", here.step, budget=budget, lens=here.lens, session=here.session, context=here.context)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        self.border_subtitle = f"{here.lens}"
        return window.rows_of(answer, width)
