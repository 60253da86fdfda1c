"""What an agent was shown of a call, where its hook gives only the tool's own result in fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ccos_core.intake.importers.claude_code.blocks import Fields, fields, said
from ccos_core.intake.importers.fields import number, text


def printed_of(name: str, response: Any) -> str | None:
    """As text; None where that can't be told."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return said(response)
    told = fields(response)
    if not told:
        return None
    way = _WAYS.get(name)
    if way is not None:
        return way(told)
    content = told.get("content")
    if isinstance(content, (list, str)):
        return said(content)
    return json.dumps(told, ensure_ascii=False, sort_keys=True)


def _bash(told: Fields) -> str:
    return "\n".join(filter(None, (text(told, "stdout"), text(told, "stderr"))))


def _read(told: Fields) -> str | None:
    """With numbers in front of its lines."""
    file = fields(told.get("file"))
    content, first = file.get("content"), number(file, "startLine")
    if not isinstance(content, str):
        return f"[{told['type']}]" if told.get("type") in ("image", "pdf") else None
    lines = enumerate(content.split("\n"), 1 if first is None else first)
    return "\n".join(f"{at:>6}→{line}" for at, line in lines)


def _found(told: Fields) -> str:
    names = told.get("filenames")
    listed = "\n".join(each for each in names if isinstance(each, str)) if isinstance(names, list) else ""
    return text(told, "content") or listed


def _unsaid(_: Fields) -> None:
    """A sentence of the host's own, around what its arguments say."""


_WAYS: Mapping[str, Callable[[Fields], str | None]] = {
    "Bash": _bash,
    "Read": _read,
    "Grep": _found,
    "Glob": _found,
    "Edit": _unsaid,
    "MultiEdit": _unsaid,
    "Write": _unsaid,
    "NotebookEdit": _unsaid,
}
