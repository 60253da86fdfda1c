"""What a node depends on, and what depends on it, as one tree: each row leads to a node, and says in which role the one
uses the other. Where something fails there is a `✗`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip_path
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import count
from ccos_tui.keys import BY_THEMSELVES, Keys
from ccos_tui.present.parts import and_more, node_name
from ccos_tui.present.unselected import unselected

if TYPE_CHECKING:
    from ccos_core.query.depending import Depending, Link

NOTHING = "{tree} there shows what that depends on, and what depends on it."
TITLES = {"blame": "it depends on", "impact": "what depends on it"}
NONE = {"blame": "nothing that is known", "impact": "nothing that is known"}


def nothing(keys: Keys = BY_THEMSELVES) -> list[Row]:
    """What is shown where no node is selected."""
    return unselected(NOTHING, keys)


def rows_of(blame: Depending | None, impact: Depending | None, width: int) -> list[Row]:
    """The node, what it depends on, and what would feel it; each as far as it has come."""
    first = blame or impact
    if first is None:
        return []
    rows = [_root(first, width)]
    for answer in (blame, impact):
        if answer is not None:
            rows += [Row(), *_branches(answer, width)]
    return rows


def _root(answer: Depending, width: int) -> Row:
    at = Span(f"step {answer.at:,}", "quiet")
    name = clip_path(node_name(answer.node), max(width - len(at.text) - 14, 8))
    return Row((Span(name, "heading"), *_fails(answer.failing)), (at,), Moment(node=answer.node))


def _branches(answer: Depending, width: int) -> Iterator[Row]:
    far = f"within {count(answer.hops, 'dependency', 'dependencies')}"
    files = f" in {count(answer.files, 'other file')}" if answer.files else ""
    said = f"{count(answer.found, 'node')}{files} {far}" if answer.found else far
    yield heading(TITLES[answer.question], Span(said, "quiet"))
    if not answer.found:
        yield row(Span(f"  {NONE[answer.question]}", "quiet"))
    children, links = _tree(answer)
    yield from _below(answer.node, "", children, links, answer.question, width)
    yield from and_more(answer.found - len(answer.nodes), "node")
    if answer.cut:
        yield row(Span("  there was so much that nobody looked further", "note"))


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


def _below(
    node: str, indent: str, children: Mapping[str, list[str]], links: Mapping[str, Link], question: str, width: int
) -> Iterator[Row]:
    """Everything behind a node, depth first."""
    mine = children.get(node, [])
    for at, each in enumerate(mine):
        last = at == len(mine) - 1
        yield _link(links[each], f"{indent}{'└' if last else '├'}─ ", question, width)
        yield from _below(each, indent + ("   " if last else "│  "), children, links, question, width)


def _link(link: Link, branch: str, question: str, width: int) -> Row:
    """Its roles, with the arrow from who uses to what is used; its name; how strong it is."""
    roles = clean(",".join(link.roles))
    role = Span(f"{roles} → " if question == "blame" else f"{roles} ← ", "quiet")
    name = Span(clip_path(node_name(link.node), max(width - len(branch) - len(roles) - 10, 8)), "link")
    strength = Span(f"{link.strength:,}", "number")
    return Row((Span(branch, "quiet"), role, name, *_fails(link.failing)), (strength,), Moment(node=link.node))


def _fails(failing: int) -> tuple[Span, ...]:
    return (Span(f" ✗ {count(failing, 'failure')}", "bad"),) if failing else ()
