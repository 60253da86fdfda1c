"""The sessions of agents that are on this machine: where they lie, and what each amounts to.

Most transcripts are only glanced at (`intake.glances`), by as many processes as pay, and what was found is kept for the
next time. Nothing of a transcript is held but a piece of it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, BinaryIO, ClassVar, TypeAlias

from ccos_core.errors import NotFound, Unavailable
from ccos_core.intake.glances.figures import HEAD, LONGEST_HEAD, Figures, Glance, head_records
from ccos_core.intake.importers.record import Format, Record
from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, View, note, row
from ccos_core.present.rows import clean as shown
from ccos_core.present.words import calls, count, duration, homely, moment
from ccos_core.session.places import agent_of, below, beside, called, main_beside, places, session_of
from ccos_core.storage import agent_db, listing_cache
from ccos_core.storage.listing_cache import File
from ccos_core.text.sanitize import clean

VERSION = 5
"""Raised when a look may find something else in the same bytes."""
BLOCK = 4 * 2**20
"""Bytes that are looked at at a time, and more only where a line is longer."""
LONG_HEAD = 2**20
"""Bytes of a transcript's beginning where it doesn't say at once who it is."""
SHARE = 16 * 2**20
"""Bytes that are handed to a process at a time."""
WORTH_A_PROCESS = 24 * 2**20
LONGEST_PROMPT = 300
"""Characters of a first prompt that are kept."""
CLEANED = 10_000
"""Characters of it that are looked at, so that a secret lying across that end is whole where it is masked."""

Seen: TypeAlias = dict[str, Any]
"""An agent and the figures of a transcript, as they are kept."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One session on this machine."""

    path: str
    agent: str
    """The host, as ops say it."""
    session: str
    project: str
    """The folder it began in, as its machine spells it."""
    model: str
    """The one used last."""
    started: int | None
    """Milliseconds since 1970; when its file was written last, where it doesn't say."""
    ended: int | None
    prompt: str
    """What the user said first, on one line, or how that begins; empty if nothing."""
    records: int
    calls: int
    """Tool calls that were made, those of subagents included."""
    failures: int
    """Those that ended in an error."""
    compactions: int
    subagents: int
    """Transcripts of their own that belong to it."""
    bytes: int
    inner_calls: int = 0
    """Of the calls those of subagents."""

    @property
    def millis(self) -> int:
        """How long it went on."""
        return max((self.ended or 0) - (self.started or 0), 0) if self.started and self.ended else 0


@dataclass(frozen=True, slots=True)
class Sessions:
    """What is there."""

    sessions: tuple[Listed, ...]
    """The newest first."""

    schema: ClassVar[str] = "ccos.sessions/1"

    def as_rows(self, view: View) -> Sequence[Row]:
        return [row for each in self.sessions for row in _rows(each, view)]


def listed(paths: Sequence[str] = (), heard: Callable[[int, int], None] | None = None) -> Sessions:
    """The sessions in files and folders, or where agents keep them. `heard` is told (bytes looked at, bytes in all)."""
    *_, found = arriving(paths, heard)
    return found


def arriving(paths: Sequence[str] = (), heard: Callable[[int, int], None] | None = None) -> Iterator[Sessions]:
    """The same, as they are found: first those that were read before, at last all of them."""
    files = transcript_files(paths)
    known = listing_cache.load(files.values(), VERSION)
    yield _newest_first(files, known)
    for found in _looked([file for path, file in files.items() if path not in known], heard):
        known.update(found)
        yield _newest_first(files, known)


def _newest_first(files: Mapping[str, File], known: Mapping[str, Seen | None]) -> Sessions:
    there = {path: told for path, told in known.items() if told is not None}
    return Sessions(tuple(sorted(_with_subagents(files, there), key=lambda each: (-(each.started or 0), each.path))))


# -- where they are ---------------------------------------------------------------------------------------------------


def transcript_files(paths: Sequence[str] = ()) -> dict[str, File]:
    """Path → file of what may be transcripts in these files and folders, or where agents keep them; each once."""
    return _once(_files(paths or places(), named=bool(paths)))


def _files(paths: Sequence[str], *, named: bool) -> Iterator[File]:
    for path in dict.fromkeys(map(os.path.abspath, paths)):
        if os.path.isdir(path):
            for each in below(path):
                yield from _stated(each)
                for other in beside(each):
                    yield from _stated(other)
        elif named and not os.path.exists(path):
            raise NotFound("there is no such file or folder", place=path)
        else:
            yield from _stated(path)


