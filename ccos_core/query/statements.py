"""`statements`: what the user said, the agent declared and files instruct, and whether the agent's window has it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar

from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.carriers import Carriers, Carrying, Course, is_short
from ccos_core.query.hosted.rows import agent_state, whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.remembered import LIVE, SUPERSEDED, Objection, assertions_of
from ccos_core.query.said import Place, Said, partly_read, said_until
from ccos_core.query.saying.files import unknown_files
from ccos_core.query.saying.utterance import AGENT, AUTHORS, FILE, SAID_SCOPE, USER
from ccos_core.query.spoken import Spoken
from ccos_core.query.telling import Run, told_runs
from ccos_core.query.window_words import WindowWords, window_words
from ccos_core.replay.residency.runs import IN, PARTIAL, STATES, UNBORN, WITHIN

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 40
ALL, LOST, HELD = "all", "lost", "held"
STEP_COLUMNS, NARROWEST = 7, 20
PARTS_SHOWN = 8  # steps of texts that were only partly read


OF = {USER: "of the user", AGENT: "of the agent", FILE: "in files", ALL: "of user, agent and files"}
"""Author → how a title says whose statements they are."""


@dataclass(frozen=True, slots=True)
class HeldBy:
    """While what a statement was in the window."""

    item: str
    """What carried it: `prompt:N`, `summary:N`, ...; `file:PATH`."""

    first: int
    last: int
    """The first and the last step, up to the one it was asked about."""

    state: str
    """`in` if it has it word for word, `partial`, `uncertain`."""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One thing that was said."""

    memo: str
    """Its id: the same wherever the same words are said."""

    text: str
    said: int
    """The step at which it was said last; 0 if only the user's own record has it."""

    places: tuple[Place, ...]
    """Where it was said, in order."""

    state: str
    """`in`: the window has it word for word. `partial`: a text there has part of it. `stale`: other words took its
    place, and the window doesn't have these. `uncertain`; `out`; `unborn`: this context never got it."""

    since: int
    """The step since when it stands so; 0 where it never got it."""

    carriers: tuple[Carrying, ...]
    """What brought it into this context up to the step."""

    author: str
    """`user`, `agent` or `file`."""

    pasted: bool
    """Whether it is a block that was pasted: code, a log, a quote."""

    classes: tuple[str, ...]
    """What it is, such as `preference` or `todo`, where that is certain."""

    inferred: bool
    """Whether its class was concluded from its form and isn't confirmed."""

    standing: str
    """`live`, `superseded`, `retracted` or `expired`."""

    by: str
    """The statement that takes its place; empty where none does."""

    scope: str
    """Where it holds: `session`, `project`, `user`."""

    changed: int = 0
    """The step at which it was superseded, retracted or expired; 0 if that isn't known, and while it is live."""

    runs: tuple[Run, ...] = ()
    """With `--course`, how it stood at each step."""

    held: tuple[HeldBy, ...] = ()
    """With `--course`, what carried it, and when."""

    objection: Objection | None = None
    """How others than a person would have a statement of the user stand; None if they didn't say."""


@dataclass(frozen=True, slots=True)
class Statements:
    """The answer to `statements`."""

    schema: ClassVar[str] = "ccos.statements/1"
    at: int
    whose: Whose
    """Whose window is meant."""

    author: str
    """Whose statements are listed: `user`, `agent`, `file` or `all`."""

    held: int
    """How many the window has, whole or in part."""

    lost: int
    """How many it doesn't have."""

    statements: tuple[StatementRow, ...]
    """Those listed, the last said first."""

    more: int
    """How many are left out."""

    not_known: tuple[str, ...]
    """Instruction files that the host loads, or may load, and of which the record holds nothing."""

    partly: int = 0
    """How many of those it has it has in part, or not surely."""

    partly_read: tuple[int, ...] = ()
    """The steps at which the user said more than is listed: of a text that is too long only its start and end were
    kept, or its end counts as one statement."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; Enter leads to where it was said last."""
        every = f"{count(self.held + self.lost, 'statement')} {OF.get(self.author, clean(self.author))}"
        partly = f" ({self.partly:,} of these in part, or uncertain)" if self.partly else ""
        head = title(f"{every} up to step {self.at:,}: {self.held:,} in the window{partly}, {self.lost:,} not")
        whose = note(whose_words(self.whose))
        column = max((len(agent_state(each.state).text) for each in self.statements), default=0) + 1
        room = max((view.columns or 120) - column - STEP_COLUMNS - 2, NARROWEST)
        rows = (_row(each, column, room, names_author=self.author == ALL) for each in self.statements)
        unknown = [note(f"not known: what {clean(path)} says, if there is one") for path in self.not_known]
        steps = ", ".join(f"{step:,}" for step in self.partly_read[:PARTS_SHOWN])
        more = ", …" if len(self.partly_read) > PARTS_SHOWN else ""
        parts = [note(f"too long to be read whole, so statements are missing: step {steps}{more}")] if steps else []
        return [head, whose, *rows, *and_more(self.more, "statement"), *unknown, *parts]


def _row(each: StatementRow, column: int, room: int, *, names_author: bool) -> Row:
    step = each.said
    state = agent_state(each.state)
    pad = Span(" " * max(column - len(state.text), 1), "", ", ")
    number = Span(f"{step:>{STEP_COLUMNS - 1}} ", "quiet", f"step {step:,}, ")
    lost = f" since {each.since:,}" if each.state not in (STATES[IN], STATES[UNBORN]) else ""
    what = _described(each, names_author=names_author)
    text = clip(clean(each.text), max(room - len(lost) - len(what), 1))
    return row(number, state, pad, text, right=[Span(what, "quiet"), lost], leads=Moment(step))


