"""`impact` of words: which statements and claims rest on them, and which code they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import CcosError
from ccos_core.present.parts import node_name
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.present.words import count
from ccos_core.query.remembered import AGAINST, FOR, SUPERSEDED, assertion_ops
from ccos_core.query.saying.utterance import memo_id
from ccos_core.query.spoken import words_of_node
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.values.ids import MEMO_PREFIX, SPOKEN_PREFIXES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LONGEST_CHAIN = 1_000  # nodes
ABOUT = "remembered"
RESTING = {FOR: "supported by", AGAINST: "contradicted by", SUPERSEDED: "superseded by", ABOUT: "about it"}


@dataclass(frozen=True, slots=True)
class Rest:
    """A statement or claim that rests on something."""

    node: str
    step: int
    """The step that says so."""

    how: str
    """`supported`, `contradicted` or `superseded`; `remembered` of a statement about it."""

    by: str
    """What it rests on: the words that were asked about, or a node before this one."""

    text: str
    """Its words."""


@dataclass(frozen=True, slots=True)
class Resting:
    """The answer to `impact` about words."""

    schema: ClassVar[str] = "ccos.resting/1"
    at: int
    node: str
    text: str
    rests: tuple[Rest, ...]
    """What rests on it, and what rests on that, the nearest first."""

    names: tuple[str, ...]
    """The files and symbols that the words name."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(_rows(self))


def resting(timeline: Timeline, at: int, node: str) -> Resting:
    """Find what rests on some words up to step `at`."""
    said = words_of_node(timeline, node)
    memo = node if node.startswith(MEMO_PREFIX) else memo_id(said.words)
    return Resting(at, memo, said.text, tuple(_rests(timeline, at, memo)), tuple(_named(timeline, at, said.text)))


def _rests(timeline: Timeline, at: int, memo: str) -> Iterator[Rest]:
    on: dict[str, list[tuple[str, int, str]]] = {}
    for node, ops in assertion_ops(timeline, at).items():
        for step, op in ops:
            if step <= at and op["kind"] in RESTING:
                by = op.get("about" if op["kind"] == ABOUT else "by", [])
                for each in [by] if isinstance(by, str) else by:
                    on.setdefault(each, []).append((node, step, op["kind"]))
    chain = [memo]
    for by in chain:
        for node, step, how in on.get(by, []):
            yield Rest(node, step, how, by, _text(timeline, node))
            if node not in chain and len(chain) < LONGEST_CHAIN:
                chain.append(node)


def _text(timeline: Timeline, node: str) -> str:
    if node.startswith(SPOKEN_PREFIXES):
        with suppress(CcosError):
            return words_of_node(timeline, node).text
    return node.partition(":")[2]


def _named(timeline: Timeline, at: int, text: str) -> Iterator[str]:
    """Yield the nodes of the code that a text names, each once."""
    named = mentions(text)
    found: dict[str, None] = {}
    for name in (*named.paths, *(".".join(each) for each in named.dotted), *named.names, *named.quoted):
        with suppress(CcosError):
            found[timeline.node(name, at)] = None
    yield from found


def _rows(answer: Resting) -> Iterator[Row]:
    yield title(f"“{clean(answer.text)}”  step {answer.at:,}")
    yield heading("what rests on it", Span(count(len(answer.rests), "statement or claim", "statements and claims")))
    for each in answer.rests:
        through = f", through {clean(each.by)}" if each.by != answer.node else ""
        how = Span(f"  {RESTING[each.how].removesuffix(' by')} at step {each.step:,}{through}", "quiet")
        yield row(f"  {clean(each.text)}", how, leads=Moment(each.step))
    yield heading("code that it names", Span(count(len(answer.names), "node")))
    for name in answer.names:
        yield row(Span(f"  {node_name(name)}", "link"), leads=Moment(node=name))
    if answer.names:
        yield note("  `impact` of one of these lists the code that depends on it.")
