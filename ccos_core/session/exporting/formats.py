"""The formats that `export` writes besides its own: a new one is its writer, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.errors import NotFound, Usage
from ccos_core.session.exporting.atif import write_atif
from ccos_core.session.exporting.otel import write_otel
from ccos_core.session.exporting.reading import write_markdown, write_page, write_table
from ccos_core.session.exporting.recorded import Leaving, Step, recorded_steps, sessions_of

if TYPE_CHECKING:
    from ccos_core.storage.record import Record

MOST_NAMED = 5
"""Sessions that a message names."""


class Writer(NamedTuple):
    """One format."""

    write: Callable[[Iterable[Step], Callable[[bytes], object], Leaving], None]
    one_session: bool = False
    """Whether a file of it holds one session."""
    read_back: bool = False
    """Whether `import` reads it."""


WRITERS: Mapping[str, Writer] = {
    "otel": Writer(write_otel, read_back=True),
    "atif": Writer(write_atif, one_session=True, read_back=True),
    "html": Writer(write_page),
    "md": Writer(write_markdown),
    "csv": Writer(write_table),
}


def export_as(name: str, record: Record, write: Callable[[bytes], object], session: str = "") -> Leaving:
    """Write the steps of a record, or of one session, in a format; gives what was written and what was not."""
    writer = WRITERS[name]
    if session or writer.one_session:
        session = _chosen(record, session)
    leaving = Leaving()
    writer.write(recorded_steps(record, leaving, session), write, leaving)
    return leaving


def _chosen(record: Record, session: str) -> str:
    """The session that is meant, by its name or how that begins; the only one where none is named."""
    known = sessions_of(record)
    found = [session] if session in known else [each for each in known if each.startswith(session)]
    if len(found) == 1:
        return found[0]
    named = ", ".join((found or list(known))[:MOST_NAMED])
    if not known:
        raise NotFound("holds no session", place=record.path)
    if not found:
        raise NotFound(f"holds no session {session}", place=record.path, hint=f"Its sessions: {named}")
    raise Usage(f"holds {len(found):,} such sessions", place=record.path, hint=f"Choose one by --session: {named}")
