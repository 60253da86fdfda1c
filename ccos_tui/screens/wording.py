"""Watch and explain words: a sentence of the step's text, the words selected there, or those of a typed line."""

from __future__ import annotations

from ccos_tui.screens.running import Running
from ccos_tui.widgets.step_pane import StepPane


class Wording(Running):
    """What a screen does about words in the text of a step."""

    def do_watch_words(self, count: int | None, char: str) -> None:
        """Watch the words at the cursor; on a heading, the file that it names."""
        node = self._words_pointed()
        if node is None:
            self.do_watch(count, char)
        else:
            self.watch_node(node)

    def do_why(self, count: int | None, char: str) -> None:
        """In the step's text, explain the words at the cursor."""
        node = self._words_pointed()
        if node is not None and self.active == "step":
            self.go(self.here.on(node))
        super().do_why(count, char)

    def do_sentence_on(self, count: int | None, char: str) -> None:
        self._to_sentence(count or 1)

    def do_sentence_back(self, count: int | None, char: str) -> None:
        self._to_sentence(-(count or 1))

    def _to_sentence(self, by: int) -> None:
        if not self.query_one(StepPane).move_sentence(by):
            self.said("no later sentence in this text" if by > 0 else "no earlier sentence in this text")

    def _words_pointed(self) -> str | None:
        """The words at the cursor of the step's text, as a node; None for a row without any, such as a heading."""
        pane = self.query_one(StepPane)
        is_heading = pane.selected is not None and pane.selected.leads is not None
        return None if is_heading else pane.words
