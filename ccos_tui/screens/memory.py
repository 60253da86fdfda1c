"""What holds at a step: the user's last request and rules, what documents say, and the map of what is worked with.

Statements can be labelled, replaced and retracted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.rows import Row, Span, heading, row
from ccos_core.present.words import count
from ccos_tui.bridge.ask import ask, typed
from ccos_tui.screens.statements import Judging, next_word

if TYPE_CHECKING:
    from ccos_core.query.mindmap import Beside
    from ccos_core.query.statements import StatementRow

DOCUMENTS = "memory:documents"
"""The slot of what documents say."""
SIZES = ("", "verbose", "dense", "ultra-dense")
"""Sizes of the map; empty is the one that fits the pressure."""
LABELS = "--tag WORD  --untag WORD  --privacy low  --region WORD  --pin yes"


class MemoryScreen(Judging):
    """The answers to `mindmap` and `statements --author file`, one below the other."""

    keyed: ClassVar[str] = "memory"
    slot: ClassVar[str] = "memory"
    others: ClassVar[tuple[str, ...]] = (DOCUMENTS,)
    footer: ClassVar[tuple[str, ...]] = (
        "down", "enter", "memory-size", "memory-label", "memory-replace", "memory-retract", "search", "copy", "back",
        "help",
    )  # fmt: skip
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, at: int | None, session: str | None, context: str | None) -> None:
        super().__init__(at)
        self.whose = {"session": session, "context": context}
        self.map_size = SIZES[0]
        self._statements: Sequence[Beside | StatementRow | None] = ()
        """What each row says, where that is a statement."""

    def on_mount(self) -> None:
        self.title_is("Memory", self._up_to())
        self.show([row(Span("Reading what holds ...", "quiet"))])
        self.look()

    def look(self) -> None:
        self.ask_for(ask("statements", self.at, author="file", limit=0, **self.whose), DOCUMENTS)
        self.ask_for(ask("mindmap", self.at, level=self.map_size or None, **self.whose))

    def fill(self) -> None:
        if (own := self.answer) is None:
            return
        drawn = len(own.text.splitlines()) + 1  # and the line that says how large it is
        rows = own.as_rows(self.view)
        shown: list[tuple[Row, Beside | StatementRow | None]] = []
        asked = [each for said in (own.request, own.rules) if said for each in (None, *said)]
        shown += zip(rows[drawn:], asked, strict=True)
        if (documents := self.beside.get(DOCUMENTS)) is not None:
            head, _whose, *told = documents.as_rows(self.view)
            more = [None] * (len(told) - len(documents.statements))
            shown += [(Row(), None), (replace(head, role="heading"), None)]
            shown += zip(told, (*documents.statements, *more), strict=True)
        shown += [(Row(), None), (heading("The map"), None), *((each, None) for each in rows[:drawn])]
        self.title_is(f"Memory: {count(len(own.request) + len(own.rules), 'statement')}", self._up_to())
        self._statements = [each for _, each in shown]
        self.show([each for each, _ in shown])

    @property
    def statement(self) -> Beside | StatementRow | None:
        """The statement at the cursor."""
        return self._statements[self.list.cursor] if self.list.cursor < len(self._statements) else None

    @property
    def judged(self) -> str | None:
        return self.statement.memo if self.statement is not None else None

    @property
    def judged_text(self) -> str:
        return self.statement.text if self.statement is not None else ""

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_memory_size(self, count: int | None, char: str) -> None:
        self.map_size = next_word(SIZES, self.map_size)
        self.look()

    def do_memory_label(self, count: int | None, char: str) -> None:
        if (node := self._selected()) is not None:
            self._typed("label ", lambda words: typed(f"label {node} {words}"), is_needed=True, hint=LABELS)

    def do_memory_replace(self, count: int | None, char: str) -> None:
        self.replace()

    def do_memory_retract(self, count: int | None, char: str) -> None:
        self.retract()
