"""What `autopsy` answers: whether a session drifted, where, and who is suspected, each with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.present.rows import Row, View
from ccos_core.present.words import count
from ccos_core.query.autopsy.rows import autopsy_rows
from ccos_core.query.telling import Told

KINDS = ("evicted", "stale", "reread", "loop", "untouched")
"""What a suspect is suspected of: it wasn't in the window when it was needed; it was there as it isn't any more; it was
dropped and had to be read again; it was changed to and fro, or left alone while the same was run again and again; it
was left alone while other things were changed."""
FINDINGS = (
    *KINDS, "reported", "pasted", "corrected", "declined", "undone", "thrown-away", "refused", "thrash", "submitted",
    "red", "error", "limit", "interrupted", "forgotten", "ignored", "uninformed", "outdated", "said-again", "retried",
)  # fmt: skip
"""What a finding is: what a suspect is suspected of; or that the user reported that it doesn't work, pasted a failure,
corrected a claim, refused calls in a row, or had work undone; that a fix was taken back; that edits were refused, since
the agent no longer knew the file; that the same commands failed again and again; that the work was handed in though its
last run failed, or that the last run failed; that an error, a limit or the user ended the session; that an instruction
was broken after the agent's window had lost it, with the instruction in its window, by a subagent that never got it, or
by following a wording that had been replaced; that the user said an instruction again after the window had lost it;
that a failed attempt was made again after it had left the window."""
CERTAINTIES = ("certain", "likely", "possible")
"""Recorded as it is told; inferred from what is recorded; not excluded by it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One step that speaks for it."""

    step: int
    """Which one."""

    words: str
    """What that step has to do with it."""

    op: Told
    """What happened then."""


@dataclass(frozen=True, slots=True)
class Ours:
    """What the suggested window had of a file when the agent's had lost it."""

    step: int
    """Just before the first change that was made without it, or before it had to be shown again."""

    budget: int
    """Of the working set, in tokens."""

    state: str
    """`in` or `partial` if it held the file; `out`, `unborn` or `gone` if not."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Something the trouble may come from."""

    node: str
    """A file."""

    kind: str
    """What it is suspected of: `evicted`, `stale`, `reread`, `loop` or `untouched`."""

    certainty: str
    """`certain`: recorded; `likely`: inferred from what is recorded; `possible`: not excluded by it."""

    why: str
    """In a sentence."""

    symbols: tuple[str, ...]
    """Where in the file to look first."""

    path: tuple[str, ...]
    """From the file where the failure is located to this one, each using the next; empty where no such way is known."""

    evidence: tuple[Evidence, ...]
    """In the order of the steps."""

    score: int
    """How much speaks for its being the cause; only good for comparing, and what was changed in circles is named among
    the first in any case."""

    ours: Ours | None = None
    """Whether the suggested window held what the agent's window lacked; null if it lacked nothing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found."""

    kind: str
    """What a suspect is suspected of, or `reported`, `pasted`, `corrected`, `declined`, `undone`,
    `thrown-away`, `refused`, `thrash`,
    `submitted`, `red`, `error`, `limit`, `interrupted`, `forgotten`, `ignored`, `uninformed`, `outdated`,
    `said-again`, `retried`."""

    certainty: str
    """`certain`: recorded; `likely`: inferred from what is recorded; `possible`: not excluded by it."""

    drift: bool
    """Whether it means that the session went wrong; otherwise it is only worth knowing."""

    step: int
    """Where it began."""

    last: int
    """Where it ended."""

    says: str
    """In a sentence."""

    evidence: tuple[Evidence, ...]
    """In the order of the steps; empty where it stands with the suspect."""

    weight: int
    """The findings are ordered by it; only good for comparing."""

    node: str = ""
    """The suspected file, if it is about one."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A failure that hasn't ended."""

    step: int
    """The last run that reported it."""

    name: str
    """The test, or the tool that reported it."""

    rerun_due: bool
    """Whether files were changed since, so that it may work by now."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What was looked at."""

    steps: int
    """From the first one on."""

    failures: int
    """That began in these steps."""

    retried: int
    """Of these, how many failed again after something was changed for them, were run again and again,
    or were left failing."""

    examined: int
    """Of these, how many were looked into; the most persistent ones, should there be too many."""

    edits: int
    """Files changed or written in a conversation, each time counted."""

    reads: int
    """Files shown, each time counted."""

    losses: int
    """Compactions, clearings, and falls of the recorded context."""

    falls: int
    """Of these, falls: the context became smaller, and why isn't recorded."""

    failing: int = 0
    """Failures that haven't ended."""

    unplaced: int = 0
    """Of these, those at places that the record has no source of."""

    partial: int = 0
    """Changed files of which the record doesn't know every line, of the last 200 that were changed."""

    prompts: int = 0
    """Prompts that the user typed."""

    failed_calls: int = 0
    """Calls that failed or were refused."""

    def words(self) -> str:
        """Say what was examined."""
        said = [count(self.prompts, "prompt")] if self.prompts else []
        said += [count(self.failed_calls, "failed call")] if self.failed_calls else []
        said += [count(self.failures, "failure"), count(self.edits, "edit"), count(self.reads, "read")]
        unexplained = f" ({self.falls:,} with no recorded cause)" if self.falls else ""
        said.append(count(self.losses, "loss", "losses") + " of context" + unexplained)
        examined = f", the {self.examined:,} most persistent looked into" if self.examined < self.retried else ""
        retried = f" {self.retried:,} not over at once{examined}." if self.retried else ""
        return f"Examined {count(self.steps, 'step')}: {', '.join(said)}.{retried}"

    def incomplete(self) -> str:
        """Say that sources are missing, and what adds them; empty where none are."""
        missing = []
        if self.partial:
            missing.append(f"{count(self.partial, 'changed file')} known only in part")
        if self.unplaced:
            missing.append(f"{count(self.unplaced, 'failure')} without the source of its place")
        said = ", ".join(missing)
        return f"Sources are missing: {said}. Import again with --repo DIR to add them." if missing else ""


@dataclass(frozen=True, slots=True)
class Autopsy:
    """The answer to `autopsy`."""

    schema: ClassVar[str] = "ccos.autopsy/1"
    at: int
    """Up to which step was looked."""

    drifted: bool
    """Whether it went wrong at all."""

    step: int | None
    """Where it went wrong."""

    verdict: str
    """What went wrong there, in a sentence; or that no drift was found."""

    failure: str
    """The failure it is about; empty where it is about none."""

    suspects: tuple[Suspect, ...]
    """The most suspicious first."""

    further: int
    """Suspects that are left out; those with least against them aren't counted."""

    looked: Looked
    """What was looked at, whatever was found."""

    failing: tuple[Failing, ...] = ()
    """The failures that haven't ended at the last step looked at: first those that fail now, then those not run again
    since a change, each the latest first; at most ten."""

    findings: tuple[Finding, ...] = ()
    """Everything that was found: what an engineer would name first comes first, and is the verdict."""

    later: int = 0
    """If nothing went wrong by this step, the step where the first trouble of the whole session begins; else 0."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(autopsy_rows(self, view))
