"""Derive facts from contents: outlines of sources, reports of outputs. In this process or ahead of the fold in others.

Used when a fact is missing, by the index of a plain folder, and by the proof, which compares recorded facts with what
comes out today. Everything here is a pure function of bytes; without a grammar there is no answer. The work under way
in other processes is bounded, and the record is read when its turn comes, so memory stays bounded too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ccos_core.errors import CcosError
from ccos_core.grammars import is_risky
from ccos_core.log.facts import drawn_from, packed_fact
from ccos_core.log.packing import Spoiled, unpacked
from ccos_core.session.collecting import unsearched
from ccos_core.session.isolated_outline import CRASHED, outline_isolated
from ccos_core.session.workers import AHEAD, Crew, processors, shares, spread
from ccos_core.storage.facts import stored
from ccos_core.storage.record import Record
from ccos_core.text.syntax.languages import LANGUAGES, Language
from ccos_core.values.canon import spelled
from ccos_core.values.code import Outline
from ccos_core.values.outcome import Report

if TYPE_CHECKING:
    from ccos_core.log.facts import Key, Packed
    from ccos_core.storage.measures import Row

FAILURES = "failures"
"""The readers of outputs, in an epoch. A fact of theirs also says how the call ended: `failures.error`."""
ENDS: dict[str, bool | None] = {"ok": True, "error": False, "unknown": None}

WORTH_A_PROCESS = 2_000_000
"""Bytes of source from which starting another process pays."""
SHARE = 400_000
"""Bytes handed out at a time, so that no process waits long for another."""

Stored = tuple[bytes, int, int, int, bytes]
"""(hash, size, form, check, as it is stored)."""

BY_NAME: dict[str, Language] = {language.name: language for language in LANGUAGES}


class Made(NamedTuple):
    """A fact, and what was found beside it."""

    key: Key
    packed: Packed | None
    """None where it can't be had."""
    plain: Mapping[str, Any]
    """What it says, as plain values."""
    entries: tuple[int, ...] = ()
    """Of an outline what it takes to show each symbol, and last the file, ..."""
    measure: Row | None = None
    """... and the measure of the file, as it is kept."""


@dataclass(frozen=True, slots=True)
class Job:
    """A fact that is wanted, and what it is drawn from: a content as it is, or contents as they are stored."""

    key: Key
    content: bytes = b""
    stored: tuple[Stored, ...] = ()


def outline_body(language: Language, content: bytes) -> bytes | None:
    """The canonical bytes of a content's outline; None where its grammar isn't at hand."""
    found = _outline(language, content)
    return None if found is None else found.to_bytes()


def report_body(output: bytes, arguments: bytes, end: str) -> bytes | None:
    """The canonical bytes of what a call's output says; `end` is one of ENDS. None where it was a command's, and no
    grammar is at hand to read that."""
    found = _report(output, arguments, end)
    return None if found is None else found.to_bytes()


def readers_version() -> int:
    """Which version of the readers of outputs this program has."""
    from ccos_core.intake.failures import VERSION

    return VERSION


def outlined(jobs: Iterable[Job], *, worth_it: bool) -> Iterator[tuple[Key, Packed | None]]:
    """The fact of each, packed, by other processes where that pays."""
    for part in spread(derived, shares(jobs, lambda job: len(job.content), SHARE), worth_it=worth_it):
        yield from part


class Rederives:
    """For the proof: what a recorded fact should say, as far as this process can tell."""

    def has(self, interpreter: str, version: int) -> bool:
        """Whether the interpreter is at hand, in that version."""
        if interpreter in BY_NAME:
            from ccos_core.text.syntax.parse import is_ready

            return BY_NAME[interpreter].version == version and is_ready(BY_NAME[interpreter])
        name, _, end = interpreter.partition(".")
        return name == FAILURES and end in ENDS and version == readers_version()

    def agrees(self, record: Record, key: bytes, interpreter: str, recorded: bytes) -> bool | None:
        """Return whether a fact says what comes out today; None if what it was drawn from can't be read or isn't
        known, or if it depends on the machine: whether a parser crashed."""
        parts = drawn_from(key)
        try:
            contents = [record.content(part) for part in parts]
        except CcosError:
            return None
        found = _found(interpreter, contents) if contents else None
        if found is None:
            return None
        body, crashed = found.to_bytes(), CRASHED.to_bytes()
        if isinstance(found, Outline) and is_risky(contents[0]) and crashed in (body, recorded):
            return None
        return body == recorded


def derived(jobs: list[Job]) -> list[tuple[Key, Packed | None]]:
    """The facts of these, packed, one by one; None where one can't be had."""
    return [(job.key, _derived(job)) for job in jobs]


def made(jobs: list[Job]) -> list[Made]:
    """Derive the facts of these for a fold that goes on meanwhile: as they are recorded, and all else that is found at
    once with the content at hand. Hardly any of that is cyclic, so the collector is off."""
    with unsearched():
        return [_made(job) for job in jobs]


