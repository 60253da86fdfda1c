"""A line that is typed into. What gets into it without being typed was written by others: pasted, or kept beside a
record that came from elsewhere. Textual would hand its signs on to the terminal.
"""

from __future__ import annotations

from textual.widgets import Input

from ccos_core.present.rows import clean


class TypedLine(Input):
    """An input that holds nothing a terminal obeys, and one line alone."""

    def validate_value(self, value: str) -> str:
        """What it holds from now on: Textual asks for each."""
        return clean(value)
