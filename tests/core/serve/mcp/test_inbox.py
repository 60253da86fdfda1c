"""What waits to be answered: in its order, within its bounds, and to be taken back."""

import threading
from collections.abc import Callable

import pytest

from ccos_core.serve.mcp.streams import FULL, LEAST, Inbox, Outlet
from ccos_core.serve.mcp.wire import Note, Request
from tests.core.serve.mcp.talking import LONG, lines_of, note, request


def filled(read: Callable[[], bytes]) -> tuple[Inbox, threading.Thread]:
    """An inbox, and the thread that takes in what is read."""
    inbox = Inbox(Outlet(len))
    thread = threading.Thread(target=inbox.fill, args=(read,), daemon=True)
    thread.start()
    return inbox, thread


def said(*lines: bytes) -> Callable[[], bytes]:
    return iter([*lines, b""]).__next__


def test_messages_come_out_in_their_order_and_then_no_more() -> None:
    inbox, thread = filled(said(lines_of(*(request("m", key=key) for key in range(5)))))
    thread.join(LONG)
    keys = []
    while not inbox.is_over:
        message = inbox.next(LONG)
        assert isinstance(message, Request)
        keys.append(message.key)
    assert keys == list(range(5))
    assert inbox.next(None) is None


@pytest.mark.parametrize("size", [1, 1_000_000])
def test_nobody_reads_on_where_too_much_waits(size: int) -> None:
    """However small the messages are: what Python needs for one is more than its bytes."""
    line = lines_of(note("m", {"x": "x" * size}))
    room = FULL // (LEAST + len(line) - 1)
    read = 0

    def one_by_one() -> bytes:
        nonlocal read
        read += 1
        return line if read <= 3 * room else b""

    inbox, thread = filled(one_by_one)
    before = -1
    while read != before:  # as far as it gets alone
        before = read
        thread.join(0.1)
    for answered in range(3 * room):
        assert isinstance(inbox.next(LONG), Note)
        assert read - answered <= room + 3
    thread.join(LONG)
    assert inbox.is_over


def test_what_is_taken_back_is_marked_until_it_is_forgotten() -> None:
    inbox, thread = filled(said(lines_of(request("m", key=1), request("m", key="1"))))
    thread.join(LONG)
    first, second = inbox.next(LONG), inbox.next(LONG)
    assert isinstance(first, Request)
    assert isinstance(second, Request)
    inbox.forget(second)
    inbox.fill(said(lines_of(*(note("notifications/cancelled", {"requestId": key}) for key in ("1", True, 1)))))
    assert (first.stopped, second.stopped) == (True, False)