def _made(job: Job) -> Made:
    contents = _contents(job)
    found = _found(job.key[1], contents) if contents is not None else None
    if contents is None or found is None:
        return Made(job.key, None, {})
    plain = found.to_plain()
    shown = _shown(job.key, found, contents[0]) if isinstance(found, Outline) else ((), None)
    return Made(job.key, packed_fact(job.key, spelled(plain)), plain, *shown)


def _derived(job: Job) -> Packed | None:
    contents = _contents(job)
    found = _found(job.key[1], contents) if contents is not None else None
    return None if found is None else packed_fact(job.key, found.to_bytes())


def _contents(job: Job) -> list[bytes] | None:
    try:
        return [unpacked(*row) for row in job.stored] or [job.content]
    except Spoiled:
        return None


def _found(interpreter: str, contents: list[bytes]) -> Outline | Report | None:
    if interpreter in BY_NAME:
        return _outline(BY_NAME[interpreter], contents[0])
    return _report(contents[0], b"".join(contents[1:]), interpreter.partition(".")[2])


def _report(output: bytes, arguments: bytes, end: str) -> Report | None:
    from ccos_core.intake.calls.shell import can_parse
    from ccos_core.intake.failures import read
    from ccos_core.intake.tools import command_of

    command = command_of(arguments.decode("utf-8", "replace")) if arguments else ""
    if command and not can_parse():
        return None
    return read(output.decode("utf-8", "replace"), command, ENDS[end])


def _outline(language: Language, content: bytes) -> Outline | None:
    from ccos_core.text.syntax.parse import LARGEST, outline

    found: Outline | None
    if language.grammar and len(content) <= LARGEST and is_risky(content):
        found = outline_isolated(language, content)
    else:
        found = outline(language, content)
    return None if found is None or "no grammar" in found.flaws else found


def _shown(key: Key, outline: Outline, content: bytes) -> tuple[tuple[int, ...], Row | None]:
    """What it takes to show each symbol of a file, and its measure. Where it lies doesn't matter for that."""
    from ccos_core.storage.measures import row_of
    from ccos_core.window.layout import entries
    from ccos_core.window.measure import VERSION, Measure, Measured, measure
    from ccos_core.window.source import Source

    text = content.decode("utf-8", "replace")
    body = measure(outline, text)
    if body is None:
        return entries(Source("", text, outline)), None
    return entries(Measured("", Measure.of(body), lambda: (text, outline))), row_of(key, VERSION, body)


AHEAD_SHARE = 200_000
"""Bytes handed out at a time: few, for a caller may be waiting for the first of them; and not so few that those who
make facts wait for the next share, and who folds is kept busy with handing them out."""


class Making:
    """What is wanted soon, in the order in which it will be asked for."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._crew: Crew | None = None
        self._waiting: deque[list[Key]] = deque()
        self._under_way: deque[tuple[list[Key], Callable[[], list[Made]]]] = deque()
        self._wanted: dict[Key, None] = {}
        """All keys of both."""

    def __contains__(self, key: Key) -> bool:
        return key in self._wanted

    def pays(self, size: int) -> bool:
        """Whether so many bytes are worth the trouble. Once there are other processes, anything is."""
        return processors() > 1 and (self._crew is not None or size >= WORTH_A_PROCESS)

    def begin(self, sizes: Mapping[Key, int]) -> None:
        """Make these facts; of each is said how large what it is drawn from is."""
        self._crew = self._crew or Crew()
        self._waiting += shares(sizes, sizes.__getitem__, AHEAD_SHARE)
        self._wanted.update(dict.fromkeys(sizes))
        self._hand_out()

    def take(self, key: Key) -> Iterator[Made]:
        """Facts that are made, up to the one that is asked for; waits for it. None where one can't be had."""
        while key in self._wanted:
            yield from self._first()

    def take_all(self) -> Iterator[Made]:
        """All that is left."""
        while self._under_way:
            yield from self._first()

    def leave(self) -> None:
        """Nothing more is wanted."""
        if self._crew is not None:
            self._crew.leave()
        self._crew = None
        self._waiting.clear()
        self._under_way.clear()
        self._wanted.clear()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._crew is not None and self._waiting and len(self._under_way) < processors() * 2 * AHEAD:
            share = self._waiting.popleft()
            self._under_way.append((share, self._crew.hand(made, self._jobs(share))))

    def _jobs(self, keys: list[Key]) -> list[Job]:
        """What these are drawn from; those of which not all is there are left out."""
        parts = dict.fromkeys(part for key in keys for part in drawn_from(key[0]))
        there = {row[0]: row for row in stored(self._record, parts)}
        drawn = {key: [there.get(part) for part in drawn_from(key[0])] for key in keys}
        return [Job(key, stored=tuple(filter(None, each))) for key, each in drawn.items() if None not in each]

    def _first(self) -> list[Made]:
        share, answer = self._under_way.popleft()
        facts = answer()
        for key in share:
            del self._wanted[key]
        self._hand_out()
        return facts
