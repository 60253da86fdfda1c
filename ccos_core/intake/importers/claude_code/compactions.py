"""Where Claude Code shortens a conversation: the boundary it writes, the summary after it, and what it says survived.

A boundary becomes a compaction with the record that follows it in its context, for that may be its summary. What
survived is named by the records it stood in; here these become the calls and prompts it was delivered by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from ccos_core.intake.importers.claude_code.tools import Fields, fields, texts
from ccos_core.intake.importers.fields import number, text
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Telling, Where

STEPS_FIRST, STEPS_EACH = 10_000, 32
"""Records that are gone back to where a host names the ends of what it kept, at once and for each record: a way without
an end is left, and one who goes all of it in each line isn't followed for ever."""

CONTINUED = "This session is being continued from a previous conversation"
"""How a summary begins, where nothing else marks it."""

Stream = tuple[str, str]
"""(session, context): one conversation with a window of its own."""


@dataclass(slots=True)
class _Course:
    """One conversation, as far as compactions ask for it."""

    delivered: dict[str, None] = field(default_factory=dict)
    """What has gone into its window since it was cut, by the ids it was delivered under."""
    by_record: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The same by the records it stood in."""
    parents: dict[str, str] = field(default_factory=dict)
    """The record before each record."""
    steps: int = field(default_factory=lambda: STEPS_FIRST)
    """How far one may still go back from record to record: a few for each record there is."""
    boundary: tuple[Where, Fields] | None = None
    """A compaction whose summary may follow."""
    cuts: set[str] = field(default_factory=set)
    """Boundaries that have been told."""


class Compactions:
    """The compactions of one transcript."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._courses: dict[Stream, _Course] = {}

    def read(self, where: Where, record: str, parent: str) -> None:
        """A record of a conversation."""
        if record:
            course = self._course(where)
            course.parents[record] = parent
            course.steps += STEPS_EACH

    def delivered(self, where: Where, record: str = "") -> None:
        """Something went into the window."""
        course = self._course(where)
        course.delivered[where.id] = None
        if record:
            course.by_record[record] = (*course.by_record.get(record, ()), where.id)

    def expects(self, where: Where, parent: str, words: str) -> bool:
        """Whether a record of the user is the summary of a boundary, without the mark of one."""
        stands = self._course(where).boundary
        return stands is not None and parent == stands[0].id and words.startswith(CONTINUED)

    def boundary(self, where: Where, metadata: Fields) -> Iterator[Observation]:
        """The conversation was compacted here; its summary may follow."""
        yield from self.settled(where)
        self._course(where).boundary = where, metadata

    def settled(self, where: Where) -> Iterator[Observation]:
        """Something else follows: there is no summary."""
        if (stands := self._course(where).boundary) is not None:
            yield from self._told(*stands, "")

    def summary(self, where: Where, record: str, words: str) -> Iterator[Observation]:
        """What took the place of the history. Older versions write it without a boundary."""
        course = self._course(where)
        if course.boundary is None and course.parents.get(record) in course.cuts:
            yield from self._telling.prompt(where, words, "host")
            self.delivered(where, record)
            return
        at, metadata = course.boundary or (where, {})
        yield from self._told(at, metadata, words)
        course.by_record[record] = (at.id,)

    def thinned(self, where: Where, metadata: Fields) -> Iterator[Observation]:
        """Some results were taken out of the window, and it is said which."""
        yield from self.settled(where)
        course = self._course(where)
        out = dict.fromkeys(texts(metadata.get("compactedToolIds")))
        for record in texts(metadata.get("clearedAttachmentUUIDs")):
            out.update(dict.fromkeys(course.by_record.get(record, (record,))))
        if not out:
            return
        before, saved = number(metadata, "preTokens"), number(metadata, "tokensSaved")
        after = before - saved if before is not None and saved is not None and saved <= before else None
        for each in out:
            course.delivered.pop(each, None)
        kept = list(islice(reversed(course.delivered), self._telling.room + 1))[::-1]
        trigger = _trigger(metadata)
        yield from self._telling.compacted(where, trigger=trigger, before=before, after=after, kept=kept, exact=True)

    def cleared(self, where: Where) -> Iterator[Observation]:
        """The window was emptied, if anything was in it."""
        course = self._course(where)
        if course.delivered:
            course.delivered = {}
            yield from self._telling.cleared(where, "/clear")

    # -- helpers --------------------------------------------------------------------------------------------------

    def _course(self, where: Where) -> _Course:
        return self._courses.setdefault((where.session, where.context), _Course())

    def _told(self, at: Where, metadata: Fields, words: str) -> Iterator[Observation]:
        course = self._course(at)
        survivors = _survivors(metadata, course)
        ids = [each for record in survivors or () for each in course.by_record.get(record, ())]
        kept = list(dict.fromkeys(each for each in ids if each in course.delivered))
        course.boundary = None
        course.cuts.add(at.id)
        course.delivered = dict.fromkeys([*kept, at.id] if words else kept)
        yield from self._telling.compacted(
            at,
            trigger=_trigger(metadata),
            before=number(metadata.get("preTokens", metadata.get("pre_tokens"))),
            after=number(metadata.get("postTokens", metadata.get("post_tokens"))),
            summary=words,
            kept=kept,
            exact=survivors is not None,
        )


def _trigger(metadata: Fields) -> str:
    trigger = metadata.get("trigger")
    return trigger if trigger in ("manual", "auto") else "unknown"


def _survivors(metadata: Fields, course: _Course) -> list[str] | None:
    """The records that survived; None where nothing is said of it."""
    messages, segment = metadata.get("preservedMessages"), fields(metadata.get("preservedSegment"))
    if isinstance(messages, dict):
        return texts(messages.get("allUuids")) or texts(messages.get("uuids"))
    head, tail = text(segment, "headUuid"), text(segment, "tailUuid")
    way = list(_way_up(tail, head, course))
    return way[::-1] if head and way and way[-1] == head else None


def _way_up(tail: str, head: str, course: _Course) -> Iterable[str]:
    """From the last record of a stretch to its first, or to where the way is lost."""
    at, parents = tail, course.parents
    while at and course.steps > 0:
        yield at
        at = "" if at == head else parents.get(at, "")
        course.steps -= 1
