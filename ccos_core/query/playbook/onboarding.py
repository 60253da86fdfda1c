"""`onboard`: how far the sessions of a record were mined for rules, which categories have none, and where to read.

For an agent that does the work itself: `onboard` tells the progress and the gaps, `onboard sample` the prompts that may
fill them, `onboard read --session NAME` what it needs to draw rules from one session. Progress is what the record says:
a session counts as read once a diary, rule or lesson was remembered for it or with the tag `session:NAME`. There is no
other state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.learn.categories import category_hits
from ccos_core.learn.coverage import NEED, category_in, rules_by_category, tier_of, worth
from ccos_core.learn.rule import CATEGORIES, Rule
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, table, title
from ccos_core.present.words import count
from ccos_core.query.autopsy.finding import Progress
from ccos_core.query.contexts import contexts_of, last_speaker
from ccos_core.query.playbook.diary import DiarySection, session_diaries
from ccos_core.query.playbook.diary_items import masked
from ccos_core.query.playbook.playbook_rules import read_playbook
from ccos_core.query.question import Argument, Question
from ccos_core.query.remembered import remembered_until
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.telling import one_line
from ccos_core.text.retrieval.talk import said_terms

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

STATUS, SAMPLE, READ = PARTS = ("status", "sample", "read")
LIMIT = 10
PER_SESSION = 4
"""Samples of one session; the next ones come from others, if there are."""
SAMPLE_CHARACTERS = 200
RELATED_RULES, HINTS = 8, 12
LEAST_WORDS = 4
MINED = ("rule", "anti-pattern", "diary", "lesson")
"""Classes of statements that come of reading a session."""
SESSION_TAG = "session:"
"""A statement's source is the session it was remembered for, or its tag that begins with this."""


@dataclass(frozen=True, slots=True)
class Gap:
    """How well the rules cover one category."""

    category: str
    """One of the ten: `testing`, `git`, ..."""

    rules: int
    """Rules in force of that category."""

    tier: str
    """`critical`, `underrepresented`, `adequate` or `well-covered`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A prompt that may be worth a rule."""

    step: int
    """The step of the prompt."""

    session: str
    """The session it was said in."""

    text: str
    """How it begins."""

    categories: tuple[str, ...]
    """Those that its words name, the ones that need rules most first."""

    score: int
    """How much it is worth to someone who fills gaps; only good for comparing."""


@dataclass(frozen=True, slots=True)
class Onboarding:
    """The answer to `onboard`."""

    schema: ClassVar[str] = "ccos.onboarding/1"
    at: int
    sessions: int
    """Sessions of agents in the record."""

    read: tuple[str, ...]
    """Those that a diary, rule or lesson was remembered for."""

    rules: int
    """Rules in force."""

    gaps: tuple[Gap, ...]
    """All ten categories, those with the fewest rules first."""

    samples: tuple[Sample, ...]
    """Prompts that fill gaps, of sessions that weren't read, the best first; only if they were asked for."""

    more: int
    """How many more such prompts there are."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


@dataclass(frozen=True, slots=True)
class Template:
    """The answer to `onboard read`: what an agent needs to draw rules from a session."""

    schema: ClassVar[str] = "ccos.onboarding-template/1"
    at: int
    session: str
    """The session to read; empty if there is none."""

    topic_hints: tuple[str, ...]
    """What the session was about: kinds of files, parts of the project, categories."""

    related_rules: tuple[str, ...]
    """Rules that speak of the same things, with their ids: to confirm or to correct rather than to repeat."""

    gap_summary: str
    """Which categories need rules, in a sentence."""

    suggested_focus: tuple[str, ...]
    """Categories that need rules and that this session is about, with the steps to look at."""

    diary: tuple[DiarySection, ...]
    """What the session did, decided and met, with its steps."""

    how: str
    """How to record what was found."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_template_rows(self))


HOW = (
    "Write one sentence a rule, only what the steps bear out: ccos-tui remember WS 'TEXT' --class rule --tag "
    "category:NAME --tag session:SESSION --reason 'step N'. Confirm a related rule with feedback instead of repeating "
    "it."
)


