"""`diary`: what each session did, decided, met and learned, each item with its steps; told without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.errors import Usage
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import duration, moment
from ccos_core.query.autopsy.finding import Progress
from ccos_core.query.contexts import contexts_of, meant
from ccos_core.query.playbook.diary_items import SECTIONS, Item, Pages, masked
from ccos_core.query.question import Argument, Question
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.telling import one_line
from ccos_core.replay.codes import NO_TIME
from ccos_core.values.canon import canonical, digest, plain

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MOST_CHARACTERS = 50_000
"""Characters of a session's texts; the last items of the longest sections are left out beyond."""
MOST_ITEMS, MOST_STEPS = 40, 12
"""Items of a section, and steps of an item."""
SHOWN_ITEMS = 6
ABOUT_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a session did, heard or learned."""

    text: str
    steps: tuple[int, ...]
    """The steps that show it: the first ones, in order."""


@dataclass(frozen=True, slots=True)
class DiarySection:
    """The entries of one kind."""

    name: str
    """`accomplishments`, `decisions`, `challenges`, `preferences`, `failed attempts` or `learnings`."""

    entries: tuple[Entry, ...]
    """The most important first."""

    more: int
    """How many are left out."""


@dataclass(frozen=True, slots=True)
class SessionDiary:
    """The diary of one session."""

    id: str
    """The hash of all that it says: the same content has the same id."""

    host: str
    session: str
    first: int
    """Its first step, ..."""

    last: int
    """... and its last one, up to the step asked about."""

    began: int | None
    """When it began, in milliseconds since 1970; null if that isn't known."""

    millis: int | None
    """How long it took, in milliseconds."""

    about: str
    """How the user's first prompt begins."""

    sections: tuple[DiarySection, ...]
    """Those that have entries."""

    tags: tuple[str, ...]
    """Kinds of files, parts of the project and programs that reported failures."""

    anchors: tuple[str, ...]
    """What to search for: files, failures, commits."""


@dataclass(frozen=True, slots=True)
class Diary:
    """The answer to `diary`."""

    schema: ClassVar[str] = "ccos.diary/1"
    at: int
    sessions: tuple[SessionDiary, ...]
    """The newest first."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


@dataclass(frozen=True, slots=True)
class DiaryPage:
    """The answer to `diary --markdown`."""

    schema: ClassVar[str] = "ccos.diary-page/1"
    verbatim: ClassVar = True
    at: int
    text: str
    """The diary as Markdown."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return [row(clean(line)) for line in self.text.split("\n")]


def diary(timeline: Timeline, at: int, *, session: str | None, markdown: bool, progress: Progress) -> Diary | DiaryPage:
    """Tell what the sessions of a record came to, up to a step."""
    if session is not None and not session.strip():
        raise Usage("no session is named", hint="Leave the name out for all sessions.")
    answer = Diary(at, session_diaries(timeline, at, session, progress))
    return DiaryPage(at, as_markdown(answer)) if markdown else answer


def session_diaries(timeline: Timeline, at: int, session: str | None, progress: Progress) -> tuple[SessionDiary, ...]:
    """Return the diaries of the sessions of a record, or of the one that is named, the newest first.

    Each is told as of the step before the next session began, so that it stays as it is whatever follows.
    """
    contexts, wanted = contexts_of(timeline), set(meant(timeline, session, None))
    named = {number: (each.host, each.session) for number, each in contexts.items() if each.session}
    sessions = dict.fromkeys(each for number, each in named.items() if number in wanted) if named else {("", ""): None}
    ends = _ends(timeline, at)
    made = (_session(Pages(timeline, ends.get(each, at), progress), each) for each in sessions)
    return tuple(sorted((each for each in made if each is not None), key=lambda each: -each.first))


def _ends(timeline: Timeline, at: int) -> dict[tuple[str, str], int]:
    """Return the step up to which each session is told: the one before the first session that begins after its end."""
    numbers = timeline.journal.steps["context"][:at]
    steps: dict[tuple[str, str], list[int]] = {}
    for number, each in contexts_of(timeline).items():
        found = np.flatnonzero(numbers == number) + 1
        if each.session and len(found):
            steps.setdefault((each.host, each.session), []).extend((int(found[0]), int(found[-1])))
    firsts = sorted(min(each) for each in steps.values())
    return {key: next((first - 1 for first in firsts if first > max(each)), at) for key, each in steps.items()}


def _session(pages: Pages, session: tuple[str, str]) -> SessionDiary | None:
    """Return the diary of a session; None if it has no step yet, or no name and nothing to say."""
    timeline, (host, name) = pages.timeline, session
    numbers = [number for number, each in contexts_of(timeline).items() if (each.host, each.session) == session]
    steps = np.flatnonzero(np.isin(timeline.journal.steps["context"][: pages.at], numbers)) + 1
    if not len(steps) or (not name and session not in pages.items):
        return None
    times = timeline.journal.steps["at"][steps - 1]
    known = times[times != NO_TIME]
    sections, more = _within(pages.items.get(session, {}))
    made = SessionDiary(
        id="",
        host=host,
        session=name,
        first=int(steps[0]),
        last=int(steps[-1]),
        began=int(known[0]) if len(known) else None,
        millis=int(known[-1] - known[0]) if len(known) else None,
        about=_about(pages, session),
        sections=tuple(DiarySection(each, sections[each], more[each]) for each in SECTIONS if sections.get(each)),
        tags=pages.tags(session),
        anchors=pages.anchors(session),
    )
    return _with_id(made)


