"""The stdio server: one host's conversation, from the first byte it sends to the last.

Each method belongs to some revisions of the protocol. One thread reads, so that a host can take back what is being
answered; this one answers, one request after the other. There is no network, and no request of ours to the host.
"""

from __future__ import annotations

import sys
import threading
import time

from ccos_core.errors import CcosError
from ccos_core.serve import exits
from ccos_core.serve.mcp import calling, wire
from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.following import LONGEST, MOST, URIS, Following
from ccos_core.serve.mcp.offer import FIRST, Stopped, Wrong
from ccos_core.serve.mcp.streams import Ending, Ends, Inbox
from ccos_core.serve.mcp.wire import DEFECT, NO_METHOD, NO_REQUEST, WRONG_PARAMS, Batch, Note, Refusal, Request, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, BinaryIO, TypeAlias

    from ccos_core.serve.mcp.offer import Offer
    from ccos_core.serve.mcp.streams import Outlet
    from ccos_core.serve.mcp.wire import Key, Message

    Method: TypeAlias = "Callable[[Talk, Underway], dict[str, Any] | None]"
    Greeted: TypeAlias = Callable[[Inbox], None]

PATIENCE = 0.5
"""Seconds of silence after which we look for changes, where somebody wants to hear of them."""
OFTEN = 0.02
"""Seconds between two words on how far a request has come; a host draws no faster."""
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Talk:
    """What is known of the host we talk to."""

    def __init__(self, offer: Offer, outlet: Outlet) -> None:
        self.offer = offer
        self.outlet = outlet
        self.revision = of.AGREED
        """The one that was agreed on; the newest of its kind for those who don't shake hands."""
        self.following = Following(offer)
        self._trouble = ""
        self._next_piece: float | None = FIRST if offer.get_ready is not None else None
        """Seconds of silence before the next piece of getting ready."""
        self._is_stuck = False
        """Whether a piece has failed since the last message: the next one would fail alike, again and again."""

    @property
    def patience(self) -> float | None:
        """Seconds of silence after which there is something to do; None if there never is."""
        waits = [self._next_piece] if self._next_piece is not None else []
        return min([*waits, *([PATIENCE] if self.following.anybody else [])], default=None)

    def take(self, message: Message) -> None:
        """Answer it, or heed it."""
        if self.offer.get_ready is not None:
            self._next_piece, self._is_stuck = FIRST, False
        if isinstance(message, Note):
            self.following.greeted |= message.method == "notifications/initialized"
        elif isinstance(message, Batch):
            self._take_batch(message)
        elif (answer := self._answer(message)) is not None:
            self.outlet.send(answer)

    def get_ready(self) -> None:
        """Do a piece of what the next call would wait for: nothing was said for a while."""
        if self.offer.get_ready is None or self._is_stuck:
            return
        try:
            self._next_piece = self.offer.get_ready()
        except Exception as error:  # the call that needs it will say so itself
            self._next_piece, self._is_stuck = None, True
            self._complain(str(error))

    def look(self) -> None:
        """Tell what has changed to those who want to know."""
        if not self.following.anybody:
            return
        try:
            changed = self.offer.changed()
        except Exception as error:  # a host that only listens has asked nothing that could fail
            self._complain(str(error))
            return
        if changed:
            self._tell(self.following.news(changed))

    def close(self) -> None:
        """Nothing more will be told."""
        self._tell(self.following.ends())

    def _complain(self, trouble: str) -> None:
        """Once, however often it comes back, and to nobody where nobody reads it: our host still does."""
        if trouble != self._trouble:
            self._trouble = trouble
            try:
                from ccos_core.text.sanitize import surface  # for the few that have something to say

                print(f"ccos-tui: {surface(trouble)[0]}", file=sys.stderr, flush=True)
            except OSError:
                return

    def _tell(self, messages: Iterable[object]) -> None:
        for message in messages:
            self.outlet.send(wire.encoded(message))

    def _take_batch(self, batch: Batch) -> None:
        if self.revision != of.BATCHED:
            self.outlet.send(_error(Refusal(NO_REQUEST, f"Several messages in a line belong to {of.BATCHED} alone.")))
            return
        answers = []
        for message in batch.messages:
            if isinstance(message, Note):
                self.take(message)
            elif isinstance(message, Request) and message.method == "initialize":
                answers.append(_error(Refusal(NO_REQUEST, "A handshake comes in a line of its own."), message.key))
            elif (answer := self._answer(message)) is not None:
                answers.append(answer)
        if answers:
            self.outlet.send(b"[" + b",".join(answers) + b"]")

    def _answer(self, message: Request | Unfit) -> bytes | None:
        """The bytes of it; None for what was taken back, and for what stays open."""
        if isinstance(message, Unfit):
            return _error(message.refusal, message.key)
        try:
            if message.stopped:
                return None
            result = _result(self, message)
            answer = wire.encoded(wire.answered(message.key, result))
            return None if message.stopped or result is None else answer
        except Exception as error:
            # a tool that ends by `Stopped` though nobody stopped it has a defect, and its host still waits
            return None if message.stopped else _error(_refusal(error), message.key)


