"""Search over all sessions of this machine, on threads: the look for what is new, and each search while somebody types.

A hit that is chosen is opened as any session is; `step_of` then says where in the record it stands.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from ccos_tui.bridge.work import Work
from ccos_tui.messages import Indexed, SearchFound

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ccos_core.session.search import Hit
    from ccos_tui.messages import FromEngine

READING, SEARCHING = "reading", "searching"
LIMIT = 200
"""Texts that are listed; a search can be made narrower."""


def reading(post: Callable[[FromEngine], object]) -> Work:
    """Read what is new in transcripts and workspaces; what can be searched comes as a message."""
    return Work(READING, _read, post)


def searching(line: str, there: Collection[str] | None, post: Callable[[FromEngine], object]) -> Work:
    """Search for a line of words and filters in these files, or in all that were read so far."""
    return Work(SEARCHING, partial(_searched, line, there), post)


def step_of(workspace: str, hit: Hit) -> int:
    """The step of a hit in a record that is open; 0 where it hasn't been imported yet."""
    from ccos_core.session.search import step_of as found
    from ccos_core.storage.opening import open_record

    with open_record(workspace) as record:
        return found(record, hit)


def _read(work: Work) -> Indexed:
    from ccos_core.session.search import bring_up_to_date

    return Indexed(tuple(bring_up_to_date(heard=work.heard)))


def _searched(line: str, there: Collection[str] | None, work: Work) -> SearchFound:
    from ccos_core.session.search import search
    from ccos_core.session.search_filters import asked_of

    return SearchFound(line, search(asked_of(line, int(time.time() * 1_000), LIMIT), there))