def _once(files: Iterable[File]) -> dict[str, File]:
    """Path → file, each once: what links lead to is listed where it lies."""
    alike: dict[tuple[int, ...], list[File]] = {}
    for file in files:
        alike.setdefault(file[1:], []).append(file)
    found: dict[str, File] = {}
    for each in alike.values():
        first, *others = sorted(each, key=_leads_on) if len(each) > 1 else each
        found[first.path] = first
        found |= {other.path: other for other in others if not _is_the_same(first.path, other.path)}
    return found


def _is_the_same(one: str, other: str) -> bool:
    """Other disks may have a file of that number, too."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _leads_on(file: File) -> tuple[bool, str]:
    return os.path.realpath(file.path) != file.path, file.path


def _stated(path: str) -> Iterator[File]:
    try:
        told = os.stat(path)
    except OSError:  # gone since, or a link to nothing
        return
    if agent_db.is_database(path):
        with contextlib.suppress(Unavailable):
            for each in agent_db.sessions_in(path):
                if not each.parent:
                    yield File(each.address, told.st_ino, each.size, each.changed)
    elif told.st_size:
        yield File(path, told.st_ino, told.st_size, told.st_mtime_ns)


# -- what they are ----------------------------------------------------------------------------------------------------


def _looked(files: list[File], heard: Callable[[int, int], None] | None) -> Iterator[dict[str, Seen | None]]:
    """Read the files that weren't read before; each is kept as it comes, so an interrupted list loses nothing."""
    if not files:
        return
    from ccos_core.session.workers import shares, spread

    total, done = sum(file.size for file in files), 0
    largest = sorted(files, key=lambda file: -file.size)
    handed = list(shares(largest, lambda file: file.size, SHARE))
    for share, found in zip(handed, spread(_look, handed, worth_it=total >= WORTH_A_PROCESS), strict=True):
        listing_cache.save(dict(zip(share, found, strict=True)), VERSION)
        yield dict(zip((file.path for file in share), found, strict=True))
        done += sum(file.size for file in share)
        if heard is not None:
            heard(done, total)


def _look(files: list[File]) -> list[Seen | None]:
    return [_seen(file.path) for file in files]


def _seen(path: str) -> Seen | None:
    """What a file amounts to; None where it is no transcript, or can't be read."""
    try:
        if agent_db.split(path)[1]:
            return _read(path, agent_db.document(path))
        with open(path, "rb") as file:
            head = file.read(HEAD)
            told = _glanced(head, file)
            if told is None and len(head) == HEAD:
                head += file.read(LONG_HEAD)
                told = _glanced(head, file)
        return told or _read(path, head)
    except (OSError, NotFound, Unavailable):
        return None


def _glanced(head: bytes, file: BinaryIO) -> Seen | None:
    records = head_records(head)
    for format_, made in _glances():
        if format_.looks(records):
            glance = made(records)
            prompt, head = _prompt(format_, records, head, file)
            for block in _blocks(head, file):
                glance.feed(block)
            return {"agent": format_.name, **asdict(glance.figures()), "prompt": prompt}
    return None


def _prompt(format_: Format, records: list[Record], head: bytes, file: BinaryIO) -> tuple[str, bytes]:
    """(the first prompt, the head that was read to find it): it may stand behind much that the host says first. What a
    subagent is told isn't looked for any further."""
    from ccos_core.intake.glances.figures import prompt_in

    prompt = prompt_in(format_, records)
    if not prompt and len(head) >= HEAD and not session_of(file.name):
        head += file.read(LONG_HEAD)
        prompt = prompt_in(format_, head_records(head, LONGEST_HEAD))
    return _opening(prompt), head


def _opening(prompt: str) -> str:
    """How a prompt begins, as it may lie on a disk."""
    words = " ".join(clean(prompt[:CLEANED])[0].split())
    return words if len(words) <= LONGEST_PROMPT else words[:LONGEST_PROMPT] + "…"


def _glances() -> Iterable[tuple[Format, Callable[[list[Record]], Glance]]]:
    """Formats of which a glance is enough. Loaded when there is something to look at, which is rare."""
    from ccos_core.intake.glances.claude_code import ClaudeCodeGlance
    from ccos_core.intake.glances.codex import CodexGlance
    from ccos_core.intake.importers.claude_code.reader import FORMAT as CLAUDE_CODE
    from ccos_core.intake.importers.codex.reader import FORMAT as CODEX

    return (CLAUDE_CODE, ClaudeCodeGlance), (CODEX, CodexGlance)


