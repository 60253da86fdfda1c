"""The table of keys as rows, and what can be typed behind a colon."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.present.rows import Row, Span, heading, row
from ccos_tui.keys import BY_THEMSELVES, Action, Keys, sign

KEYS = 14
"""Columns for the keys of an action."""
COMMANDS_FROM = 96
"""Columns from which on the headless command stands beside each action."""

METHOD = (
    ("failure-on", "Go to a failure."),
    ("enter", "Look at its window and select what is missing."),
    ("watch", "Watch it."),
    ("change-back", "Go back to the step at which it left."),
    ("why", "Read why."),
)
"""How one goes about it: action by action."""


def rows_of(
    actions: Sequence[Action],
    commands: Sequence[tuple[str, str]],
    width: int,
    keys: Keys = BY_THEMSELVES,
) -> list[Row]:
    """How to go about it, every key by its group, and every word that can be typed."""
    rows = [heading("From a failure to its cause")]
    rows += [row(Span(f"  {keys.sign(id_):<{KEYS}}", "key"), words) for id_, words in METHOD]
    for group in dict.fromkeys(each.group for each in actions):
        rows += [Row(), heading(group)]
        rows += [_action(each, width) for each in actions if each.group == group]
    rows += [Row(), heading("Commands, after : or in ccos-tui postmortem")]
    return rows + [row(Span(f"  {word:<{KEYS}}", "link"), words) for word, words in commands]


def _action(action: Action, width: int) -> Row:
    keys = " ".join(sign(key) for key in action.keys)
    command = (Span(action.line, "quiet"),) if action.command and width >= COMMANDS_FROM else ()
    return row(Span(f"  {keys:<{KEYS}}", "key"), action.words, right=command)