def _with_id(made: SessionDiary) -> SessionDiary:
    return replace(made, id=digest(canonical(plain(asdict(made)))).hex()[:16])


def _about(pages: Pages, session: tuple[str, str]) -> str:
    """Return how the first prompt of a session begins."""
    for utterance in user_utterances(pages.timeline):
        if utterance.step <= pages.at and pages.session_of(utterance.step) == session:
            own = [each.text for each in utterance.statements if not each.pasted]
            if own:
                return one_line(masked(" ".join(own)), ABOUT_CHARACTERS)
    return ""


def _within(items: dict[str, list[Item]]) -> tuple[dict[str, tuple[Entry, ...]], dict[str, int]]:
    """Return the entries of each section that fit, and how many don't."""
    entries = {
        name: [Entry(each.text, each.steps[:MOST_STEPS]) for each in some[:MOST_ITEMS]] for name, some in items.items()
    }
    while sum(len(each.text) for some in entries.values() for each in some) > MOST_CHARACTERS:
        max(entries.values(), key=lambda some: sum(len(each.text) for each in some)).pop()
    return (
        {name: tuple(some) for name, some in entries.items()},
        {name: len(items[name]) - len(some) for name, some in entries.items()},
    )


def as_markdown(answer: Diary) -> str:
    """Return a diary as a Markdown page, every entry with its steps."""
    return "\n".join(line for each in answer.sessions for line in _page(each)).rstrip() or "Nothing is recorded yet."


def _page(entry: SessionDiary) -> Iterator[str]:
    yield f"# {_name(entry)}"
    yield ""
    yield f"{_when(entry)}. Id {clean(entry.id)}."
    yield ""
    if entry.about:
        yield f"> {clean(entry.about)}"
        yield ""
    for each in entry.sections:
        yield f"## {clean(each.name.capitalize())}"
        yield ""
        yield from (f"- {clean(said.text)} ({_steps(said)})" for said in each.entries)
        if each.more:
            yield f"- and {each.more:,} more"
        yield ""
    if entry.tags or entry.anchors:
        yield f"Tags: {', '.join(map(clean, entry.tags))}"
        yield f"Search for: {', '.join(map(clean, entry.anchors))}"
        yield ""


# ---- its rows ----


def _rows(answer: Diary, view: View) -> Iterator[Row]:
    """The newest session first; below it its sections."""
    if not answer.sessions:
        yield title(f"no session up to step {answer.at:,}")
    for number, entry in enumerate(answer.sessions):
        if number:
            yield Row()
        yield title(_name(entry), right=[Span(f"id {clean(entry.id)}", "quiet")])
        yield note(f"  {_when(entry)}")
        if entry.about:
            yield row("  ", f"“{clean(entry.about)}”", leads=Moment(entry.first))
        for section in entry.sections:
            yield Row()
            yield heading(f"{clean(section.name)} ({len(section.entries) + section.more:,})")
            some, more = view.some(section.entries, SHOWN_ITEMS)
            yield from (_entry_row(each) for each in some)
            yield from and_more(more + section.more, "entry", "entries")
        if not entry.sections:
            yield note("  nothing was changed, decided or failed, as far as the record shows")
        if entry.tags:
            yield Row()
            yield row(Span("  tags  ", "quiet", "tags: "), ", ".join(map(clean, entry.tags)))
        if entry.anchors:
            yield row(Span("  find  ", "quiet", "search for: "), ", ".join(map(clean, entry.anchors)))


def _entry_row(each: Entry) -> Row:
    return row(
        Span("  · ", "", "  "), f"{clean(each.text)}  ", Span(_steps(each), "link"),
        leads=Moment(min(each.steps, default=None)),
    )  # fmt: skip


def _name(entry: SessionDiary) -> str:
    return f"{clean(entry.host)} {clean(entry.session)}".strip() or "the record"


def _when(entry: SessionDiary) -> str:
    steps = f"steps {entry.first:,} to {entry.last:,}"
    began = f", {moment(entry.began)} UTC" if entry.began is not None else ""
    return f"{steps}{began}{f', {duration(entry.millis)}' if entry.millis else ''}"


def _steps(each: Entry) -> str:
    """Return `step 3`, or `step 3 and 2 more`."""
    more = f" and {len(each.steps) - 1:,} more" if len(each.steps) > 1 else ""
    return f"step {min(each.steps, default=0):,}{more}"


QUESTION = Question(
    ask=diary,
    answers=(Diary, DiaryPage),
    example="diary --markdown",
    arguments=(
        Argument("session", "name", "only this session, by its name or how that begins"),
        Argument("markdown", "switch", "print it as Markdown", default=False, flag=True),
    ),
    needs=("progress",),
    nothing=lambda answer: isinstance(answer, Diary) and not answer.sessions,
    about="Every entry is what git printed, what the user said, or a failure with what ended it. The id is the hash of "
    "the content.",
)
