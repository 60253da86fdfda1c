"""`impact NODE` and `blame NODE`: what depends on a node and would feel it; what it depends on, where its trouble may
come from. Either way through others, as far as it is asked.

Ranked by three things, in this order: how many dependencies away (the nearest first); how strong the way is (the
strongest first), which is how strong its weakest dependency is; the name. A dependency is as strong as its uses say:
each role by its weight in `window.around`, and how often, of which no more than a few count. A node is told by its
nearest way, and of these by the strongest. `replay.dependence` says what stands for what. What is inside of NODE itself
isn't told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.cells import clip_path
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note
from ccos_core.present.words import count
from ccos_core.query.question import Argument, Question
from ccos_core.query.resting import Resting, resting
from ccos_core.replay.dependence import Dependence, Reached, outers
from ccos_core.values.ids import SPOKEN_PREFIXES, file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.state.failures import Live

HOPS = 3
"""Dependencies a way has at most by default."""
LIMIT = 16
"""Nodes that are listed by default."""
WIDEST = 5_000
"""Nodes after which the search stops."""
IMPACT, BLAME = "impact", "blame"
NAMED_FROM = 60
"""Columns from which on there is room to call a strength so."""


@dataclass(frozen=True, slots=True)
class Link:
    """One dependency of a way."""

    node: str
    """Where it leads, away from the node that was asked for."""

    roles: tuple[str, ...]
    """In which roles the one uses the other: `call`, `import`, ...; `contains` where it is a type and its member."""

    strength: int
    failing: int
    """Live failures located there, or inside of it."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A node that would feel it, or where it may come from."""

    node: str
    hops: int
    """Dependencies on the way."""

    strength: int
    """That of the weakest of them."""

    way: tuple[Link, ...]
    """From next to the node that was asked for, up to this one."""

    failing: int
    """Live failures located at this node, or inside of it."""


