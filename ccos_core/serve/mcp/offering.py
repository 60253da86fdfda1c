"""What `ccos-tui mcp` offers of one workspace: its tools by toolset, its resources, its prompts.

Made before the first word of a host is answered, so nothing here imports what a tool needs.
"""

from __future__ import annotations

import os

from ccos_core._version import __version__
from ccos_core.serve.mcp.getting_ready import GettingReady
from ccos_core.serve.mcp.offer import Offer
from ccos_core.serve.mcp.prompts import prompts
from ccos_core.serve.mcp.resources import CONTEXT, TIMELINE, resources
from ccos_core.serve.mcp.tools import causes, claims, history, memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccos_core.serve.mcp.offer import Tool
    from ccos_core.serve.mcp.tools.door import Door

TOOLSETS: dict[str, Callable[[Door], tuple[Tool, ...]]] = {
    "memory": memory.tools,
    "history": history.tools,
    "causes": causes.tools,
    "claims": claims.tools,
}
"""In the order in which they are listed."""
ALL = "all"
DEFAULT = ("memory", "causes")
MOST_CHANGED = 100
"""Resources of nodes that are told to have changed at once."""
INSTRUCTIONS = (
    "At the start call recall with the task as text. After every test run give its output to page_fault. recall "
    "returns the code that matters within a token budget, page_fault the code around a failure. Call recall "
    "again after your context was compacted (lens resume) and before you edit (anchor). Name code by path "
    "(src/db.py) or symbol (src/db.py#load or load), and moments by step number."
)
"""Some hosts show their model the first 200 characters alone, so both orders stand there."""


def offering(door: Door, toolsets: Sequence[str] = DEFAULT) -> Offer:
    """All that is offered through a door."""
    named = TOOLSETS if ALL in toolsets else toolsets
    return Offer(
        name="ccos-tui",
        title="ccos-tui: recorded working memory",
        version=__version__,
        instructions=INSTRUCTIONS,
        tools=[tool for name, tools in TOOLSETS.items() if name in named for tool in tools(door)],
        resources=resources(door),
        prompts=prompts(door),
        changed=_Changes(door),
        get_ready=GettingReady(door),
    )


class _Changes:
    """Which resources are others than when this was last asked."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._step: int | None = None
        self._mark = self._marked()

    def __call__(self) -> Sequence[str]:
        live = self._door.opened
        if live is None:
            return (CONTEXT, TIMELINE) if self._has_moved() else ()
        before, self._step = self._step, live.head
        if before == self._step:
            return ()
        nodes = live.touched(before, MOST_CHANGED) if before is not None else []
        return (CONTEXT, TIMELINE, *(f"ccos://node/{node}" for node in nodes))

    def _has_moved(self) -> bool:
        before, self._mark = self._mark, self._marked()
        return before != self._mark

    def _marked(self) -> list[tuple[int, int]]:
        """What tells that somebody recorded something, without opening anything."""
        from ccos_core.storage.locate import heard_path

        found, path = [], os.path.realpath(self._door.path)
        for each in (path, f"{path}-wal", heard_path(path)):
            try:
                told = os.stat(each)
            except OSError:
                continue
            found.append((told.st_size, told.st_mtime_ns))
        return found
