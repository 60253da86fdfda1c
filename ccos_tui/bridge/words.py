"""Answers in the words they have without a screen, what may be typed, and a question as a shell takes it."""

from __future__ import annotations

import json
import shlex
from typing import Any

from ccos_core.present.rows import Moment, View
from ccos_tui.bridge.ask import BY_PLACE, YES, Ask


def command_of(question: Ask, record: str) -> str:
    """`ccos-tui recall work.ccos --budget 2048 @12`."""
    flags = [word for name, value in question.said if name not in BY_PLACE for word in _flag(name, value)]
    placed = [value for name, value in question.said if name in BY_PLACE]
    at = [f"@{question.at}"] if question.at is not None else []
    return " ".join(["ccos-tui", *map(shlex.quote, [question.name, record, *flags, *placed]), *at])


def _flag(name: str, value: str) -> list[str]:
    return [f"--{name}"] if value == YES else [f"--{name}", value]


def lines_of(answer: Any, width: int, partial: int = 0) -> list[str]:
    """An answer as `postmortem` prints it, without its colours."""
    import click

    from ccos_core.serve.printing import as_lines

    return [click.unstyle(line) for line in as_lines(answer, max(width, 40), partial=partial)]


def led_lines_of(answer: Any, width: int, partial: int = 0) -> list[tuple[str, Moment | None]]:
    """The same lines, each with where its row leads."""
    import click

    from ccos_core.serve.printing import printed_with_leads

    if partial or any(getattr(answer, name, False) for name in ("verbatim", "unbroken")):
        return [(line, None) for line in lines_of(answer, width, partial)]
    told = printed_with_leads(answer.as_rows(View(max(width, 40))), max(width, 40))
    return [(click.unstyle(line), leads) for line, leads in told]


def json_of(answer: Any, partial: int = 0) -> str:
    """An answer as programs get it."""
    from ccos_core.serve.printing import as_json_object

    return json.dumps(as_json_object(answer, partial), ensure_ascii=False, indent=2)


def command_words() -> list[tuple[str, str]]:
    """(word, what it tells) of every question."""
    from ccos_core.query.catalogue import QUESTIONS

    return [(entry.name, entry.summary) for entry in QUESTIONS]


def command_names() -> list[tuple[str, tuple[str, ...], str]]:
    """(word, its shorter ones, what it tells) of every question."""
    from ccos_core.query.catalogue import QUESTIONS

    return [(entry.name, entry.aliases, entry.summary) for entry in QUESTIONS]


def wants_more(word: str) -> bool:
    """Whether a question can't be asked by its name alone."""
    from ccos_core.query.catalogue import entry_of

    entry = entry_of(word)
    return entry is not None and any(each.required for each in entry.load().arguments)


def canned_queries() -> list[tuple[str, str]]:
    """(query, what it finds) of those to begin with."""
    from ccos_core.query.finding.atoms import CANNED

    return list(CANNED)


def statement_classes() -> tuple[str, ...]:
    """What a statement may be: `preference`, `todo`, ..."""
    from ccos_core.query.catalogue import CLASSES

    return CLASSES
