"""Where what is known of the selected node comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ccos_core.present.rows import Row, View
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.present.unselected import unselected
from ccos_tui.widgets.pane import Pane

if TYPE_CHECKING:
    from ccos_tui.app import CcosApp


NOTHING = "{provenance} there tells where what is known of it comes from."


class ProvenancePane(Pane):
    """Who showed it first, its versions, its sightings, what was noted of it, what fails there."""

    slot: ClassVar[str] = "provenance"
    title: ClassVar[str] = "Provenance"

    def question(self, here: Focus) -> Ask | None:
        return ask("provenance", here.step, node=here.node) if here.node is not None else None

    def nothing(self, here: Focus) -> Sequence[Row]:
        return unselected(NOTHING, cast("CcosApp", self.app).keys)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        rows: Sequence[Row] = answer.as_rows(View(width, full=True))  # with its title: the border doesn't say the node
        return rows
