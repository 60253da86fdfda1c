"""A report of a session: asks all that stands in it, one after the other, and hands the text over when it is whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.commands import command_of
from ccos_tui.bridge.keepsakes import here
from ccos_tui.bridge.words import lines_of
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.links import link
from ccos_tui.present.parts import node_name
from ccos_tui.present.report import Part, Report, markdown

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

WIDTH = 100
"""Columns of what is told as lines."""
LISTED = 40
"""Compactions that are listed."""
MOMENT, VERDICT, MARKS = "The moment", "What went wrong", "Marks and notes"


class Reporting:
    """One report, on its way."""

    def __init__(self, app: CcosApp, then: Callable[[str], object]) -> None:
        self.app = app
        self.here: Focus = app.home.here
        self._then = then
        self._asks = _asks(self.here)
        self._answers: dict[str, Any] = {}
        self._lines: dict[str, list[str]] = {}

    def start(self) -> None:
        """Ask the first of it; the others follow, each when the one before was answered."""
        self._next()

    def _next(self) -> None:
        waiting = [title for title in self._asks if title not in self._lines]
        if not waiting:
            self._then(markdown(self._report()))
            return
        title = waiting[0]

        def answered(message: Answered) -> None:
            self._answers[title] = message.answer
            self._lines[title] = lines_of(message.answer, WIDTH, message.partial)
            self._next()

        def refused(message: Refused) -> None:
            self._lines[title] = [message.sentence]
            self._next()

        self.app.errands.send(self.app.engine, self._asks[title], answered, refused)

    def _report(self) -> Report:
        marks = self._answers.get(MARKS)
        return Report(
            name=self.app.name_of_record,
            link=link(self.app.path, self.here.step, self.here.node),
            when=self._answers.get(MOMENT),
            autopsy=self._answers.get(VERDICT),
            marks=marks.marks if marks is not None else (),
            parts=[self._part(title, each) for title, each in self._asks.items() if title != MOMENT],
            verify=self._command(Ask("verify")),
        )

    def _part(self, title: str, question: Ask) -> Part:
        schema = getattr(self._answers.get(title), "schema", "")
        return Part(title, self._command(question), self._lines[title], schema)

    def _command(self, question: Ask) -> str:
        """How a shell asks it, from the folder where we are."""
        return command_of(question, self.app.path.removeprefix(here()))


def _asks(here: Focus) -> dict[str, Ask]:
    """Title → the question. Of the session all of it; its window as of the cursor."""
    asks = {
        MOMENT: ask("when", here.step),
        VERDICT: ask("autopsy"),
        "Failures": ask("failures"),
        "Compactions": ask("find", limit=LISTED, expr="kind=compaction"),
        MARKS: ask("mark"),
        f"The window at step {here.step:,}": ask("recall", here.step, **here.through()),
    }
    if here.node is not None:
        asks[f"Why {node_name(here.node)} is in the window or not"] = ask("why", here.step, node=here.node)
    return asks
