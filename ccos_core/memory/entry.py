"""One entry of the working memory: something said, or what one op did, with where it comes from.

    entry = Entry("memo:0123456789abcdef", "preference", "Use tabs.", "Use tabs in Makefiles.", at=1_000)
    entry_of(entry_bytes(entry)) == entry

The bytes are canonical JSON (schema `ccos.memo/1`), so equal entries have equal bytes on every machine. Keys that this
version doesn't know are kept in `extra` and written back as they were.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from ccos_core.values.canon import NotCanonical, digest, spelled
from ccos_core.values.ids import MEMO_PREFIX

SCHEMA = "ccos.memo/1"
SEED_KEYS = {
    "type": "class",
    "keywords": "tags",
    "summary": "words",
    "approx_tokens": "tokens",
    "session_id": "session",
    "intent_id": "intent",
}
"""What the specification calls a key → what it is called here. Read where a body names no schema."""
SAID_CLASS, SAID_SCOPE = "said", "session"
MEMO_DIGITS = 16
KNOWN_IDS = 1 << 17
"""Statements whose id is kept: these are asked for again whenever a record has grown."""
LEVELS = ("public", "low", "medium", "high", "critical")
UNLABELLED_LEVEL = LEVELS.index("medium")
OWNING_ACTOR = "user"
"""The actor of ops by which the owner speaks."""


def level_after(level: int, said: str | None, actor: str | None) -> int:
    """Return a privacy level after a label: only the owner lowers one."""
    new = LEVELS.index(said) if said else level
    return new if actor == OWNING_ACTOR else max(new, level)


def regions_after(regions: Iterable[str], said: Iterable[str] | None, actor: str | None) -> tuple[str, ...]:
    """Return regions after a label: only the owner takes one away."""
    kept = regions if said is None or actor != OWNING_ACTOR else ()
    return tuple(sorted({*kept, *(said or ())}))


@dataclass(frozen=True, slots=True)
class Entry:
    """What is remembered. Steps count from 1; times are milliseconds since 1970, 0 if not known."""

    id: str
    """`memo:` and 16 hex digits. What is said twice in the same words is one entry."""

    cls: str
    """What it is: `said`, `preference`, `note`, `pattern`, ...; or the kind of the op whose doing it tells."""

    title: str
    words: str
    """At most 512 tokens; of a longer text the sentences that say most."""

    whole: str | None = None
    """The hash of the whole text, if `words` isn't all of it. `ccos_retrieve` gives its exact bytes."""

    tags: tuple[str, ...] = ()
    """Sorted."""

    privacy: int = UNLABELLED_LEVEL
    """The place of its level in LEVELS."""

    regions: tuple[str, ...] = ()
    """Sorted."""

    first: int = 0
    """The step at which it came up, ..."""

    last: int = 0
    """... and the last one at which it did."""

    count: int = 1
    """Steps at which it came up."""

    at: int = 0
    """The time of the first."""

    last_at: int = 0
    tokens: int = 0
    """Of `words`."""

    session: str = ""
    context: str = ""
    """A subagent's name; empty for the main thread."""

    intent: str = ""
    """The node of the prompt it serves."""

    call: str = ""
    author: str = ""
    """`user`, `agent`, `host`, `tool` or `file`."""

    provider: str = ""
    """The host and its model: `claude-code/opus`."""

    action: str = ""
    """The op it was derived from: its step and hash, `17:ab12...`."""

    chain: str = ""
    """The hash of the record's chain at that step."""

    content: str = ""
    """The hash of `words`."""

    extra: tuple[tuple[str, str], ...] = ()
    """Further keys, sorted, each with its value as JSON."""

    def more(self, key: str) -> Any:
        """Return the value of a further key; None if it has none."""
        for name, value in self.extra:
            if name == key:
                return json.loads(value)
        return None


NAMES = {"cls": "class"}
"""Fields whose key in the bytes is called otherwise: `class` is a word of Python."""
_KEYS = {NAMES.get(name, name): name for name in Entry.__slots__ if name != "extra"}
_values = attrgetter(*_KEYS.values())
_LISTS = frozenset({"tags", "regions"})
_NUMBERS = frozenset({"privacy", "first", "last", "count", "at", "last_at", "tokens"})
_REQUIRED = ("id", "class", "title", "words")


