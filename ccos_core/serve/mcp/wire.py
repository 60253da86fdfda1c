"""JSON-RPC, one message a line, and the revisions of the protocol. Knows no method and no stream; nothing here raises.

What arrives becomes something to answer, to heed or to ignore. A line that is too long is skipped without being held.
A host starts this with each session: it imports `json`, no more.

Until 2025-11-25 host and server agree on a revision in a handshake. From 2026-07-28 on each request names its own, in
an envelope; one connection may use both. Names of revisions are dates, so they sort as strings.
"""

from __future__ import annotations

from json import JSONDecoder, JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from ccos_core.serve.mcp.offer import Offer

    Key: TypeAlias = int | str
    Message: TypeAlias = "Request | Note | Unfit | Batch"

LONGEST = 8 << 20
"""Bytes of a line. Sources are told by the line, and none that a model could use is longer."""

MOST = 1000
"""Messages of a batch. A line has room for millions that each want an answer."""
LINE_ENDS = (("\x85", "\\u0085"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029"))

NOT_JSON = -32700
NO_REQUEST = -32600
NO_METHOD = -32601
WRONG_PARAMS = -32602
DEFECT = -32603
NO_RESOURCE = -32002
"""Until 2025-11-25; wrong params after that."""
NO_SUCH_REVISION = -32022


class Refusal(Exception):
    """A request that gets an error of the protocol for an answer."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class Request:
    """Something to answer, unless the host takes it back."""

    __slots__ = ("key", "lasts", "method", "params", "stopped")

    def __init__(self, key: Key, method: str, params: object) -> None:
        self.key = key
        """Its id."""
        self.method = method
        self.params = {} if params is None else params
        self.lasts = False
        """Whether it stays open when all has been done that can be done now."""
        self.stopped = False
        """Whether the host has taken it back; set by the thread that reads."""


class Note:
    """Something to heed; never answered."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: object) -> None:
        self.method = method
        self.params = params if isinstance(params, dict) else {}


class Unfit:
    """No message of JSON-RPC; it is told so."""

    __slots__ = ("key", "refusal")

    def __init__(self, refusal: Refusal, key: Key | None = None) -> None:
        self.key = key
        """Where the message had an id that could be made out."""
        self.refusal = refusal


class Batch:
    """Several messages in one line, answered in one line."""

    __slots__ = ("messages",)

    def __init__(self, messages: list[Request | Note | Unfit]) -> None:
        self.messages = messages


def lines(read: Callable[[], bytes]) -> Iterator[bytes | None]:
    """Each line without its end, the last one with or without; None for one that was too long."""
    held, size = bytearray(), 0
    while chunk := read():
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            size += len(end)
            yield b"".join((held, end)) if size <= LONGEST else None
            held, size = bytearray(), 0
        size += len(rest)
        if size > LONGEST:
            held = bytearray()
        else:
            held += rest
    if size:
        yield bytes(held) if size <= LONGEST else None


def message_of(line: bytes | None) -> Message | None:
    """What a line says; None where it says nothing that anybody waits for an answer to."""
    if line is None:
        return Unfit(Refusal(NO_REQUEST, f"The message is longer than {LONGEST:,} bytes and was not read."))
    if not line.strip():
        return None
    try:
        said = _DECODER.decode(line.removeprefix(b"\xef\xbb\xbf").decode())
    except (ValueError, RecursionError) as error:
        return Unfit(Refusal(NOT_JSON, f"The line is not JSON: {_why(error)}"))
    escaped = b"\\u" in line
    if not isinstance(said, list):
        return _single(said, escaped)
    if not 0 < len(said) <= MOST:
        fault = f"A batch has at most {MOST:,} messages." if said else "The batch is empty."
        return Unfit(Refusal(NO_REQUEST, fault))
    return Batch([message for part in said if (message := _single(part, escaped)) is not None])


def encoded(message: object) -> bytes:
    """A message, or the list of a batch, as the bytes of one line without its end.

    Some hosts take the line ends of Unicode for ends of a line too.
    """
    text = _ENCODER.encode(message)
    for end, escape in LINE_ENDS:
        text = text.replace(end, escape)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a character, which only an escape can carry
        return _ASCII.encode(message).encode()


def text_of(answer: object) -> str:
    """An answer as the JSON that is shown to a model."""
    return _ENCODER.encode(answer)


def answered(key: Key | None, result: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "result": result}


def refused(key: Key | None, refusal: Refusal) -> dict[str, Any]:
    error: dict[str, Any] = {"code": refusal.code, "message": str(refusal)}
    if refusal.data is not None:
        error["data"] = refusal.data
    return {"jsonrpc": "2.0", "id": key, "error": error}


def noted(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    note: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    return note if params is None else {**note, "params": params}


def is_key(value: object) -> bool:
    """Whether a request may be called that; `True` is no number here."""
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _single(said: Any, escaped: bool) -> Request | Note | Unfit | None:
    """A message; `escaped` says whether anything in its line is written as an escape, as half a character has to be."""
    if not isinstance(said, dict):
        return Unfit(Refusal(NO_REQUEST, "A message is an object."))
    key = said["id"] if is_key(said.get("id")) else None
    if "method" not in said:
        # we ask hosts nothing, so an answer is one to nobody, and answering it might never end
        to_nobody = "result" in said or "error" in said
        return None if to_nobody else Unfit(Refusal(NO_REQUEST, "The message has no method."), key)
    fault = _fault(said, escaped)
    if fault:
        return Unfit(Refusal(NO_REQUEST, fault), key)
    if "id" not in said:
        return Note(said["method"], said.get("params"))
    if key is None:
        return Unfit(Refusal(NO_REQUEST, "An id is a string or an integer."))
    return Request(key, said["method"], said.get("params"))


def _fault(said: dict[str, Any], escaped: bool) -> str:
    if said.get("jsonrpc") != "2.0":
        return 'The message does not say "jsonrpc": "2.0".'
    if not isinstance(said["method"], str):
        return "A method is a string."
    if escaped and not _whole_characters(said):
        return "The message has half a character in it, a surrogate without its other half."
    return ""


def _whole_characters(said: object) -> bool:
    try:
        _ENCODER.encode(said).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply."
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is no UTF-8."
    return f"{str(error)[:120]}."


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:  # infinite, as it is too large for any number there is
        raise ValueError("a number is too large")
    return number


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


_DECODER = JSONDecoder(parse_constant=_no_number, parse_float=_finite)
_ENCODER = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII = JSONEncoder(allow_nan=False, separators=(",", ":"))


BATCHED = "2025-03-26"
"""The only one with several messages in a line; the first with annotations and a say about completion."""
STRUCTURED = "2025-06-18"
"""The first with titles, structured answers and what they look like."""
AGREED = "2025-11-25"
"""The last one of the handshake."""
STATELESS = "2026-07-28"

HANDSHAKES = ("2024-11-05", BATCHED, STRUCTURED, AGREED)
SPOKEN = (STATELESS, *reversed(HANDSHAKES))
"""Newest first."""

_REVISION = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_SERVER = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

FRESH = {
    "server/discover": 3_600_000,
    "tools/list": 3_600_000,
    "prompts/list": 3_600_000,
    "resources/templates/list": 3_600_000,
    "resources/list": 0,
    "resources/read": 0,
}
"""Milliseconds for which a host may keep an answer: what a process offers stays, what is recorded moves on."""


def is_stateless(params: object) -> bool:
    """Whether a request brings its own envelope."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and _REVISION in meta


def check_envelope(params: dict[str, Any]) -> None:
    """That we speak what the envelope names, and that it is whole."""
    meta = params["_meta"]
    asked = meta[_REVISION]
    if not isinstance(asked, str):
        raise Refusal(WRONG_PARAMS, f"_meta: {_REVISION} is a string.", {"argument": _REVISION})
    if asked != STATELESS:
        said = f"The revision {asked[:40]} can't be used in this way."
        raise Refusal(NO_SUCH_REVISION, said, {"supported": list(SPOKEN), "requested": asked})
    if not isinstance(meta.get(_CAPABILITIES), dict):
        raise Refusal(WRONG_PARAMS, f"_meta: {_CAPABILITIES} is an object.", {"argument": _CAPABILITIES})


def agreed(asked: object) -> str:
    """What the handshake ends with: the revision that was asked for, or our newest."""
    if not isinstance(asked, str):
        raise Refusal(WRONG_PARAMS, "protocolVersion: must be a string.", {"argument": "protocolVersion"})
    return asked if asked in HANDSHAKES else AGREED


def about(offer: Offer, revision: str) -> dict[str, Any]:
    """Who we are."""
    said = {"name": offer.name, "version": offer.version}
    return {**said, "title": offer.title} if revision >= STRUCTURED else said


def abilities(offer: Offer, revision: str) -> dict[str, Any]:
    """What a host may ask of us."""
    able: dict[str, Any] = {}
    if offer.tools:
        able["tools"] = {"listChanged": False}
    if offer.resources:
        able["resources"] = {"subscribe": True, "listChanged": True}
    if offer.prompts:
        able["prompts"] = {"listChanged": False}
    if revision >= BATCHED and _completes(offer):
        able["completions"] = {}
    return able


def finished(result: dict[str, Any], method: str, offer: Offer, revision: str) -> dict[str, Any]:
    """A result as its revision wants it."""
    if revision < STATELESS:
        return result
    meta = {**result.get("_meta", {}), _SERVER: about(offer, revision)}
    kept = {"ttlMs": FRESH[method], "cacheScope": "private"} if method in FRESH else {}
    return {**result, **kept, "resultType": "complete", "_meta": meta}


def _completes(offer: Offer) -> bool:
    return any(each.complete for each in offer.resources) or any(prompt.complete for prompt in offer.prompts)
