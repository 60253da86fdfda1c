"""The workspace a script works on, behind the same door as an agent's tools, open for as long as the pipe is.

What others record meanwhile, and what hooks hear for it, is known at the next line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ccos_core.errors import CcosError, Usage
from ccos_core.query.catalogue import Entry
from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.asking import told
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory import verbs
from ccos_core.session import lifecycle
from ccos_core.session.hearing import take_in
from ccos_core.storage import locate

Answer = dict[str, Any]


class Store:
    """A workspace, and all that can be done with it."""

    def __init__(self, named: str) -> None:
        self.door = Door(_path(named), "", scripted=True)
        self.tools = verbs.scripted({tool.name: tool for tool in offering(self.door, (ALL,)).tools})
        self.door.live()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.door.close()

    def obey(self, verb: str, said: Mapping[str, Any]) -> Answer:
        """Do what a verb says. What hooks heard for this workspace is taken in before; what of that can't be yet is for
        a later line."""
        take_in(self.door.path)
        verb = verbs.named(verb)
        if (entry := verbs.question_of(verb)) is not None:
            return self._ask(entry, verbs.said_for(entry, said))
        if verb not in self.tools:
            raise verbs.unknown(verb, self.tools)
        return self._call(self.tools[verb], said)

    def _call(self, tool: Tool, said: Mapping[str, Any]) -> Answer:
        """What a tool answers. What wasn't said may be said as null."""
        try:
            given = filled(tool.takes, {name: value for name, value in said.items() if value is not None})
            return dict(tool.run(given, _Nobody()))
        except Wrong as wrong:
            raise _as_error(wrong) from wrong

    def _ask(self, entry: Entry, said: Mapping[str, str]) -> Answer:
        """A question of the catalogue, as of now unless it says otherwise."""
        live = self.door.live()
        live.keep_up()
        asked = live.ask(entry, dict(said))
        return told(self.door, {}, asked.answer, asked.partial)


class _Nobody:
    """Whom no progress is told."""

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


def _as_error(wrong: Wrong) -> CcosError:
    """What is wrong with an argument, of the family that says how the pipe ends: the engine's own words, where it was
    the engine that couldn't do with it."""
    if isinstance(wrong.__cause__, CcosError):
        return wrong.__cause__
    hint = f"Did you mean {wrong.nearest}?" if wrong.nearest else ""
    return Usage(wrong.fact.removesuffix("."), place=wrong.argument, hint=hint)


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
