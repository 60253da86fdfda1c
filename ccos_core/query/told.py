"""`told`: what the agent had been told about what a step does, and whether its window had it then.

Whether a step breaks an instruction is told only where the words of the step show it. Which other statements are about
it is told by the names, and the rarest words, that both have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more, op_row
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count
from ccos_core.query.contexts import contexts_of
from ccos_core.query.hosted.happening import Cut
from ccos_core.query.hosted.rows import agent_state, cut_rows, whose_words
from ccos_core.query.hosted.whose import Whose
from ccos_core.query.instructions.bearing import Instruction, Instructions, Judged
from ccos_core.query.instructions.deeds import Deed, deed_of
from ccos_core.query.instructions.judging import FOLLOWS, TOUCHES, VIOLATES, Verdict
from ccos_core.query.instructions.matching import is_spelled, names_path
from ccos_core.query.instructions.presence import Presence
from ccos_core.query.instructions.terms import NUMBER, PATH, Term, content_of, terms_of
from ccos_core.query.instructions.words import ON_FILES, RUNNING, USING, stems
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.said import REMEMBERED, Said
from ccos_core.query.saying.utterance import USER
from ccos_core.query.telling import Told, one_line, told
from ccos_core.replay.residency.runs import IN, STATES, UNBORN

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LIMIT = 12
NAME_WEIGHT, WORD_WEIGHT = 3, 1
RECENT_WORDS, LEAST_WORDS = 1, 3
"""Plain words that a statement must share with a step, if it shares no name: one of the last two prompts, or an older
one."""
RECENT_PROMPTS = 2
GO_AHEAD_WORDS = 3
"""A prompt whose statements are no longer asks for what the one before it asked for: `yes, do it`."""
MOST_REQUESTED = 3
"""Statements of the last request that are listed where none shares a word with the step."""
ASKS = "asks"
"""Verdict of a statement of the last request."""
RARE_SHARE, RARE_LEAST = 20, 2
"""A plain word counts if at most one statement in so many has it, or so few do."""
MOST_SHARED = 8
LONGEST_STATEMENT, LONGEST_LINE = 2_000, 120
COMMON = ON_FILES | RUNNING | USING | stems("make need want test tests work good look think see know get try time way")
"""Words that are in any work."""
SIGNS = {VIOLATES: ("✗", "bad"), FOLLOWS: ("✓", "good"), ASKS: ("»", "prompt"), TOUCHES: ("·", "quiet")}
VERDICTS = {VIOLATES: "violates", FOLLOWS: "follows", ASKS: "was asked", TOUCHES: "is about"}


@dataclass(frozen=True, slots=True)
class ToldStatement:
    """A statement that is about what a step does."""

    memo: str
    """Its id: the same wherever the same words are said."""

    text: str
    author: str
    """Who said it: `user`, `agent` or `file`."""

    said: int
    """The step at which it was said last before."""

    verdict: str
    """`violates`: the step does what it forbids, or leaves out what it demands. `follows`: it does what it demands.
    `asks`: it is of the user's last request before the step. `touches`: they are about the same."""

    shown: tuple[str, ...]
    """The words of the step that show it."""

    state: str
    """How the window of the step's context had it just before: `in`, `partial`, `stale`, `uncertain`, `out`; `unborn`
    if that context never got it."""

    since: int
    """The step since when it stood so; 0 where the context never got it."""

    cut: Cut | None
    """What dropped it, and what its summary kept of it, if a cut did."""

    replaced: int | None
    """The step at which another statement had taken its place; null if none had."""

    by: str
    """That statement's id."""

    old: str
    """The id of the wording that this one had replaced and that the step follows; empty if there is none."""


@dataclass(frozen=True, slots=True)
class ToldAbout:
    """The answer to `told`."""

    schema: ClassVar[str] = "ccos.told/1"
    at: int
    """The step it was asked about."""

    whose: Whose
    """The context that did it."""

    op: Told
    does: tuple[str, ...]
    """What the step does, as it was compared."""

    looked: int
    """Statements said before it that were compared."""

    violated: int
    """Of the listed ones, those that the step breaks."""

    statements: tuple[ToldStatement, ...]
    """Those that are about it: broken ones first, then followed ones, the last request, and those that share the
    rarest words."""

    more: int
    """How many are left out."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One entry for each statement; Enter leads to where it was said."""
        return list(_rows(self, view))


