"""What became of a node in a host's window, and by which op: told, dropped, changed behind its back, handed out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError
from ccos_core.query.falls import cause_of, falls
from ccos_core.query.hosted.item_names import carrier_name
from ccos_core.query.spoken import Spoken
from ccos_core.query.telling import Told, one_line
from ccos_core.query.whereby import Telling
from ccos_core.replay.codes import HOWS, KIND_NAMES
from ccos_core.replay.measure import cuts, last_counted
from ccos_core.replay.residency.hosted import Delivered, Handed, Hosted, handed
from ccos_core.replay.residency.runs import GONE, IN, OUT, PARTIAL, STALE, STATES, UNBORN, UNCERTAIN
from ccos_core.state.conversation import leaves_out
from ccos_core.state.holding import PATCHED
from ccos_core.text.retrieval.carried import NONE, carried
from ccos_core.values.ids import HELD_PREFIXES, path_of, symbol_of

if TYPE_CHECKING:
    from ccos_core.query.carriers import Carrying
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.residency.runs import Run
    from ccos_core.replay.timeline import Timeline

WORTH = {UNBORN: 0, GONE: 0, OUT: 0, UNCERTAIN: 1, STALE: 1, PARTIAL: 2, IN: 3}
"""State → how much one can rely on what is held; what falls in it is lost."""
AROUND = 90
"""Characters of a summary that are told on either side of where it names a node."""
SUMMARY = 240
"""... and of one that doesn't, from its start."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A host shortened a context, or emptied it."""

    step: int
    kind: str
    """`compaction` or `cleared`; `elision` where a host only left old results out, and put nothing in their place."""

    trigger: str
    """What made the host do it, as it said: `auto`, `manual`, ..."""

    before: int | None
    """Tokens before it: as the host said with it, else as it counted last, ..."""

    after: int | None
    """... and after it."""

    exact: bool
    """Whether it is recorded what survived; where it isn't, that the rest is out is inferred."""

    kept: int
    """Prompts and results that survived, as far as the host says."""

    summary: str
    """What the summary says of the node, or where it says nothing of it, how it begins. Empty where there is none."""

    named: bool
    """Whether the summary names the node, or its file; of a prompt or a result, whether it carries its words."""

    carried: str = ""
    """Of a prompt or a result, how much of it the summary carries: `whole`, `part`, `none`. Else empty."""


@dataclass(frozen=True, slots=True)
class Fell:
    """The host counted far fewer tokens than before, and no cut was recorded."""

    step: int
    before: int
    after: int
    cause: str = ""
    """`resumed` where the session was resumed in between; empty where nothing says why."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How full the host's window was, as it said itself."""

    step: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Happening:
    """A node's state in a context became another."""

    step: int
    op: Told
    """By what."""

    before: str
    state: str
    """What it was, and is from there on: `unborn`, `in`, `partial`, `stale`, `uncertain`, `out`, `gone`."""

    what: str
    """`read`, `edited here`, `written here`, `handed out`, `said`, `back`; `compacted`, `elided`, `cleared`,
    `changed elsewhere`, `fell`, `renamed`, `gone`; of a result `told as a file`, where it is the text of one; of
    windows of ours `left out`, where the next one hadn't it; of words `repeated` by a summary, `superseded` by others,
    `thought forgotten` where they stood in one; else `otherwise`."""

    lost: bool
    """Whether it is worth less than before: out, not what is so now any more, uncertain, or only in part."""

    patched: bool
    """Whether an edit is what showed it, or part of it."""

    tokens_before: int
    tokens: int
    """What was held of it before, and is now."""

    cut: Cut | None
    """Of a compaction, or a clear: what is known of it."""

    fell: Fell | None
    carriers: tuple[str, ...] = ()
    """Of words: the items that brought them, or were dropped with them."""
    carrier_names: tuple[str, ...] = ()
    """What each of these is called: `prompt 12`, `skill 82`, `output of Bash 311`."""


