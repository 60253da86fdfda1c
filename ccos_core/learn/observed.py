"""What one session shows that may be worth a rule, as a value that can be kept and compared.

Observation("correction", "use|pnpm", "Use pnpm, not npm.", "s1", "api", "claude-code", 1_700_000_000_000, (4,))
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ccos_core.values.canon import canonical, parse

INSTRUCTION, PREFERENCE, CORRECTION, SEQUENCE, RECOVERY, REVERTED = (
    "instruction", "preference", "correction", "sequence", "recovery", "reverted"
)  # fmt: skip
KINDS = (INSTRUCTION, CORRECTION, PREFERENCE, SEQUENCE, RECOVERY, REVERTED)
"""What an instruction file says; what the user corrects or wants; commands in this order; a failure with what ended
it; an edit that was taken back."""
COMMIT, CHANGED, ORDER, GIVEN = "git commit", "changed ", "order", "given "
"""Occasions: a task before a commit; after files were changed, `changed *.go`; before another task in one line; an
option where a task is run for a folder."""
BEFORE = " < "


def occasion(when: str, task: str) -> str:
    """Return the key of a task on an occasion; of the occasion itself if there is no task."""
    return f"{when}|{task}"


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that one session shows."""

    kind: str
    """One of `KINDS`."""

    key: str
    """Equal for observations of the same thing in different sessions."""

    words: str
    """The rule it would make, in plain words."""

    session: str
    project: str
    agent: str
    """The host: `claude-code`, `codex`, ..."""

    at: int
    """When it happened last, in milliseconds; 0 if that isn't known."""

    steps: tuple[int, ...]
    """The steps that show it, in order; empty if a file says it that no step read."""

    detail: str = ""
    """What a reader should know beside the words: the file and its line, the failure, the command."""

    times: int = 1
    """How often it was so in the session, ..."""

    of: int = 1
    """... of the times when it could have been so. `times` is 0 where it never was."""


def as_json(observation: Observation) -> bytes:
    """Return an observation as canonical JSON."""
    return canonical({**asdict(observation), "steps": list(observation.steps)})


def from_json(body: bytes) -> Observation:
    """Return the observation that canonical JSON spells."""
    fields = parse(body)
    return Observation(**{**fields, "steps": tuple(fields["steps"])})
