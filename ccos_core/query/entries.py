"""`entries`: what is remembered and what was done, found by a query, within boundaries, reduced to fit.

Entries are derived from the record as the principal may see it, so nothing withheld has a part in any row or figure.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ccos_core.errors import Usage
from ccos_core.memory.asking import Shown, is_relevant_to, matcher, query_of, spelled
from ccos_core.memory.backend import Search
from ccos_core.memory.boundaries import boundaries_of, time_of, within_budget
from ccos_core.memory.deriving import Course, Origin, changed, derive, merged, nodes_changed, texts_wanted
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.memory.index import Index, look_up
from ccos_core.memory.reductions import MOST_ENTRIES, Reduced, reduce, strategy_of
from ccos_core.memory.reductions import Row as ReducedRow
from ccos_core.ops.plain import unseal
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count, moment
from ccos_core.query.question import Argument, Question
from ccos_core.query.viewed import policy_at
from ccos_core.values.canon import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

KEYWORD, SEMANTIC = "keyword", "semantic"
MODES = (KEYWORD, SEMANTIC)
ROWS = 20
LISTED_DROPPED = 1_000
BATCH = 2_000


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry, or several alike."""

    id: str
    """`memo:` and 16 digits."""

    cls: str
    """What it is: `said`, `preference`, ...; or the kind of the op whose doing it tells."""

    title: str
    """Its first line, shortened."""

    words: str
    """At most 512 tokens of what it says."""

    tags: tuple[str, ...]
    """Kind and domain of the op, and tags that were given."""

    privacy: str
    """`public`, `low`, `medium`, `high`, `critical`."""

    regions: tuple[str, ...]
    """Regions it was labelled with."""

    first: int
    """The step at which it came up, ..."""

    last: int
    """... and the last one."""

    count: int
    """How often it came up; of several alike, all of them."""

    intent: str
    """The prompt it serves."""

    session: str
    """The host's id of the session."""

    author: str
    """`user`, `agent`, `host`, `tool` or `file`."""

    provider: str
    """The host and its model."""

    action: str
    """The op it was derived from: its step and hash."""

    members: tuple[str, ...]
    """The ids of several alike; `id=...` finds each."""


@dataclass(frozen=True, slots=True)
class Entries:
    """The answer to `entries`."""

    schema: ClassVar[str] = "ccos.entries/1"
    at: int
    """The step it was asked as of."""

    now: int
    """The time from which times ago are counted, in milliseconds: as given, or that of the last step."""

    query: str
    """The query, as it was read."""

    mode: str
    """How it was searched: `keyword`."""

    strategy: str
    """How it was reduced: `none`, `summarization`, `sampling`, `prioritization`."""

    trigger: str
    """Why: `asked`, `count`, `limit`; empty if it wasn't."""

    entries_in: int
    """Entries that the query found."""

    rows_out: int
    """Rows that are listed."""

    entries: tuple[EntryRow, ...]
    """The rows: the most relevant first if the query has a text, else the latest."""

    dropped: tuple[str, ...]
    """Ids of those found that are in no row, at most 1,000."""

    more_dropped: int
    """Further ones."""

    notes: tuple[str, ...]
    """What else there is to say of the answer."""

    counts_back: bool = False
    """Whether the query or a boundary looks at times."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; then how it was reduced."""
        head = title(
            f"{count(self.entries_in, 'entry', 'entries')} up to step {self.at:,}: {clean(self.query) or 'all'}"
        )
        now = note(f"  now is {moment(self.now)} UTC") if self.counts_back else None
        shown, more = view.some(self.entries, 40)
        rows = [_entry_row(each, view.columns or view.width) for each in shown]
        dropped = len(self.dropped) + self.more_dropped
        how = f"{clean(self.strategy)}, {clean(self.trigger)}: " if self.trigger else ""
        told = (
            [note(f"  {how}{self.entries_in:,} in, {self.rows_out:,} out, {dropped:,} dropped")]
            if dropped or how
            else []
        )
        notes = [note(clean(each)) for each in self.notes]
        return [head, *([now] if now else []), *rows, *and_more(more, "row"), *told, *notes]