def onboard(
    timeline: Timeline,
    at: int,
    user: Timeline | None,
    progress: Progress,
    part: str,
    session: str | None,
    limit: int,
) -> Onboarding | Template:
    """Tell how far onboarding is; with `sample` also where to read, with `read` what one session offers."""
    rules = read_playbook(timeline, at, user).in_force()
    counted = rules_by_category(rules)
    tiers = {category: tier_of(size) for category, size in counted.items()}
    gaps = tuple(
        Gap(category, counted[category], tiers[category])
        for category in sorted(CATEGORIES, key=lambda each: (-NEED[tiers[each]], counted[each], CATEGORIES.index(each)))
    )
    if part == READ:
        return _template(timeline, at, session, rules, gaps, progress)
    sessions = tuple(dict.fromkeys(each.session for each in contexts_of(timeline).values() if each.session))
    mined = read_sessions(timeline, at)
    read = tuple(each for each in sessions if each in mined)
    samples = _samples(timeline, at, tiers, frozenset(read), session) if part == SAMPLE else []
    shown = samples[: limit or None]
    return Onboarding(at, len(sessions), read, len(rules), gaps, tuple(shown), len(samples) - len(shown))


def read_sessions(timeline: Timeline, at: int) -> frozenset[str]:
    """Return the sessions that a rule, a lesson or a diary was remembered for. Evidence of a rule names sessions that
    show it, which needs no reading."""
    mined = [each for each in remembered_until(timeline, at).values() if each.cls in MINED]
    tagged = (tag.removeprefix(SESSION_TAG) for each in mined for tag in each.tags if tag.startswith(SESSION_TAG))
    return frozenset(filter(None, (*(each.session for each in mined), *tagged)))


def _samples(
    timeline: Timeline, at: int, tiers: dict[str, str], read: frozenset[str], session: str | None
) -> list[Sample]:
    """Return the prompts that name categories which need rules: of each session the best, then those left over."""
    contexts, found = contexts_of(timeline), []
    for utterance in user_utterances(timeline):
        name = contexts[utterance.context].session
        own = " ".join(each.text for each in utterance.statements if not each.pasted)
        if utterance.step > at or name in read or (session or name) != name or len(own.split()) < LEAST_WORDS:
            continue
        hits = category_hits(own)
        if score := worth(hits, tiers):
            categories = tuple(sorted(hits, key=lambda each: (-NEED[tiers[each]], -hits[each], each)))
            found.append(Sample(utterance.step, name, one_line(masked(own), SAMPLE_CHARACTERS), categories, score))
    found.sort(key=lambda each: (-each.score, each.step))
    sizes: dict[str, int] = {}
    first: list[Sample] = []
    later: list[Sample] = []
    for each in found:
        sizes[each.session] = sizes.get(each.session, 0) + 1
        (first if sizes[each.session] <= PER_SESSION else later).append(each)
    return first + later


def _template(
    timeline: Timeline, at: int, session: str | None, rules: Sequence[Rule], gaps: tuple[Gap, ...], progress: Progress
) -> Template:
    speaker = last_speaker(timeline, at)
    name = session if session is not None else speaker.session if speaker is not None else None
    entry = next(iter(session_diaries(timeline, at, name, progress)), None)
    if entry is None:
        return Template(at, name or "", (), (), _gap_summary(gaps), (), (), HOW)
    contexts, by_category = contexts_of(timeline), dict[str, list[int]]()
    terms: set[str] = set()
    for utterance in user_utterances(timeline):
        if utterance.step <= at and contexts[utterance.context].session == entry.session:
            own = " ".join(each.text for each in utterance.statements if not each.pasted)
            terms.update(said_terms(own))
            for category in category_hits(own):
                by_category.setdefault(category, []).append(utterance.step)
    most = sorted(by_category, key=lambda each: (-len(by_category[each]), each))
    needed = [gap for gap in gaps if gap.category in by_category and NEED[gap.tier] > 1]
    return Template(
        at=at,
        session=entry.session,
        topic_hints=tuple(dict.fromkeys((*entry.tags, *most)))[:HINTS],
        related_rules=tuple(f"{each.id} {each.content}" for each in _related(rules, terms, most)),
        gap_summary=_gap_summary(gaps),
        suggested_focus=tuple(
            f"{each.category} ({each.tier}): steps {', '.join(f'{step:,}' for step in by_category[each.category][:6])}"
            for each in needed
        ),
        diary=entry.sections,
        how=HOW,
    )


