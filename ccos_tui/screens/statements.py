"""What was said, claimed and believed, as lists: confirm, replace, retract and rate it; and what was said of a step.

A list is asked again after each change, as of the end: that is where the change was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ccos_core.present.cells import clip
from ccos_core.present.later import untitled
from ccos_core.present.rows import Moment, Span, View, clean, row
from ccos_core.present.sentences import words_node
from ccos_core.present.words import count
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.words import statement_classes
from ccos_tui.messages import Answered
from ccos_tui.screens.full import FullScreen
from ccos_tui.widgets.rows import Rows

if TYPE_CHECKING:
    from ccos_core.query.claims import ClaimRow
    from ccos_core.query.statements import StatementRow

WHICH = ("all", "lost", "held")
AUTHORS = ("user", "agent", "file", "all")
AUTHOR_WORDS = {"user": "you said", "agent": "the agent said", "file": "files say", "all": "was said"}
NONE_SELECTED = "no statement is selected"

NAMED_FROM = 80  # columns from which on the title says it in full


class Judging(FullScreen):
    """A list of statements or claims that can be judged."""

    def __init__(self, at: int | None) -> None:
        super().__init__()
        self.at = at
        """The step it is asked as of; None is the end."""

    @property
    def judged(self) -> str | None:
        """The statement or claim at the cursor, as a node."""
        raise NotImplementedError

    @property
    def judged_text(self) -> str:
        """Its words."""
        raise NotImplementedError

    def look(self) -> None:
        """Ask what the screen shows."""
        raise NotImplementedError

    def replace(self) -> None:
        """Ask for the words that take its place."""
        if (node := self._selected()) is not None:
            self._typed("replace by ", lambda words: ask("supersede", node=node, new=words), is_needed=True)

    def retract(self) -> None:
        if (node := self._selected()) is not None:
            self._typed("retract, because ", lambda words: ask("retract", node=node, words=words or None))

    def rate(self, sign: str) -> None:
        """Record that it helped, or that it harmed."""
        if (node := self._selected()) is not None:
            what = "for it speaks " if sign == "+" else "against it speaks "
            self._typed(what, lambda words: ask("feedback", node=node, sign=sign, words=words or None))

    def show_evidence(self) -> None:
        if (node := self._selected()) is not None:
            self.ours.push_screen(EvidenceScreen(node, self.judged_text, self.at))

    def record(self, question: Ask) -> None:
        """Record a judgement, and show the list anew."""

        def recorded(message: Answered) -> None:
            self.ours.engine.catch_up()
            self.at = None
            self.look()
            self.said(clean(message.answer.as_rows(View(80))[0].text))

        self._ask(question, recorded)

    def _selected(self) -> str | None:
        node = self.judged
        if node is None:
            self.said(NONE_SELECTED)
        return node

    def _typed(self, sign: str, question: Any, *, is_needed: bool = False, hint: str = "") -> None:
        def typed(words: str) -> None:
            if words.strip() or not is_needed:
                self.record(question(words.strip()))

        without = "" if is_needed else "Enter without words is enough; Esc: not at all"
        self.ours.prompt(sign, typed, hint=hint or without)

    def _up_to(self) -> str:
        return f"up to step {self.at:,}" if self.at is not None else "up to the end"


class StatementsScreen(Judging):
    """The answer to `statements`, row by row."""

    keyed: ClassVar[str] = "statements"
    slot: ClassVar[str] = "statements"
    footer: ClassVar[tuple[str, ...]] = (
        "enter", "said-which", "said-author", "said-watch", "said-why", "said-confirm", "said-replace", "said-retract",
        "said-helpful", "search", "back", "help",
    )  # fmt: skip
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, at: int | None, session: str | None, context: str | None) -> None:
        super().__init__(at)
        self.whose = {"session": session, "context": context}
        self.which, self.author = WHICH[0], AUTHORS[0]

    def on_mount(self) -> None:
        self.title_is("What you said")
        self.show([row(Span("Reading what was said ...", "quiet"))])
        self.look()

    def look(self) -> None:
        self.ask_for(ask("statements", self.at, which=self.which, author=self.author, limit=0, **self.whose))

    def fill(self) -> None:
        if self.answer is None:
            return
        every, held = self.answer.held + self.answer.lost, self.answer.held
        counted = f"{count(every, 'statement')}, {held:,} in the window, {self.answer.lost:,} not"
        if self.size.width < NAMED_FROM:
            counted = f"{held:,} of {every:,} in the window"
        shown = f", {self.which} shown" if self.which != WHICH[0] else ""
        self.title_is(f"What {AUTHOR_WORDS[self.author]}: {counted}{shown}", self._up_to())
        self.show(untitled(self.answer.as_rows(self.view)))

    @property
    def statement(self) -> StatementRow | None:
        """The statement at the cursor."""
        at = self.list.cursor - 1 if self.answer is not None else -1  # the first row says whose window is meant
        return self.answer.statements[at] if self.answer is not None and 0 <= at < len(self.answer.statements) else None

    @property
    def judged(self) -> str | None:
        return self.statement.memo if self.statement is not None else None

    @property
    def judged_text(self) -> str:
        return self.statement.text if self.statement is not None else ""

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_said_which(self, count: int | None, char: str) -> None:
        self.which = next_word(WHICH, self.which)
        self.look()

    def do_said_author(self, count: int | None, char: str) -> None:
        self.author = next_word(AUTHORS, self.author)
        self.look()

    def do_said_watch(self, count: int | None, char: str) -> None:
        if (node := self._back_with_words()) is not None:
            self.ours.home.take_up(node)

    def do_said_why(self, count: int | None, char: str) -> None:
        if self._back_with_words() is not None:
            self.ours.home.show_pane("why")

    def do_said_confirm(self, count: int | None, char: str) -> None:
        """Confirm what a statement is."""
        if (each := self.statement) is None:
            self.said(NONE_SELECTED)
            return
        memo = each.memo

        def typed(said: str) -> None:
            filed = (("class", said.strip()),) if said.strip() else ()
            self.record(Ask("remember", (*filed, ("text", memo))))

        filled = each.classes[0] if each.classes else ""
        classes = statement_classes()
        self.ours.prompt("it is a ", typed, filled=filled, words=classes, hint="  ".join(classes))

    def do_said_replace(self, count: int | None, char: str) -> None:
        self.replace()

    def do_said_retract(self, count: int | None, char: str) -> None:
        self.retract()

    def do_said_helpful(self, count: int | None, char: str) -> None:
        self.rate("+")

    def do_said_harmful(self, count: int | None, char: str) -> None:
        self.rate("-")

    def do_said_evidence(self, count: int | None, char: str) -> None:
        self.show_evidence()

    def _back_with_words(self) -> str | None:
        """Back to the debugger, with the statement's words selected."""
        each = self.statement
        node = words_node(each.text) if each is not None else None
        if node is None:
            self.said(NONE_SELECTED)
        else:
            self.ours.lead_to(Moment(node=node))
        return node


