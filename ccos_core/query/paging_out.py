"""What `page-out` records of a node: a summary of its text, tied to the hash of that text, and what that frees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound
from ccos_core.query.hosted.whose import chosen
from ccos_core.query.question import HOST
from ccos_core.query.resources import Standings
from ccos_core.query.sourced import sourced
from ccos_core.text.compress.prose import LEAST_TOKENS, summarized
from ccos_core.values.canon import digest
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SHARE = 10
"""A summary takes a tenth of its text, ..."""
MOST_TOKENS = 200
"""... and no more than this."""
MAP_LEVEL = 3
PERCENT = 100


@dataclass(frozen=True, slots=True)
class PagedOut:
    """A node that was paged out."""

    resource_id: str
    """Its node."""

    original_tokens: int
    """What all of it takes."""

    compressed_tokens: int
    """What its summary takes."""

    compression_ratio: int
    """The summary in percent of the whole; 0 of an empty one."""

    summary: str
    """Lines of its text; empty if there is no text."""

    level: int
    """The map that names it in the smallest way: 3."""

    held: int
    """What the agent's window holds of it, estimated by bytes as in `candidates`; `original_tokens` are by words."""

    freed: int
    """`held` less `compressed_tokens`, not below 0."""

    ccr_ref: str
    """By which `ccos_retrieve` gives the exact text; empty if no single recorded content has it."""

    dropped: tuple[str, ...]
    """Paths, identifiers, numbers and error codes of the text that the summary doesn't have."""


def paged_out(timeline: Timeline, at: int, node: str) -> tuple[dict[str, Any], PagedOut]:
    """Return the op that pages a node out, and what it says of it."""
    found = sourced(timeline, node, at)
    held = held_tokens(timeline, at, node)
    op: dict[str, Any] = {"kind": "paged_out", "nodes": [node]}
    if found is None:
        return op, PagedOut(node, 0, 0, 0, "", MAP_LEVEL, held, held, "", ())
    whole = estimate(found.text) if found.text else 0
    short = summarized(found.text, min(MOST_TOKENS, max(LEAST_TOKENS, whole // SHARE)))
    size = estimate(short.text) if short.text else 0
    if short.text:
        op |= {"summary": short.text, "source": source_hash(found.text)}
    ratio = PERCENT * size // whole if whole else 0
    freed = max(0, held - size)
    return op, PagedOut(node, whole, size, ratio, short.text, MAP_LEVEL, held, freed, found.reference, short.dropped)


def is_summarized(timeline: Timeline, at: int, node: str) -> bool:
    """Whether a node is paged out, with a summary of the text that stands there now if it has one."""
    found, last = sourced(timeline, node, at), Standings(timeline, at, None).last_paged(node)
    if last is None or last["kind"] != "paged_out":
        return False
    return found is None or not found.text or last.get("source") == source_hash(found.text)


def source_hash(text: str) -> str:
    """Return the hash by which a summary names its text."""
    return digest(text.encode("utf-8", "surrogatepass")).hex()


def held_tokens(timeline: Timeline, at: int, node: str) -> int:
    """Return what the agent's window holds of a node; 0 if no window is recorded."""
    try:
        number, _ = chosen(timeline, at, HOST, None, None)
    except NotFound:
        return 0
    standing = Standings(timeline, at, number).held.get(node)
    return standing.tokens if standing is not None else 0
