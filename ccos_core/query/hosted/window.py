"""`recall` and `state` with `--lens host`: what a context held at a step, with how full the host said it was.

What is held of a file is told once, by the file; its symbols are told where they stand otherwise than it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from ccos_core.query.hosted.happening import Counted, Cut, Fell, Witness
from ccos_core.query.hosted.item_names import code_name, item_names, shown_ranges
from ccos_core.query.hosted.whose import Whose, chosen
from ccos_core.query.hosted.window_rows import agent_window_rows
from ccos_core.query.question import DELIVERED
from ccos_core.query.telling import Told
from ccos_core.replay.codes import HOWS, KIND_NAMES
from ccos_core.replay.measure import cuts, held_at
from ccos_core.replay.residency.hosted import SEEN_AS, Graph
from ccos_core.replay.residency.runs import STATES
from ccos_core.state.holding import PATCHED, Standing
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.query.hosted.both import Overlap
    from ccos_core.query.hosted.diff import AgentDiff
    from ccos_core.query.windows import Shown
    from ccos_core.replay.timeline import Timeline


@dataclass(frozen=True, slots=True)
class HeldItem:
    """Something a context holds, or holds as it isn't any more."""

    node: str
    """A file, a symbol; `prompt:N`, `result:N`, `summary:N` of what is no file, N being the step."""

    state: str
    """`in`, `partial`, `stale`, `uncertain`; `gone` of text that is held of what isn't there any more."""

    patched: bool
    """Whether an edit is what showed it, or part of it."""

    tokens: int
    step: int
    """The step of the last delivery that counts."""

    by: str
    """What that was: `read`, `edit`, `write`, `recall`, `prompt`, `tool`, `compaction`; of an item of a window of ours
    the level at which it was shown."""

    kind: str = ""
    """`summary`, `prompt`, `note` (added by the agent's program), `text`, `thinking`, `call`, `read`, `command`,
    `search`, `edit`, `result`, `memory`."""

    says: str = ""
    """What it is called: `Bash go test ./...`, the first words of a prompt, a path and its lines."""

    outcome: str = ""
    """How the call behind it ended: `ok`, `error`, ...; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many files and other things are held so, and their tokens."""

    state: str
    items: int
    tokens: int


@dataclass(frozen=True, slots=True)
class AgentWindow:
    """The answer to `recall` and `state` about the agent's window; on request with the suggested one beside it."""

    schema: ClassVar[str] = "ccos.agent-window/1"
    whose: Whose
    step: int
    head: int
    """The last step there is."""

    tokens: int
    """What is held, as we estimate it: of files, prompts, results and summaries; the host holds more than is told."""

    counted: Counted | None
    """How full it was, as the host said last since it was cut; nothing where it hasn't."""

    counts: tuple[Count, ...]
    """The items by state; a symbol doesn't count beside its file."""

    items: tuple[HeldItem, ...]
    """Files and other things, the oldest delivery first; of windows of ours as they stood in it."""

    parts: tuple[HeldItem, ...]
    """The symbols that stand otherwise than their file."""

    cuts: int
    """How often it was shortened or emptied up to there, ..."""

    cut: Cut | None
    """... and the last time."""

    falls: tuple[Fell, ...]
    """Where it held far less than before since then, and nothing said why."""

    handed: Told | None
    """Of suggested windows, the op that handed out the last one."""

    suggested: Shown | None = None
    overlap: Overlap | None = None
    """What of the suggested window the agent held."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return agent_window_rows(self, view)

    def item_rows(self, view: View, diff: AgentDiff | None = None, *, by_age: bool = False) -> Sequence[Row]:
        """Show it as a pane does, with what just left; the largest item of each kind first, or the newest."""
        return agent_window_rows(self, view, diff, by_age=by_age)


def agent_window(timeline: Timeline, at: int, *, lens: str, session: str | None, context: str | None) -> AgentWindow:
    """What a context held at a step; or what the last window of ours that it was handed showed."""
    number, whose = chosen(timeline, at, lens, session, context)
    witness = Witness(timeline, number)
    cut_steps = witness.cuts(1, at)
    last: Told | None = None
    items: list[HeldItem] = []
    parts: list[HeldItem] = []
    if lens == DELIVERED:
        if (ours := witness.handed(at)) is not None:
            last = witness.telling.at(ours.step)
            items = [HeldItem(node, "in", False, tokens, last.step, level) for node, level, tokens in ours.items]
    else:
        items, parts = _held(timeline, number, at, cut_steps[-1] if cut_steps else 1)
    return AgentWindow(
        whose=whose,
        step=at,
        head=timeline.head,
        tokens=sum(each.tokens for each in items),
        counted=witness.counted(at),
        counts=tuple(_counts(items)),
        items=tuple(items),
        parts=tuple(parts),
        cuts=len(cut_steps),
        cut=witness.cut(cut_steps[-1]) if cut_steps else None,
        falls=witness.falls(cut_steps[-1] if cut_steps else 1, at),
        handed=last,
    )


def held_items(timeline: Timeline, context: int, at: int) -> list[HeldItem]:
    """Return what a context holds at a step: files and what is no file."""
    cut = cuts(timeline.journal, context, 1, at)
    return _held(timeline, context, at, cut[-1] if cut else 1)[0]


def _held(timeline: Timeline, context: int, at: int, since: int) -> tuple[list[HeldItem], list[HeldItem]]:
    """(items, symbols that stand otherwise than their file), with what each is called."""
    items, parts = told_apart(timeline, held_at(timeline.journal, context, timeline.at(at).last), at)
    return _named(timeline, items, context, since, at), parts


def told_apart(timeline: Timeline, held: Mapping[str, Standing], step: int) -> tuple[list[HeldItem], list[HeldItem]]:
    """What is held: files and what is no file; and the symbols that stand otherwise than their file."""
    items, parts = [], []
    graph = Graph(timeline.journal, step)
    for node, standing in held.items():
        if not node.startswith("sym:"):
            items.append(_item(timeline, node, standing, graph))
            continue
        file = held.get(file_node(path_of(node) or ""))
        if file is None or SEEN_AS[file.state] != SEEN_AS[standing.state]:
            parts.append(_item(timeline, node, standing, graph))
    return items, parts


def _named(timeline: Timeline, items: list[HeldItem], context: int, since: int, at: int) -> list[HeldItem]:
    """The same items with what each is called; of a file held in part with the lines that were shown since a step."""
    names = item_names(timeline, [each.node for each in items])
    partial = [each.node for each in items if each.state == "partial" and each.node.startswith("file:")]
    ranges = shown_ranges(timeline, context, partial, since, at)
    found = []
    for each in items:
        name = names.get(each.node) or code_name(each.node, ranges.get(each.node, ()))
        found.append(replace(each, kind=name.kind, says=name.says, outcome=name.outcome))
    return found


def _item(timeline: Timeline, node: str, standing: Standing, graph: Graph) -> HeldItem:
    steps = timeline.journal.steps
    kind, how = (int(steps[name][standing.step - 1]) for name in ("kind", "how"))
    by = HOWS[how] or KIND_NAMES[kind]
    state = "gone" if graph.lacks(node) else STATES[SEEN_AS[standing.state]]
    return HeldItem(node, state, standing.state == PATCHED, standing.tokens, standing.step, by)


def _counts(items: list[HeldItem]) -> list[Count]:
    found: dict[str, tuple[int, int]] = {}
    for each in items:
        number, tokens = found.get(each.state, (0, 0))
        found[each.state] = number + 1, tokens + each.tokens
    return [Count(state, *found[state]) for state in STATES if state in found]
