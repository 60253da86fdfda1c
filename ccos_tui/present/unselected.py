"""What a pane about one node says where none is selected: how one is, with the keys as they are set."""

from __future__ import annotations

from ccos_core.present.rows import Row, Span, row
from ccos_tui.keys import BY_THEMSELVES, Keys

HOW = "{enter} on a row of the window or on a step selects its file or symbol;"


def unselected(then: str, keys: Keys = BY_THEMSELVES) -> list[Row]:
    """That nothing is selected, how something is, and what the pane's own key tells `then`."""
    return [row(Span(each, "quiet")) for each in ("Nothing is selected.", "", keys.told(HOW), keys.told(then))]
