"""The words of `impact` and `blame`: each node with its way, in order; `✗` where something fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.depending import Dependent, Depending, Link

LONGEST = 50
HEADS = ("away", "node", "strength", "the way")
"""What stands in the columns."""


def says(answer: Depending, columns: int | None) -> Iterator[str]:
    """How much there is, and the first of it."""
    yield f"{parts.node(answer.node)}{_fails(answer.failing)}  at step {answer.at:,}"
    yield f"  {_total(answer)}"
    if answer.nodes:
        yield from parts.table([HEADS, *(_row(each, answer) for each in answer.nodes)], left={1})
    yield from parts.more(answer.found - len(answer.nodes), "node")


def plain(answer: Depending) -> Iterator[str]:
    failing = f", where {count(answer.failing, 'failure')} is felt" if answer.failing else ""
    yield f"{parts.node(answer.node)}{failing}, at step {answer.at:,}: {_total(answer)}."
    for each in answer.nodes:
        failing = ", something fails there" if each.failing else ""
        way = ", then ".join(f"{_roles(link)} {parts.node(link.node)}" for link in each.way)
        yield f"{parts.node(each.node)}, {count(each.hops, 'dependency', 'dependencies')} away{failing}: {way}."
    if answer.found > len(answer.nodes):
        yield f"And {count(answer.found - len(answer.nodes), 'more node')}."


def _total(answer: Depending) -> str:
    far = f"within {count(answer.hops, 'dependency', 'dependencies')}"
    if not answer.found:
        return f"nothing depends on it {far}" if answer.question == "impact" else f"it depends on nothing {far}"
    nodes = count(answer.found, "node") + (f" in {count(answer.files, 'other file')}" if answer.files else "")
    cut = "; there was so much that nobody looked further" if answer.cut else ""
    if answer.question == "blame":
        return f"it depends on {nodes} {far}{cut}"
    return f"{nodes} {'depends' if answer.found == 1 else 'depend'} on it {far}{cut}"


def _row(each: Dependent, answer: Depending) -> tuple[str, str, str, str]:
    """How far, what, how strong, and the way there."""
    return (
        f"{each.hops}",
        f"{parts.node(each.node, LONGEST)}{_fails(each.failing)}",
        f"{each.strength:,}",
        _way(each, answer),
    )


def _way(each: Dependent, answer: Depending) -> str:
    """From who depends to what it depends on: forward for `blame`, backward for `impact`."""
    start = _short(answer.node)
    if answer.question == "blame":
        return start + "".join(f" →{_roles(link)}→ {_short(link.node)}{_fails(link.failing)}" for link in each.way)
    return "".join(f"{_short(link.node)}{_fails(link.failing)} →{_roles(link)}→ " for link in each.way[::-1]) + start


def _roles(link: Link) -> str:
    return words.visible(",".join(link.roles))


def _short(node: str) -> str:
    """A symbol by its name alone, a file by the end of its path: the whole stands beside it, or further up."""
    said = parts.node(node)
    return said.partition("#")[2] or said.rpartition("/")[2]


def _fails(failing: int) -> str:
    return f" {coloured('✗', 'bad')}" if failing else ""
