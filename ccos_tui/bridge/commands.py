"""A question as a shell takes it, so that whoever reads a report can ask the same."""

from __future__ import annotations

import shlex

from ccos_tui.bridge.ask import BY_PLACE, Ask

YES = "yes"
"""What is said for an argument that is given or not."""


def command_of(question: Ask, record: str) -> str:
    """`ccos-tui recall work.ccos --budget 2048 @12`."""
    flags = [word for name, value in question.said if name not in BY_PLACE for word in _flag(name, value)]
    placed = [value for name, value in question.said if name in BY_PLACE]
    at = [f"@{question.at}"] if question.at is not None else []
    return " ".join(["ccos-tui", *map(shlex.quote, [question.name, record, *flags, *placed]), *at])


def _flag(name: str, value: str) -> list[str]:
    return [f"--{name}"] if value == YES else [f"--{name}", value]
