"""The words of `sessions`: a line a session, and where it lies below it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve import terminal

if TYPE_CHECKING:
    from ccos_core.session.listing import Listed, Sessions

MODEL, PROMPT = 24, 100


def says(answer: Sessions, columns: int | None) -> Iterator[str]:
    """The newest first."""
    home = os.path.expanduser("~")
    for each in answer.sessions:
        agent, model = words.clipped(each.agent, 14), words.clipped(each.model or "-", MODEL)
        project = words.clipped(_short(each.project, home) or "-", 60)
        yield words.visible(f"{words.moment(each.started)[:16]}  {agent:<14} {model:<{MODEL}} {project}")
        if each.prompt:
            yield words.visible(f"    {words.clipped(each.prompt, (columns or PROMPT) - 4)}")
        yield terminal.coloured(words.visible(f"    {_length(each)}"), "quiet")
        yield words.visible(f"    {_short(each.path, home)}")


def plain(answer: Sessions) -> Iterator[str]:
    """A sentence a session."""
    for each in answer.sessions:
        project = f" in {each.project}" if each.project else ""
        said = f'; it began with: "{each.prompt}"' if each.prompt else ""
        yield f"{each.agent} at {words.moment(each.started)[:16]}{project}: {_length(each)}; {each.path}{said}"


def _length(each: Listed) -> str:
    said = [count(each.records, "record"), words.calls(each.calls, each.inner_calls), words.duration(each.millis)]
    said += [count(each.failures, "error")] * bool(each.failures)
    said += [count(each.compactions, "compaction")] * bool(each.compactions)
    said += [count(each.subagents, "subagent")] * bool(each.subagents)
    return ", ".join(said)


def _short(path: str, home: str) -> str:
    return "~" + path[len(home) :] if home != "/" and (path + "/").startswith(home + "/") else path
