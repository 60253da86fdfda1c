"""Factory's Droid: one message a line, with blocks as Anthropic's API has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccos_core.intake.importers.chat.blocks import prompts_in, reply_in
from ccos_core.intake.importers.chat.reader import chat_format
from ccos_core.intake.importers.chat.said import COMPACTION, HEAD, UNKNOWN, Said
from ccos_core.intake.importers.fields import at, millis, text, word
from ccos_core.intake.importers.record import Record

SILENT = ("todo_state", "session_end")


def looks(records: Iterable[Record]) -> bool:
    """Whether the first record begins a session of Droid's."""
    first = next((record.value for record in records if isinstance(record.value, dict)), None)
    return word(first, "type") == "session_start" and bool(word(first, "id"))


def said_in(record: Record) -> Iterator[Said]:
    """Say what a record tells."""
    value = record.value
    kind, role = word(value, "type"), word(value, "message", "role")
    base = Said(kind, id=word(value, "id"), at=millis(at(value, "timestamp")))
    if isinstance(value, dict) and "parentId" in value:
        base = base._replace(parent=text(value, "parentId"))
    if kind == "session_start":
        yield Said(HEAD, session=base.id, cwd=text(value, "cwd"), title=text(value, "title"))
    elif kind == "message" and role == "user":
        yield base._replace(kind=HEAD, at=None)  # its place in the tree
        yield from prompts_in(at(value, "message", "content"), base)
    elif kind == "message" and role == "assistant":
        yield from reply_in(at(value, "message", "content"), base)
    elif kind == "compaction_state":
        yield base._replace(kind=COMPACTION, text=text(value, "summaryText"), exact=False)
    elif kind not in SILENT:
        yield base._replace(kind=UNKNOWN, name=f"type {kind}" if kind else "no type")


FORMAT = chat_format("droid", "Droid", looks, said_in, bare_reads=True)
