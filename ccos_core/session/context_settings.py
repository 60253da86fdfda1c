"""The settings of the toolset `context`: the COS specification's `cos/config.yaml`, as it is, or the same as TOML.

    found = read_settings("cos/config.yaml")
    found.policy()                            # {"pressure": {...}, "resources": {...}}, recorded as `governed`

Read only if the file is named. An unknown key is an error that names it. What an answer depends on goes into an
op, so a replay needs no settings. Settings of models that aren't used here are checked and kept, no more.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ccos_core.errors import NotUnderstood, Refused, Unavailable, Usage
from ccos_core.session.brokers import NAMES, SEARCH, QdrantBroker
from ccos_core.values.roles import DAILY, Roles

VARIABLE = "COS_CONFIG"
MOST_BYTES = 100_000
LOCAL = ("localhost", "127.0.0.1", "::1")
LEVELS = ("low", "medium", "high", "critical")
DETAILS = {"verbose": 1, "dense": 2, "ultra-dense": 3, "ultra_dense": 3, 1: 1, 2: 2, 3: 3}
RETENTION_DAYS = 30
THOUSAND = 1_000
TEXT, COUNT, SHARE, LOCATION, URL, WORD = "a text", "a whole number", "a share from 0 to 1", "a path", "a URL", "a word"
SWITCH = "true or false"
QDRANT_COLLECTION = "cos_context"
KEYS: Mapping[str, str] = {
    "server.host": TEXT,
    "server.port": COUNT,
    "server.transport": TEXT,
    "workspace.root": LOCATION,
    "resources.soul": LOCATION,
    "resources.user": LOCATION,
    "resources.memory": LOCATION,
    "resources.impressions": LOCATION,
    "resources.daily_pattern": LOCATION,
    "pressure.context_max": COUNT,
    **{f"pressure.thresholds.{level}": SHARE for level in LEVELS},
    "compression.default_level": WORD,
    "compression.thor_endpoint": URL,
    "compression.summarization_model": TEXT,
    "persistence.mindmap_path": LOCATION,
    "persistence.state_path": LOCATION,
    "persistence.access_log": LOCATION,
    "persistence.access_log_retention_days": COUNT,
    "optional.qdrant_url": URL,
    "optional.qdrant_collection": TEXT,
    **{f"brokers.{name}": SWITCH for name in NAMES},
}
_SECRET = re.compile(r"//[^/?#]*@|[?&#][^=&]*(?:key|token|secret|password|auth|sig)[^=&]*=[^&]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """What a settings file says, checked."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """Key, as in `pressure.thresholds.low`, → value."""

    @property
    def root(self) -> str:
        """The project's folder; empty if it isn't said."""
        return os.path.expanduser(str(self.values.get("workspace.root", "")))

    @property
    def detail(self) -> int:
        """In how much detail `get_context` answers: 1 is all of it."""
        return DETAILS[self.values.get("compression.default_level", 2)]

    @property
    def mindmap_path(self) -> str:
        """Where to keep a copy of the map; empty for nowhere."""
        return str(self.values.get("persistence.mindmap_path", ""))

    @property
    def access_log(self) -> str:
        """Where to keep a copy of the access log; empty for nowhere."""
        return str(self.values.get("persistence.access_log", ""))

    @property
    def retention_days(self) -> int:
        """How many days that copy reaches back; the record keeps all."""
        return int(self.values.get("persistence.access_log_retention_days", RETENTION_DAYS))

    @property
    def switched_off(self) -> frozenset[str]:
        """The brokers that aren't to be asked."""
        return frozenset(name for name in NAMES if self.values.get(f"brokers.{name}") is False)

    def search_broker(self) -> QdrantBroker | None:
        """The Qdrant that is named, if any."""
        url = str(self.values.get("optional.qdrant_url", ""))
        if not url or SEARCH in self.switched_off:
            return None
        from ccos_core.storage.memory_qdrant import MemoryQdrant

        collection = str(self.values.get("optional.qdrant_collection", QDRANT_COLLECTION))
        return QdrantBroker(lambda name: MemoryQdrant(url, name), collection)

    def roles(self) -> Roles:
        """Which files have a role."""
        return Roles().with_paths(self._paths())

    def policy(self) -> dict[str, Any]:
        """What answers depend on, in whole numbers, for a `governed` op."""
        thresholds = [self.values.get(f"pressure.thresholds.{level}") for level in LEVELS]
        pressure: dict[str, Any] = {}
        if "pressure.context_max" in self.values:
            pressure["context_max"] = self.values["pressure.context_max"]
        if None not in thresholds:
            pressure["thresholds"] = [round(float(each) * THOUSAND) for each in thresholds if each is not None]
        return {"pressure": pressure, "resources": self._paths()}

    def _paths(self) -> dict[str, str]:
        names = {"daily_pattern": DAILY}
        found = {
            key.partition(".")[2]: str(value) for key, value in self.values.items() if key.startswith("resources.")
        }
        return {names.get(name, name): path for name, path in found.items()}


