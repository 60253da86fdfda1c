"""What an import found in a session, counted as it went by: the figures a person compares with what they remember."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ccos_core.intake.importers.record import Tally
from ccos_core.present.cells import clip
from ccos_core.present.parts import fact
from ccos_core.present.rows import Row, Span, View, row
from ccos_core.present.rows import clean as shown
from ccos_core.present.words import calls, count, duration, moment
from ccos_core.text.sanitize import clean

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation
    from ccos_core.session.heard_before import HeardBefore
    from ccos_core.session.transcripts import Story

MOST_PENDING = 1_000
"""Calls without an end that are listed."""
LONGEST_WORD = 200
"""Characters of a foreign name that are shown."""


@dataclass(frozen=True, slots=True)
class Unread:
    """One kind of record that wasn't understood, or of bytes that couldn't be read."""

    kind: str
    times: int
    lines: tuple[int, ...]
    """The first it stands on."""
    path: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A call without an end; no op yet."""

    call: str
    name: str
    line: int


@dataclass(slots=True)
class Counts:
    """What was said, as ops will say it."""

    prompts: int = 0
    """By people."""
    turns: int = 0
    thoughts: int = 0
    sealed: int = 0
    """Thoughts that the host encrypted or summed up."""
    calls: int = 0
    """Those of subagents included."""
    inner_calls: int = 0
    """Those of subagents."""
    failures: int = 0
    """Calls that ended in an error."""
    interrupted: int = 0
    reads: int = 0
    """Sightings of files, whole or in part."""
    edits: int = 0
    """Calls that edited or wrote files, however many places of how many files."""
    files: int = 0
    """Different paths."""
    compactions: int = 0
    cleared: int = 0
    contexts: int = 0
    """Conversations: the main one, and one a subagent."""
    first_at: int | None = None
    last_at: int | None = None
    peak: int = 0
    """Tokens of the main conversation's window when it was fullest, as the host counted them."""
    window: int = 0
    """Tokens of its last one."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One session that was read."""

    path: str
    agent: str
    """The host, as ops say it."""
    agent_title: str
    """As people call it."""
    session: str
    title: str
    cwd: str
    models: tuple[str, ...]
    ended: str
    """How it ended, in the host's word; empty where it doesn't say."""
    started: int | None
    """As it says itself, in milliseconds since 1970."""
    records: int
    counts: Counts
    pending: tuple[Pending, ...]
    unknown: tuple[Unread, ...]
    """Kinds of records that weren't understood; nothing else of the file is missing for it."""
    unread: tuple[Unread, ...]
    """Bytes that couldn't be read at all."""
    added: int
    """Steps that are new by it."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


class Counting:
    """Counts observations as they pass."""

    def __init__(self) -> None:
        self.counts = Counts()
        self._told: set[tuple[str, str]] = set()
        """What was counted of subagents: it may be told by themselves and by who called them."""
        self._files: set[str] = set()
        self._edited: tuple[str, str] = ("", "")
        """The call that edited last: what one did to files is told without a break."""
        self._contexts: set[str] = set()

    @property
    def any(self) -> bool:
        """Whether there was anything."""
        return self.counts.contexts > 0

    @property
    def paths(self) -> Iterable[str]:
        """Files it speaks of, as it spells them."""
        return self._files

    def heard(self, said: Iterable[Observation]) -> Iterator[Observation]:
        """The same, counted."""
        for each in said:
            if not self._is_echo(each):
                self._count(each)
            yield each

    def _is_echo(self, said: Observation) -> bool:
        if not said.get("context"):
            return False
        told = str(said.get("call")), str(said.get("phase", said["kind"]))
        before = len(self._told)
        self._told.add(told)
        return len(self._told) == before

    def _count(self, said: Observation) -> None:
        counts = self.counts
        match said["kind"]:
            case "tool":
                counts.calls += 1
                counts.inner_calls += bool(said.get("context"))
                counts.failures += said["outcome"] == "error"
                counts.interrupted += said["outcome"] == "interrupted"
            case "seen":
                counts.reads += said["how"] == "read"
                call = str(said.get("context", "")), str(said.get("call", ""))
                if said["how"] in ("edit", "write") and (call != self._edited or not call[1]):
                    counts.edits += 1
                    self._edited = call
            case "prompt":
                counts.prompts += said["source"] == "user"
            case "turn":
                counts.turns += 1
            case "thought":
                counts.thoughts += 1
                counts.sealed += said.get("sealed") is True
            case "usage":
                if not said.get("context"):  # a subagent's window is another one
                    counts.peak, counts.window = max(counts.peak, said["window"]), said["window"]
            case "compaction":
                counts.compactions += 1
            case "cleared":
                counts.cleared += 1
        self._meet(said)

    def _meet(self, said: Observation) -> None:
        counts = self.counts
        if "path" in said:
            self._files.add(said["path"])
            counts.files = len(self._files)
        self._contexts.add(said.get("context") or "")
        counts.contexts = len(self._contexts)
        at = said.get("at")
        if at is not None:
            counts.first_at = at if counts.first_at is None else min(at, counts.first_at)
            counts.last_at = at if counts.last_at is None else max(at, counts.last_at)


class UnderWay:
    """One session on its way into a workspace."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.counting = Counting()
        self.refused = Tally()
        """What the gate wouldn't let in, by what it said."""
        self.added = 0
        self.met = False
        """Whether it was told apart from others."""
        self.heard: HeardBefore | None = None
        """What hooks told of it whose events have no names."""
        self.names: dict[str, str] = {}
        """A session that is called like another → what it is called here."""

    def named(self, said: Observation) -> Observation:
        """The same, by the name its session has here."""
        name = self.names.get(said.get("session", ""))
        return said if name is None else {**said, "session": name}

    def told(self) -> Imported:
        """What there is to say of it."""
        story = self.story
        origin = story.main.origin
        form = story.main.transcript.format
        readers = [(tail.path, tail.transcript.reader) for tail in story.tails if tail.transcript.reader is not None]
        troubles = [(tail.path, tail.transcript.troubles) for tail in story.tails]
        return Imported(
            path=story.main.path,
            agent=form.name if form is not None else "",
            agent_title=form.title if form is not None else "",
            session=_shown(self.names.get(origin.session, origin.session)),
            title=_shown(origin.title),
            cwd=clean(origin.cwd)[0],
            models=tuple(dict.fromkeys(_shown(model) for _, each in readers for model in each.origin.models)),
            ended=_shown(origin.ended),
            started=origin.started,
            records=sum(each.tally.records for _, each in readers),
            counts=self.counting.counts,
            pending=tuple(_pending(call) for _, each in readers for call in islice(each.pending(), MOST_PENDING)),
            unknown=_kinds((path, each.tally) for path, each in readers),
            unread=_kinds([*troubles, (story.main.path, self.refused)]),
            added=self.added,
        )


