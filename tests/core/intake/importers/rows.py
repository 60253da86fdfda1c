"""The formats of transcripts with a session that has everything: a new reader joins the shared laws by a line here."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from ccos_core.intake.importers import crush, generic, mini_swe_agent, qwen, swe_agent
from ccos_core.intake.importers.chat.table import CHATS
from ccos_core.intake.importers.claude_code import reader as claude_code
from ccos_core.intake.importers.codex import reader as codex
from ccos_core.intake.importers.exported import atif, otel
from ccos_core.intake.importers.gemini import reader as gemini
from ccos_core.intake.importers.opencode import reader as opencode
from ccos_core.intake.importers.record import Format, Record
from tests.core.intake.importers import (
    claude_code_fixtures,
    codex_fixtures,
    exported_fixtures,
    test_chats,
    test_crush,
    test_gemini,
    test_generic,
    test_mini_swe_agent,
    test_opencode,
    test_qwen,
    test_swe_agent,
)
from tests.core.intake.importers.foreign import recorded

LINES: list[tuple[Format, Callable[[], list[Record]]]] = [
    (claude_code.FORMAT, lambda: claude_code_fixtures.everything().records()),
    (codex.FORMAT, lambda: codex_fixtures.everything().records),
    (gemini.FORMAT, test_gemini.everything),
    (qwen.FORMAT, test_qwen.everything),
    (generic.FORMAT, test_generic.everything),
    *((each, partial(test_chats.records_of, each)) for each in CHATS if not each.document and not each.text),
]
"""One record a line."""
DOCUMENTS: list[tuple[Format, Callable[[], dict[str, Any]]]] = [
    (opencode.FORMAT, test_opencode.everything),
    (crush.FORMAT, test_crush.document),
    *((each, partial(test_chats.made_of, each)) for each in CHATS if each.document),
    (gemini.OLDER, test_gemini.document),
    (swe_agent.FORMAT, test_swe_agent.everything),
    (mini_swe_agent.FORMAT, test_mini_swe_agent.everything),
    (atif.FORMAT, exported_fixtures.atif),
    (atif.FORMAT, exported_fixtures.atif_of_another),
    (otel.FORMAT, exported_fixtures.otel),
    (otel.FORMAT, exported_fixtures.otel_of_another),
    (otel.FORMAT, exported_fixtures.otel_numbered),
]
"""One document."""


def as_lines(records: list[Record]) -> bytes:
    return b"".join(json.dumps(record.value).encode() + b"\n" for record in records)


TEXTS: list[tuple[Format, Callable[[], str]]] = [
    (each, partial(test_chats.made_of, each)) for each in CHATS if each.text
]
"""One line of text a record."""


RECORDS: list[tuple[Format, list[Record]]] = [
    *((each, made()) for each, made in LINES),
    *((each, recorded(made())) for each, made in DOCUMENTS),
    *((each, test_chats.records_of(each)) for each, _ in TEXTS),
]
FILES: list[tuple[Format, bytes]] = [
    *((each, as_lines(made())) for each, made in LINES),
    *((each, json.dumps(made()).encode()) for each, made in DOCUMENTS),
    *((each, json.dumps(made(), indent=2, ensure_ascii=False).encode()) for each, made in DOCUMENTS),
    *((each, made().encode()) for each, made in TEXTS),
]
