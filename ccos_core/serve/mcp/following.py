"""Who wants to hear of what has changed, and what is told to whom: by subscription, or by a request that stays open."""

from __future__ import annotations

from ccos_core.serve.mcp import wire
from ccos_core.serve.mcp.calling import is_template
from ccos_core.serve.mcp.wire import STATELESS, SUBSCRIPTION, finished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ccos_core.serve.mcp.offer import Offer
    from ccos_core.serve.mcp.wire import Request

UPDATED = "notifications/resources/updated"
LISTED = "notifications/resources/list_changed"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
URIS = "resourceSubscriptions"
"""What a request to listen calls the URIs it names."""
MOST = 1000
"""Subscriptions of one host: the requests it keeps open, and the URIs it names, in either manner."""
LONGEST = 8_192
"""Characters of a URI that is followed: all of them are held as long as the host talks."""


class Following:
    """One host's interest in resources."""

    def __init__(self, offer: Offer) -> None:
        self.offer = offer
        self.greeted = False
        """Whether the handshake is over; from then on a changed list is told unasked."""
        self.uris: dict[str, None] = {}
        """Subscribed to in the manner of the handshake, in that order."""
        self._streams: list[tuple[Request, Mapping[str, Any]]] = []
        """Requests to listen, and what each was promised."""
        self._listed = self._list()

    @property
    def anybody(self) -> bool:
        """Whether it is worth looking for changes."""
        self._streams = [stream for stream in self._streams if not stream[0].stopped]
        return bool(self.greeted or self.uris or self._streams)

    def has_room(self, uris: Sequence[str]) -> bool:
        """Whether these can be followed as well."""
        named = sum(len(promised.get(URIS, ())) for _, promised in self._streams)
        return len(self.uris) + len(self._streams) + named + max(len(uris), 1) <= MOST

    def begin_anew(self) -> None:
        """A handshake ends what was agreed on after another; requests that stay open know of no handshakes."""
        self.greeted = False
        self.uris.clear()

    def listen(self, request: Request, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """From now on to be told what is wanted of what we can tell; gives the promise as the host is to hear it."""
        promised: dict[str, Any] = {}
        if wanted.get("resourcesListChanged") is True:
            promised["resourcesListChanged"] = True
        if wanted.get(URIS):
            promised[URIS] = wanted[URIS]
        self._streams.append((request, promised))
        request.lasts = True
        return wire.noted(ACKNOWLEDGED, {"notifications": promised, **_of(request)})

    def news(self, changed: Sequence[str]) -> Iterator[dict[str, Any]]:
        """What is to be said once these have changed."""
        before, self._listed = self._listed, self._list()
        is_another = before != self._listed
        for uri in _touched(self.uris, changed):
            yield wire.noted(UPDATED, {"uri": uri})
        if is_another and self.greeted:
            yield wire.noted(LISTED)
        for request, promised in self._streams:
            for uri in _touched(promised.get(URIS, ()), changed):
                yield wire.noted(UPDATED, {"uri": uri, **_of(request)})
            if is_another and promised.get("resourcesListChanged"):
                yield wire.noted(LISTED, _of(request))

    def _list(self) -> list[str]:
        """What a host is told who asks for the list. What a template stands for isn't in it."""
        return [each.uri for each in self.offer.resources if not is_template(each.uri)]

    def ends(self) -> Iterator[dict[str, Any]]:
        """The answers of the requests that stayed open, now that nothing more will be told."""
        for request, _ in self._streams:
            if not request.stopped:
                result = finished(_of(request), "subscriptions/listen", self.offer, STATELESS)
                yield wire.answered(request.key, result)


def _touched(followed: Mapping[str, None] | Sequence[str], changed: Sequence[str]) -> list[str]:
    """Of the followed ones those that changed. What is asked of a resource after `?` changes with it."""
    return [uri for uri in followed if uri in changed or uri.partition("?")[0] in changed]


def _of(request: Request) -> dict[str, Any]:
    return {"_meta": {SUBSCRIPTION: request.key}}