def told_about(timeline: Timeline, at: int, step: int | None, limit: int) -> ToldAbout:
    """Find the statements that are about what a step did, and how the window of its context had them."""
    step = at if step is None else step
    if not step:
        raise NotFound("nothing was done yet", place="0", hint="Name a step: `told 40`.")
    deed = deed_of(timeline, step)
    who = contexts_of(timeline)[deed.context]
    instructions = Instructions(timeline, (who.host, who.session), deed.step)
    found = list(_found(instructions, deed)) if deed else []
    presence = Presence(timeline)
    listed = tuple(_statement(presence, each, deed) for each in found[: limit or None])
    return ToldAbout(
        at=deed.step,
        whose=Whose(HOST, who.host, who.session, who.context),
        op=told(timeline, deed.step),
        does=tuple(_does(deed)),
        looked=len(instructions.said),
        violated=sum(each.verdict == VIOLATES for each in listed),
        statements=listed,
        more=len(found) - len(listed),
    )


def _found(instructions: Instructions, deed: Deed) -> Iterator[Judged]:
    """Yield what is judged by, then the last request, then what only shares words, the rarest first."""
    judged = instructions.on(deed)
    yield from (each for each in judged if each.verdict.kind != TOUCHES)
    known = {each.instruction.said.memo for each in judged if each.verdict.kind != TOUCHES}
    replaced = {each.instruction.said.memo: each.by for each in judged}
    recent = _recent(instructions.said, deed.step)
    sharing = _sharing(instructions.said, deed, {each.memo for each in recent})
    asked = [each for each in sharing if each[0] in recent] or [(each, ()) for each in recent[:MOST_REQUESTED]]
    touching = [each for each in sharing if each[0] not in recent]
    for kind, some in ((ASKS, asked), (TOUCHES, touching)):
        for said, words in some:
            if said.memo not in known:
                steps = tuple(sorted({place.step for place in said.places}))
                yield Judged(Instruction(said, (), steps), Verdict(kind, words), by=replaced.get(said.memo))


def _recent(every: Sequence[Said], step: int) -> list[Said]:
    """Return the statements of the last request before a step, in order; with those before it, if it is a go-ahead."""
    prompts: dict[int, list[tuple[int, Said]]] = {}
    for each in every:
        for place in each.places:
            if place.step < step and place.channel != REMEMBERED and not each.pasted and each.author == USER:
                prompts.setdefault(place.step, []).append((place.first, each))
    found: list[Said] = []
    for prompt in sorted(prompts, reverse=True)[:RECENT_PROMPTS]:
        found += [each for _, each in sorted(prompts[prompt], key=lambda said: said[0])]
        if any(len(each.words) > GO_AHEAD_WORDS for each in found):
            break
    return found


