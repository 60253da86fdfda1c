"""Which files of a project have a role: soul, user, memory, impressions, daily notes.

Roles().with_paths({"memory": "docs/notes.md"}).paths("soul")     # ("SOUL.md", "AGENTS.md", "CLAUDE.md")
day_of("yesterday", "2026-03-01")                                 # date(2026, 2, 28)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from ccos_core.errors import Usage

SOUL, USER, MEMORY, IMPRESSIONS, DAILY = ROLES = ("soul", "user", "memory", "impressions", "daily")
DATE = "{date}"
"""What stands for the day in the daily pattern."""
TODAY, YESTERDAY = "today", "yesterday"


@dataclass(frozen=True, slots=True)
class Roles:
    """Which files have a role. Of several paths the first that is there counts, or else the first."""

    soul: tuple[str, ...] = ("SOUL.md", "AGENTS.md", "CLAUDE.md")
    user: tuple[str, ...] = ("USER.md",)
    memory: tuple[str, ...] = ("MEMORY.md",)
    impressions: tuple[str, ...] = ("IMPRESSIONS.md",)
    daily: str = "memory/{date}.md"

    def paths(self, role: str, day: str = "") -> tuple[str, ...]:
        """The paths that may have a role; `day` is the date of daily notes."""
        if role == DAILY:
            return (self.daily.replace(DATE, day_of(day).isoformat()),)
        found: tuple[str, ...] = getattr(self, role)
        return found

    def with_paths(self, paths: Mapping[str, str]) -> Roles:
        """The same with other paths; `daily` must say where its day goes."""
        if DAILY in paths and paths[DAILY].count(DATE) != 1:
            raise Usage(f"has to contain {DATE} once", place=paths[DAILY], hint="For example: memory/{date}.md")
        soul, user, memory, impressions = (
            (paths[role],) if role in paths else getattr(self, role) for role in (SOUL, USER, MEMORY, IMPRESSIONS)
        )
        return Roles(soul, user, memory, impressions, paths.get(DAILY, self.daily))

    def day_in(self, path: str) -> str:
        """The day whose notes a path holds; empty if it holds none."""
        start, _, end = self.daily.partition(DATE)
        day = path[len(start) : len(path) - len(end)]
        return day if is_day(day) and path == f"{start}{day}{end}" else ""


def day_of(said: str, today: str = "") -> date:
    """The day a word means: `YYYY-MM-DD`, or `today` and `yesterday` if the caller says which day it is."""
    if today and said in ("", TODAY, YESTERDAY):
        day = date.fromisoformat(today)
        return day - timedelta(days=1) if said == YESTERDAY else day
    if not is_day(said):
        raise Usage("isn't a day", place=said or "date", hint="Write it as 2026-02-08, today or yesterday.")
    return date.fromisoformat(said)


def is_day(said: str) -> bool:
    """Whether a text is a date as `YYYY-MM-DD`."""
    if len(said) != 10 or not said.isascii() or said[4] != "-" or said[7] != "-":
        return False
    try:
        return date.fromisoformat(said).isoformat() == said
    except ValueError:
        return False
