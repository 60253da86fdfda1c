"""What is learnt of many versions together is what a search finds in each of them, and what it takes to show that."""

from collections.abc import Iterator, Sequence
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency import learning
from ccos_core.replay.residency.joining import _last_said, put_behind
from ccos_core.replay.residency.laid import Laid, Read
from ccos_core.replay.residency.learning import Share, learn
from ccos_core.replay.residency.learnt import WORDLESS, Words
from ccos_core.replay.residency.pricing import costs
from ccos_core.text.retrieval.units import units
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import Outline, Symbol
from ccos_core.window.layout import entries
from ccos_core.window.lexicon import is_minor
from ccos_core.window.source import Source
from tests.laws.test_wordings import columns

PATH = "src/box.py"
LINES = st.sampled_from(["class Box:", "    def put(self):", "        return size", "size = 1", "", "x" * 300])
PLACES = st.integers(1, 9)
SYMBOLS = st.builds(
    Symbol,
    st.sampled_from(["Box", "Box.put", "Box.put.inner", "put", "size"]),
    st.sampled_from(["class", "function", "constant", "field"]),
    *[PLACES] * 4,
    st.integers(0, 9),
)
UNKNOWN = st.sampled_from([(), (), (), ((1, 1),), ((2, 4), (6, 7))])

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
        moving = [(each[:2], [place and max(place + by * (place > at), 1) for place in each[2:]]) for each in symbols]
        symbols = [Symbol(*called, *places) for called, places in moving]
        if symbols and draw(st.booleans()):
            other = draw(st.integers(0, len(symbols) - 1))
            symbols[other] = Symbol(symbols[other].name, *draw(SYMBOLS)[1:])
        found.append(source(lines, symbols, draw(UNKNOWN)))
    return found


@settings(deadline=None, max_examples=300)
@given(versions())
def test_each_version_says_what_a_search_finds_in_it(told: list[Source]) -> None:
    """All its symbols, with all their words, and with what it takes to show them."""
    words = Words()
    put_behind(words, [learn(Share(read(told), {}, 0))])
    for row, each in enumerate(told):
        found = {said[0]: said for said in wordings(words, row)}
        there = units(each.path, each.text, each.outline)
        takes = entries(each)
        assert sorted(found) == [unit.symbol for unit in there]
        for unit in there:
            _, minor, cost, head, body = found[unit.symbol]
            assert (minor, cost) == (is_minor(each.outline, unit.symbol), takes[unit.symbol])
            assert (head, body) == (unit.head, unit.body)


@settings(deadline=None, max_examples=300)
@given(versions())
def test_what_it_takes_to_show_symbols_is_what_windows_count(told: list[Source]) -> None:
    """Those without a line of their own, too."""
    laid = Laid(list(read(told)))
    found = costs(laid).tolist()
    for each, begin, end in zip(told, laid.unit_begins.tolist(), laid.unit_ends.tolist(), strict=True):
        *symbols, file = entries(each)
        assert found[begin:end] == [file, *symbols]


@settings(deadline=None, max_examples=300)
@given(versions(), st.integers(1, 400))
def test_a_file_says_the_same_learnt_at_one_go_and_version_by_version(told: list[Source], many: int) -> None:
    check(told, many)


@pytest.mark.parametrize("told", ODD.values(), ids=ODD)
def test_who_only_seems_to_stay_is_another(told: list[Source]) -> None:
    check(told, 1)


def check(told: list[Source], many: int) -> None:
    """However many are learnt together."""
    versions, together = list(read(told)), Words()
    put_behind(together, [learn(Share(versions, {}, 0))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "MANY", many)
        for shares in ([versions], [versions[:1], versions[1:]], [[version] for version in versions]):
            words = Words()
            for share in shares:
                said = _last_said(words, np.zeros(len(versions), np.int32))
                put_behind(words, [learn(Share(share, said, len(words.wordings)))])
            assert columns(words) == columns(together)


def test_what_lies_before_an_edit_stays_and_so_does_what_lies_behind_it() -> None:
    words, edited = Words(), TEXT.replace("append(letter)", "append(\n            letter)")
    put_behind(words, [learn(Share(read([parsed(TEXT), parsed(edited)]), {}, 0))])
    names = [symbol.name for symbol in parsed(TEXT).outline.symbols]
    assert names == ["LIMIT", "Box", "Box.put", "Box.drop", "empty"]
    born, symbol = words.wordings["born"], words.wordings["symbol"]
    assert [names[at] for at in symbol[born == 1].tolist()] == ["Box.put"]
    assert symbol[words.died["wording"]].tolist() == [names.index("Box.put")]


def parsed(text: str) -> Source:
    language = language_of(PATH)
    assert language is not None
    return Source(PATH, text, outline(language, text.encode()))


def read(told: Sequence[Source]) -> Iterator[Read]:
    """The versions of a file."""
    for row, each in zip(count(), told):
        symbols = each.outline.symbols
        yield Read(row, 0, PATH, True, range(len(symbols) + 1), each.text, symbols, each.unknown)


Wording = tuple[int, bool, int, dict[str, int], dict[str, int]]


def wordings(words: Words, row: int) -> Iterator[Wording]:
    """(symbol, whether it is a mere value, what it takes to show it, head, body) of each document of a version."""
    end = words.versions["end"]
    here = slice(int(end[row - 1]) if row else 0, int(end[row]))
    terms, ends = [term.decode() for term in words.terms.all()], np.cumsum(words.wordings["size"])
    own, holders = words.nodes["own"][here].astype(bool), words.nodes["wording"][here]
    for wording in holders[own & (holders != WORDLESS)].tolist():
        told = slice(int(ends[wording - 1]) if wording else 0, int(ends[wording]))
        symbol, minor, cost = (words.wordings[name][wording] for name in ("symbol", "minor", "cost"))
        of = [terms[term] for term in words.pairs["term"][told].tolist()]
        head, body = (
            {term: times for term, times in zip(of, words.pairs[name][told].tolist(), strict=True) if times}
            for name in ("head", "body")
        )
        yield int(symbol), bool(minor), int(cost), head, body