def _entry_row(each: EntryRow, width: int) -> Row:
    times = f" {each.count:,}×" if each.count > 1 else ""
    filed = f"{clean(each.cls)}{times} "
    right = f" {clean(each.id)}"
    lines = (each.words or each.title).split("\n")
    if lines[0] == each.title and len(lines) > 1 and lines[1] in each.title:
        del lines[1]  # a call's title ends with the command that its words go on with
    words = clip(clean(" ".join(" ".join(lines).split())), max(width - len(filed) - len(right) - 8, 20))
    number = Span(f"{each.last:>6,} ", "quiet", f"step {each.last:,}, ")
    return row(number, filed, words, right=[Span(right, "quiet")], leads=Moment(each.last))


def entries(
    timeline: Timeline,
    at: int,
    query: str,
    boundaries: str | None,
    reduction: str | None,
    limit: int,
    max_results: int,
    mode: str,
    now: str | None,
    shown: Shown,
) -> Entries:
    """Find entries up to a step."""
    said, given = _query(query)
    limit = _number(given.get("limit", limit), "limit")
    time = time_of(now) if now is not None else timeline.time(at) or 0
    tree, bounds = query_of(said), boundaries_of(_json(boundaries, "boundaries"), time)
    matches, texts = matcher(tree, time, shown), " ".join(is_relevant_to(tree))
    store = _store(timeline, at)
    found = [each for each in store.entries.values() if bounds.allow(each) and matches(each)]
    scores = store.scores(texts, {each.id for each in found}) if texts else {}
    found.sort(key=lambda each: (-scores.get(each.id, 0), -each.last, each.id))
    found = found[: limit or None]
    relevance = {each.id: scores.get(each.id, 0) for each in found} if texts else None
    kept, over = within_budget(found, bounds.budget, relevance)
    most = policy_at(timeline, at).thresholds.get("entries", MOST_ENTRIES)
    seed = f"{timeline.hash(at) if at else ''} {spelled(tree)}"
    strategy = strategy_of(_json(reduction, "reduction"))
    reduced = reduce(kept, strategy, now=time, seed=seed, relevance=relevance, limit=max_results, most_entries=most)
    notes = (f"{SEMANTIC} search isn't available; searched by keywords",) if mode == SEMANTIC else ()
    looks_at_times = now is not None or "@" in spelled(tree) or "duration" in (boundaries or "")
    return _answer(at, time, spelled(tree), reduced, over, notes, counts_back=looks_at_times)


# ---- helpers ----


def _answer(
    at: int, now: int, query: str, reduced: Reduced, over: list[str], notes: tuple[str, ...], *, counts_back: bool
) -> Entries:
    dropped = (*over, *reduced.dropped)
    return Entries(
        at,
        now,
        query,
        KEYWORD,
        reduced.strategy,
        reduced.trigger,
        reduced.entries_in + len(over),
        reduced.rows_out,
        tuple(map(_row, reduced.rows)),
        dropped[:LISTED_DROPPED],
        max(len(dropped) - LISTED_DROPPED, 0),
        notes,
        counts_back,
    )


def _row(reduced: ReducedRow) -> EntryRow:
    each = reduced.entry
    times = reduced.count if reduced.members else each.count
    return EntryRow(
        each.id, each.cls, each.title, each.words, each.tags, LEVELS[each.privacy], each.regions, each.first, each.last,
        times, each.intent, each.session, each.author, each.provider, each.action, reduced.members,
    )  # fmt: skip


def _query(said: str) -> tuple[Any, Mapping[str, Any]]:
    """Return a query, as text or from JSON, and what else stands in it."""
    if not said.lstrip().startswith(("{", "[")):
        return said, {}
    plain = _json(said, "query")
    if not isinstance(plain, dict):
        return plain, {}
    given = {str(key).removeprefix(":"): value for key, value in plain.items()}
    return {key: value for key, value in given.items() if key != "limit"}, given


def _json(said: str | None, place: str) -> Any:
    """Read JSON; a single word, such as `none`, is itself."""
    if said is None or said.isidentifier():
        return said
    try:
        return json.loads(said)
    except (ValueError, RecursionError) as error:
        raise Usage(f"isn't JSON: {str(error)[:80]}", place=place) from None


