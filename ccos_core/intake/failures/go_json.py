"""`go test -json`: one object a line, in which the text stands that there would have been without it.

The texts are put together again by package, as `-v` shows them, and stand behind the lines the objects are in.
"""

from __future__ import annotations

import json

from ccos_core.intake.failures.lines import lines_of

_LONGEST = 100_000
"""Lines that are unfolded."""


def unfolded(lines: list[str]) -> tuple[list[str], list[int]]:
    """(the lines, with the texts behind them; which of them were objects)."""
    taken: list[int] = []
    texts: dict[str, list[str]] = {}
    for at, line in enumerate(lines):
        event = _event(line)
        if event is None or len(taken) >= _LONGEST:
            continue
        taken.append(at)
        package, said = event.get("Package") or event.get("ImportPath"), event.get("Output")
        if isinstance(package, str) and isinstance(said, str):
            texts.setdefault(package, []).append(said)
    if not taken:
        return lines, taken
    objects = frozenset(taken)
    rest = ["" if at in objects else line for at, line in enumerate(lines)]
    told = [each for text in texts.values() for each in lines_of("".join(text))]
    return rest + told, taken


def _event(line: str) -> dict[str, object] | None:
    if not line.startswith('{"') or '"Action":' not in line:
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