def _pending(call: Mapping[str, Any]) -> Pending:
    return Pending(_shown(str(call.get("call", ""))), _shown(str(call.get("name", ""))), int(call.get("line", 0)))


def _kinds(tallies: Iterable[tuple[str, Tally]]) -> tuple[Unread, ...]:
    return tuple(
        Unread(_shown(kind), times, tuple(tally.unknown.get(kind, ())), path)
        for path, tally in tallies
        for kind, times in sorted(tally.times.items(), key=lambda each: (-each[1], each[0]))
    )


def _shown(word: str) -> str:
    """A foreign word for a person's eyes: what a transcript calls its records may be anything."""
    safe = clean(word)[0]
    return safe if len(safe) <= LONGEST_WORD else safe[:LONGEST_WORD] + "…"


# ---- its rows ----

NAMED = 5
"""Pending calls that are named."""
TITLE = 72
"""Columns of a title, and of a kind of record."""


def _rows(answer: Imported, view: View) -> Iterator[Row]:
    """The figures of a session; in full also the lines of each record that wasn't understood."""
    counts = answer.counts
    title = f"  {clip(shown(answer.title), TITLE)}" if answer.title else ""
    yield fact("session", Span(shown(answer.session) or "(no name)", "strong"), title)
    yield fact("agent", shown(answer.agent_title or answer.agent))
    yield fact("model", shown(", ".join(answer.models)) or "not recorded")
    if answer.cwd:
        yield fact("project", shown(answer.cwd))
    yield fact("time", _span(counts))
    said = [count(counts.prompts, "prompt"), count(counts.turns, "turn"), *_thoughts(counts), _calls(counts)]
    yield fact("said", ", ".join(said))
    edits = f"{count(counts.edits, 'call')} that edited"
    yield fact("files", f"{count(counts.reads, 'read')}, {edits}, {count(counts.files, 'file')}")
    yield fact("window", _window(counts))
    if counts.contexts > 1:
        yield fact("contexts", f"{counts.contexts:,}: the main one and {count(counts.contexts - 1, 'subagent')}")
    if answer.ended:
        yield fact("ended", shown(answer.ended))
    if answer.pending:
        yield fact("no end yet", _endless(answer.pending))
    if answer.unknown:
        yield fact("unknown", f"{sum(each.times for each in answer.unknown):,} of {count(answer.records, 'record')}")
    yield from map(_kind, answer.unknown if view.full else ())
    if answer.unread:
        yield fact("unread", count(sum(each.times for each in answer.unread), "record"))
    yield from map(_kind, answer.unread)


def _span(counts: Counts) -> str:
    if counts.first_at is None or counts.last_at is None:
        return "not recorded"
    return f"{moment(counts.first_at)} to {moment(counts.last_at)} UTC ({duration(counts.last_at - counts.first_at)})"


def _thoughts(counts: Counts) -> list[str]:
    if not counts.thoughts:
        return []
    sealed = "all" if counts.sealed == counts.thoughts else f"{counts.sealed:,}"
    return [count(counts.thoughts, "thought") + (f" ({sealed} sealed)" if counts.sealed else "")]


def _calls(counts: Counts) -> str:
    ended = [count(counts.failures, "error")] * bool(counts.failures)
    ended += [f"{counts.interrupted:,} interrupted"] * bool(counts.interrupted)
    return calls(counts.calls, counts.inner_calls) + (f" ({', '.join(ended)})" if ended else "")


def _window(counts: Counts) -> str:
    held = f"{counts.peak:,} tokens at most, {counts.window:,} at the end" if counts.peak else "its size isn't recorded"
    cuts = f"; {count(counts.compactions, 'compaction')}" if counts.compactions else ""
    return held + cuts + (f"; cleared {count(counts.cleared, 'time')}" if counts.cleared else "")


def _endless(pending: tuple[Pending, ...]) -> str:
    named = ", ".join(f"{shown(call.name)} (line {call.line:,})" for call in pending[:NAMED])
    more = f" and {len(pending) - NAMED:,} more" if len(pending) > NAMED else ""
    return f"{count(len(pending), 'call')}: {named}{more}"


def _kind(each: Unread) -> Row:
    named = ", ".join(f"{line:,}" for line in each.lines if line)
    more = ", ..." if each.times > len(each.lines) else ""
    where = f"  line {named}{more}" if named else ""
    return row(Span(f"  {each.times:>8,}", "number"), f"  {clip(shown(each.kind), TITLE)}{where}")