def _described(each: StatementRow, *, names_author: bool) -> str:
    """Say of a statement who said it, what it is, and whether it still holds."""
    place = each.places[-1] if each.places else None
    path, status = (place.path, place.status) if place is not None else ("", "")
    author = [f"{path}:{place.first}" if place is not None and path else each.author] if names_author or path else []
    said = [*author, *each.classes, *([status] if status else []), *(["pasted"] if each.pasted else [])]
    standing = [each.standing] if each.standing != LIVE else []
    standing += [str(each.objection)] if each.objection is not None else []
    scope = [each.scope] if each.scope != SAID_SCOPE else []
    words = ", ".join(clean(word) for word in [*said, *scope, *standing])
    return f" {words}" if words else ""


def statements(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    which: str,
    author: str,
    limit: int,
    session: str | None,
    context: str | None,
    *,
    course: bool,
    progress: Callable[[int, int], None],
) -> Statements:
    """List what was said up to step `at`, and how each statement stands in the window of a context."""
    number, whose = chosen(timeline, at, HOST, session, context)
    carriers = Carriers(timeline, number)
    authors = AUTHORS if author == ALL else (author,)
    said = said_until(timeline, at, (whose.host, whose.session), authors, user)
    said = tuple(each for each in said if each.standing == LIVE or each.places[-1].step)  # ended ones of this project
    window = window_words(timeline, number, at)
    states = [_state(carriers, window, each, at) for each in said]
    held = [state in WITHIN for state in states]
    partly = sum(held) - states.count(IN)
    shown = [each for each, is_held in zip(said, held, strict=True) if which == ALL or is_held == (which == HELD)]
    shown.sort(key=lambda each: each.places[-1].step, reverse=True)
    listed: list[StatementRow] = []
    for each in shown[: limit or None]:
        progress(len(listed), len(shown))
        listed.append(_standing(carriers, each, at, with_course=course))
    unknown = unknown_files(timeline, at, whose.host) if FILE in authors else ()
    more, lost = len(shown) - len(listed), len(held) - sum(held)
    parts = partly_read(timeline, at, (whose.host, whose.session)) if USER in authors else ()
    return Statements(at, whose, author, sum(held), lost, tuple(listed), more, unknown, partly, parts)


def _state(carriers: Carriers, window: WindowWords, said: Said, at: int) -> int:
    """Return how a statement stands, whatever took its place."""
    if not is_short(said):
        return window.state(said.words)
    return carriers.state(carriers.of_statement(said, at), at, said.first)[0]


def _standing(carriers: Carriers, said: Said, at: int, *, with_course: bool) -> StatementRow:
    found = carriers.of_statement(said, at)
    course = carriers.course(found, said.first)
    if said.standing == SUPERSEDED:
        course = Spoken(carriers.timeline, said.memo, carriers.context).course
    since, state = course[bisect_right(course, at, key=itemgetter(0)) - 1]
    is_live = said.standing == LIVE
    return StatementRow(
        said.memo,
        said.text,
        said.places[-1].step,
        said.places,
        STATES[state],
        since,
        found,
        said.author,
        said.pasted,
        said.classes,
        said.inferred,
        said.standing,
        said.by,
        said.scope,
        changed=0 if is_live else assertions_of(carriers.timeline, said.memo, at).since,
        runs=_runs(course, at) if with_course else (),
        held=tuple(_held(carriers, found, at)) if with_course else (),
        objection=said.objection,
    )


def _runs(course: Course, at: int) -> tuple[Run, ...]:
    until = [*(step for step, _ in course[1:]), at + 1]
    known = zip(course, until, strict=True)
    return told_runs((step, min(end - 1, at), state) for (step, state), end in known if step <= at)


def _held(carriers: Carriers, found: Iterable[Carrying], at: int) -> Iterator[HeldBy]:
    for each in found:
        for begin, end, state in carriers.intervals(each):
            if begin <= at:
                how = STATES[PARTIAL if state == IN and not each.whole else state]
                yield HeldBy(each.item, begin, min(end - 1, at), how)


QUESTION = Question(
    ask=statements,
    answers=(Statements,),
    needs=("user", "progress"),
    example="statements --which lost",
    arguments=(
        Argument("which", "word", "which to list", default=ALL, flag=True, words=(ALL, LOST, HELD)),
        Argument("author", "word", "whose statements to list", default=USER, flag=True, words=(*AUTHORS, ALL)),
        Argument("limit", "count", "statements to list; 0 lists all", default=LIMIT, flag=True),
        Argument(
            "course", "switch", "also tell how each stood at every step, and what carried it", default=False, flag=True
        ),
        *WHOSE,
    ),
    about=(
        "Every sentence and list item of a prompt, of queued words, of answers, of edited plans, of reasons for a "
        "refusal and of the text after a slash command is a statement of the user; a pasted block is one. It is in "
        "the agent's window while something there says it: the prompt, a later one, or the summary of a compaction, "
        "word for word or in part. The agent's statements are its todo lists and plans; those in files are what the "
        "instruction files say that its host loads, such as CLAUDE.md or AGENTS.md, with what they import."
    ),
    nothing=lambda answer: not answer.statements,
)