def _related(rules: Sequence[Rule], terms: set[str], categories: Sequence[str]) -> list[Rule]:
    """Return the rules that share words with a session, or its categories; those that share most first."""
    shared = {each.id: len(terms & set(said_terms(each.content))) for each in rules}
    found = [each for each in rules if shared[each.id] > 1 or category_in(each) in categories[:3]]
    return sorted(found, key=lambda each: (-shared[each.id], each.id))[:RELATED_RULES]


def _gap_summary(gaps: Sequence[Gap]) -> str:
    """Return `no rule for git and security; few for testing`."""
    none = [each.category for each in gaps if not each.rules]
    few = [each.category for each in gaps if each.rules and NEED[each.tier] > 1]
    said = [f"no rule for {_listed(none)}"] if none else []
    said += [f"few for {_listed(few)}"] if few else []
    return "; ".join(said) or "every category has rules"


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# ---- its rows ----

TIER_ROLES = {"critical": "bad", "underrepresented": "note", "adequate": "", "well-covered": "good"}


def _rows(answer: Onboarding) -> Iterator[Row]:
    """The progress, the ten categories, and what to read."""
    yield title(f"{len(answer.read):,} of {count(answer.sessions, 'session')} read, {count(answer.rules, 'rule')}")
    cells = [
        (clean(each.category), f"{each.rules:,}", Span(clean(each.tier), TIER_ROLES.get(each.tier, "")))
        for each in answer.gaps
    ]
    yield from table(cells, right=[1])
    if answer.samples:
        yield Row()
        yield heading("worth reading")
    for each in answer.samples:
        named = Span(f"  {', '.join(map(clean, each.categories[:3]))}", "quiet")
        yield row("  ", Span(f"step {each.step:,}", "link"), f"  “{clean(each.text)}”", named, leads=Moment(each.step))
    yield from and_more(answer.more, "prompt")


def _template_rows(answer: Template) -> Iterator[Row]:
    yield title(f"session {clean(answer.session)}" if answer.session else "no session")
    yield row(Span("  about    ", "quiet", "about: "), ", ".join(map(clean, answer.topic_hints)))
    yield row(Span("  gaps     ", "quiet", "gaps: "), clean(answer.gap_summary))
    for name, some in (("suggested focus", answer.suggested_focus), ("related rules", answer.related_rules)):
        if some:
            yield Row()
            yield heading(name)
            yield from (row(f"  {clean(each)}") for each in some)
    for section in answer.diary:
        yield Row()
        yield heading(clean(section.name))
        for entry in section.entries:
            steps = ", ".join(f"{step:,}" for step in entry.steps)
            leads = Moment(entry.steps[0]) if entry.steps else None
            yield row(Span("  · ", "", "  "), f"{clean(entry.text)}  ", Span(f"({steps})", "quiet"), leads=leads)
        yield from and_more(section.more, "entry", "entries")
    yield Row()
    yield note(f"  {clean(answer.how)}")


QUESTION = Question(
    ask=onboard,
    answers=(Onboarding, Template),
    example="onboard sample --limit 3",
    arguments=(
        Argument("part", "word", "what to tell; status also lists the gaps", default=STATUS, words=PARTS),
        Argument("session", "name", "only prompts of this session; with read, the session to read", flag=True),
        Argument("limit", "count", "prompts to list; 0 lists all", default=LIMIT, flag=True),
    ),
    needs=("user", "progress"),
    about="The categories are debugging, testing, architecture, workflow, documentation, integration, collaboration, "
    "git, security and performance: without a rule critical, with 1 or 2 underrepresented, with 7 well-covered. A "
    "session counts as read once a diary, rule or lesson was remembered for it, or with the tag session:NAME.",
)
