"""The user's own record, `user.ccos`: what holds in every project, beside the records of the projects.

It lies where the user's settings are, and is made when something is remembered for the user for the first time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ccos_core.session.lifecycle import init
from ccos_core.session.session import open_session
from ccos_core.storage.locate import user_path
from ccos_core.storage.opening import open_record

if TYPE_CHECKING:
    from ccos_core.session.admit import Observation
    from ccos_core.storage.record import Record


def open_user_record(beside: str) -> Record | None:
    """Open the user's record to read it beside another one; None if there is none yet, or it is that one."""
    path = user_path()
    if not os.path.exists(path) or os.path.realpath(path) == os.path.realpath(beside):
        return None
    return open_record(path)


def record_for_user(observations: Iterable[Observation]) -> list[int]:
    """Record in the user's record; returns the steps there."""
    path = user_path()
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        init(path)
    with open_session(path, stay=False) as session:
        return session.record(observations)
