"""What fills the agent's window at the cursor: the parts as a table, growth, dead weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ccos_core.present.rows import Row
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.widgets.pane import Pane


class CompositionPane(Pane):
    """The parts of the agent's window."""

    slot: ClassVar[str] = "composition"
    title: ClassVar[str] = "Composition"

    def question(self, here: Focus) -> Ask | None:
        return ask("composition", here.step, session=here.session, context=here.context)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        self.say_below(f"{answer.tokens:,} tokens")
        return super().rows_of(answer, here, width)