class ClaimsScreen(Judging):
    """The answer to `claims`, or to `tension`; Enter shows the evidence of one, by step."""

    keyed: ClassVar[str] = "claims"
    slot: ClassVar[str] = "claims"
    footer: ClassVar[tuple[str, ...]] = (
        "down", "enter", "claim-contested", "claim-support", "claim-contradict", "claim-replace", "claim-retract",
        "search", "copy", "back", "help",
    )  # fmt: skip
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "evidence"}
    contested = False

    def on_mount(self) -> None:
        self.title_is("Claims", self._up_to())
        self.show([row(Span("Reading what was claimed ...", "quiet"))])
        self.look()

    def look(self) -> None:
        self.ask_for(ask("tension" if self.contested else "claims", self.at, limit=0))

    def fill(self) -> None:
        if self.answer is None:
            return
        self.title_is(count(self.answer.found, "contested claim" if self.contested else "claim"), self._up_to())
        none = "No claim is contested." if self.contested else "Nothing is claimed yet; :support makes a claim."
        self.show(untitled(self.answer.as_rows(self.view)) if self.answer.claims else [row(Span(none, "quiet"))])

    @property
    def claim(self) -> ClaimRow | None:
        """The claim at the cursor."""
        found: Sequence[ClaimRow] = self.answer.claims if self.answer is not None else ()
        return found[self.list.cursor] if self.list.cursor < len(found) else None

    @property
    def judged(self) -> str | None:
        return self.claim.node if self.claim is not None else None

    @property
    def judged_text(self) -> str:
        return self.claim.text if self.claim is not None else ""

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        event.prevent_default()  # the class below would go to the step
        self.show_evidence()

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_claim_contested(self, count: int | None, char: str) -> None:
        self.contested = not self.contested
        self.look()

    def do_claim_support(self, count: int | None, char: str) -> None:
        self.rate("+")

    def do_claim_contradict(self, count: int | None, char: str) -> None:
        self.rate("-")

    def do_claim_replace(self, count: int | None, char: str) -> None:
        self.replace()

    def do_claim_retract(self, count: int | None, char: str) -> None:
        self.retract()


class EvidenceScreen(FullScreen):
    """What speaks for and against one claim or statement, by step."""

    keyed: ClassVar[str] = "evidence"
    slot: ClassVar[str] = "evidence"
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, node: str, text: str, at: int | None) -> None:
        super().__init__()
        self.node, self.text, self.at = node, text, at

    def on_mount(self) -> None:
        self.title_is(f"Evidence: {clip(clean(self.text), self.size.width - 14)}")
        self.ask_for(ask("claims", self.at, claim=self.node.removeprefix("claim:")))

    def fill(self) -> None:
        if self.answer is not None:
            nothing = [row(Span("Nothing speaks for it or against it yet.", "quiet"))]
            self.show([*self.answer.as_rows(self.view), *(nothing if not self.answer.trajectory else ())])


class ToldScreen(FullScreen):
    """What had been said about a step, and whether the window had it."""

    keyed: ClassVar[str] = "told"
    slot: ClassVar[str] = "told-list"
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to where it was said"}

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step

    def on_mount(self) -> None:
        self.title_is(f"What had been said about step {self.step:,}")
        self.show([row(Span("Reading what was said ...", "quiet"))])
        self.ask_for(ask("told", self.step, step=self.step, limit=0))

    def fill(self) -> None:
        if self.answer is not None:
            self.show(untitled(self.answer.as_rows(self.view)))


def next_word(words: Sequence[str], word: str) -> str:
    return words[(words.index(word) + 1) % len(words)]
