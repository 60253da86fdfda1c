"""Search in what was said in every session of this machine, without importing them.

    bring_up_to_date()                       # reads what is new; a search that follows takes a fraction of a second
    found = search(Asked("still fails", kinds=("prompt",)))
    step_of(record, found.hits[0])           # where an import of that session has it

Transcripts are found where `sessions` finds them, and workspaces in the user's state folder. A workspace that was made
from a transcript which is still there isn't read: its transcript is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core._version import __version__
from ccos_core.errors import Usage
from ccos_core.ops.table import VOCABULARY
from ccos_core.present.cells import clip, clip_path
from ccos_core.present.rows import Part, Row, Span, View, note, row
from ccos_core.present.rows import clean as shown
from ccos_core.present.words import count, homely, moment
from ccos_core.session.listing import is_below, is_of, transcript_files
from ccos_core.session.search_texts import KINDS, read_file, step_key
from ccos_core.storage import agent_db, locate, search_index
from ccos_core.storage.listing_cache import File
from ccos_core.storage.search_index import SearchIndex, State, Story
from ccos_core.text.search_words import Query, parse_query, quote

if TYPE_CHECKING:
    from ccos_core.storage.record import Record
    from ccos_core.storage.search_index import Match, Reading

VERSION = f"3 {__version__} {VOCABULARY}"
"""An index of another one is made anew; the first number is raised when the same bytes may be read otherwise."""
SHARE = 16 * 2**20
"""Bytes that are handed to a process at a time."""
PARTLY = -1
"""Stands for the size of a file of which there is more to read: no file has it."""
WORTH_A_PROCESS = 24 * 2**20
EVER = -(2**62)
"""Milliseconds before anything was said."""
LIMIT = 20
"""Hits that are given unless more are asked for."""

Heard = Callable[[int, int], None]
"""Told (bytes read, bytes in all)."""
Job = tuple[str, State]


@dataclass(frozen=True, slots=True)
class Asked:
    """What to search for."""

    words: str
    kinds: Sequence[str] = KINDS
    agent: str = ""
    """Only the sessions of hosts whose name begins so."""
    project: str = ""
    """Only sessions of this folder or below."""
    since: int = EVER
    """Milliseconds since 1970."""
    limit: int = LIMIT
    paths: Sequence[str] = ()
    """Only these files and folders, instead of where agents keep theirs."""
    unfinished: bool = False
    """Whether the last word is still being typed."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One text that holds all of the words."""

    path: str
    """What to open: a transcript, or a workspace."""
    agent: str
    """The host."""
    session: str
    project: str
    """The folder it began in, as its machine spells it."""
    title: str
    """The session's own, or its first prompt; empty where it has none."""
    kind: str
    """`prompt`, `thinking`, `text`, `input`, `result` or `host`."""
    at: int
    """Milliseconds since 1970; when its file was written last, where it doesn't say."""
    key: str
    """Names the text within its session."""
    snippet: str
    """A piece of the text, on one line, with nothing in it that a terminal obeys."""
    marks: tuple[tuple[int, int], ...]
    """Where the words stand in the snippet: (start, end), in characters."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found, newest first."""

    words: str
    """What was searched for."""
    texts: int
    """Texts that hold the words, also those that aren't listed."""
    sessions: int
    """Sessions they are in."""
    searched: int
    """Sessions that were searched."""
    hits: tuple[Hit, ...]

    schema: ClassVar[str] = "ccos.search/1"

    def as_rows(self, view: View) -> Sequence[Row]:
        return [each for each, _ in self.listed(view)]

    def listed(self, view: View) -> Sequence[tuple[Row, Hit | None]]:
        """Each row, and the hit it is about."""
        return list(_rows(self, view))

    @property
    def tally(self) -> str:
        """How many there are, in words."""
        return tally(self)


# -- what there is ----------------------------------------------------------------------------------------------------


def files(paths: Sequence[str] = ()) -> dict[str, File]:
    """Path → file of all that is searched: transcripts, and workspaces that have no transcript."""
    found = transcript_files(paths)
    if paths:
        return found
    imports = {locate.session_path(path) for path in found}
    return found | {file.path: file for file in _workspaces() if file.path not in imports}


