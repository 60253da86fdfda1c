"""Take along what is on a screen: copied, exported, opened in another program; and a report of the whole session.

A copy goes to the terminal's clipboard and, because not every terminal has one, to a file. A report asks its questions
one after the other and hands the text over when it is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import SuspendNotSupported

from ccos_core.present.parts import node_name
from ccos_core.present.rows import Moment, clean
from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.keepsakes import here
from ccos_tui.bridge.words import command_of, json_of, lines_of
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.links import link
from ccos_tui.present.report import Part, Report, markdown
from ccos_tui.present.texts import harmless, text_of, why_empty
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.step_list import StepList

if TYPE_CHECKING:
    from ccos_core.present.rows import Row
    from ccos_core.query.marks import Marks
    from ccos_tui.app import CcosApp

COPIES = "y text, i id, l link, h hash, j JSON"
EXPORTS = "s SVG, t text, j JSON, m Markdown report"
CLOSED = "no session is open"
MOST = 74_994
"""Bytes that all terminals with a clipboard take; beyond, some take nothing."""


class Taking(KeyedScreen):
    """A screen of which something can be taken along."""

    has_cursor: ClassVar[bool] = False
    """Whether a step is meant where the row that is selected leads to none."""

    # -- what it is about ---------------------------------------------------------------------------------------------

    @property
    def pointed_row(self) -> Row | None:
        """The row that is selected."""
        return self.rows.selected if self.rows is not None else None

    def place(self) -> Moment:
        """Where what is selected leads; for what it leaves open, where the reader stands."""
        row = self.pointed_row
        leads = row.leads if row is not None and row.leads is not None else Moment()
        step = leads.step if leads.step is not None else self.standing()
        return Moment(step, leads.node if leads.node is not None else self._otherwise())

    def standing(self) -> int:
        """The step the reader stands at; 0 where no record is open."""
        return next((home.here.step for home in self.ours.homes()), 0)

    def answered(self, message: Answered) -> None:
        """An answer this screen may have asked for."""

    def marked(self, answer: Marks) -> None:
        """Something was kept or forgotten. Most screens don't show it."""

    def _otherwise(self) -> str | None:
        """The node that is meant where the row that is selected names none."""
        return None

    def answer_shown(self) -> Any:
        """The answer behind what is looked at."""
        found = (getattr(each, "answer", None) for each in (self.rows, self))
        return next((answer for answer in found if answer is not None), None)

    def plain_text(self) -> str:
        """The screen as text, as it is drawn."""
        return "\n".join(line.rstrip() for line in self.ours.screen_lines()) + "\n"

    # -- copying ------------------------------------------------------------------------------------------------------

    def do_copy(self, count: int | None, char: str) -> None:
        place = self.place()
        step = place.step or 0
        if char == "y":
            row, marked = self.pointed_row, self.get_selected_text()
            text = (row.copies or row.text.strip()) if row is not None else ""
            self.take("the selected text" if marked else "its text", marked or text)
        elif char == "i":
            self.take("its id", place.node or "")
        elif char == "l":
            self.take("a link", link(self.ours.path, step, place.node))
        elif char == "h":
            self.take(f"the hash of step {step:,}", self.ours.steps.hash_at(step) if self.ours.is_open else "")
        elif char == "j":
            self._with_answer(lambda text: self.take("the answer as JSON", text))
        else:
            self.said(f"copy what? {COPIES}")

    def take(self, what: str, text: str) -> None:
        """Copy a text, and say what, how much, and where it is besides."""
        if not text:
            self.said(f"can't copy here: {what}")
            return
        text = harmless(text)
        self.ours.copy_to_clipboard(text)
        size = f"{len(text):,} characters" if len(text) > 1 else "1 character"
        try:
            where = f"also saved to {_short(keepsakes.keep_copy(text))}"
        except OSError as error:
            where = f"no file written: {(error.strerror or str(error)).lower()}"
        large = "; may be too large for the clipboard" if len(text.encode("utf-8", "replace")) > MOST else ""
        self.said(f"copied {what}, {size}{large}; {where}")

    def _with_answer(self, then: Callable[[str], object]) -> None:
        """Do something with the answer that is looked at, as JSON; of the list of steps with those on the screen."""
        if isinstance(self.rows, StepList):
            span = "{}..{}".format(*self.rows.shown_steps())
            self._ask(ask("timeline", limit=0, span=span), lambda message: then(json_of(message.answer) + "\n"))
        elif (answer := self.answer_shown()) is not None:
            then(json_of(answer) + "\n")
        else:
            self.said("there is no answer to save as JSON")

    # -- exporting ----------------------------------------------------------------------------------------------------

    def do_export(self, count: int | None, char: str) -> None:
        if char == "s":
            self.export("screen", "svg", self.ours.export_screenshot(title=self.ours.name_of_record))
        elif char == "t":
            self.export("screen", "txt", harmless(self.plain_text()))
        elif char == "j":
            self._with_answer(lambda text: self.export("answer", "json", text))
        elif char == "m" and not self.ours.is_open:
            self.said(CLOSED)
        elif char == "m":
            self.said("writing a report ...")
            Reporting(self.ours, lambda text: self.export("post-mortem", "md", text)).start()
        else:
            self.said(f"save what? {EXPORTS}")

    def export(self, what: str, ending: str, text: str) -> None:
        """Write a file, and say which."""
        name = f"{self.ours.name_of_record or 'ccos-tui'}-step-{self.standing()}-{what}"
        try:
            self.said(f"saved: {_short(keepsakes.export(name, ending, text))}")
        except OSError as error:
            self.said(f"not saved: {(error.strerror or str(error)).lower()}")

    # -- opening ------------------------------------------------------------------------------------------------------

    def do_open(self, count: int | None, char: str) -> None:
        row, place = self.pointed_row, self.place()
        if not self.has_cursor and (row is None or row.leads is None):
            self.said("there is no text to open for this row")
            return
        self._ask(ask("show", place.step, node=place.node), self._open_answer)

    def _open_answer(self, message: Answered) -> None:
        if sentence := why_empty(message.answer):
            self.said(sentence)
            return
        node = message.answer.node
        name = node.partition(":")[2].partition("#")[0] if node else f"step-{message.answer.at}.txt"
        self.open_outside(text_of(message.answer), name)

    def open_outside(self, text: str, name: str) -> None:
        """Show a text in the reader's own program; ours waits meanwhile."""
        words = keepsakes.reader(os.environ)
        if not words:
            self.said(keepsakes.NO_READER)
            return
        try:
            with keepsakes.shown_as_file(text, name) as path, self.ours.suspend():
                trouble = keepsakes.show_with(words, path)
        except SuspendNotSupported:
            trouble = "this terminal can't start another program"
        except OSError as error:
            trouble = f"no file written: {(error.strerror or str(error)).lower()}"
        self.said(clean(trouble))

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _ask(self, question: Ask, then: Callable[[Answered], object]) -> None:
        """Ask once; a refusal is said."""
        if not self.ours.is_open:
            self.said(CLOSED)
            return
        self.ours.errands.send(self.ours.engine, question, then, lambda refused: self.said(clean(refused.sentence)))


def _short(path: str) -> str:
    """A path as it is typed: below the home folder, or below where we are."""
    here, home = keepsakes.here(), os.path.join(os.path.expanduser("~"), "")
    if here and path.startswith(here):
        return clean(path.removeprefix(here))
    return clean("~/" + path.removeprefix(home) if len(home) > 1 and path.startswith(home) else path)


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
