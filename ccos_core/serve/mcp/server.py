"""`serve`: the stdio server, from the first byte a host sends to the last. Starts in little more than a Python does.

One thread reads, so that a host can take back what is being answered; this one answers, one request after the other.
Deliberately absent: a network, and any request of ours to the host.
"""

from __future__ import annotations

import sys
import threading

from ccos_core.serve import exits
from ccos_core.serve.mcp.inbox import Inbox
from ccos_core.serve.mcp.streams import Ending, Ends
from ccos_core.serve.mcp.talk import Talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO, TypeAlias

    from ccos_core.serve.mcp.offer import Offer

    Greeted: TypeAlias = Callable[[Inbox], None]


def serve(offer_maker: Callable[[], Offer], stdin: BinaryIO, stdout: BinaryIO, greeted: Greeted | None = None) -> int:
    """Answer a host until it has no more to say, goes away or ends us; gives the exit code. Once its first message is
    answered, whoever else may hand in something is told where, by `greeted`."""
    try:
        with Ends(stdin, stdout) as ends:
            inbox = Inbox(ends.outlet)
            threading.Thread(target=inbox.fill, args=(ends.read,), name="host", daemon=True).start()
            _converse(Talk(offer_maker(), ends.outlet), inbox, greeted)
    except (BrokenPipeError, Ending):
        pass  # nobody is left to be told
    except OSError as error:
        _complain(f"can't write to the agent: {error.strerror}")
        return exits.UNAVAILABLE
    return exits.DONE


def _converse(talk: Talk, inbox: Inbox, greeted: Greeted | None) -> None:
    while not inbox.is_over:
        message = inbox.next(talk.patience)
        if message is None:
            if not inbox.is_over:
                talk.get_ready()
        elif callable(message):
            message()
        else:
            talk.take(message)
            inbox.forget(message)
            if greeted is not None:
                greeted(inbox)
                greeted = None
        talk.look()
    talk.close()


def _complain(trouble: str) -> None:
    try:
        from ccos_core.text.sanitize import surface  # for the few that have something to say

        print(f"ccos-tui: {surface(trouble)[0]}", file=sys.stderr, flush=True)
    except OSError:
        return