def _blocks(head: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Whole lines, in pieces."""
    parts = [head]
    while piece := file.read(BLOCK):
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join((*parts, piece[:end]))
            parts = []
        parts.append(piece[end:])
    if rest := b"".join(parts):
        yield rest


def _read(path: str, head: bytes) -> Seen | None:
    """The same by reading all of it, for formats of which a glance isn't enough."""
    from ccos_core.intake.glances.figures import first_prompt
    from ccos_core.intake.importers.formats import recognised
    from ccos_core.session.imported import UnderWay
    from ccos_core.session.transcripts import Story, Tail

    if recognised(head) is None:
        return None
    under_way = UnderWay(Story(Tail(path, files=False)))
    story = under_way.story
    whole = story if agent_db.split(path)[1] else story.main
    said = under_way.counting.heard(chain(whole.read(), whole.finish()))
    prompt = first_prompt(said)
    for _ in said:  # the rest is counted
        pass
    told = under_way.told()
    counts = told.counts
    figures = Figures(
        records=told.records,
        calls=counts.calls + len(told.pending),
        inner={"": [counts.inner_calls, 0]} if counts.inner_calls else {},
        failures=counts.failures,
        compactions=counts.compactions,
        model=told.models[-1] if told.models else "",
        session=told.session,
        cwd=told.cwd,
        started=told.started if told.started is not None else counts.first_at,
        ended=counts.last_at,
        prompt=_opening(prompt),
    )
    return {"agent": told.agent, **asdict(figures)}


# -- as a list --------------------------------------------------------------------------------------------------------


def _row(file: File, told: Mapping[str, Any]) -> Listed:
    name = called(file.path)
    started = told["started"] if told["started"] is not None else file.changed // 1_000_000
    named = {"path": file.path, "agent": told["agent"], "session": told["session"] or name, "project": told["cwd"]}
    counted = {each: told[each] for each in ("model", "ended", "prompt", "records", "calls", "failures", "compactions")}
    counted["inner_calls"] = sum(calls for calls, _ in told["inner"].values())
    return Listed(**named, **counted, started=started, subagents=0, bytes=file.size)


def _with_subagents(files: Mapping[str, File], known: Mapping[str, Seen]) -> Iterable[Listed]:
    """Sessions, each with what its subagents did."""
    sessions = {path: _row(files[path], told) for path, told in known.items()}
    for path in list(sessions):
        main = session_of(path) or main_beside(path, known[path]["session"])
        if main in sessions:
            twice = known[main]["inner"].get(agent_of(path), [0, 0])
            sessions[main] = _joined(sessions[main], sessions.pop(path), *twice)
    return sessions.values()


def _joined(main: Listed, other: Listed, calls: int, failures: int) -> Listed:
    """So many calls and failures both of them tell: a session may report what its subagents do while they do it."""
    return replace(
        main,
        ended=max(filter(None, (main.ended, other.ended)), default=None),
        records=main.records + other.records,
        calls=main.calls + max(other.calls - calls, 0),
        inner_calls=main.inner_calls + max(other.calls - calls, 0),
        failures=main.failures + max(other.failures - failures, 0),
        compactions=main.compactions + other.compactions,
        subagents=main.subagents + 1,
        bytes=main.bytes + other.bytes,
    )


def is_of(agent: str, asked: str) -> bool:
    """Whether a host is meant by a name, or by the beginning of one."""
    return agent.startswith(asked.lower().replace(" ", "-"))


def is_below(project: str, folder: str) -> bool:
    """Whether a project is a folder, or lies below it; every project is where no folder is named."""
    return not folder or (project + os.sep).startswith(folder.rstrip(os.sep) + os.sep)


# ---- its rows ----


def _rows(each: Listed, view: View) -> Iterator[Row]:
    """When, who and where; what was said first; how long it is; its file."""
    agent, model = clip(shown(each.agent), 14), clip(shown(each.model) or "-", 24)
    project = clip(shown(homely(each.project)) or "-", 60)
    yield row(Span(moment(each.started)[:16], "strong"), f"  {agent:<14}  {model:<24}  {project}")
    if each.prompt:
        yield row(f"    {clip(shown(each.prompt), view.width - 4)}")
    said = [count(each.records, "record"), calls(each.calls, each.inner_calls), duration(each.millis)]
    said += [count(each.failures, "error")] * bool(each.failures)
    said += [count(each.compactions, "compaction")] * bool(each.compactions)
    said += [count(each.subagents, "subagent")] * bool(each.subagents)
    yield note(f"    {', '.join(said)}")
    yield row(f"    {shown(homely(each.path))}")