def _number(said: Any, place: str) -> int:
    if isinstance(said, bool) or not isinstance(said, int) or said < 0:
        raise Usage("should be a number", place=place)
    return said


class _Store:
    """The entries of a record up to a step, with an index of them."""

    def __init__(self) -> None:
        self.upto = 0
        self.entries: dict[str, Entry] = {}
        self.index = Index()
        self._course = Course()
        self._rows: dict[str, int] = {}
        self._ids: list[str] = []

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Read all anew if steps that were read are recorded anew."""
        if self.upto > sizes["steps"]:
            self.__init__()  # type: ignore[misc]  # there is nothing to keep

    def scores(self, words: str, among: Collection[str]) -> dict[str, int]:
        """Return how well each of these entries fits some words; of those that have none nothing."""
        search = Search(words, labels=None, accepts=lambda entry: entry.id in among, limit=len(self._ids))
        found = look_up(self.index, search, lambda number: self.entries[self._ids[number]])
        return dict(zip((each.id for each in found.entries), found.scores, strict=True))

    def go_on(self, timeline: Timeline, upto: int) -> None:
        """Derive the entries of the ops up to a step."""
        while self.upto < upto:
            last = min(self.upto + BATCH, upto)
            rows = list(timeline.ops.rows(self.upto + 1, last))
            ops = [(step, chain, digest(body), unseal(body)) for step, chain, body in rows]
            texts = timeline.contents(dict.fromkeys(blob for *_, op in ops for blob in texts_wanted(op)))
            for step, chain, hash_, op in ops:
                self._take(step, op, Origin(step, hash_.hex(), chain.hex()), texts)
            self.upto = last

    def _take(self, step: int, op: Plain, origin: Origin, texts: Mapping[str, bytes]) -> None:
        def text(blob: Mapping[str, Any] | None) -> str:
            return texts.get(blob["blob"], b"").decode("utf-8", "replace") if blob is not None else ""

        for entry in derive(op, origin, text, self._course):
            before = self.entries.get(entry.id)
            self._put(merged(before, entry) if before is not None else entry)
        for node in nodes_changed(op):
            if node in self.entries:
                self._put(changed(self.entries[node], op, step))

    def _put(self, entry: Entry) -> None:
        if self.entries.get(entry.id) == entry:
            return
        if entry.id in self._rows:
            self.index.remove(self._rows[entry.id])
        self.entries[entry.id], self._rows[entry.id] = entry, len(self._ids)
        self._ids.append(entry.id)
        self.index.add(self._rows[entry.id], entry, self.index.terms_of(entry))


def _store(timeline: Timeline, at: int) -> _Store:
    """Return the entries up to a step; those of the head are kept, and go on with the record."""
    if at < timeline.head:
        store = _Store()
    else:
        store = timeline.journal.growing("entries", _Store)
    store.go_on(timeline, at)
    return store


QUESTION = Question(
    ask=entries,
    answers=(Entries,),
    needs=("shown",),
    example="entries class=said not tag=failure --max-results 5",
    arguments=(
        Argument("boundaries", "name", 'limits as JSON, such as {"privacy": "low"}', flag=True),
        Argument("reduction", "name", "how to reduce, as JSON or none", flag=True),
        Argument("limit", "count", "entries to look at, the best first; 0 for all", default=0, flag=True),
        Argument("max-results", "count", "rows to list; 0 lists all", default=ROWS, flag=True),
        Argument("mode", "word", "how to search", default=KEYWORD, flag=True, words=MODES),
        Argument("now", "name", "the time that 30d counts back from; by default that of the step", flag=True),
        Argument("query", "text", "the query, as text or JSON", default=""),
    ),
    about=(
        "Conditions: class=, tag=, region=, intent=, author=, session=, context=, call=, provider=, id=, text~, count, "
        "tokens and privacy with =, !=, <, >; step 3..9, since=120, @30d.., @2026-02-14..; combined with and, or, not "
        "and parentheses. Boundaries: privacy, jurisdiction, temporal, scope, token_limit, memory_limit, time_limit, "
        "semantic_limit. Reductions: none, summarization, sampling, prioritization."
    ),
    nothing=lambda answer: not answer.entries_in,
)
