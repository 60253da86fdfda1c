"""What is taken over from the version before of a file is what would be found if all of it were looked at."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency.joining import _last_said, put_behind
from ccos_core.replay.residency.learning import Read, Share, learn
from ccos_core.replay.residency.learnt import Words
from ccos_core.replay.residency.staying import Laid, cost, staying
from ccos_core.text.retrieval.units import parts
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.window.source import Source
from tests.laws.test_wordings import columns

PATH = "src/box.py"
LINES = st.sampled_from(["class Box:", "    def put(self):", "        return size", "size = 1", "", "x" * 300])
PLACES = st.integers(0, 9)
SYMBOLS = st.builds(
    Symbol,
    st.sampled_from(["Box", "Box.put", "Box.put.inner", "put", "size"]),
    st.sampled_from(["class", "function", "constant", "field"]),
    *[PLACES] * 5,
)

TEXT = """\
LIMIT = 3


class Box:
    def put(self, letter):
        self.letters.append(letter)

    def drop(self):
        return self.letters.pop()


def empty(box):
    return box.drop()
"""


def source(lines: Sequence[str], symbols: Sequence[Symbol], unknown: tuple[tuple[int, int], ...] = ()) -> Source:
    return Source(PATH, "\n".join(lines), Outline(tuple(symbols)), unknown)


def afresh(told: Source) -> Source:
    """The same, of which nobody worked out anything."""
    return Source(told.path, told.text, told.outline, told.unknown)


def moved(symbol: Symbol, by: int) -> Symbol:
    return Symbol(*symbol[:2], *(place + by for place in symbol[2:6]))


BOX, PUT = Symbol("Box", "class", 1, 1, 1, 2), Symbol("Box.put", "function", 2, 2, 2, 2)
HEAD, BODY = "class Box:", "    def put(self):"
ODD = {
    "a gap under a class": [source([HEAD, BODY], [BOX, PUT]), source([HEAD, "", BODY], [BOX, moved(PUT, 1)])],
    "another class": [source([HEAD, BODY], [BOX, PUT]), source([HEAD, BODY], [BOX._replace(name="Crate"), PUT])],
    "a line that is another's": [
        source([HEAD, "", BODY], [BOX._replace(last=3), moved(PUT, 1)]),
        source([HEAD, "", BODY], [BOX._replace(last=3), moved(PUT, 1)._replace(first=2)]),
    ],
    "never seen": [source([HEAD], [BOX]), source([HEAD], [BOX], ((1, 1),))],
    "described elsewhere": [source([HEAD, BODY], [PUT._replace(doc=1)]), source(["", BODY], [PUT._replace(doc=1)])],
    "described no more": [source(["", HEAD], [moved(BOX, 1)._replace(doc=1)]), source([HEAD], [BOX])],
    "a head that ends before it begins": [
        source(["", HEAD, BODY], [moved(BOX, 1)._replace(signature=0)]),
        source([HEAD, BODY], [BOX._replace(signature=-1)]),
    ],
    "out of the file": [source(["", HEAD], [moved(BOX, 1)]), source([HEAD], [BOX._replace(first=0, line=0)])],
}
"""Versions of which a symbol only seems to stay."""


@st.composite
def versions(draw: st.DrawFn) -> list[Source]:
    """A file as it was edited: lines came or went somewhere, and what lay behind them moved; or its outline has
    something otherwise. Spans may be inverted, cross, and lie beyond the end."""
    lines, symbols = draw(st.lists(LINES, min_size=1, max_size=9)), draw(st.lists(SYMBOLS, max_size=5))
    found = [source(lines, symbols)]
    for _ in range(draw(st.integers(1, 3))):
        at, gone, come = draw(PLACES), draw(st.integers(0, 2)), draw(st.lists(LINES, max_size=2))
        lines, by = [*lines[:at], *come, *lines[at + gone :]], len(come) - gone
        symbols = [Symbol(*each[:2], *(max(place + by * (place > at), 0) for place in each[2:])) for each in symbols]
        if symbols and draw(st.booleans()):
            other = draw(st.integers(0, len(symbols) - 1))
            symbols[other] = Symbol(symbols[other].name, *draw(SYMBOLS)[1:])
        found.append(source(lines, symbols, draw(st.sampled_from([(), (), (), ((1, 1),)]))))
    return found


@settings(deadline=None, max_examples=300)
@given(versions())
def test_who_stays_says_what_it_said_and_takes_what_it_took(told: list[Source]) -> None:
    check(told)


@pytest.mark.parametrize("told", ODD.values(), ids=ODD)
def test_who_only_seems_to_stay_is_looked_at(told: list[Source]) -> None:
    check(told)


def check(told: list[Source]) -> None:
    was, now = map(Laid.out, told[:2])
    before, after = (
        {part.symbol: part for part in parts(each.source.lines, each.source.outline, each.owners)}
        for each in (was, now)
    )
    takes = {symbol: cost(was.source, symbol) for symbol in before}
    for symbol in staying(now, was, before):
        assert before[symbol] == after[symbol]
        assert takes[symbol] == cost(afresh(now.source), symbol)


@settings(deadline=None, max_examples=300)
@given(versions())
def test_a_file_says_the_same_learnt_at_one_go_and_version_by_version(told: list[Source]) -> None:
    read = [
        Read(row, 0, PATH, True, range(len(each.outline.symbols) + 1), each.text, each.outline.symbols, each.unknown)
        for row, each in enumerate(told)
    ]
    together, one_by_one = Words(), Words()
    put_behind(together, [learn(Share(read, {}, 0))])
    for row, version in enumerate(read):
        said = _last_said(one_by_one, np.zeros(row + 1, np.int32))
        put_behind(one_by_one, [learn(Share([version], said, len(one_by_one.wordings)))])
    assert columns(together) == columns(one_by_one)


def test_what_lies_before_an_edit_stays_and_so_does_what_lies_behind_it() -> None:
    edited = TEXT.replace("append(letter)", "append(\n            letter)")
    was, now = Laid.out(parsed(TEXT)), Laid.out(parsed(edited))
    names = was.names
    assert names == now.names == ["LIMIT", "Box", "Box.put", "Box.drop", "empty"]
    assert [names[symbol] for symbol in sorted(staying(now, was, range(MODULE, len(names))))] == [
        *["LIMIT", "Box.drop", "empty"]
    ]


def parsed(text: str) -> Source:
    language = language_of(PATH)
    assert language is not None
    return Source(PATH, text, outline(language, text.encode()))
