"""Boundaries: which entries a query may see by time, privacy, region and scope, and how much it may give.

    bounds = boundaries_of({"privacy": "medium", "temporal": {"duration": "30d"}}, now=1_764_000_000_000)
    bounds.allow(entry)

Boundaries may be combined by and, or and not. Privacy and jurisdiction can't be weakened by that: wherever they stand,
they hold for the whole query. A duration counts back from `now`, which is an argument: nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, TypeAlias

from ccos_core.errors import Usage
from ccos_core.memory.entry import LEVELS, Entry, entry_bytes
from ccos_core.text.boolean import Every, Some, Without, check_depth
from ccos_core.text.moments import duration_millis

FULL = 1_000  # thousandths
FEWEST_DIGITS, MOST_DIGITS = 11, 15  # of a number that is milliseconds, not a year


class Labelled(Protocol):
    """What has labels: an entry, or a statement."""

    @property
    def privacy(self) -> int: ...
    @property
    def regions(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Temporal:
    """Entries that came up in [since, before): milliseconds, None for no limit. One without a time never did."""

    since: int | None = None
    before: int | None = None

    def allows(self, entry: Entry) -> bool:
        return any(self._holds(time) for time in (entry.at, entry.last_at))

    def _holds(self, time: int) -> bool:
        if not time:
            return False
        return (self.since is None or self.since <= time) and (self.before is None or time < self.before)


@dataclass(frozen=True, slots=True)
class Privacy:
    """Nothing above a level."""

    level: int
    """The place of the level in LEVELS."""

    def allows(self, entry: Labelled) -> bool:
        return entry.privacy <= self.level


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """Nothing of a denied region; with an allow-list only what has a region of it, so nothing unlabelled."""

    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()

    def allows(self, entry: Labelled) -> bool:
        if any(region in self.denied for region in entry.regions):
            return False
        return not self.allowed or any(region in self.allowed for region in entry.regions)


@dataclass(frozen=True, slots=True)
class Scope:
    """All that is given must fit. A plan is a session, or session/context; its intents are in it."""

    intent: str = ""
    plan: str = ""
    step: str = ""
    """The call."""

    def allows(self, entry: Entry) -> bool:
        session, slash, context = self.plan.partition("/")
        return (
            (not self.intent or entry.intent == self.intent)
            and (not self.plan or (entry.session == session and (not slash or entry.context == context)))
            and (not self.step or entry.call == self.step)
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a query may give. None for no limit."""

    tokens: int | None = None
    bytes: int | None = None
    relevance: int | None = None
    """The least relevance, in thousandths of that of the best entry."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """What holds for a query."""

    outer: tuple[Privacy | Jurisdiction, ...] = ()
    """All of them must allow an entry, whatever the tree says."""

    tree: Any = None
    """Temporal and scope boundaries, combined; None allows all."""

    budget: Budget = field(default_factory=Budget)

    def allow(self, entry: Entry) -> bool:
        """Tell whether a query may see an entry."""
        return all(each.allows(entry) for each in self.outer) and (self.tree is None or _allows(self.tree, entry))


def within_budget(
    entries: Sequence[Entry], budget: Budget, relevance: Mapping[str, int] | None
) -> tuple[list[Entry], list[str]]:
    """Return the first entries that fit and the ids of the others; nothing behind the first that doesn't fit is given.
    `relevance` has the score of each id. Raises `Usage` if the budget needs it and there is none."""
    if budget.relevance is not None:
        if relevance is None:
            raise Usage("needs a text to be relevant to", place="semantic_limit", hint="Add a text to the query.")
        best = max((relevance.get(each.id, 0) for each in entries), default=0)
        floor = budget.relevance * best
        fits = [each for each in entries if FULL * relevance.get(each.id, 0) >= floor and relevance.get(each.id, 0)]
    else:
        fits = list(entries)
    for limit, size in ((budget.tokens, _tokens), (budget.bytes, _bytes)):
        if limit is not None:
            fits = _prefix(fits, limit, size)
    kept = {each.id for each in fits}
    return fits, [each.id for each in entries if each.id not in kept]


# ---- reading ----


def boundaries_of(said: Mapping[str, Any] | None, now: int | None) -> Boundaries:
    """Read boundaries from JSON, by our names or those of the specification. Raises `Usage`."""
    check_depth(said)
    reading = _Reading(now)
    tree = reading.tree(said or {}, negated=False)
    if any(each == 0 for each in (reading.budget.get("tokens"), reading.budget.get("bytes"))):
        raise Usage("must be at least 1", place="limit")
    return Boundaries(tuple(dict.fromkeys(reading.outer)), tree, Budget(**reading.budget))


def level_of(said: Any) -> int:
    """Return the place of a privacy level. Raises `Usage`."""
    name = str(said).removeprefix(":").lower()
    if name not in LEVELS:
        raise Usage("isn't a privacy level", place=name[:40], hint="One of: " + "  ".join(LEVELS))
    return LEVELS.index(name)


def time_of(said: Any) -> int:
    """Return a time in milliseconds: a number of them, or a day or time of ISO 8601, UTC unless it says otherwise."""
    if type(said) is int:
        return said
    text = str(said)
    is_millis = text.isascii() and text.isdigit() and len(text) >= FEWEST_DIGITS
    if is_millis and len(text) <= MOST_DIGITS:
        return int(text)
    try:
        when = datetime.fromisoformat("" if is_millis else text)
    except ValueError:
        raise Usage("isn't a time", place=str(said)[:40], hint="As in: 2026-02-14 or 2026-02-14T09:30Z.") from None
    return round((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1_000)


class _Reading:
    """Boundaries as far as they were read: those for the whole query, and what it may give."""

    def __init__(self, now: int | None) -> None:
        self.now = now
        self.outer: list[Privacy | Jurisdiction] = []
        self.budget: dict[str, int] = {}

    def tree(self, said: Any, *, negated: bool) -> Any:
        """Return a boundary as a tree of those that may be combined; None if it allows all of them."""
        if isinstance(said, list):
            return _joined(Every, [self.tree(each, negated=negated) for each in said])
        if not isinstance(said, dict):
            raise Usage("should be an object", place="boundaries")
        given = _plain_keys(said)
        if "type" in given:
            given = {_plain(given.pop("type")): given}
        parts = [self._part(key, value, negated=negated) for key, value in given.items()]
        return _joined(Every, parts)

    def _part(self, name: str, said: Any, *, negated: bool) -> Any:
        if name in ("and", "or"):
            if not isinstance(said, list) or not said:
                raise Usage("should be a list", place=name)
            parts = [self.tree(each, negated=negated) for each in said]
            return _joined(Some if name == "or" else Every, parts)
        if name == "not":
            inner = self.tree(said, negated=True)
            return Without(inner) if inner is not None else None
        if name not in _READERS:
            raise Usage("isn't a boundary", place=name[:40], hint="One of: " + "  ".join(_READERS))
        found = _READERS[name](self, said)
        if isinstance(found, Privacy | Jurisdiction):
            if negated:
                raise Usage("can't be negated", place=name, hint="Privacy and regions hold for the whole query.")
            self.outer.append(found)
            return None
        return found

    def limit(self, name: str, value: int) -> None:
        """Add a limit to the budget; of two the narrower holds."""
        narrower = max if name == "relevance" else min
        self.budget[name] = narrower(self.budget.get(name, value), value)


def _temporal(reading: _Reading, said: Any) -> Temporal:
    given = _fields("temporal", said, ("since", "before", "duration"))
    since, before = (time_of(given[name]) if name in given else None for name in ("since", "before"))
    if "duration" in given:
        if since is not None:
            raise Usage("can't be given with since", place="duration", hint="Give one of them.")
        if reading.now is None:
            raise Usage("needs a time to count back from", place="duration", hint="Give now.")
        since = (before if before is not None else reading.now) - _duration(given["duration"])
    return Temporal(since, before)


def _time_limit(reading: _Reading, said: Any) -> Temporal:
    """Read the window of the reference code, whose two ends are in."""
    given = _fields("time_limit", said, ("from_ts", "to_ts"))
    since, upto = (time_of(given[name]) if name in given else None for name in ("from_ts", "to_ts"))
    return Temporal(since, upto + 1 if upto is not None else None)


def _privacy(reading: _Reading, said: Any) -> Privacy:
    return Privacy(level_of(said if isinstance(said, str) else _only_field("privacy", said, "max_level")))


def _jurisdiction(reading: _Reading, said: Any) -> Jurisdiction:
    given = _fields("jurisdiction", said, ("allowed", "denied", "allowed_regions", "denied_regions"))
    allowed, denied = (_texts(name, _either(given, name, f"{name}_regions", ())) for name in ("allowed", "denied"))
    if not allowed and ("allowed" in given or "allowed_regions" in given):
        raise Usage("allows no region", place="jurisdiction")
    return Jurisdiction(allowed, denied)


def _scope(reading: _Reading, said: Any) -> Scope:
    names = ("intent", "plan", "step")
    given = _fields("scope", said, (*names, *(f"{name}_id" for name in names)))
    return Scope(*(str(_either(given, name, f"{name}_id", "")) for name in names))


def _limit(name: str, key: str) -> Callable[[_Reading, Any], None]:
    def read(reading: _Reading, said: Any) -> None:
        value = _only_field(key, said, key) if isinstance(said, dict) else said
        reading.limit(name, thousandths(value) if name == "relevance" else positive(key, value))

    return read


_Reader: TypeAlias = Callable[[_Reading, Any], Any]
_READERS: Mapping[str, _Reader] = {
    "temporal": _temporal,
    "privacy": _privacy,
    "jurisdiction": _jurisdiction,
    "jurisdictional": _jurisdiction,
    "scope": _scope,
    "token_limit": _limit("tokens", "max_tokens"),
    "memory_limit": _limit("bytes", "max_bytes"),
    "semantic_limit": _limit("relevance", "min_relevance"),
    "time_limit": _time_limit,
}


# ---- helpers ----


def thousandths(said: Any) -> int:
    """Return a share between 0 and 1 in thousandths. Raises `Usage`."""
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        raise Usage("should be a number from 0 to 1", place=str(said)[:40])
    return round(said * FULL)


def _joined(how: Callable[[tuple[Any, ...]], Any], parts: Iterable[Any]) -> Any:
    """Join trees. One that allows all makes an `or` allow all, and adds nothing to an `and`."""
    every = list(parts)
    found = [each for each in every if each is not None]
    if how is Some and len(found) < len(every):
        return None
    return found[0] if len(found) == 1 else how(tuple(found)) if found else None


def _allows(tree: Any, entry: Entry) -> bool:
    match tree:
        case Every(parts):
            return all(_allows(part, entry) for part in parts)
        case Some(parts):
            return any(_allows(part, entry) for part in parts)
        case Without(part):
            return not _allows(part, entry)
    return bool(tree.allows(entry))


def _prefix(entries: Sequence[Entry], limit: int, size: Callable[[Entry], int]) -> list[Entry]:
    fits: list[Entry] = []
    for entry in entries:
        limit -= size(entry)
        if limit < 0:
            break
        fits.append(entry)
    return fits


def _tokens(entry: Entry) -> int:
    return entry.tokens


def _bytes(entry: Entry) -> int:
    return len(entry_bytes(entry))


def _plain(key: Any) -> str:
    return str(key).removeprefix(":").replace("-", "_")


def _fields(name: str, said: Any, known: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a boundary that were given. Raises `Usage` for one that it doesn't have, or if it has
    none."""
    if not isinstance(said, dict) or not said:
        raise Usage("should be an object", place=name, hint="With: " + "  ".join(known))
    given = _plain_keys(said)
    if strange := [key for key in given if key not in known]:
        raise Usage(f"{name} has no such field", place=strange[0][:40], hint="One of: " + "  ".join(known))
    return {key: value for key, value in given.items() if value is not None}


