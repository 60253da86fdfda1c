"""The revisions of the protocol: which one a request is made in, and what an answer looks like there.

Until 2025-11-25 host and server agree on one in a handshake. From 2026-07-28 on each request names its own, in an
envelope; a server may be asked both ways on one connection. Their names are dates, so they sort as strings.
"""

from __future__ import annotations

from ccos_core.serve.mcp.wire import NO_SUCH_REVISION, WRONG_PARAMS, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.serve.mcp.offer import Offer

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
