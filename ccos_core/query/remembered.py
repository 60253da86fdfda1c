"""What people, policies and clocks say of a node up to a step: how it is filed, how it stands, what speaks for it.

One reader for statements (`memo:ID`), claims (`claim:WORDS`) and every other node. Each step knows what was said until
then and nothing later. Read once and kept with the journal; the fold doesn't know it.

    assertions_of(timeline, "memo:1f0c…", at).standing   # "superseded"
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ccos_core.memory.entry import LEVELS, UNLABELLED_LEVEL, level_after, regions_after
from ccos_core.query.node_ops import NodeOps
from ccos_core.query.op_text import text_of
from ccos_core.query.saying.user import first_said
from ccos_core.query.saying.utterance import USER

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.node_ops import Ops, OpsByNode
    from ccos_core.replay.timeline import Timeline

LIVE, SUPERSEDED, RETRACTED, EXPIRED = "live", "superseded", "retracted", "expired"
FOR, AGAINST = "supported", "contradicted"
EXPLICIT = "explicit"
CLAIM, MEMO = "claim:", "memo:"
NODE_FIELDS = {
    "remembered": "memo",
    "labelled": "nodes",
    "weighed": "nodes",
    "expired": "nodes",
    "paged_in": "nodes",
    "paged_out": "nodes",
    "attention": "nodes",
    "annotation": "node",
    FOR: "claim",
    AGAINST: "claim",
    RETRACTED: "claim",
    SUPERSEDED: "claim",
}
"""Kind of op → the field that names the nodes it speaks of."""
PAGED = {"paged_in": "in", "paged_out": "out", "attention": ""}
RULING = frozenset({SUPERSEDED, RETRACTED, EXPIRED, "weighed", *PAGED})
"""Kinds by which an agent can't change a statement of the user."""
FULL_WEIGHT = 1_000  # thousandths


@dataclass(frozen=True, slots=True)
class Evidence:
    """One op that speaks for or against a node."""

    step: int
    supports: bool
    weight: int
    """Authority, in thousandths."""

    way: str
    """How it came up: `explicit`, `inline`, `test`, `outcome`, `import`."""

    by: tuple[str, ...]
    """The nodes that it rests on."""

    actor: str
    session: str
    words: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A note on a node."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Objection:
    """What others than a person recorded of how a statement of the user stands. It stands as it did."""

    step: int
    kind: str
    """`retracted`, `superseded` or `expired`."""

    actor: str
    """`agent`, `host` or `tool`; empty where the record doesn't say."""

    by: str
    """What should take its place, or the policy by which it should expire."""

    def __str__(self) -> str:
        return f"the {self.actor or 'agent'} {TAKING_BACK.get(self.kind, self.kind)} at step {self.step:,}"


TAKING_BACK = {RETRACTED: "retracted it", SUPERSEDED: "superseded it", EXPIRED: "let it expire"}


@dataclass(frozen=True, slots=True)
class Assertions:
    """What was said of a node up to a step."""

    node: str
    text: str
    """The words to remember; empty if it was never remembered."""

    cls: str
    """Its class as last asserted, `preference`, `todo`, ...; empty if it has none."""

    inferred: bool
    """Whether no person has confirmed the class and the words."""

    author: str
    """`user` if a person ever asked to remember it; else who did: `agent`, `host`, `tool`, or empty."""

    scope: str
    """`session`, `project`, `user`; empty if it has none."""

    host: str
    """The host of that session."""

    session: str
    """The session for which it was remembered; empty if it holds for all."""

    about: tuple[str, ...]
    tags: tuple[str, ...]
    regions: tuple[str, ...]
    privacy: str
    lifetime: int
    """Milliseconds until it may expire; 0 for no limit."""

    reason: str
    pinned: bool
    paged: str
    """`in` or `out` if it was paged; else empty."""

    weight: int
    """How much attention it should get, in thousandths."""

    standing: str
    """`live`, `superseded`, `retracted` or `expired`."""

    since: int
    """The step since when it stands so; 0 if nothing ever changed its standing."""

    by: str
    """What superseded it, or the policy by which it expired."""

    how: str
    """`replace`, `merge`, `invert` or `refine`, if it was superseded so."""

    born: int
    """The step at which it was first remembered; 0 if it never was."""

    stated: int
    """The step at which it was remembered last, as it is told here; 0 if it never was."""

    confirmed: int
    """How often a person confirmed it: remembered it, or gave explicit support."""

    evidence: tuple[Evidence, ...]
    """What speaks for and against it since it was last taken back."""

    notes: tuple[Annotation, ...]
    objection: Objection | None = None
    """How others than a person would have it stand, if it is a statement of the user."""


