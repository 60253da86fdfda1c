"""Answers in the words they have without a screen, for what somebody typed; and what may be typed."""

from __future__ import annotations

import json
from typing import Any


def lines_of(answer: Any, width: int, partial: int = 0) -> list[str]:
    """An answer as `postmortem` prints it, without its colours."""
    import click

    from ccos_core.serve.says import as_lines

    return [click.unstyle(line) for line in as_lines(answer, max(width, 40), partial=partial)]


def json_of(answer: Any, partial: int = 0) -> str:
    """An answer as programs get it."""
    from ccos_core.serve.says import as_json_object

    return json.dumps(as_json_object(answer, partial), ensure_ascii=False, indent=2)


def command_words() -> list[tuple[str, str]]:
    """(word, what it tells) of every question."""
    from ccos_core.query.catalogue import QUESTIONS

    return [(entry.name, entry.summary) for entry in QUESTIONS]


def canned_queries() -> list[tuple[str, str]]:
    """(query, what it finds) of those to begin with."""
    from ccos_core.query.finding.atoms import CANNED

    return list(CANNED)
