"""A pane that asks several questions at once, and shows of their answers what has come so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.timer import Timer

from ccos_core.present.rows import Row
from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.widgets.pane import Pane

TOGETHER = 0.06
"""Seconds in which answers are shown at once: to draw them takes as long for one as for all."""


class SeveralPane(Pane):
    """Rows made of several answers. Each question has a name, and comes back as `SLOT:NAME`, or as `SLOT` without."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: Mapping[str, Ask] = {}
        """Name → the question whose answer is wanted."""
        self.came: dict[str, Answered | Refused] = {}
        """Name → what came last."""
        self._soon: Timer | None = None
        """When what came is shown, though more is to come."""

    # -- what differs -------------------------------------------------------------------------------------------------

    def asks(self, here: Focus) -> Mapping[str, Ask]:
        """All that is to be asked for where the reader stands, by name."""
        raise NotImplementedError

    def rows_here(self, here: Focus, width: int) -> Sequence[Row]:
        """What has come so far, as rows."""
        raise NotImplementedError

    # -- what is alike ------------------------------------------------------------------------------------------------

    def questions(self, here: Focus) -> Sequence[tuple[str, Ask]]:
        self.here = here
        wanted, before = self.asks(here), self.wanted
        self.wanted = wanted
        self.came = {name: each for name, each in self.came.items() if name in wanted}
        self.present()
        return [(self._slot(name), each) for name, each in wanted.items() if before.get(name) != each]

    def answer_to(self, name: str) -> Any:
        """The last answer to a question; nothing where none has come."""
        came = self.came.get(name)
        return came.answer if isinstance(came, Answered) else None

    def refusal_of(self, name: str) -> str:
        """Why a question has no answer; empty where it has one, or none has come."""
        came = self.came.get(name)
        return came.sentence if isinstance(came, Refused) else ""

    def take(self, answered: Answered) -> None:
        self._came(answered)

    def refuse(self, refused: Refused) -> None:
        self._came(refused)

    def again(self) -> None:
        self.wanted = {}

    def present(self) -> None:
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        self.show(self.made(lambda width: self.rows_here(self.here, width)))

    def _came(self, what: Answered | Refused) -> None:
        name = what.slot.partition(":")[2]
        if name not in self.wanted:
            return
        self.came[name] = what
        if all(self._has(each) for each in self.wanted):
            self.present()
        elif self._soon is None:
            self._soon = self.set_timer(TOGETHER, self.present)

    def _has(self, name: str) -> bool:
        """Whether what came of a question is about what is wanted now."""
        return name in self.came and self.came[name].ask == self.wanted[name]

    def _slot(self, name: str) -> str:
        return f"{self.slot}:{name}" if name else self.slot