class NotAnEntry(ValueError):
    """The bytes are no entry; the text says why."""


def memo_id(words: Iterable[str]) -> str:
    """Return the id of a statement with these normalised words."""
    return _memo_id(tuple(words))


@lru_cache(KNOWN_IDS)
def _memo_id(words: tuple[str, ...]) -> str:
    return keyed_id(SAID_CLASS, SAID_SCOPE, " ".join(words))


def keyed_id(*key: str | int) -> str:
    """Return the id of what has this key."""
    return MEMO_PREFIX + digest(spelled(key)).hex()[:MEMO_DIGITS]


def content_hash(words: str) -> str:
    """Return the hash of an entry's words."""
    return digest(words.encode("utf-8", "surrogatepass")).hex()


def with_extra(extra: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return further keys as an entry holds them."""
    return tuple((key, _json(extra[key])) for key in sorted(extra))


def entry_bytes(entry: Entry) -> bytes:
    """Return the canonical bytes of an entry."""
    plain: dict[str, Any] = dict(zip(_KEYS, _values(entry), strict=True))
    plain["schema"] = SCHEMA
    if entry.whole is None:
        del plain["whole"]
    if entry.extra:
        return _json({**{key: json.loads(value) for key, value in entry.extra}, **plain}).encode()
    return spelled(plain)


def entry_of(body: bytes) -> Entry:
    """Read an entry from its bytes, or from those of another program; raises NotAnEntry."""
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotAnEntry(f"not JSON: {error}") from error
    if type(plain) is not dict:
        raise NotAnEntry("an entry is an object")
    if "schema" in plain and plain["schema"] != SCHEMA:
        raise NotAnEntry(f"its schema is {plain['schema']!r:.60}, not {SCHEMA}")
    if "schema" not in plain:
        plain = _renamed(plain)
    return _entry(plain)


# ---- helpers ----


def _entry(plain: Mapping[str, Any]) -> Entry:
    if missing := [key for key in _REQUIRED if key not in plain]:
        raise NotAnEntry(f"it has no {missing[0]}")
    known: dict[str, Any] = {_KEYS[key]: _checked(key, value) for key, value in plain.items() if key in _KEYS}
    try:
        extra = with_extra({key: value for key, value in plain.items() if key not in _KEYS and key != "schema"})
    except (NotCanonical, RecursionError) as error:
        raise NotAnEntry(str(error)) from error
    return Entry(**known, extra=extra)


def _checked(key: str, value: Any) -> Any:
    """Return a value as an entry holds it."""
    if key in _LISTS:
        if type(value) is not list or any(type(each) is not str for each in value):
            raise NotAnEntry(f"{key} should be a list of texts")
        return tuple(sorted(set(value)))
    if key in _NUMBERS:
        if type(value) is not int:
            raise NotAnEntry(f"{key} should be a whole number")
        if key == "privacy" and not 0 <= value < len(LEVELS):
            raise NotAnEntry(f"privacy should be from 0 to {len(LEVELS) - 1}")
    elif type(value) is not str and not (key == "whole" and value is None):
        raise NotAnEntry(f"{key} should be text")
    return value


def _renamed(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry of the specification in our keys: what it calls content is the words, and times are seconds."""
    found = {SEED_KEYS.get(key, key): value for key, value in plain.items()}
    if "words" not in found and "content" in found:
        found["words"] = found.pop("content")
    if type(found.get("timestamp_s")) is int and "at" not in found:
        found["at"] = found["last_at"] = 1_000 * found.pop("timestamp_s")
    if type(found.get("words")) is str:
        found.setdefault("title", found["words"].partition("\n")[0][:80])
        found["content"] = content_hash(found["words"])
    found.setdefault("class", "note")
    return found


def _json(value: Any) -> str:
    """Return the one spelling of a value, which may have fractions in it."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        text.encode()
    except (ValueError, UnicodeEncodeError) as error:
        raise NotCanonical(str(error)) from error
    return text