class Witness:
    """Saw what became of nodes in one context."""

    def __init__(self, timeline: Timeline, context: int) -> None:
        self.timeline = timeline
        self.journal = timeline.journal
        self.context = context
        self.telling = Telling(timeline)

    def told(self, seen: Watched, step: int, before: int, state: int) -> Happening:
        """Tell one of them in full."""
        node, residency = seen.name(step), standing_in(seen)
        lost = WORTH[state] < WORTH[before]
        then, now = residency.standing(step - 1), residency.standing(step)
        words = residency if isinstance(residency, Spoken) else None
        op = self.telling.at(step) if words is not None else self.telling.of(step, node)
        carriers: tuple[str, ...] = ()
        if words is not None:
            turned = words.turned(step)
            what = self._what_of_words(step, turned, state, lost=lost)
            carriers = tuple(each.item for each in turned if (each.step == step) != lost)
        elif isinstance(residency, Delivered):
            what = self._handing(op, state)
        else:
            what = self._what(op.step, node, before, state)
        return Happening(
            step=step,
            op=op,
            before=STATES[before],
            state=STATES[state],
            what=what,
            lost=lost,
            patched=now.state == PATCHED,
            tokens_before=then.tokens,
            tokens=now.tokens,
            cut=self.cut(op.step, node, words.text if words is not None else "") if what in CUT else None,
            fell=self._fall(op.step) if what == "fell" else None,
            carriers=carriers,
            carrier_names=tuple(carrier_name(self.journal, each) for each in carriers),
        )

    def _what_of_words(self, step: int, turned: Sequence[Carrying], state: int, *, lost: bool) -> str:
        """What kind of thing brought words, or took them."""
        steps = self.journal.steps
        kind = KIND_NAMES[int(steps["kind"][step - 1])]
        if int(steps["context"][step - 1]) != self.context or state == STALE:
            return "superseded" if state == STALE else "otherwise"
        if lost and kind in CUTTING:
            return "elided" if kind == "compaction" and leaves_out(self.timeline.op(step)) else CUTTING[kind]
        if kind == "usage":
            return "fell" if self._fall(step) is not None else "thought forgotten"
        if kind == "compaction":
            return "repeated"
        brought = {each.item.partition(":")[0] for each in turned if each.step == step}
        return "handed out" if "delivery" in brought else "read" if brought & {"result", "file"} else "said"

    def what(self, step: int, node: str, before: int, state: int) -> tuple[str, Told]:
        """In a word what made a node another at a step, and the op."""
        op = self.telling.of(step, node)
        return self._what(op.step, node, before, state), op

    def cut(self, step: int, node: str = "", said: str = "") -> Cut:
        """What is known of a compaction, or a clear, and of what its summary says of a node or some words."""
        op = self.timeline.op(step)
        counted = last_counted(self.journal, self.context, step - 1)
        before = int(self.journal.steps["tokens"][counted - 1]) if counted else None
        summary = self._text(op["summary"]["blob"]) if "summary" in op else ""
        said = self._said(node) if node.startswith(HELD_PREFIXES) else said
        words = carried(said, summary) if said else None
        at = words.start if words is not None and words.state != NONE else _mention(summary, node) if node else -1
        return Cut(
            step=step,
            kind="elision" if leaves_out(op) else op["kind"],
            trigger=str(op.get("trigger", op.get("reason", ""))),
            before=op.get("before", before),
            after=op.get("after"),
            exact=op["kind"] == "cleared" or bool(op["exact"]),
            kept=len(op.get("kept", ())),
            summary=_quoted(summary, at) if at >= 0 else one_line(summary, SUMMARY),
            named=at >= 0,
            carried=words.state if words is not None and summary else "",
        )

    def cuts(self, first: int, last: int) -> list[int]:
        """The steps of those between two steps."""
        return cuts(self.journal, self.context, first, last)

    def falls(self, first: int, last: int) -> tuple[Fell, ...]:
        """Where the window fell without a cut."""
        every = falls(self.journal, last)
        return tuple(
            Fell(each.step, each.before, each.after, cause_of(self.timeline, each))
            for each in every
            if each.context == self.context and each.step >= first
        )

    def handed(self, step: int) -> Handed | None:
        """The last window of ours that went to it up to a step."""
        every = handed(self.timeline, self.context)
        at = bisect_right(every, step, key=lambda each: each.step)
        return every[at - 1] if at else None

    def counted(self, step: int) -> Counted | None:
        """How full it was: as it was counted last since it was cut, or as the cut said."""
        last = last_counted(self.journal, self.context, step)
        if last is not None:
            return Counted(last, int(self.journal.steps["tokens"][last - 1]))
        cuts = self.cuts(1, step)
        after = self.timeline.op(cuts[-1]).get("after") if cuts else None
        return Counted(cuts[-1], int(after)) if after is not None else None

    # -- helpers --------------------------------------------------------------------------------------------------

    def _what(self, step: int, node: str, before: int, state: int) -> str:
        """What kind of thing it was."""
        steps = self.journal.steps
        kind, how = KIND_NAMES[int(steps["kind"][step - 1])], HOWS[int(steps["how"][step - 1])]
        mine = int(steps["context"][step - 1]) == self.context
        if GONE in (before, state):
            return "gone" if state == GONE else "back"
        if mine and kind in _BY_KIND and (kind != "compaction" or WORTH[state] <= WORTH[before]):
            return "elided" if kind == "compaction" and leaves_out(self.timeline.op(step)) else _BY_KIND[kind]
        if mine and kind == "tool" and path_of(node) is not None:
            return "handed out"  # the call by which a host got a window of ours
        if kind == "renamed":
            return "renamed"
        if kind in ("seen", "gone"):
            return self._seen(node, how if mine else "", state, WORTH[state] - WORTH[before])
        return "said" if mine else "otherwise"

    def _seen(self, node: str, how: str, state: int, gained: int) -> str:
        """What a sighting did, by this context (`how`) or elsewhere. A result that is a source is told as that."""
        if path_of(node) is None:
            return "told as a file"
        if how in ("edit", "write"):
            return "edited here" if how == "edit" else "written here"
        if gained < 0 or (state == STALE and not how):
            return "changed elsewhere"
        return "read" if how else "back" if gained else "otherwise"

    def _handing(self, op: Told, state: int) -> str:
        if op.kind == "recall":
            return "handed out" if state in (IN, PARTIAL) else "left out"
        return "gone" if state == GONE else "back"

    def _fall(self, step: int) -> Fell | None:
        return next(iter(self.falls(step, step)), None)

    def _said(self, item: str) -> str:
        """The words of a prompt, a thought, a call, a result, a summary."""
        kind, _, step = item.partition(":")
        op = self.timeline.op(int(step))
        fields = ("arguments",) if kind == "call" else ("said", "result", "summary")
        said = next((op[name] for name in fields if name in op), None)
        return self._text(said["blob"]) if said is not None else ""

    def _text(self, blob: str) -> str:
        try:
            return self.timeline.content(blob).decode("utf-8", "replace")
        except CcosError:
            return "(content erased)"


