"""`dangers`: dangerous commands that were run or refused, and what followed: failures, recoveries, apologies.

What is dangerous is judged by `learn.guard` from the parsed command. What followed is looked for in the same context,
up to the user's second prompt after it. A command after which something was brought back, the agent apologized or the
user complained did harm; any other was a near miss.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.intake.tools import command_of, runs_nothing
from ccos_core.learn.guard import dangers_of, may_be_dangerous, recovery_in
from ccos_core.learn.trauma import APOLOGY, HARMING, NEW_FAILURE, RECOVERY, USER, Incident, Sign
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.autopsy.findings.calls import Failed
from ccos_core.query.contexts import contexts_of
from ccos_core.query.op_text import text_of
from ccos_core.query.question import Argument, Question
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.telling import one_line
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.past import failure_told, outages

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.saying.utterance import Utterance
    from ccos_core.replay.timeline import Timeline

LIMIT = 40
TOOLS_KNOWN = 1
"""Version of the table of tools that run nothing."""
AT_ONCE = 500  # calls whose arguments are read together
STEPS_LOOKED = 120
PROMPTS_LOOKED = 2
NEW_FAILURES = 3  # told of one command
WORDS_LONGEST = 160
RAN, FAILED, REFUSED, UNKNOWN = "ran", "failed", "refused", "unknown"
OUTCOMES = {"ok": RAN, "error": FAILED, "interrupted": FAILED}
_APOLOGY = re.compile(
    r"\b(?:I(?:'m| am) (?:so |very |really |deeply )?sorry|I apologi[sz]e|my (?:sincere )?apologies|my mistake"
    r"|I made a (?:serious |terrible |big |huge )?mistake|I (?:accidentally|mistakenly|inadvertently|wrongly)"
    r"|I should(?:n't| not) have|I should have (?:asked|checked)|I (?:lost|destroyed|wiped|deleted) your)\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"\b(?:why did you|what (?:did|have) you (?:do|done)|you(?:'ve| have)? (?:just )?(?:deleted|removed|lost|wiped"
    r"|destroyed|overwr[io]t\w+|broke|reset|reverted|dropped|force)|(?:is|are|was|were) (?:all )?(?:gone|lost|deleted)"
    r"|get (?:it|them|that|my \w+) back|bring (?:it|them|that) back|undo|restore|recover|never (?:do|run) that"
    r"|(?:don't|do not|never) (?:ever )?(?:do|run|use) (?:that|this|it)|I didn't (?:ask|tell|say)"
    r"|stop (?:doing )?that)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dangers:
    """The answer to `dangers`."""

    schema: ClassVar[str] = "ccos.dangers/1"
    at: int
    found: int
    """How many dangerous programs were asked for, listed or not."""

    harmed: int
    """After how many something shows harm."""

    refused: int
    """How many the user refused."""

    dangers: tuple[Incident, ...]
    """Those listed: those that did harm first, then by step."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def dangers(timeline: Timeline, at: int, limit: int, *, progress: Callable[[int, int], None]) -> Dangers:
    """List the dangerous programs that were run or refused up to a step; a `limit` of 0 lists them all."""
    found = sorted(incidents(timeline, at, progress), key=lambda each: not each.harmed)
    refused = sum(each.outcome == REFUSED for each in found)
    return Dangers(at, len(found), sum(each.harmed for each in found), refused, tuple(found[: limit or None]))


def incidents(timeline: Timeline, at: int, progress: Callable[[int, int], None]) -> Iterator[Incident]:
    """Yield the dangerous programs that were asked for up to a step, with what followed, in their order."""
    following = _Following(timeline, at)
    for step, op, command in _commands(timeline, at, progress):
        outcome = _outcome(timeline, step, op)
        signs = () if outcome == REFUSED else tuple(following.signs(step))
        where = contexts_of(timeline)[int(timeline.journal.steps["context"][step - 1])]
        for danger in dangers_of(command):
            moment = op.get("at") or 0
            yield Incident(danger.rule, danger.program, outcome, step, moment, where.host, where.session, signs)


def _commands(timeline: Timeline, at: int, progress: Callable[[int, int], None]) -> Iterator[tuple[int, Plain, str]]:
    """Yield (step, op, command) of the calls that may run something dangerous."""
    steps = (np.flatnonzero(timeline.journal.steps["kind"][:at] == KIND_CODES["tool"]) + 1).tolist()
    for first in range(0, len(steps), AT_ONCE):
        progress(first, len(steps))
        some = steps[first : first + AT_ONCE]
        timeline.have_ready(some)
        ops = {step: op for step in some if "arguments" in (op := timeline.op(step))}
        texts = timeline.contents([op["arguments"]["blob"] for op in ops.values()])
        for step, op in ops.items():
            given = texts.get(op["arguments"]["blob"], b"").decode("utf-8", "replace")
            if may_be_dangerous(given) and not runs_nothing(op["name"], TOOLS_KNOWN):
                command = command_of(given)
                if command:
                    yield step, op, command


