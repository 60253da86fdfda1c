"""Cursor's agent transcripts: one message a line, without names, times or, mostly, results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import prompts_in, reply_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import PROMPT, RESULT, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, word
from ccos_core.intake.importers.record import Record

QUERY = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)


def looks(records: Iterable[Record]) -> bool:
    """Whether the first record is a role and a message of blocks, and nothing else names it."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    blocks = at(first, "message", "content")
    return word(first, "role") == "user" and isinstance(blocks, list) and "type" not in (first or {})


def said_in(record: Record) -> Iterator[Said]:
    """Say what a message tells."""
    role, content = word(record.value, "role"), at(record.value, "message", "content")
    if role == "user":
        for said in prompts_in(content, Said(role)):
            query = QUERY.search(said.text) if said.kind == PROMPT else None
            if query is None:
                yield said._replace(id="") if said.kind == RESULT else said
            else:
                yield said._replace(text=query[1], source="user")
                rest = QUERY.sub("", said.text, count=1).strip()
                if rest:
                    yield said._replace(text=rest, source="host")
    elif role == "assistant":
        yield from reply_in(content, Said(role))
    else:
        yield Said(UNKNOWN, name=f"role {role}" if role else "no role")


FORMAT = chat_format("cursor", "Cursor", looks, said_in, has_results=False)