def assertions_of(
    timeline: Timeline | None, node: str, at: int, *, of_user: bool = False, by_anyone: bool = False
) -> Assertions:
    """Return what was said of a node up to a step; without a timeline nothing was. `of_user` says that the user said
    it, though this record doesn't have it; `by_anyone` how it would stand if agents could change it too."""
    if timeline is None:
        return _read(timeline, node, [], [], [])
    ops = [*ops_about(timeline, node, at)]
    remembered = [(step, op) for step, op in ops if op["kind"] == "remembered"]
    stated = [each for each in remembered if not each[1].get("inferred")] or remembered
    if by_anyone:
        return _read(timeline, node, ops, ops, stated)
    ruling = ruling_ops(timeline, node, at, of_user=of_user)
    return _read(timeline, node, ops, ruling, [each for each in stated if is_confirmed(each[1])] or stated)


def remembered_until(timeline: Timeline, at: int) -> dict[str, Assertions]:
    """Return all statements that were remembered up to a step, in that order."""
    every = [assertions_of(timeline, node, at) for node in assertion_ops(timeline, at) if node.startswith(MEMO)]
    return {each.node: each for each in sorted(every, key=lambda each: each.born) if each.born}


def ops_about(timeline: Timeline, node: str, at: int) -> Iterator[tuple[int, Plain]]:
    """Yield (step, op) of all that was said of a node up to a step."""
    return takewhile(lambda said: said[0] <= at, assertion_ops(timeline, at).get(node, ()))


def assertion_ops(timeline: Timeline, at: int) -> OpsByNode:
    """Node → ops about it up to a step, and for some until later, in the order in which they came up. Each op is read
    once."""
    known: NodeOps = timeline.journal.growing("assertions", lambda: NodeOps(NODE_FIELDS, _by_node))
    return known.until(timeline, at)


def _by_node(_: Timeline, op: Plain) -> Iterator[tuple[str, Plain]]:
    named = op.get(NODE_FIELDS[op["kind"]], ())
    yield from ((node, op) for node in dict.fromkeys([named] if isinstance(named, str) else named))


def ruling_ops(timeline: Timeline, node: str, at: int, *, of_user: bool = False) -> Ops:
    """Return (step, op) of all that decides how a node stands at a step: of a statement of the user only what a person
    recorded, whenever that was."""
    ops = [*ops_about(timeline, node, at)]
    if not any(op["kind"] in RULING for _, op in ops):  # as nearly always; else all that the user said is read
        return ops
    if of_user or any(is_confirmed(op) for _, op in ops) or said_by_user(timeline, node, at):
        return [(step, op) for step, op in ops if op.get("actor") == USER]
    return ops


def said_by_user(timeline: Timeline, node: str, at: int) -> bool:
    """Return whether the user had said a statement in any session up to a step."""
    return node.startswith(MEMO) and first_said(timeline).get(node, at + 1) <= at


def is_confirmed(op: Plain) -> bool:
    """Whether a person asks to remember a statement by this op."""
    return op["kind"] == "remembered" and op.get("actor") == USER and not op.get("inferred", False)


def revives(node: str, op: Plain) -> bool:
    """Tell whether an op makes a node live again that was taken back. Evidence that wasn't given explicitly doesn't."""
    if op["kind"] == "remembered":
        return not op.get("inferred", False)
    return node.startswith(CLAIM) and op["kind"] in (FOR, AGAINST) and op.get("way", EXPLICIT) == EXPLICIT


def standing_after(node: str, ops: Ops) -> tuple[str, int, Plain]:
    """Return how a node stands after these ops, since which step, and by which op."""
    standing: tuple[str, int, Plain] = (LIVE, 0, {})
    for step, op in ops:
        if op["kind"] in (SUPERSEDED, RETRACTED, EXPIRED):
            standing = (op["kind"], step, op)
        elif standing[0] != LIVE and revives(node, op):
            standing = (LIVE, step, {})
    return standing


