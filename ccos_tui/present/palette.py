"""Every action and question by its words: an action with its key and the line that gives the same without a screen."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.present.rows import Row, Span, row
from ccos_tui.keys import EVERYWHERE, Action, sign


def matching(actions: Sequence[Action], said: str) -> list[Action]:
    """Those whose words hold everything that was said, the nearest to its beginning first."""
    wanted = said.lower().split()
    found = [each for each in actions if all(word in _text(each) for word in wanted)]
    return sorted(found, key=lambda each: sum(_text(each).find(word) for word in wanted))


def questions(entries: Sequence[tuple[str, Sequence[str], str]]) -> list[Action]:
    """(name, aliases, what it tells) of every question as what can be chosen; the word is that behind the colon."""
    return [Action(f":{name}", "", summary, where=EVERYWHERE, group=" ".join((name, *aliases)))
            for name, aliases, summary in entries]  # fmt: skip


def rows_of(actions: Sequence[Action]) -> list[Row]:
    """A row an action; its copy is the action's word."""
    return [_row(each) for each in actions] or [row(Span(" No action here matches.", "note"))]


def _row(action: Action) -> Row:
    keys = " ".join(sign(key) for key in action.keys[:2]) or action.id
    command = (Span(f"{action.line} ", "quiet"),) if action.command else ()
    return Row((Span(f" {keys:<10}", "key"), Span(action.words)), command, copies=action.id)


def _text(action: Action) -> str:
    return f"{action.words} {action.id} {action.command} {action.group}".lower()
