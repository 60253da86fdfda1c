"""Lines that stand in a text for the images and documents that are no text: media type, size and hash."""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from typing import Any

from ccos_core.intake.importers.fields import at, objects, text, word
from ccos_core.values.canon import digest

HASH_DIGITS = 16
LONGEST_ADDRESS = 500
"""Characters of an image's address that are kept."""


def placeholder(kind: str, media: str, data: str) -> str:
    """Return `[image/png, 34,112 bytes, blake3 3f9a…]` for base64 data, or `[kind]` if it can't be decoded."""
    try:
        content = binascii.a2b_base64(data.encode("ascii"), strict_mode=True)
    except (ValueError, UnicodeEncodeError):
        content = b""
    if not content:
        return f"[{kind}]"
    name = media if media and "\n" not in media else kind
    return f"[{name}, {len(content):,} bytes, blake3 {digest(content).hex()[:HASH_DIGITS]}…]"


def placeholder_of_url(kind: str, url: str) -> str:
    """Return the line for an image by its address, which may hold its data."""
    if url.startswith("data:"):
        head, comma, data = url[len("data:") :].partition(",")
        media, _, coding = head.partition(";")
        return placeholder(kind, media, data if comma and coding.endswith("base64") else "")
    return f"[{kind} {url[:LONGEST_ADDRESS]}]" if url and "\n" not in url else f"[{kind}]"


def texts_and_images(value: Any, *path: str) -> Iterator[str]:
    """The texts of what a chat message says in parts, with a line for each image."""
    for part in objects(value, *path):
        if isinstance(part.get("text"), str):
            yield part["text"]
        elif text(part, "type") == "image_url":
            yield placeholder_of_url("image", text(part, "image_url", "url") or text(part, "image_url"))
        elif text(part, "type") == "image":
            yield placeholder_of_block(part)


def placeholder_of_block(block: Any) -> str:
    """Return the line for an image or document as Anthropic's messages have it."""
    kind, source = word(block, "type"), at(block, "source")
    if url := text(source, "url"):
        return placeholder_of_url(kind, url)
    return placeholder(kind, word(source, "media_type"), text(source, "data"))
