"""The workspace a script works on: open for recording, understood, and asked, all for as long as the pipe is.

What others record meanwhile, and what hooks hear for it, is known at the next line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ccos_core.errors import Usage
from ccos_core.query.catalogue import Entry
from ccos_core.serve import felt
from ccos_core.serve.says import as_json_object
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.hearing import take_in
from ccos_core.session.knowing import Knowing
from ccos_core.session.session import Session, open_session
from ccos_core.session.settings import recording_allowed
from ccos_core.storage import locate

Answer = dict[str, Any]


class Store:
    """A workspace, and what is known of it."""

    def __init__(self, named: str) -> None:
        self.session: Session = open_session(_path(named))
        self._desk: Desk | None = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self._desk is not None:
            self._desk.__exit__(None, None, None)
        self.session.close()

    def hear(self) -> None:
        """Take in what hooks heard for this workspace since; what can't be taken in yet is for a later line."""
        take_in(self.session.recorded.path)

    @cached_property
    def _knowing(self) -> Knowing:
        return Knowing(self.session.recorded)

    @property
    def knowing(self) -> Knowing:
        """What is known now, whoever recorded it."""
        if self.session.recorded.head()[0] > self._knowing.step:
            self._knowing.catch_up()
        return self._knowing

    def record(self, observation: Mapping[str, Any]) -> int:
        """Put something on disk; gives its step."""
        recording_allowed()
        (step,) = self.session.record([dict(observation)])
        return step

    def ask(self, entry: Entry, said: Mapping[str, str]) -> Answer:
        """A question of the catalogue, as of now unless it says otherwise."""
        if self._desk is None:
            self._desk = Desk(self.session.recorded)
        self._desk.catch_up()
        asked = self._desk.ask(entry, said)
        return as_json_object(asked.answer, asked.partial)

    def telling(self, observation: Mapping[str, Any]) -> Answer:
        """Record something that may begin failures or end them; gives which."""
        before = dict(self.knowing.world.failures.live)
        self.record(observation)
        live = self.knowing.world.failures.live
        reached = {node for each in felt.begun(before, live).values() for node in each.strengths}
        return {"step": self.knowing.step, **felt.as_answer(before, live), "affected": len(reached)}


def _path(named: str) -> str:
    """The record that is meant; it is made where there is none."""
    path, root = named, None
    if os.path.isdir(named):
        root = locate.project_root(named)
        path = locate.default_path(root)
    if not os.path.exists(path):
        if not path.endswith(locate.SUFFIX):
            hint = f"ccos-tui memory {path}{locate.SUFFIX}"
            raise Usage(f"a workspace's name ends in {locate.SUFFIX}", place=path, hint=hint)
        lifecycle.init(path, root)
    return path
