"""The rules of a record as of a step, and those in conflict: rated, replaced and retracted; and the evidence of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, NamedTuple

from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.bridge.ask import YES, ask
from ccos_tui.screens.full import FullScreen
from ccos_tui.screens.statements import Judging

CONFLICTS = "rules:conflicts"
"""The slot of the rules in conflict."""
BUDGET = 50_000  # tokens
NOTHING = "Nothing speaks for it or against it yet."


class Named(NamedTuple):
    """The rule that a row is about."""

    memo: str
    text: str


class RulesScreen(Judging):
    """The answers to `rules` and `conflicts`, one below the other."""

    keyed: ClassVar[str] = "rules"
    slot: ClassVar[str] = "rules"
    others: ClassVar[tuple[str, ...]] = (CONFLICTS,)
    footer: ClassVar[tuple[str, ...]] = (
        "enter", "rule-evidence", "rule-retired", "rule-helpful", "rule-harmful", "rule-replace", "rule-retract",
        "search", "back", "help",
    )  # fmt: skip
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, at: int | None) -> None:
        super().__init__(at)
        self.retired = False
        self._named: Sequence[Named | None] = ()
        """The rule of each row, where it has one."""

    def on_mount(self) -> None:
        self.title_is("Rules", self._up_to())
        self.show([row(Span("Reading the rules ...", "quiet"))])
        self.look()

    def look(self) -> None:
        self.ask_for(ask("conflicts", self.at, limit=0), CONFLICTS)
        self.ask_for(ask("rules", self.at, budget=BUDGET, told=YES, retired=YES if self.retired else None))

    def fill(self) -> None:
        if (own := self.answer) is None:
            return
        shown: list[tuple[Row, Named | None]] = []
        head, *told = own.as_rows(self.view)
        named = [Named(each.memo, each.text) for each in own.rules]
        shown += zip(told, (*named, *[None] * (len(told) - len(named))), strict=True)
        if any(each.for_user for each in own.rules):
            said = f" Rules of your own record are listed as of the time of step {own.at:,}."
            shown.append((row(Span(said, "quiet")), None))
        titled = f"Rules: {len(own.rules):,} of {own.known:,}" if own.known else "Rules: none"
        if (conflicts := self.beside.get(CONFLICTS)) is not None:
            head, *told = conflicts.as_rows(self.view)
            shown += [(Row(), None), (replace(head, role="heading"), None)]
            sides = [
                (None, *(Named(side.id, side.content) for side in each.sides for _ in ("words", "id")))
                for each in conflicts.conflicts
            ]
            shown += zip(told, (each for some in sides for each in some), strict=True)
            titled += f", {count(conflicts.found, 'conflict')}" if conflicts.found else ""
        self.title_is(titled, self._up_to())
        self._named = [each for _, each in shown]
        self.show([each for each, _ in shown])

    @property
    def rule(self) -> Named | None:
        """The rule at the cursor."""
        return self._named[self.list.cursor] if self.list.cursor < len(self._named) else None

    @property
    def judged(self) -> str | None:
        return self.rule.memo if self.rule is not None else None

    @property
    def judged_text(self) -> str:
        return self.rule.text if self.rule is not None else ""

    def show_evidence(self) -> None:
        if (node := self._selected()) is not None:
            self.ours.push_screen(RuleScreen(node, self.judged_text, self.at))

    def _selected(self) -> str | None:
        if self.judged is None:
            self.said("no rule is selected")
        return self.judged

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_rule_retired(self, count: int | None, char: str) -> None:
        self.retired = not self.retired
        self.look()

    def do_rule_evidence(self, count: int | None, char: str) -> None:
        self.show_evidence()

    def do_rule_helpful(self, count: int | None, char: str) -> None:
        self.rate("+")

    def do_rule_harmful(self, count: int | None, char: str) -> None:
        self.rate("-")

    def do_rule_replace(self, count: int | None, char: str) -> None:
        self.replace()

    def do_rule_retract(self, count: int | None, char: str) -> None:
        self.retract()


class RuleScreen(FullScreen):
    """The answer to `rule`: how far it is trusted, and its feedback by the way it came."""

    keyed: ClassVar[str] = "rule"
    slot: ClassVar[str] = "rule"
    words: ClassVar[Mapping[str, str]] = {"down": "row", "enter": "go to its step"}

    def __init__(self, node: str, text: str, at: int | None) -> None:
        super().__init__()
        self.node, self.text, self.at = node, text, at

    def on_mount(self) -> None:
        self.title_is(f"Rule: {clip(clean(self.text), self.size.width - 10)}")
        self.ask_for(ask("rule", self.at, node=self.node))

    def fill(self) -> None:
        if self.answer is None:
            return
        rows, events = self.answer.as_rows(self.view), self.answer.feedback_events
        if not events:
            self.show([*rows, row(Span(NOTHING, "quiet"))])
            return
        told = zip(events, rows[-len(events) :], strict=True)
        shown = list(rows[: -len(events)])
        for way, some in groupby(sorted(told, key=lambda each: each[0].way), key=lambda each: each[0].way):
            listed = list(some)
            helped = sum(each.helpful for each, _ in listed)
            counted = f"{helped:,} helpful, {len(listed) - helped:,} harmful"
            shown += [Row(), heading(f"{clean(way)}: {counted}"), *(each for _, each in listed)]
        self.show(shown)
