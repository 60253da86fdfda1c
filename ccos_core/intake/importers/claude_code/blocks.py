"""What the messages of Claude Code's records are made of: blocks of text, of calls, of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ccos_core.intake.importers.fields import text

Fields = Mapping[str, Any]

NOTHING: Fields = {}


def fields(value: Any) -> Fields:
    """An object; an empty one where it is none."""
    return value if isinstance(value, dict) else NOTHING


def texts(value: Any) -> list[str]:
    """The texts of a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def blocks(content: Any) -> Iterator[Fields]:
    """What a message is made of. A plain text is one block of text, and a block may stand alone."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, dict):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield {"type": "text", "text": block} if isinstance(block, str) else fields(block)


def said(content: Any) -> str:
    """What a message says in words. What is no text is named, without its content."""
    return "\n".join(filter(None, map(_words, blocks(content))))


def _words(block: Fields) -> str:
    kind = block.get("type")
    if kind == "text":
        return text(block, "text")
    if kind in ("image", "document"):
        return f"[{kind}]"
    if kind == "tool_reference":
        return f"[{kind}: {text(block, 'tool_name')}]"
    return ""