def _read(timeline: Timeline | None, node: str, ops: Ops, ruling: Ops, stating: Ops) -> Assertions:
    """Read the ops about a node, those of them that decide how it stands, and those that state its words."""
    remembered = [(step, op) for step, op in ops if op["kind"] == "remembered"]
    stated = [op for _, op in stating]
    filed = [op for _, op in ops if op["kind"] in ("remembered", "labelled")]
    paged = [op["kind"] for _, op in ruling if op["kind"] in PAGED]
    standing, since, taken = standing_after(node, ruling)
    evidence = tuple(_evidence(timeline, ops, ruling))
    last = stated[-1] if stated else {}
    confirmed = sum(each.supports and each.way == EXPLICIT for each in evidence)
    confirmed += sum(not op.get("inferred") for _, op in remembered)
    return Assertions(
        node=node,
        text=text_of(timeline, last.get("words")),
        cls=last.get("class", ""),
        inferred=bool(last.get("inferred")),
        author=USER if any(is_confirmed(op) for op in stated) else last.get("actor", ""),
        scope=_latest(stated, "scope", ""),
        host=str(last.get("host", "")),
        session=str(last.get("session", "")),
        about=tuple(_latest(stated, "about", ())),
        tags=tags_of(filed),
        regions=regions_of(filed),
        privacy=_privacy(filed),
        lifetime=_latest(stated, "lifetime", 0),
        reason=text_of(timeline, _latest(stated, "reason", None)),
        pinned=_latest(filed, "pinned", False),
        paged=PAGED[paged[-1]] if paged else "",
        weight=_latest([op for _, op in ruling if op["kind"] == "weighed"], "weight", FULL_WEIGHT),
        standing=standing,
        since=since,
        by=str(taken.get("by", taken.get("policy", ""))),
        how=str(taken.get("how", "")),
        born=remembered[0][0] if remembered else 0,
        stated=max((step for step, op in remembered if op is last), default=0),
        confirmed=confirmed,
        evidence=evidence,
        notes=tuple(Annotation(s, text_of(timeline, op["note"])) for s, op in ops if op["kind"] == "annotation"),
        objection=_objection(node, ops, ruling),
    )


def _objection(node: str, ops: Ops, ruling: Ops) -> Objection | None:
    """Return how others would have a node stand since a person last said how it stands."""
    said = {step for step, op in ruling if op["kind"] in ("remembered", SUPERSEDED, RETRACTED, EXPIRED)}
    others = {step for step, _ in ops} - {step for step, _ in ruling}
    later = [each for each in ops if each[0] in others and each[0] > max(said, default=0)]
    standing, step, op = standing_after(node, later)
    by = str(op.get("by", op.get("policy", "")))
    return Objection(step, standing, op.get("actor", ""), by) if standing != LIVE else None


def _latest(ops: list[Plain], field: str, otherwise: Any) -> Any:
    """Return a field of the last op that has it."""
    return next((op[field] for op in reversed(ops) if field in op), otherwise)


def _privacy(ops: list[Plain]) -> str:
    level, is_said = UNLABELLED_LEVEL, False
    for op in ops:
        said = op.get("privacy")
        after = level_after(level, said, op.get("actor"))
        is_said = is_said or (said is not None and LEVELS.index(said) == after)
        level = after
    return LEVELS[level] if is_said else ""


def regions_of(ops: list[Plain]) -> tuple[str, ...]:
    """Return the regions that are left."""
    regions: tuple[str, ...] = ()
    for op in ops:
        regions = regions_after(regions, op.get("regions"), op.get("actor"))
    return regions


def tags_of(ops: list[Plain]) -> tuple[str, ...]:
    """Return the tags that are left; only the owner takes away one that the owner gave."""
    by_owner: dict[str, bool] = {}
    for op in ops:
        is_owner = op.get("actor") == USER
        for tag in op.get("tags", ()):
            by_owner[tag] = is_owner or by_owner.get(tag, False)
        for tag in op.get("untagged", ()):
            if is_owner or not by_owner.get(tag, False):
                by_owner.pop(tag, None)
    return tuple(by_owner)


def _evidence(timeline: Timeline | None, ops: Ops, ruling: Ops) -> Iterator[Evidence]:
    taken_back = max((step for step, op in ruling if op["kind"] in (RETRACTED, SUPERSEDED)), default=0)
    for step, op in ops:
        if step > taken_back and op["kind"] in (FOR, AGAINST):
            weight, way, by = max(0, op["weight"]), op.get("way", EXPLICIT), tuple(op.get("by", ()))
            session = str(op.get("for_session", op.get("session", "")))
            words = text_of(timeline, op.get("words"))
            yield Evidence(step, op["kind"] == FOR, weight, way, by, op.get("actor", ""), session, words)