def _outcome(timeline: Timeline, step: int, op: Plain) -> str:
    if op["outcome"] == "error":
        context = int(timeline.journal.steps["context"][step - 1])
        result = text_of(timeline, op.get("result"))
        if Failed(step, op["name"], context, result, host=op.get("host", "")).is_refused:
            return REFUSED
    return OUTCOMES.get(op["outcome"], UNKNOWN)


class _Following:
    """What a record shows after a step."""

    def __init__(self, timeline: Timeline, at: int) -> None:
        self.timeline = timeline
        self.at = at
        self._prompts = [each for each in user_utterances(timeline) if each.step <= at]
        self._failures = outages(timeline.journal, timeline.at(at).last) if at else []

    def signs(self, step: int) -> Iterator[Sign]:
        """Yield what shows that a command at a step did harm, in order."""
        steps = self.timeline.journal.steps
        context = int(steps["context"][step - 1])
        mine = [each for each in self._prompts if each.context == context]
        prompts = mine[bisect_right([each.step for each in mine], step) :][: PROMPTS_LOOKED + 1]
        until = prompts[-1].step if len(prompts) > PROMPTS_LOOKED else self.at
        found = [*self._said(prompts[:PROMPTS_LOOKED]), *self._failing(step, until)]
        behind = np.flatnonzero(steps["context"][step:until] == context)[:STEPS_LOOKED] + step + 1
        self.timeline.have_ready(behind.tolist())
        for later in behind.tolist():
            op = self.timeline.op(later)
            if op["kind"] == "turn":
                text = text_of(self.timeline, op.get("said"))
                if (apology := _APOLOGY.search(text)) is not None:
                    found.append(Sign(APOLOGY, later, _around(text, apology)))
            elif op["kind"] == "tool" and "arguments" in op:
                given = text_of(self.timeline, op["arguments"])
                if recovered := recovery_in(command_of(given)):
                    found.append(Sign(RECOVERY, later, recovered))
        yield from sorted(found, key=lambda each: each.step)

    def _said(self, prompts: Sequence[Utterance]) -> Iterator[Sign]:
        """The first complaint in each prompt."""
        for each in prompts:
            said = next((some.text for some in each.statements if _COMPLAINT.search(some.text)), None)
            if said is not None:
                yield Sign(USER, each.step, one_line(said, WORDS_LONGEST))

    def _failing(self, step: int, until: int) -> Iterator[Sign]:
        """Failures that the first run after it reports as new."""
        new = [each for each in self._failures if step <= each.since <= min(until, step + STEPS_LOOKED)]
        for each in new[:NEW_FAILURES]:
            (runner, _, _), live = failure_told(self.timeline.journal, each.row)
            name = live.failure.test or live.failure.message or runner
            yield Sign(NEW_FAILURE, each.since, one_line(name, WORDS_LONGEST))


def _around(text: str, found: re.Match[str]) -> str:
    """Return the sentence of a match."""
    begin = max(text.rfind(mark, 0, found.start()) for mark in ".!?\n") + 1
    ends = [end for mark in ".!?\n" if (end := text.find(mark, found.end())) >= 0]
    return one_line(text[begin : min(ends, default=len(text)) + 1].strip(), WORDS_LONGEST)


# ---- its rows ----

_SIGN_WORDS = {RECOVERY: "brought back", APOLOGY: "apology", USER: "the user", NEW_FAILURE: "new failure"}


def _rows(answer: Dangers, view: View) -> Iterator[Row]:
    if not answer.found:
        yield title(f"no dangerous command up to step {answer.at:,}")
        return
    counted = [f"{answer.harmed:,} with signs of harm"] * bool(answer.harmed)
    counted += [f"{answer.refused:,} refused by the user"] * bool(answer.refused)
    yield title(", ".join([f"{count(answer.found, 'dangerous command')} up to step {answer.at:,}", *counted]))
    room = max(view.width - 40, 20)
    for each in answer.dangers:
        sign = Span("✗ ", "bad", "harm: ") if each.harmed else Span("· ", "quiet", "near miss: ")
        outcome = f"  {clean(each.outcome)}" if each.outcome != RAN else ""
        yield row(
            sign, Span(f"step {each.step:,}", "link"), "  ", Span(clean(each.rule), "strong"), "  ",
            clip(clean(each.program), room), right=[Span(outcome, "quiet")], leads=Moment(each.step),
        )  # fmt: skip
        for found in each.signs:
            role = "warn" if found.kind in HARMING else "quiet"
            what = Span(f"  {_SIGN_WORDS.get(found.kind, clean(found.kind))}: ", role)
            words = clip(clean(found.words), room)
            yield row("    ", Span(f"step {found.step:,}", "link"), what, words, leads=Moment(found.step))
    yield from and_more(answer.found - len(answer.dangers), "dangerous command")
    if answer.harmed:
        yield note("`remember` one with --class trauma, and the guard of `setup --guard` asks before it is run again")


QUESTION = Question(
    ask=dangers,
    answers=(Dangers,),
    example="dangers",
    arguments=(Argument("limit", "count", "commands to list; 0 lists all", default=LIMIT, flag=True),),
    needs=("progress",),
    about="Commands are parsed: what is only mentioned, a dry run and the removal of what a build makes again don't "
    "count.",
    nothing=lambda answer: not answer.found,
)