def often(stretches: Iterable[Run]) -> tuple[int, int]:
    """How often a node was lost, in whole or in part, and how often it came, by the runs of its state."""
    turns = list(pairwise(WORTH[state] for _, _, state in stretches))
    return sum(after < before for before, after in turns), sum(after > before for before, after in turns)


def standing_in(seen: Watched) -> Hosted | Delivered | Spoken:
    """A residency that knows how a node is held."""
    assert isinstance(seen.residency, (Hosted, Delivered, Spoken))
    return seen.residency


_BY_KIND = {"compaction": "compacted", "cleared": "cleared", "usage": "fell", "recall": "handed out"}
"""Kind of an op of this context → what it does to what is held."""
CUTTING = {"compaction": "compacted", "cleared": "cleared"}
CUT = ("compacted", "elided", "cleared")
"""What happens when the host shortens its window."""


def _quoted(text: str, at: int) -> str:
    """What stands around a place in a text, in whole words where there are any."""
    begin, end = max(at - AROUND, 0), min(at + AROUND, len(text))
    if begin and not text[begin - 1].isspace():
        space = re.search(r"\s", text[begin:at])
        begin += space.end() if space is not None else 0
    if end < len(text) and not text[end].isspace():
        space = re.search(r"\s\S*$", text[at:end])
        end = at + space.start() if space is not None else end
    before, after = ("…" * bool(part.strip()) for part in (text[:begin], text[end:]))
    return one_line(before + text[begin:end].strip() + after, SUMMARY)


def _mention(text: str, node: str) -> int:
    """Where a text names a node: by its path, by its symbol, or by the file's own name; -1 where it doesn't."""
    path, symbol = path_of(node) or "", symbol_of(node)
    names = [path, symbol[0].rpartition(".")[2] if symbol is not None else "", path.rpartition("/")[2]]
    for name in filter(None, names):
        found = re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text)
        if found is not None:
            return found.start()
    return -1