def _only_field(name: str, said: Any, key: str) -> Any:
    """Return the value of a boundary's only field. Raises `Usage` if it is null."""
    given = _fields(name, said, (key,))
    if key not in given:
        raise Usage("is missing", place=key)
    return given[key]


def _either(given: Mapping[str, Any], name: str, other: str, default: Any) -> Any:
    """Return the value of a field that has two names. Raises `Usage` if both are given."""
    if name in given and other in given:
        raise Usage(f"can't be given with {name}", place=other)
    return given.get(name, given.get(other, default))


def _plain_keys(said: Mapping[Any, Any]) -> dict[str, Any]:
    """Return an object by its plain keys. Raises `Usage` if two become one, as then one of them wouldn't hold."""
    given = {_plain(key): value for key, value in said.items()}
    if len(given) < len(said):
        raise Usage("names the same field twice", place="  ".join(map(str, said))[:40])
    return given


def _texts(name: str, said: Any) -> tuple[str, ...]:
    if not isinstance(said, list | tuple) or not all(isinstance(each, str) for each in said):
        raise Usage("should be a list of regions", place=name)
    return tuple(sorted(set(said)))


def positive(name: str, said: Any) -> int:
    """Return a setting that is a whole number from 1, or refuse it by its name."""
    if isinstance(said, bool) or not isinstance(said, int) or said < 1:
        raise Usage("should be a number from 1", place=name)
    return said


def _duration(said: Any) -> int:
    """Return a duration in milliseconds, as 30d or as a number of them."""
    try:
        return said if type(said) is int and said > 0 else duration_millis(str(said))
    except ValueError:
        raise Usage("isn't a duration", place=str(said)[:40], hint="As in: 90m, 12h, 30d or 2w.") from None