def _workspaces() -> Iterator[File]:
    for folder in ("projects", "sessions"):
        try:
            entries = sorted(os.scandir(os.path.join(locate.state_home(), folder)), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.endswith(locate.SUFFIX) and entry.is_file():
                told = entry.stat()
                yield File(entry.path, told.st_ino, told.st_size, told.st_mtime_ns)


def bring_up_to_date(paths: Sequence[str] = (), heard: Heard | None = None) -> dict[str, File]:
    """Read what is new, and give all that can be searched. What is read is kept as it comes, so that a search that was
    interrupted has lost nothing."""
    there = files(paths)
    with search_index.opened(VERSION) as index:
        known = index.known()
    gone = [path for path in known if path not in there and not os.path.exists(agent_db.split(path)[0])]
    if gone:
        with search_index.opened(VERSION, write=True) as index:
            index.forget(gone)
    left = {path: file for path, file in there.items() if path not in known or known[path][0] != file}
    before = {path: known[path] for path in left if path in known}
    total, done = sum(_unread(file, before) for file in left.values()), 0
    while left:
        left, done = _read(left, before, heard, done, total)
    return there


def _unread(file: File, before: dict[str, tuple[File, State]]) -> int:
    return max(file.size - before[file.path][1].get("until", 0), 0) if file.path in before else file.size


def _read(
    left: dict[str, File], before: dict[str, tuple[File, State]], heard: Heard | None, done: int, total: int
) -> tuple[dict[str, File], int]:
    """Read these files; gives those of which there is more, and how many bytes were read by now."""
    from ccos_core.session.workers import shares, spread

    more: dict[str, File] = {}
    largest = sorted(left.values(), key=lambda file: -_unread(file, before))
    handed = list(shares(largest, lambda file: _unread(file, before), SHARE))
    jobs = [[(file.path, before[file.path][1] if file.path in before else {}) for file in share] for share in handed]
    for share, readings in zip(handed, spread(_texts, jobs, worth_it=total >= WORTH_A_PROCESS), strict=True):
        with search_index.opened(VERSION, write=True) as index:
            for file, reading in zip(share, readings, strict=True):
                done += _unread(file, before)
                if reading is None:
                    continue
                known = before[file.path][0] if file.path in before else None
                read = File(file.path, file.inode, PARTLY, file.changed) if reading.more else file
                is_kept = index.keep(read, reading, known)
                before[file.path] = read, reading.state
                if is_kept and reading.more:
                    more[file.path] = file
                    done -= _unread(file, before)
        if heard is not None:
            heard(min(done, total), total)
    return more, done


def _texts(jobs: list[Job]) -> list[Reading | None]:
    return [read_file(path, state) for path, state in jobs]


# -- what is found ----------------------------------------------------------------------------------------------------


def search(asked: Asked, there: Iterable[str] | None = None) -> Searched:
    """What holds all of the words, newest first. `there` are the files to search, if that is known already."""
    query = parse_query(asked.words, unfinished=asked.unfinished)
    if not query.terms:
        raise Usage("there is no word to search for", place=asked.words, hint='ccos-tui search "still fails"')
    wanted = set(files(asked.paths) if there is None else there)
    with search_index.opened(VERSION) as index:
        stories = index.stories()
        titles = {(each.path, each.session): each.title for each in stories.values()}
        chosen = dict(_chosen(stories, wanted, asked))
        kinds = [KINDS.index(each) for each in asked.kinds]
        texts, sessions, matches = index.matches(query.expression, chosen, kinds, asked.since)
        hits = tuple(_hits(index, query, chosen, titles, matches, asked.limit))
    return Searched(shown(asked.words), texts, sessions, len({each.opens for each in chosen.values()}), hits)


def _chosen(stories: dict[int, Story], wanted: set[str], asked: Asked) -> Iterator[tuple[int, Story]]:
    """The sessions to search. One that a transcript tells isn't searched in a workspace as well."""
    told = {
        (each.agent, each.session)
        for each in stories.values()
        if each.path in wanted and each.session and not each.path.endswith(locate.SUFFIX)
    }
    for number, each in stories.items():
        again = each.path.endswith(locate.SUFFIX) and (each.agent, each.session) in told
        if (
            each.path in wanted
            and not again
            and is_of(each.agent, asked.agent)
            and is_below(each.project, asked.project)
        ):
            yield number, each


def _hits(
    index: SearchIndex,
    query: Query,
    stories: dict[int, Story],
    titles: dict[tuple[str, str], str],
    matches: Iterator[Match],
    limit: int,
) -> Iterator[Hit]:
    """The first of them, each once: what a subagent did may be told in two files."""
    met: set[tuple[str, bytes, int]] = set()
    for each in matches:
        story = stories[each.story]
        name = story.opens, each.key, each.kind
        if name in met:
            continue
        if len(met) >= limit:
            return
        met.add(name)
        snippet, marks = quote(index.text(each.id), query, shown)
        yield Hit(
            path=story.opens,
            agent=story.agent,
            session=story.session,
            project=story.project,
            title=story.title or titles.get((story.opens, story.session), ""),
            kind=KINDS[each.kind],
            at=each.at,
            key=each.key.hex(),
            snippet=snippet,
            marks=marks,
        )


def step_of(record: Record, hit: Hit) -> int:
    """The step of an imported session, or of a workspace, that holds a hit; 0 where the record has none."""
    key = bytes.fromhex(hit.key)
    if key.startswith(step_key(0)[:4]) and len(key) == len(step_key(0)):
        return min(int.from_bytes(key[4:], "big"), record.head()[0])
    found = record.delivered(key) if key else None
    return found or 0


# -- as a list --------------------------------------------------------------------------------------------------------

KIND_CELLS, PLACE_CELLS, AGENT_CELLS, TITLE_CELLS = 8, 32, 14, 80


def _rows(found: Searched, view: View) -> Iterator[tuple[Row, Hit | None]]:
    """Each row, and the hit it is about: hits stand below a heading for each session where it changes. With `full`,
    for a screen, neither paths nor the count of them."""
    before = None
    for hit in found.hits:
        if (hit.path, hit.session) != before:
            if before is not None or not view.full:
                yield Row(), None
            yield session_row(hit, view.width), hit
            if not view.full:
                yield note(f"    {shown(homely(hit.path))}"), hit
            before = hit.path, hit.session
        yield hit_row(hit, view.width), hit
    if not view.full:
        yield Row(), None
        yield note(tally(found)), None


def session_row(hit: Hit, width: int) -> Row:
    """When, who, where, and what it is called or was asked first."""
    project = clip_path(shown(homely(hit.project)) or "-", min(PLACE_CELLS, max(width // 4, 8)))
    agent = clip(shown(hit.agent), AGENT_CELLS)
    head = f"{moment(hit.at)[:10]}  {agent}  {project}  "
    room = min(max(width - len(head), 12), TITLE_CELLS)
    return row(Span(head, "strong"), Span(clip(shown(hit.title) or "-", room), "strong"))


def hit_row(hit: Hit, width: int) -> Row:
    """`14:07  result    ...a piece of the text, with the words marked`."""
    head = f"    {moment(hit.at)[11:16]}  {hit.kind:<{KIND_CELLS}}  "
    return row(Span(head, "quiet"), *marked(hit.snippet, hit.marks, max(width - len(head), 20)))


def marked(text: str, marks: Sequence[tuple[int, int]], width: int) -> list[Part]:
    """A text of at most `width` columns as spans, those of the marks in a colour of their own."""
    kept = clip(text, width)
    spans: list[Part] = []
    at = 0
    for begin, end in marks:
        if end <= len(kept) and begin >= at:
            spans += [kept[at:begin], Span(kept[begin:end], "found")]
            at = end
    return [*spans, kept[at:]]


def tally(found: Searched) -> str:
    """`12 of 340 texts in 5 of 80 sessions, newest first`."""
    if not found.searched:
        return "there is no such session to search"
    if not found.texts:
        return f"no text in {count(found.searched, 'session')} has all of: {found.words}"
    shown_of = f"{len(found.hits):,} of " if len(found.hits) < found.texts else ""
    sessions = f"{found.sessions:,} of {count(found.searched, 'session')}"
    return f"{shown_of}{count(found.texts, 'text')} in {sessions}, newest first"
