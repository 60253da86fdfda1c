"""The words of an import: what was read of a session, and what of it wasn't understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count

if TYPE_CHECKING:
    from ccos_core.session.imported import Counts, Imported, Pending, Unread
    from ccos_core.session.repository import Repository

FEW = 5
"""Pending calls that are named."""
TITLE = 72


def says(answer: Imported, columns: int | None, *, every_unknown: bool = False) -> Iterator[str]:
    """The figures of a session; with `every_unknown` also where each record stands that wasn't understood."""
    counts = answer.counts
    title = f"  {words.clipped(answer.title, TITLE)}" if answer.title else ""
    yield f"session    {answer.session or '(it has no name)'}{title}"
    models = ", ".join(answer.models) or "it doesn't say"
    yield f"agent      {answer.agent_title or answer.agent}    model {models}"
    if answer.cwd:
        yield f"project    {answer.cwd}"
    yield f"time       {_span(counts)}"
    yield f"said       {count(counts.prompts, 'prompt')}, {count(counts.turns, 'turn')}, {_calls(counts)}"
    edits = f"{count(counts.edits, 'call')} that edited"
    yield f"files      {count(counts.reads, 'read')}, {edits}, {count(counts.files, 'file')}"
    yield f"window     {_window(counts)}"
    if counts.contexts > 1:
        yield f"contexts   {counts.contexts:,}: the main one and {count(counts.contexts - 1, 'subagent')}"
    if answer.ended:
        yield f"ended      {answer.ended}"
    if answer.pending:
        yield f"no end yet {_pending(answer.pending)}"
    if answer.unknown:
        yield f"unknown    {sum(each.times for each in answer.unknown):,} of {count(answer.records, 'record')}"
    yield from _lines(answer.unknown if every_unknown else ())
    if answer.unread:
        yield f"unread     {_kinds(answer.unread)}"
    yield from _lines(answer.unread)


def of_sources(found: Repository) -> str:
    """What was taken of a project's sources."""
    whose = f"as {found.revision} has them ({found.commit[:10]})" if found.revision else "as they lie there"
    new = (
        "all of them new"
        if found.put == len(found.paths)
        else f"{found.put:,} new"
        if found.put
        else "none of them new"
    )
    return f"sources    {count(len(found.paths), 'file')} of {found.folder}, {whose}; {new}"


def _span(counts: Counts) -> str:
    if counts.first_at is None or counts.last_at is None:
        return "it doesn't say"
    span = words.duration(counts.last_at - counts.first_at)
    return f"{words.moment(counts.first_at)}  to  {words.moment(counts.last_at)} UTC  ({span})"


def _calls(counts: Counts) -> str:
    ended = [count(counts.failures, "error")] * bool(counts.failures)
    ended += [f"{counts.interrupted:,} interrupted"] * bool(counts.interrupted)
    return words.calls(counts.calls, counts.inner_calls) + (f" ({', '.join(ended)})" if ended else "")


def _window(counts: Counts) -> str:
    held = f"{counts.peak:,} tokens at most, {counts.window:,} at the end" if counts.peak else "its size isn't recorded"
    cuts = f"; {count(counts.compactions, 'compaction')}" if counts.compactions else ""
    return held + cuts + (f"; cleared {count(counts.cleared, 'time')}" if counts.cleared else "")


def _pending(calls: tuple[Pending, ...]) -> str:
    named = ", ".join(f"{call.name} (line {call.line:,})" for call in calls[:FEW])
    more = f" and {len(calls) - FEW:,} more" if len(calls) > FEW else ""
    return f"{count(len(calls), 'call')}: {named}{more}"


def _kinds(kinds: Iterable[Unread]) -> str:
    return count(sum(each.times for each in kinds), "record")


def _lines(kinds: Iterable[Unread]) -> Iterator[str]:
    for each in kinds:
        named = ", ".join(f"{line:,}" for line in each.lines if line)
        more = ", ..." if each.times > len(each.lines) else ""
        where = f"line {named}{more}" if named else ""
        yield f"  {each.times:>8,}  {words.clipped(each.kind, TITLE)}  {where}".rstrip()
