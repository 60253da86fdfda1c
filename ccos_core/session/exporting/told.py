"""A recorded step as a person reads it: a title, and its texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ccos_core.present.words import count, size

LONGEST = 20_000
"""Characters of one text; of a longer one the beginning and the end are written."""
SPEAKERS = {"user": "The user", "host": "The agent's program", "agent": "Another agent", "unknown": "A prompt"}
HOWS = {"read": "Read", "edit": "Edited", "write": "Wrote", "ingest": "Recorded"}
HEADER = ("at", "actor", "host", "session", "context", "call", "phase", "kind")


class Text(NamedTuple):
    """One text of a step."""

    label: str
    text: str
    language: str = "text"


class Told(NamedTuple):
    """One step."""

    title: str
    texts: tuple[Text, ...] = ()
    minor: bool = False
    """Whether it is a line below another step: a file that was seen, a count of tokens."""


def told(said: Mapping[str, Any]) -> Told:
    """Tell a step."""
    kind = said["kind"]
    if kind == "seen":
        lines = " lines {}–{}".format(*said["slice"]) if "slice" in said else ""
        why = f" ({said['withheld']})" if "withheld" in said else ""
        return Told(f"{HOWS[said['how']]} {said['path']}{lines}{why}", minor=True)
    if kind == "usage":
        return Told(f"Tokens in the window: {said['window']:,}", minor=True)
    if kind in ("gone", "renamed"):
        to = f" to {said['to']}" if "to" in said else ""
        return Told(f"{'Renamed' if to else 'Deleted'} {said['path']}{to}", minor=True)
    if kind == "tool":
        return _call(said)
    if kind in TITLES:
        title, field = TITLES[kind]
        text = said.get(field, "")
        return Told(_title(title, said), (Text("", text, "markdown"),) if text else ())
    fields = {name: value for name, value in said.items() if name not in HEADER}
    return Told(f"Recorded: {kind}", (Text("", json.dumps(fields, ensure_ascii=False, indent=1), "json"),))


TITLES = {
    "prompt": ("{speaker}", "said"),
    "thought": ("Thinking", "said"),
    "turn": ("The agent{model}", "said"),
    "compaction": ("The context was compacted", "summary"),
    "cleared": ("The context was cleared", "reason"),
    "annotation": ("Note", "note"),
}


def _title(title: str, said: Mapping[str, Any]) -> str:
    model = f", {said['model']}" if "model" in said else ""
    return title.format(speaker=SPEAKERS.get(said.get("source", ""), "A prompt"), model=model)


def _call(said: Mapping[str, Any]) -> Told:
    given = said.get("arguments")
    written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=1)
    texts = [Text("arguments", written, "json")] if given is not None else []
    if result := said.get("result", ""):
        texts.append(Text(f"result, {size(len(result.encode('utf-8', 'replace')))}", result))
    return Told(f"{said['name']}: {said['outcome']}", tuple(texts))


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text without its middle where it is too long, and how much that was."""
    if len(text) <= longest:
        return text
    left_out = len(text) - longest
    return f"{text[: longest * 3 // 4]}\n[... {count(left_out, 'character')} left out ...]\n{text[-(longest // 4) :]}"


def moment_of(said: Mapping[str, Any]) -> str:
    """When a step was; empty if it doesn't say."""
    try:
        return datetime.fromtimestamp(said["at"] / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (KeyError, OverflowError, OSError, ValueError):
        return ""


def whose(said: Mapping[str, Any]) -> str:
    """Whose session a step belongs to: `codex, session 01a2, context review`."""
    names = (("", "host"), ("session ", "session"), ("context ", "context"))
    return ", ".join(f"{word}{said[name]}" for word, name in names if said.get(name))
