"""What of a conversation is in a host's window, for hosts that say which messages stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class HeldMessages:
    """Messages in their order, each with the ids of what it told."""

    def __init__(self) -> None:
        self._items: dict[str, dict[str, None]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._items))

    def hold(self, message: str, item: str) -> None:
        """An item of a message came into the window."""
        self._items.setdefault(message, {})[item] = None

    def until(self, message: str) -> list[str]:
        """Return the messages before one; none where it isn't there."""
        messages = list(self._items)
        return messages[: messages.index(message)] if message in self._items else []

    def since(self, message: str) -> list[str]:
        """Return a message and those behind it; none where it isn't there."""
        messages = list(self._items)
        return messages[messages.index(message) :] if message in self._items else []

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


class Branches:
    """Records that each name the one they follow. One that follows an earlier record begins a branch."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._last = ""

    def __contains__(self, name: str) -> bool:
        return name in self._parents

    def follow(self, name: str, parent: str) -> set[str] | None:
        """Note a record; return the records it stands upon if it begins a branch, and None otherwise."""
        kept = None
        if name not in self._parents:
            elsewhere = self._last and parent != self._last and (not parent or parent in self._parents)
            kept = self._line_to(parent) if elsewhere else None
            self._parents[name] = parent
        self._last = name
        return kept

    def _line_to(self, name: str) -> set[str]:
        """Return the records from the first to this one."""
        found: set[str] = set()
        while name in self._parents and name not in found:
            found.add(name)
            name = self._parents[name]
        return found
