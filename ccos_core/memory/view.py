"""A view: what one principal may see of what is remembered, by the policy in force and the boundaries of a query.

    view = view_of(Policy(), "agent")
    view.sees(entry)          # False for an entry labelled high

Rows, counts, near misses and suggestions are made of what a view lets through, never of more. The owner governs: other
principals have what the policy gives them, and a boundary only narrows that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ccos_core.errors import Refused, Usage
from ccos_core.memory.boundaries import Boundaries, Jurisdiction, Privacy, level_of
from ccos_core.memory.entry import LEVELS, UNLABELLED_LEVEL, Entry
from ccos_core.text.moments import duration_millis
from ccos_core.values.canon import NotCanonical, digest, spelled

OWNER, AGENT = "owner", "agent"
SCHEMA = "ccos.policy/1"
ANY = "*"
PARTS = ("principals", "lifetimes", "thresholds", "budgets")
GRANT_FIELDS = ("level", "regions", "denied_regions", "classes", "denied_classes", "tags", "denied_tags", "agents")
LISTS = GRANT_FIELDS[1:]


class Memo(Protocol):
    """What a view looks at: an entry has it, and so do the labels of a statement."""

    @property
    def cls(self) -> str: ...
    @property
    def privacy(self) -> int: ...
    @property
    def regions(self) -> tuple[str, ...]: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def author(self) -> str: ...
    @property
    def provider(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Grant:
    """What the owner gave a principal. Empty lists don't narrow."""

    level: int = UNLABELLED_LEVEL
    regions: tuple[str, ...] = ()
    denied_regions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    denied_classes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    denied_tags: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """Other agents whose entries it may see; `*` for all."""


DEFAULT_GRANTS = {AGENT: Grant(agents=(ANY,)), OWNER: Grant(len(LEVELS) - 1, agents=(ANY,))}


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner governs. `Policy()` holds until the owner has recorded one."""

    principals: Mapping[str, Grant] = field(default_factory=lambda: DEFAULT_GRANTS)
    lifetimes: Mapping[str, int] = field(default_factory=dict)
    """Class → milliseconds after which it may expire."""

    thresholds: Mapping[str, int] = field(default_factory=dict)
    budgets: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as it is recorded: canonical, and complete."""
        grants = {
            name: {"level": LEVELS[grant.level], **{key: list(getattr(grant, key)) for key in LISTS}}
            for name, grant in self.principals.items()
        }
        numbers = {name: dict(getattr(self, name)) for name in PARTS[1:]}
        return {"schema": SCHEMA, "principals": grants, **numbers}

    @property
    def hash(self) -> str:
        return digest(spelled(self.as_json())).hex()


@dataclass(frozen=True, slots=True)
class View:
    """What one principal may see."""

    principal: str
    grant: Grant
    policy: str = ""
    """The hash of the policy in force."""

    boundaries: Boundaries = field(default_factory=Boundaries)

    @property
    def is_owner(self) -> bool:
        """Whether it sees everything."""
        return self.grant == DEFAULT_GRANTS[OWNER] and self.boundaries == Boundaries()

    def grants(self, memo: Memo) -> bool:
        """Tell whether the policy lets the principal see a memo, whatever the query's boundaries."""
        given = self.grant
        return (
            Privacy(given.level).allows(memo)
            and Jurisdiction((), given.denied_regions).allows(memo)
            and (not given.regions or any(each in given.regions for each in _given(memo, "regions")))
            and (not given.classes or memo.cls in given.classes)
            and memo.cls not in given.denied_classes
            and (not given.tags or any(tag in given.tags for tag in _given(memo, "tags")))
            and not any(tag in given.denied_tags for tag in memo.tags)
            and self._may_see_agent(memo)
        )

    def sees(self, entry: Entry) -> bool:
        """Tell whether an entry may be in an answer."""
        return self.grants(entry) and self.boundaries.allow(entry)

    def within(self, boundaries: Boundaries) -> View:
        """Return the view of one query."""
        return replace(self, boundaries=boundaries)

    def _may_see_agent(self, memo: Memo) -> bool:
        if memo.author != AGENT or ANY in self.grant.agents:
            return True
        host = memo.provider.partition("/")[0]
        return bool(host) and host in (self.principal.partition(":")[2], *self.grant.agents)


def view_of(policy: Policy, principal: str) -> View:
    """Return the view of a principal. An agent that the policy doesn't name has what `agent` has, but sees nothing of
    other agents. Raises `Refused` for others that it doesn't name."""
    if principal == OWNER:
        return View(OWNER, DEFAULT_GRANTS[OWNER], policy.hash)
    grant = policy.principals.get(principal)
    if grant is None and principal.startswith(f"{AGENT}:") and AGENT in policy.principals:
        grant = replace(policy.principals[AGENT], agents=())
    if grant is None:
        raise Refused("isn't a principal of this workspace", place=principal[:40], hint="See: ccos-tui govern WS show")
    return View(principal, grant, policy.hash)


def policy_of(text: str) -> Policy:
    """Read a policy. What it leaves out is as in `Policy()`. Raises `Usage` with the place that is wrong."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Usage(f"isn't JSON: {str(error)[:80]}", place="policy") from None
    given = _object(said, "policy", (*PARTS, "schema"))
    if given.get("schema", SCHEMA) != SCHEMA:
        raise Usage(f"is of another schema than {SCHEMA}", place="policy")
    grants = {name: _grant(name, each) for name, each in _object(given.get("principals", {}), "principals").items()}
    if OWNER in grants and grants[OWNER] != DEFAULT_GRANTS[OWNER]:
        raise Usage("sees everything; that can't be changed", place=f"principals.{OWNER}")
    numbers = (
        {key: _number(f"{name}.{key}", each) for key, each in _object(given.get(name, {}), name).items()}
        for name in PARTS[1:]
    )
    policy = Policy({**DEFAULT_GRANTS, **grants}, *numbers)
    try:
        _ = policy.hash
    except NotCanonical as error:
        raise Usage(f"can't be recorded: {str(error)[:80]}", place="policy") from None
    return policy


# ---- helpers ----


def _given(memo: Memo, name: str) -> tuple[str, ...]:
    """Return the labels that an allow-list looks at; of an entry all, as its statement is looked at too."""
    found: tuple[str, ...] = getattr(memo, f"given_{name}", getattr(memo, name))
    return found


def _grant(name: str, said: Any) -> Grant:
    place = f"principals.{name}"
    given = _object(said, place, GRANT_FIELDS)
    lists = {key: _texts(f"{place}.{key}", given[key]) for key in LISTS if key in given}
    usual = DEFAULT_GRANTS.get(name, Grant())
    return replace(usual, level=level_of(given["level"]) if "level" in given else usual.level, **lists)


def _object(said: Any, place: str, known: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise Usage("should be an object", place=place)
    if known and (strange := [key for key in said if key not in known]):
        raise Usage(f"{place} has no such field", place=strange[0][:40], hint="One of: " + "  ".join(known))
    return said


def _texts(place: str, said: Any) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise Usage("should be a list of words", place=place)
    return tuple(sorted(set(said)))


def _number(place: str, said: Any) -> int:
    """Return a number; a duration, such as 30d, is one of milliseconds."""
    try:
        found = said if type(said) is int else duration_millis(said) if isinstance(said, str) else -1
    except ValueError:
        found = -1
    if found < 0:
        raise Usage("should be a number, or a duration such as 30d", place=place)
    return found