@dataclass(frozen=True, slots=True)
class Depending:
    """The answer to `impact` and `blame`."""

    schema: ClassVar[str] = "ccos.depending/1"
    question: str
    """`impact` or `blame`."""

    node: str
    at: int
    hops: int
    """How far was looked."""

    failing: int
    """Live failures located at the node, or inside of it."""

    nodes: tuple[Dependent, ...]
    """The first of what was found."""

    found: int
    """How many nodes there are, ..."""

    files: int
    """... in how many other files."""

    cut: bool
    """Whether there were so many that the search stopped early."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self, view.width))


def impact(timeline: Timeline, at: int, *, node: str, hops: int, limit: int) -> Depending | Resting:
    """What depends on a node; what rests on words."""
    if node.startswith(SPOKEN_PREFIXES):
        return resting(timeline, at, node)
    return _asked(timeline, at, node, hops, limit, IMPACT)


def blame(timeline: Timeline, at: int, *, node: str, hops: int, limit: int) -> Depending:
    """What a node depends on."""
    return _asked(timeline, at, node, hops, limit, BLAME)


def _asked(timeline: Timeline, at: int, node: str, hops: int, limit: int, question: str) -> Depending:
    moment = timeline.at(at)
    there = moment.find(node)
    if there is None:
        raise NotFound(f"doesn't exist at step {at:,}", place=node, hint="Only files and symbols have dependencies.")
    source = moment.source(there.path)
    inside = [source.node(each) for each in sorted(source.inside(there.symbol))]
    graph = Dependence(timeline.journal, moment.last, node, inside, WIDEST)
    found = graph.on(hops) if question == IMPACT else graph.of(hops)
    felt = _felt(moment.failures.live.values())
    return Depending(
        question=question,
        node=node,
        at=at,
        hops=hops,
        failing=felt.get(node, 0),
        nodes=tuple(_told(each, felt) for each in found[: limit or None]),
        found=len(found),
        files=len({path_of(each.node) for each in found} - {there.path}),
        cut=graph.cut,
    )


def _felt(live: Iterable[Live]) -> Mapping[str, int]:
    """Node → how many failures are located at it, or inside of it."""
    found: dict[str, int] = {}
    for anchor in (each.anchors[0] for each in live if each.anchors):
        for node in dict.fromkeys((anchor, *outers(anchor), file_node(path_of(anchor) or ""))):
            found[node] = found.get(node, 0) + 1
    return found


def _told(reached: Reached, felt: Mapping[str, int]) -> Dependent:
    way: list[Link] = []
    each: Reached | None = reached
    while each is not None:
        way.append(Link(each.node, tuple(sorted(each.roles)), each.own, felt.get(each.node, 0)))
        each = each.before
    return Dependent(reached.node, reached.hops, reached.strength, tuple(way[::-1]), felt.get(reached.node, 0))


# ---- its rows ----


def _rows(answer: Depending, width: int) -> Iterator[Row]:
    """The node, and the ways to the others as a tree in which each stands once."""
    at = Span(f"step {answer.at:,}", "quiet")
    name = clip_path(node_name(answer.node), max(width - len(at.text) - 14, 8))
    yield Row((Span(name), *_failures_of(answer.failing)), (at,), Moment(node=answer.node), "title")
    far = f"within {count(answer.hops, 'dependency', 'dependencies')}"
    files = f" in {count(answer.files, 'other file')}" if answer.files else ""
    found = f"{count(answer.found, 'node')}{files} {far}" if answer.found else f"nothing known {far}"
    yield heading("what depends on it" if answer.question == IMPACT else "it depends on", Span(found, "quiet"))
    children, links = _tree(answer)
    parents = {child: parent for parent, each in children.items() for child in each}
    pending = _children(children, answer.node, "")
    while pending:
        node, indent, is_last = pending.pop()
        yield _branch(links[node], parents[node], answer.question, indent, is_last, width)
        pending += _children(children, node, indent + ("   " if is_last else "│  "))
    yield from and_more(answer.found - len(answer.nodes), "node")
    if answer.cut:
        yield note("  too many nodes: the search stopped early", "note")


def _tree(answer: Depending) -> tuple[Mapping[str, list[str]], Mapping[str, Link]]:
    """Node → those next behind it, in the order of the answer; and node → the link that leads there."""
    children: dict[str, list[str]] = {}
    links: dict[str, Link] = {}
    for each in answer.nodes:
        before = answer.node
        for link in each.way:
            if link.node not in links and link.node != answer.node:
                links[link.node] = link
                children.setdefault(before, []).append(link.node)
            before = link.node
    return children, links


def _children(children: Mapping[str, list[str]], node: str, indent: str) -> list[tuple[str, str, bool]]:
    """(node, indent, whether it is the last one) of those next behind a node, the last first."""
    return [(each, indent, not at) for at, each in enumerate(reversed(children.get(node, [])))]


def _branch(link: Link, parent: str, question: str, indent: str, is_last: bool, width: int) -> Row:
    """Its roles, with the arrow from what uses to what is used; its name; how strong it is."""
    through = f", through {node_name(parent)}" if indent else ""
    branch = Span(f"{indent}{'└' if is_last else '├'}─ ", "quiet", f"{len(indent) // 3 + 1} away{through}: ")
    roles = clean(",".join(link.roles))
    arrow, spoken = ("←", "by") if question == IMPACT else ("→", "of")
    role = Span(f"{roles} {arrow} ", "quiet", f"{roles} {spoken} ")
    called = "strength " if width >= NAMED_FROM else ""
    taken = len(branch.text) + len(role.text) + len(called) + 8
    name = Span(clip_path(node_name(link.node), max(width - taken, 8)), "link")
    strength = (Span(called, "quiet", "strength "), Span(f"{link.strength:,}", "number"))
    return Row((branch, role, name, *_failures_of(link.failing)), strength, Moment(node=link.node))


def _failures_of(failing: int) -> tuple[Span, ...]:
    return (Span(f" ✗ {count(failing, 'failure')}", "bad", f", {count(failing, 'failure')}"),) if failing else ()


_ARGUMENTS = (
    Argument("node", "node", "file or symbol", required=True),
    Argument("hops", "count", "how many dependencies to follow", default=HOPS, flag=True),
    Argument("limit", "count", "nodes to list; 0 lists all", default=LIMIT, flag=True),
)
_ABOUT = "Sorted by distance, then by the weakest dependency on the path, then by name. A file includes its symbols."
QUESTIONS = {
    IMPACT: Question(
        ask=impact,
        answers=(Depending, Resting),
        example="impact src/db.py#load",
        arguments=_ARGUMENTS,
        words=True,
        nothing=lambda answer: not (answer.nodes if isinstance(answer, Depending) else answer.rests or answer.names),
        about=f"{_ABOUT} Of words it lists the statements and claims that rest on them, and the code they name.",
    ),
    BLAME: Question(
        ask=blame,
        answers=(Depending,),
        example="blame tests/test_db.py",
        arguments=_ARGUMENTS,
        nothing=lambda answer: not answer.nodes,
        about=_ABOUT,
    ),
}
