"""Who wants to hear at once that something was recorded, in this process. On the path of every append.

A listener is only woken: it reads the record itself, as far as it likes and in its own time. So it can neither slow an
append down nor make it fail. What other processes record it finds by looking at the head now and then.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event

_listeners: dict[str, list[Event]] = {}


def subscribe(path: str, event: Event) -> None:
    """Set an event whenever this process has recorded something in the record at `path`."""
    _listeners.setdefault(path, []).append(event)


def unsubscribe(path: str, event: Event) -> None:
    """Set it no more."""
    left = [each for each in _listeners.pop(path, []) if each is not event]
    if left:
        _listeners[path] = left


def announce(path: str) -> None:
    """Wake those who listen."""
    for event in _listeners.get(path, ()):
        event.set()
