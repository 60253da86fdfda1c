"""A file that is known by its measure is, but for its text, the file."""

import gc
from itertools import product
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.window.layout import Candidate, Member, entries
from ccos_core.window.linearize import linearize, places
from ccos_core.window.measure import LARGEST, Measure, Measured, measure
from ccos_core.window.pack import enrich
from ccos_core.window.source import BODY, LEVELS, SIGNATURE, Source
from tests.core.window.test_laws import sources

FOUND = settings(max_examples=200, deadline=None)
SHORT = Symbol("a", "function", 1, 1, 1, 1)


def measured(source: Source) -> Measured | None:
    """The same by its measure, where it has one; its text can't be read."""
    body = measure(source.outline, source.text)
    return Measured(source.path, Measure.of(body), unreadable) if body is not None else None


def unreadable() -> tuple[str, Outline]:
    raise AssertionError("somebody reads the text")


@FOUND
@given(sources("a.py"))
def test_it_shows_the_same(source: Source) -> None:
    known = measured(source)
    if known is None:
        return
    assert (known.size, known.ends_open, known.nesting.names) == (source.size, source.ends_open, source.nesting.names)
    assert known.outline.symbols == source.outline.symbols
    if not source.outline.symbols:
        return  # what is shown of it are the first lines that have something in them
    assert entries(known) == entries(source)
    for symbol, level in product(range(MODULE, len(source.outline.symbols)), LEVELS):
        lines = source.shown(symbol, level)
        assert known.span(symbol) == source.span(symbol)
        assert known.shown(symbol, level) == lines
        for some, whole in product((lines, lines[::2], lines[1:], ()), (False, True)):
            assert known.parts(some, whole) == source.parts(some, whole)
            assert [known.shows(line, whole) for line in some] == [source.shows(line, whole) for line in some]


@FOUND
@given(sources("a.py"), st.data(), st.integers(0, 8_000))
def test_its_members_are_shown_alike(source: Source, data: st.DataObject, parts: int) -> None:
    known = measured(source)
    if known is None or not source.outline.symbols:
        return
    some = data.draw(st.lists(st.integers(MODULE, len(source.outline.symbols) - 1), min_size=1, unique=True))
    shown = []
    for each in (known, source):
        members = [Member(Candidate(each, at, 1, ""), SIGNATURE, each.shown(at, SIGNATURE)) for at in some]
        left = enrich(members, parts)
        found = places(members)
        told = [(item.uri, item.path, item.level, item.tokens) for item in found.items]
        shown.append((left, found.tokens, told))
    assert shown[0] == shown[1]
    window = linearize("", 0, members)
    assert shown[0][1:] == (window.tokens, [(item.uri, item.path, item.level, item.tokens) for item in window.items])


@FOUND
@given(sources("a.py"))
def test_who_asks_for_the_text_gets_it(source: Source) -> None:
    body = measure(source.outline, source.text)
    if body is not None:
        asked: list[None] = []

        def read() -> tuple[str, Outline]:
            asked.append(None)
            return source.text, source.outline

        known = Measured(source.path, Measure.of(body), read)
        assert not known.is_open
        assert not asked
        assert known.lines == source.lines
        assert known.outline == source.outline
        assert known.blob == source.blob
        assert known.with_notes().text == source.text
        assert known.is_open
        assert len(asked) == 1
        known = Measured(source.path, Measure.of(body), unreadable)
        known.open(source)
        assert known.lines == source.lines
        assert known.is_open


def test_nobody_has_to_look_for_it_when_it_is_let_go() -> None:
    known = measured(Source("a.py", "a\n", Outline((SHORT,))))
    assert known is not None
    assert known.nesting.places
    assert known.outline.symbols
    gone = ref(known)
    gc.disable()
    try:
        del known
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("x" * 241, SHORT),
        ("a\n \n", SHORT),
        ("a", SHORT._replace(name="a\nb")),
        ("a", SHORT._replace(last=LARGEST)),
    ],
)
def test_what_it_would_not_say_is_not_measured(text: str, symbol: Symbol) -> None:
    assert measure(Outline((symbol,)), text) is None
    assert measure(Outline((SHORT,)), text[:1]) is not None


@FOUND
@given(sources("a.py"), st.data())
def test_half_of_one_is_none(source: Source, data: st.DataObject) -> None:
    body = measure(source.outline, source.text)
    if body is not None:
        words = sum(len(f"{each.kind}{each.name}") + 2 for each in source.outline.symbols)
        upto = data.draw(st.integers(0, max(0, len(body) - max(1, words))))
        with pytest.raises(ValueError):
            Measure.of(body[:upto])


@pytest.mark.parametrize("lost", ["", "a = 1"])
def test_a_text_that_got_lost_since_says_nothing_in_as_many_lines(lost: str) -> None:
    body = measure(Outline((SHORT,)), "a = 1\nb = 2\n")
    assert body is not None
    source = Measured("a.py", Measure.of(body), lambda: (lost, Outline((SHORT,))))
    assert source.lines == [lost, "", ""]
    member = Member(Candidate(source, MODULE, 1, ""), BODY, source.shown(MODULE, BODY))
    assert places([member]).items
    assert linearize("working-set", 99, [member], []).items