def _sharing(every: Sequence[Said], deed: Deed, recent: Collection[str]) -> list[tuple[Said, tuple[str, ...]]]:
    """Return the statements that share names or rare words with a deed, and those words, the rarest first. Of `recent`
    ones any word counts."""
    there = deed.words
    terms = {each.memo: _telling(each) for each in every if each.places[0].step < deed.step}
    counts = Counter(key for found in terms.values() for key in found)
    rare = max(len(terms) // RARE_SHARE, RARE_LEAST)
    found: list[tuple[int, int, Said, tuple[str, ...]]] = []
    for each in every:
        shared = {key: term for key, term in terms.get(each.memo, {}).items() if _has(deed, there, term)}
        names = [key for key, term in shared.items() if term.is_name]
        is_recent = each.memo in recent
        words = [key for key, term in shared.items() if not term.is_name and (is_recent or counts[key] <= rare)]
        if names or len(words) >= (RECENT_WORDS if is_recent else LEAST_WORDS):
            weight = sum(
                (len(terms) // counts[key]).bit_length() * (NAME_WEIGHT if shared[key].is_name else WORD_WEIGHT)
                for key in (*names, *words)
            )
            found.append((-weight, -each.places[-1].step, each, tuple(shared[key].text for key in (*names, *words))))
    found.sort(key=lambda one: (one[0], one[1], one[2].memo))
    return [(each, words[:MOST_SHARED]) for _, _, each, words in found]


def _telling(said: Said) -> dict[str, Term]:
    """Return the terms of a statement that say something, each once."""
    found = {}
    for term in content_of(terms_of(said.text[:LONGEST_STATEMENT])):
        if term.kind != NUMBER and (term.is_name or (len(term.text) > 2 and term.stem not in COMMON)):
            found[term.text.lower() if term.is_name else term.stem] = term
    return found


def _has(deed: Deed, there: frozenset[str], term: Term) -> bool:
    """Tell whether a deed has a term: a file by its path, another name as it is spelled, a word by its stem."""
    if term.kind == PATH:
        return any(names_path([term], path) for path in (*deed.paths, *deed.reads)) or term.text in deed.command
    return is_spelled(term, deed) if term.is_name else term.stem in there


def _statement(presence: Presence, each: Judged, deed: Deed) -> ToldStatement:
    said = each.instruction.said
    had = presence.before(said, deed.context, deed.step)
    return ToldStatement(
        memo=said.memo,
        text=said.text,
        author=said.author,
        said=each.instruction.last(deed.step),
        verdict=each.verdict.kind,
        shown=each.verdict.words,
        state=STATES[had.state],
        since=had.since,
        cut=had.cut,
        replaced=each.by.last(deed.step) if each.by is not None else None,
        by=each.by.said.memo if each.by is not None else "",
        old=each.old.said.memo if each.old is not None else "",
    )


def _does(deed: Deed) -> Iterator[str]:
    """Say what a deed does, a line for each program and file."""
    if deed.command:
        yield f"runs {one_line(deed.command, LONGEST_LINE)}"
    for edit in deed.edits:
        counts = [f"+{len(edit.added):,}"] * bool(edit.added) + [f"-{len(edit.removed):,}"] * bool(edit.removed)
        yield " ".join([edit.how, edit.path, *counts])
    for path in deed.reads if not deed.command else ():
        yield f"reads {path}"


# ---- its rows ----


def _rows(answer: ToldAbout, view: View) -> Iterator[Row]:
    yield title(f"what had been said about step {answer.at:,}")
    yield op_row(answer.op)
    yield note(f"  {whose_words(answer.whose)}")
    if not answer.statements:
        looked = f"{count(answer.looked, 'statement')} of the user before it"
        did = f"; it {clean(', '.join(answer.does[:2]))}" if answer.does else "; it changes nothing and runs nothing"
        yield note(f"no statement is about it: looked at {looked}{did}")
        return
    for each in answer.statements:
        yield from _entry(each, view)
    yield from and_more(answer.more, "statement")


def _entry(each: ToldStatement, view: View) -> Iterator[Row]:
    sign, role = SIGNS[each.verdict]
    room = max((view.columns or 160) - 20, 20)
    leads = Moment(each.said)
    yield row(
        Span(f"{sign} ", role, ""),
        Span(f"{VERDICTS[each.verdict]}  ", role),
        clip(f"“{clean(each.text)}”", room),
        leads=leads,
    )
    since = f" since {each.since:,}" if each.state not in (STATES[IN], STATES[UNBORN]) else ""
    said = Span(f"    said at step {each.said:,}; then ", "quiet")
    yield row(said, agent_state(each.state), Span(since, "quiet"), leads=leads)
    if each.shown:
        yield note(f"    by: {clip(clean(', '.join(each.shown)), room)}")
    if each.replaced is not None:
        yield note(f"    replaced at step {each.replaced:,}")
    if each.old:
        yield note("    the step follows an older wording, which this one replaced")
    if each.cut is not None:
        yield from cut_rows(each.cut, view.width)


QUESTION = Question(
    ask=told_about,
    answers=(ToldAbout,),
    example="told 12",
    arguments=(
        Argument("step", "step", "the step; without one, the cursor"),
        Argument("limit", "count", "statements to list; 0 lists all", default=LIMIT, flag=True),
    ),
    about=(
        "Of an edit, a command or a commit: which statements of the user are about it, whether the window of its "
        "context had them just before, and what had dropped them. It says `violates` or `follows` only where the "
        "words of the step show it. A step that does what the user asked for later doesn't violate what was said "
        "before."
    ),
    nothing=lambda answer: not answer.statements,
)
