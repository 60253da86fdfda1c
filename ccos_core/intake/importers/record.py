"""One record of a transcript, and what readers of transcripts have in common.

A reader is fed records in the order they stand in and gives observations as soon as they are certain; it never needs
the end of the file. What it doesn't understand it counts, by name and line, and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

PROMPT_KINDS = ("skill", "interruption", "command", "output")
"""The phases of prompts that a host made of something else than its own words: the text of a skill, the note that the
user interrupted the agent, a command of the host's that was typed, what one printed."""
RESUMED = "resumed"
"""The phase of the note that says that a session was resumed."""

Observation: TypeAlias = dict[str, Any]
"""An op in foreign hands; see `session.admit`."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of a transcript, and where it stands."""

    line: int
    """From 1."""

    value: Any
    """Whatever it is: readers check what they take."""

    name: str = ""
    """In a document that isn't one record a line: the list it stands in, or the field it is."""


@dataclass(slots=True)
class Tally:
    """What was read, and what wasn't understood."""

    records: int = 0
    unknown: dict[str, list[int]] = field(default_factory=dict)
    """Kind of record → the first lines it stands on, and how often, as `note` keeps them."""
    times: dict[str, int] = field(default_factory=dict)
    """Kind of record → how often."""

    def note(self, kind: str, line: int) -> None:
        """Something wasn't understood."""
        kind = kind if len(kind) <= LONGEST_KIND else kind[:LONGEST_KIND] + "…"
        if kind not in self.times and len(self.times) >= MOST_KINDS:
            kind = OTHER_KINDS
        self.times[kind] = self.times.get(kind, 0) + 1
        lines = self.unknown.setdefault(kind, [])
        if len(lines) < FEW:
            lines.append(line)

    def withdraw(self, kind: str, line: int) -> None:
        """It was understood after all, by what came later."""
        if kind in self.times:
            self.times[kind] -= 1
            if line in self.unknown[kind]:
                self.unknown[kind].remove(line)
            if not self.times[kind]:
                del self.times[kind], self.unknown[kind]


FEW = 5
"""Lines that are named of each kind."""
LONGEST_KIND, MOST_KINDS, OTHER_KINDS = 4_000, 500, "of other kinds"
"""Characters of a kind's name, and how many kinds are told apart: what names them is foreign. Much more is kept than is
shown, so that a secret is whole where it is looked for."""
MOST_MODELS = 100


@dataclass(slots=True)
class Origin:
    """What a transcript says of itself, as far as it has been read."""

    session: str = ""
    cwd: str = ""
    """The folder the agent was started in, as its machine spells it."""
    models: list[str] = field(default_factory=list)
    """In the order they were first used."""
    started: int | None = None
    """Milliseconds since 1970."""
    title: str = ""
    ended: str = ""
    """How the session ended, in the host's word: `submitted`, `exit_cost`. Empty while it doesn't say."""

    def uses(self, model: str) -> None:
        """The agent speaks by a model."""
        if model and len(self.models) < MOST_MODELS and model not in self.models:
            self.models.append(model)


class Reader(Protocol):
    """Reads one transcript of one format."""

    tally: Tally
    origin: Origin

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""

    def finish(self) -> Iterator[Observation]:
        """Give what was held back until the end of the transcript; it isn't asked of one that was cut off."""

    def pending(self) -> Iterable[Mapping[str, Any]]:
        """Calls that were made and whose end hasn't been read: {call, name, line}."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of transcripts."""

    name: str
    """The host, as ops say it: `claude-code`."""

    title: str
    """As people call it."""

    document: bool
    """Whether a transcript is one JSON document, rather than one record a line."""

    looks: Callable[[Iterable[Record]], bool]
    """Whether the first records (up to a few dozen) are of this format. Never by the file's name."""

    reader: Callable[[str], Reader]
    """Makes a reader; it is given what to call the session where the transcript doesn't say."""

    text: bool = False
    """Whether a transcript is text, each line of it a record."""
