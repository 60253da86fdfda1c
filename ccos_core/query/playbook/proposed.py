"""`proposals`: rules that the sessions of a record bear out and that are not adopted, each with what shows it, by step.

What was remembered once isn't proposed again, however it stands now: a rule that was taken back stays so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.learn.proposing import Proposal, proposals
from ccos_core.learn.rule import KINDS
from ccos_core.learn.similar import likeness_of
from ccos_core.learn.trauma import TRAUMA, rules_of, trauma_proposals
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.playbook.dangers import incidents
from ccos_core.query.playbook.observing import observations, sessions_of
from ccos_core.query.question import Argument, Question
from ccos_core.query.remembered import remembered_until
from ccos_core.query.saying.utterance import memo_id
from ccos_core.text.retrieval.carried import normalised_words

if TYPE_CHECKING:
    from ccos_core.learn.observed import Observation
    from ccos_core.replay.timeline import Timeline

LIMIT = 20
SHOWN_EVIDENCE, SHOWN_STEPS = 4, 4
"""Sessions that a terminal shows of a rule, and steps of each."""


@dataclass(frozen=True, slots=True)
class SessionEvidence:
    """What one session shows."""

    kind: str
    """`instruction`, `correction`, `preference`, `sequence`, `recovery`, `reverted` or `trauma`."""

    session: str
    agent: str
    """The host."""

    words: str
    """What was said or reported; of a task how to run it."""

    steps: tuple[int, ...]
    """The last steps that show it."""

    detail: str
    """The file and its line, the command, what was reported."""

    times: int
    """How often it was so in the session, ..."""

    of: int
    """... of the times when it could have been so."""


@dataclass(frozen=True, slots=True)
class ProposedRule:
    """A rule that could be adopted."""

    memo: str
    """Its id, to adopt it by."""

    cls: str
    """`rule`, `anti-pattern`, or `trauma` for a command that did harm."""

    words: str
    """What it says."""

    category: str
    """One of the ten: `testing`, `git`, ..."""

    scope: str
    """Where it holds: `project` or `user`."""

    reason: str
    """What bears it, in a sentence."""

    established: bool
    """Whether an instruction file of the project says it."""

    sessions: int
    """How many sessions show it."""

    evidence: tuple[SessionEvidence, ...]
    """What shows it, the oldest first."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """The answer to `proposals`."""

    schema: ClassVar[str] = "ccos.proposals/1"
    at: int
    sessions: int
    """How many sessions were looked at."""

    found: int
    """How many rules could be adopted, listed or not."""

    adopted: int
    """How many more are remembered already, or were taken back."""

    proposals: tuple[ProposedRule, ...]
    """Commands that did harm; then what most sessions show first; then the instruction files, by their lines."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """A row for each rule, and below it what shows it; Enter leads there."""
        return list(_rows(self, view))


def new_proposals(timeline: Timeline, at: int) -> tuple[list[tuple[str, Proposal]], int]:
    """Return (memo, proposal) of all that are not adopted, and how many more are known."""
    found: dict[str, Proposal] = {}
    traumas = trauma_proposals(incidents(timeline, at, lambda done, total: None))
    for each in (*traumas, *proposals(observations(timeline, at))):
        memo = memo_id(tuple(normalised_words(each.words)))
        if each.established:
            found.pop(memo, None)  # what sessions show, too, is known already
        found.setdefault(memo, each)
    known = remembered_until(timeline, at)
    rules = [each.text for each in known.values() if each.cls in KINDS]
    guarded = {rule for each in known.values() if each.cls == TRAUMA for rule in rules_of(each.text)}

    def is_known(memo: str, each: Proposal) -> bool:
        if each.cls == TRAUMA:
            return rules_of(each.words) <= guarded
        return memo in known or any(likeness_of(each.words, text) for text in rules)

    new = [(memo, each) for memo, each in found.items() if not is_known(memo, each)]
    return new, len(found) - len(new)


def proposed(timeline: Timeline, at: int, limit: int) -> Proposals:
    """List the rules that could be adopted at a step."""
    new, adopted = new_proposals(timeline, at)
    listed = tuple(_listed(memo, each) for memo, each in new[: limit or None])
    return Proposals(at, len(sessions_of(timeline, at)), len(new), adopted, listed)


def _listed(memo: str, each: Proposal) -> ProposedRule:
    evidence = tuple(map(_shown, each.observations))
    return ProposedRule(
        memo, each.cls, each.words, each.category, each.scope, each.reason, each.established, len(each.sessions),
        evidence,
    )  # fmt: skip


def _shown(each: Observation) -> SessionEvidence:
    return SessionEvidence(
        each.kind, each.session, each.agent, each.words, each.steps, each.detail, each.times, each.of
    )


def _rows(answer: Proposals, view: View) -> Iterator[Row]:
    looked = f"of {count(answer.sessions, 'session')} up to step {answer.at:,}"
    if not answer.found:
        yield title(f"no new rule {looked}")
        return
    yield title(f"{count(answer.found, 'rule')} to adopt, {looked}")
    for each in answer.proposals:
        known = "from the instructions" if each.established else count(each.sessions, "session")
        yield row(
            Span("+ ", "good", ""), Span(clean(each.words), "strong"), "  ", Span(clean(each.memo), "link"),
            right=[Span(f"{clean(each.category)}, {known}", "quiet")], leads=_first_step(each),
        )  # fmt: skip
        if not each.established:
            yield note(f"    {clean(each.reason)}")
        seen = [shown for shown in each.evidence if shown.steps]
        for shown in seen[-SHOWN_EVIDENCE:]:
            yield _evidence_row(shown)
        yield from and_more(len(seen) - SHOWN_EVIDENCE, "line of evidence", "lines of evidence")
    yield from and_more(answer.found - len(answer.proposals), "rule")
    yield note("`adopt memo:ID` remembers one as a rule; `adopt instructions` all that the project's own files say")


def _evidence_row(shown: SessionEvidence) -> Row:
    steps = ", ".join(f"{step:,}" for step in shown.steps[-SHOWN_STEPS:])
    often = f"  {shown.times:,} of {shown.of:,}" if shown.of > 1 else ""
    said = f"  {clean(shown.detail or shown.words)}"
    return row(
        "    ", Span(f"step {steps}", "link"), said, often, right=[Span(clean(shown.session[:8]), "quiet")],
        leads=Moment(shown.steps[-1]),
    )  # fmt: skip


def _first_step(each: ProposedRule) -> Moment | None:
    steps = [shown.steps[-1] for shown in each.evidence if shown.steps]
    return Moment(steps[-1]) if steps else None


QUESTION = Question(
    ask=proposed,
    answers=(Proposals,),
    example="proposals",
    arguments=(Argument("limit", "count", "rules to list; 0 lists all", default=LIMIT, flag=True),),
    about=(
        "A rule is proposed when several sessions show the same: a task that is nearly always run after such edits, "
        "before a commit or before another task, what a linter reported and edits ended, a wish of the user, edits of "
        "a file that were thrown away. So is a dangerous command that did harm, and the orders of instruction files, "
        "each with its line."
    ),
    nothing=lambda answer: not answer.found,
)
