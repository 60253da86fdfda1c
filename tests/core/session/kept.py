"""Stories in a workspace on disk, and what is answered of them: from the journal that was kept, or folded anew."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record
from tests.core.replay.told import written
from tests.story import Story, new_session


def telling(folder: Path, tale: str) -> Iterator[Story]:
    """A story that may go on, for as long as a test takes."""
    session = new_session(folder)
    yield Story(session).tell(tale)
    with suppress(sqlite3.ProgrammingError):  # it was closed in between
        session.close()


def asked(path: str) -> list[tuple[str, bytes]]:
    """All that somebody may know who asks now."""
    with open_record(path) as record:
        return written(timeline_of(record))
