"""What `ccos-tui mcp` offers of one workspace (tools by toolset, resources, prompts), and how it gets ready meanwhile.

The offer is made before the first message of a host is answered, so nothing here imports what a tool needs. While the
host is silent, modules are loaded one at a time, then the workspace is opened and understood; a message is answered
between two pieces.
"""

from __future__ import annotations

import os

from ccos_core._version import __version__
from ccos_core.serve.mcp import cos
from ccos_core.serve.mcp.offer import LATER, NOW, Offer
from ccos_core.serve.mcp.resources import CONTEXT, TIMELINE, prompts, resources
from ccos_core.serve.mcp.tools import causes, claims, context, history, memory, memos, rules
from ccos_core.serve.mcp.tools.questions import question_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ccos_core.serve.mcp.offer import Tool
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live
    from ccos_core.session.steering_copies import Copies

MODULES = (
    "numpy", "ccos_core.storage.record", "ccos_core.state.world", "ccos_core.replay.timeline",
    "ccos_core.replay.searching", "ccos_core.query.windows", "ccos_core.query.catalogue", "ccos_core.session.asking",
    "ccos_core.session.ingest", "ccos_core.session.hearing", "ccos_core.session.live", "ccos_core.window.task",
    "ccos_core.query.cone", "ccos_core.query.depending", "ccos_core.query.project_map", "ccos_core.serve.printing",
    "ccos_core.present.words", "ccos_core.intake.failures.readers", "ccos_core.intake.failures.generic",
    "ccos_core.serve.felt", "ccos_core.session.retrieving", "ccos_core.session.told_before", "ccos_core.session.lost",
    "ccos_core.session.lost_events", "ccos_core.session.arguments", "tree_sitter", "ccos_core.text.syntax.parse",
    "ccos_core.text.syntax.python", "ccos_core.intake.calls.files",
)  # fmt: skip
"""What calls of the usual tools import, what others rest on first; a test finds out what is missing."""


class GettingReady:
    """The pieces of it, in turn."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._copies: Copies | None = None
        self._pieces: list[Callable[[], object]] = [lambda name=name: __import__(name) for name in MODULES]  # type: ignore[misc]

    def __call__(self) -> float | None:
        """Do the next piece; gives the seconds of silence before the one after it, None if there is none for now."""
        if self._pieces:
            self._pieces.pop(0)()
            return NOW
        live = self._door.opened
        if live is None:
            return self._open()
        if live.get_ready():
            return NOW
        self._copy(live)
        return None if live.is_ready else LATER

    def _copy(self, live: Live) -> None:
        """Write the copies that the settings name; nothing was said for a while, so a burst of calls is one writing."""
        settings = self._door.settings
        if settings is None or not (settings.mindmap_path or settings.access_log):
            return
        from time import monotonic

        from ccos_core.session.steering_copies import Copies, inside

        if self._copies is None:
            root = live.session.root
            map_path, log_path = inside(root, settings.mindmap_path), inside(root, settings.access_log)
            self._copies = Copies(map_path, log_path, settings.retention_days)
        self._copies.follow(live.desk.timeline, live.desk.user(), monotonic())

    def _open(self) -> float | None:
        """Open the workspace, unless there is none: only a call makes one, or the look through the project."""
        if os.path.exists(self._door.path):
            self._door.live()
            return NOW
        return LATER if self._door.scan is not None and not self._door.scan.ended() else None


TOOLSETS: dict[str, Callable[[Door], tuple[Tool, ...]]] = {
    "memory": memory.tools,
    "history": history.tools,
    "causes": causes.tools,
    "claims": claims.tools,
    "memos": memos.tools,
    "statements": lambda door: question_tools(door, "statements"),
    "rules": rules.tools,
}
"""In the order in which they are listed."""
STEERING = "context"
"""A toolset of its own: tools of it take the place of others of the same name, so `all` doesn't name it."""
ALL = "all"
NAMES = (*TOOLSETS, STEERING, ALL)
DEFAULT = ("memory", "causes")
MOST_CHANGED = 100
"""Resources of nodes that are told to have changed at once."""
INSTRUCTIONS = (
    "At the start call recall with the task as text. After every test run give its output to page_fault. recall "
    "returns the code that matters within a token budget, page_fault the code around a failure. Call recall "
    "again after your context was compacted (lens resume) and before you edit (anchor). "
)
"""For the toolset `memory`. Some hosts show their model the first 200 characters alone, so both orders stand there."""
NAMING = "Name code by path (src/db.py) or symbol (src/db.py#load or load), and moments by step number."


def offering(door: Door, toolsets: Sequence[str] = DEFAULT) -> Offer:
    """All that is offered through a door."""
    named = TOOLSETS if ALL in toolsets else toolsets
    steering = context.tools(door) if STEERING in toolsets else ()
    taken = {tool.name for tool in steering}
    others = [tool for name, tools in TOOLSETS.items() if name in named for tool in tools(door)]
    return Offer(
        name="ccos-tui",
        title="ccos-tui: recorded working memory",
        version=__version__,
        instructions=(INSTRUCTIONS if "memory" in named else "") + NAMING,
        tools=[*steering, *(tool for tool in others if tool.name not in taken)],
        resources=(*resources(door), *rules.resources(door), *cos.resources(door)),
        prompts=(*prompts(door), *cos.prompts(door)),
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
        if self._door.steers:
            cos.look_at_documents(self._door)
        before, self._step = self._step, live.head
        if before == self._step:
            return ()
        nodes = live.touched(before, MOST_CHANGED) if before is not None else []
        return (CONTEXT, TIMELINE, *cos.changed(self._door, nodes), *(f"ccos://node/{node}" for node in nodes))

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