class Underway:
    """A request under way: its words for us, and a `Call` for whoever answers it."""

    def __init__(self, request: Request, revision: str, outlet: Outlet) -> None:
        self.request = request
        self.revision = revision
        if not isinstance(request.params, dict):
            raise Refusal(WRONG_PARAMS, "params: must be an object.", {"argument": "params"})
        self.params: dict[str, Any] = request.params
        self._outlet = outlet
        self._token = self.object("_meta").get("progressToken")
        if self._token is not None and not wire.is_key(self._token):
            raise Wrong("progressToken", "must be a string or an integer.")
        self._done = -1
        self._next = 0.0

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        """How far it has come, told to hosts that asked to hear of it, and only ever forward."""
        if self.request.stopped:
            raise Stopped
        now = time.monotonic()
        if self._token is None or done <= self._done or (now < self._next and done != total):
            return
        self._done, self._next = done, now + OFTEN
        said: dict[str, Any] = {"progressToken": self._token, "progress": done}
        if total is not None:
            said["total"] = total
        if words and self.revision >= of.BATCHED:
            said["message"] = words
        self._outlet.send(wire.encoded(wire.noted("notifications/progress", said)))

    def text(self, name: str) -> str:
        """A parameter that has to be there."""
        value = self.params.get(name)
        if not isinstance(value, str):
            raise Wrong(name, "must be a string." if name in self.params else "is required.")
        return value

    def object(self, name: str) -> dict[str, Any]:
        """A parameter that may be missing."""
        value = self.params.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise Wrong(name, "must be an object.")
        return value


def _error(refusal: Refusal, key: Key | None = None) -> bytes:
    return wire.encoded(wire.refused(key, refusal))


def _result(talk: Talk, request: Request) -> dict[str, Any] | None:
    stateless = request.method != "initialize" and of.is_stateless(request.params)
    revision = of.STATELESS if stateless else talk.revision
    asked = Underway(request, revision, talk.outlet)
    if stateless:
        of.check_envelope(asked.params)
    method = (ENVELOPED if stateless else HANDSHAKEN).get(request.method)
    if method is None and request.method in ENVELOPED:
        raise Refusal(WRONG_PARAMS, f"{request.method} needs the envelope of {of.STATELESS} in _meta.")
    if method is None:
        raise Refusal(NO_METHOD, f"There is no method {request.method[:80]} in {revision}.")
    result = method(talk, asked)
    return None if result is None else of.finished(result, request.method, talk.offer, revision)


def _refusal(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Wrong):
        named = {"argument": error.argument}
        return Refusal(WRONG_PARAMS, str(error), {**named, "nearest": error.nearest} if error.nearest else named)
    if isinstance(error, CcosError):
        return Refusal(DEFECT, str(error))
    from ccos_core.serve.defects import explained

    fact, place, hint, _ = explained(error, ["mcp"])
    return Refusal(DEFECT, ". ".join(filter(None, (f"{place}: {fact}" if place else fact, hint))))


def _initialize(talk: Talk, asked: Underway) -> dict[str, Any]:
    talk.revision = of.agreed(asked.params.get("protocolVersion"))
    talk.following.begin_anew()
    return {
        "protocolVersion": talk.revision,
        "capabilities": of.abilities(talk.offer, talk.revision),
        "serverInfo": of.about(talk.offer, talk.revision),
        "instructions": talk.offer.instructions,
    }


def _discover(talk: Talk, asked: Underway) -> dict[str, Any]:
    return {
        "supportedVersions": list(of.SPOKEN),
        "capabilities": of.abilities(talk.offer, asked.revision),
        "instructions": talk.offer.instructions,
    }


def _listen(talk: Talk, asked: Underway) -> None:
    wanted = asked.object("notifications")
    uris = wanted.get(URIS, [])
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise Wrong(URIS, "must be a list of URIs.")
    _check(talk, uris, asked, URIS)
    talk.outlet.send(wire.encoded(talk.following.listen(asked.request, wanted)))


def _subscribe(talk: Talk, asked: Underway) -> dict[str, Any]:
    uri = asked.text("uri")
    if uri not in talk.following.uris:
        _check(talk, [uri], asked, "uri")
    talk.following.uris[uri] = None
    return {}


def _check(talk: Talk, uris: Sequence[str], asked: Underway, argument: str) -> None:
    """That there are such resources, and room to keep an eye on them."""
    if not talk.following.has_room(uris):
        raise Refusal(DEFECT, f"At most {MOST:,} subscriptions are kept; unsubscribe from one.")
    for uri in uris:
        if len(uri) > LONGEST:
            raise Wrong(argument, f"a URI has at most {LONGEST:,} characters.")
        calling.found(talk.offer, uri, asked.revision)


def _unsubscribe(talk: Talk, asked: Underway) -> dict[str, Any]:
    talk.following.uris.pop(asked.text("uri"), None)
    return {}


def _set_level(talk: Talk, asked: Underway) -> dict[str, Any]:
    """Accepted; what we have to say goes to stderr and into answers."""
    if asked.text("level") not in LEVELS:
        raise Wrong("level", f"must be one of: {', '.join(LEVELS)}.")
    return {}


def _ping(talk: Talk, asked: Underway) -> dict[str, Any]:
    return {}


ALWAYS: dict[str, Method] = {
    "completion/complete": calling.complete,
    "prompts/get": calling.get_prompt,
    "prompts/list": calling.prompts,
    "resources/list": calling.resources,
    "resources/read": calling.read_resource,
    "resources/templates/list": calling.templates,
    "tools/call": calling.call_tool,
    "tools/list": calling.tools,
}
HANDSHAKEN: dict[str, Method] = {
    **ALWAYS,
    "initialize": _initialize,
    "logging/setLevel": _set_level,
    "ping": _ping,
    "resources/subscribe": _subscribe,
    "resources/unsubscribe": _unsubscribe,
}
"""After a handshake."""
ENVELOPED: dict[str, Method] = {**ALWAYS, "server/discover": _discover, "subscriptions/listen": _listen}
"""With an envelope."""


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
