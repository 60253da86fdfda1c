"""What the selected node depends on, and what depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from ccos_core.present.rows import Row, Span, clean
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.present import tree
from ccos_tui.widgets.several import SeveralPane

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp

BLAME, IMPACT = "", "impact"
"""The names of its two questions."""


class TreePane(SeveralPane):
    """Where its trouble may come from, and who would feel its own."""

    slot: ClassVar[str] = "tree"
    title: ClassVar[str] = "Tree"

    def asks(self, here: Focus) -> Mapping[str, Ask]:
        if here.node is None:
            return {}
        return {name: ask(name or "blame", here.step, node=here.node) for name in (BLAME, IMPACT)}

    def rows_here(self, here: Focus, width: int) -> Sequence[Row]:
        if here.node is None:
            return tree.nothing(cast("CcosApp", self.app).keys)
        refusal = self.refusal_of(BLAME) or self.refusal_of(IMPACT)
        if refusal:
            return [Row((Span(clean(refusal), "note"),))]
        return tree.rows_of(self.answer_to(BLAME), self.answer_to(IMPACT), width)
