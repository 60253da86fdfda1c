"""Links become edges: distinct, in order, and none that leads out of the code."""

from ccos_core.query.structure.graph import Codebase, files, graph, symbols
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import MODULE, Outline, Symbol
from tests.core.query.structure.making import understood, with_symbols


def test_files_are_numbered_by_path_and_an_edge_knows_its_uses() -> None:
    code = understood(
        {
            "b.py": "X = 1\n\ndef f(): pass\n",
            "a.py": "from b import f, X\n\ndef g():\n    f()\n    f()\n    return X\n",
        }
    )
    found = files(code)
    assert found.paths == ("a.py", "b.py")
    assert found.graph.out == ((1,), ())
    assert found.graph.into == ((), (0,))
    assert found.uses == {(0, 1): 4}  # the top takes f and X, g calls f and names X


def test_what_lies_in_the_same_file_is_no_edge_between_files() -> None:
    code = understood({"a.py": "def f(): g()\ndef g(): f()\n"})
    assert files(code).graph.out == ((),)
    assert symbols(code).used.out == ((), (2,), (1,))


def test_a_link_out_of_the_code_is_no_edge() -> None:
    code = Codebase(with_symbols(a="f"), {"a.py": (Link(0, Target("gone.py", 3), "call", 1),)})
    assert files(code).graph.out == ((),)
    assert symbols(code).used.out == ((), ())


def test_edges_said_twice_and_loops() -> None:
    found = graph(3, [(2, 0), (0, 1), (0, 1), (1, 1), (0, 2)])
    assert found.out == ((1, 2), (), (0,))
    assert found.into == ((2,), (0,), (0,))
    assert len(found) == 3


def test_a_part_is_numbered_anew() -> None:
    whole = graph(4, [(0, 3), (3, 1), (1, 0), (3, 2)])
    assert whole.within([0, 3]).out == ((1,), ())
    assert whole.within([3, 0]).out == ((), (0,))


def test_a_symbol_is_found_by_its_number_and_depends_on_its_members() -> None:
    method = Symbol("A.m", "method", 2, 2, 2, 2)
    outlines = {"a.py": Outline((Symbol("A", "class", 1, 1, 1, 2), method)), **with_symbols(b="f g")}
    found = symbols(Codebase(outlines, {"b.py": (Link(1, Target("a.py", 0), "call", 2),), "a.py": ()}))
    assert [found.place(node) for node in range(6)] == [
        ("a.py", MODULE),
        ("a.py", 0),
        ("a.py", 1),
        ("b.py", MODULE),
        ("b.py", 0),
        ("b.py", 1),
    ]
    assert [found.file(node) for node in range(6)] == [0, 0, 0, 1, 1, 1]
    assert found.used.out == ((), (), (), (), (), (1,))
    assert found.reached.out == ((), (2,), (), (), (), (1,))


def test_nothing_is_a_codebase_too() -> None:
    assert files(Codebase({}, {})).graph.out == ()
    assert symbols(Codebase({}, {})).used.out == ()
