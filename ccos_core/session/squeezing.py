"""Shorten the output of a program, after its original was kept.

squeezed(output)     # b"...\\n[ccr 1a2b3c4d5e6f:3-90 88 lines, 1200 tokens]\\n..."
fetched("1a2b3c4d5e6f:3-90")
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.errors import NotFound, Usage
from ccos_core.session.retrieving import Original, parse_reference
from ccos_core.storage import originals
from ccos_core.text.compress.router import PLAIN, reference_of, shorten
from ccos_core.text.compress.shortened import REFERENCE_DIGITS
from ccos_core.text.sanitize import redact
from ccos_core.values.canon import digest
from ccos_core.values.tokens import estimate

LOSSLESS = "surrogateescape"
"""How bytes that are no UTF-8 pass through text unchanged."""


@dataclass(frozen=True, slots=True)
class Squeezed:
    """Some output, shortened."""

    kind: str
    """`log`, `diff`, `search`, `listing`, `json`, or `plain` for what stays as it is."""

    content: bytes
    reference: str
    """The start of the hash by which the original is fetched; empty for what stays as it is."""

    tokens_before: int
    tokens: int


def squeeze(content: bytes, kind: str | None = None) -> Squeezed:
    """Shorten some output of a kind, or of the kind that it has by its looks. Secrets are masked before it is kept."""
    text = content.decode("utf-8", LOSSLESS)
    size = estimate(text)
    masked = redact(text)[0]
    original = masked.encode("utf-8", LOSSLESS)
    short = shorten(masked, ref=reference_of(original), kind=kind)
    if short.kind == PLAIN:
        return Squeezed(PLAIN, content, "", size, size)
    reference = originals.keep(original)[:REFERENCE_DIGITS]
    return Squeezed(short.kind, short.text.encode("utf-8", LOSSLESS), reference, size, estimate(short.text))


def fetched(said: str) -> bytes | None:
    """Return what a reference stands for among the kept originals; None if it is none of these."""
    start, first, last = parse_reference(said)
    found = originals.find(start)
    if len(found) > 1:
        raise Usage("is the start of several hashes", place=said, hint="One of: " + "  ".join(found[:3]))
    if not found:
        return None
    content = originals.read(found[0])
    if first is None:
        return content
    lines = content.split(b"\n")
    if last is None or not first <= last <= len(lines):
        raise NotFound("has lines beyond the end of its text", place=said, hint=f"Near: {start}:1-{len(lines)}")
    return b"\n".join(lines[first - 1 : last])


def kept_original(said: str) -> Original | None:
    """Return the same as text; bytes that are no UTF-8 are only exact in `fetched`."""
    shown = fetched(said)
    start, first, last = parse_reference(said)
    whole = fetched(start)
    if shown is None or whole is None:
        return None
    lines = whole.count(b"\n") + 1
    text = shown.decode("utf-8", "replace")
    return Original(said.strip(), digest(whole).hex(), first or 1, last or lines, lines, "", text)
