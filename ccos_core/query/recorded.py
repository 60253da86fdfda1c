"""The answer of every question that writes: what was recorded of which nodes, and how they stand now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row
from ccos_core.query.believing import sums, weigh
from ccos_core.query.paging_out import PagedOut
from ccos_core.query.question import Argument, Plan, Question
from ccos_core.query.remembered import (
    AGAINST,
    FOR,
    LIVE,
    RETRACTED,
    RULING,
    SUPERSEDED,
    assertions_of,
    said_by_user,
    standing_after,
)
from ccos_core.query.saying.utterance import USER

if TYPE_CHECKING:
    from ccos_core.query.remembered import Assertions
    from ccos_core.replay.timeline import Timeline

VERBS = {
    "remembered": "remembered",
    "annotation": "annotated",
    "labelled": "labelled",
    "weighed": "weighed",
    "retune": "set the order of eviction",
    "paged_in": "paged in",
    "paged_out": "paged out",
    FOR: "supported",
    AGAINST: "contradicted",
    RETRACTED: "retracted",
    SUPERSEDED: "superseded",
}
"""Kind of op → what it did."""
SCOPE_WORDS = {"session": "in this session", "project": "in this project", "user": "in every project"}


@dataclass(frozen=True, slots=True)
class Recorded:
    """The answer of a question that writes."""

    schema: ClassVar[str] = "ccos.recorded/1"
    kind: str
    """Kind of the op that says so: `remembered`, `supported`, ..."""

    nodes: tuple[str, ...]
    """What was spoken of; of several nodes those for which it was new."""

    text: str
    """The words that were remembered, noted or given as a reason, secrets masked."""

    cls: str
    """The class of a statement."""

    scope: str
    """Where a statement holds."""

    standing: str
    """How the node stands now: `live`, `superseded`, `retracted`, `expired`."""

    by: str
    """What superseded it."""

    belief: int
    """From -1000 to 1000, by all evidence."""

    tension: int
    """How much speaks on both sides, up to 1000."""

    changed: bool
    """Whether anything was recorded; if not, the record said so already."""

    for_user: bool
    """Whether it stands in the user's own record."""

    step: int
    """The step of that record that says so; 0 if no single one does."""

    paged: tuple[PagedOut, ...] = ()
    """What was paged out, with the summaries that stand for it."""

    without_effect: bool = False
    """Whether a statement of the user stands as it did, as only a person can change it."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Tell what was done, and how the node stands."""
        verb = VERBS.get(self.kind, clean(self.kind))
        done = verb if self.changed else f"already {verb}"
        filed = f" as {clean(self.cls)}" if self.cls else ""
        where = f" {SCOPE_WORDS.get(self.scope, clean(self.scope))}" if self.scope else ""
        own = " of your own record" if self.for_user else ""
        at = [Span(f" (step {self.step:,}{own})", "quiet")] if self.step else []
        rows = [row(f"{done}{filed}{where}: ", Span(clean(" ".join(self.nodes)), "link"), *at, leads=self._leads())]
        rows += [row(f"  “{clean(self.text)}”")] if self.text else []
        if self.kind in (FOR, AGAINST, RETRACTED, SUPERSEDED):
            by = f" by {clean(self.by)}" if self.by else ""
            rows.append(note(f"  {clean(self.standing)}{by}, belief {self.belief:,}, tension {self.tension:,}"))
        for each in self.paged:
            sizes = f"{each.original_tokens:,} tokens in {each.compressed_tokens:,}"
            sizes += f"; the window held {each.held:,}, so {each.freed:,} are freed" if each.held else ""
            rows.append(note(f"  {clean(each.resource_id)}: {sizes}"))
        rows += [note("  It is a statement of the user, so only a person can change it.")] * self.without_effect
        return rows

    def _leads(self) -> Moment | None:
        return Moment(self.step) if self.step and not self.for_user else None


def writing(
    ask: Callable[..., Plan],
    example: str,
    arguments: tuple[Argument, ...],
    about: str = "",
    needs: tuple[str, ...] = ("user", "actor"),
) -> Question:
    """Declare a question that writes."""
    return Question(ask, (Recorded,), example, arguments, about, needs, timeless=True, writes=True)


@dataclass(frozen=True, slots=True)
class Home:
    """The record that ops about a node belong into: the project's, or the user's own."""

    timeline: Timeline | None
    """None if there is no record yet."""

    is_user: bool = False
    project: Timeline | None = None
    """The record in which the user may have said the node."""

    @property
    def at(self) -> int:
        return self.timeline.head if self.timeline is not None else 0

    def known(self, node: str, actor: str = USER) -> Assertions:
        """Return what was said of a node until now; for another than a person as if agents could change it too."""
        of_user, by_anyone = self.is_user and self._was_said(node), actor != USER
        return assertions_of(self.timeline, node, self.at, of_user=of_user, by_anyone=by_anyone)

    def is_of_user(self, node: str) -> bool:
        """Return whether a person said or remembered a statement."""
        return self.known(node).author == USER or self._was_said(node)

    def _was_said(self, node: str) -> bool:
        return self.project is not None and said_by_user(self.project, node, self.project.head)


def home_of(timeline: Timeline, user: Timeline | None, node: str) -> Home:
    """Return where a node is at home: with the user if it was remembered there."""
    kept = user is not None and bool(assertions_of(user, node, user.head).born)
    return Home(user, True, timeline) if kept else Home(timeline, project=timeline)


def planned(
    home: Home,
    nodes: Sequence[str],
    ops: Iterable[dict[str, Any]],
    kind: str,
    *,
    text: str = "",
    was: int = 0,
    actor: str = USER,
) -> Plan:
    """Plan to record `ops` at `home`, and tell how the first node stands then. If there is nothing to record, `was` is
    the step that says so."""
    ops, node, known = tuple(ops), nodes[0], home.known(nodes[0])
    keeps_filing = actor != USER and bool(ops) and known.author == USER
    keeps_standing = actor != USER and (kind in RULING or known.standing != LIVE) and home.is_of_user(node)
    filed = next((op for op in ops if op.get("memo") == node and not keeps_filing), {})
    spoken = [(home.at, op) for op in ops if node in (op.get("memo"), op.get("claim"))]
    spoken = [each for each in spoken if each[1]["kind"] in (FOR, AGAINST) or not keeps_standing]
    before = known.since, {"kind": known.standing, "by": known.by}
    standing, _, taken = standing_after(node, [before, *spoken])
    belief, tension = weigh(*sums(home.timeline, home.at, node, spoken))
    answer = Recorded(
        kind=kind,
        nodes=tuple(nodes),
        text=text,
        cls=filed.get("class", known.cls),
        scope=filed.get("scope", known.scope),
        standing=standing,
        by=taken.get("by", ""),
        belief=belief,
        tension=tension,
        changed=bool(ops),
        for_user=home.is_user,
        step=was,
        without_effect=keeps_standing or (keeps_filing and kind == "remembered"),
    )
    return Plan(ops, answer, home.is_user)
