"""What each level of a symbol shows, and that odd outlines trip nothing."""

import pytest

from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.values.tokens import line_parts
from ccos_core.window.source import (
    BODY,
    CUT,
    LONGEST_LINE,
    LONGEST_SIGNATURE,
    MOST_COUNTED,
    NAME,
    SIGNATURE,
    SKELETON,
    Source,
)

TEXT = '''import os

LIMIT = {
    1: 2,
    3: 4,
    5: 6,
}


@wrap
class Pool(Base):
    """Connections."""

    size: int = 3

    @property
    def free(
        self,
    ) -> int:
        return self.size

    class Lease:
        def end(self):
            pass


def connect():
    return Pool()
'''
LEVELS = [
    ("LIMIT", NAME, [3]),
    ("LIMIT", SIGNATURE, [3, 4, 5]),
    ("LIMIT", BODY, [3, 4, 5, 6, 7]),
    ("Pool", SIGNATURE, [11]),
    ("Pool", SKELETON, [11, 12, 14, 17, 18, 19, 22]),
    ("Pool", BODY, list(range(10, 25))),
    ("Pool.free", NAME, [17]),
    ("Pool.free", SIGNATURE, [11, 17, 18, 19]),
    ("Pool.free", SKELETON, [11, 17, 18, 19]),
    ("Pool.free", BODY, [16, 17, 18, 19, 20]),
    ("Pool.Lease.end", SIGNATURE, [11, 22, 23]),
    ("connect", SIGNATURE, [27]),
]


def test_no_more_is_remembered_of_what_lines_take_than_there_is_room_for() -> None:
    source = Source("a.py", "\n".join(["some words"] * 3 * MOST_COUNTED), Outline())
    for _ in range(2):
        for last in range(1, 3 * MOST_COUNTED):
            assert source.parts((last, last + 1), False) == source.parts((1,), True) + source.parts((last,), False)
            assert len(source._parts) <= MOST_COUNTED


@pytest.mark.parametrize(("name", "level", "lines"), LEVELS)
def test_levels_of_a_symbol(name: str, level: str, lines: list[int]) -> None:
    source = python(TEXT)
    symbol = [each.name for each in source.outline.symbols].index(name)
    assert list(source.shown(symbol, level)) == lines


def test_levels_of_a_file() -> None:
    source = python(TEXT)
    assert source.shown(MODULE, BODY) == tuple(range(1, 29))
    assert source.shown(MODULE, SKELETON) == (3, 4, 5, 11, 12, 14, 17, 18, 19, 22, 27)
    assert source.shown(MODULE, SIGNATURE) == source.shown(MODULE, NAME) == (3, 11, 27)


@pytest.mark.parametrize(
    ("text", "whole", "little"), [("", (), ()), ("\n\n", (1, 2), ()), ("\n# a\nb()", (1, 2, 3), (2, 3))]
)
def test_files_that_define_nothing(text: str, whole: tuple[int, ...], little: tuple[int, ...]) -> None:
    assert python(text).shown(MODULE, BODY) == whole
    assert python(text).shown(MODULE, SIGNATURE) == little


def test_the_second_of_a_name_has_its_own_members_and_node() -> None:
    source = python("if x:\n class A:\n  a = 1\nelse:\n class A:\n  b = 2\n")
    assert [source.node(at) for at in range(4)] == ["sym:a.py#A", "sym:a.py#A.a", "sym:a.py#A~2", "sym:a.py#A.b"]
    assert source.members == {MODULE: [0, 2], 0: [1], 2: [3]}
    assert source.inside(2) == {2, 3}
    assert source.node(MODULE) == "file:a.py"


def test_members_may_stand_before_or_outside_of_what_they_belong_to() -> None:
    symbols = (
        Symbol("T.m", "method", 1, 1, 1, 1),
        Symbol("T", "type", 2, 2, 2, 2),
        Symbol("U.n", "method", 3, 3, 3, 3),
        Symbol(".x", "odd", 3, 3, 3, 3),
    )
    source = Source("a.go", "a\nb\nc", Outline(symbols))
    assert source.members == {MODULE: [1, 2, 3], 1: [0]}
    assert source.shown(0, SIGNATURE) == (1,)


def test_what_is_long_is_cut_below_the_body() -> None:
    text = "def f(\n" + "  a,\n" * 50 + "): pass\nx = '" + "y" * 1_000 + "'\n"
    source = python(text)
    assert len(source.shown(0, SIGNATURE)) == LONGEST_SIGNATURE
    (line,) = source.shown(1, SIGNATURE)
    assert source.line(line, False) == "x = '" + "y" * (LONGEST_LINE - 5) + CUT
    assert source.line(line, True) == source.lines[line - 1]
    assert source.parts((line,), False) == line_parts(source.line(line, False)) < source.parts((line,), True)


def test_an_outline_of_a_longer_version_shows_what_is_left() -> None:
    source = Source("a.py", "class Pool(Base):\n    x = 1", python(TEXT).outline)
    for level in (NAME, SIGNATURE, SKELETON, BODY):
        for symbol in range(MODULE, len(source.outline.symbols)):
            assert all(1 <= line <= 2 for line in source.shown(symbol, level))


def python(text: str) -> Source:
    language = language_of("a.py")
    assert language is not None
    return Source("a.py", text, outline(language, text.encode()))


def test_lines_nobody_has_seen_are_told_and_not_shown_as_empty() -> None:
    text = "\n".join(["", "", "", "def f():", "    a()", "", "", "    return 1"])
    language = language_of("a.py")
    assert language is not None
    source = Source("a.py", text, outline(language, text.encode()), unknown=((1, 3), (6, 7)))
    shown = [source.line(line, True) for line in source.shown(MODULE, BODY)]
    assert shown == [
        "... lines 1 to 3 were never seen",
        "def f():",
        "    a()",
        "... lines 6 to 7 were never seen",
        "    return 1",
    ]
    assert [source.line(line, True) for line in source.shown(0, BODY)] == shown[1:]
