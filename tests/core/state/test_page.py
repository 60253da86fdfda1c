"""Which lines of two texts of a file are the same."""

from ccos_core.state.page import Page, alike, page_of
from ccos_core.text.syntax import parse
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.code import Outline, Symbol
from ccos_core.values.nesting import Nesting

F, G, H = "def f(x):\n    return x\n", "def g(x):\n    return x\n", "def h(x):\n    return x\n"


def page(text: str) -> Page:
    language = language_of("a.py")
    outline = parse.outline(language, text.encode()) if language is not None else None
    assert outline is not None
    return page_of(Nesting("a.py", outline), text, text, False)


def pairs(after: str, before: str) -> list[tuple[int, int]]:
    return [(first + at, begins + at) for first, begins, size in alike(page(after), page(before)) for at in range(size)]


def test_what_both_begin_and_end_with() -> None:
    assert alike(page("a\nb\nc\n"), page("a\nx\ny\nc\n")) == ((1, 1, 1), (3, 4, 2))
    assert alike(page("a\na\n"), page("a\n")) == ((1, 1, 1), (3, 2, 1))


def test_what_stands_between_two_changes() -> None:
    assert pairs("import os\n" + F + G + H + "X = 1\n", F + G + H + "X = 2\n")[:6] == [
        (line + 1, line) for line in range(1, 7)
    ]


def test_functions_that_have_changed_places() -> None:
    assert pairs(G + F, F + G) == [(1, 3), (2, 4), (3, 1), (4, 2), (5, 5)]


def test_what_stands_around_a_line_there_is_only_one_of() -> None:
    after = "1\n}\n}\nonly\n}\n}\n2\n"
    before = "3\n}\nonly\n}\n}\n4\n"
    assert pairs(after, before) == [(3, 2), (4, 3), (5, 4), (6, 5), (8, 7)]


def test_of_two_that_read_alike_each_is_what_it_is_called() -> None:
    one = "class A:\n    def f(self):\n        return 1\n"
    other = "class B:\n    def f(self):\n        return 1\n"
    assert pairs(other + one, one + other)[:6] == [(1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3)]


def test_a_text_nobody_knows_is_like_none() -> None:
    assert alike(Page("x", None, {}), page(F)) == ()


def test_an_outline_of_another_text_does_no_harm() -> None:
    symbols = Symbol("f", "function", 9, 8, 9, 12), Symbol("g", "function", -3, -3, -3, 2**40)
    nodes = page_of(Nesting("a.py", Outline(symbols)), "x", "a\nb\n", False).nodes
    assert nodes == {"file:a.py": (1, 3), "sym:a.py#f": (3, 3), "sym:a.py#g": (1, 3)}