def read_settings(path: str) -> ContextSettings:
    """Read a settings file, YAML or by its suffix TOML."""
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1).decode("utf-8-sig")
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=path) from error
    except UnicodeDecodeError as error:
        raise NotUnderstood("isn't UTF-8", place=path) from error
    if len(text) > MOST_BYTES:
        raise NotUnderstood("is too large for settings", place=path)
    if path.endswith(".toml"):
        try:
            return settings_of(tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise NotUnderstood(f"isn't TOML: {error}", place=path) from error
    from ccos_core.session.yaml_file import read_yaml

    return settings_of(read_yaml(text, path) or {})


def settings_of(told: object) -> ContextSettings:
    """Check plain values. Raises `Usage` with the key that is unknown or doesn't fit."""
    values = dict(_flat(told, ""))
    for key, value in values.items():
        _check(key, value)
    found = ContextSettings(values)
    thresholds = [values.get(f"pressure.thresholds.{level}") for level in LEVELS]
    if any(each is not None for each in thresholds):
        if None in thresholds:
            raise Usage("needs low, medium, high and critical", place="pressure.thresholds")
        numbers = [float(each) for each in thresholds if each is not None]
        if not all(low < high for low, high in pairwise(numbers)):
            raise Usage("has to rise from low to critical", place="pressure.thresholds")
    found.roles()
    return found


# ---- helpers ----


def _flat(told: object, above: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(told, dict):
        raise Usage(f"should have settings below it, not {str(told)[:40]!r}", place=above.rstrip(".") or "the file")
    for name, value in told.items():
        key = f"{above}{name}"
        if any(known.startswith(f"{key}.") for known in KEYS):
            yield from _flat(value, f"{key}.")
        elif key in KEYS:
            if value is not None:
                yield key, value
        else:
            from difflib import get_close_matches

            near = get_close_matches(key, KEYS, 1)
            raise Usage("there is no such setting", place=key[:80], hint=f"Near: {near[0]}" if near else "")


def _check(key: str, value: Any) -> None:
    form = KEYS[key]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        COUNT: is_number and isinstance(value, int) and value > 0,
        SHARE: is_number and 0 < value <= 1,
        SWITCH: isinstance(value, bool),
        WORD: isinstance(value, str | int) and not isinstance(value, bool) and value in DETAILS,
    }.get(form, isinstance(value, str) and bool(value.strip()) and "\0" not in value)
    if not fits:
        said = f"one of: {', '.join(map(str, DETAILS))}" if form == WORD else form
        raise Usage(f"should be {said}, not {str(value)[:40]!r}", place=key)
    if form == URL:
        if _SECRET.search(value):
            raise Refused("holds a password or a key", place=key, hint="Settings hold no secrets.")
        if not value.startswith(("http://", "https://")):
            raise Usage("isn't a URL of http or https", place=key)
    if key == "server.host" and value not in LOCAL:
        raise Refused("isn't this machine", place=key, hint="The server is reached from this machine alone: localhost.")
    if key == "server.transport" and value != "stdio":
        raise Usage(f"is {value!r}; only stdio is served", place=key, hint="Write: transport: stdio")
