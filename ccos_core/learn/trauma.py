"""Dangerous commands with what followed them, and the memos of class `trauma` that they are worth.

A trauma quotes its program in backticks, so that the guard knows from its words what not to run again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ccos_core.learn.guard import dangers_of
from ccos_core.learn.observed import Observation
from ccos_core.learn.proposing import Proposal

TRAUMA = "trauma"
"""The class of the memos, and the kind of what bears them."""
RECOVERY, APOLOGY, USER, NEW_FAILURE = "recovery", "apology", "user", "new-failure"
HARMING = (RECOVERY, APOLOGY, USER)
"""Signs that a command did harm. A failure after it may have another cause."""
CATEGORIES = {"git": "git", "drop": "security", "rm": "workflow"}
_QUOTED = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Sign:
    """Something after a command that shows that it did harm."""

    kind: str
    """`recovery`: what was lost was brought back. `apology`: the agent's. `user`: the user complained. `new-failure`:
    something fails that didn't before."""

    step: int
    words: str
    """The command, the sentence, or the failure."""


@dataclass(frozen=True, slots=True)
class Incident:
    """A dangerous program that was asked for, and what followed."""

    rule: str
    """What makes it dangerous, as in `git push --force`."""

    program: str
    """The program with its words."""

    outcome: str
    """`ran`, `failed`, `refused` by the user, or `unknown`."""

    step: int
    moment: int
    """When, in milliseconds; 0 if that isn't known."""

    host: str
    session: str
    signs: tuple[Sign, ...]
    """What followed, by step."""

    @property
    def harmed(self) -> bool:
        """Return whether something shows that it did harm."""
        return any(each.kind in HARMING for each in self.signs)


def trauma_proposals(incidents: Iterable[Incident], project: str = "") -> tuple[Proposal, ...]:
    """Return a trauma for each rule that a command did harm by, in the order of the first."""
    harmful: dict[str, list[Incident]] = {}
    for each in incidents:
        if each.harmed:
            harmful.setdefault(each.rule, []).append(each)
    return tuple(_proposal(some, project) for some in harmful.values())


def _proposal(incidents: list[Incident], project: str) -> Proposal:
    last = incidents[-1]
    words = f"Ask before running `{last.program.replace('`', '')}`: {_harm(last)}."
    observed = tuple(
        Observation(
            TRAUMA, each.rule, words, each.session, project, each.host, each.moment,
            (each.step, *(sign.step for sign in each.signs)), _harm(each),
        )
        for each in incidents
    )  # fmt: skip
    category = CATEGORIES.get(last.rule.split()[0].lower(), "workflow")
    reason = f"{last.rule} did harm {len(incidents)} time{'s' * (len(incidents) != 1)}"
    sessions = tuple(dict.fromkeys(each.session for each in incidents))
    return Proposal(TRAUMA, words, category, "project", reason, observed, sessions)


def _harm(incident: Incident) -> str:
    sign = next(each for each in incident.signs if each.kind in HARMING)
    words = " ".join(sign.words.replace("`", "'").split()).rstrip(".")
    said = {RECOVERY: "what it lost had to be brought back", APOLOGY: "the agent apologized", USER: "the user said"}
    return f"{said[sign.kind]} ({words})"


def rules_of(words: str) -> frozenset[str]:
    """Return the rules of the guard that the programs quoted in a trauma's words break."""
    return frozenset(danger.rule for quoted in _QUOTED.findall(words) for danger in dangers_of(quoted))
