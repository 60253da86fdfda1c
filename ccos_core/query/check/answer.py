"""What `check` answers: each rule that was checked, with what breaks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, note, row, title
from ccos_core.present.words import count
from ccos_core.query.check.judging import Broken


@dataclass(frozen=True, slots=True)
class Checked:
    """A rule that was checked."""

    rule: str
    """Its name."""

    says: str
    """What it asks for, in a sentence."""

    broken: tuple[Broken, ...]
    """What breaks it, in the order of the steps; empty if nothing does."""

    more: int
    """How many more things break it."""


@dataclass(frozen=True, slots=True)
class Check:
    """The answer to `check`."""

    schema: ClassVar[str] = "ccos.check/1"
    at: int
    """Up to which step was looked."""

    passed: bool
    """Whether no rule is broken."""

    rules: tuple[Checked, ...]
    """The rules that were checked."""

    off: tuple[str, ...]
    """The rules that were not checked."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


# ---- its rows ----


def _rows(answer: Check) -> Sequence[Row]:
    """Show the broken rules with what breaks them, then those that hold."""
    wrong = [each for each in answer.rules if each.broken]
    held = [each for each in answer.rules if not each.broken]
    said = f"{count(len(wrong), 'rule')} of {len(answer.rules):,} broken" if wrong else "no rule broken"
    rows = [title(f"{said} in {count(answer.at, 'step')}")]
    for each in wrong:
        rows.append(row(Span("✗ ", "bad", "broken: "), Span(each.rule, "strong"), f"  {each.says}"))
        for broken in each.broken:
            leads = Moment(broken.step) if broken.step is not None else None
            rows.append(row(f"    {broken.words}", leads=leads))
        rows += and_more(each.more, "thing that breaks it", "things that break it")
    rows += [row(Span("✓ ", "good", "holds: "), Span(each.rule, "strong"), f"  {each.says}") for each in held]
    return [*rows, note(f"not checked: {', '.join(answer.off)}")] if answer.off else rows
