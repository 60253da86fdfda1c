"""Find the session, the prompt and the step that wrote a line of a file, and what the agent's window held then.

Of the sessions of a project only those are read in whose bytes the line's words stand. Whether git knows the line, and
from which commit, is said beside it; the session is found without git as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import count, moment
from ccos_core.query.line_origin import AROUND, Origin, Wanted, line_origins
from ccos_core.session.blame_commit import is_worth_reading, sources_of
from ccos_core.session.journaling import timeline_of
from ccos_core.session.named import find_record
from ccos_core.session.repository import line_commit
from ccos_core.storage.locate import project_root
from ccos_core.storage.opening import open_record

MOST_SHOWN = 5
LEAST_CHARACTERS = 4
"""A line with fewer stands in too many files to tell a session by."""
LONGEST_FILE = 16 * 2**20
Heard = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wrote:
    """A step of a session that wrote the line."""

    workspace: str
    """The workspace, by its path."""
    source: str
    """The transcript it was imported from; the workspace where it was named."""
    origin: Origin
    """The step, and what went before it."""


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """Where a line comes from."""

    schema: ClassVar[str] = "ccos.blame-line/1"
    path: str
    """The file, as it was named."""
    line: int
    """The number of the line, from 1."""
    text: str
    """The line, as it stands now."""
    commit: str
    """The commit from which git has it; empty where it isn't committed, or there is no git."""
    subject: str
    """The first line of that commit's message."""
    sessions: int
    """Sessions that were looked through."""
    wrote: tuple[Wrote, ...]
    """The likeliest first."""
    skipped: tuple[str, ...]
    """Sessions that couldn't be read, each with the reason."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view))


def blame_line(place: str, named: Sequence[str], heard: Heard = lambda done, total: None) -> BlamedLine:
    """Search the workspaces or transcripts that are named, else all sessions of the project that the file is in."""
    path, number = _place_of(place)
    lines = _read(path)
    if not 1 <= number <= len(lines):
        raise Usage(f"has {count(len(lines), 'line')}", place=path, hint=f"Give one of them: {path}:1")
    text = lines[number - 1]
    if len(text.strip()) < LEAST_CHARACTERS:
        raise Usage(f"line {number:,} says too little to search for it", place=path, hint="Take a line beside it.")
    above, below = lines[max(number - 1 - AROUND, 0) : number - 1][::-1], lines[number : number + AROUND]
    wanted = Wanted(text, tuple(above), tuple(below))
    folder = os.path.dirname(os.path.abspath(path))
    every = list(named) or sources_of(folder, "ccos-tui blame-line FILE:LINE WORKSPACE...")
    words = json.dumps(text.strip(), ensure_ascii=False)[1:-1].encode()
    escaped = json.dumps(text.strip())[1:-1].encode()
    found: list[Wrote] = []
    skipped: list[str] = []
    for done, source in enumerate(every):
        heard(done, len(every))
        if not named and not is_worth_reading(source, words) and not is_worth_reading(source, escaped):
            continue
        try:
            found += _in_session(source, path, wanted)
        except CcosError as error:
            if named:
                raise
            skipped.append(f"{source}: {error.fact}")
    order = sorted(found, key=lambda each: (-each.origin.alike, -(each.origin.at or 0), each.workspace))
    commit, subject = line_commit(folder, os.path.basename(path), number)
    return BlamedLine(path, number, text, commit, subject, len(every), tuple(order), tuple(skipped))


def _place_of(place: str) -> tuple[str, int]:
    path, _, number = place.rpartition(":")
    if not path or not number.isdecimal() or len(number) > 9:
        raise Usage("isn't a line of a file", place=place[:200], hint="Give FILE:LINE, such as src/db.py:42")
    return path, int(number)


def _read(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            raw = file.read(LONGEST_FILE)
    except OSError as error:
        raise NotFound(error.strerror or "can't be read", place=path) from None
    return raw.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n") if raw else []


def _in_session(source: str, path: str, wanted: Wanted) -> Iterator[Wrote]:
    """The file may be called from the project's folder, or from one below it in which the session began."""
    root, real = os.path.realpath(project_root(os.path.dirname(os.path.abspath(path)))), os.path.realpath(path)
    parts = os.path.relpath(real, root).split(os.sep)
    with open_record(find_record(source)) as record:
        timeline = timeline_of(record)
        for first in range(len(parts)):
            called = "/".join(parts[first:])
            origins = line_origins(timeline, called, wanted)
            yield from [Wrote(record.path, source, each) for each in origins]
            if origins:
                return


# ---- its rows ----


def _rows(answer: BlamedLine, view: View) -> Iterator[Row]:
    place = f"{clean(answer.path)}:{answer.line:,}"
    looked = f"{count(answer.sessions, 'session')} searched"
    if not answer.wrote:
        yield title(f"no session on this machine wrote {place}")
        yield row(f"  {clip(clean(answer.text.strip()), view.width - 2)}")
        yield note(f"  {looked}")
    else:
        yield title(f"{place} was written at step {answer.wrote[0].origin.step:,}", Span(f", {looked}", "quiet"))
        yield row(f"  {clip(clean(answer.text.strip()), view.width - 2)}")
    if answer.commit:
        yield note(f"  committed in {clean(answer.commit[:12])}  {clip(clean(answer.subject), view.width - 30)}")
    some, more = view.some(answer.wrote, MOST_SHOWN)
    for each in some:
        yield from _wrote_rows(each, view)
    if more:
        yield note(f"  and {count(more, 'other step')} that wrote the same words")
    yield from (note(f"  not read: {clean(each)}") for each in answer.skipped)


def _wrote_rows(each: Wrote, view: View) -> Iterator[Row]:
    origin = each.origin
    yield Row()
    yield heading(clean(each.source))
    when = f"  {moment(origin.at)} UTC" if origin.at is not None else ""
    who = f"  by subagent {clean(origin.context)}" if origin.context else ""
    yield row("  ", Span(f"step {origin.step:,}", "link"), Span(f"{when}{who}", "quiet"))
    if origin.prompt_step:
        prompt = " ".join(clean(origin.prompt).split())
        yield row(f"    prompt  step {origin.prompt_step:,}  {clip(prompt, view.width - 28)}")
    if origin.window_items:
        had = "with this file" if origin.held else "without this file"
        items = count(origin.window_items, "item")
        yield row(f"    window  {items}, about {origin.window_tokens:,} tokens, {had}")
    yield note(f"      ccos-tui show {clean(each.workspace)}@{origin.step}")
