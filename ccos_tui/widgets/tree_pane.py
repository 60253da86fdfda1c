"""What the selected node depends on, and what depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from ccos_core.present.later import untitled
from ccos_core.present.rows import Row, Span, View, clean
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.present.unselected import unselected
from ccos_tui.widgets.several import SeveralPane

if TYPE_CHECKING:
    from ccos_core.query.depending import Depending
    from ccos_tui.app import CcosApp

NOTHING = "{tree} there shows what that depends on, and what depends on it."
BLAME, IMPACT = "", "impact"
"""The names of its two questions."""


class TreePane(SeveralPane):
    """What it depends on, and what depends on it."""

    slot: ClassVar[str] = "tree"
    title: ClassVar[str] = "Tree"

    def asks(self, here: Focus) -> Mapping[str, Ask]:
        if here.node is None:
            return {}
        return {name: ask(name or "blame", here.step, node=here.node) for name in (BLAME, IMPACT)}

    def rows_here(self, here: Focus, width: int) -> Sequence[Row]:
        if here.node is None:
            return unselected(NOTHING, cast("CcosApp", self.app).keys)
        refusal = self.refusal_of(BLAME) or self.refusal_of(IMPACT)
        if refusal:
            return [Row((Span(clean(refusal), "note"),))]
        return tree_rows(self.answer_to(BLAME), self.answer_to(IMPACT), View(width, full=True))


def tree_rows(blame: Depending | None, impact: Depending | None, view: View) -> list[Row]:
    """Show both answers below the node, each as far as it has come."""
    rows: list[Row] = []
    for answer in (blame, impact):
        if answer is not None:
            rows += [Row(), *untitled(answer.as_rows(view))] if rows else answer.as_rows(view)
    return rows
