"""What hosts refuse to read: a file with it is left alone, for its host wouldn't read what we put there either."""

from __future__ import annotations

import json
from typing import Any

from ccos_core.errors import NotUnderstood
from ccos_core.session.setup import json_text
from ccos_core.session.setup.hosts import Reading

MEND = "Mend it, and run this again."


def refuse(text: str, marked: bool, reading: Reading) -> None:
    """Raise NotUnderstood if a host doesn't read this JSON. `marked` is whether a byte order mark stands before it."""
    if not reading.title:
        return
    hint = f"{reading.title} refuses this file as it is. {MEND}"
    if marked:
        raise NotUnderstood("begins with a byte order mark", hint=hint)
    bare = json_text.without_comments(text) if reading.comments else text
    if not bare.strip():
        return
    try:
        json.loads(bare, object_pairs_hook=None if reading.comments else _once)
    except json.JSONDecodeError as error:
        said = (
            "a comment, or a comma behind the last entry" if not reading.comments else "a comma behind the last entry"
        )
        raise NotUnderstood(f"line {error.lineno}: isn't plain JSON: {said}", hint=hint) from None
    except _Twice as error:
        raise NotUnderstood(f"has {error.key!r} twice", hint=hint) from None
    except RecursionError:
        raise NotUnderstood("is nested too deeply to be read", hint=MEND) from None
    except ValueError:
        raise NotUnderstood("has a number that is too long to be read", hint=MEND) from None
    top = json_text.parsed(text)
    others = [part.key for part in top.parts if part.key not in reading.keys] if top and reading.keys else []
    if others:
        raise NotUnderstood(f"has {others[0]!r}, beside {' and '.join(reading.keys)}", hint=hint)


class _Twice(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return found
