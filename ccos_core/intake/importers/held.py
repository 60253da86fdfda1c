"""What of a conversation is in a host's window, for hosts that say which messages stay."""

from __future__ import annotations

from collections.abc import Iterable


class HeldMessages:
    """Messages in their order, each with the ids of what it told."""

    def __init__(self) -> None:
        self._items: dict[str, dict[str, None]] = {}

    def __contains__(self, message: str) -> bool:
        return message in self._items

    def hold(self, message: str, item: str) -> None:
        """An item of a message came into the window."""
        self._items.setdefault(message, {})[item] = None

    def until(self, message: str) -> list[str]:
        """Return the messages before one; none where it isn't there."""
        messages = list(self._items)
        return messages[: messages.index(message)] if message in self._items else []

    def keep(self, messages: Iterable[str]) -> bool:
        """Keep only these; return whether any had to go."""
        wanted = set(messages)
        gone = [each for each in self._items if each not in wanted]
        for each in gone:
            del self._items[each]
        return bool(gone)

    @property
    def items(self) -> list[str]:
        """All that is held, in the order in which it came."""
        return [item for items in self._items.values() for item in items]
